/* SPDX-License-Identifier: Apache-2.0 */
/* Stamps: see stamp.h. */
#include "cli/generate/stamp.h"

#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/path.h"
#include "base/printable.h"
#include "cli/generate/budget.h"
#include "elfpack/integrity.h"
#include "toolchain/build/compiler.h"
#include "toolchain/build/depends.h"
#include "toolchain/build/make.h"
#include "toolchain/build/quote.h"
#include "toolchain/build/searched.h"

enum { STAMP_MAX = 64 << 20, SOURCE_MAX = 256 << 20, HEX = 2 * RELOC_SHA256_BYTES + 1 };
static const char HEAD[] = "relocpack-stamp", VERSION[] = "2";
static const char OPTIONS[] = "options", AROUND[] = "around", SEARCHED[] = "searched",
                  READ[] = "read", WROTE[] = "wrote";

static const char *hex_of(struct rp_arena *arena, const struct rp_sum *sum) {
    char *hex = rp_alloc(arena, HEX, 1);
    rp_hex(hex, sum->sha256, RELOC_SHA256_BYTES);
    return hex;
}

static const char *hex_of_text(struct rp_buf *text) {
    const struct rp_sum sum = rp_sum_bytes(rp_buf_text(text), text->len);
    return hex_of(text->arena, &sum);
}

/* ---- sums ---- */

struct known {
    const char *path, *hex;
};

static int by_path(const void *one, const void *other) {
    const struct known *a = one, *b = other;
    return strcmp(a->path, b->path);
}

static void leave(void *item) {
    (void)item; /* it is the arena's */
}

void rp_stamp_sums_release(struct rp_stamp_sums *sums) {
    tdestroy(sums->tree, leave);
    sums->tree = NULL;
}

/* "-" of a file that cannot be read. */
static const char *sum_of(struct rp_stamp_sums *sums, const char *path) {
    struct known wanted = {.path = path};
    struct rp_sum sum;
    struct known **found = tfind(&wanted, &sums->tree, by_path);
    if (found != NULL)
        return (*found)->hex;
    struct known *made = rp_alloc(sums->arena, 1, sizeof *made);
    made->path = rp_strdup(sums->arena, path);
    made->hex = rp_sum_file(path, &sum, NULL) ? hex_of(sums->arena, &sum) : "-";
    if (tsearch(made, &sums->tree, by_path) == NULL)
        rp_out_of_memory();
    return made->hex;
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

static void describe_environment(struct rp_buf *out, const struct rp_strings *passed) {
    static const char *const names[] = {"STEDGEAI_CORE_DIR", "STEDGEAI_CORE_EXE",
                                        "RELOCPACK_DATADIR", "SOURCE_DATE_EPOCH"};
    struct rp_strings all = {0};
    rp_strings_push_all(out->arena, &all, names, sizeof names / sizeof names[0]);
    rp_strings_append(out->arena, &all, passed);
    for (size_t i = 0; i < all.count; i++) {
        const char *value = getenv(all.items[i]);
        rp_buf_printf(out, "$%s%s%s\n", all.items[i], value != NULL ? "=" : "",
                      value != NULL ? rp_rsp_quote(out->arena, value) : "");
    }
}

/* The programs that make the objects, as far as they can be found by name; and this one. */
static void find_tools(struct rp_arena *arena, const struct rp_generate_options *options,
                       struct rp_strings *paths) {
    static const char *const names[] = {"gcc", "as", "ld"};
    const char *prefix = rp_cross_compile(&options->source);
    const char *clang = options->source.input.compiler->program;
    char self[4096];
    ssize_t len = readlink("/proc/self/exe", self, sizeof self - 1);
    struct rp_strings found = {0};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        rp_strings_push(arena, &found,
                        rp_find_program(arena, rp_format(arena, "%s%s", prefix, names[i])));
    if (options->source.input.compiler->is_clang)
        rp_strings_push(arena, &found, rp_find_program(arena, clang));
    if (len > 0)
        rp_strings_push(arena, &found, rp_strndup(arena, self, (size_t)len));
    for (size_t i = 0; i < found.count; i++)
        if (found.items[i] != NULL)
            rp_strings_push(arena, paths, found.items[i]);
}

static const char *sum_of_options(struct rp_arena *arena, const struct rp_generate_options *options,
                                  const char *dir) {
    struct rp_buf text = {.arena = arena};
    struct rp_strings tools = {0};
    char *here = dir == NULL ? getcwd(NULL, 0) : NULL;
    rp_buf_printf(&text, "%s\n", dir != NULL ? dir : here != NULL ? here : "");
    free(here);
    for (const struct rp_option *row = rp_generate_rows; row->long_name != NULL; row++) {
        if ((row->marks & RP_MARK_ASIDE) != 0)
            continue;
        rp_buf_printf(&text, "%s", row->long_name);
        describe_value(&text, row, (const char *)options + row->offset);
        rp_buf_puts(&text, "\n");
    }
    describe_environment(&text, &options->source.pass_env);
    find_tools(arena, options, &tools);
    for (size_t i = 0; i < tools.count; i++)
        rp_buf_printf(&text, "%s\n", rp_rsp_quote(arena, tools.items[i]));
    return hex_of_text(&text);
}

/* ---- what lies around the files that were read ---- */

/* Absolute paths. */
struct rp_stamp_files {
    struct rp_strings read, wrote;
    struct rp_strings searched; /* folders */
};

static void add_once(struct rp_arena *arena, struct rp_strings *list, const char *path) {
    if (path != NULL && !rp_strings_have(list, path))
        rp_strings_push(arena, list, path);
}

/* Folders that are named as sources; prefix: "DIR/STEM" of a file, beside which others count. */
static void find_roots(struct rp_arena *arena, const struct rp_generate_options *options,
                       const char *dir, struct rp_strings *roots, const char **prefix) {
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
            add_once(arena, roots, path);
        else if (path != NULL && i + 1 == named.count)
            *prefix = rp_path_stem(arena, path);
    }
}

