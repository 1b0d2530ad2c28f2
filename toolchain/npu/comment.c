/* SPDX-License-Identifier: Apache-2.0 */
/* What network.c says in comments: the compiler's banner, memory pools. See comment.h. */
#include "toolchain/npu/comment.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/path.h"

/* ---- pieces of text ---- */

#define BLANKS " \t\r\n"

/* A copy of the text up to end, or all of it if end is NULL, without blanks around it. */
static char *trimmed(struct rp_arena *arena, const char *text, const char *end) {
    text += strspn(text, BLANKS);
    size_t len = end == NULL ? strlen(text) : end > text ? (size_t)(end - text) : 0;
    while (len != 0 && strchr(BLANKS, text[len - 1]) != NULL)
        len--;
    return rp_strndup(arena, text, len);
}

/* The text after the first occurrence of key; NULL when there is none. */
static const char *after(const char *text, const char *key) {
    const char *found = strstr(text, key);
    return found != NULL ? found + strlen(key) : NULL;
}

/* Takes the next word off the text; "" at the end. */
static char *next_word(struct rp_arena *arena, const char **text) {
    *text += strspn(*text, BLANKS);
    size_t len = strcspn(*text, BLANKS);
    char *word = rp_strndup(arena, *text, len);
    *text += len;
    return word;
}

/* A whole number of at most max, decimal or 0x…, with nothing after it. */
static bool read_number(const char *text, uint64_t max, uint64_t *out) {
    enum { DIGITS_MAX = 23 }; /* more do not fit into any max */
    char *stop;
    *out = 0;
    if (!isdigit((unsigned char)*text) || strlen(text) > DIGITS_MAX)
        return false;
    *out = strtoull(text, &stop, rp_has_prefix(text, "0x") ? 16 : 10);
    return *stop == '\0' && *out <= max;
}

/* ---- banner ---- */

static char *unquoted(struct rp_arena *arena, const char *text) {
    char *plain = trimmed(arena, text, NULL);
    size_t len = strlen(plain);
    return len >= 2 && plain[0] == '"' && plain[len - 1] == '"'
               ? rp_strndup(arena, plain + 1, len - 2)
               : plain;
}

/* The last component of a path of any system. */
static const char *last_component(const char *path) {
    const char *name = path;
    for (; *path != '\0'; path++)
        name = *path == '/' || *path == '\\' ? path + 1 : name;
    return name;
}

/* Takes "--opt = value", from after the dashes. */
static void read_option(struct rp_aton_reader *reader, const char *line) {
    struct rp_arena *arena = reader->source.arena;
    const char *value = after(line, "=");
    const struct rp_aton_option option = {trimmed(arena, line, value != NULL ? value - 1 : NULL),
                                          value != NULL ? unquoted(arena, value) : ""};
    *RP_PUSH(arena, &reader->out->options) = option;
    if (strcmp(option.key, "onnx-input") == 0)
        reader->out->model_file = last_component(option.value);
    else if (strcmp(option.key, "load-mpool-file") == 0)
        reader->out->mpool_file = last_component(option.value);
}

static void read_banner_line(struct rp_aton_reader *reader, const char *line) {
    struct rp_arena *arena = reader->source.arena;
    struct rp_aton *out = reader->out;
    line += strspn(line, BLANKS);
    line += *line == '*';
    line += strspn(line, BLANKS);
    if (rp_has_prefix(line, "--")) {
        read_option(reader, line + 2);
        return;
    }
    const char *key = next_word(arena, &line);
    if (strcmp(key, "GIT_DESCRIPTION") == 0)
        out->git_description = unquoted(arena, line);
    else if (strcmp(key, "GIT_SHA") == 0)
        out->git_sha = unquoted(arena, line);
    else if (strcmp(key, "BUILD_DATE") == 0)
        out->build_date = unquoted(arena, line);
}

/* ---- pools ---- */

/* Takes "?", "99.31 KB", "256 B", "101697 bytes" or "12". */
static bool read_size(struct rp_arena *arena, const char *text, uint64_t *out) {
    static const struct {
        const char *unit;
        double factor;
    } units[] = {{"", 1}, {"B", 1}, {"bytes", 1}, {"KB", 1024}, {"MB", 0x1p20}, {"GB", 0x1p30}};
    const char *number = next_word(arena, &text), *unit = next_word(arena, &text);
    char *stop;
    *out = 0;
    if (strcmp(number, "?") == 0)
        return true;
    double value = strtod(number, &stop);
    if (!isdigit((unsigned char)*number) || *stop != '\0' || value > UINT32_MAX)
        return false;
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (strcmp(unit, units[i].unit) == 0) {
            *out = (uint64_t)(value * units[i].factor);
            return true;
        }
    return false;
}

