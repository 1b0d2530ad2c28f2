/* SPDX-License-Identifier: Apache-2.0 */
/* Checks compiler options: see cflags.h. */
#include "toolchain/compile/cflags.h"

#include <string.h>

#include "base/path.h"

enum kind {
    WHOLE,  /* the exact word */
    NAME,   /* perhaps followed by letters, digits, +, - and . */
    TEXT,   /* the same, and = */
    BEGINS, /* perhaps followed by anything */
    TAKES   /* with a value, attached or in the next word */
};

/* Code generation, language, warnings, macros, search paths; and what only the linker uses. */
static const struct {
    const char *text;
    enum kind kind;
} allowed[] = {
    {"-O", BEGINS},
    {"-g", BEGINS},
    {"-f", BEGINS},
    {"-m", BEGINS},
    {"-W", BEGINS},
    {"-std=", BEGINS},
    {"--std=", BEGINS},
    {"-stdlib=", BEGINS},
    {"-specs=", BEGINS},
    {"--specs=", BEGINS},
    {"--sysroot=", BEGINS},
    {"--target=", BEGINS},
    {"--gcc-toolchain=", BEGINS},
    {"-no", BEGINS},
    {"--no-", BEGINS},
    {"-R", BEGINS},
    {"-Q", BEGINS},
    {"-l", BEGINS},
    {"-L", BEGINS},
    {"-pedantic", BEGINS},
    {"-w", WHOLE},
    {"-ansi", WHOLE},
    {"-pipe", WHOLE},
    {"-pthread", WHOLE},
    {"-undef", WHOLE},
    {"-trigraphs", WHOLE},
    {"-v", WHOLE},
    {"-H", WHOLE},
    {"-static", WHOLE},
    {"-s", WHOLE},
    {"-D", TAKES},
    {"-U", TAKES},
    {"-I", TAKES},
    {"-include", TAKES},
    {"-imacros", TAKES},
    {"-isystem", TAKES},
    {"-iquote", TAKES},
    {"-idirafter", TAKES},
    {"-isysroot", TAKES},
    {"-iprefix", TAKES},
    {"-iwithprefix", TAKES},
    {"--param", TAKES},
    {"-Xclang", TAKES},
    {"-Xassembler", TAKES},
    {"-Xpreprocessor", TAKES},
    {"-mllvm", TAKES},
};

/*
 * Options that, whatever their value, start and load nothing and write only the requested output.
 * An option -f without a value cannot name a file; one with a value may (-fplugin=, -fpass-plugin=,
 * -fmodule-mapper=|PROGRAM, -fopt-info-all=FILE), and -W with a comma passes options on. --sysroot
 * is not here, because specs files and the programs of clang are found below it.
 */
