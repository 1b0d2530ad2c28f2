/* SPDX-License-Identifier: Apache-2.0 */
/* Explains messages of compilers and linkers: see messages.h. */
#include "toolchain/compile/messages.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/path.h"
#include "toolchain/compile/headers.h"

enum { SHOWN_ERRORS = 3, SHOWN_LINES = 6 };

/* ---- the first errors ---- */

static bool is_error_line(const char *line, size_t len) {
    static const char *const marks[] = {": error:",
                                        ": fatal error:",
                                        "undefined reference",
                                        "ld: error",
                                        " cannot find ",
                                        ": Error:",
                                        "unplaced orphan",
                                        "multiple definition",
                                        "region `",
                                        "dangerous relocation",
                                        "internal compiler error",
                                        "bin/ld: "};
    if (memmem(line, len, "warning: ", strlen("warning: ")) != NULL)
        return false;
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
        if (memmem(line, len, marks[i], strlen(marks[i])) != NULL)
            return true;
    return false;
}

char *rp_first_diagnostics(struct rp_arena *arena, const char *log) {
    struct rp_buf out = {.arena = arena};
    unsigned errors = 0, lines_left = 0;
    for (const char *line = log; *line != '\0' && errors <= SHOWN_ERRORS;) {
        size_t len = strcspn(line, "\n");
        if (is_error_line(line, len) && ++errors <= SHOWN_ERRORS)
            lines_left = SHOWN_LINES;
        if (lines_left != 0 && errors <= SHOWN_ERRORS && strncmp(line, "make", 4) != 0) {
            rp_buf_printf(&out, "\n  %.*s", len < 300 ? (int)len : 300, line);
            lines_left--;
        }
        line += len + (line[len] == '\n');
    }
    if (errors == 0)
        rp_buf_printf(&out, "\n  %.*s", 1000, log);
    return rp_buf_text(&out);
}

bool rp_hint_wrapper(const char *header, struct rp_error *err) {
    return rp_hint(err,
                   "write a C++ file with the call and give that with -i: #include \"%s\" and "
                   "extern \"C\" void run(const float in[4], float out[1]) { ... }, with the sizes "
                   "of the model",
                   rp_path_base(header));
}

const char *rp_said_hint(const char *output) {
    static const char registers[] = "the assembly in this function needs more registers than there "
                                    "are: leave -fno-omit-frame-pointer, -O0 and -Og out of "
                                    "--cflags";
    static const char assembly[] =
        "name the folder of that file with -I: .incbin and .include search "
        "those";
    static const char arduino[] = "that belongs to Arduino's core, and an image has only its "
                                  "integer types, mathematics and PROGMEM: leave it to the sketch";
    static const struct {
        const char *mark, *hint;
    } rows[] = {
        {"r7 cannot be used in 'asm' here", registers},
        {"impossible constraint in 'asm'", registers},
        {"'asm' operand has impossible constraints", registers},
        {"Error: file not found:", assembly},
        {"for reading: No such file", assembly},
        {"Could not find incbin file", assembly},
        {"Could not find include file", assembly},
        {"'Serial' was not declared", arduino},
        {"'Serial' undeclared", arduino},
        {"'String' was not declared", arduino},
        {"'String' does not name a type", arduino},
        {"'String' has not been declared", arduino},
        {"unknown type name 'String'", arduino},
        {"'millis' was not declared", arduino},
        {"'micros' was not declared", arduino},
        {"'delay' was not declared", arduino},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strstr(output, rows[i].mark) != NULL)
            return rows[i].hint;
    return NULL;
}

/* ---- messages with a name ---- */

/* The start of the line that at is in. */
static const char *line_of(const char *output, const char *at) {
    while (at > output && at[-1] != '\n')
        at--;
    return at;
}

