/* SPDX-License-Identifier: Apache-2.0 */
/* Stamps: see stamp.h. */
#include "cli/generate/stamp.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/path.h"
#include "cli/generate/budget.h"
#include "elfpack/integrity.h"
#include "toolchain/build/compiler.h"
#include "toolchain/build/quote.h"

enum { STAMP_MAX = 64 << 20, SOURCE_MAX = 256 << 20, HEX = 2 * RELOC_SHA256_BYTES + 1, ENDS = 3 };
static const char HEAD[] = "relocpack-stamp", VERSION[] = "1";
static const char OPTIONS[] = "options", AROUND[] = "around", READ[] = "read", WROTE[] = "wrote";

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
};

static bool is_below(const char *path, const char *folder) {
    size_t len = strlen(folder);
    return strncmp(path, folder, len) == 0 && (path[len] == '\0' || path[len] == '/');
}

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

/* What is in a folder, other than what the run wrote; prefix: only what may belong to it. */
static void list_names(struct rp_buf *text, const char *folder, const char *prefix,
                       const struct rp_strings *wrote) {
    struct rp_strings names = {0};
    (void)rp_list_dir(text->arena, folder, &names, NULL);
    for (size_t i = 0; i < names.count; i++) {
        const char *path = rp_path_join(text->arena, folder, names.items[i]);
        if (names.items[i][0] != '.' && (prefix == NULL || may_belong(path, prefix)) &&
            !rp_strings_have(wrote, path))
            rp_buf_printf(text, "%s\n", rp_rsp_quote(text->arena, path));
    }
}

/* The last components of a path: "c.h", "b/c.h", "a/b/c.h". */
static const char *end_of(const char *path, unsigned components) {
    const char *at = path + strlen(path);
    for (; at > path; at--)
        if (at[-1] == '/' && components-- == 1)
            return at;
    return NULL;
}

/* Adds the folder that a word names, if there is such. */
static void add_folder(struct rp_arena *arena, struct rp_strings *folders, const char *dir,
                       const char *word) {
    const char *path = dir != NULL ? rp_path_join(arena, dir, word) : word;
    path = word[0] != '\0' ? rp_path_absolute(arena, path, NULL) : NULL;
    if (path != NULL && rp_path_is_dir(path))
        add_once(arena, folders, path);
}

/* Folders in which a compiler looks for headers, as far as options name them. */
static void add_search_path(struct rp_arena *arena, const struct rp_input *input, const char *dir,
                            struct rp_strings *folders) {
    static const char *const flags[] = {"", "-I", "-iquote", "-isystem", "-idirafter"};
    for (size_t i = 0; i < input->include_dirs.count; i++)
        add_folder(arena, folders, dir, input->include_dirs.items[i]);
    for (size_t i = 0; i < input->cflags.count; i++)
        for (size_t k = 0; k < sizeof flags / sizeof flags[0]; k++)
            if (rp_has_prefix(input->cflags.items[i], flags[k]))
                add_folder(arena, folders, dir, input->cflags.items[i] + strlen(flags[k]));
}

/*
 * A new file may be read in the place of one that was read before: a header that comes first on the
 * search path, a source in a folder. So the names count that exist where such files would be.
 */
