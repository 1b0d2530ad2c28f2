/* SPDX-License-Identifier: Apache-2.0 */
/* Units of a build and their files in the workspace: see build.h. */
#include "toolchain/compile/build.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/path.h"
#include "toolchain/compile/compiler.h"
#include "toolchain/compile/process.h"

enum { TEXT_MAX = 1 << 30 };

/* ---- tools and workspace ---- */

static const char *find_tool(struct rp_build *build, const char *name, const char *hint,
                             struct rp_error *err) {
    const char *path = rp_find_program(build->arena, name);
    if (path == NULL) {
        rp_fail(err, RP_E_TOOL_MISSING, "the compiler '%s' was not found", name);
        rp_hint(err, "%s", hint);
    }
    return path;
}

static bool find_compiler(struct rp_build *build, struct rp_error *err) {
    const char *given = build->options->compiler, *folder = build->options->search_path;
    const char *gcc = rp_format(build->arena, "%sgcc", build->options->cross_compile);
    const char *name = given != NULL ? given : gcc;
    if (folder != NULL)
        build->cc = rp_find_program(build->arena, rp_path_join(build->arena, folder, name));
    if (build->cc == NULL)
        build->cc =
            find_tool(build, name, given != NULL ? build->options->get_compiler : rp_gcc.get, err);
    if (build->cc == NULL)
        return false;
    build->ld = build->options->gcc_links ? find_tool(build, gcc, rp_gcc.get, err) : build->cc;
    if (build->ld == NULL)
        return false;
    if (rp_find_program(build->arena, "make") == NULL) {
        rp_fail(err, RP_E_TOOL_MISSING, "'make' was not found");
        return rp_hint(err, "on Debian: apt-get install make");
    }
    return true;
}

bool rp_build_ask(struct rp_build *build, const struct rp_strings *argv, const char **text,
                  struct rp_error *err) {
    const struct rp_process process = {.argv = argv, .passed = build->options->passed};
    struct rp_process_output output;
    int status;
    if (!rp_process_read(&process, build->arena, &output, &status, err))
        return false;
    *text = status == 0 ? output.text : "";
    return (*text)[0] != '\0' || rp_workspace_has_space(&build->workspace, output.text, err);
}

const char *rp_build_version(struct rp_build *build) {
    struct rp_strings argv = {0};
    const char *version = "";
    RP_PUSH_WORDS(build->arena, &argv, build->cc,
                  build->options->compiler != NULL ? "-dumpversion" : "-dumpfullversion");
    return rp_build_ask(build, &argv, &version, NULL)
               ? rp_strndup(build->arena, version, strcspn(version, "\r\n"))
               : "";
}

bool rp_build_is_recent(const struct rp_build *build, const char *version, struct rp_error *err) {
    return strtol(version, NULL, 10) >= 8 ||
           rp_fail(err, RP_E_TOOL_OLD, "'%s' has version '%s'; 8 or later is needed", build->cc,
                   version);
}

/* Asks gcc where its C library is; another compiler does not know. */
static bool find_headers(struct rp_build *build, struct rp_error *err) {
    struct rp_strings argv = {0};
    const char *dir;
    RP_PUSH_WORDS(build->arena, &argv, build->ld, "-print-file-name=../include");
    if (!rp_build_ask(build, &argv, &dir, err))
        return false;
    build->libc_headers = rp_strndup(build->arena, dir, strcspn(dir, "\r\n"));
    if (!rp_path_is_dir(build->libc_headers)) {
        rp_fail(err, RP_E_TOOL_MISSING, "'%s' has no C library", build->ld);
        return rp_hint(err, "on Debian: apt-get install libnewlib-arm-none-eabi");
    }
    return true;
}

static void prepare(struct rp_build *build, struct rp_arena *arena,
                    const struct rp_build_options *options) {
    build->arena = arena;
    build->options = options;
    build->workspace = (struct rp_workspace){.claim = {.lock = -1}, .lock = -1};
}

bool rp_build_open(struct rp_build *build, struct rp_arena *arena,
                   const struct rp_build_options *options, struct rp_error *err) {
    prepare(build, arena, options);
    if (!rp_workspace_open(&build->workspace, arena, options->workspace, err))
        return false;
    build->dir = build->workspace.dir;
    return true;
}