/* "error: A uses VFP register arguments, B does not" */
static bool check_float_abi(const char *output, struct rp_error *err) {
    static const char middle[] = " uses VFP register arguments, ", end[] = " does not";
    const char *at = strstr(output, middle);
    if (at == NULL)
        return true;
    const char *line = line_of(output, at);
    const char *mark = NULL, *other = at + sizeof middle - 1;
    for (const char *next = line; (next = strstr(next, "error: ")) != NULL && next < at; next++)
        mark = next + strlen("error: ");
    const char *stop = strstr(other, end);
    char name[512];
    if (stop == NULL || memchr(other, '\n', (size_t)(stop - other)) != NULL)
        return true;
    bool model = strncmp(other, "image.elf", strlen("image.elf")) == 0;
    const char *from = model && mark != NULL ? mark : other;
    snprintf(name, sizeof name, "%.*s", (int)((model ? at : stop) - from), from);
    if (model) {
        rp_fail(err, RP_E_ABI_MISMATCH,
                "the model's code passes floating-point arguments in core registers, but '%s' in "
                "VFP registers, as the target does: functions would read wrong arguments",
                name);
        return rp_hint(err, "leave -mfloat-abi and -mfpu out of --cflags: the target sets them "
                            "(`relocpack targets` shows how)");
    }
    rp_fail(err, RP_E_ABI_MISMATCH,
            "'%s' passes floating-point arguments in core registers (it is compiled with "
            "-mfloat-abi=soft or softfp), the image in VFP registers (-mfloat-abi=hard): functions "
            "would read wrong arguments",
            name);
    rp_fail_in(err, name, 0);
    return rp_hint(err, "compile it with -mfloat-abi=hard and the other flags that `relocpack "
                        "targets` shows for the series, or take the archive for this float ABI");
}

/* "error: fp16 format mismatch between A and B" */
static bool check_halves(const char *output, struct rp_error *err) {
    static const char mark[] = "fp16 format mismatch between ", middle[] = " and image.elf";
    const char *at = strstr(output, mark);
    if (at == NULL)
        return true;
    at += sizeof mark - 1;
    const char *end = strstr(at, middle);
    size_t len = strcspn(at, "\n");
    char name[512];
    if (end != NULL && (size_t)(end - at) < len)
        len = (size_t)(end - at);
    snprintf(name, sizeof name, "%.*s", (int)len, at);
    rp_fail(err, RP_E_ABI_MISMATCH,
            "'%s' uses another format of half-precision numbers than what it is linked with: each "
            "would misread the other's values",
            name);
    rp_fail_in(err, name, 0);
    return rp_hint(err, "compile all of it with -mfp16-format=ieee");
}

static bool is_one_of(const char *name, size_t len, const char *const names[]) {
    for (size_t i = 0; names[i] != NULL; i++)
        if (strlen(names[i]) == len && memcmp(names[i], name, len) == 0)
            return true;
    return false;
}

/* Headers of the standard C++ library: they have no suffix. */
static bool is_cplusplus_header(const char *name, size_t len) {
    static const char *const names[] = {"algorithm",
                                        "any",
                                        "array",
                                        "atomic",
                                        "bitset",
                                        "cassert",
                                        "cctype",
                                        "cerrno",
                                        "cfenv",
                                        "cfloat",
                                        "chrono",
                                        "cinttypes",
                                        "climits",
                                        "cmath",
                                        "complex",
                                        "concepts",
                                        "cstdarg",
                                        "cstddef",
                                        "cstdint",
                                        "cstdio",
                                        "cstdlib",
                                        "cstring",
                                        "ctime",
                                        "deque",
                                        "exception",
                                        "forward_list",
                                        "fstream",
                                        "functional",
                                        "initializer_list",
                                        "iomanip",
                                        "iostream",
                                        "istream",
                                        "iterator",
                                        "limits",
                                        "list",
                                        "map",
                                        "memory",
                                        "mutex",
                                        "new",
                                        "numeric",
                                        "optional",
                                        "ostream",
                                        "queue",
                                        "random",
                                        "ratio",
                                        "set",
                                        "span",
                                        "sstream",
                                        "stack",
                                        "stdexcept",
                                        "string",
                                        "string_view",
                                        "tuple",
                                        "type_traits",
                                        "typeinfo",
                                        "unordered_map",
                                        "unordered_set",
                                        "utility",
                                        "valarray",
                                        "variant",
                                        "vector",
                                        NULL};
    return is_one_of(name, len, names);
}

