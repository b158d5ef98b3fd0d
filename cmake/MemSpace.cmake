# Build settings shared by every MemSpace target, and `memspace_add_library`.
include(GNUInstallDirs)

if(MEMSPACE_IS_MAIN)
  if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
  endif()
  # An installed tool finds libMLIR.so beside itself or in LLVM's prefix.
  set(CMAKE_INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}" ${LLVM_LIBRARY_DIRS})
endif()

set(MEMSPACE_INCLUDE_DIR ${PROJECT_SOURCE_DIR}/include)
set(MEMSPACE_BINARY_INCLUDE_DIR ${PROJECT_BINARY_DIR}/include)

# One interface target with the flags, so that a parent project keeps its own.
add_library(MemSpaceOptions INTERFACE)
separate_arguments(_memspace_defs UNIX_COMMAND "${LLVM_DEFINITIONS}")
list(FILTER _memspace_defs EXCLUDE REGEX "_GLIBCXX_USE_CXX11_ABI")
target_compile_options(MemSpaceOptions INTERFACE ${_memspace_defs}
  -Wall -Wextra -Wno-unused-parameter -Wno-comment -Wno-missing-field-initializers)
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  target_compile_options(MemSpaceOptions INTERFACE -Wno-deprecated-copy)
endif()
if(NOT LLVM_ENABLE_EH)
  target_compile_options(MemSpaceOptions INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions>)
endif()
if(NOT LLVM_ENABLE_RTTI)
  # Without it classes derived from MLIR's would refer to type infos that are not there.
  target_compile_options(MemSpaceOptions INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fno-rtti>)
endif()
if(MEMSPACE_WERROR)
  target_compile_options(MemSpaceOptions INTERFACE -Werror)
endif()
target_include_directories(MemSpaceOptions SYSTEM INTERFACE
  $<BUILD_INTERFACE:${LLVM_INCLUDE_DIRS}> $<BUILD_INTERFACE:${MLIR_INCLUDE_DIRS}>)

# The MLIR headers cost seconds in every file; they are compiled once here.
if(MEMSPACE_USE_PCH)
  add_library(MemSpacePCH OBJECT ${PROJECT_SOURCE_DIR}/cmake/Precompiled.cpp)
  target_link_libraries(MemSpacePCH PRIVATE MemSpaceOptions)
  target_compile_options(MemSpacePCH PRIVATE -fPIC)
  target_precompile_headers(MemSpacePCH PRIVATE ${PROJECT_SOURCE_DIR}/cmake/Precompiled.h)
endif()

function(memspace_target_settings name)
  target_link_libraries(${name} PRIVATE $<BUILD_INTERFACE:MemSpaceOptions>)
  target_compile_options(${name} PRIVATE -fPIC)
  if(MEMSPACE_USE_PCH)
    target_precompile_headers(${name} REUSE_FROM MemSpacePCH)
  endif()
endfunction()

# memspace_link_mlir(NAME [MLIR_LIBS mlir...] [LLVM_LIBS llvm...]): what the sources of a
# library call, all of it, as one links MLIR here. Whoever uses an installed MemSpace
# chooses again: MemSpaceConfig.cmake links what the two properties say.
function(memspace_link_mlir name)
  cmake_parse_arguments(ARG "" "" "MLIR_LIBS;LLVM_LIBS" ${ARGN})
  # MLIR's targets bring it along, but not in every version.
  list(APPEND ARG_LLVM_LIBS LLVMSupport)
  set_target_properties(${name} PROPERTIES
    MEMSPACE_MLIR_LIBS "${ARG_MLIR_LIBS}" MEMSPACE_LLVM_LIBS "${ARG_LLVM_LIBS}"
    EXPORT_PROPERTIES "MEMSPACE_MLIR_LIBS;MEMSPACE_LLVM_LIBS")
  if(MEMSPACE_LINK_MLIR_DYLIB AND ARG_MLIR_LIBS)
    set(ARG_MLIR_LIBS MLIR)
  endif()
  if(LLVM_LINK_LLVM_DYLIB)
    set(ARG_LLVM_LIBS LLVM)
  endif()
  target_link_libraries(${name} PUBLIC
    "$<BUILD_INTERFACE:${ARG_MLIR_LIBS}>" "$<BUILD_INTERFACE:${ARG_LLVM_LIBS}>")
  # Where LLVM's sources are part of the build, its headers are made by it.
  if(TARGET mlir-headers)
    add_dependencies(${name} mlir-headers)
  endif()
endfunction()

# memspace_add_library(NAME sources... [DEPENDS gen...] [LINK_LIBS own...]
#                      [MLIR_LIBS mlir...] [LLVM_LIBS llvm...])
function(memspace_add_library name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LINK_LIBS;MLIR_LIBS;LLVM_LIBS" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  add_library(MemSpace::${name} ALIAS ${name})
  memspace_target_settings(${name})
  target_include_directories(${name} PUBLIC
    $<BUILD_INTERFACE:${MEMSPACE_INCLUDE_DIR}>
    $<BUILD_INTERFACE:${MEMSPACE_BINARY_INCLUDE_DIR}>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  # MLIR's headers come with ours; MemSpaceConfig.cmake says the same for the
  # installed libraries.
  target_include_directories(${name} SYSTEM PUBLIC
    "$<BUILD_INTERFACE:${LLVM_INCLUDE_DIRS};${MLIR_INCLUDE_DIRS}>")
  target_link_libraries(${name} PUBLIC ${ARG_LINK_LIBS})
  memspace_link_mlir(${name} MLIR_LIBS ${ARG_MLIR_LIBS} LLVM_LIBS ${ARG_LLVM_LIBS})
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  set_property(GLOBAL APPEND PROPERTY MEMSPACE_LIBS ${name})
endfunction()

# memspace_add_room(NAME ...): a library of all sources of the folder, with the
# arguments of memspace_add_library.
macro(memspace_add_room name)
  file(GLOB _sources CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} *.cpp)
  memspace_add_library(${name} ${_sources}
    DEPENDS MemSpaceIRIncGen MemSpaceKernelIncGen MemSpaceMemoryIncGen MemSpacePassesIncGen
    ${ARGN})
  # Headers of lower rooms that are not public are named by their room.
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/lib)
endmacro()

# memspace_add_group(NAME libs...): several libraries by one name.
function(memspace_add_group name)
  add_library(${name} INTERFACE)
  add_library(MemSpace::${name} ALIAS ${name})
  target_link_libraries(${name} INTERFACE ${ARGN})
  set_property(GLOBAL APPEND PROPERTY MEMSPACE_LIBS ${name})
endfunction()
