/* SPDX-License-Identifier: Apache-2.0 */
/* Explains headers that the compiler does not find: see headers.h. */
#include "toolchain/compile/headers.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/path.h"
#include "toolchain/compile/process.h"

enum { SOURCE_MAX = 1 << 28, DEPTH_MAX = 32 };

/* One #if. If the macro is defined, the following lines are left out, or the other way round. */
struct condition {
    const char *macro; /* NULL: another kind of condition */
    int len;
    unsigned line;
    bool left_out; /* a definition leaves the lines out; #else inverts this */
};

/* Reads "ifndef X", "ifdef X", "if !defined(X)" and "if defined X" after the '#'. */
static struct condition read_condition(const char *text, unsigned line) {
    struct condition found = {.line = line};
    if (strncmp(text, "ifndef", 6) == 0 || strncmp(text, "ifdef", 5) == 0) {
        found.left_out = text[2] == 'n';
        text += found.left_out ? 6 : 5;
    } else {
        text += strlen("if") + strspn(text + strlen("if"), " \t");
        found.left_out = *text == '!';
        text += found.left_out + strspn(text + found.left_out, " \t");
        if (strncmp(text, "defined", 7) != 0)
            return found;
        text += 7;
    }
    text += strspn(text, " \t(");
    while (isalnum((unsigned char)text[found.len]) || text[found.len] == '_')
        found.len++;
    const char *end = text + found.len + strspn(text + found.len, " \t)\r");
    if (found.len != 0 && (*end == '\n' || *end == '\0' || *end == '/'))
        found.macro = text;
    return found;
}

/* The innermost condition around a line; a header's guard defines its macro in the next line. */
static struct condition find_condition(const char *text, unsigned line) {
    struct condition open[DEPTH_MAX];
    size_t depth = 0;
    for (unsigned at = 1; at < line && *text != '\0'; at++) {
        const char *word = text + strspn(text, " \t");
        text += strcspn(text, "\n");
        text += *text == '\n';
        if (*word != '#')
            continue;
        word += 1 + strspn(word + 1, " \t");
        if (strncmp(word, "if", 2) == 0 && depth < DEPTH_MAX) {
            open[depth++] = read_condition(word, at);
            const char *next = text + strspn(text, " \t#");
            if (strncmp(next, "define", 6) == 0)
                open[depth - 1].macro = NULL;
        } else if (strncmp(word, "else", 4) == 0 && depth != 0) {
            open[depth - 1].left_out = !open[depth - 1].left_out;
        } else if (strncmp(word, "elif", 4) == 0 && depth != 0) {
            open[depth - 1].macro = NULL;
        } else if (strncmp(word, "endif", 5) == 0 && depth != 0) {
            depth--;
        }
    }
    return depth != 0 ? open[depth - 1] : (struct condition){0};
}

/* Who has headers that begin like this, when it is nothing that an image can have. */
static const char *owner_of(const char *header) {
    static const struct {
        const char *head, *owner;
    } rows[] = {
        {"windows.h", "Windows"},
        {"winsock", "Windows"},
        {"conio.h", "Windows"},
        {"stdafx.h", "a project of Visual C++"},
        {"pch.h", "a project of Visual C++"},
        {"sys/", "a host's operating system"},
        {"linux/", "a host's operating system"},
        {"netinet/", "a host's operating system"},
        {"arpa/", "a host's operating system"},
        {"mach/", "a host's operating system"},
        {"dlfcn.h", "a host's operating system"},
        {"execinfo.h", "a host's operating system"},
        {"omp.h", "OpenMP, for a host's threads"},
        {"x86intrin.h", "another processor"},
        {"immintrin.h", "another processor"},
        {"xmmintrin.h", "another processor"},
        {"emmintrin.h", "another processor"},
        {"opencv", "a host's library"},
        {"python.h", "a host's library"},
        {"numpy/", "a host's library"},
        {"cuda", "a host's library"},
        {"cblas.h", "a host's library"},
        {"mkl", "a host's library"},
        {"torch/", "a host's library"},
        {"onnxruntime", "a host's library"},
        {"tensorflow/c/", "a host's library"},
        {"mxc", "the driver of an accelerator, whose code is part of the firmware"},
        {"max7800", "the driver of an accelerator, whose code is part of the firmware"},
        {"ethosu", "the driver of an accelerator, whose code is part of the firmware"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strncasecmp(header, rows[i].head, strlen(rows[i].head)) == 0)
            return rows[i].owner;
    return NULL;
}

bool rp_hint_missing_header(const char *file, unsigned line, const char *header,
                            struct rp_error *err) {
    struct rp_arena arena = {0};
    struct rp_bytes text;
    struct condition around = {0};
    if (rp_file_read(&arena, file, SOURCE_MAX, &text, NULL))
        around = find_condition((const char *)text.data, line);
    const char *owner = owner_of(header);
    if (around.macro != NULL && around.left_out)
        rp_hint(err, "-D %.*s leaves it out (the condition in line %u)%s%s", around.len,
                around.macro, around.line,
                owner != NULL ? ": it belongs to "
                              : "; or name the "
                                "folder that has it "
                                "with -I",
                owner != NULL ? owner : "");
    else if (owner != NULL)
        rp_hint(err,
                "it belongs to %s, which an image does not contain: remove the #include and the "
                "code that needs it; if no code does, put an empty file of that name into a folder "
                "and name that with -I",
                owner);
    else
        rp_hint(err, "name the folder that has %s with -I", header);
    rp_arena_release(&arena);
    return false;
}

/* ---- Arduino ---- */

/* As gcc or clang says it. */
static bool is_missed(struct rp_build *build, const char *log, const char *header) {
    return strstr(log, rp_format(build->arena, "%s: No such file", header)) != NULL ||
           strstr(log, rp_format(build->arena, "'%s' file not found", header)) != NULL;
}

/* The words end with -c SOURCE -o OBJECT. */
static void search_last(struct rp_build *build, struct rp_strings *words, const char *folder) {
    struct rp_strings longer = {0};
    for (size_t i = 0; i < words->count; i++) {
        if (i + 4 == words->count)
            RP_PUSH_WORDS(build->arena, &longer, "-idirafter", folder);
        rp_strings_push(build->arena, &longer, words->items[i]);
    }
    *words = longer;
}

bool rp_build_lend_arduino(struct rp_build *build, const char *goal, size_t first) {
    const char *folder = rp_path_join(build->arena, build->options->data_dir, "templates/arduino");
    const char *path = rp_build_path(build, rp_format(build->arena, "%s.log", goal));
    const bool preprocessed = strcmp(goal, "preprocess") == 0;
    struct rp_bytes log;
    bool lent = false;
    if (!rp_file_read(build->arena, path, RP_PROCESS_OUTPUT_MAX, &log, NULL) ||
        (!is_missed(build, (const char *)log.data, "Arduino.h") &&
         !is_missed(build, (const char *)log.data, "avr/pgmspace.h")))
        return false;
    for (size_t i = first; i < build->units.count; i++) {
        struct rp_unit *unit = &build->units.items[i];
        if ((!preprocessed && !unit->unread) || rp_strings_have(&unit->cc, folder))
            continue;
        search_last(build, &unit->cpp, folder);
        search_last(build, &unit->cc, folder);
        lent = true;
    }
    return lent;
}
