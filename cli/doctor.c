/* SPDX-License-Identifier: Apache-2.0 */
/* `relocpack doctor`: which tools are installed, their versions, and how to get missing ones. */
#include <stdio.h>
#include <string.h>

#include "base/path.h"
#include "cli/commands.h"
#include "cli/document.h"
#include "cli/pipeline/open.h"
#include "cli/terminal.h"
#include "toolchain/npu/pack.h"
#include "toolchain/compile/compiler.h"
#include "toolchain/compile/process.h"

struct doctor_options {
    bool json;
};

static const struct rp_option rows[] = {
    {0, "json", RP_OPT_FLAG, offsetof(struct doctor_options, json), NULL, "print JSON", NULL},
    {0, NULL, RP_OPT_FLAG, 0, NULL, NULL, NULL},
};

/* Says what is there, as a line, or as an item of list. */
static void tell(struct rp_json *list, const char *state, const char *name, const char *text) {
    if (list == NULL)
        printf("%-8s %-20s %s\n", state, name, text);
    else
        rp_json_push(
            list, RP_JSON_NEW(RP_JSON_S("name", name),
                              RP_JSON_S("state", strcmp(state, "MISSING") == 0 ? "missing" : state),
                              RP_JSON_S("text", text)));
}

static const struct {
    const char *program;
    const char *package; /* Debian's */
    const char *purpose;
    bool needed;
} tools[] = {
    {"arm-none-eabi-gcc", "gcc-arm-none-eabi", "compiles and links models", true},
    {"arm-none-eabi-ld", "binutils-arm-none-eabi", "links models", true},
    {"make", "make", "runs the compilations", true},
    {"qemu-system-arm", "qemu-system-arm", "runs images for `verify`", false},
    {"ccache", "ccache", "spares repeated compilations", false},
    {"clang", "clang", "compiles models with -r llvm", false},
    {"ld.lld", "lld", "links Neural-ART networks with -r llvm", false},
};

/* What a program prints when it is run with this argument; NULL when it cannot be run. */
static const char *output_of(struct rp_arena *arena, const char *program, const char *argument) {
    struct rp_strings argv = {0};
    struct rp_process_output output;
    int status;
    RP_PUSH_WORDS(arena, &argv, program, argument);
    const struct rp_process process = {.argv = &argv};
    return rp_process_read(&process, arena, &output, &status, NULL) ? output.text : NULL;
}

static const char *version_of(struct rp_arena *arena, const char *program) {
    const char *text = output_of(arena, program, "--version");
    return text != NULL ? rp_strndup(arena, text, strcspn(text, "\n")) : "?";
}

/* When the compiler finds no such library, it prints the name without a folder. */
static bool has_library(struct rp_arena *arena, const char *compiler, const char *name) {
    const char *path = output_of(arena, compiler, rp_format(arena, "-print-file-name=%s", name));
    return path != NULL && strchr(path, '/') != NULL;
}

static size_t tell_tools(struct rp_arena *arena, struct rp_json *list) {
    size_t missing = 0;
    for (size_t i = 0; i < sizeof tools / sizeof tools[0]; i++) {
        const char *path = rp_find_program(arena, tools[i].program);
        tell(list,
             path != NULL      ? "ok"
             : tools[i].needed ? "MISSING"
                               : "absent",
             tools[i].program,
             path != NULL
                 ? version_of(arena, path)
                 : rp_format(arena, "%s: apt-get install %s", tools[i].purpose, tools[i].package));
        const struct rp_compiler_fault *fault =
            path != NULL ? rp_compiler_fault_of(version_of(arena, path)) : NULL;
        if (fault != NULL)
            tell(list, "note", tools[i].program,
                 rp_format(arena, "this version %s: %s", fault->what, fault->hint));
        missing += path == NULL && tools[i].needed;
    }
    return missing;
}

static int run_doctor(struct rp_arena *arena, void *given, const struct rp_strings *arguments,
                      struct rp_error *err) {
    const struct doctor_options *options = given;
    if (arguments->count != 0) {
        rp_fail(err, RP_E_USAGE, "doctor takes no argument: '%s'", arguments->items[0]);
        return -1;
    }
    const char *compiler = rp_find_program(arena, tools[0].program);
    const char *data = rp_data_dir(arena, err);
    if (data == NULL && options->json)
        return -1;
    struct rp_json *root = options->json ? rp_document("doctor", 1, "doctor") : NULL;
    struct rp_json *list = root != NULL ? rp_json_new_array(root, "tools") : NULL;
    size_t missing = tell_tools(arena, list);
    bool newlib = compiler != NULL && has_library(arena, compiler, "libm.a");
    tell(list, newlib ? "ok" : "MISSING", "newlib",
         newlib ? "found" : "C library for models: apt-get install libnewlib-arm-none-eabi");
    bool cplusplus = compiler != NULL && has_library(arena, compiler, "libstdc++.a");
    tell(list, cplusplus ? "ok" : "absent", "libstdc++",
         cplusplus ? "found"
                   : "C++ library for models: apt-get install libstdc++-arm-none-eabi-newlib");
    const char *pack = rp_pack_default(arena);
    tell(list, pack != NULL && rp_path_is_dir(pack) ? "ok" : "absent", "vendor's pack",
         pack != NULL ? pack
                      : "for dialects st-ai, stai and ll-aton: set STEDGEAI_CORE_DIR or "
                        "STEDGEAI_CORE_EXE");
    if (data == NULL)
        return -1;
    tell(list, "ok", "templates", data);
    missing += !newlib;
    if (root != NULL) {
        rp_json_put_bool(root, "complete", missing == 0);
        rp_print_json(root);
    }
    return missing == 0 ? 0
                        : (rp_fail(err, RP_E_TOOL_MISSING, "the toolchain is not complete"), -1);
}

const struct rp_command rp_command_doctor = {"doctor",
                                             "[--json]",
                                             "Says what the toolchain lacks and how to get it",
                                             rows,
                                             sizeof(struct doctor_options),
                                             NULL,
                                             run_doctor};
