/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What network.c says in comments: the compiler's banner, memory pools. See comment.h.
 */
#include "toolchain/npu/comment.h"

#include <stdlib.h>
#include <string.h>

#include "base/path.h"

/* ---- pieces of text, not terminated ---- */

struct span {
    const char *at;
    size_t len;
};

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static struct span trim(struct span text) {
    while (text.len != 0 && is_blank(text.at[0]))
        text = (struct span){text.at + 1, text.len - 1};
    while (text.len != 0 && is_blank(text.at[text.len - 1]))
        text.len--;
    return text;
}

static bool span_is(struct span text, const char *word) {
    return text.len == strlen(word) && memcmp(text.at, word, text.len) == 0;
}

static bool has_prefix(struct span text, const char *prefix) {
    size_t len = strlen(prefix);
    return text.len >= len && memcmp(text.at, prefix, len) == 0;
}

/* The text after the first occurrence of key; at is NULL when there is none. */
static struct span behind(struct span text, const char *key) {
    size_t len = strlen(key);
    const char *found = memmem(text.at, text.len, key, len);
    if (found == NULL)
        return (struct span){NULL, 0};
    return (struct span){found + len, (size_t)(text.at + text.len - found) - len};
}

static bool contains(struct span text, const char *key) {
    return memmem(text.at, text.len, key, strlen(key)) != NULL;
}

/* The text before the first occurrence of key, or all of it. */
static struct span before(struct span text, const char *key) {
    const char *found = memmem(text.at, text.len, key, strlen(key));
    return (struct span){text.at, found != NULL ? (size_t)(found - text.at) : text.len};
}

/* Takes the first word off text; its len is 0 at the end. */
static struct span next_word(struct span *text) {
    *text = trim(*text);
    struct span word = {text->at, 0};
    while (word.len != text->len && !is_blank(text->at[word.len]))
        word.len++;
    *text = (struct span){text->at + word.len, text->len - word.len};
    return word;
}

static const char *keep(const struct rp_aton_reader *reader, struct span text) {
    return rp_strndup(reader->arena, text.len != 0 ? text.at : "", text.len);
}

/* A whole number of at most max, decimal or 0x…, with nothing after it. */
static bool read_number(struct span text, uint64_t max, uint64_t *out) {
    char digits[24] = {0}, *stop;
    if (text.len == 0 || text.len >= sizeof digits || text.at[0] < '0' || text.at[0] > '9')
        return false;
    memcpy(digits, text.at, text.len);
    *out = strtoull(digits, &stop, has_prefix(text, "0x") ? 16 : 10);
    return *stop == '\0' && *out <= max;
}

/* ---- banner ---- */

static struct span unquoted(struct span text) {
    text = trim(text);
    if (text.len >= 2 && text.at[0] == '"' && text.at[text.len - 1] == '"')
        return (struct span){text.at + 1, text.len - 2};
    return text;
}

/* The last component of a path of any system. */
static struct span last_component(struct span path) {
    for (size_t i = path.len; i-- > 0;)
        if (path.at[i] == '/' || path.at[i] == '\\')
            return (struct span){path.at + i + 1, path.len - i - 1};
    return path;
}

/* "--opt = value" without the dashes. */
static void read_option(struct rp_aton_reader *reader, struct span line) {
    struct span key = trim(before(line, "="));
    struct span value = behind(line, "=");
    value = value.at != NULL ? unquoted(value) : value;
    struct rp_aton_option *option = RP_PUSH(reader->arena, &reader->out->options);
    *option = (struct rp_aton_option){keep(reader, key), keep(reader, value)};
    if (span_is(key, "onnx-input"))
        reader->out->model_file = keep(reader, last_component(value));
    else if (span_is(key, "load-mpool-file"))
        reader->out->mpool_file = keep(reader, last_component(value));
}

static void read_banner_line(struct rp_aton_reader *reader, struct span line) {
    line = trim(line);
    if (line.len != 0 && line.at[0] == '*')
        line = trim((struct span){line.at + 1, line.len - 1});
    if (has_prefix(line, "--")) {
        read_option(reader, (struct span){line.at + 2, line.len - 2});
        return;
    }
    struct rp_aton *out = reader->out;
    struct span key = next_word(&line);
    if (span_is(key, "GIT_DESCRIPTION"))
        out->git_description = keep(reader, unquoted(line));
    else if (span_is(key, "GIT_SHA"))
        out->git_sha = keep(reader, unquoted(line));
    else if (span_is(key, "BUILD_DATE"))
        out->build_date = keep(reader, unquoted(line));
}