/* Takes "N is SIZE", from after "global pool". */
static bool read_used(struct rp_aton_reader *reader, const char *text, unsigned line) {
    struct rp_arena *arena = reader->source.arena;
    uint64_t id = 0, bytes = 0;
    bool ok = read_number(next_word(arena, &text), INT32_MAX, &id) &&
              strcmp(next_word(arena, &text), "is") == 0 && read_size(arena, text, &bytes);
    if (!ok)
        return rp_aton_fail(reader, line, "the comment with a pool's used size is not understood");
    if (reader->used.count == RP_ATON_POOLS_MAX)
        return rp_aton_fail(reader, line, "more than %d pools", RP_ATON_POOLS_MAX);
    for (size_t i = 0; i < reader->used.count; i++)
        if (reader->used.items[i].id == id)
            return rp_aton_fail(reader, line,
                                "pool %u has a used size already on line %u: this file seems to "
                                "hold two networks",
                                (unsigned)id, reader->used.items[i].line);
    *RP_PUSH(arena, &reader->used) = (struct rp_aton_declared){(unsigned)id, line, bytes};
    return true;
}

/*
 * Takes what follows "offset=": "0x71000000 relative_mode size=117440512 READ_ONLY … cacheable=ON
 * …".
 */
static bool read_attributes(const struct rp_aton_reader *reader, struct rp_aton_pool *pool,
                            const char *text) {
    struct rp_arena *arena = reader->source.arena;
    bool has_size = false, has_access = false, has_cacheable = false;
    uint64_t number = 0;
    if (!read_number(next_word(arena, &text), UINT32_MAX, &number))
        return rp_aton_fail(reader, pool->line, "pool %u: the offset is not a 32-bit address",
                            pool->id);
    pool->offset = (uint32_t)number;
    for (const char *word; *(word = next_word(arena, &text)) != '\0';) {
        const char *value = after(word, "=");
        bool ok = true;
        if (rp_has_prefix(word, "size=")) {
            has_size = ok = read_number(value, UINT32_MAX, &number);
            pool->size_bytes = (uint32_t)number;
        } else if (rp_has_prefix(word, "cacheable=")) {
            has_cacheable = true;
            pool->is_cacheable = strcmp(value, "ON") == 0;
            ok = pool->is_cacheable || strcmp(value, "OFF") == 0;
        } else if (rp_has_prefix(word, "format=") || rp_has_prefix(word, "fformat=")) {
            pool->format = value;
        }
        if (!ok)
            return rp_aton_fail(reader, pool->line, "pool %u: '%.80s' is not understood", pool->id,
                                word);
        pool->is_absolute = pool->is_absolute || strcmp(word, "absolute_mode") == 0;
        pool->is_virtual = pool->is_virtual || strcmp(word, "vpool") == 0;
        pool->is_writable = pool->is_writable || strcmp(word, "READ_WRITE") == 0;
        has_access = has_access || pool->is_writable || strcmp(word, "READ_ONLY") == 0;
    }
    if (!has_size || !has_access || !has_cacheable)
        return rp_aton_fail(reader, pool->line, "pool %u: %s is missing in its comment", pool->id,
                            !has_size     ? "size="
                            : !has_access ? "READ_ONLY or READ_WRITE"
                                          : "cacheable=");
    if (pool->size_bytes > UINT32_MAX - pool->offset)
        return rp_aton_fail(reader, pool->line, "pool %u ends outside the address space", pool->id);
    return true;
}

