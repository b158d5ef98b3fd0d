# shellcheck shell=bash
# Sourced by utils/check.sh and utils/demo.sh: the way from a fresh Debian 12
# to a configured build folder. Nothing is installed when MLIR_DIR is set (the
# folder of MLIRConfig.cmake): then compiler, CMake, Ninja, Python with numpy
# and GoogleTest are the caller's business too.
#
#   MLIR_DIR             MLIR 22 of one's own
#   MEMSPACE_BUILD_DIR   build folder (default: build)
#   MEMSPACE_JOBS        parallel jobs (default: 2)

# memspace_without_spaces FOLDER: another name of it where its own has spaces,
# which the commands of lit tests cannot have.
memspace_without_spaces() {
  case $1 in
  *[[:space:]]*)
    local link
    link="/tmp/memspace-$(id -u)-$(printf '%s' "$1" | cksum | cut -d ' ' -f 1)"
    mkdir -p "$1" && ln -sfn "$1" "$link" && printf '%s\n' "$link"
    ;;
  *) printf '%s\n' "$1" ;;
  esac
}

MEMSPACE_ROOT="$(memspace_without_spaces "$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)")"
MEMSPACE_BUILD_DIR="$(memspace_without_spaces "${MEMSPACE_BUILD_DIR:-$MEMSPACE_ROOT/build}")"
MEMSPACE_JOBS="${MEMSPACE_JOBS:-2}"
MEMSPACE_PACKAGES=(libmlir-22-dev llvm-22-dev mlir-22-tools llvm-22-tools
  libgtest-dev cmake ninja-build g++ clang lld python3 python3-numpy)

memspace_say() { printf '== %s\n' "$*" >&2; }

# Installs what is missing; needs root only when something is.
memspace_install() {
  if [ -n "${MLIR_DIR:-}" ] && [ ! -f "$MLIR_DIR/MLIRConfig.cmake" ]; then
    memspace_say "MLIR_DIR is set to $MLIR_DIR, where there is no MLIRConfig.cmake; set it to the folder of that file, or unset it to take Debian's packages"
    return 1
  fi
  if [ -n "${MLIR_DIR:-}" ]; then
    memspace_say "MLIR_DIR is set to $MLIR_DIR, nothing is installed"
    return 0
  fi
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    memspace_say "not a Debian system: install MLIR 22, LLVM 22 with lit and FileCheck, GoogleTest, CMake, Ninja, a C++ compiler and Python with numpy, and set MLIR_DIR"
    return 0
  fi
  local missing=() package
  for package in "${MEMSPACE_PACKAGES[@]}"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null |
      grep -q 'install ok installed' || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return 0
  if [ "$(id -u)" -ne 0 ]; then
    memspace_say "missing packages; as root run: apt-get install ${missing[*]}"
    return 1
  fi
  memspace_say "installing ${missing[*]}"
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq >&2 &&
    apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2
}

# Configures the build folder once; a folder that exists keeps its settings.
memspace_configure() {
  local args=(-S "$MEMSPACE_ROOT" -B "$MEMSPACE_BUILD_DIR")
  if [ ! -f "$MEMSPACE_BUILD_DIR/CMakeCache.txt" ]; then
    args+=(-G Ninja -DCMAKE_BUILD_TYPE=Release)
    [ -n "${MLIR_DIR:-}" ] && args+=("-DMLIR_DIR=$MLIR_DIR")
    # clang and lld halve the time of the build.
    if [ -z "${CC:-}${CXX:-}" ] && command -v clang++ >/dev/null &&
      command -v ld.lld >/dev/null; then
      args+=(-DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++
        -DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=lld)
    fi
  fi
  memspace_say "configuring $MEMSPACE_BUILD_DIR"
  cmake "${args[@]}" >"${TMPDIR:-/tmp}/memspace-configure.$$.log" 2>&1 || {
    cat "${TMPDIR:-/tmp}/memspace-configure.$$.log" >&2
    return 1
  }
  rm -f "${TMPDIR:-/tmp}/memspace-configure.$$.log"
}

# memspace_build TARGET...
memspace_build() {
  memspace_say "building $*"
  cmake --build "$MEMSPACE_BUILD_DIR" -j "$MEMSPACE_JOBS" --target "$@" >&2
}

# Prints a variable of the CMake cache.
memspace_cached() {
  sed -n "s/^$1:[^=]*=//p" "$MEMSPACE_BUILD_DIR/CMakeCache.txt"
}
