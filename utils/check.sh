#!/usr/bin/env bash
# Sets up (utils/setup.sh), builds, runs the unit tests and lit tests, checks
# four of the C++ files that changed (utils/check_changed.py, which counts as one
# test), and tries random kernels with seeds that nobody has seen. The last line is
# `N passed, N failed`; the exit status is 0 only when nothing failed. What fails
# on new seeds is printed and counted by itself: it is no fault of the change that
# is being checked.
#
#   MEMSPACE_CAMPAIGN    percent of the campaigns of fixed seeds. Below 100 (default:
#                        3, for half an hour on two cores) what runs over all
#                        kernels again takes some of them: docs/development.md
#   MEMSPACE_FUZZ_SEED   the first of the new seeds (default: from the clock)
set -uo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

give_up() {
  memspace_say "$1 failed"
  echo "0 passed, 1 failed"
  exit 1
}

# try_new_seeds OPTION...: one mode of the fuzzer for some seconds. What it finds
# is printed and counted, and fails nothing.
new_failures=0
try_new_seeds() {
  local output
  output="$("$MEMSPACE_BUILD_DIR/tools/memspace-fuzz/memspace-fuzz" "$@" \
    --seed="$new_seed" --count=100000 --time-limit=10 --kernel-time-limit=10 \
    --jobs="$MEMSPACE_JOBS" 2>&1)"
  printf '%s\n' "memspace-fuzz $* --seed=$new_seed" "$output"
  new_failures=$((new_failures + $(grep -cE '^(seed|mutant)-' <<<"$output")))
}

memspace_install || give_up "installing the packages"
# check_changed.py leaves out the checks of a tool that is not there.
MEMSPACE_PACKAGES=(clang-format clang-tidy)
memspace_install || memspace_say "going on without them"
memspace_configure || give_up "configuring"
memspace_build memspace-tools MemSpaceUnitTests || give_up "building"

python="$(memspace_cached MEMSPACE_PYTHON)"
lit="$(memspace_cached MEMSPACE_LIT)"
results="$MEMSPACE_BUILD_DIR/test/results.json"
rm -f "$results"
memspace_say "testing"
"$python" "$lit" -sv -j "$MEMSPACE_JOBS" --output "$results" \
  --param "campaign=${MEMSPACE_CAMPAIGN:-3}" \
  "$MEMSPACE_BUILD_DIR/test" "$MEMSPACE_BUILD_DIR/test/Unit"
[ -f "$results" ] || give_up "running lit"

memspace_say "checking the files that changed"
changed=passed
"$python" "$MEMSPACE_ROOT/utils/check_changed.py" --build "$MEMSPACE_BUILD_DIR" \
  --jobs "$MEMSPACE_JOBS" --limit 4 || changed=failed

new_seed="${MEMSPACE_FUZZ_SEED:-$(date +%s)000}"
memspace_say "trying new seeds, from $new_seed on"
try_new_seeds
try_new_seeds --lies
try_new_seeds --collectives
try_new_seeds --spmd
try_new_seeds --barriers
try_new_seeds "--mutate-input=$MEMSPACE_ROOT/test,$MEMSPACE_ROOT/examples"
echo "new seeds: $new_failures failures, which are not counted below"

exec "$python" - "$results" "$changed" <<'PYTHON'
import collections, json, sys
codes = collections.Counter(t["code"] for t in json.load(open(sys.argv[1]))["tests"])
passed = sum(codes.pop(c, 0) for c in ("PASS", "XFAIL", "FLAKYPASS"))
for c in ("UNSUPPORTED", "SKIPPED", "EXCLUDED"):
    if codes.get(c):
        print(f"{codes.pop(c)} {c.lower()}")
failed = sum(codes.values()) or (0 if passed else 1)
passed += sys.argv[2] == "passed"
failed += sys.argv[2] == "failed"
print(f"{passed} passed, {failed} failed")
sys.exit(1 if failed else 0)
PYTHON
