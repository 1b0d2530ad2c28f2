/* SPDX-License-Identifier: Apache-2.0 */
/* Which sources may define a name: see offered.h. */
#include "toolchain/calls/offered.h"

#include <string.h>

#include "base/file.h"
#include "base/path.h"
#include "base/set.h"
#include "toolchain/cread/outline.h"

enum { TEXT_MAX = 1 << 30, NAME_MAX_LEN = 1000 };

/* A file that was read: a source, or a header. */
struct text {
    const char *path;
    struct rp_outline outline;
    const size_t *includes; /* indexes of the headers, wherever the name leads to one */
    size_t include_count;
    bool resolved;
};

/* What a source may define. */
struct source {
    struct rp_strings names; /* sorted; what macros make of them is there, too */
    bool pastes;             /* names may also be made of parts of these */
    bool unclear;
};

struct rp_offered {
    struct rp_arena *arena;
    struct rp_strings dirs; /* of headers */
    struct {
        struct text *items;
        size_t count;
        size_t capacity;
    } texts;
    struct rp_set paths;     /* of the texts, in their order */
    struct rp_outline flags; /* macros of -D */
    struct source *sources;
    size_t count;
};

/* ---- flags ---- */

/* Adds what -D says: NAME or NAME=TEXT. false: what that changes is unclear. */
static bool add_define(struct rp_offered *offered, const char *define) {
    const char *value = strchr(define, '=');
    struct rp_outline one;
    const char *line = value == NULL ? rp_format(offered->arena, "#define %s 1\n", define)
                                     : rp_format(offered->arena, "#define %.*s %s\n",
                                                 (int)(value - define), define, value + 1);
    rp_outline_read(&one, offered->arena, line, strlen(line));
    for (size_t i = 0; i < one.macros.count; i++)
        *RP_PUSH(offered->arena, &offered->flags.macros) = one.macros.items[i];
    return !one.unclear;
}

/* false: there is a flag that may bring in text which is not read here. */
static bool take_flags(struct rp_offered *offered, const struct rp_strings *flags) {
    static const char *const dirs[] = {"-I", "-iquote", "-isystem", "-idirafter"};
    static const char *const odd[] = {"-include",
                                      "-imacros",
                                      "-Wp,",
                                      "-Xpreprocessor",
                                      "@",
                                      "-specs",
                                      "--specs",
                                      "-fplugin",
                                      "-isysroot",
                                      "--sysroot",
                                      "-iprefix",
                                      "-iwith",
                                      "-x",
                                      "-fleading",
                                      "-fmacro-prefix=",
                                      "-Xclang",
                                      "-fdirectives",
                                      "-wrapper",
                                      "--include",
                                      "--imacros",
                                      "-ftrigraphs",
                                      "--define",
                                      "-fextended-identifiers"};
    for (size_t i = 0; i < flags->count; i++) {
        const char *flag = flags->items[i];
        const char *next = i + 1 < flags->count ? flags->items[i + 1] : "";
        for (size_t k = 0; k < sizeof odd / sizeof odd[0]; k++)
            if (rp_has_prefix(flag, odd[k]))
                return false;
        if (rp_has_prefix(flag, "-D") && !add_define(offered, flag[2] != '\0' ? flag + 2 : next))
            return false;
        for (size_t k = 0; k < sizeof dirs / sizeof dirs[0]; k++)
            if (rp_has_prefix(flag, dirs[k])) {
                const char *dir = flag + strlen(dirs[k]);
                rp_strings_push(offered->arena, &offered->dirs, *dir != '\0' ? dir : next);
            }
    }
    return true;
}

/* ---- texts ---- */

/* The index of a file; it is read when it is new. */
static bool text_of(struct rp_offered *offered, const char *path, size_t *index,
                    struct rp_error *err) {
    struct rp_bytes bytes;
    if (!rp_set_add(offered->arena, &offered->paths, path, index))
        return true;
    struct rp_arena scratch = {0};
    rp_file_note(path);
    bool ok = rp_file_look(&scratch, path, TEXT_MAX, &bytes, err);
    if (ok) {
        struct text *text = RP_PUSH(offered->arena, &offered->texts);
        *text = (struct text){.path = path};
        rp_outline_read(&text->outline, offered->arena, (const char *)bytes.data, bytes.size);
    }
    rp_arena_release(&scratch);
    return ok;
}

/* Finds what a file includes: in all folders, since which of them comes first does not matter. */
static bool resolve(struct rp_offered *offered, size_t index, struct rp_error *err) {
    const struct text before = offered->texts.items[index];
    const struct rp_strings *names = &before.outline.includes;
    const char *own = rp_path_dir(offered->arena, before.path);
    size_t *found =
        rp_alloc(offered->arena, names->count * (offered->dirs.count + 1) + 1, sizeof *found);
    size_t count = 0;
    if (before.resolved)
        return true;
    for (size_t i = 0; i < names->count; i++)
        for (size_t k = 0; k <= offered->dirs.count; k++) {
            const char *dir = k == 0 ? own : offered->dirs.items[k - 1];
            const char *path = rp_path_join(offered->arena, dir, names->items[i]);
            if (rp_path_is_file(path) && !text_of(offered, path, &found[count++], err))
                return false;
        }
    struct text *text = &offered->texts.items[index];
    text->includes = found;
    text->include_count = count;
    text->resolved = true;
    return true;
}

