/* SPDX-License-Identifier: Apache-2.0 */
/* Option rows about model, target and tools, for commands that have a struct rp_source_options. */
#ifndef RP_CLI_SOURCE_ROWS_H
#define RP_CLI_SOURCE_ROWS_H

#include "cli/options.h"
#include "cli/pipeline/options.h"

#define RP_AT(type, member) offsetof(type, source.member)

// clang-format off
/* Which model; `generate` calls it -i, --input. help: NULL where that is listed. */
#define RP_MODEL_ROW(type, help) \
    {'m', "model", RP_OPT_TEXT, RP_AT(type, model), "PATH", help, NULL, .group = RP_HELP_INPUT}
#define RP_MODEL_HELP "model to package: generated file, folder or JSON manifest"
/* Rows about the model. */
#define RP_MODEL_ROWS(type) \
    {0, "target", RP_OPT_TEXT, RP_AT(type, target.series), "SERIES", "device series, such as stm32h7 or nrf52840 (see `relocpack targets`)", NULL, "target", RP_RECORD_CHOICE, RP_MARK_INERT, .group = RP_HELP_TARGET, .brief = "such as stm32h7: `relocpack targets` lists all"}, \
    {0, "mcu", RP_OPT_TEXT, RP_AT(type, target.mcu), "CORE", "core instead of a series: cortex-m0, m0plus, m3, m4, m7, m23, m33, m52, m55 or m85", NULL, "mcu", RP_RECORD_CHOICE, RP_MARK_INERT, .group = RP_HELP_TARGET, .brief = "a core instead, such as cortex-m4"}, \
    {'n', "name", RP_OPT_TEXT, RP_AT(type, input.name), "NAME", "name in C and start of the file names (default: the model's own)", NULL, "name", RP_RECORD_CHOICE, RP_MARK_INERT, .group = RP_HELP_INPUT, .brief = "in C and of the files (default: the model's own)"}, \
    {0, "dialect", RP_OPT_TEXT, RP_AT(type, input.dialect), "NAME", "c, emlearn, tvm, glow, st-ai, stai or ll-aton (default: recognised from the input)", NULL, "dialect", RP_RECORD_CHOICE, RP_MARK_INERT, .group = RP_HELP_INPUT}, \
    {0, "generator", RP_OPT_TEXT, RP_AT(type, generator.name), "CMD", "the input is a model file: program that writes its C code; onnx2c, emx-onnx-cgen, tvmc, stedgeai, glow or 'PROGRAM {input} {output}'", NULL, "generator", RP_RECORD_RUN, .group = RP_HELP_INPUT, .brief = "the input is a model file: onnx2c, stedgeai, …"}, \
    {0, "generator-options", RP_OPT_FLAGS, RP_AT(type, generator.options), "WORDS", "further words for the generator, separated by blanks", NULL, "generator_options", RP_RECORD_RUN, .group = RP_HELP_INPUT}, \
    {0, "entry", RP_OPT_TEXT, RP_AT(type, input.entry), "SPEC", "function that runs the model: NAME or 'NAME(in:float[1,28,28], out:float[10])'; NAME may be ns::Class::run of C++", NULL, "entry", RP_RECORD_CHOICE, RP_MARK_INERT, .group = RP_HELP_INPUT, .brief = "function to run: NAME or 'NAME(in:float[4], …)'"}, \
    {0, "source", RP_OPT_LIST, RP_AT(type, input.sources), "PATH", "further C, such as kernels: a file, or a folder, whose C files are compiled when they are needed", NULL, "sources", RP_RECORD_PATH, RP_MARK_INERT, .group = RP_HELP_INPUT, .brief = "further C, such as kernels: a file or a folder"}, \
    {0, "runtime-lib", RP_OPT_LIST, RP_AT(type, input.runtime_libs), "FILE", "kernel archive or object to link with", NULL, "runtime_libs", RP_RECORD_PATH, RP_MARK_INERT, .group = RP_HELP_INPUT}, \
    {'I', "include", RP_OPT_LIST, RP_AT(type, input.include_dirs), "DIR", "folder with headers, and with files of a network that are not next to it", NULL, "include_dirs", RP_RECORD_PATH, RP_MARK_INERT, .group = RP_HELP_INPUT, .brief = "folder with headers"}, \
    {'D', "define", RP_OPT_LIST, RP_AT(type, input.defines), "X[=Y]", "macro for the generated code", NULL, "defines", RP_RECORD_CHOICE, RP_MARK_INERT, .group = RP_HELP_INPUT}, \
    {0, "cflags", RP_OPT_FLAGS, RP_AT(type, input.cflags), "WORDS", "further compiler flags, separated by blanks", NULL, "cflags", RP_RECORD_CHOICE, .group = RP_HELP_COMPILER}, \
    {0, "import", RP_OPT_LIST, RP_AT(type, input.imports), "NAME[@VERSION]", "function or variable that the firmware provides", NULL, "imports", RP_RECORD_CHOICE, RP_MARK_INERT, .group = RP_HELP_INPUT}, \
    {0, "custom", RP_OPT_MAYBE, RP_AT(type, input.custom), "[FILE]", "the vendor's custom JSON with the paths of pack and compilers (default: custom.json)", "custom.json", "custom", RP_RECORD_PATH, .group = RP_HELP_VENDOR}, \
    {0, "pack-dir", RP_OPT_TEXT, RP_AT(type, input.pack_dir), "DIR", "root of the vendor's pack (default: the pack of $STEDGEAI_CORE_EXE, else $STEDGEAI_CORE_DIR, else that of stedgeai on PATH)", NULL, "pack_dir", RP_RECORD_FOUND, RP_MARK_INERT, .group = RP_HELP_VENDOR}, \
    {0, "allow-release-mismatch", RP_OPT_FLAG, RP_AT(type, input.allow_release_mismatch), NULL, "st-ai, stai, ll-aton: package a network although headers or kernel archive are of a release that is known to differ", NULL, "allow_release_mismatch", RP_RECORD_RUN, RP_MARK_INERT, .group = RP_HELP_VENDOR}, \
    {0, "math", RP_OPT_TEXT, RP_AT(type, math), "WHOSE", "mathematical functions to link: own (position-independent, the default) or libc (usually needs -r copy-only)", NULL, "math", RP_RECORD_CHOICE, RP_MARK_INERT, .group = RP_HELP_COMPILER}, \
    {0, "heap", RP_OPT_SIZE, RP_AT(type, heap), "SIZE", "for a model that calls malloc: malloc, calloc, realloc, free and aligned_alloc over SIZE bytes of each instance; not for new of C++", NULL, "heap", RP_RECORD_RUN, RP_MARK_INERT, .group = RP_HELP_INPUT}, \
    {0, "weights-threshold", RP_OPT_SIZE, RP_AT(type, thresholds.weights), "SIZE", "c, emlearn, tvm: constants of at least this size are weights (default: 256; 0: none are)", NULL, "weights_threshold", RP_RECORD_RUN, RP_MARK_INERT, .group = RP_HELP_OUTPUT}, \
    {0, "acts-threshold", RP_OPT_SIZE, RP_AT(type, thresholds.acts), "SIZE", "c, emlearn, tvm: zeroed arrays of at least this size are activations (default: 256; 0: none are)", NULL, "acts_threshold", RP_RECORD_RUN, RP_MARK_INERT, .group = RP_HELP_OUTPUT}