static bool is_c_header(const char *name, size_t len) {
    static const char *const names[] = {"assert.h",   "ctype.h",  "errno.h",  "fenv.h",
                                        "inttypes.h", "locale.h", "math.h",   "setjmp.h",
                                        "signal.h",   "stdio.h",  "stdlib.h", "string.h",
                                        "time.h",     "wchar.h",  NULL};
    return is_one_of(name, len, names);
}

/* "FILE:1:10: fatal error: vector: No such file or directory" */
static bool check_header(const char *output, bool cplusplus, struct rp_error *err) {
    static const char mark[] = ": fatal error: ", end[] = ": No such file or directory";
    const char *at = strstr(output, mark);
    const char *stop = at != NULL ? strstr(at, end) : NULL;
    if (stop == NULL || memchr(at, '\n', (size_t)(stop - at)) != NULL || at == output ||
        !isdigit((unsigned char)at[-1])) /* the driver's messages have no line */
        return true;
    const char *line = line_of(output, at), *name = at + sizeof mark - 1;
    size_t len = (size_t)(stop - name);
    int place = (int)(at - line);
    if (is_cplusplus_header(name, len) && !cplusplus) {
        rp_fail(err, RP_E_COMPILE,
                "%.*s: <%.*s> is a C++ header, but the file that includes it is compiled as C",
                place, line, (int)len, name);
        char header[256];
        snprintf(header, sizeof header, "%.*s", (int)strcspn(line, ":"), line);
        return rp_hint_wrapper(header, err);
    }
    if (is_cplusplus_header(name, len)) {
        rp_fail(err, RP_E_HEADERS, "%.*s: <%.*s> was not found: the compiler has no C++ library",
                place, line, (int)len, name);
        return rp_hint(err, "on Debian: apt-get install libstdc++-arm-none-eabi-newlib (`relocpack "
                            "doctor` checks it)");
    }
    if (is_c_header(name, len)) {
        rp_fail(err, RP_E_HEADERS, "%.*s: <%.*s> was not found: the compiler has no C library",
                place, line, (int)len, name);
        return rp_hint(err, "on Debian: apt-get install libnewlib-arm-none-eabi (`relocpack "
                            "doctor` checks it)");
    }
    rp_fail(err, RP_E_COMPILE, "the compiler failed:\n  %.*s: fatal error: %.*s%s", place, line,
            (int)len, name, end);
    char file[512], header[256];
    snprintf(file, sizeof file, "%.*s", (int)strcspn(line, ":"), line);
    snprintf(header, sizeof header, "%.*s", (int)len, name);
    unsigned long number = strtoul(line + strlen(file) + 1, NULL, 10);
    return rp_hint_missing_header(file, (unsigned)number, header, err);
}

/* C++ compiled as C fails at the first word that C does not have. */
static bool check_language(const char *output, bool cplusplus, struct rp_error *err) {
    static const char *const words[] = {"namespace", "class",     "template",
                                        "using",     "constexpr", "typename"};
    static const char mark[] = ": error: unknown type name '";
    const char *at = strstr(output, mark);
    if (at == NULL || cplusplus)
        return true;
    const char *line = line_of(output, at), *word = at + sizeof mark - 1;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        size_t len = strlen(words[i]);
        if (strncmp(word, words[i], len) != 0 || word[len] != '\'')
            continue;
        rp_fail(err, RP_E_COMPILE, "%.*s: '%s' is C++, but the file is compiled as C",
                (int)(at - line), line, words[i]);
        char header[512];
        snprintf(header, sizeof header, "%.*s", (int)strcspn(line, ":"), line);
        return rp_hint_wrapper(header, err);
    }
    return true;
}

/* Reads the text between `marks' that begins at *at; false when it does not end in its line. */
static bool read_marked(const char **at, char *name, size_t size) {
    size_t len = **at == '`' ? strcspn(*at + 1, "'\n") : 0;
    if (len == 0 || (*at)[len + 1] != '\'')
        return false;
    snprintf(name, size, "%.*s", (int)len, *at + 1);
    *at += len + 2;
    return true;
}

