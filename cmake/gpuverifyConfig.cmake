# find_package(gpuverify): the command, the plugin, the header, and
#
#   gpuverify_target(TARGET [WERROR] [OPTIONS OPTION..])
#
# which verifies each CUDA or HIP source of the target whenever it is compiled,
# with its folders, definitions and options.  A bug is told, and with WERROR the
# build fails.  OPTIONS are gpuverify's: --blockDim=64.
#
#   gpuverify_sources(NAME [WERROR] [OPTIONS OPTION..] SOURCES FILE..)
#
# makes a target NAME of the default build that verifies files which the project
# does not compile, as OpenCL kernels that a program loads.
#
#   target_link_libraries(TARGET PRIVATE gpuverify::values)
#
# makes a program of CUDA look for its races where it runs, with clang 22 as the
# compiler of CUDA; see docs/VALUES.md.
#
# Makes GPUVERIFY_COMMAND, GPUVERIFY_LAUNCHER_PROGRAM, GPUVERIFY_PLUGIN (for clang 22 as
# the compiler) and the target gpuverify::annotations (gpuverify.h).  Works with
# every generator that knows launchers of compilers: Makefiles and Ninja.

# Packages of distributions have a link where CMake looks.
get_filename_component(_gpuverify_here "${CMAKE_CURRENT_LIST_DIR}" REALPATH)
get_filename_component(_gpuverify_prefix "${_gpuverify_here}/../../.." ABSOLUTE)
find_program(GPUVERIFY_COMMAND gpuverify HINTS "${_gpuverify_prefix}/bin")
find_program(GPUVERIFY_LAUNCHER_PROGRAM gpuverify-launcher
             HINTS "${_gpuverify_prefix}/bin")
find_file(GPUVERIFY_PLUGIN gpuverify.so HINTS "${_gpuverify_prefix}/lib"
          NO_DEFAULT_PATH)
mark_as_advanced(GPUVERIFY_COMMAND GPUVERIFY_LAUNCHER_PROGRAM GPUVERIFY_PLUGIN)

if(NOT GPUVERIFY_COMMAND OR NOT GPUVERIFY_LAUNCHER_PROGRAM)
  set(gpuverify_FOUND FALSE)
  set(gpuverify_NOT_FOUND_MESSAGE
      "the programs gpuverify and gpuverify-launcher are not found")
  return()
endif()

if(NOT TARGET gpuverify::annotations)
  add_library(gpuverify::annotations INTERFACE IMPORTED)
  set_target_properties(gpuverify::annotations PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${_gpuverify_prefix}/include/gpuverify")
endif()

find_library(GPUVERIFY_VALUES_LIBRARY libgpuverify-values.a
             HINTS "${_gpuverify_prefix}/lib" NO_DEFAULT_PATH)
mark_as_advanced(GPUVERIFY_VALUES_LIBRARY)
if(GPUVERIFY_VALUES_LIBRARY AND GPUVERIFY_PLUGIN
   AND NOT TARGET gpuverify::values)
  add_library(gpuverify::values INTERFACE IMPORTED)
  set_target_properties(gpuverify::values PROPERTIES
    INTERFACE_COMPILE_OPTIONS
    "$<$<COMPILE_LANG_AND_ID:CUDA,Clang>:-fplugin=${GPUVERIFY_PLUGIN};-fplugin-arg-gpuverify-detect=values>"
    INTERFACE_LINK_LIBRARIES "${GPUVERIFY_VALUES_LIBRARY}")
endif()

# The launcher stands before one that is there already, such as ccache: what is
# compiled from a cache is verified, too.
function(_gpuverify_launch target language launcher)
  get_target_property(others ${target} ${language}_COMPILER_LAUNCHER)
  if(others)
    list(APPEND launcher ${others})
  endif()
  set_target_properties(${target} PROPERTIES
    ${language}_COMPILER_LAUNCHER "${launcher}")
endfunction()

# The launcher and its options, for what the caller was given.
function(_gpuverify_launcher result is_werror)
  set(launcher "${CMAKE_COMMAND}" -E env
      "GPUVERIFY_COMMAND=${GPUVERIFY_COMMAND}" "${GPUVERIFY_LAUNCHER_PROGRAM}")
  if(is_werror)
    list(APPEND launcher --werror)
  endif()
  foreach(option IN LISTS ARGN)
    list(APPEND launcher "--option=${option}")
  endforeach()
  set(${result} "${launcher}" PARENT_SCOPE)
endfunction()

# A file that is new whenever the options are: what was compiled with others is
# not verified with these.
function(_gpuverify_options_file result name)
  set(file "${CMAKE_CURRENT_BINARY_DIR}/${name}.gpuverify-options")
  set(gpuverify_options_text "${ARGN}")
  file(CONFIGURE OUTPUT "${file}" CONTENT "@gpuverify_options_text@\n" @ONLY)
  set(${result} "${file}" PARENT_SCOPE)
endfunction()

# When all of the target's folder is read, and its sources are known.
function(_gpuverify_depend target file)
  get_target_property(folder ${target} SOURCE_DIR)
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    if(source MATCHES "\\.(cu|hip)$" AND NOT source MATCHES "[$]<")
      set_property(SOURCE "${source}" DIRECTORY "${folder}"
                   APPEND PROPERTY OBJECT_DEPENDS "${file}")
    endif()
  endforeach()
endfunction()

function(gpuverify_target target)
  cmake_parse_arguments(PARSE_ARGV 1 given "WERROR" "" "OPTIONS")
  if(given_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "gpuverify_target: unknown: ${given_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT TARGET ${target})
    message(FATAL_ERROR "gpuverify_target: no target is called ${target}")
  endif()
  _gpuverify_launcher(launcher "${given_WERROR}" ${given_OPTIONS})
  _gpuverify_launch(${target} CUDA "${launcher}")
  _gpuverify_launch(${target} HIP "${launcher}")
  _gpuverify_options_file(file ${target} ${launcher})
  cmake_language(EVAL CODE
    "cmake_language(DEFER CALL _gpuverify_depend [[${target}]] [[${file}]])")
endfunction()

function(gpuverify_sources name)
  cmake_parse_arguments(PARSE_ARGV 1 given "WERROR" "" "OPTIONS;SOURCES")
  if(given_UNPARSED_ARGUMENTS OR NOT given_SOURCES)
    message(FATAL_ERROR "gpuverify_sources: SOURCES FILE.. is missing, or "
                        "unknown: ${given_UNPARSED_ARGUMENTS}")
  endif()
  _gpuverify_launcher(launcher "${given_WERROR}" ${given_OPTIONS})
  _gpuverify_options_file(file ${name} ${launcher})
  set(stamps)
  set(count 0)
  foreach(source IN LISTS given_SOURCES)
    get_filename_component(source "${source}" ABSOLUTE)
    math(EXPR count "${count} + 1")
    set(stamp "${CMAKE_CURRENT_BINARY_DIR}/${name}.${count}.verified")
    # Nothing is compiled: `true` is what the launcher ends with.
    add_custom_command(OUTPUT "${stamp}" DEPENDS "${source}" "${file}" VERBATIM
      COMMAND ${launcher} true "${source}"
      COMMAND "${CMAKE_COMMAND}" -E touch "${stamp}"
      COMMENT "Verifying ${source}")
    list(APPEND stamps "${stamp}")
  endforeach()
  add_custom_target(${name} ALL DEPENDS ${stamps})
endfunction()