static bool read_banner(struct rp_aton_reader *reader, struct span text) {
    while (text.len != 0) {
        struct span line = before(text, "\n");
        read_banner_line(reader, line);
        size_t used = line.len + (line.len != text.len);
        text = (struct span){text.at + used, text.len - used};
    }
    return true;
}

/* ---- pools ---- */

/* "?", "99.31 KB", "256 B", "101697 bytes", "12". */
static bool read_size(struct span text, uint64_t *out) {
    struct span number = next_word(&text), unit = next_word(&text);
    char digits[32] = {0}, *stop;
    *out = 0;
    if (span_is(number, "?"))
        return true;
    if (number.len == 0 || number.len >= sizeof digits || number.at[0] < '0' || number.at[0] > '9')
        return false;
    memcpy(digits, number.at, number.len);
    double value = strtod(digits, &stop);
    double factor = span_is(unit, "KB")   ? 1024.0
                    : span_is(unit, "MB") ? 1024.0 * 1024.0
                    : span_is(unit, "GB") ? 1024.0 * 1024.0 * 1024.0
                                          : 1.0;
    bool known = factor > 1.0 || unit.len == 0 || span_is(unit, "B") || span_is(unit, "bytes");
    if (!known || *stop != '\0' || value > UINT32_MAX)
        return false;
    *out = (uint64_t)(value * factor);
    return true;
}

/* "N is SIZE", after "global pool". */
static bool read_used(struct rp_aton_reader *reader, struct span text, unsigned line) {
    uint64_t id = 0, bytes = 0;
    bool ok = read_number(next_word(&text), INT32_MAX, &id) && span_is(next_word(&text), "is") &&
              read_size(text, &bytes);
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
    *RP_PUSH(reader->arena, &reader->used) = (struct rp_aton_declared){(unsigned)id, line, bytes};
    return true;
}

struct pool_facts {
    bool has_size, has_access, has_cacheable;
};

/* One of the words after the offset. */
static bool read_attribute(struct rp_aton_pool *pool, struct span word, struct pool_facts *facts) {
    uint64_t number = 0;
    if (has_prefix(word, "size=")) {
        facts->has_size =
            read_number((struct span){word.at + 5, word.len - 5}, UINT32_MAX, &number);
        pool->size_bytes = (uint32_t)number;
        return facts->has_size;
    }
    if (has_prefix(word, "cacheable=")) {
        pool->is_cacheable = span_is(word, "cacheable=ON");
        facts->has_cacheable = true;
        return pool->is_cacheable || span_is(word, "cacheable=OFF");
    }
    pool->is_absolute = pool->is_absolute || span_is(word, "absolute_mode");
    pool->is_virtual = pool->is_virtual || span_is(word, "vpool");
    pool->is_writable = pool->is_writable || span_is(word, "READ_WRITE");
    facts->has_access = facts->has_access || pool->is_writable || span_is(word, "READ_ONLY");
    return true;
}

/* After "offset=": "0x71000000 relative_mode size=117440512 READ_ONLY … cacheable=ON …". */
static bool read_attributes(const struct rp_aton_reader *reader, struct rp_aton_pool *pool,
                            struct span text) {
    uint64_t offset = 0;
    struct pool_facts facts = {0};
    if (!read_number(next_word(&text), UINT32_MAX, &offset))
        return rp_aton_fail(reader, pool->line, "pool %u: the offset is not a 32-bit address",
                            pool->id);
    pool->offset = (uint32_t)offset;
    for (struct span word = next_word(&text); word.len != 0; word = next_word(&text)) {
        if (!read_attribute(pool, word, &facts))
            return rp_aton_fail(reader, pool->line, "pool %u: '%.*s' is not understood", pool->id,
                                (int)(word.len < 80 ? word.len : 80), word.at);
        if (has_prefix(word, "format=") || has_prefix(word, "fformat="))
            pool->format = keep(reader, behind(word, "="));
    }
    const char *missing = !facts.has_size     ? "size="
                          : !facts.has_access ? "READ_ONLY or READ_WRITE"
                                              : "cacheable=";
    if (!facts.has_size || !facts.has_access || !facts.has_cacheable)
        return rp_aton_fail(reader, pool->line, "pool %u: %s is missing in its comment", pool->id,
                            missing);
    if (pool->size_bytes > UINT32_MAX - pool->offset)
        return rp_aton_fail(reader, pool->line, "pool %u ends behind the address space", pool->id);
    return true;
}