/* "unplaced orphan section `.x' from `FILE'" */
static bool check_orphan(const char *output, struct rp_error *err) {
    static const char mark[] = "unplaced orphan section ", from[] = " from ";
    const char *at = strstr(output, mark);
    char section[256], file[512];
    if (at == NULL)
        return true;
    at += sizeof mark - 1;
    if (!read_marked(&at, section, sizeof section) || strncmp(at, from, sizeof from - 1) != 0)
        return true;
    at += sizeof from - 1;
    if (!read_marked(&at, file, sizeof file))
        return true;
    rp_fail(err, RP_E_ORPHAN, "%s: no part of an image takes a section named '%s'", file, section);
    rp_fail_in(err, file, 0);
    return rp_hint(err,
                   "remove __attribute__((section(\"%s\"))), or name the section after what it "
                   "holds: .rodata.NAME for constants, .data.NAME for variables, .bss.NAME for "
                   "zeros, .text.NAME for code",
                   section);
}

/* "`w' referenced in section `.text' of FILE: defined in discarded section `.x' of FILE" */
static bool check_discarded(const char *output, struct rp_error *err) {
    static const char mark[] = ": defined in discarded section ", of[] = " of ";
    const char *at = strstr(output, mark);
    char symbol[256], section[256];
    if (at == NULL)
        return true;
    const char *line = line_of(output, at);
    const char *named = memchr(line, '`', (size_t)(at - line));
    at += sizeof mark - 1;
    if (named == NULL || !read_marked(&named, symbol, sizeof symbol) ||
        !read_marked(&at, section, sizeof section) || strncmp(at, of, sizeof of - 1) != 0)
        return true;
    at += sizeof of - 1;
    char file[512];
    snprintf(file, sizeof file, "%.*s", (int)strcspn(at, "\n"), at);
    if (strchr(section, '[') != NULL) { /* ".text.f[group]" */
        rp_fail(err, RP_E_LINK,
                "%s: '%s' is needed and lies in section '%s', but the linker took that COMDAT "
                "group from another file",
                file, symbol, section);
        rp_fail_in(err, file, 0);
        return rp_hint(err, "compile both files with the same compiler and flags; in assembly, a "
                            "group's local symbols are for the group alone");
    }
    if (rp_has_prefix(section, ".data") || rp_has_prefix(section, ".rodata") ||
        rp_has_prefix(section, ".bss") || rp_has_prefix(section, ".text")) {
        rp_fail(err, RP_E_ORPHAN,
                "%s: the linker leaves out section '%s', where '%s' lies: it is linked to another "
                "section (SHF_LINK_ORDER), which nothing uses",
                file, section, symbol);
        rp_fail_in(err, file, 0);
        return rp_hint(err, "remove the letter o from the section's flags");
    }
    rp_fail(err, RP_E_ORPHAN,
            "%s: '%s' lies in a section named '%s', but sections of such names (comments, debug "
            "information, unwinding tables) are not loaded",
            file, symbol, section);
    rp_fail_in(err, file, 0);
    return rp_hint(err,
                   "remove __attribute__((section(\"%s\"))), or choose another name, such as "
                   ".rodata.NAME for constants and .data.NAME for variables",
                   section);
}

/*
 * The file that a message of the linker is about. "FILE:(.text+0x8): …" names it. For "(.text+0x8):
 * …" and "source.c:2: …", an earlier line does: "FILE: in function `f':".
 */
static void find_blamed(const char *output, const char *at, char *file, size_t size) {
    static const char program[] = "bin/ld: ", inside[] = ": in function `";
    const char *line = at;
    for (bool first = true; line > output; first = false) {
        const char *end = line;
        line = line_of(output, line - 1);
        const char *stop = memmem(line, (size_t)(end - line), inside, sizeof inside - 1);
        if (stop == NULL && first)
            stop = memmem(line, (size_t)(end - line), ":(", 2);
        const char *start = memmem(line, (size_t)(end - line), program, sizeof program - 1);
        start = start != NULL ? start + sizeof program - 1 : line;
        if (stop > start) {
            snprintf(file, size, "%.*s", (int)(stop - start), start);
            return;
        }
    }
    snprintf(file, size, "the model");
}

