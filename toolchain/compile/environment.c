/* SPDX-License-Identifier: Apache-2.0 */
/* The environment of started programs: see environment.h. */
#include "toolchain/compile/environment.h"

#include <ctype.h>
#include <string.h>

extern char **environ;

/*
 * Where programs, settings and temporary files are, and variables of launchers. Settings of ccache
 * that would let it trust an old object are left out: make.c sets them.
 */
static const char *const allowed[] = {"PATH",
                                      "HOME",
                                      "USER",
                                      "LOGNAME",
                                      "TMPDIR",
                                      "TMP",
                                      "TEMP",
                                      "XDG_CACHE_HOME",
                                      "XDG_CONFIG_HOME",
                                      "XDG_RUNTIME_DIR",
                                      "SSH_AUTH_SOCK",
                                      "CCACHE_*",
                                      "SCCACHE_*",
                                      "DISTCC_*",
                                      "ICECC_*",
                                      "SOURCE_DATE_EPOCH"};

/* name has len characters and need not end there. */
static bool is_name(const char *name, size_t len, const char *pattern) {
    size_t whole = strlen(pattern);
    if (whole != 0 && pattern[whole - 1] == '*')
        return len >= whole - 1 && strncmp(name, pattern, whole - 1) == 0;
    return len == whole && strncmp(name, pattern, len) == 0;
}

static bool passes(const char *name, size_t len, const struct rp_strings *passed) {
    for (size_t i = 0; i < sizeof allowed / sizeof allowed[0]; i++)
        if (is_name(name, len, allowed[i]))
            return true;
    for (size_t i = 0; passed != NULL && i < passed->count; i++)
        if (len == strlen(passed->items[i]) && strncmp(name, passed->items[i], len) == 0)
            return true;
    return false;
}

static bool is_changed(const char *name, size_t len, const struct rp_strings *changes) {
    for (size_t i = 0; changes != NULL && i < changes->count; i++)
        if (strcspn(changes->items[i], "=") == len && strncmp(name, changes->items[i], len) == 0)
            return true;
    return false;
}

char **rp_environment_make(struct rp_arena *arena, const struct rp_strings *passed,
                           const struct rp_strings *changes) {
    size_t count = 0, used = 0, extra = changes != NULL ? changes->count : 0;
    static const char locale[] = "LC_ALL";
    while (environ != NULL && environ[count] != NULL)
        count++;
    char **env = rp_alloc(arena, count + extra + 2, sizeof *env);
    for (size_t i = 0; i < count; i++) {
        size_t len = strcspn(environ[i], "=");
        if (passes(environ[i], len, passed) && !is_changed(environ[i], len, changes) &&
            !is_name(environ[i], len, locale))
            env[used++] = environ[i];
    }
    if (!is_changed(locale, strlen(locale), changes))
        env[used++] = rp_strdup(arena, "LC_ALL=C");
    for (size_t i = 0; i < extra; i++)
        if (strchr(changes->items[i], '=') != NULL)
            env[used++] = rp_strdup(arena, changes->items[i]);
    return env;
}

bool rp_environment_check(const struct rp_strings *passed, struct rp_error *err) {
    /* they decide which objects are made, or make.c passes them to its makefile */
    static const char *const own[] = {"MAKEFLAGS", "GNUMAKEFLAGS", "MAKEFILES",      "MAKELEVEL",
                                      "LC_ALL",    "RP_*",         "CCACHE_NODIRECT"};
    for (size_t i = 0; i < passed->count; i++) {
        const char *name = passed->items[i];
        bool plain = name[0] != '\0' && !isdigit((unsigned char)name[0]);
        for (const char *c = name; *c != '\0'; c++)
            plain = plain && (isalnum((unsigned char)*c) || *c == '_');
        if (!plain)
            return rp_fail(err, RP_E_USAGE, "--pass-env '%s': it is not the name of a variable",
                           name);
        for (size_t k = 0; k < sizeof own / sizeof own[0]; k++)
            if (is_name(name, strlen(name), own[k])) {
                rp_fail(err, RP_E_USAGE, "--pass-env %s: that variable is set for the build itself",
                        name);
                return rp_hint(err, "-j sets the number of jobs, --cflags the compiler's options");
            }
    }
    return true;
}