/* Refuses a second pool of the same number or postfix. The postfix names files, labels and rows. */
static bool check_twins(const struct rp_aton_reader *reader, unsigned id, struct span postfix,
                        unsigned line) {
    for (size_t i = 0; i < reader->out->pools.count; i++) {
        const struct rp_aton_pool *pool = &reader->out->pools.items[i];
        if (pool->id == id)
            return rp_aton_fail(reader, line,
                                "pool %u is described already on line %u: this file seems to hold "
                                "two networks",
                                id, pool->line);
        if (span_is(postfix, pool->postfix))
            return rp_aton_fail(reader, line,
                                "pools %u, on line %u, and %u have the same postfix %s", pool->id,
                                pool->line, id, pool->postfix);
    }
    return true;
}

/* After "index=": "8 file postfix=xSPI2 name=octoFlash offset=…". */
static bool read_pool(struct rp_aton_reader *reader, struct span text, unsigned line) {
    uint64_t id = 0;
    struct span number = next_word(&text), kind = trim(before(text, "postfix="));
    struct span postfix = behind(text, "postfix="), name = behind(text, "name=");
    struct span offset = behind(text, "offset=");
    if (!read_number(number, INT32_MAX, &id) || postfix.at == NULL || name.at == NULL ||
        offset.at == NULL || postfix.at > name.at || name.at > offset.at)
        return rp_aton_fail(reader, line, "the comment that describes a pool is not understood");
    if (reader->out->pools.count == RP_ATON_POOLS_MAX)
        return rp_aton_fail(reader, line, "more than %d pools", RP_ATON_POOLS_MAX);
    if (!check_twins(reader, (unsigned)id, trim(before(postfix, "name=")), line))
        return false;
    struct rp_aton_pool *pool = RP_PUSH(reader->arena, &reader->out->pools);
    *pool = (struct rp_aton_pool){
        .id = (unsigned)id,
        .line = line,
        .postfix = keep(reader, trim(before(postfix, "name="))),
        .name = keep(reader, trim(before(name, "offset="))),
        .format = kind.len != 0 && !span_is(kind, "file") ? keep(reader, next_word(&kind)) : NULL,
    };
    return read_attributes(reader, pool, offset);
}

/* "[101697];" in the line of a label. */
static void read_label_size(struct rp_aton_reader *reader, struct span text, unsigned line) {
    uint64_t bytes = 0;
    if (reader->labels.count == 0)
        return;
    struct rp_aton_label *last = &reader->labels.items[reader->labels.count - 1];
    if (last->line == line && read_number(trim(before(text, "]")), UINT32_MAX, &bytes))
        last->bytes = bytes;
}

bool rp_aton_comment(struct rp_aton_reader *reader, const struct rp_ctoken *comment) {
    if (comment->len < 4 || comment->at[1] != '*')
        return true;
    struct span text = trim((struct span){comment->at + 2, comment->len - 4});
    if (has_prefix(text, "global pool "))
        return read_used(reader, (struct span){text.at + 12, text.len - 12}, comment->line);
    if (has_prefix(text, "index=") && contains(text, " postfix="))
        return read_pool(reader, (struct span){text.at + 6, text.len - 6}, comment->line);
    if (has_prefix(text, "["))
        read_label_size(reader, (struct span){text.at + 1, text.len - 1}, comment->line);
    else if (contains(text, "GIT_DESCRIPTION") || contains(text, "Command Line options"))
        return read_banner(reader, text);
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
        const char *front =
            rp_format(reader->arena, "_mem_pool_%s_", rp_c_identifier(reader->arena, keys[i]));
        const char *rest = rp_has_prefix(label, front) ? label + strlen(front) : "";
        if (*rest != '\0' && (loose || strcmp(rest, reader->out->network) == 0))
            return true;
    }
    return false;
}

static char *relative_pools(const struct rp_aton_reader *reader) {
    char *text = rp_strdup(reader->arena, "");
    for (size_t i = 0; i < reader->out->pools.count; i++) {
        const struct rp_aton_pool *pool = &reader->out->pools.items[i];
        if (!pool->is_absolute)
            text = rp_format(reader->arena, "%s%spool %u (%s, %s)", text, *text != '\0' ? ", " : "",
                             pool->id, pool->postfix, pool->name);
    }
    return *text != '\0' ? text : rp_strdup(reader->arena, "it has none");
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
