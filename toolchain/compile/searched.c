/* SPDX-License-Identifier: Apache-2.0 */
/* Finds where a compiler looks for headers: see searched.h. */
#include "toolchain/compile/searched.h"

#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/path.h"

/* A cycle of links ends at the limit of names or of the system. */
static bool add_below(struct rp_buf *names, const char *folder, const char *prefix,
                      unsigned *left) {
    struct rp_strings found = {0};
    if (!rp_list_dir(names->arena, folder, &found, NULL))
        return false;
    for (size_t i = 0; i < found.count; i++) {
        const char *name = rp_format(names->arena, "%s%s", prefix, found.items[i]);
        const char *path = rp_path_join(names->arena, folder, found.items[i]);
        bool is_dir = rp_path_is_dir(path);
        char kind = is_dir ? 'd' : access(path, F_OK) == 0 ? 'f' : '-'; /* a link to nothing */
        if ((*left)-- == 0)
            return false;
        rp_buf_append(names, &kind, 1);
        rp_buf_append(names, name, strlen(name) + 1);
        if (is_dir && !add_below(names, path, rp_format(names->arena, "%s/", name), left))
            return false;
    }
    return true;
}

bool rp_searched_names(struct rp_buf *names, const char *folder) {
    unsigned left = RP_SEARCHED_MAX;
    rp_buf_append(names, "", 1); /* separates folders */
    return access(folder, F_OK) != 0 || add_below(names, folder, "", &left);
}

/*
 * What it says with -v: "ignoring … directory "FOLDER"", "cc1: warning: FILE: not a directory", and
 * a list of lines " FOLDER".
 */
static bool read_list(struct rp_arena *arena, const char *text, struct rp_strings *folders) {
    static const char ignoring[] = "ignoring ", end[] = "End of search list.",
                      warning[] = "warning: ", file[] = ": not a directory";
    bool listed = false, inside = false;
    while (*text != '\0') {
        size_t len = strcspn(text, "\n");
        const char *line = rp_strndup(arena, text, len), *quoted = strchr(line, '"');
        const char *warned = strstr(line, warning);
        if (rp_has_prefix(line, ignoring) && quoted != NULL)
            rp_strings_push(arena, folders,
                            rp_strndup(arena, quoted + 1, strcspn(quoted + 1, "\"")));
        else if (warned != NULL && rp_has_suffix(line, file))
            rp_strings_push(arena, folders,
                            rp_strndup(arena, warned + strlen(warning),
                                       strlen(warned) - strlen(warning) - strlen(file)));
        else if (inside && line[0] == ' ')
            rp_strings_push(arena, folders, line + 1);
        inside = rp_has_prefix(line, "#include ") || (inside && line[0] == ' ');
        listed = listed || strcmp(line, end) == 0;
        text += len + (text[len] != '\0');
    }
    return listed;
}

/* "-Wa,-I,FOLDER,-IFOLDER" */
static void add_assemblers(struct rp_arena *arena, const char *option, struct rp_strings *folders) {
    static const char start[] = "-Wa", mark[] = "-I";
    bool next = false;
    if (!rp_has_prefix(option, start))
        return;
    for (const char *at = option + strlen(start); *at == ',';) {
        const char *piece = rp_strndup(arena, at + 1, strcspn(at + 1, ","));
        bool is_mark = !next && rp_has_prefix(piece, mark);
        at += 1 + strlen(piece);
        if (next || (is_mark && piece[2] != '\0'))
            rp_strings_push(arena, folders, is_mark ? piece + 2 : piece);
        next = is_mark && piece[2] == '\0';
    }
}

bool rp_searched_folders(struct rp_build *build, const struct rp_strings *options, bool cplusplus,
                         struct rp_strings *folders) {
    struct rp_arena *arena = build->arena;
    struct rp_strings argv = {0};
    const char *text = "";
    rp_strings_push(arena, &argv, build->cc);
    for (size_t i = 0; i < options->count; i++)
        if (strcmp(options->items[i], "-w") !=
            0) /* a warning names a file where a folder is expected */
            rp_strings_push(arena, &argv, options->items[i]);
    RP_PUSH_WORDS(arena, &argv, "-E", "-v", "-x", "c", "/dev/null");
    if (cplusplus)
        RP_PUSH_WORDS(arena, &argv, "-x", "c++", "/dev/null");
    for (size_t i = 0; i < options->count; i++)
        add_assemblers(arena, options->items[i], folders);
    return rp_build_ask(build, &argv, &text, NULL) && read_list(arena, text, folders);
}

/* Adds the folders of a line "programs: =FOLDER:FOLDER"; each kind has one. */
static bool add_listed(struct rp_arena *arena, const char *text, const char *kind,
                       struct rp_strings *folders) {
    const char *at = strstr(text, kind);
    if (at == NULL)
        return false;
    for (at += strlen(kind); *at != '\n' && *at != '\0';) {
        size_t len = strcspn(at, ":\n");
        rp_strings_push(arena, folders, rp_strndup(arena, at, len));
        at += len + (at[len] == ':');
    }
    return true;
}

bool rp_searched_programs(struct rp_build *build, struct rp_strings *programs,
                          struct rp_strings *libraries) {
    struct rp_arena *arena = build->arena;
    const char *drivers[] = {build->ld, strcmp(build->cc, build->ld) != 0 ? build->cc : NULL};
    bool ok = true;
    for (size_t i = 0; ok && i < sizeof drivers / sizeof drivers[0] && drivers[i] != NULL; i++) {
        struct rp_strings argv = {0};
        const char *text = "";
        rp_strings_push(arena, &argv, drivers[i]);
        for (size_t k = 0; i == 0 && k < build->link.count; k++)
            if (rp_has_prefix(build->link.items[k], "-m")) /* they choose the libraries */
                rp_strings_push(arena, &argv, build->link.items[k]);
        rp_strings_push(arena, &argv, "-print-search-dirs");
        ok = rp_build_ask(build, &argv, &text, NULL) &&
             add_listed(arena, text, "programs: =", programs) &&
             add_listed(arena, text, "libraries: =", libraries);
    }
    for (size_t i = 1; i < build->link.count; i++)
        if (strcmp(build->link.items[i - 1], "-L") == 0)
            rp_strings_push(arena, libraries, build->link.items[i]);
        else if (rp_has_prefix(build->link.items[i], "-L"))
            rp_strings_push(arena, libraries, build->link.items[i] + strlen("-L"));
    return ok;
}
