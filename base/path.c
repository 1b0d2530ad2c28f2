/* SPDX-License-Identifier: Apache-2.0 */
/* File names: see path.h. */
#include "base/path.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char *rp_path_join(struct rp_arena *arena, const char *dir, const char *name) {
    bool here = strcmp(dir, ".") == 0 && name[0] != '\0';
    if (name[0] == '/' || dir[0] == '\0' || here)
        return rp_strdup(arena, name);
    return rp_format(arena, "%s%s%s", dir, dir[strlen(dir) - 1] == '/' ? "" : "/", name);
}

char *rp_path_dir(struct rp_arena *arena, const char *path) {
    const char *slash = strrchr(path, '/');
    if (slash == NULL)
        return rp_strdup(arena, ".");
    return slash == path ? rp_strdup(arena, "/") : rp_strndup(arena, path, (size_t)(slash - path));
}

const char *rp_path_base(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

char *rp_path_stem(struct rp_arena *arena, const char *path) {
    const char *dot = strrchr(rp_path_base(path), '.');
    return dot != NULL && dot != rp_path_base(path) ? rp_strndup(arena, path, (size_t)(dot - path))
                                                    : rp_strdup(arena, path);
}

bool rp_has_suffix(const char *text, const char *suffix) {
    size_t len = strlen(text), tail = strlen(suffix);
    return len >= tail && memcmp(text + len - tail, suffix, tail) == 0;
}

const char *rp_path_member(const char *text) {
    size_t at = strlen(text), depth = 0;
    if (at == 0 || text[at - 1] != ')')
        return NULL;
    while (at-- != 0) { /* names of members may contain parentheses, too: "conv (1).o" */
        depth += text[at] == ')';
        depth -= text[at] == '(';
        if (depth == 0)
            return text + at;
    }
    return NULL;
}

bool rp_has_prefix(const char *text, const char *prefix) {
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

bool rp_has_word(const char *words, const char *word) {
    size_t len = strlen(word);
    for (; *words != '\0'; words += strcspn(words, " ")) {
        words += strspn(words, " ");
        if (len != 0 && strcspn(words, " ") == len && strncmp(words, word, len) == 0)
            return true;
    }
    return false;
}

char *rp_path_absolute(struct rp_arena *arena, const char *path, struct rp_error *err) {
    if (path[0] == '/')
        return rp_strdup(arena, path);
    char *cwd = getcwd(NULL, 0);
    if (cwd == NULL) {
        rp_fail_errno(err, errno, "cannot find the current folder for", path);
        return NULL;
    }
    char *joined = rp_path_join(arena, cwd, strcmp(path, ".") == 0 ? "" : path);
    free(cwd);
    return joined;
}

bool rp_path_is_dir(const char *path) {
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

bool rp_path_is_file(const char *path) {
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

bool rp_path_is_script(const char *path) {
    char begin[2] = "";
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    bool script = fd >= 0 && read(fd, begin, 2) == 2 && memcmp(begin, "#!", 2) == 0;
    if (fd >= 0)
        close(fd);
    return script;
}

bool rp_path_is_link(const char *path) {
    struct stat st;
    return lstat(path, &st) == 0 && S_ISLNK(st.st_mode);
}

bool rp_path_same(const char *a, const char *b) {
    struct stat sa, sb;
    return stat(a, &sa) == 0 && stat(b, &sb) == 0 && sa.st_dev == sb.st_dev &&
           sa.st_ino == sb.st_ino;
}

struct rp_path_id rp_path_id(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 ? (struct rp_path_id){info.st_dev, info.st_ino}
                                  : (struct rp_path_id){0};
}

static bool is_keyword(const char *text) {
    static const char *const words[] = {
        "auto",     "break",   "case",   "char",     "const",  "continue", "default",
        "do",       "double",  "else",   "enum",     "extern", "float",    "for",
        "goto",     "if",      "inline", "int",      "long",   "main",     "register",
        "restrict", "return",  "short",  "signed",   "sizeof", "static",   "struct",
        "switch",   "typedef", "union",  "unsigned", "void",   "while",    "volatile"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(text, words[i]) == 0)
            return true;
    return false;
}

char *rp_c_identifier(struct rp_arena *arena, const char *text) {
    bool prefix = text[0] == '\0' || isdigit((unsigned char)text[0]) || is_keyword(text);
    char *name = rp_format(arena, "%s%s", prefix ? "_" : "", text);
    for (char *c = name; *c != '\0'; c++)
        if ((unsigned char)*c >= 0x80 || !(isalnum((unsigned char)*c) || *c == '_'))
            *c = '_';
    return name;
}

bool rp_is_c_name(const char *text) {
    for (const char *c = text; *c != '\0'; c++)
        if ((unsigned char)*c < 0x80 && !isalnum((unsigned char)*c) && *c != '_')
            return false;
    return text[0] != '\0' && !isdigit((unsigned char)text[0]) && !is_keyword(text);
}

char *rp_c_string(struct rp_arena *arena, const char *text) {
    char *copy = rp_alloc(arena, 2 * strlen(text) + 1, 1);
    char *at = copy;
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\' || *text == '\n')
            *at++ = '\\';
        *at++ = *text == '\n' ? 'n' : *text;
    }
    return copy;
}

char *rp_upper(struct rp_arena *arena, const char *text) {
    char *copy = rp_strdup(arena, text);
    for (char *c = copy; *c != '\0'; c++)
        *c = (char)toupper((unsigned char)*c);
    return copy;
}

char *rp_find_program(struct rp_arena *arena, const char *name) {
    if (strchr(name, '/') != NULL)
        return access(name, X_OK) == 0 ? rp_strdup(arena, name) : NULL;
    const char *path = getenv("PATH");
    while (path != NULL && *path != '\0') {
        size_t len = strcspn(path, ":");
        char *dir = len != 0 ? rp_strndup(arena, path, len) : rp_strdup(arena, ".");
        char *file = rp_path_join(arena, dir, name);
        if (rp_path_is_file(file) && access(file, X_OK) == 0)
            return file;
        path += len + (path[len] == ':');
    }
    return NULL;
}