/* Could a file of that name belong to a model? */
static bool may_belong(const char *path, const char *prefix) {
    static const char *const ends[] = {".bin", ".c", ".h", ".json"}; /* weights, code, manifests */
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
        if (rp_has_prefix(path, prefix) && rp_has_suffix(path, ends[i]))
            return true;
    return false;
}

/* A file, a folder, or a link to nothing: one may become another. */
static char kind_of(const char *path, struct stat *st) {
    if (stat(path, st) != 0)
        return '-';
    return S_ISDIR(st->st_mode) ? 'd' : 'f';
}

/*
 * What is in a folder and below, other than what the run wrote; prefix: in that folder alone, and
 * only what may belong to it.
 */
static void list_names(struct rp_buf *text, const char *folder, const char *prefix,
                       const struct rp_strings *wrote) {
    struct rp_strings names = {0};
    (void)rp_list_dir(text->arena, folder, &names, NULL);
    for (size_t i = 0; i < names.count; i++) {
        const char *path = rp_path_join(text->arena, folder, names.items[i]);
        if (names.items[i][0] == '.' || (prefix != NULL && !may_belong(path, prefix)) ||
            rp_strings_have(wrote, path))
            continue;
        struct stat st;
        char kind = kind_of(path, &st);
        rp_buf_printf(text, "%s %c\n", rp_rsp_quote(text->arena, path), kind);
        if (prefix == NULL && kind == 'd' && !rp_path_is_link(path)) /* it may be a loop */
            list_names(text, path, NULL, wrote);
    }
}

static int by_name(const void *one, const void *other) {
    return strcmp(*(const char *const *)one, *(const char *const *)other);
}

/* The parts of the paths, sorted; ups: how many of one path are "..", deep: how many it has. */
static struct rp_strings parts_of(struct rp_arena *arena, const struct rp_strings *paths,
                                  unsigned *ups, unsigned *deep) {
    struct rp_strings parts = {0};
    for (size_t i = 0; i < paths->count; i++) {
        unsigned up = 0, count = 0;
        for (const char *at = paths->items[i]; *at != '\0'; count++) {
            at += strspn(at, "/");
            const char *part = rp_strndup(arena, at, strcspn(at, "/"));
            up += strcmp(part, "..") == 0;
            at += strlen(part);
            rp_strings_push(arena, &parts, part);
        }
        *ups = up > *ups ? up : *ups;
        *deep = count > *deep ? count : *deep;
    }
    if (parts.count != 0)
        qsort(parts.items, parts.count, sizeof *parts.items, by_name);
    return parts;
}