static const struct {
    const char *text;
    enum kind kind;
} inert[] = {
    {"-O", NAME},
    {"-g", WHOLE},
    {"-g0", WHOLE},
    {"-g1", WHOLE},
    {"-g2", WHOLE},
    {"-g3", WHOLE},
    {"-ggdb", NAME},
    {"-gdwarf", NAME},
    {"-gno-", NAME},
    {"-gline-tables-only", WHOLE},
    {"-gstrict-dwarf", WHOLE},
    {"-gcolumn-info", WHOLE},
    {"-f", NAME},
    {"-falign-functions=", NAME},
    {"-falign-jumps=", NAME},
    {"-falign-labels=", NAME},
    {"-falign-loops=", NAME},
    {"-fconstexpr-depth=", NAME},
    {"-fdebug-prefix-map=", BEGINS},
    {"-fdiagnostics-color=", NAME},
    {"-fexcess-precision=", NAME},
    {"-ffile-prefix-map=", BEGINS},
    {"-ffp-contract=", NAME},
    {"-ffp-model=", NAME},
    {"-finline-limit=", NAME},
    {"-fira-algorithm=", NAME},
    {"-fira-region=", NAME},
    {"-fmacro-prefix-map=", BEGINS},
    {"-fmax-errors=", NAME},
    {"-fmessage-length=", NAME},
    {"-fpack-struct=", NAME},
    {"-freorder-blocks-algorithm=", NAME},
    {"-fsanitize=", NAME},
    {"-fsimd-cost-model=", NAME},
    {"-fstack-reuse=", NAME},
    {"-fstrict-flex-arrays=", NAME},
    {"-ftemplate-depth=", NAME},
    {"-ftls-model=", NAME},
    {"-ftrivial-auto-var-init=", NAME},
    {"-fvect-cost-model=", NAME},
    {"-fvisibility=", NAME},
    {"-mabi=", NAME},
    {"-march=", NAME},
    {"-marm", WHOLE},
    {"-masm-syntax-unified", WHOLE},
    {"-mbranch-protection=", NAME},
    {"-mcmse", WHOLE},
    {"-mcpu=", NAME},
    {"-mexecute-only", WHOLE},
    {"-mfix-cmse-cve-2021-35465", WHOLE},
    {"-mfloat-abi=", NAME},
    {"-mfp16-format=", NAME},
    {"-mfpu=", NAME},
    {"-mimplicit-it=", NAME},
    {"-mlong-calls", WHOLE},
    {"-mno-", NAME},
    {"-mpic-data-is-text-relative", WHOLE},
    {"-mpic-register=", NAME},
    {"-mpoke-function-name", WHOLE},
    {"-mpure-code", WHOLE},
    {"-mrestrict-it", WHOLE},
    {"-msingle-pic-base", WHOLE},
    {"-mslow-flash-data", WHOLE},
    {"-mstructure-size-boundary=", NAME},
    {"-mthumb", NAME},
    {"-mtp=", NAME},
    {"-mtune=", NAME},
    {"-munaligned-access", WHOLE},
    {"-mword-relocations", WHOLE},
    {"-W", TEXT},
    {"-std=", TEXT},
    {"--std=", TEXT},
    {"-stdlib=", NAME},
    {"-nostd", NAME},
    {"-pedantic", NAME},
    {"-Qunused-arguments", WHOLE},
    {"-w", WHOLE},
    {"-ansi", WHOLE},
    {"-pipe", WHOLE},
    {"-pthread", WHOLE},
    {"-undef", WHOLE},
    {"-trigraphs", WHOLE},
    {"-v", WHOLE},
    {"-H", WHOLE},
    {"-static", WHOLE},
    {"-s", WHOLE},
    {"-D", TAKES},
    {"-U", TAKES},
    {"-I", TAKES},
    {"-include", TAKES},
    {"-imacros", TAKES},
    {"-isystem", TAKES},
    {"-iquote", TAKES},
    {"-idirafter", TAKES},
    {"-isysroot", TAKES},
    {"-iprefix", TAKES},
    {"-iwithprefix", TAKES},
    {"--param", TAKES},
};

#define OTHER_PROGRAMS                                                                             \
    "it makes other programs compile: use --cross-compile or --launcher to name programs"

/* Exceptions to the first table. */
static const struct {
    const char *text;
    enum kind kind;
    const char *why;
} refused[] = {
    {"-mpic-register=r9", WHOLE, NULL}, /* as relocpack itself gives it */
    {"-mpic-register=", BEGINS, "a loader keeps the address of the GOT in r9"},
    {"-specs=picolibc", BEGINS, "images are linked with newlib, whose headers differ"},
    {"--specs=picolibc", BEGINS, "images are linked with newlib, whose headers differ"},
    {"-flto", BEGINS, "objects of link-time optimisation contain no code that could be checked"},
    {"-fsyntax-only", WHOLE, "the compiler would write no object"},
    {"-B", BEGINS, OTHER_PROGRAMS},
    {"-wrapper", BEGINS, OTHER_PROGRAMS},
    {"-Wp,-M", BEGINS, "--depfile FILE writes the dependencies"},
};