/* Rows about the tools alone. */
#define RP_TOOL_ROWS(type) \
    {0, "cross-compile", RP_OPT_TEXT, RP_AT(type, build.cross_compile), "PREFIX", "prefix of the compiler's name (default: $CROSS_COMPILE, else arm-none-eabi-)", NULL, "cross_compile", RP_RECORD_RUN, .group = RP_HELP_COMPILER}, \
    {0, "launcher", RP_OPT_TEXT, RP_AT(type, build.launcher), "CMD", "compiler launcher: ccache, distcc, another program, or none (default: ccache if it is installed)", NULL, .marks = RP_MARK_ASIDE, .group = RP_HELP_COMPILER}, \
    {0, "pass-env", RP_OPT_LIST, RP_AT(type, pass_env), "NAME", "environment variable to pass on to compiler, linker and emulator", NULL, "pass_env", RP_RECORD_RUN, .group = RP_HELP_COMPILER}, \
    {'j', "jobs", RP_OPT_NUMBER, RP_AT(type, build.jobs), "N", "parallel jobs (default: the outer make's, else one per processor)", NULL, .marks = RP_MARK_ASIDE, .group = RP_HELP_COMPILER}, \
    {0, "workspace", RP_OPT_TEXT, RP_AT(type, build.workspace), "DIR", "folder for intermediate files, which are kept", NULL, .marks = RP_MARK_ASIDE | RP_MARK_WRITES, .group = RP_HELP_COMPILER}, \
    {0, "no-clean", RP_OPT_FLAG, RP_AT(type, build.keep), NULL, "keep the temporary workspace and print its path", NULL, .marks = RP_MARK_ASIDE, .group = RP_HELP_COMPILER}, \
    {'v', "verbose", RP_OPT_COUNT, RP_AT(type, console.verbose), "[N]", "print commands and all diagnostics; 2 adds tables", NULL, .marks = RP_MARK_ASIDE, .group = RP_HELP_REPORTS, .brief = "print commands and all diagnostics"}, \
    {0, "verbosity", RP_OPT_COUNT, RP_AT(type, console.verbose), "[N]", NULL, NULL, .marks = RP_MARK_ASIDE}, \
    {0, "no-color", RP_OPT_FLAG, RP_AT(type, console.no_color), NULL, "print without colour, as with NO_COLOR", NULL, .marks = RP_MARK_ASIDE, .group = RP_HELP_REPORTS}, \
    {'q', "quiet", RP_OPT_FLAG, RP_AT(type, console.quiet), NULL, "print errors only", NULL, .marks = RP_MARK_ASIDE, .group = RP_HELP_REPORTS}, \
    {0, "log", RP_OPT_MAYBE, RP_AT(type, console.log), "[FILE]", "append the whole run to FILE: commands and their output, notes, error (default: relocpack.log)", "relocpack.log", .marks = RP_MARK_ASIDE | RP_MARK_WRITES, .group = RP_HELP_REPORTS}
#define RP_SOURCE_ROWS(type) RP_MODEL_ROWS(type), RP_TOOL_ROWS(type)
/* --weights of `generate`. The one of `verify` names the weights file of the image. */
#define RP_MODEL_WEIGHTS_ROW(type) \
    {0, "weights", RP_OPT_TEXT, RP_AT(type, input.weights), "FILE", "raw weights for st-ai, stai or glow (default: the file next to the code)", NULL, "weights", RP_RECORD_PATH, RP_MARK_INERT, .group = RP_HELP_INPUT}
/* For commands that read what an image was made from in its report. */
#define RP_TRUST_ROW(at) \
    {0, "trust-report", RP_OPT_FLAG, (at), NULL, "start and load what the image's report names: generator, compiler, flags", NULL, .group = RP_HELP_RUN}
// clang-format on

#endif