/* ---- a source ---- */

/* The files that a source consists of: itself first, then all headers. */
static bool reach(struct rp_offered *offered, size_t first, struct rp_strings *paths,
                  size_t **indexes, struct rp_error *err) {
    struct {
        size_t *items;
        size_t count;
        size_t capacity;
    } all = {0};
    *RP_PUSH(offered->arena, &all) = first;
    for (size_t i = 0; i < all.count; i++) {
        if (!resolve(offered, all.items[i], err))
            return false;
        const struct text text = offered->texts.items[all.items[i]];
        rp_strings_push(offered->arena, paths, text.path);
        for (size_t k = 0; k < text.include_count; k++) {
            bool is_new = true;
            for (size_t j = 0; is_new && j < all.count; j++)
                is_new = all.items[j] != text.includes[k];
            if (is_new)
                *RP_PUSH(offered->arena, &all) = text.includes[k];
        }
    }
    *indexes = all.items;
    return true;
}

/* Looks at the macro of one outline that has a name in the list: adds its words. */
static bool expand(const struct rp_outline *outline, struct rp_arena *arena, struct source *source,
                   const struct rp_strings *sorted) {
    bool more = false;
    for (size_t i = 0; i < outline->macros.count; i++) {
        const struct rp_outline_macro *macro = &outline->macros.items[i];
        if (!rp_strings_have_sorted(sorted, macro->name))
            continue;
        source->pastes = source->pastes || macro->pastes;
        source->unclear = source->unclear || macro->shapes;
        for (size_t k = 0; k < macro->words.count; k++)
            if (!rp_strings_have_sorted(sorted, macro->words.items[k])) {
                rp_strings_push(arena, &source->names, macro->words.items[k]);
                more = true;
            }
    }
    return more;
}

static void expand_all(struct rp_offered *offered, const size_t *texts, size_t count,
                       struct source *source) {
    bool more = true;
    while (more) {
        struct rp_strings sorted = {0};
        rp_strings_sort(&source->names);
        rp_strings_append(offered->arena, &sorted, &source->names);
        more = expand(&offered->flags, offered->arena, source, &sorted);
        for (size_t i = 0; i < count; i++)
            more |=
                expand(&offered->texts.items[texts[i]].outline, offered->arena, source, &sorted);
    }
}

/* Does what a header declares look like functions, and is a macro? */
static bool calls_macros(const struct rp_offered *offered, const struct rp_outline *header,
                         const size_t *texts, size_t count) {
    for (size_t k = 0; k < count; k++) {
        const struct rp_outline *outline = &offered->texts.items[texts[k]].outline;
        for (size_t m = 0; m < outline->macros.count; m++)
            if (rp_strings_have_sorted(&header->called, outline->macros.items[m].name))
                return true;
    }
    return false;
}

static bool read_source(struct rp_offered *offered, const char *path, struct source *source,
                        struct rp_error *err) {
    struct rp_strings paths = {0};
    size_t first, *texts;
    if (!text_of(offered, path, &first, err) || !reach(offered, first, &paths, &texts, err))
        return false;
    for (size_t i = 0; i < paths.count; i++) {
        const struct rp_outline *outline = &offered->texts.items[texts[i]].outline;
        bool all = i == 0 || calls_macros(offered, outline, texts, paths.count);
        rp_strings_append(offered->arena, &source->names,
                          all ? &outline->names : &outline->defined);
        source->unclear = source->unclear || outline->unclear;
    }
    expand_all(offered, texts, paths.count, source);
    return true;
}

struct rp_offered *rp_offered_read(struct rp_arena *arena, const struct rp_strings *sources,
                                   const struct rp_strings *flags, struct rp_error *err) {
    struct rp_offered *offered = rp_alloc(arena, 1, sizeof *offered);
    *offered = (struct rp_offered){.arena = arena, .count = sources->count};
    offered->sources = rp_alloc(arena, sources->count, sizeof *offered->sources);
    if (!take_flags(offered, flags))
        return NULL;
    for (size_t i = 0; i < sources->count; i++)
        if (!read_source(offered, sources->items[i], &offered->sources[i], err))
            return NULL;
    return offered;
}

/* ---- questions ---- */

bool rp_offered_is_unclear(const struct rp_offered *offered, size_t source) {
    return offered->sources[source].unclear;
}

/* Is the name one behind the other of those in the list, in which macros may also find numbers? */
static bool is_made_of(const struct rp_strings *names, const char *name) {
    bool ends[NAME_MAX_LEN + 1] = {true};
    size_t len = strlen(name);
    char part[NAME_MAX_LEN + 1];
    for (size_t to = 1; to <= len && len <= NAME_MAX_LEN; to++)
        for (size_t from = 0; from < to && !ends[to]; from++) {
            memcpy(part, name + from, to - from);
            part[to - from] = '\0';
            bool is_number = strspn(part, "0123456789") != 0; /* 8 or 8x: a number of C */
            ends[to] = ends[from] && (is_number || rp_strings_have_sorted(names, part));
        }
    return len > NAME_MAX_LEN || ends[len];
}

bool rp_offered_may_define(const struct rp_offered *offered, size_t source, const char *name) {
    const struct source *one = &offered->sources[source];
    return one->unclear || rp_strings_have_sorted(&one->names, name) ||
           (one->pastes && is_made_of(&one->names, name));
}