bool rp_build_begin(struct rp_build *build, struct rp_arena *arena,
                    const struct rp_build_options *options, struct rp_error *err) {
    bool open = build->dir != NULL;
    if (!open)
        prepare(build, arena, options);
    if (!find_compiler(build, err) || (!open && !rp_build_open(build, arena, options, err)))
        return false;
    return !options->gcc_links || find_headers(build, err);
}

void rp_build_again(struct rp_build *build, const struct rp_build_options *options) {
    build->options = options;
    build->before = build->units;
    build->units = (struct rp_units){0};
    build->model_units = 0;
    build->link = (struct rp_strings){0};
}

void rp_build_end(struct rp_build *build) {
    if (build->options != NULL)
        rp_workspace_close(&build->workspace, build->options->keep);
}

char *rp_build_path(struct rp_build *build, const char *name) {
    return rp_path_join(build->arena, build->dir, name);
}

char *rp_build_object(struct rp_build *build, const struct rp_unit *unit) {
    return rp_build_path(build, rp_format(build->arena, "obj/%03u.o", unit->number));
}

/* Did this run write a different text under this name before? */
static bool is_changed(struct rp_build *build, const char *name, const char *text, size_t len) {
    static const char *const others[] = {".rsp", ".mk",    ".log",
                                         ".ld",  ".names", ".key"}; /* no compiler reads them */
    struct rp_arena arena = {0};
    struct rp_bytes old;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (rp_has_suffix(name, others[i]))
            return false;
    if (!rp_strings_have(&build->workspace.written, name))
        return false;
    bool same = rp_file_look(&arena, rp_build_path(build, name), TEXT_MAX, &old, NULL) &&
                old.size == len && (len == 0 || memcmp(old.data, text, len) == 0);
    rp_arena_release(&arena);
    return !same;
}

static void forget_made(struct rp_units *units) {
    for (size_t i = 0; i < units->count; i++)
        memset(units->items[i].made, 0, sizeof units->items[i].made);
}

bool rp_build_write(struct rp_build *build, const char *name, const char *text, size_t len,
                    struct rp_error *err) {
    if (is_changed(build, name, text, len)) {
        forget_made(&build->units);
        forget_made(&build->before);
    }
    if (!rp_strings_have(&build->workspace.written, name))
        rp_strings_push(build->arena, &build->workspace.written, name);
    return rp_workspace_may_write(&build->workspace, name, err) &&
           rp_file_write(rp_build_path(build, name), text, len, err);
}

static void push_end(struct rp_arena *arena, struct rp_strings *list, const char *mode,
                     const char *source, const char *output) {
    rp_strings_push(arena, list, mode);
    rp_strings_push(arena, list, source);
    rp_strings_push(arena, list, "-o");
    rp_strings_push(arena, list, output);
}

static struct rp_unit *new_unit(struct rp_build *build, const char *source) {
    struct rp_unit *unit = RP_PUSH(build->arena, &build->units);
    *unit = (struct rp_unit){.number = (unsigned)build->units.count,
                             .source = source,
                             .unread = rp_strings_have_sorted(&build->unread, source),
                             .waits = rp_strings_have_sorted(&build->waiting, source)};
    if (unit->number > build->before.count)
        return unit;
    const struct rp_unit *before = &build->before.items[unit->number - 1];
    if (strcmp(before->source, source) == 0) {
        unit->clean = before->clean;
        unit->alone = before->alone;
        unit->kept = true;
        unit->read = before->read;
        memcpy(unit->made, before->made, sizeof unit->made);
    }
    return unit;
}

struct rp_unit *rp_build_add(struct rp_build *build, const char *source,
                             const struct rp_strings *flags) {
    struct rp_unit *unit = new_unit(build, source);
    rp_strings_append(build->arena, &unit->cc, flags);
    push_end(build->arena, &unit->cc, "-c", source,
             rp_format(build->arena, "obj/%03u.o", unit->number));
    return unit;
}

/* Is "::" in the list of dependencies? ccache 4.7 would read it forever. */
static bool has_colons(const char *name, size_t len) {
    return memmem(name, len, "::", 2) != NULL;
}

