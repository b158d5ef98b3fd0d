# Where MLIR comes from, and how it is linked. After this file there are MLIR's
# targets, LLVM_INCLUDE_DIRS and MLIR_INCLUDE_DIRS, MLIR's CMake functions, and
# the option MEMSPACE_LINK_MLIR_DYLIB.
#
# A program must have one MLIR: that of the project around this one, where there
# is one. It is never searched for behind that project's back.
if(TARGET MLIRIR)
  set(_memspace_mlir "the targets of the project around it")
elseif(MEMSPACE_IS_MAIN OR MLIR_DIR)
  # find_package would go on searching.
  if(MLIR_DIR AND NOT EXISTS "${MLIR_DIR}/MLIRConfig.cmake")
    message(FATAL_ERROR "MLIR_DIR is ${MLIR_DIR}, where there is no MLIRConfig.cmake; "
                        "set it to the folder of that file")
  endif()
  # Debian's prefix is not on CMake's default path.
  find_package(MLIR REQUIRED CONFIG HINTS /usr/lib/llvm-22)
  set(_memspace_mlir "${MLIR_DIR}")
else()
  message(FATAL_ERROR "MemSpace is added before MLIR: call find_package(MLIR), add LLVM's "
                      "sources with MLIR, or set MLIR_DIR, before add_subdirectory")
endif()
message(STATUS "MemSpace uses MLIR from ${_memspace_mlir}")

# What MLIRConfig.cmake says, where LLVM's sources are part of the build instead.
if(NOT LLVM_INCLUDE_DIRS AND LLVM_MAIN_SRC_DIR)
  set(LLVM_INCLUDE_DIRS ${LLVM_MAIN_SRC_DIR}/include ${LLVM_BINARY_DIR}/include)
endif()
if(NOT MLIR_INCLUDE_DIRS AND LLVM_MAIN_SRC_DIR)
  set(MLIR_INCLUDE_DIRS
    ${LLVM_MAIN_SRC_DIR}/../mlir/include ${LLVM_BINARY_DIR}/tools/mlir/include)
endif()
if(NOT LLVM_INCLUDE_DIRS OR NOT MLIR_INCLUDE_DIRS)
  message(FATAL_ERROR "MLIR's targets are there, but not its headers: set LLVM_INCLUDE_DIRS "
                      "and MLIR_INCLUDE_DIRS, sources and build folder, before add_subdirectory")
endif()
if(NOT COMMAND mlir_tablegen)
  foreach(_folder "${MLIR_CMAKE_DIR}" "${LLVM_CMAKE_DIR}")
    if(_folder)
      list(APPEND CMAKE_MODULE_PATH "${_folder}")
    endif()
  endforeach()
  if(LLVM_MAIN_SRC_DIR)
    list(APPEND CMAKE_MODULE_PATH
      "${LLVM_MAIN_SRC_DIR}/cmake/modules" "${LLVM_MAIN_SRC_DIR}/../mlir/cmake/modules")
  endif()
  include(TableGen)
  include(AddLLVM)
  include(AddMLIR)
endif()

# The interfaces of MLIR change with its versions. lib/IR/MLIRVersion.h knows of
# those that MemSpace has been built with.
set(MEMSPACE_MLIR_VERSION 22)
if(LLVM_VERSION_MAJOR AND NOT LLVM_VERSION_MAJOR EQUAL MEMSPACE_MLIR_VERSION)
  message(WARNING "MemSpace is tested with MLIR ${MEMSPACE_MLIR_VERSION}, this is MLIR ${LLVM_VERSION_MAJOR}")
endif()

# One copy of every type id: all of a program links libMLIR, or nothing of it does.
# The embedder says which; without a word it is libMLIR where there is one: small
# tools, fast links.
if(DEFINED MLIR_LINK_MLIR_DYLIB)
  set(_memspace_dylib ${MLIR_LINK_MLIR_DYLIB})
elseif(TARGET MLIR)
  set(_memspace_dylib ON)
else()
  set(_memspace_dylib OFF)
endif()
option(MEMSPACE_LINK_MLIR_DYLIB "Link libMLIR, not the static libraries" ${_memspace_dylib})
if(MEMSPACE_LINK_MLIR_DYLIB AND NOT TARGET MLIR)
  message(FATAL_ERROR "MEMSPACE_LINK_MLIR_DYLIB is on, and this MLIR has no shared library")
endif()
# libMLIR links libLLVM. Which of them MLIR's static libraries link, they say.
set(MLIR_LINK_MLIR_DYLIB ${MEMSPACE_LINK_MLIR_DYLIB})
if(MEMSPACE_LINK_MLIR_DYLIB)
  set(LLVM_LINK_LLVM_DYLIB ON)
endif()
