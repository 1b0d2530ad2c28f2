/* SPDX-License-Identifier: Apache-2.0 */
/* Allowed compiler options: see cflags.h. */
#include "toolchain/build/cflags.h"

#include <string.h>

#include "base/path.h"

enum kind {
    WHOLE,  /* as it stands */
    BEGINS, /* also with more behind it */
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
    {"-B", TAKES},
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

/* Exceptions to the table above. */
static const struct {
    const char *text;
    enum kind kind;
    const char *why;
} refused[] = {
    {"-mpic-register=r9", WHOLE, NULL}, /* ours */
    {"-mpic-register=", BEGINS, "a loader keeps the address of the GOT in r9"},
    {"-specs=picolibc", BEGINS, "images are linked with newlib, whose headers are others"},
    {"--specs=picolibc", BEGINS, "images are linked with newlib, whose headers are others"},
    {"-flto", BEGINS, "objects of link-time optimisation hold no code that could be looked into"},
    {"-fsyntax-only", WHOLE, "the compiler would write no object"},
    {"-Wp,-M", BEGINS, "--depfile FILE writes the dependencies"},
};

static bool fits(const char *word, const char *text, enum kind kind) {
    return kind == WHOLE ? strcmp(word, text) == 0 : rp_has_prefix(word, text);
}

static bool fail(const char *word, const char *why, struct rp_error *err) {
    return rp_fail(err, RP_E_USAGE, "--cflags '%s': %s", word, why);
}

static const char *reason(const char *word) {
    return word[0] == '@'              ? "write the words of that file in --cflags itself"
           : word[0] != '-'            ? "it is no option; more sources are named with --source"
           : rp_has_prefix(word, "-M") ? "--depfile FILE writes the dependencies"
                                       : "it is not known as an option that changes the code and "
                                         "leaves alone what the compiler writes, and where";
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
            takes = allowed[k].kind == TAKES && strcmp(word, allowed[k].text) == 0;
        }
        if (!known)
            return fail(word, reason(word), err);
        if (takes && ++i == words->count)
            return fail(word, "its value is missing", err);
    }
    return true;
}