void rp_build_trust_names(const struct rp_build *build, struct rp_unit *unit) {
    const struct rp_strings *passed = build->options->passed;
    unit->own = passed == NULL || passed->count == 0;
    for (size_t i = 0; i < unit->cc.count; i++)
        unit->own = unit->own && !has_colons(unit->cc.items[i], strlen(unit->cc.items[i]));
}

bool rp_unit_is_ours(const struct rp_unit *unit) {
    return unit->own && unit->key == NULL;
}

void rp_build_push_objects(const struct rp_build *build, struct rp_strings *list) {
    for (size_t i = 0; i < build->units.count; i++)
        if (!build->units.items[i].waits)
            rp_strings_push(build->arena, list,
                            rp_format(build->arena, "obj/%03u.o", build->units.items[i].number));
}

bool rp_build_complete(struct rp_build *build, struct rp_unit *unit, const struct rp_buf *text,
                       struct rp_error *err) {
    struct rp_arena *arena = build->arena;
    const char *name = rp_format(arena, "obj/%03u.behind.%s", unit->number,
                                 rp_has_suffix(unit->source, ".c") ? "c" : "cpp");
    struct rp_strings whole = {0};
    size_t end = unit->cc.count; /* … -c SOURCE -o OBJECT */
    for (size_t i = 0; i + 4 < end; i++)
        rp_strings_push(arena, &whole, unit->cc.items[i]);
    RP_PUSH_WORDS(arena, &whole, "-include", unit->cc.items[end - 3]);
    push_end(arena, &whole, "-c", name, unit->cc.items[end - 1]);
    unit->cc = whole;
    return rp_build_write(build, name, text->data, text->len, err);
}

void rp_build_preprocess(struct rp_build *build, struct rp_unit *unit, const char *text,
                         const struct rp_strings *flags) {
    rp_strings_append(build->arena, &unit->cpp, flags);
    push_end(build->arena, &unit->cpp, "-E", text,
             rp_format(build->arena, "obj/%03u.i", unit->number));
}

bool rp_build_key_text(struct rp_build *build, struct rp_unit *unit, const char *text,
                       struct rp_error *err) {
    struct rp_arena scratch = {0};
    struct rp_buf kept = {.arena = &scratch};
    unit->read = build->options->compiler == NULL && build->options->launcher[0] != '\0';
    if (!unit->read)
        return true;
    while (*text != '\0') {
        size_t len = strcspn(text, "\n");
        bool from = text[0] == '#' && text[1] == ' '; /* folder names differ between machines */
        if (!from)
            rp_buf_append(&kept, text, len + (text[len] != '\0'));
        else if (has_colons(text, len))
            unit->read = false;
        text += len + (text[len] != '\0');
    }
    const char *name = rp_format(build->arena, "obj/%03u.key", unit->number);
    bool ok = !unit->read || rp_build_write(build, name, rp_buf_text(&kept), kept.len, err);
    rp_arena_release(&scratch);
    return ok;
}

const char *rp_unit_key(struct rp_build *build, const struct rp_unit *unit) {
    return unit->read  ? rp_format(build->arena, "obj/%03u.key", unit->number)
           : unit->own ? unit->key
                       : NULL;
}

void rp_build_by_assembly(struct rp_build *build, struct rp_unit *unit) {
    struct rp_arena *arena = build->arena;
    size_t end = unit->cc.count; /* … -c SOURCE -o OBJECT */
    rp_strings_append(arena, &unit->assembly, &unit->cc);
    unit->assembly.items[end - 4] = "-S";
    unit->assembly.items[end - 1] = rp_format(arena, "obj/%03u.s", unit->number);
    unit->cc.items[end - 3] = rp_format(arena, "obj/%03u.moved.s", unit->number);
    rp_strings_push(arena, &unit->cc, "-Wno-unused-command-line-argument");
}

void rp_build_types(struct rp_build *build, struct rp_unit *unit) {
    struct rp_arena *arena = build->arena;
    size_t end = unit->cc.count; /* … -c SOURCE -o OBJECT */
    for (size_t i = 0; i + 4 < end; i++)
        rp_strings_push(arena, &unit->types, unit->cc.items[i]);
    RP_PUSH_WORDS(arena, &unit->types, "-g", "-O0");
    push_end(arena, &unit->types, "-c", unit->cc.items[end - 3],
             rp_format(arena, "obj/%03u.types.o", unit->number));
}
