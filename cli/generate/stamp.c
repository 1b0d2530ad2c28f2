/* SPDX-License-Identifier: Apache-2.0 */
/* Stamps: see stamp.h. */
#include "cli/generate/stamp.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/path.h"
#include "base/printable.h"
#include "cli/generate/around.h"
#include "cli/generate/asked.h"
#include "cli/generate/budget.h"
#include "cli/generate/labels.h"
#include "cli/generate/tools.h"
#include "elfpack/image/integrity.h"
#include "toolchain/compile/depends.h"
#include "toolchain/compile/make.h"
#include "toolchain/compile/quote.h"
#include "toolchain/compile/searched.h"

enum { STAMP_MAX = 64 << 20, TICK_NS = 1000000, TICKS_MAX = 20, RENAMED_S = 2 };
static const char HEAD[] = "relocpack-stamp 4 - -\n", NONE[] = "-";
static const char OPTIONS[] = "options", AROUND[] = "around", SEARCHED[] = "searched",
                  ENDS[] = "asked", READ[] = "read", WROTE[] = "wrote", MEMORY[] = "memory",
                  NPU[] = "npu", END[] = "end";

static const char *hex_of_text(struct rp_buf *text) {
    const struct rp_sum sum = rp_sum_bytes(rp_buf_text(text), text->len);
    char *hex = rp_alloc(text->arena, RP_SHA256_HEX, 1);
    rp_hex(hex, sum.sha256, RELOC_SHA256_BYTES);
    return hex;
}

/* ---- options and tools ---- */

static void describe_value(struct rp_buf *out, const struct rp_option *row, const void *value) {
    const struct rp_strings *list = value;
    const char *const *text = value;
    switch (row->kind) {
    case RP_OPT_FLAG:
    case RP_OPT_NO_FLAG:
        rp_buf_printf(out, " %d", *(const bool *)value);
        return;
    case RP_OPT_NUMBER:
    case RP_OPT_SIZE:
    case RP_OPT_COUNT:
        rp_buf_printf(out, " %u", *(const unsigned *)value);
        return;
    case RP_OPT_TEXT:
    case RP_OPT_MAYBE:
    case RP_OPT_WORDS:
        if (*text != NULL)
            rp_buf_printf(out, " %s", rp_rsp_quote(out->arena, *text));
        return;
    case RP_OPT_LIST:
    case RP_OPT_COMMAS:
    case RP_OPT_ADD:
    case RP_OPT_FLAGS:
    case RP_OPT_PASSED:
        for (size_t i = 0; i < list->count; i++)
            rp_buf_printf(out, " %s", rp_rsp_quote(out->arena, list->items[i]));
        return;
    }
}

static void describe_environment(struct rp_buf *out, const struct rp_strings *passed,
                                 const struct rp_strings *labels) {
    static const char *const names[] = {"STEDGEAI_CORE_DIR", "STEDGEAI_CORE_EXE",
                                        "RELOCPACK_DATADIR", "SOURCE_DATE_EPOCH"};
    struct rp_strings all = {0};
    rp_strings_push_all(out->arena, &all, names, sizeof names / sizeof names[0]);
    rp_strings_append(out->arena, &all, passed);
    if (rp_strings_have(labels, "ci"))
        rp_labels_variables(out->arena, &all);
    for (size_t i = 0; i < all.count; i++) {
        const char *value = getenv(all.items[i]);
        rp_buf_printf(out, "$%s%s%s\n", all.items[i], value != NULL ? "=" : "",
                      value != NULL ? rp_rsp_quote(out->arena, value) : "");
    }
}

static const char *sum_of_options(struct rp_arena *arena, const struct rp_generate_options *options,
                                  const char *dir, struct rp_known *known) {
    struct rp_buf text = {.arena = arena};
    char *here = dir == NULL ? getcwd(NULL, 0) : NULL;
    rp_buf_printf(&text, "%s\n", dir != NULL ? dir : here != NULL ? here : "");
    free(here);
    for (const struct rp_option *row = rp_generate_rows; row->long_name != NULL; row++) {
        if ((row->marks & RP_MARK_ASIDE) != 0)
            continue;
        rp_buf_puts(&text, row->long_name);
        describe_value(&text, row, (const char *)options + row->offset);
        rp_buf_puts(&text, "\n");
    }
    describe_environment(&text, &options->source.pass_env, &options->labels);
    rp_buf_puts(&text, rp_tools_text(known, options));
    rp_buf_puts(&text, rp_tools_generator(arena, options));
    return hex_of_text(&text);
}

