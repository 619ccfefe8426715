# Shipping plugins: trammel_install_plugin and trammel_package_plugins.
include_guard(GLOBAL)

# trammel_install_plugin(<id> [LIBRARIES target|file...] [DESTINATION folder] [COMPONENT name])
#
# Installs what trammel_add_plugin(<id> ...) builds: the library, its manifest and its page <id>.md, to `folder`, which
# begins at the prefix. It is lib/trammel/plugins if left out: a Trammel in the same prefix finds the plugin there.
#
# LIBRARIES are shared libraries that the plugin needs and its users do not have: targets of this build, imported targets,
# or files. They come along in the folder <id>.libs beside the plugin, which it searches first, wherever both are moved to.
function(trammel_install_plugin id)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "DESTINATION;COMPONENT" "LIBRARIES")
  set(target trammel_plugin_${id})
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "trammel_install_plugin(${id}): expected LIBRARIES, DESTINATION or COMPONENT, not "
      "'${arg_UNPARSED_ARGUMENTS}'")
  endif()
  if(NOT TARGET ${target})
    message(FATAL_ERROR "trammel_install_plugin(${id}): there is no such plugin; call trammel_add_plugin(${id} ...) first")
  endif()
  if(NOT arg_DESTINATION)
    set(arg_DESTINATION lib/trammel/plugins)
  endif()
  set(component)
  if(arg_COMPONENT)
    set(component COMPONENT ${arg_COMPONENT})
  endif()

  if(arg_LIBRARIES)
    # RPATH rather than RUNPATH: it holds for the libraries of the libraries as well, which may come from elsewhere and
    # have none of their own.
    target_link_options(${target} PRIVATE "LINKER:--disable-new-dtags")
    set_property(TARGET ${target} APPEND PROPERTY INSTALL_RPATH "$ORIGIN/${id}.libs")
  endif()
  foreach(library IN LISTS arg_LIBRARIES)
    _trammel_install_library(${id} "${library}" ${arg_DESTINATION}/${id}.libs ${component})
  endforeach()

  get_target_property(output ${target} LIBRARY_OUTPUT_DIRECTORY)
  install(TARGETS ${target} LIBRARY DESTINATION ${arg_DESTINATION} ${component})
  install(FILES ${output}/${id}.trammel.json DESTINATION ${arg_DESTINATION} ${component})
  install(FILES ${output}/${id}.md DESTINATION ${arg_DESTINATION} ${component} OPTIONAL)

  get_target_property(minor ${target} TRAMMEL_MINOR)
  set_property(GLOBAL APPEND PROPERTY TRAMMEL_PACKAGED_MINORS ${minor})
endfunction()

# trammel_package_plugins(CONTACT "name <address>")
#
# Once, in the top CMakeLists.txt, behind all trammel_install_plugin: `cpack` then makes a Debian package and a tarball.
# The Debian package depends on `trammel-abi-<epoch>` of the minor that the plugins need, which the packages of Trammel
# provide, and on the packages whose libraries the plugins use. Every CPACK_... variable that is set before keeps its value.
macro(trammel_package_plugins)
  _trammel_package_defaults(${ARGN})
  include(CPack)
endmacro()

macro(_trammel_default variable)
  if(NOT DEFINED ${variable})
    set(${variable} ${ARGN} PARENT_SCOPE)
    set(${variable} ${ARGN})
  endif()
endmacro()

function(_trammel_package_defaults)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "CONTACT" "")
  if(arg_UNPARSED_ARGUMENTS OR NOT (arg_CONTACT OR CPACK_PACKAGE_CONTACT))
    message(FATAL_ERROR "trammel_package_plugins: expected CONTACT \"name <address>\", not '${ARGN}'")
  endif()
  get_property(minors GLOBAL PROPERTY TRAMMEL_PACKAGED_MINORS)
  if("${minors}" STREQUAL "")
    message(FATAL_ERROR "trammel_package_plugins: no plugin is installed; call trammel_install_plugin(<id>) first")
  endif()
  list(SORT minors COMPARE NATURAL ORDER DESCENDING)
  list(GET minors 0 minor)
  string(TOLOWER "${PROJECT_NAME}" name)
  string(REGEX REPLACE "[^a-z0-9+.-]" "-" name "${name}")  # what Debian allows
  _trammel_default(CPACK_PACKAGE_NAME ${name})
  _trammel_default(CPACK_PACKAGE_CONTACT "${arg_CONTACT}")
  _trammel_default(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Plugins for Trammel of the project ${PROJECT_NAME}")
  _trammel_default(CPACK_GENERATOR DEB TGZ)
  _trammel_default(CPACK_PACKAGING_INSTALL_PREFIX /usr)  # the prefix of the packages of Trammel
  _trammel_default(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
  _trammel_default(CPACK_DEBIAN_PACKAGE_SECTION science)
  _trammel_default(CPACK_DEBIAN_PACKAGE_DEPENDS "trammel-abi-${Trammel_EPOCH} (>= ${Trammel_EPOCH}.${minor})")
  find_program(TRAMMEL_SHLIBDEPS dpkg-shlibdeps)
  mark_as_advanced(TRAMMEL_SHLIBDEPS)
  if(TRAMMEL_SHLIBDEPS)
    _trammel_default(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
  endif()
endfunction()

# One library of trammel_install_plugin(<id> LIBRARIES ...) to `folder`, under the name by which it is loaded.
function(_trammel_install_library id library folder)
  if(TARGET "${library}")
    get_target_property(imported "${library}" IMPORTED)
    get_target_property(type "${library}" TYPE)
    if(NOT imported)
      if(NOT type STREQUAL "SHARED_LIBRARY")
        message(FATAL_ERROR "trammel_install_plugin(${id}): '${library}' is a ${type}; only shared libraries come along, "
          "what is linked statically is inside the plugin")
      endif()
      get_target_property(rpath "${library}" INSTALL_RPATH)
      if(NOT rpath)
        set_target_properties("${library}" PROPERTIES INSTALL_RPATH "$ORIGIN")
      endif()
      install(TARGETS "${library}" LIBRARY DESTINATION ${folder} NAMELINK_SKIP ${ARGN})
      return()
    endif()
    get_target_property(file "${library}" LOCATION)
  else()
    get_filename_component(file "${library}" ABSOLUTE)
  endif()
  if(NOT EXISTS "${file}" OR NOT CMAKE_READELF)
    message(FATAL_ERROR "trammel_install_plugin(${id}): there is no target and no file '${library}'")
  endif()
  execute_process(COMMAND ${CMAKE_READELF} -d "${file}" OUTPUT_VARIABLE told ERROR_VARIABLE told RESULT_VARIABLE failed)
  if(failed OR NOT told MATCHES "Dynamic section")
    message(FATAL_ERROR "trammel_install_plugin(${id}): '${file}' is no shared library")
  endif()
  get_filename_component(name "${file}" NAME)
  if(told MATCHES "SONAME[^[]*\\[([^]]+)\\]")
    set(name "${CMAKE_MATCH_1}")
  endif()
  get_filename_component(real "${file}" REALPATH)
  install(FILES "${real}" DESTINATION ${folder} RENAME "${name}" ${ARGN}
    PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
endfunction()