/* What has the name of a part, or is a precompiled header of that name, in a folder and below. */
static void list_parts(struct rp_buf *text, const char *folder, const struct rp_strings *parts,
                       unsigned deep) {
    struct rp_strings names = {0};
    (void)rp_list_dir(text->arena, folder, &names, NULL);
    for (size_t i = 0; deep != 0 && i < names.count; i++) {
        const char *name = names.items[i], *path = rp_path_join(text->arena, folder, name);
        if (rp_has_suffix(name, ".gch"))
            name = rp_path_stem(text->arena, name);
        if (bsearch(&name, parts->items, parts->count, sizeof name, by_name) == NULL)
            continue;
        struct stat st;
        char kind = kind_of(path, &st);
        bool compiled = name != names.items[i]; /* a header */
        rp_buf_printf(text, "%s %c\n", rp_rsp_quote(text->arena, path), kind);
        if (compiled && kind != '-') /* nothing else tells that gcc would take it now */
            rp_buf_printf(text, "%lld %lld %ld\n", (long long)st.st_size,
                          (long long)st.st_mtim.tv_sec, (long)st.st_mtim.tv_nsec);
        if (kind == 'd')
            list_parts(text, path, parts, deep - 1);
    }
}

/*
 * A new file may be read in the place of one that was read before: a header that comes first on the
 * search path, a source in a folder. So the names count that exist where such files would be.
 */
static const char *sum_around(struct rp_arena *arena, const struct rp_generate_options *options,
                              const char *dir, const struct rp_stamp_files *files) {
    struct rp_strings roots = {0}, folders = {0};
    struct rp_buf text = {.arena = arena};
    const char *prefix = NULL;
    unsigned ups = 0, deep = 0;
    const struct rp_strings parts = parts_of(arena, &files->read, &ups, &deep);
    find_roots(arena, options, dir, &roots, &prefix);
    if (prefix != NULL)
        list_names(&text, rp_path_dir(arena, prefix), prefix, &files->wrote);
    for (size_t i = 0; i < roots.count; i++)
        list_names(&text, roots.items[i], NULL, &files->wrote);
    for (size_t i = 0; i < files->searched.count; i++)
        add_once(arena, &folders, files->searched.items[i]);
    for (size_t i = 0; i < files->read.count; i++)
        add_once(arena, &folders, rp_path_dir(arena, files->read.items[i]));
    for (size_t i = 0; i < folders.count; i++) {
        const char *folder = folders.items[i];
        for (unsigned up = 0; up <= ups; up++, folder = rp_path_join(arena, folder, ".."))
            list_parts(&text, folder, &parts, deep);
    }
    return hex_of_text(&text);
}

/* ---- reading ---- */

static bool read_words(struct rp_arena *arena, const char *path, struct rp_strings *words) {
    struct rp_bytes text;
    return rp_file_look(arena, path, STAMP_MAX, &text, NULL) &&
           strlen((const char *)text.data) == text.size &&
           rp_split_words(arena, (const char *)text.data, words, NULL) && words->count > 6 &&
           words->count % 3 == 0 && strcmp(words->items[0], HEAD) == 0 &&
           strcmp(words->items[1], VERSION) == 0;
}

bool rp_stamp_is_current(const struct rp_generate_options *options, const char *stamp,
                         const char *dir, struct rp_stamp_sums *sums) {
    struct rp_arena arena = {0}; /* there may be many stamps */
    struct rp_strings words = {0};
    struct rp_stamp_files files = {0};
    const char *around = NULL;
    bool same = read_words(&arena, stamp, &words), has_options = false;
    for (size_t i = 3; same && i < words.count; i += 3) {
        const char *kind = words.items[i], *hex = words.items[i + 1], *path = words.items[i + 2];
        if (strcmp(kind, OPTIONS) == 0)
            same = has_options = strcmp(hex, sum_of_options(&arena, options, dir)) == 0;
        else if (strcmp(kind, AROUND) == 0)
            around = hex;
        else if (strcmp(kind, SEARCHED) != 0)
            same = strcmp(hex, sum_of(sums, path)) == 0;
        rp_strings_push(&arena,
                        strcmp(kind, READ) == 0       ? &files.read
                        : strcmp(kind, SEARCHED) == 0 ? &files.searched
                                                      : &files.wrote,
                        path);
    }
    same = same && has_options && around != NULL &&
           strcmp(around, sum_around(&arena, options, dir, &files)) == 0;
    rp_arena_release(&arena);
    return same;
}

/* ---- writing ---- */