/* "FILE:(.data.v+0x0): multiple definition of `v'; OTHER:(.data.v+0x0): first defined here" */
static bool check_twice(const char *output, struct rp_error *err) {
    static const char mark[] = ": multiple definition of ", end[] = ": first defined here";
    const char *found = strstr(output, mark), *at = found != NULL ? found + sizeof mark - 1 : NULL;
    char symbol[256], file[512], other[512] = "another file";
    if (found == NULL || !read_marked(&at, symbol, sizeof symbol))
        return true;
    find_blamed(output, found, file, sizeof file);
    size_t len = strcspn(at, "\n");
    if (strncmp(at, "; ", 2) == 0 && memmem(at, len, end, sizeof end - 1) != NULL) {
        at += 2;
        const char *stop = strpbrk(at, ":\n"); /* "OTHER:(…)" or "OTHER:other.c:10" */
        snprintf(other, sizeof other, "%.*s", (int)(stop - at), at);
    }
    rp_fail(err, RP_E_LINK, "%s: it defines '%s', which %s defines as well", file, symbol, other);
    rp_fail_in(err, file, 0);
    rp_fail_symbol(err, symbol);
    return rp_hint(err, "make one of them static, or leave one of the two files out");
}

/* "(.rodata+0x0): relocation truncated to fit: R_ARM_ABS16 against symbol `w' defined in …" */
static bool check_field(const char *output, struct rp_error *err) {
    static const char mark[] = ": relocation truncated to fit: ";
    const char *found = strstr(output, mark), *at = found != NULL ? found + sizeof mark - 1 : NULL;
    char symbol[256], file[512];
    const char *named = found != NULL ? memchr(at, '`', strcspn(at, "\n")) : NULL;
    if (named == NULL || !read_marked(&named, symbol, sizeof symbol))
        return true;
    find_blamed(output, found, file, sizeof file);
    rp_fail(err, RP_E_LINK,
            "%s: an address or a distance does not fit the field that has to hold it: %.*s of '%s'",
            file, (int)strcspn(at, " \n"), at, symbol);
    rp_fail_in(err, file, 0);
    rp_fail_symbol(err, symbol);
    return rp_hint(err, "addresses have 32 bits: store a whole word, or an index");
}

/* "(.data+0x0): dangerous relocation: unsupported relocation" */
static bool check_relocation(const char *output, struct rp_error *err) {
    static const char mark[] = ": dangerous relocation: ";
    const char *found = strstr(output, mark), *place = found;
    char file[512];
    if (found == NULL)
        return true;
    while (place > output && place[-1] != '\n' && *place != '(')
        place--;
    find_blamed(output, found, file, sizeof file);
    rp_fail(err, RP_E_LINK, "%s: the linker does not support a relocation, at %.*s: %.*s", file,
            (int)(found - place), place, (int)strcspn(found + sizeof mark - 1, "\n"),
            found + sizeof mark - 1);
    rp_fail_in(err, file, 0);
    return rp_hint(err, "compile it with the flags that `relocpack targets` shows; `arm-none-eabi-"
                        "readelf -r` lists relocations");
}

/* For a hidden symbol, the linker itself requires a definition. */
static bool check_hidden(const char *output, struct rp_error *err) {
    static const char mark[] = ": hidden symbol ", undefined[] = "undefined reference to `";
    const char *found = strstr(output, mark), *at = found != NULL ? found + sizeof mark - 1 : NULL;
    char symbol[256], file[512] = "the model";
    if (found == NULL || !read_marked(&at, symbol, sizeof symbol) ||
        strncmp(at, " isn't defined", strlen(" isn't defined")) != 0)
        return true;
    const char *use = strstr(output, undefined);
    if (use != NULL)
        find_blamed(output, use, file, sizeof file);
    rp_fail(err, RP_E_UNDEFINED, "1 undefined symbol reference:\n  '%s' needed by %s", symbol,
            file);
    rp_fail_symbol(err, symbol);
    return rp_hint(err, "add the source that defines it, or the archive with --runtime-lib");
}

