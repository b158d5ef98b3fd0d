# cmake -DTBLGEN=mlir-tblgen -DINCLUDES=DIRS -DOUT=DIR -P reference.cmake
# Writes the reference pages of the passes, the dialect and its interfaces.
set(_source "${CMAKE_CURRENT_LIST_DIR}/../include")
set(_flags -I ${_source})
foreach(_dir IN LISTS INCLUDES)
  list(APPEND _flags -I ${_dir})
endforeach()

function(generate page title file)
  execute_process(
    COMMAND ${TBLGEN} ${ARGN} ${_source}/MemSpace/${file} ${_flags}
    OUTPUT_VARIABLE text RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "mlir-tblgen failed on ${file}")
  endif()
  file(WRITE "${OUT}/${page}" "${title}${text}")
endfunction()

file(MAKE_DIRECTORY "${OUT}")
generate(Passes.md "# Passes\n\n" Transforms/Passes.td -gen-pass-doc)
generate(Dialect.md "" IR/MemSpaceAttrs.td -gen-dialect-doc -dialect=memspace)
generate(Interfaces.md "" IR/MemSpaceInterfaces.td -gen-attr-interface-docs)
foreach(_file IR/LayoutEncodingInterface.td IR/StructuredOpInterface.td
              Kernel/UniformityInterface.td Memory/MemoryInterfaces.td)
  set(_kind op)
  if(_file MATCHES "Encoding")
    set(_kind attr)
  endif()
  generate(Part.md "" ${_file} -gen-${_kind}-interface-docs)
  file(READ "${OUT}/Part.md" _part)
  file(APPEND "${OUT}/Interfaces.md" "${_part}")
  file(REMOVE "${OUT}/Part.md")
endforeach()