void rp_stamp_begin(struct rp_generation *run) {
    /* the clock from which the kernel takes the times of files */
    clock_gettime(CLOCK_REALTIME_COARSE, &run->stamp.start);
    run->stamp.options = sum_of_options(run->arena, run->options, NULL);
}

static bool is_later(const char *path, const struct timespec *start) {
    struct stat st;
    return stat(path, &st) != 0 || st.st_ctim.tv_sec > start->tv_sec ||
           (st.st_ctim.tv_sec == start->tv_sec && st.st_ctim.tv_nsec > start->tv_nsec);
}

static void put(struct rp_buf *out, const char *kind, const char *hex, const char *path) {
    rp_buf_printf(out, "%s %s %s\n", kind, hex, rp_rsp_quote(out->arena, path));
}

static const char ASKS[] = "__has_include";

/* A text without its continued lines: "\\", blanks, line end. */
static const char *joined_lines(struct rp_arena *arena, const struct rp_bytes *from) {
    char *text = rp_alloc(arena, from->size + 1, 1), *to = text;
    for (const char *at = (const char *)from->data; *at != '\0'; at++) {
        size_t blank = *at == '\\' ? strspn(at + 1, " \t\r") : 0;
        if (*at == '\\' && at[1 + blank] == '\n')
            at += 1 + blank;
        else
            *to++ = *at;
    }
    return text;
}

/* Does the word ask for a file, or may ## make it a word that does? */
static bool may_ask(const char *word, size_t len) {
    enum { HEAD_MIN = 3, TAIL_MIN = 8 }; /* "__h", "_include" */
    size_t size = strlen(ASKS);
    return (len >= HEAD_MIN && memcmp(word, ASKS, len < size ? len : size) == 0) ||
           (len >= TAIL_MIN && len < size && memcmp(word, ASKS + size - len, len) == 0);
}

/*
 * Adds what a text asks for by __has_include, as if it were in the folder and had been read: the
 * sum of a file that is not there changes when it comes, and sum_around looks for its name
 * elsewhere. False: the name does not stand there.
 */
static bool add_asked(struct rp_arena *arena, struct rp_strings *read, const char *folder,
                      const char *text) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    /* before the word: only whether it exists is asked */
    static const char *const tests[] = {"defined(", "defined (", "defined",
                                        "ifdef",    "ifndef",    "define"};
    for (const char *at = text; *(at += strcspn(at, letters)) != '\0';) {
        const char *before = at, *name;
        size_t len = strspn(at, letters), size;
        bool harmless = !may_ask(at, len);
        at += len;
        if (harmless)
            continue;
        name = at + strspn(at, " \t(");
        size = *name == '<' || *name == '"' ? strcspn(name + 1, ">\"\n") : 0;
        if (size != 0) {
            add_once(arena, read, rp_path_join(arena, folder, rp_strndup(arena, name + 1, size)));
            continue;
        }
        while (before > text && (before[-1] == ' ' || before[-1] == '\t'))
            before--;
        for (size_t i = 0; !harmless && i < sizeof tests / sizeof tests[0]; i++)
            harmless = (size_t)(before - text) >= strlen(tests[i]) &&
                       rp_has_prefix(before - strlen(tests[i]), tests[i]);
        if (!harmless)
            return false;
    }
    return true;
}

/* The same, of all files and options. Returns the first whose names are not known, or NULL. */
static const char *add_all_asked(struct rp_generation *run, struct rp_strings *read, size_t files) {
    const struct rp_strings *options = &run->package.compiled.flags.model;
    const char *unknown = NULL;
    for (size_t i = 0; unknown == NULL && i < options->count; i++)
        if (!add_asked(run->arena, read, "/", options->items[i]))
            unknown = options->items[i];
    for (size_t i = 0; unknown == NULL && i < files; i++) {
        struct rp_arena own = {0};
        struct rp_bytes text;
        bool known;
        if (!rp_file_look(&own, read->items[i], SOURCE_MAX, &text, NULL))
            text = (struct rp_bytes){(const uint8_t *)"", 0};
        if (memchr(text.data, '\0', text.size) != NULL) /* weights, a library */
            known = memmem(text.data, text.size, ASKS, strlen(ASKS)) == NULL;
        else
            known = add_asked(run->arena, read, rp_path_dir(run->arena, read->items[i]),
                              joined_lines(&own, &text));
        rp_arena_release(&own);
        unknown = known ? NULL : read->items[i];
    }
    return unknown;
}

