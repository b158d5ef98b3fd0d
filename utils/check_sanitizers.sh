#!/usr/bin/env bash
# Builds the tools and tests with AddressSanitizer, UndefinedBehaviorSanitizer and
# assertions (the CMake preset `asan`), runs the unit tests and the lit tests, and
# tries random kernels. The first finding ends the process that has it. Takes an
# hour or more on two cores.
#
#   utils/check_sanitizers.sh [--unit-only]
#
# --unit-only builds and runs the unit tests alone.
# MEMSPACE_BUILD_DIR (default: build-asan), MEMSPACE_JOBS and MLIR_DIR are as in
# utils/setup.sh; MEMSPACE_FUZZ_SEED is the first seed (default: the time).
#
# Left out: the campaigns, the test of scale (a small stack has no room for
# sanitizers), the corpus and the installation.
set -uo pipefail
: "${MEMSPACE_BUILD_DIR:=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)/build-asan}"
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

case "${1:-}" in
"") tests=("$MEMSPACE_BUILD_DIR/test" "$MEMSPACE_BUILD_DIR/test/Unit")
    targets=(memspace-tools MemSpaceUnitTests) ;;
--unit-only) tests=("$MEMSPACE_BUILD_DIR/test/Unit") targets=(MemSpaceUnitTests) ;;
*) memspace_say "usage: utils/check_sanitizers.sh [--unit-only]"; exit 2 ;;
esac

# libMLIR.so does not mark the memory that its allocators have not handed out;
# memspace-fuzz handles crashes by itself.
export ASAN_OPTIONS="detect_leaks=0:allow_user_poisoning=0:handle_segv=0"

memspace_install || exit 1
memspace_say "configuring $MEMSPACE_BUILD_DIR"
cmake -S "$MEMSPACE_ROOT" --preset asan -B "$MEMSPACE_BUILD_DIR" \
  ${MLIR_DIR:+"-DMLIR_DIR=$MLIR_DIR"} >"$MEMSPACE_BUILD_DIR.log" 2>&1 || {
  cat "$MEMSPACE_BUILD_DIR.log" >&2
  exit 1
}
rm -f "$MEMSPACE_BUILD_DIR.log"
memspace_build "${targets[@]}" || exit 1

failed=()
memspace_say "testing"
"$(memspace_cached MEMSPACE_PYTHON)" "$(memspace_cached MEMSPACE_LIT)" -sv \
  -j "$MEMSPACE_JOBS" --filter-out 'Campaign|Scale|Corpus|Install' "${tests[@]}" ||
  failed+=("the tests")

seed="${MEMSPACE_FUZZ_SEED:-$(date +%s)000}"
if [ "${1:-}" != --unit-only ]; then
  for mode in --padding --lies --collectives --spmd --barriers; do
    memspace_say "memspace-fuzz $mode --seed=$seed"
    "$MEMSPACE_BUILD_DIR/tools/memspace-fuzz/memspace-fuzz" "$mode" --seed="$seed" \
      --count=300 --jobs="$MEMSPACE_JOBS" --kernel-time-limit=120 ||
      failed+=("memspace-fuzz $mode --seed=$seed")
  done
fi

[ ${#failed[@]} -eq 0 ] && { echo "sanitizers: clean"; exit 0; }
printf 'sanitizers: failed: %s\n' "${failed[@]}"
exit 1