/* Takes what follows "index=": "8 file postfix=xSPI2 name=octoFlash offset=…". */
static bool read_pool(struct rp_aton_reader *reader, const char *text, unsigned line) {
    struct rp_arena *arena = reader->source.arena;
    struct rp_aton *out = reader->out;
    uint64_t id = 0;
    const char *postfix = after(text, "postfix="), *name = after(text, "name="),
               *offset = after(text, "offset=");
    bool ok = read_number(next_word(arena, &text), INT32_MAX, &id) && postfix != NULL &&
              name != NULL && offset != NULL && postfix < name && name < offset;
    if (!ok)
        return rp_aton_fail(reader, line, "the comment that describes a pool is not understood");
    if (out->pools.count == RP_ATON_POOLS_MAX)
        return rp_aton_fail(reader, line, "more than %d pools", RP_ATON_POOLS_MAX);
    struct rp_aton_pool pool = {
        .id = (unsigned)id,
        .line = line,
        .postfix = trimmed(arena, postfix, name - strlen("name=")),
        .name = trimmed(arena, name, offset - strlen("offset=")),
    };
    const char *kind = text + strspn(text, BLANKS);
    if (!rp_has_prefix(kind, "postfix=")) {
        kind = next_word(arena, &text);
        pool.format = strcmp(kind, "file") != 0 ? kind : NULL;
    }
    /* the postfix names files, labels and rows */
    for (size_t i = 0; i < out->pools.count; i++) {
        const struct rp_aton_pool *other = &out->pools.items[i];
        if (other->id == id)
            return rp_aton_fail(reader, line,
                                "pool %u is described already on line %u: this file seems to hold "
                                "two networks",
                                pool.id, other->line);
        if (strcmp(pool.postfix, other->postfix) == 0)
            return rp_aton_fail(reader, line,
                                "pools %u, on line %u, and %u have the same postfix %s", other->id,
                                other->line, pool.id, other->postfix);
    }
    if (!read_attributes(reader, &pool, offset))
        return false;
    *RP_PUSH(arena, &out->pools) = pool;
    return true;
}

bool rp_aton_comment(struct rp_aton_reader *reader, const struct rp_ctoken *comment) {
    struct rp_arena *arena = reader->source.arena;
    if (comment->len < 4 || comment->at[1] != '*')
        return true;
    const char *text = rp_strndup(arena, comment->at + 2, comment->len - 4);
    text += strspn(text, BLANKS);
    if (rp_has_prefix(text, "global pool "))
        return read_used(reader, text + strlen("global pool "), comment->line);
    if (rp_has_prefix(text, "index=") && strstr(text, " postfix=") != NULL)
        return read_pool(reader, text + strlen("index="), comment->line);
    if (*text == '[' && reader->labels.count != 0) { /* "[101697];" in the line of a label */
        struct rp_aton_label *last = &reader->labels.items[reader->labels.count - 1];
        uint64_t bytes;
        const char *digits = trimmed(arena, text + 1, strchr(text, ']'));
        if (last->line == comment->line && read_number(digits, UINT32_MAX, &bytes))
            last->bytes = bytes;
    } else if (strstr(text, "GIT_DESCRIPTION") != NULL ||
               strstr(text, "Command Line options") != NULL) {
        for (const char *next; *text != '\0'; text = next) {
            size_t len = strcspn(text, "\n");
            next = text + len + (text[len] == '\n');
            read_banner_line(reader, rp_strndup(arena, text, len));
        }
    }
    return true;
}

/* ---- pools, used sizes and labels together ---- */

static struct rp_aton_pool *find_pool(struct rp_aton *aton, unsigned id) {
    for (size_t i = 0; i < aton->pools.count; i++)
        if (aton->pools.items[i].id == id)
            return &aton->pools.items[i];
    return NULL;
}

static bool join_used(struct rp_aton_reader *reader) {
    for (size_t i = 0; i < reader->used.count; i++) {
        const struct rp_aton_declared *used = &reader->used.items[i];
        struct rp_aton_pool *pool = find_pool(reader->out, used->id);
        if (pool == NULL)
            return rp_aton_fail(reader, used->line, "pool %u has a used size and no description",
                                used->id);
        pool->declared_bytes = used->bytes;
    }
    for (size_t i = 0; i < reader->out->pools.count; i++) {
        const struct rp_aton_pool *pool = &reader->out->pools.items[i];
        bool found = false;
        for (size_t k = 0; k < reader->used.count; k++)
            found = found || reader->used.items[k].id == pool->id;
        if (!found)
            return rp_aton_fail(reader, pool->line, "pool %u has a description and no used size",
                                pool->id);
    }
    return true;
}

/*
 * "_mem_pool_" + postfix or name + "_" + network; with loose, any network: after the file was
 * renamed, labels and functions name different ones.
 */
