# IREEDialects: the dialects of IREE that code of its GPU pipelines has, from
# IREE_SOURCE_DIR. IREE's CMakeLists.txt are read with functions of the same names
# here: its own need submodules, its version of LLVM, and the whole compiler.

set(_iree_root "${IREE_SOURCE_DIR}/compiler/src")
set(_iree_generated "${CMAKE_CURRENT_BINARY_DIR}/iree/compiler/src")
# In the order of IREE's folders; each has one or more libraries.
set(_iree_folders
  Codegen/Dialect/Codegen/IR
  Codegen/Dialect/Codegen/Utils
  Codegen/Dialect/GPU/IR
  Codegen/Dialect/PCF/IR
  Codegen/Dialect/VectorExt/IR
  Codegen/Interfaces
  Codegen/Utils
  Dialect/Encoding/IR
  Dialect/Encoding/Utils
  Dialect/HAL/IR
  Dialect/LinalgExt/IR
  Dialect/LinalgExt/Utils
  Dialect/Stream/IR
  Dialect/TensorExt/IR
  Dialect/Util/IR
  Utils)
# Of folders whose libraries depend on more, what the dialects need.
set(_iree_only_Codegen_Interfaces UKernelOpInterface)
set(_iree_only_Codegen_Utils VectorOpUtils)
# FlatbufferUtils.cpp: depends on a submodule; the dialects do not call it.
# HALDialect.cpp: depends on the host compiler; Standalone.cpp has what is needed of it.
set(_iree_left_out FlatbufferUtils.cpp HALDialect.cpp)

set(IREE_SOURCES)
set(IREE_HEADERS)

function(iree_cc_library)
  cmake_parse_arguments(_rule "PUBLIC;TESTONLY" "NAME"
    "HDRS;TEXTUAL_HDRS;SRCS;DEPS;COPTS;DEFINES;LINKOPTS;DATA" ${ARGN})
  string(REPLACE "/" "_" _key "${_iree_folder}")
  if(DEFINED _iree_only_${_key} AND NOT _rule_NAME IN_LIST _iree_only_${_key})
    return()
  endif()
  foreach(_source IN LISTS _rule_SRCS)
    if(_source MATCHES "\\.cpp$" AND NOT _source IN_LIST _iree_left_out)
      set_property(GLOBAL APPEND PROPERTY IREE_SOURCES "${CMAKE_CURRENT_LIST_DIR}/${_source}")
    endif()
  endforeach()
endfunction()

function(iree_tablegen_library)
  cmake_parse_arguments(_rule "TESTONLY" "NAME;TBLGEN" "TD_FILE;OUTS" ${ARGN})
  set(_flags)
  foreach(_part IN LISTS _rule_OUTS)
    if(_part MATCHES "^-")
      list(APPEND _flags ${_part})
      continue()
    endif()
    set(_output "${_iree_generated}/iree/compiler/${_iree_folder}/${_part}")
    get_property(_outputs GLOBAL PROPERTY IREE_GENERATED)
    if(NOT _output IN_LIST _outputs)
      add_custom_command(OUTPUT "${_output}"
        COMMAND ${MLIR_TABLEGEN_EXE} ${_flags} ${_iree_td_includes} -I "${CMAKE_CURRENT_LIST_DIR}"
          "${CMAKE_CURRENT_LIST_DIR}/${_rule_TD_FILE}" -o "${_output}" -d "${_output}.d"
        DEPENDS "${CMAKE_CURRENT_LIST_DIR}/${_rule_TD_FILE}"
        DEPFILE "${_output}.d"
        COMMENT "Generating ${_part}")
      set_property(GLOBAL APPEND PROPERTY IREE_GENERATED "${_output}")
    endif()
    set(_flags)
  endforeach()
endfunction()

# Tests, documentation, folders below.
function(iree_add_all_subdirs)
endfunction()
function(iree_tablegen_doc)
endfunction()

set(_iree_td_includes)
foreach(_dir IN LISTS MLIR_INCLUDE_DIRS LLVM_INCLUDE_DIRS _iree_root _iree_generated)
  list(APPEND _iree_td_includes -I "${_dir}")
endforeach()

foreach(_iree_folder IN LISTS _iree_folders)
  include("${_iree_root}/iree/compiler/${_iree_folder}/CMakeLists.txt")
endforeach()

get_property(_iree_sources GLOBAL PROPERTY IREE_SOURCES)
list(REMOVE_DUPLICATES _iree_sources)
get_property(_iree_outputs GLOBAL PROPERTY IREE_GENERATED)
add_custom_target(IREEDialectsGenerated DEPENDS ${_iree_outputs})
add_library(IREEDialects STATIC ${_iree_sources} "${CMAKE_CURRENT_SOURCE_DIR}/Standalone.cpp")
add_dependencies(IREEDialects IREEDialectsGenerated)
target_include_directories(IREEDialects SYSTEM PUBLIC
  "${_iree_root}" "${_iree_generated}" "${IREE_SOURCE_DIR}/runtime/src"
  ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
# IREE's warnings are IREE's business.
target_compile_options(IREEDialects PRIVATE -w)
target_link_libraries(IREEDialects PUBLIC MLIR LLVM)