/* The file after the name of the program in "…/ld: FILE: what" and "…/ld: error: FILE: what". */
static bool read_file_before(const char *output, const char *what, char *file, size_t size) {
    static const char program[] = "ld: ", error[] = "error: ";
    const char *found = strstr(output, what);
    if (found == NULL)
        return false;
    const char *line = line_of(output, found);
    const char *at = memmem(line, (size_t)(found - line), program, sizeof program - 1);
    if (at == NULL)
        return false;
    at += sizeof program - 1;
    if (strncmp(at, error, sizeof error - 1) == 0)
        at += sizeof error - 1;
    snprintf(file, size, "%.*s", (int)(found - at), at);
    return true;
}

static bool check_archives(const char *output, struct rp_error *err) {
    char file[512];
    if (strstr(output, ".gnu.sgstubs") != NULL) {
        rp_fail(err, RP_E_ORPHAN,
                "the model has entry functions for the non-secure state (cmse_nonsecure_entry): "
                "they need gates at an address that is fixed when the firmware is built");
        return rp_hint(err, "leave that to the firmware: it calls the image's functions");
    }
    if (read_file_before(output, ": error adding symbols: archive has no index", file,
                         sizeof file)) {
        rp_fail(err, RP_E_LINK, "%s: the archive has no index, which says where functions are",
                file);
        rp_fail_in(err, file, 0);
        return rp_hint(err, "make one: arm-none-eabi-ranlib '%s'", file);
    }
    if (read_file_before(output, ": conflicting use of R9", file, sizeof file)) {
        rp_fail(
            err, RP_E_ABI_MISMATCH,
            "%s states that r9 is a static base (clang's -frwpi) or has other uses, but the model "
            "finds its variables by a GOT",
            file);
        rp_fail_in(err, file, 0);
        return rp_hint(err,
                       "compile the model in the same way, with -r llvm, or what is named with "
                       "gcc and the flags that `relocpack targets` shows");
    }
    return true;
}

/*
 * What toolchain/calls/cplusplus.c has the compiler make for a function of a class:
 * "static __constinit ::NAME rp_object;"
 */
static bool check_object(const char *output, struct rp_error *err) {
    static const char head[] = "static __constinit ::", tail[] = " rp_object;";
    const char *name = strstr(output, head), *end = name != NULL ? strstr(name, tail) : NULL;
    if (end == NULL || memchr(name, '\n', (size_t)(end - name)) != NULL)
        return true;
    name += sizeof head - 1;
    int len = (int)(end - name);
    if (strstr(output, "'rp_object' does not have a constant initializer") != NULL) {
        rp_fail(err, RP_E_INIT_ARRAY,
                "the class '%.*s' of --entry has no constant initialiser: its constructor would "
                "run code at the start, which an image does not have",
                len, name);
        return rp_hint(err,
                       "make the constructor constexpr, or write a C++ file whose function has the "
                       "object: extern \"C\" void run(const float in[4], float out[1]) { static "
                       "%.*s object; ... }, without static if it keeps nothing between two runs",
                       len, name);
    }
    const char *first = strstr(output, ": error: ");
    if (first == NULL || first > name)
        return true;
    first += strlen(": error: ");
    rp_fail(err, RP_E_COMPILE, "no object of the class '%.*s' of --entry can be made: %.*s", len,
            name, (int)strcspn(first, "\n"), first);
    return rp_hint(err, "write a C++ file with a function that makes the object and calls it");
}

bool rp_check_said(const char *output, bool cplusplus, struct rp_error *err) {
    return check_float_abi(output, err) && check_halves(output, err) && check_orphan(output, err) &&
           check_discarded(output, err) && check_twice(output, err) && check_field(output, err) &&
           check_relocation(output, err) && check_hidden(output, err) &&
           check_archives(output, err) && check_header(output, cplusplus, err) &&
           check_language(output, cplusplus, err) && check_object(output, err);
}