static bool is_label_of(const struct rp_aton_reader *reader, const char *label,
                        const struct rp_aton_pool *pool, bool loose) {
    const char *keys[] = {pool->postfix, pool->name};
    for (size_t i = 0; i < 2; i++) {
        const char *front = rp_format(reader->source.arena, "_mem_pool_%s_",
                                      rp_c_identifier(reader->source.arena, keys[i]));
        const char *rest = rp_has_prefix(label, front) ? label + strlen(front) : "";
        if (*rest != '\0' && (loose || strcmp(rest, reader->out->network) == 0))
            return true;
    }
    return false;
}

static char *relative_pools(const struct rp_aton_reader *reader) {
    char *text = rp_strdup(reader->source.arena, "");
    for (size_t i = 0; i < reader->out->pools.count; i++) {
        const struct rp_aton_pool *pool = &reader->out->pools.items[i];
        if (!pool->is_absolute)
            text = rp_format(reader->source.arena, "%s%spool %u (%s, %s)", text,
                             *text != '\0' ? ", " : "", pool->id, pool->postfix, pool->name);
    }
    return *text != '\0' ? text : rp_strdup(reader->source.arena, "it has none");
}

/* Finds the relative pool that a label names, or NULL. Two of them are an error. */
static bool find_labelled(const struct rp_aton_reader *reader, const struct rp_aton_label *label,
                          bool loose, struct rp_aton_pool **found) {
    *found = NULL;
    for (size_t i = 0; i < reader->out->pools.count; i++) {
        struct rp_aton_pool *pool = &reader->out->pools.items[i];
        if (pool->is_absolute || !is_label_of(reader, label->name, pool, loose))
            continue;
        if (*found != NULL)
            return rp_aton_fail(reader, label->line,
                                "the label '%s' fits two relative pools: %u (%s, %s), line %u, and "
                                "%u (%s, %s), line %u",
                                label->name, (*found)->id, (*found)->postfix, (*found)->name,
                                (*found)->line, pool->id, pool->postfix, pool->name, pool->line);
        *found = pool;
    }
    return true;
}

static bool join_label(struct rp_aton_reader *reader, const struct rp_aton_label *label) {
    struct rp_aton_pool *found;
    if (!find_labelled(reader, label, false, &found) ||
        (found == NULL && !find_labelled(reader, label, true, &found)))
        return false;
    if (found == NULL)
        return rp_aton_fail(reader, label->line,
                            "the label '%s' fits no relative pool of the network '%s': %s",
                            label->name, reader->out->network, relative_pools(reader));
    if (found->label != NULL)
        return rp_aton_fail(reader, label->line,
                            "the labels '%s', line %u, and '%s' are of the same pool %u (%s, %s)",
                            found->label, found->label_line, label->name, found->id, found->postfix,
                            found->name);
    found->label = label->name;
    found->label_line = label->line;
    found->label_bytes = label->bytes;
    return true;
}

/* "a_b" made of "a" and "b": some generators do not say that such a pool is virtual. */
static bool has_parts(const struct rp_aton *aton, const struct rp_aton_pool *pool) {
    const char *part = pool->postfix;
    size_t parts = 0;
    for (size_t len = strcspn(part, "_"); *part != '\0'; len = strcspn(part, "_"), parts++) {
        bool found = false;
        for (size_t i = 0; i < aton->pools.count; i++) {
            const char *postfix = aton->pools.items[i].postfix;
            found = found || (strlen(postfix) == len && strncmp(postfix, part, len) == 0);
        }
        if (!found)
            return false;
        part += len + (part[len] == '_');
    }
    return parts > 1;
}

bool rp_aton_finish_pools(struct rp_aton_reader *reader) {
    struct rp_aton *aton = reader->out;
    if (!join_used(reader))
        return false;
    for (size_t i = 0; i < reader->labels.count; i++)
        if (!join_label(reader, &reader->labels.items[i]))
            return false;
    for (size_t i = 0; i < aton->pools.count; i++) {
        struct rp_aton_pool *pool = &aton->pools.items[i];
        pool->is_virtual = pool->is_virtual || has_parts(aton, pool);
        if (!pool->is_absolute && pool->label == NULL && pool->declared_bytes != 0)
            return rp_aton_fail(reader, pool->line,
                                "the relative pool %u (%s, %s) is used, and there is no label "
                                "_mem_pool_%s_%s",
                                pool->id, pool->postfix, pool->name, pool->postfix, aton->network);
    }
    return true;
}
