//===- Campaign.h - many kernels, and what becomes of them -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Checks kernels as texts, counts the verdicts, and prints, shrinks and saves
/// what fails.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_FUZZ_CAMPAIGN_H
#define MEMSPACE_FUZZ_CAMPAIGN_H

#include "Differential.h"
#include "mlir/IR/DialectRegistry.h"
#include <map>

namespace mlir {
namespace memspace {
namespace fuzz {

struct CampaignOptions {
  bool isSpmd = false, isBarriers = false;
  bool askSecondOpinion = false;
  /// Says what is refused and which alarms there are, and saves some of it.
  bool saysRefusals = false;
  /// More is a failure.
  unsigned maxRefusedPercent = 100;
  bool shrinks = false;
  int64_t shrinkSeconds = 60;
  unsigned kernelSeconds = 30;
  /// A folder; empty: nothing is saved.
  std::string save;
};

/// Checks the kernel in `text`. `isGiven`: it is not a random kernel, which has
/// no barriers yet.
CheckResult checkText(const DialectRegistry &registry, StringRef text,
                      const CheckOptions &options, bool askSecondOpinion,
                      bool isGiven);

/// `text` with a header from which it can be run again.
std::string withHeader(StringRef text, const CheckOptions &options,
                       const CheckResult *result);

/// Diagnostics that differ in names and numbers only are one group.
std::string groupMessages(StringRef diagnostic);

/// Writes `text` to a file of `folder`, which is made. Nothing for no folder.
void saveText(StringRef folder, StringRef name, StringRef text);

class Campaign {
public:
  Campaign(const DialectRegistry &registry, CampaignOptions options)
      : registry(registry), options(std::move(options)) {}

  /// Counts `result` of `kernel`, and tells about it.
  void count(StringRef name, StringRef kernel, const CheckOptions &checked,
             const CheckResult &result);
  /// Prints the numbers; the exit status.
  int report();

private:
  std::string shrinkText(StringRef text, const CheckOptions &checked,
                         const CheckResult &result);
  void countAlarm(StringRef name, StringRef kernel, const CheckOptions &checked,
                  const CheckResult &result);
  void tellFailure(StringRef name, StringRef text, const CheckOptions &checked,
                   const CheckResult &result);
  void reportGroups() const;
  void reportBarriers();
  int64_t get(Verdict verdict) const { return counts[unsigned(verdict)]; }

  const DialectRegistry &registry;
  CampaignOptions options;
  int64_t counts[6] = {};
  int64_t kernels = 0;
  int64_t upstreamDisagrees = 0;
  int64_t reused = 0;
  int64_t numAlarms = 0;
  BarrierTally barriers;
  std::map<std::string, int64_t> refusals, crashes, notJudged, alarms;
};

} // namespace fuzz
} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_FUZZ_CAMPAIGN_H