/* Folders that are named as sources; prefix: "DIR/STEM" of a file, beside which others count. */
static void find_roots(struct rp_arena *arena, const struct rp_generate_options *options,
                       const char *dir, struct rp_around *around) {
    const struct rp_input *input = &options->source.input;
    struct rp_strings named = {0};
    rp_strings_append(arena, &named, &input->sources);
    rp_strings_push(arena, &named,
                    input->path != NULL             ? input->path
                    : options->source.model != NULL ? options->source.model
                                                    : "st_ai_output");
    for (size_t i = 0; i < named.count; i++) {
        const char *path = dir != NULL ? rp_path_join(arena, dir, named.items[i]) : named.items[i];
        path = rp_path_absolute(arena, path, NULL);
        if (path != NULL && rp_path_is_dir(path))
            rp_strings_push(arena, &around->roots, path);
        else if (path != NULL && i + 1 == named.count)
            around->prefix = rp_path_stem(arena, path);
    }
}

/* ---- reading ---- */

struct line {
    const char *kind, *hex, *identity, *path;
};

/* A path in which a line end is "\\n", and a backslash is two. */
static const char *without_escapes(struct rp_arena *arena, const char *text, size_t len) {
    char *path = rp_strndup(arena, text, len), *to = path;
    if (memchr(path, '\\', len) == NULL)
        return path;
    for (const char *from = path; *from != '\0'; from++) {
        bool escaped = *from == '\\' && from[1] != '\0';
        from += escaped;
        *to++ = escaped && *from == 'n' ? '\n' : *from;
    }
    *to = '\0';
    return path;
}

/* "KIND SHA-256 IDENTITY PATH" and a line end; moves on. */
static bool read_line(struct rp_arena *arena, const char **at, struct line *line) {
    const char *parts[3];
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        size_t len = strcspn(*at, " \n");
        if ((*at)[len] != ' ')
            return false;
        parts[i] = rp_strndup(arena, *at, len);
        *at += len + 1;
    }
    size_t len = strcspn(*at, "\n");
    *line = (struct line){parts[0], parts[1], parts[2], without_escapes(arena, *at, len)};
    *at += len + ((*at)[len] != '\0');
    return true;
}

/*
 * By identity, and if that differs or is not trusted, by contents. The identity of an output ends
 * before its ctime, which is that of a renaming, after the stamp was written. The stamp was renamed
 * last: an output with a later ctime was changed since. Anybody may change the stamp's own times,
 * so renamed is never more than RENAMED_S after the stamp's text was written.
 */
static bool is_same(struct rp_known *known, const struct line *line,
                    const struct timespec *renamed) {
    const struct rp_known_file *file = rp_known_file(known, line->path);
    const char *end = renamed != NULL ? strrchr(file->identity, ':') : NULL;
    size_t len = end != NULL ? (size_t)(end - file->identity) : strlen(file->identity);
    bool trusted = renamed == NULL || rp_known_order(&file->changed, renamed) <= 0;
    if (trusted && len != 0 && strlen(line->identity) == len &&
        memcmp(file->identity, line->identity, len) == 0)
        return true;
    return strcmp(line->hex, rp_known_sum(known, line->path)) == 0;
}