/* All that was read, as absolute paths. *why: why that is not known for sure, or NULL. */
static bool find_read(struct rp_generation *run, const struct rp_strings *inputs,
                      struct rp_strings *read, const char **why, struct rp_error *err) {
    struct rp_arena *arena = run->arena;
    struct rp_strings all = {0};
    size_t sources = 0; /* of read, which comes from inputs */
    rp_strings_append(arena, &all, inputs);
    RP_PUSH_WORDS(arena, &all, rp_path_join(arena, run->package.data_dir, "templates/build.mk"),
                  run->package.build.cc, run->package.build.ld);
    find_tools(arena, run->options, &all);
    for (size_t i = 0; i < all.count; i++) {
        const char *path = rp_path_absolute(arena, all.items[i], err);
        if (path == NULL)
            return false;
        add_once(arena, read, path);
        if (i < inputs->count)
            sources = read->count;
    }
    for (size_t i = inputs->count; i < all.count; i++)
        if (rp_path_is_script(all.items[i]))
            *why = rp_format(arena, "'%s' is a script, which may read other files", all.items[i]);
    size_t count = read->count; /* the rest is asked for, and need not exist */
    const char *unknown = add_all_asked(run, read, sources);
    if (unknown != NULL)
        *why = rp_format(arena,
                         "the name of a header that is asked for by __has_include does not "
                         "stand there, in '%s'",
                         unknown);
    for (size_t i = 0; *why == NULL && i < read->count; i++)
        if ((i < count || access(read->items[i], F_OK) == 0) &&
            is_later(read->items[i], &run->stamp.start))
            *why = rp_format(arena, "'%s' was changed since this run began", read->items[i]);
    return true;
}

/* For a user who wonders why everything is made again. */
static void tell(const struct rp_generation *run, const char *why) {
    if (run->options->source.console.verbose != 0)
        fprintf(stderr, "no stamp: %s\n", rp_printable(run->arena, why));
}

/* Without the folders of the workspace: the next run has another. */
static void leave_own(const struct rp_build *build, struct rp_arena *arena,
                      struct rp_strings *folders) {
    struct rp_strings kept = {0};
    for (size_t i = 0; i < folders->count; i++)
        if (!rp_workspace_is_own(&build->workspace, folders->items[i]))
            rp_strings_push(arena, &kept, folders->items[i]);
    *folders = kept;
}

bool rp_stamp_add(struct rp_generation *run, const struct rp_strings *inputs,
                  struct rp_error *err) {
    const struct rp_generate_options *options = run->options;
    struct rp_arena *arena = run->arena;
    struct rp_stamp_sums sums = {.arena = arena};
    struct rp_buf out = {.arena = arena};
    struct rp_stamp_files files = {0};
    struct rp_build *build = &run->package.build;
    const char *why = run->outputs.streams.count != 0         ? "an output is not a file"
                      : !rp_budgets_check(&run->report, NULL) ? "a budget is exceeded"
                                                              : NULL;
    if (options->stamp == NULL)
        return true;
    if (!find_read(run, inputs, &files.read, &why, err))
        return false;
    if (why == NULL && (!rp_build_knows_files(build) ||
                        !rp_searched_folders(build, &run->package.compiled.flags.model,
                                             rp_build_has_cplusplus(build), &files.searched)))
        why = "options or assembly may read files that no list has";
    if (why != NULL) {
        tell(run, why);
        return true;
    }
    for (size_t i = 0; i < run->outputs.files.count; i++) {
        const char *path = rp_path_absolute(arena, run->outputs.files.items[i].final, err);
        if (path == NULL)
            return false;
        rp_strings_push(arena, &files.wrote, path);
    }
    leave_own(build, arena, &files.searched);
    put(&out, HEAD, VERSION, "");
    put(&out, OPTIONS, run->stamp.options, "");
    put(&out, AROUND, sum_around(arena, options, NULL, &files), "");
    for (size_t i = 0; i < files.searched.count; i++)
        put(&out, SEARCHED, "-", files.searched.items[i]);
    for (size_t i = 0; i < files.read.count; i++)
        put(&out, READ, sum_of(&sums, files.read.items[i]), files.read.items[i]);
    for (size_t i = 0; i < files.wrote.count; i++)
        put(&out, WROTE, sum_of(&sums, run->outputs.files.items[i].staged), files.wrote.items[i]);
    rp_stamp_sums_release(&sums);
    return rp_outputs_add_named(&run->outputs, options->stamp, out.data, out.len, err);
}
