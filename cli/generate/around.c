/* SPDX-License-Identifier: Apache-2.0 */
/* What lies around the files of a stamp: see around.h. */
#include "cli/generate/around.h"

#include <string.h>

#include "base/path.h"

/* An end of a path: "sys/config.h", and what has its first part. */
struct end {
    const struct rp_known_name *first;
    const char *text;
    bool leaves; /* its first part is "." or "..", which every folder has */
};

struct ends {
    struct end *items;
    size_t count, capacity;
};

struct walk {
    struct rp_buf *out;
    const struct rp_around *around;
    struct rp_known *known;
    const struct timespec *start;
    const char **later;
    struct rp_known_name searched; /* each once, in the order of the stamp */
    struct rp_known_folder **here; /* room for as many */
    const char *unknown;           /* a folder that cannot be listed, or NULL */
};

/* ---- folders all of whose names count ---- */

/* Could a file of that name belong to a model? */
static bool may_belong(const char *name) {
    static const char *const ends[] = {".bin", ".c", ".h", ".json"}; /* weights, code, manifests */
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
        if (rp_has_suffix(name, ends[i]))
            return true;
    return false;
}

/* Those of a folder that count. */
enum names {
    ALL,     /* what is in it and below */
    SOURCES, /* the same, but sources alone: --source takes those whose folder is hidden, too */
    STEM     /* in it alone, what begins with the stem and may belong to a model */
};

static void put_names(struct walk *walk, const char *path, enum names which, const char *stem) {
    struct rp_arena *arena = walk->out->arena;
    const struct rp_known_folder *folder = rp_known_folder(walk->known, path);
    walk->unknown = folder->unknown ? folder->path : walk->unknown;
    for (size_t i = rp_known_place(folder, stem, strlen(stem)); i < folder->count; i++) {
        const char *name = folder->items[i].name;
        if (!rp_has_prefix(name, stem))
            break;
        const char *below = rp_path_join(arena, path, name);
        enum names inside = which == ALL && name[0] == '.' ? SOURCES : which;
        char kind = folder->items[i].kind;
        bool is_link = kind == 'l';
        if (is_link) /* a file, a folder, or a link to nothing: one may become another */
            kind = rp_known_file(walk->known, below)->kind;
        if ((inside == STEM && !may_belong(name)) ||
            (inside == SOURCES && kind != 'd' && !rp_has_suffix(name, ".c")) ||
            rp_strings_have(&walk->around->wrote, below))
            continue;
        if (inside != SOURCES || kind != 'd')
            rp_buf_printf(walk->out, "%s\n%c\n", below, kind);
        if (inside != STEM && kind == 'd' && !is_link) /* a link may be a loop */
            put_names(walk, below, inside, "");
    }
}

/* ---- ends of paths in the folders that are searched ---- */

static void add_end(struct rp_known *known, struct ends *ends, const char *text) {
    size_t len = strcspn(text, "/");
    bool leaves = (len == 1 && text[0] == '.') || (len == 2 && memcmp(text, "..", 2) == 0);
    *RP_PUSH(known->arena, ends) = (struct end){rp_known_name(known, text, len), text, leaves};
}

/* Every end of a path; with ".gch", which gcc looks for first, also of what it would be then. */
static const struct ends *ends_of(struct rp_known *known, const char *path) {
    struct ends **at = (struct ends **)rp_map_at(&known->paths, path, strlen(path));
    if (*at != NULL)
        return *at;
    struct ends *ends = *at = rp_alloc(known->arena, 1, sizeof *ends);
    const char *copies[] = {rp_strdup(known->arena, path), rp_format(known->arena, "%s.gch", path)};
    for (size_t i = 0; i < sizeof copies / sizeof copies[0]; i++)
        for (const char *at_part = copies[i]; *(at_part += strspn(at_part, "/")) != '\0';
             at_part += strcspn(at_part, "/"))
            add_end(known, ends, at_part);
    return ends;
}

/* 0: the folder has no such name. */
static char kind_in(const struct rp_known_folder *folder, const char *name, size_t len) {
    size_t place = rp_known_place(folder, name, len);
    bool has = place < folder->count && strncmp(folder->items[place].name, name, len) == 0 &&
               folder->items[place].name[len] == '\0';
    return has ? folder->items[place].kind : '\0';
}

/* Came it, or a folder on the way to it, after the run began? What was read did not. */
static bool is_later(const struct walk *walk, const struct rp_known_folder *folder,
                     const char *path) {
    if (rp_strings_have(&walk->around->read, path))
        return false; /* the caller looks at these */
    for (const char *at = path; strlen(at) > strlen(folder->path);
         at = rp_path_dir(walk->out->arena, at))
        if (rp_known_is_later(at, walk->start))
            return true;
    return false;
}

/* What an end is in a folder: the same for all stamps. */
struct there {
    const char *path;
    const char *text;    /* "": nothing */
    const char *unknown; /* a folder on the way that cannot be listed, or NULL */
    char kind;
};