static const char *sum_around(struct rp_arena *arena, const struct rp_generate_options *options,
                              const char *dir, const struct rp_stamp_files *files) {
    const struct rp_strings *read = &files->read;
    struct rp_strings roots = {0}, folders = {0};
    struct rp_buf text = {.arena = arena};
    const char *prefix = NULL;
    find_roots(arena, options, dir, &roots, &prefix);
    rp_strings_append(arena, &folders, &roots);
    add_search_path(arena, &options->source.input, dir, &folders);
    for (size_t i = 0; i < read->count; i++)
        add_once(arena, &folders, rp_path_dir(arena, read->items[i]));
    if (prefix != NULL)
        list_names(&text, rp_path_dir(arena, prefix), prefix, &files->wrote);
    for (size_t i = 0; i < folders.count; i++) {
        for (size_t k = 0; k < roots.count; k++)
            if (is_below(folders.items[i], roots.items[k]))
                list_names(&text, folders.items[i], NULL, &files->wrote);
        for (size_t k = 0; k < read->count; k++)
            for (unsigned n = 1; n <= ENDS; n++) {
                const char *end = end_of(read->items[k], n);
                const char *path = end != NULL ? rp_path_join(arena, folders.items[i], end) : NULL;
                if (path != NULL && access(path, F_OK) == 0)
                    rp_buf_printf(&text, "%s\n", rp_rsp_quote(arena, path));
            }
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
        else
            same = strcmp(hex, sum_of(sums, path)) == 0;
        rp_strings_push(&arena, strcmp(kind, READ) == 0 ? &files.read : &files.wrote, path);
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

/*
 * Adds what a file asks for by __has_include, as if it were beside it and had been read: the sum of
 * a file that is not there changes when it comes, and sum_around looks for its name elsewhere.
 */
static void add_asked(struct rp_arena *arena, struct rp_strings *read, const char *path) {
    static const char ask[] = "__has_include";
    struct rp_arena own = {0};
    struct rp_bytes text;
    if (!rp_file_look(&own, path, SOURCE_MAX, &text, NULL)) {
        rp_arena_release(&own);
        return;
    }
    const char *end = (const char *)text.data + text.size; /* a 0 byte is there */
    for (const char *at = (const char *)text.data;
         at != end && (at = memmem(at, (size_t)(end - at), ask, strlen(ask))) != NULL;) {
        at += strlen(ask);
        const char *name = at + (rp_has_prefix(at, "_next") ? strlen("_next") : 0);
        name += strspn(name, " \t(");
        size_t len = *name == '<' || *name == '"' ? strcspn(name + 1, ">\"\n") : 0;
        if (len != 0)
            add_once(
                arena, read,
                rp_path_join(arena, rp_path_dir(arena, path), rp_strndup(arena, name + 1, len)));
    }
    rp_arena_release(&own);
}

/* All that was read, as absolute paths. later: something of it was changed since the run began. */
static bool find_read(struct rp_generation *run, const struct rp_strings *inputs,
                      struct rp_strings *read, bool *later, struct rp_error *err) {
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
        *later = *later || is_later(path, &run->stamp.start);
        if (i < inputs->count)
            sources = read->count;
    }
    size_t count = read->count;
    for (size_t i = 0; i < sources; i++)
        add_asked(arena, read, read->items[i]);
    for (size_t i = count; i < read->count; i++)
        *later = *later ||
                 (access(read->items[i], F_OK) == 0 && is_later(read->items[i], &run->stamp.start));
    return true;
}

bool rp_stamp_add(struct rp_generation *run, const struct rp_strings *inputs,
                  struct rp_error *err) {
    const struct rp_generate_options *options = run->options;
    struct rp_arena *arena = run->arena;
    struct rp_stamp_sums sums = {.arena = arena};
    struct rp_buf out = {.arena = arena};
    struct rp_stamp_files files = {0};
    bool later = run->outputs.streams.count != 0 || !rp_budgets_check(&run->report, NULL);
    if (options->stamp == NULL)
        return true;
    if (!find_read(run, inputs, &files.read, &later, err))
        return false;
    if (later)
        return true;
    for (size_t i = 0; i < run->outputs.files.count; i++) {
        const char *path = rp_path_absolute(arena, run->outputs.files.items[i].final, err);
        if (path == NULL)
            return false;
        rp_strings_push(arena, &files.wrote, path);
    }
    put(&out, HEAD, VERSION, "");
    put(&out, OPTIONS, run->stamp.options, "");
    put(&out, AROUND, sum_around(arena, options, NULL, &files), "");
    for (size_t i = 0; i < files.read.count; i++)
        put(&out, READ, sum_of(&sums, files.read.items[i]), files.read.items[i]);
    for (size_t i = 0; i < files.wrote.count; i++)
        put(&out, WROTE, sum_of(&sums, run->outputs.files.items[i].staged), files.wrote.items[i]);
    rp_stamp_sums_release(&sums);
    return rp_outputs_add_named(&run->outputs, options->stamp, out.data, out.len, err);
}
