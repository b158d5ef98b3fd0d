"""A campaign of random kernels as lit tests, one for each part of its seeds.

A module of its own, since lit's workers get their tests by pickle.
"""

import os
import subprocess

import lit.formats
import lit.Test


class CampaignFormat(lit.formats.FileBasedTest):
    """`campaigns`: name, options of memspace-fuzz, kernels, kernels of a part."""

    def __init__(self, campaigns):
        self.campaigns = campaigns

    def getTestsInDirectory(self, testSuite, path_in_suite, litConfig, localConfig):
        percent = int(litConfig.params.get("campaign", 100))
        for name, options, count, part in self.campaigns:
            for first in range(1, count * percent // 100 + 1, part):
                path = path_in_suite + ("%s-%05d" % (name, first),)
                yield lit.Test.Test(testSuite, path, localConfig)

    def execute(self, test, litConfig):
        name, first = test.path_in_suite[-1].rsplit("-", 1)
        options, count, part = next(c[1:] for c in self.campaigns if c[0] == name)
        percent = int(litConfig.params.get("campaign", 100))
        part = min(part, count * percent // 100 - int(first) + 1)
        tool = os.path.join(test.config.memspace_tools_dir, "memspace-fuzz", "memspace-fuzz")
        command = [tool, *options, "--seed=%d" % int(first), "--count=%d" % part]
        run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        code = lit.Test.PASS if run.returncode == 0 else lit.Test.FAIL
        return code, " ".join(command) + "\n" + run.stdout