static void look(const struct walk *walk, const struct rp_known_folder *folder,
                 const struct end *end, struct there *there) {
    struct rp_arena *arena = walk->known->arena;
    const struct rp_known_folder *at = folder;
    const char *part = end->text, *path = folder->path;
    bool linked = false, up = end->leaves;
    char kind;
    *there = (struct there){.text = ""};
    for (;;) {
        size_t len = strcspn(part, "/");
        kind = up ? 'd' : kind_in(at, part, len);
        there->unknown = at->unknown ? at->path : there->unknown;
        if (kind == '\0')
            return;
        linked = linked || kind == 'l';
        path = rp_path_join(arena, path, rp_strndup(arena, part, len));
        part += len + strspn(part + len, "/");
        if (*part == '\0')
            break;
        up = part[0] == '.' && (part[1] == '/' || (part[1] == '.' && part[2] == '/'));
        at = rp_known_folder(walk->known, path);
    }
    if (kind == 'l' || end->leaves)
        kind = rp_known_file(walk->known, path)->kind;
    const char *real = linked ? rp_known_real(walk->known, path) : "";
    /* nothing else tells that gcc would take it now */
    bool compiled = rp_has_suffix(path, ".gch");
    const char *identity = compiled ? rp_known_file(walk->known, path)->identity : "";
    there->path = path;
    there->text = rp_format(arena, " %s\n%c %s %s\n", end->text, kind, real, identity);
    there->kind = kind;
}

/* Appends what an end is in a folder, if it is there. */
static void put_end(struct walk *walk, const struct rp_known_folder *folder,
                    const struct end *end) {
    const void *const pair[] = {end, folder};
    void **at = rp_map_at(&walk->known->pairs, (const char *)pair, sizeof pair);
    struct there *there = *at;
    if (there == NULL) {
        there = *at = rp_alloc(walk->known->arena, 1, sizeof *there); /* at: before the next one */
        look(walk, folder, end, there);
    }
    walk->unknown = there->unknown != NULL ? there->unknown : walk->unknown;
    if (there->text[0] == '\0' || rp_strings_have(&walk->around->wrote, there->path))
        return;
    const char index[] = {(char)('a' + folder->index / 256), (char)('a' + folder->index / 16 % 16),
                          (char)('a' + folder->index % 16)};
    rp_buf_append(walk->out, index, sizeof index);
    rp_buf_puts(walk->out, there->text);
    if (walk->start != NULL && there->kind != 'd' && is_later(walk, folder, there->path))
        *walk->later = there->path;
}

/* In those folders of this stamp that have the first part of an end, in the order of the stamp. */
static void put_ends(struct walk *walk, const char *path) {
    const struct ends *ends = ends_of(walk->known, path);
    const struct rp_known_name *searched = &walk->searched;
    for (size_t i = 0; i < ends->count; i++) {
        const struct end *end = &ends->items[i];
        /* with many models, many folders have "network.h" */
        bool many = end->leaves || end->first->count > searched->count;
        const struct rp_known_name *some = many ? searched : end->first;
        size_t count = 0;
        for (size_t k = 0; k < some->count; k++) {
            struct rp_known_folder *folder = some->items[k];
            size_t at = count;
            if (folder->turn != walk->known->turn)
                continue;
            for (; at != 0 && walk->here[at - 1]->index > folder->index; at--)
                walk->here[at] = walk->here[at - 1];
            walk->here[at] = folder;
            count++;
        }
        for (size_t k = 0; k < count; k++)
            put_end(walk, walk->here[k], end);
    }
}

const char *rp_around_describe(struct rp_buf *out, const struct rp_around *around,
                               struct rp_known *known, const struct timespec *start,
                               const char **later) {
    struct walk walk = {out, around, known, start, later, {0}, NULL, NULL};
    known->turn++;
    if (around->prefix != NULL)
        put_names(&walk, rp_path_dir(out->arena, around->prefix), STEM,
                  rp_path_base(around->prefix));
    for (size_t i = 0; i < around->roots.count; i++)
        put_names(&walk, around->roots.items[i], ALL, "");
    for (size_t i = 0; i < around->searched.count; i++) {
        struct rp_known_folder *folder = rp_known_folder(known, around->searched.items[i]);
        const char *real = rp_known_real(known, folder->path);
        if (folder->turn == known->turn)
            continue;
        walk.unknown = folder->unknown ? folder->path : walk.unknown;
        folder->turn = known->turn;
        folder->index = i;
        *RP_PUSH(out->arena, &walk.searched) = folder;
        if (strcmp(real, folder->path) != 0) /* nothing, or links on the way to it */
            rp_buf_printf(out, "%zu\n%s\n", i, real);
    }
    walk.here = rp_alloc(out->arena, walk.searched.count, sizeof(struct rp_known_folder *));
    for (size_t i = 0; i < around->read.count; i++)
        put_ends(&walk, around->read.items[i]);
    for (size_t i = 0; i < around->ends.count; i++) {
        const char *end = around->ends.items[i];
        put_ends(&walk, end);
        if (end[0] == '/')
            rp_buf_printf(out, "%s\n", rp_known_real(known, end));
    }
    return walk.unknown;
}