/* Sorts a line in; false: what it is about is not as it was. */
static bool take_line(const struct line *line, const struct rp_stamp *stamp, struct rp_known *known,
                      struct rp_around *around, struct timespec *renamed) {
    struct rp_arena *arena = around->arena;
    if (strcmp(line->kind, READ) == 0) {
        rp_strings_push(arena, &around->read, line->path);
        return is_same(known, line, NULL);
    }
    if (strcmp(line->kind, WROTE) == 0) {
        rp_strings_push(arena, &around->wrote, line->path);
        const struct timespec *own = &rp_known_file(known, stamp->path)->changed;
        return is_same(known, line, rp_known_order(own, renamed) < 0 ? own : renamed);
    }
    if (strcmp(line->kind, OPTIONS) == 0) {
        *renamed = (struct timespec){.tv_sec = strtoll(line->identity, NULL, 10)};
        return strcmp(line->hex, sum_of_options(arena, stamp->options, stamp->dir, known)) == 0;
    }
    if (strcmp(line->kind, SEARCHED) == 0)
        rp_strings_push(arena, &around->searched, line->path);
    else if (strcmp(line->kind, ENDS) == 0)
        rp_strings_push(arena, &around->ends, line->path);
    return true;
}

/* "memory BYTES - NAME"; "npu" in the place of BYTES. */
static void take_memory(const struct line *line, struct rp_known *known,
                        struct rp_memory_figures *memory) {
    if (strcmp(line->hex, NPU) == 0)
        memory->acts_outside = true;
    else
        *RP_PUSH(known->arena, memory) = (struct rp_memory_figure){
            rp_strdup(known->arena, line->path), strtoull(line->hex, NULL, 10)};
}

bool rp_stamp_is_current(const struct rp_stamp *stamp, struct rp_known *known,
                         struct rp_memory_figures *memory) {
    struct rp_arena arena = {0}; /* there may be many stamps */
    struct rp_around around = {.arena = &arena};
    struct rp_buf text = {.arena = &arena};
    struct rp_bytes bytes;
    struct line line = {0};
    struct timespec renamed = {0};
    const char *was = NULL, *at = "";
    bool same = rp_file_look(&arena, stamp->path, STAMP_MAX, &bytes, NULL) &&
                strlen((const char *)bytes.data) == bytes.size &&
                rp_has_prefix((const char *)bytes.data, HEAD);
    if (same)
        at = (const char *)bytes.data + strlen(HEAD);
    same = same && rp_has_prefix(at, OPTIONS);
    while (same && *at != '\0') {
        same = read_line(&arena, &at, &line) && take_line(&line, stamp, known, &around, &renamed);
        if (same && strcmp(line.kind, AROUND) == 0)
            was = line.hex;
        else if (same && memory != NULL && strcmp(line.kind, MEMORY) == 0)
            take_memory(&line, known, memory);
    }
    same = same && was != NULL && strcmp(line.kind, END) == 0;
    if (same) {
        find_roots(&arena, stamp->options, stamp->dir, &around);
        same = rp_around_describe(&text, &around, known, NULL, NULL) == NULL &&
               strcmp(was, hex_of_text(&text)) == 0;
    }
    rp_arena_release(&arena);
    return same;
}

/* ---- writing ---- */

/*
 * Waits, at most for TICKS_MAX ticks, until the coarse clock has passed a moment, and returns that
 * clock's time. The kernel takes the times of files from it. Since Linux 6.13 they may be exact,
 * and thus ahead of it.
 */
static struct timespec wait_past(const struct timespec *moment) {
    const struct timespec tick = {.tv_nsec = TICK_NS};
    struct timespec now;
    clock_gettime(CLOCK_REALTIME_COARSE, &now);
    for (int i = 0; rp_known_order(&now, moment) <= 0 && i < TICKS_MAX; i++) {
        (void)nanosleep(&tick, NULL);
        clock_gettime(CLOCK_REALTIME_COARSE, &now);
    }
    return now;
}

void rp_stamp_begin(struct rp_generation *run, struct rp_known *known) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    run->stamp.start =
        wait_past(&now); /* or a file written just before would seem to be changed later */
    clock_gettime(CLOCK_MONOTONIC, &run->stamp.unset);
    run->stamp.options = sum_of_options(run->arena, run->options, NULL, known);
}

static double seconds_since(clockid_t clock, const struct timespec *then) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)(now.tv_sec - then->tv_sec) + (double)(now.tv_nsec - then->tv_nsec) * 1e-9;
}

/* Then the times of files say nothing. What a clock is adjusted by, little by little, is less. */
static bool was_set_back(const struct rp_stamp_start *stamp) {
    static const double slack_s = 0.05, slack = 0.001;
    double passed = seconds_since(CLOCK_MONOTONIC, &stamp->unset);
    return seconds_since(CLOCK_REALTIME_COARSE, &stamp->start) < passed * (1 - slack) - slack_s;
}

