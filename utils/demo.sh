#!/usr/bin/env bash
# Sets up (utils/setup.sh), builds the tools and shows what they make of a tensor
# kernel: every buffer's memory space with its reason, the barriers, the bytes,
# what the AMDGPU and PTX assembly say, and a run in memspace-runner.
#
#   utils/demo.sh [kernel.mlir]        (default: examples/matmul.mlir)
set -uo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

memspace_install && memspace_configure && memspace_build memspace-tools || {
  memspace_say "the set-up failed"
  exit 1
}
export MEMSPACE_OPT="$MEMSPACE_BUILD_DIR/tools/memspace-opt/memspace-opt"
export MEMSPACE_RUNNER="$MEMSPACE_BUILD_DIR/tools/memspace-runner/memspace-runner"
LLVM_TOOLS_DIR="${LLVM_TOOLS_DIR:-$(dirname "$(memspace_cached MEMSPACE_LIT)")}"
export LLVM_TOOLS_DIR
exec "$(memspace_cached MEMSPACE_PYTHON)" "$MEMSPACE_ROOT/utils/demo.py" "${1:-$MEMSPACE_ROOT/examples/matmul.mlir}"
