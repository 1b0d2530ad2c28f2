# SPDX-License-Identifier: Apache-2.0
#[=[
find_package(relocpack): the loader, and models as targets.

relocpack::loader
  The loader for Cortex-M images: link a target with it, and its sources are compiled with that target's own
  flags and macros. relocpack::npu_loader is the one for Neural-ART images; it needs the vendor's runtime.

relocpack_add_model(NAME
    SOURCE <file or folder>      model code, as of `relocpack generate -i`; also a manifest
    TARGET <series or core>      stm32h7, cortex-m33, ...: `relocpack targets`
    [DEVICE <part>]              instead of TARGET, or besides it: STM32H743ZI, a board, or its JSON file
    [RELOCATABLE <item>...]      items of -r: split gen-c-file gen-c-weights copy-only compact ...
    [OPTIONS <word>...]          other options of `relocpack generate`
    [IMPORT_FROM <target>]       a firmware with relocpack_exports: what the model needs of it is imported
    [DEPENDS <target or file>...]  what makes SOURCE, if that is made during the build
    [VERIFY [<word>...]]         also a test NAME_verify: `relocpack verify`, with these options
    [EXCLUDE_FROM_ALL])

  Adds a target NAME, which is built by default. Its files are in ${CMAKE_CURRENT_BINARY_DIR}/NAME/, with a
  generator for several configurations in NAME/CONFIG/; words may be generator expressions. It is built again
  when a file changes that the image was made from, headers too. A target that links with NAME can include
  "NAME_rel.h", and compiles the C arrays (gen-c-file, gen-c-weights). The files' paths are properties
  of NAME: RELOCPACK_IMAGE, RELOCPACK_WEIGHTS (with split), RELOCPACK_REPORT.

relocpack_exports(TARGET LIST)
  The firmware TARGET, which this folder's CMakeLists.txt defines, offers the functions and variables that the
  file LIST names to images, as of `relocpack exports --list`: the table relocpack_exports, for the loader, is
  compiled into it.

RELOCPACK_EXECUTABLE
  The program; found on the PATH, or where this file was installed with it.
]=]
cmake_minimum_required(VERSION 3.20)
include_guard(GLOBAL)

get_filename_component(RELOCPACK_RUNTIME_DIR "${CMAKE_CURRENT_LIST_DIR}/.." ABSOLUTE)
# Installed, it is PREFIX/share/relocpack/runtime.
find_program(RELOCPACK_EXECUTABLE relocpack
  HINTS "${RELOCPACK_RUNTIME_DIR}/../../../bin" "${RELOCPACK_RUNTIME_DIR}/../build"
  NO_CMAKE_FIND_ROOT_PATH DOC "program that packages models")

# INTERFACE: the core's flags are often those of a target alone, and the loader needs the same.
function(_relocpack_loader name source)
  add_library(relocpack_${name} INTERFACE)
  add_library(relocpack::${name} ALIAS relocpack_${name})
  target_sources(relocpack_${name} INTERFACE "${RELOCPACK_RUNTIME_DIR}/${source}")
  target_include_directories(relocpack_${name} INTERFACE "${RELOCPACK_RUNTIME_DIR}")
endfunction()
_relocpack_loader(loader ai_reloc_network.c)
_relocpack_loader(npu_loader ll_aton_reloc_network.c)

function(_relocpack_need_program)
  if(NOT RELOCPACK_EXECUTABLE)
    message(FATAL_ERROR "there is no program relocpack on the PATH; set RELOCPACK_EXECUTABLE")
  endif()
endfunction()

# The file is there, or the build makes it.
function(_relocpack_need_file call path made_by)
  get_source_file_property(is_made "${path}" GENERATED)
  if(NOT EXISTS "${path}" AND NOT is_made AND NOT made_by)
    message(FATAL_ERROR "${call}: no file or folder ${path}")
  endif()
endfunction()

function(relocpack_exports target list)
  _relocpack_need_program()
  get_filename_component(list "${list}" ABSOLUTE)
  if(NOT TARGET ${target})
    message(FATAL_ERROR "relocpack_exports(${target}): no target of this name; call it after add_executable")
  endif()
  get_target_property(folder ${target} SOURCE_DIR)
  if(NOT folder STREQUAL CMAKE_CURRENT_SOURCE_DIR) # the rule for the table would not be known there
    message(FATAL_ERROR "relocpack_exports(${target}): call it in ${folder}/CMakeLists.txt, which defines the target")
  endif()
  _relocpack_need_file("relocpack_exports(${target})" "${list}" "")
  set(source "${CMAKE_CURRENT_BINARY_DIR}/${target}_exports.c")
  add_custom_command(OUTPUT "${source}"
    COMMAND "${RELOCPACK_EXECUTABLE}" exports --list "${list}" -o "${source}"
    DEPENDS "${list}" "${RELOCPACK_EXECUTABLE}"
    COMMENT "Exports of ${target}"
    VERBATIM)
  # It names functions as data, because it does not know their types. Link-time optimisation compares types.
  set_source_files_properties("${source}" PROPERTIES
    COMPILE_OPTIONS "$<$<C_COMPILER_ID:GNU,Clang,ARMClang>:-fno-lto>")
  target_sources(${target} PRIVATE "${source}")
  target_include_directories(${target} PRIVATE $<TARGET_PROPERTY:relocpack_loader,INTERFACE_INCLUDE_DIRECTORIES>)
