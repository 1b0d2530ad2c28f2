/* SPDX-License-Identifier: Apache-2.0 */
/* Lists the files that were read: see depends.h. */
#include "toolchain/compile/depends.h"

#include <string.h>

#include "base/file.h"
#include "base/path.h"

enum { TEXT_MAX = 256 << 20 };

/* ---- makefile rules ---- */

static bool is_gap(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* A "\" before a line end continues the rule. */
static const char *skip_gap(const char *at) {
    for (;;) {
        if (is_gap(*at))
            at++;
        else if (*at == '\\' && at[1] == '\n')
            at += 2;
        else if (*at == '\\' && at[1] == '\r' && at[2] == '\n')
            at += 3;
        else
            return at;
    }
}

/*
 * Reads one name. Before a blank, 2N+1 backslashes mean N and the blank, and 2N mean N at the end
 * of the name. One before # quotes it; elsewhere backslashes stand for themselves. $$ is $.
 */
static char *take_name(struct rp_arena *arena, const char **from) {
    const char *at = *from;
    char *name = rp_alloc(arena, strcspn(at, "\n") + strlen("\n") + 1, 1), *to = name;
    while (*at != '\0' && !is_gap(*at)) {
        size_t slashes = strspn(at, "\\");
        char next = at[slashes];
        if (slashes != 0 && (next == ' ' || next == '\t')) {
            memset(to, '\\', slashes / 2);
            to += slashes / 2;
            at += slashes;
            if (slashes % 2 == 0)
                break;
            *to++ = *at++;
        } else if (slashes != 0 && (next == '\n' || next == '\r')) {
            memset(to, '\\', slashes - 1); /* the last one continues the line */
            to += slashes - 1;
            at += slashes - 1;
            break;
        } else if (slashes != 0) {
            size_t kept = next == '#' ? slashes - 1 : slashes;
            memset(to, '\\', kept);
            to += kept;
            at += slashes;
            if (next == '#')
                *to++ = *at++;
        } else {
            at += at[0] == '$' && at[1] == '$';
            *to++ = *at++;
        }
    }
    *to = '\0';
    *from = at;
    return name;
}

void rp_depends_parse(struct rp_strings *names, struct rp_arena *arena, const char *rule) {
    const char *at = strstr(rule, ": "); /* the target is a plain name of ours */
    if (at == NULL)
        at = strstr(rule, ":\\");
    if (at == NULL)
        return;
    for (at = skip_gap(at + 1); *at != '\0'; at = skip_gap(at)) {
        const char *name = take_name(arena, &at);
        if (name[0] != '\0')
            rp_strings_push(arena, names, name);
    }
}

void rp_depends_of_map(struct rp_strings *names, struct rp_arena *arena, const char *map) {
    static const char mark[] = "\nLOAD ";
    for (const char *at = strstr(map, mark); at != NULL; at = strstr(at, mark)) {
        at += sizeof mark - 1;
        rp_strings_push(arena, names, rp_strndup(arena, at, strcspn(at, "\n")));
    }
}

void rp_depends_quote(struct rp_buf *out, const char *name, bool target) {
    for (const char *c = name; *c != '\0'; c++) {
        if (strchr(" \t#:", *c) != NULL || (target && *c == '%')) {
            for (const char *back = c; back > name && back[-1] == '\\'; back--)
                rp_buf_puts(out, "\\");
            rp_buf_puts(out, "\\");
        }
        rp_buf_printf(out, "%s%c", *c == '$' ? "$" : "", *c);
    }
}

static const char *text_of(struct rp_build *build, const char *name) {
    struct rp_bytes text;
    return rp_path_is_file(rp_build_path(build, name)) &&
                   rp_file_read(build->arena, rp_build_path(build, name), TEXT_MAX, &text, NULL)
               ? (const char *)text.data
               : "";
}

/*
 * Adds what the assembler read for a unit, except the compiler's text, which it reads first and
 * lists last. It also lists the name in that text's .file, which has no folder. False: unknown,
 * because a launcher did not return the list, or because clang has none.
 */
static bool add_assembled(struct rp_build *build, const struct rp_unit *unit,
                          struct rp_strings *names) {
    struct rp_strings found = {0};
    rp_depends_parse(&found, build->arena,
                     text_of(build, rp_format(build->arena, "obj/%03u.as.d", unit->number)));
    for (size_t i = 0; i + 1 < found.count; i++)
        if (strcmp(found.items[i], rp_path_base(unit->source)) != 0)
            rp_strings_push(build->arena, names, found.items[i]);
    return found.count != 0;
}

/* Do options name files that neither a cache nor a list knows, or change the list? */
static bool has_unknown_files(const struct rp_strings *options) {
    static const struct {
        const char *start, *part;
    } marks[] = {{"-specs", "/"},
                 {"--specs", "/"},
                 {"--gcc-toolchain", ""},
                 {"-Wp,", ""},
                 {"-Xassembler", ""},
                 {"-Wa,", "@"},
                 {"-pipe", ""},
                 {"-Xpreprocessor", ""},
                 {"-Xclang", ""},
                 {"-fplugin", ""},
                 {"-fauto-profile", ""},
                 {"-fprofile-use", ""},
                 {"-fprofile-instr-use", ""},
                 {"-fprofile-sample-use", ""}};
    for (size_t i = 0; i < options->count; i++)
        for (size_t k = 0; k < sizeof marks / sizeof marks[0]; k++)
            if (rp_has_prefix(options->items[i], marks[k].start) &&
                strstr(options->items[i], marks[k].part) != NULL)
                return true;
    return false;
}

static bool is_below(const char *path, const char *folder) {
    size_t len = folder != NULL ? strlen(folder) : 0;
    return len != 0 && rp_has_prefix(path, folder) &&
           (folder[len - 1] == '/' || path[len] == '/') && strstr(path + len, "/../") == NULL;
}

/*
 * Does a file that the unit reads contain one of the texts? Those of relocpack and the C library do
 * not.
 */
static bool has_text(struct rp_build *build, const struct rp_unit *unit, const char *const *texts,
                     struct rp_strings *innocent) {
    const char *rule = text_of(build, rp_format(build->arena, "obj/%03u.d", unit->number));
    struct rp_strings read = {0};
    bool found = false;
    rp_strings_push(build->arena, &read, unit->source);
    rp_depends_parse(&read, build->arena, rule);
    for (size_t i = 0; !found && i < read.count; i++) {
        const char *path = rp_path_join(build->arena, build->dir, read.items[i]);
        struct rp_arena arena = {0};
        struct rp_bytes text;
        if (rp_strings_have(innocent, path) || is_below(path, build->libc_headers) ||
            is_below(path, build->options->data_dir))
            continue;
        if (rp_file_look(&arena, path, TEXT_MAX, &text, NULL))
            for (size_t k = 0; !found && texts[k] != NULL; k++)
                found = memmem(text.data, text.size, texts[k], strlen(texts[k])) != NULL;
        rp_arena_release(&arena);
        if (!found)
            rp_strings_push(build->arena, innocent, path);
    }
    return found;
}

/*
 * May the assembler have read files that no list has? clang has no list, so any assembly counts, as
 * well as anything that could make the word from pieces.
 */
static bool may_read_more(struct rp_build *build, const struct rp_unit *unit,
                          struct rp_strings *listed, struct rp_strings *innocent) {
    static const char *const assembly[] = {"asm", "##", "%:", "?\?/", "a\\", "s\\", NULL};
    if (has_unknown_files(&unit->cc))
        return true;
    if (rp_unit_is_ours(unit))
        return false;
    return build->options->compiler == NULL ? !add_assembled(build, unit, listed)
                                            : has_text(build, unit, assembly, innocent);
}

bool rp_build_set_apart(struct rp_build *build) {
    /* in a unit whose headers are found by name: leaves the searched folders */
    static const char *const leaves[] = {"../", NULL};
    struct rp_strings innocent[2] = {{0}};
    bool any = false;
    for (size_t i = 0; build->options->launcher[0] != '\0' && i < build->units.count; i++) {
        struct rp_unit *unit = &build->units.items[i];
        struct rp_strings read = {0};
        char made = unit->assembly.count != 0 ? 's' : 'o';
        if (unit->looked_at || unit->alone)
            continue;
        unit->looked_at = rp_path_is_file(
            rp_build_path(build, rp_format(build->arena, "obj/%03u.%c", unit->number, made)));
        unit->alone = unit->looked_at
                          ? may_read_more(build, unit, &read, &innocent[0]) || read.count != 0 ||
                                (unit->own && has_text(build, unit, leaves, &innocent[1]))
                          : has_unknown_files(&unit->cc);
        if (unit->alone)
            memset(unit->made, 0, sizeof unit->made);
        any = any || unit->alone;
    }
    return any;
}

bool rp_build_knows_files(struct rp_build *build) {
    struct rp_strings innocent = {0}, read = {0};
    for (size_t i = 0; i < build->units.count; i++)
        if (!build->units.items[i].waits &&
            may_read_more(build, &build->units.items[i], &read, &innocent))
            return false;
    return true;
}

void rp_build_depends(struct rp_build *build, struct rp_strings *names) {
    static const char *const kinds[] = {".cpp.d", ".d"};
    struct rp_strings found = {0};
    if (build->dir == NULL)
        return;
    for (size_t i = 0; i < build->units.count; i++)
        (void)add_assembled(build, &build->units.items[i], &found);
    for (size_t i = 0; i < build->units.count; i++)
        for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
            rp_depends_parse(&found, build->arena,
                             text_of(build, rp_format(build->arena, "obj/%03u%s",
                                                      build->units.items[i].number, kinds[k])));
    rp_depends_of_map(&found, build->arena, text_of(build, "image.map"));
    rp_depends_parse(&found, build->arena, text_of(build, "image.d")); /* lld */
    for (size_t i = 1; i < build->link.count; i++)
        if (strcmp(build->link.items[i - 1], "-T") == 0)
            rp_strings_push(build->arena, &found, build->link.items[i]);
    for (size_t i = 0; i < found.count; i++) {
        const char *path = rp_path_join(build->arena, build->dir, found.items[i]);
        if (!rp_workspace_is_own(&build->workspace, path) && !rp_strings_have(names, path))
            rp_strings_push(build->arena, names, path);
    }
}
