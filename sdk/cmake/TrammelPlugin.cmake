# trammel_add_plugin(<id> SOURCES file... [CASES file|folder...] [TESTS] [CHECK_LEVEL n]
#                    [OUTPUT_DIRECTORY dir] [TARGET_MINOR n] [NO_SIDECAR] [NO_INSTALL])
#
# Builds the plugin library <id>.so (target trammel_plugin_<id>) with hidden visibility and one exported symbol, and
# writes <id>.trammel.json beside it, and <id>.md, the README.md of the source folder (if there is one), which
# `trammel reference` shows. Without OUTPUT_DIRECTORY both go to ${TRAMMEL_PLUGIN_OUTPUT_DIRECTORY}, or to the
# current binary folder if that is not set. trammel_install_plugin (TrammelPackage.cmake) installs them; Trammel's own build
# installs its plugins without being asked.
#
# TARGET_MINOR asks for an earlier minor of the interfaces than the headers have: what came later is not declared, and
# every Trammel from that minor on loads the plugin.
#
# With TESTS ctest runs the conformance kit on it, `trammel check` of level n (3 if left out), with CASES as its run files;
# and every run file and study of CASES by itself.
include_guard(GLOBAL)

function(trammel_add_plugin id)
  cmake_parse_arguments(PARSE_ARGV 1 arg "NO_SIDECAR;NO_INSTALL;TESTS" "OUTPUT_DIRECTORY;CHECK_LEVEL;TARGET_MINOR"
    "SOURCES;CASES")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_SOURCES)
    message(FATAL_ERROR "trammel_add_plugin(${id}): expected SOURCES file..., got '${ARGN}'")
  endif()
  if(NOT id MATCHES "^[a-z][a-z0-9_]*(\\.[a-z][a-z0-9_]*)?$")
    message(FATAL_ERROR "trammel_add_plugin(${id}): the id must be [vendor.]snake_case")
  endif()
  if(arg_OUTPUT_DIRECTORY)
    set(output ${arg_OUTPUT_DIRECTORY})
  elseif(TRAMMEL_PLUGIN_OUTPUT_DIRECTORY)
    set(output ${TRAMMEL_PLUGIN_OUTPUT_DIRECTORY})
  else()
    set(output ${CMAKE_CURRENT_BINARY_DIR})
  endif()

  set(exports ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/plugin_exports.map)
  set(target trammel_plugin_${id})
  add_library(${target} MODULE ${arg_SOURCES})
  target_link_libraries(${target} PRIVATE trammel::sdk)
  target_compile_options(${target} PRIVATE -fno-math-errno -ffp-contract=fast)
  if(DEFINED arg_TARGET_MINOR)
    target_compile_definitions(${target} PRIVATE TRAMMEL_TARGET_MINOR=${arg_TARGET_MINOR})
    set_target_properties(${target} PROPERTIES TRAMMEL_MINOR ${arg_TARGET_MINOR})
  elseif(DEFINED Trammel_MINOR)
    set_target_properties(${target} PROPERTIES TRAMMEL_MINOR ${Trammel_MINOR})
  endif()
  target_link_options(${target} PRIVATE "LINKER:--version-script=${exports}" "LINKER:--build-id=sha1")
  # Undefined symbols must fail the link, not the load. The sanitizers leave theirs to the executable.
  get_target_property(options ${target} LINK_OPTIONS)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT "${options};${CMAKE_CXX_FLAGS}" MATCHES "-fsanitize=")
    target_link_options(${target} PRIVATE "LINKER:-z,defs")
  endif()
  set_target_properties(${target} PROPERTIES
    OUTPUT_NAME ${id} PREFIX "" SUFFIX ".so" LIBRARY_OUTPUT_DIRECTORY ${output}
    CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON NO_SONAME ON
    LINK_DEPENDS ${exports})

  if(NOT arg_NO_SIDECAR AND TARGET trammel::sidecar)
    set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS $<TARGET_FILE:trammel::sidecar>)
    add_custom_command(TARGET ${target} POST_BUILD
      COMMAND trammel::sidecar $<TARGET_FILE:${target}>
      BYPRODUCTS ${output}/${id}.trammel.json
      COMMENT "Writing ${id}.trammel.json" VERBATIM)
  endif()
  # Trammel's own plugins have theirs in share/trammel/notes.
  if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/README.md AND NOT PROJECT_NAME STREQUAL "Trammel")
    configure_file(${CMAKE_CURRENT_SOURCE_DIR}/README.md ${output}/${id}.md COPYONLY)
  endif()
  if(arg_TESTS)
    _trammel_plugin_tests(${id} "${arg_CHECK_LEVEL}" ${output} ${arg_CASES})
  endif()
  if(PROJECT_NAME STREQUAL "Trammel" AND TRAMMEL_PLUGIN_OUTPUT_DIRECTORY STREQUAL output AND NOT arg_NO_INSTALL)
    install(TARGETS ${target} LIBRARY DESTINATION lib/trammel/plugins)
    install(FILES ${output}/${id}.trammel.json DESTINATION lib/trammel/plugins OPTIONAL)
  endif()
endfunction()

# trammel_add_run_tests(file|folder... [PLUGIN_PATH dir])
#
# ctest runs every run file (run/<name>) and study (study/<name>), with the plugins of `dir`, else those of
# ${TRAMMEL_PLUGIN_OUTPUT_DIRECTORY} or of the current binary folder. Times that studies expect are not judged: other
# programs run beside tests.
function(trammel_add_run_tests)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "PLUGIN_PATH" "")
  if(NOT arg_PLUGIN_PATH)
    set(arg_PLUGIN_PATH ${CMAKE_CURRENT_BINARY_DIR})
    if(TRAMMEL_PLUGIN_OUTPUT_DIRECTORY)
      set(arg_PLUGIN_PATH ${TRAMMEL_PLUGIN_OUTPUT_DIRECTORY})
    endif()
  endif()
  set(files)
  foreach(entry IN LISTS arg_UNPARSED_ARGUMENTS)
    get_filename_component(path ${entry} ABSOLUTE)
    if(IS_DIRECTORY ${path})
      file(GLOB inside CONFIGURE_DEPENDS ${path}/*.json)
      list(APPEND files ${inside})
    else()
      list(APPEND files ${path})
    endif()
  endforeach()
  foreach(file IN LISTS files)
    get_filename_component(name ${file} NAME_WE)
    file(STRINGS ${file} is_study REGEX "\"trammel_study\" *:" LIMIT_COUNT 1)
    set(command run)
    if(is_study)
      set(command study)
      set(untimed --no-timing)
    else()
      set(untimed)
    endif()
    add_test(NAME ${command}/${name} COMMAND trammel::trammel ${command} ${file} ${untimed}
      --plugin-path ${arg_PLUGIN_PATH} -o ${CMAKE_CURRENT_BINARY_DIR}/results/${name})
  endforeach()
endfunction()

# check/<id> and the tests of its cases, of trammel_add_plugin(<id> ... TESTS).
function(_trammel_plugin_tests id level output)
  if(NOT level)
    set(level 3)
  endif()
  set(options)
  foreach(entry IN LISTS ARGN)
    get_filename_component(path ${entry} ABSOLUTE)
    list(APPEND options --case ${path})
  endforeach()
  add_test(NAME check/${id}
    COMMAND trammel::trammel check $<TARGET_FILE:trammel_plugin_${id}> --level ${level} ${options})
  trammel_add_run_tests(${ARGN} PLUGIN_PATH ${output})
endfunction()