static bool fits(const char *word, const char *text, enum kind kind) {
    static const char name[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-.=";
    if (kind == WHOLE || !rp_has_prefix(word, text))
        return strcmp(word, text) == 0;
    const char *rest = word + strlen(text);
    const char *end = rest + strspn(rest, name);
    return (kind != NAME && kind != TEXT) ||
           (*end == '\0' && (kind == TEXT || strchr(rest, '=') == NULL));
}

const char *rp_cflags_starts(const struct rp_strings *words) {
    for (size_t i = 0; i < words->count; i++) {
        const char *word = words->items[i];
        bool known = false, takes = false;
        for (size_t k = 0; !takes && k < sizeof inert / sizeof inert[0]; k++) {
            known = known || fits(word, inert[k].text, inert[k].kind);
            takes = inert[k].kind == TAKES && strcmp(word, inert[k].text) == 0;
        }
        /*
         * Compilers replace a word @FILE by those of the file, even after -D. A value that looks
         * like an option may be one, because a compiler may read the previous word differently.
         */
        if (!known || strchr(word, '@') != NULL)
            return word;
        if (takes && ++i < words->count &&
            (words->items[i][0] == '-' || strchr(words->items[i], '@') != NULL))
            return words->items[i];
    }
    return NULL;
}

/* Options whose value is a path, attached or in the next word. */
static const struct {
    const char *text;
    enum { FOLDER, SEARCHED /* in the current folder first, then in others */ } path;
} with_path[] = {
    {"-include", SEARCHED}, {"-imacros", SEARCHED}, {"-isystem", FOLDER}, {"-iquote", FOLDER},
    {"-idirafter", FOLDER}, {"-isysroot", FOLDER},  {"-iprefix", FOLDER}, {"--sysroot=", FOLDER},
    {"--specs=", SEARCHED}, {"-specs=", SEARCHED},  {"-I", FOLDER},       {"-L", FOLDER},
};

bool rp_cflags_absolute(struct rp_arena *arena, const struct rp_strings *words,
                        struct rp_strings *out, struct rp_error *err) {
    *out = (struct rp_strings){0};
    for (size_t i = 0; i < words->count; i++) {
        size_t k = 0, count = sizeof with_path / sizeof with_path[0];
        while (k < count && !rp_has_prefix(words->items[i], with_path[k].text))
            k++;
        const char *option = k < count ? with_path[k].text : "";
        const char *value = words->items[i] + strlen(option);
        bool apart = k < count && *value == '\0' && i + 1 < words->count;
        if (apart) {
            rp_strings_push(arena, out, option);
            value = words->items[++i];
        }
        /* "=" and "$SYSROOT" begin a path below the sysroot */
        bool relative = k < count && *value != '\0' && strchr("/=$-", *value) == NULL;
        const char *path = relative ? rp_path_absolute(arena, value, err) : value;
        if (path == NULL)
            return false;
        if (relative && with_path[k].path == SEARCHED && !rp_path_is_file(path) &&
            !rp_path_is_dir(path))
            path = value;
        rp_strings_push(arena, out, rp_format(arena, "%s%s", apart ? "" : option, path));
    }
    return true;
}

static bool fail(const char *word, const char *why, struct rp_error *err) {
    return rp_fail(err, RP_E_USAGE, "--cflags '%s': %s", word, why);
}

static const char *reason(const char *word) {
    return word[0] == '@'   ? "write the words of that file in --cflags itself"
           : word[0] != '-' ? "it is not an option; name more sources with --source"
           : rp_has_prefix(word, "-M")
               ? "--depfile FILE writes the dependencies"
               : "it may change which files the compiler writes, not only the code";
}

bool rp_cflags_check(const struct rp_strings *words, struct rp_error *err) {
    for (size_t i = 0; i < words->count; i++) {
        const char *word = words->items[i];
        bool known = false, takes = false;
        for (size_t k = 0; k < sizeof refused / sizeof refused[0]; k++) {
            if (!fits(word, refused[k].text, refused[k].kind))
                continue;
            if (refused[k].why != NULL)
                return fail(word, refused[k].why, err);
            break;
        }
        for (size_t k = 0; !takes && k < sizeof allowed / sizeof allowed[0]; k++) {
            known = known || fits(word, allowed[k].text, allowed[k].kind);
            if (allowed[k].kind == TAKES && rp_has_prefix(word, allowed[k].text) &&
                word[strlen(allowed[k].text)] == '@')
                return fail(word, reason("@"), err);
            takes = allowed[k].kind == TAKES && strcmp(word, allowed[k].text) == 0;
        }
        if (!known)
            return fail(word, reason(word), err);
        if (takes && ++i == words->count)
            return fail(word, "its value is missing", err);
        if (takes &&
            words->items[i][0] == '@') /* the compiler would replace it by words of the file */
            return fail(words->items[i], reason(words->items[i]), err);
    }
    return true;
}