endfunction()

function(relocpack_add_model name)
  cmake_policy(SET CMP0116 NEW) # names in a depfile
  cmake_parse_arguments(PARSE_ARGV 1 arg "EXCLUDE_FROM_ALL" "SOURCE;TARGET;DEVICE;IMPORT_FROM" "RELOCATABLE;OPTIONS;DEPENDS;VERIFY")
  if(NOT DEFINED arg_SOURCE)
    message(FATAL_ERROR "relocpack_add_model(${name}): SOURCE is missing")
  endif()
  if(NOT DEFINED arg_TARGET AND NOT DEFINED arg_DEVICE)
    message(FATAL_ERROR "relocpack_add_model(${name}): TARGET is missing")
  endif()
  if(DEFINED arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "relocpack_add_model(${name}): what is '${arg_UNPARSED_ARGUMENTS}'?")
  endif()
  _relocpack_need_program()
  get_filename_component(source "${arg_SOURCE}" ABSOLUTE)
  _relocpack_need_file("relocpack_add_model(${name})" "${source}" "${arg_DEPENDS}")
  set(inputs ${arg_DEPENDS})
  if(NOT inputs AND NOT IS_DIRECTORY "${source}")
    set(inputs "${source}")
  endif()

  set(dir "${CMAKE_CURRENT_BINARY_DIR}/${name}")
  get_property(has_configurations GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
  if(has_configurations) # one's model is not another's
    string(APPEND dir "/$<CONFIG>")
  endif()
  string(REPLACE "," ";" items "${arg_RELOCATABLE}")
  set(made "${dir}/${name}_rel.bin" "${dir}/${name}_rel.h" "${dir}/${name}_generate_rel.json")
  set(arrays "")
  set(maybe "") # a model without weights has none of them
  if("gen-c-file" IN_LIST items OR "gen-c-files" IN_LIST items)
    set(arrays "${dir}/${name}_img_rel.c")
  endif()
  if("split" IN_LIST items)
    set(maybe "${dir}/${name}_data.bin")
  endif()
  if("gen-c-weights" IN_LIST items)
    list(APPEND arrays "${dir}/${name}_img_data.c")
    list(APPEND maybe "${dir}/${name}_img_data.c")
  endif()
  set(chip "")
  if(arg_TARGET MATCHES "^cortex-")
    list(APPEND chip --mcu "${arg_TARGET}")
  elseif(DEFINED arg_TARGET)
    list(APPEND chip --target "${arg_TARGET}")
  endif()
  if(DEFINED arg_DEVICE)
    list(APPEND chip --device "${arg_DEVICE}")
  endif()
  set(words -q -i "${source}" ${chip} --name "${name}" -o "${dir}" --depfile "${dir}/${name}.d")
  if(items)
    list(JOIN items "," joined)
    list(APPEND words -r "${joined}")
  endif()
  if(NOT "--cross-compile" IN_LIST arg_OPTIONS AND CMAKE_C_COMPILER MATCHES "^(.*arm-none-eabi-)gcc(\\.exe)?$")
    list(APPEND words --cross-compile "${CMAKE_MATCH_1}")
  endif()
  set(firmware "")
  if(arg_IMPORT_FROM)
    set(firmware "$<TARGET_FILE:${arg_IMPORT_FROM}>")
    list(APPEND words --import-from "${firmware}")
  endif()
  set(touched "")
  if(maybe)
    set(touched COMMAND "${CMAKE_COMMAND}" -E touch ${maybe})
  endif()
  list(APPEND made ${arrays} ${maybe})
  list(REMOVE_DUPLICATES made)
  add_custom_command(OUTPUT ${made}
    COMMAND "${RELOCPACK_EXECUTABLE}" generate ${words} ${arg_OPTIONS}
    ${touched}
    DEPENDS "${RELOCPACK_EXECUTABLE}" ${inputs} ${arg_IMPORT_FROM} ${firmware}
    DEPFILE "${dir}/${name}.d"
    COMMENT "Packaging ${name} for ${arg_TARGET}${arg_DEVICE}"
    COMMAND_EXPAND_LISTS # an empty generator expression adds no argument
    VERBATIM)

  set(all "")
  if(arg_EXCLUDE_FROM_ALL)
    set(all EXCLUDE_FROM_ALL)
  endif()
  add_library(${name} INTERFACE ${all} ${made}) # with sources, it is a target to build
  target_include_directories(${name} INTERFACE "${dir}")
  target_sources(${name} INTERFACE ${arrays})
  set_target_properties(${name} PROPERTIES RELOCPACK_IMAGE "${dir}/${name}_rel.bin"
    RELOCPACK_REPORT "${dir}/${name}_generate_rel.json")
  if("split" IN_LIST items)
    set_target_properties(${name} PROPERTIES RELOCPACK_WEIGHTS "${dir}/${name}_data.bin")
  endif()
  if("VERIFY" IN_LIST ARGV)
    add_test(NAME ${name}_verify COMMAND "${RELOCPACK_EXECUTABLE}" verify -q --trust-report "${dir}/${name}_rel.bin" ${arg_VERIFY})
  endif()
endfunction()