static bool names_file(const char *option) {
    static const char *const starts[] = {"-include", "-imacros", "-specs", "--specs"};
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++)
        if (rp_has_prefix(option, starts[i]))
            return true;
    return false;
}

/* All that was read and looked for. NULL, or why that is not known for sure. */
static const char *find_read(struct rp_generation *run, const struct rp_strings *inputs,
                             struct rp_around *around) {
    struct rp_arena *arena = run->arena;
    struct rp_build *build = &run->package.build;
    const struct rp_strings *options = &run->package.compiled.flags.model;
    struct rp_strings tools = {0}, headers = {0};
    RP_PUSH_WORDS(arena, &tools, rp_path_join(arena, run->package.data_dir, "templates/build.mk"),
                  build->cc, build->ld);
    rp_tools_find(arena, run->options, &tools);
    rp_strings_append(arena, &around->read, inputs);
    const char *unknown = rp_asked_names(arena, inputs, options, &around->ends);
    if (unknown != NULL)
        return rp_format(arena,
                         "'%s' asks for the time of a file, or for a header whose name does not "
                         "stand there",
                         unknown);
    for (size_t i = 0; i < tools.count; i++) {
        const char *path = rp_path_absolute(arena, tools.items[i], NULL);
        if (path == NULL || rp_path_is_script(path))
            return rp_format(arena, "'%s' is a script, which may read other files", tools.items[i]);
        if (!rp_strings_have(&around->read, path))
            rp_strings_push(arena, &around->read, path);
        rp_strings_push(arena, &around->ends, path); /* where it really is: tools.h */
    }
    if (!rp_build_knows_files(build) ||
        !rp_searched_folders(build, options, rp_build_has_cplusplus(build), &headers))
        return "options or assembly may read files that no list has";
    rp_strings_append(arena, &around->searched, &headers);
    const char *why = rp_tools_behind(run, around);
    for (size_t i = 0; i < inputs->count; i++)
        rp_strings_push(arena, &around->searched, rp_path_dir(arena, inputs->items[i]));
    const char *here = rp_path_absolute(arena, ".", NULL);
    for (size_t i = 0; here != NULL && i < options->count; i++)
        if (names_file(options->items[i])) /* it would be taken from the current folder */
            rp_strings_push(arena, &around->searched, here);
    return why;
}

/* Each once; without the folders of the workspace, in which relative ones are: the next run has
 * another. */
static void leave_own(const struct rp_build *build, struct rp_arena *arena,
                      struct rp_strings *folders) {
    struct rp_strings kept = {0};
    for (size_t i = 0; i < folders->count; i++)
        if (folders->items[i][0] == '/' &&
            !rp_workspace_is_own(&build->workspace, folders->items[i]) &&
            !rp_strings_have(&kept, folders->items[i]))
            rp_strings_push(arena, &kept, folders->items[i]);
    *folders = kept;
}

/* For a user who wonders why everything is made again. */
static void tell(const struct rp_generation *run, const char *why) {
    if (run->options->source.console.verbose != 0)
        fprintf(stderr, "no stamp: %s\n", rp_printable(run->arena, why));
}

static void put(struct rp_buf *out, const char *kind, const char *hex, const char *identity,
                const char *path) {
    rp_buf_printf(out, "%s %s %s ", kind, hex, identity);
    for (size_t len; *path != '\0'; path += len) {
        len = strcspn(path, "\n\\");
        rp_buf_append(out, path, len);
        if (path[len] != '\0')
            rp_buf_puts(out, path[len++] == '\n' ? "\\n" : "\\\\");
    }
    rp_buf_puts(out, "\n");
}

static void put_read(struct rp_buf *out, struct rp_known *known, const char *path,
                     const struct timespec *start) {
    const struct rp_known_file *file = rp_known_file(known, path);
    bool settled = file->identity[0] != '\0' && rp_known_is_settled(&file->changed, start);
    put(out, READ, rp_known_sum(known, path), settled ? file->identity : NONE, path);
}

