/* SPDX-License-Identifier: Apache-2.0 */
/* Releases of network, headers and archive: see release.h. */
#include "toolchain/npu/release.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/path.h"
#include "toolchain/cread/define.h"
#include "toolchain/npu/pack.h"

enum { ANY = -1 };

/* One of those that are compared; said is the part of the message about it. */
struct side {
    struct rp_release runtime;
    const char *said;
};

struct sides {
    struct side *items;
    size_t count;
    size_t capacity;
};

/*
 * The releases of the runtime that changed what others rely on, as their headers show: sizes of
 * ai_node, ai_buffer, ai_network_report and layers; with the newer API also the parameters of
 * kernels, which are called without a struct between.
 */
static const struct {
    int64_t major, minor;
    bool newer_api; /* only there */
} changes[] = {{6, 0, false}, {7, 1, false}, {8, 1, false}, {10, 1, true},
               {10, 2, true}, {11, 0, true}, {12, 0, false}};

static bool is_before(const struct rp_release *a, int64_t major, int64_t minor) {
    return a->major < major || (a->major == major && a->minor != ANY && a->minor < minor);
}

static bool is_same(const struct rp_release *a, const struct rp_release *b) {
    return a->major == b->major && (a->minor == b->minor || a->minor == ANY || b->minor == ANY);
}

static bool is_incompatible(const struct rp_release *a, const struct rp_release *b,
                            bool newer_api) {
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++)
        if ((newer_api || !changes[i].newer_api) &&
            is_before(a, changes[i].major, changes[i].minor) !=
                is_before(b, changes[i].major, changes[i].minor))
            return !is_same(a, b);
    return false;
}

/*
 * ST Edge AI Core 1 to 4 came after X-CUBE-AI 8 and 9; the runtime's numbers go on from there.
 * Version 1.0 has runtime 9.0 or 9.1. X-CUBE-AI had versions 3 and 4 before, with a runtime of the
 * same number: beside says the one that the headers have.
 */
static struct rp_release runtime_of_tool(const struct rp_release *tool, int64_t beside) {
    enum { LAST_EDGE_AI = 4, OFFSET = 8 };
    if (tool->major < 1 || tool->major > LAST_EDGE_AI || tool->major == beside)
        return *tool;
    return (struct rp_release){tool->major + OFFSET, tool->major == 1 ? ANY : tool->minor};
}

static struct rp_release read_release(const char *text, const char *prefix,
                                      struct rp_arena *arena) {
    return (struct rp_release){rp_find_number(text, rp_format(arena, "%s_MAJOR", prefix)),
                               rp_find_number(text, rp_format(arena, "%s_MINOR", prefix))};
}

static const char *numbers(struct rp_arena *arena, const struct rp_release *release) {
    return release->minor < 0 ? rp_format(arena, "%lld.x", (long long)release->major)
                              : rp_format(arena, "%lld.%lld", (long long)release->major,
                                          (long long)release->minor);
}

/* The headers that the network is compiled with. */
static void add_headers(struct sides *sides, const struct rp_model *model, struct rp_arena *arena,
                        bool newer_api) {
    static const struct {
        const char *name, *prefix;
        bool is_tool;
    } headers[] = {{"stai.h", "STAI_TOOLS_VERSION", true},
                   {"core_datatypes.h", "AI_PLATFORM_RUNTIME", false},
                   {"ai_platform.h", "AI_PLATFORM_RUNTIME", false}};
    for (size_t i = newer_api ? 0 : 1; i < sizeof headers / sizeof headers[0]; i++) {
        const char *text = rp_find_header(model, arena, headers[i].name);
        if (text == NULL)
            continue;
        struct rp_release found = read_release(text, headers[i].prefix, arena);
        if (found.major < 0)
            continue;
        found = headers[i].is_tool ? runtime_of_tool(&found, ANY) : found;
        *RP_PUSH(arena, sides) =
            (struct side){found, rp_format(arena, "%s is of runtime %s", headers[i].name,
                                           numbers(arena, &found))};
        return;
    }
}

const char *rp_release_of_headers(const struct rp_model *model, struct rp_arena *arena) {
    struct sides sides = {0};
    add_headers(&sides, model, arena, false);
    return sides.count != 0 ? sides.items[0].said : "the vendor's headers name no release";
}

/* "libNetworkRuntime1010_CM4_GCC_PIC.a" is of 10.1; the last digit counts corrections. */
static void add_archive(struct sides *sides, struct rp_arena *arena, const char *path) {
    static const char mark[] = "NetworkRuntime";
    enum { DIGITS_MIN = 3, DIGITS_MAX = 5, RADIX = 10 };
    const char *name = rp_path_base(path), *at = strstr(name, mark);
    size_t digits = at != NULL ? strspn(at + strlen(mark), "0123456789") : 0;
    if (digits < DIGITS_MIN || digits > DIGITS_MAX)
        return;
    long number = strtol(at + strlen(mark), NULL, RADIX) / RADIX;
    struct rp_release found = {number / RADIX, number % RADIX};
    *RP_PUSH(arena, sides) = (struct side){
        found, rp_format(arena, "the archive %s of %s", name, numbers(arena, &found))};
}

static void add_network(struct sides *sides, struct rp_arena *arena,
                        const struct rp_network_release *network, int64_t beside) {
    struct rp_release runtime =
        network->runtime.major >= 0 ? network->runtime : runtime_of_tool(&network->tool, beside);
    if (runtime.major < 0)
        return;
    *RP_PUSH(arena, sides) = (struct side){
        runtime,
        network->tool.major < 0
            ? rp_format(arena, "the network was generated for runtime %s", numbers(arena, &runtime))
            : rp_format(arena,
                        "the network was generated by version %s of the tool, whose "
                        "runtime is %s",
                        numbers(arena, &network->tool), numbers(arena, &runtime))};
}

bool rp_release_check(struct rp_model *model, struct rp_arena *arena, const struct rp_input *input,
                      const struct rp_network_release *network, struct rp_error *err) {
    struct sides sides = {0};
    struct rp_buf said = {.arena = arena};
    bool same = true, differ = false;
    add_headers(&sides, model, arena, network->newer_api);
    for (size_t i = 0; i < model->code.libraries.count; i++)
        add_archive(&sides, arena, model->code.libraries.items[i]);
    add_network(&sides, arena, network, sides.count != 0 ? sides.items[0].runtime.major : ANY);
    for (size_t i = 0; i < sides.count; i++) {
        rp_buf_printf(&said, "%s%s", i == 0 ? "" : ", ", sides.items[i].said);
        for (size_t k = 0; k < i; k++) {
            const struct rp_release *a = &sides.items[i].runtime, *b = &sides.items[k].runtime;
            same = same && is_same(a, b);
            differ = differ || is_incompatible(a, b, network->newer_api);
        }
    }
    if (same)
        return true;
    static const char hint[] = "generate the network again with the pack's own tool, or name the "
                               "pack of its release (--pack-dir)";
    if (differ && !input->allow_release_mismatch) {
        rp_fail(err, RP_E_PACK,
                "%s: releases differ: %s: structs, or parameters of kernels, differ between them",
                input->path, said.data);
        return rp_hint(err, "%s; --allow-release-mismatch packages it all the same", hint);
    }
    struct rp_diagnostic *note =
        rp_diagnose(arena, &model->notes, "RP1063",
                    rp_format(arena, "releases differ: %s: %s", said.data,
                              differ ? "structs, or parameters of kernels, differ between them"
                                     : "layers and formats may differ without an error"));
    note->hint = rp_format(arena, "%s, and check the result with `relocpack verify`", hint);
    return true;
}
