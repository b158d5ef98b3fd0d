#!/usr/bin/env bash
# Sets up (utils/setup.sh), builds, and runs every unit test and lit test.
# The last line is `N passed, N failed`; the exit status is 0 only when
# nothing failed.
set -uo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

give_up() {
  memspace_say "$1 failed"
  echo "0 passed, 1 failed"
  exit 1
}

memspace_install || give_up "installing the packages"
memspace_configure || give_up "configuring"
memspace_build memspace-tools MemSpaceUnitTests || give_up "building"

python="$(memspace_cached MEMSPACE_PYTHON)"
lit="$(memspace_cached MEMSPACE_LIT)"
results="$MEMSPACE_BUILD_DIR/test/results.json"
rm -f "$results"
# test/Fuzz/new-seed.test tries one kernel that nobody has seen.
export MEMSPACE_FUZZ_SEED="${MEMSPACE_FUZZ_SEED:-$(date +%s)}"
memspace_say "testing; one new random kernel: memspace-fuzz --seed=$MEMSPACE_FUZZ_SEED --count=1"
"$python" "$lit" -sv -j "$MEMSPACE_JOBS" --output "$results" \
  "$MEMSPACE_BUILD_DIR/test" "$MEMSPACE_BUILD_DIR/test/Unit"
[ -f "$results" ] || give_up "running lit"

exec "$python" - "$results" <<'PYTHON'
import collections, json, sys
codes = collections.Counter(t["code"] for t in json.load(open(sys.argv[1]))["tests"])
passed = sum(codes.pop(c, 0) for c in ("PASS", "XFAIL", "FLAKYPASS"))
for c in ("UNSUPPORTED", "SKIPPED", "EXCLUDED"):
    if codes.get(c):
        print(f"{codes.pop(c)} {c.lower()}")
failed = sum(codes.values()) or (0 if passed else 1)
print(f"{passed} passed, {failed} failed")
sys.exit(1 if failed else 0)
PYTHON