/* Waits for the end of the tick in which an output was written, so that a change of it shows. */
static void put_wrote(struct rp_buf *out, struct rp_known *known, const char *staged,
                      const char *path) {
    const struct rp_known_file *file = rp_known_file(known, staged);
    const struct timespec now = wait_past(&file->written);
    bool settled = file->written.tv_nsec != 0 && rp_known_is_settled(&file->written, &now);
    const char *identity = file->identity, *end = strrchr(identity, ':');
    if (end != NULL)
        identity = rp_strndup(out->arena, identity, (size_t)(end - identity));
    put(out, WROTE, rp_known_sum(known, staged), settled ? identity : NONE, path);
}

/* The text of the stamp. NULL, or why there is none. */
static const char *describe(struct rp_generation *run, struct rp_around *around,
                            const struct rp_memory_figures *memory, struct rp_buf *out) {
    struct rp_arena *arena = run->arena;
    const struct timespec *start = &run->stamp.start;
    const char *later = NULL;
    struct rp_known known;
    struct rp_buf text = {.arena = arena};
    rp_known_begin(&known, arena);
    leave_own(&run->package.build, arena, &around->searched);
    find_roots(arena, run->options, NULL, around);
    const char *unknown = rp_around_describe(&text, around, &known, start, &later);
    if (unknown != NULL)
        return rp_format(arena, "the folder '%s' cannot be listed", unknown);
    static const char changed[] = "'%s' was changed since this run began";
    for (size_t i = 0; i < around->read.count; i++)
        if (rp_known_is_later(around->read.items[i], start))
            return rp_format(arena, changed, around->read.items[i]);
    if (later != NULL)
        return rp_format(arena, changed, later);
    rp_buf_puts(out, HEAD);
    struct timespec now;
    clock_gettime(CLOCK_REALTIME_COARSE, &now);
    put(out, OPTIONS, run->stamp.options,
        rp_format(arena, "%lld", (long long)now.tv_sec + RENAMED_S), "");
    put(out, AROUND, hex_of_text(&text), NONE, "");
    for (size_t i = 0; i < around->searched.count; i++)
        put(out, SEARCHED, NONE, NONE, around->searched.items[i]);
    for (size_t i = 0; i < around->ends.count; i++)
        put(out, ENDS, NONE, NONE, around->ends.items[i]);
    for (size_t i = 0; i < around->read.count; i++)
        put_read(out, &known, around->read.items[i], start);
    for (size_t i = 0; i < around->wrote.count; i++)
        put_wrote(out, &known, run->outputs.files.items[i].staged, around->wrote.items[i]);
    if (memory->acts_outside)
        put(out, MEMORY, NPU, NONE, "");
    for (size_t i = 0; i < memory->count; i++)
        put(out, MEMORY, rp_format(arena, "%llu", (unsigned long long)memory->items[i].bytes), NONE,
            memory->items[i].name);
    put(out, END, NONE, NONE, "");
    return was_set_back(&run->stamp) ? "the clock was set back" : NULL;
}

bool rp_stamp_add(struct rp_generation *run, const struct rp_strings *inputs, const char *report,
                  struct rp_error *err) {
    struct rp_buf out = {.arena = run->arena};
    struct rp_around around = {.arena = run->arena};
    struct rp_memory_figures memory = {0};
    if (run->options->stamp == NULL)
        return true;
    for (size_t i = 0; i < run->outputs.files.count; i++) {
        const char *path = rp_path_absolute(run->arena, run->outputs.files.items[i].final, err);
        if (path == NULL)
            return false;
        rp_strings_push(run->arena, &around.wrote, path);
    }
    const char *why = run->outputs.streams.count != 0         ? "an output is not a file"
                      : !rp_budgets_check(&run->report, NULL) ? "a budget is exceeded"
                                                              : NULL;
    if (why == NULL)
        why = find_read(run, inputs, &around);
    if (why == NULL)
        why = rp_memory_read(&memory, run->arena, report, strlen(report))
                  ? describe(run, &around, &memory, &out)
                  : "the report cannot be read";
    if (why == NULL)
        return rp_outputs_add_named(&run->outputs, run->options->stamp, out.data, out.len, err);
    tell(run, why);
    return true;
}
