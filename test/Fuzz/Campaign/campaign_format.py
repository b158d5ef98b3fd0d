"""A campaign of random kernels as lit tests, one for each part of its seeds.

A module of its own, since lit's workers get their tests by pickle.
"""

import math
import os
import subprocess

import lit.formats
import lit.Test


def percent_of_part(percent, kernels):
    """What a part may have refused where `percent` of the whole campaign may.

    The seeds of a part are a sample: three standard deviations are added.
    """
    share = percent / 100
    return math.ceil(100 * (share + 3 * math.sqrt(share * (1 - share) / kernels)))


class CampaignFormat(lit.formats.FileBasedTest):
    """`campaigns`: name, options of memspace-fuzz, percent of the kernels that
    may be refused (None: any), kernels, kernels of a part."""

    def __init__(self, campaigns):
        self.campaigns = campaigns

    def getTestsInDirectory(self, testSuite, path_in_suite, litConfig, localConfig):
        percent = int(litConfig.params.get("campaign", 100))
        for name, _, _, count, part in self.campaigns:
            for first in range(1, count * percent // 100 + 1, part):
                path = path_in_suite + ("%s-%05d" % (name, first),)
                yield lit.Test.Test(testSuite, path, localConfig)

    def execute(self, test, litConfig):
        name, first = test.path_in_suite[-1].rsplit("-", 1)
        options, refused, count, part = next(c[1:] for c in self.campaigns if c[0] == name)
        percent = int(litConfig.params.get("campaign", 100))
        part = min(part, count * percent // 100 - int(first) + 1)
        tool = os.path.join(test.config.memspace_tools_dir, "memspace-fuzz", "memspace-fuzz")
        command = [tool, *options, "--seed=%d" % int(first), "--count=%d" % part]
        if refused is not None:
            command.append("--max-refused=%d" % percent_of_part(refused, part))
        run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        code = lit.Test.PASS if run.returncode == 0 else lit.Test.FAIL
        return code, " ".join(command) + "\n" + run.stdout
