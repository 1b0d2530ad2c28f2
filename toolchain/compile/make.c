/* SPDX-License-Identifier: Apache-2.0 */
/* Running make over templates/build.mk: see make.h. */
#include "toolchain/compile/make.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/path.h"
#include "base/printable.h"
#include "toolchain/compile/compiler.h"
#include "toolchain/compile/depends.h"
#include "toolchain/compile/messages.h"
#include "toolchain/compile/process.h"
#include "toolchain/compile/quote.h"

enum { OBJECT_DIGITS_END = 7 }; /* "obj/001" */

static const char *const suffixes[RP_PRODUCTS] = {".i", ".s", ".o", ".types.o"};
static const char *const kinds[RP_PRODUCTS] = {".cpp", ".s", "", ".types"}; /* of response files */

static bool write_rsp(struct rp_build *build, const char *name, const struct rp_strings *args,
                      struct rp_error *err) {
    struct rp_buf text = {.arena = build->arena};
    for (size_t i = 0; i < args->count; i++) {
        rp_buf_printf(&text, "%s\n", rp_rsp_quote(build->arena, args->items[i]));
    }
    return rp_build_write(build, name, text.data, text.len, err);
}

static bool has_launcher(const struct rp_build *build, const struct rp_unit *unit) {
    return build->options->launcher[0] != '\0' && !unit->alone;
}

/*
 * The arguments for a product; empty: it is not requested. The compiler lists the files that it
 * reads, for depends.c, and so does GNU as. A launcher does not know the assembler's list, but a
 * cache stores what a compiler prints together with the object. (For the spelling --MD, distcc
 * would compile locally.)
 */
static struct rp_strings arguments_of(struct rp_build *build, const struct rp_unit *unit,
                                      enum rp_product product) {
    const struct rp_strings *const lists[RP_PRODUCTS] = {&unit->cpp, &unit->assembly, &unit->cc,
                                                         &unit->types};
    const char *stem = rp_format(build->arena, "obj/%03u", unit->number);
    if (unit->waits || unit->later)
        return (struct rp_strings){0};
    bool plain = product == RP_TYPES || (product == RP_OBJECT && unit->assembly.count != 0);
    if (plain || lists[product]->count == 0)
        return *lists[product];
    struct rp_strings words = {0};
    rp_strings_append(build->arena, &words, lists[product]);
    RP_PUSH_WORDS(
        build->arena, &words, "-MD", "-MF",
        rp_format(build->arena, "%s%s.d", stem, product == RP_PREPROCESSED ? ".cpp" : ""));
    if (product == RP_OBJECT && build->options->compiler == NULL && !rp_unit_is_ours(unit))
        rp_strings_push(build->arena, &words,
                        has_launcher(build, unit)
                            ? "-Wa,-MD,/dev/stdout"
                            : rp_format(build->arena, "-Wa,-MD,%s.as.d", stem));
    return words;
}

/* Was it made, or begun, with the same arguments? */
static bool is_made(struct rp_build *build, const struct rp_unit *unit, enum rp_product product) {
    const struct rp_strings wanted = arguments_of(build, unit, product);
    const struct rp_strings *made = &unit->made[product];
    bool same = wanted.count == made->count;
    for (size_t i = 0; same && i < made->count; i++)
        same = strcmp(wanted.items[i], made->items[i]) == 0;
    return same;
}

/* make treats existing files as current; it ignores times. */
static bool write_unit(struct rp_build *build, struct rp_unit *unit, struct rp_error *err) {
    const char *stem = rp_format(build->arena, "obj/%03u", unit->number);
    for (enum rp_product i = 0; i < RP_PRODUCTS; i++) {
        if (unit->clean && is_made(build, unit, i))
            continue;
        struct rp_strings *made = &unit->made[i];
        const struct rp_strings wanted = arguments_of(build, unit, i);
        (void)unlink(rp_build_path(build, rp_format(build->arena, "%s%s", stem, suffixes[i])));
        *made = (struct rp_strings){0};
        rp_strings_append(build->arena, made, &wanted);
        unit->kept = unit->kept && i != RP_OBJECT;
        if (made->count != 0 &&
            !write_rsp(build, rp_format(build->arena, "%s%s.rsp", stem, kinds[i]), made, err))
            return false;
    }
    unit->clean = true;
    return true;
}

static bool write_units(struct rp_build *build, struct rp_error *err) {
    struct rp_buf alone = {.arena = build->arena}, objects = {.arena = build->arena},
                  preprocess = {.arena = build->arena}, assembly = {.arena = build->arena},
                  types = {.arena = build->arena};
    struct rp_buf own = {.arena = build->arena}, ours = {.arena = build->arena},
                  keys = {.arena = build->arena};
    bool ok = true;
    rp_buf_puts(&objects, "OBJECTS :=");
    rp_buf_puts(&alone, "ALONE :=");
    rp_buf_puts(&own, "OWN :=");
    rp_buf_puts(&ours, "OURS :=");
    rp_buf_puts(&preprocess, "\nPREPROCESS :=");
    rp_buf_puts(&assembly, "\nASSEMBLY :=");
    rp_buf_puts(&types, "\nTYPES :=");
    for (size_t i = 0; ok && i < build->units.count; i++) {
        struct rp_unit *unit = &build->units.items[i];
        if (unit->waits || unit->later)
            continue;
        rp_buf_printf(&objects, " %03u", unit->number);
        if (unit->alone)
            rp_buf_printf(&alone, " %03u", unit->number);
        const char *key = rp_unit_key(build, unit);
        if (unit->own || key != NULL)
            rp_buf_printf(&own, " %03u", unit->number);
        if (rp_unit_is_ours(unit))
            rp_buf_printf(&ours, " %03u", unit->number);
        if (key != NULL)
            rp_buf_printf(&keys, "obj/%03u.o: export CCACHE_EXTRAFILES := $(EXTRAFILES)%s\n",
                          unit->number, key);
        if (unit->cpp.count != 0)
            rp_buf_printf(&preprocess, " %03u", unit->number);
        if (unit->assembly.count != 0)
            rp_buf_printf(&assembly, " %03u", unit->number);
        if (unit->types.count != 0)
            rp_buf_printf(&types, " %03u", unit->number);
        ok = write_unit(build, unit, err);
    }
    rp_buf_printf(&objects, "%s%s%s\n%s\n%s\n%s\n%s", preprocess.data, assembly.data, types.data,
                  alone.data, own.data, ours.data, rp_buf_text(&keys));
    if ((build->options->no_lto || build->no_lto) && build->link.count != 0 &&
        !rp_strings_have(&build->link, "-fno-lto"))
        rp_strings_push(build->arena, &build->link, "-fno-lto");
    return ok && rp_build_write(build, "units.mk", objects.data, objects.len, err) &&
           (build->link.count == 0 || write_rsp(build, "link.rsp", &build->link, err));
}

/* On standard error if the user wants to see it, and for the log. */
static void print_command(struct rp_build *build, const char *program, const char *launcher,
                          const struct rp_strings *args) {
    struct rp_arena *arena = build->arena;
    struct rp_buf line = {.arena = build->arena};
    rp_buf_printf(&line, "%s%s%s", launcher, launcher[0] != '\0' ? " " : "",
                  rp_shell_quote(arena, program));
    for (size_t i = 0; i < args->count; i++)
        rp_buf_printf(&line, " %s", rp_shell_quote(arena, args->items[i]));
    if (build->options->verbose || build->options->dry_run)
        fprintf(stderr, "%s\n", rp_printable(arena, line.data));
    build->commands = rp_format(arena, "%s%s\n", build->commands, line.data);
}

static void print_commands(struct rp_build *build, const char *goal) {
    for (size_t i = 0; i < build->units.count; i++) {
        struct rp_unit *unit = &build->units.items[i];
        if (unit->waits || unit->later)
            continue;
        if (strcmp(goal, "preprocess") == 0) {
            if (!is_made(build, unit, RP_PREPROCESSED))
                print_command(build, build->cc, "", &unit->cpp);
        } else if (strcmp(goal, "assembly") == 0) {
            if (!is_made(build, unit, RP_ASSEMBLY))
                print_command(build, build->cc, build->options->launcher, &unit->assembly);
        } else if (!unit->shown && !(unit->kept && is_made(build, unit, RP_OBJECT))) {
            print_command(build, build->cc, build->options->launcher, &unit->cc);
            unit->shown = true;
        }
    }
    if (strcmp(goal, "link") == 0)
        print_command(build, build->ld, "", &build->link);
}

/*
 * Keeps only those flags of an outer make that share its jobs. -n, -i, -k or variables for the
 * user's makefile must not reach ours.
 */
static char *jobserver_flags(struct rp_arena *arena) {
    const char *flags = getenv("MAKEFLAGS");
    char *kept = rp_strdup(arena, "MAKEFLAGS=");
    while (flags != NULL && *flags != '\0') {
        size_t len = strcspn(flags, " ");
        if (len == 2 && strncmp(flags, "--", 2) == 0) /* variables follow */
            break;
        if (rp_has_prefix(flags, "--jobserver") || rp_has_prefix(flags, "-j"))
            kept = rp_format(arena, "%s %.*s", kept, (int)len, flags);
        flags += len + (flags[len] == ' ');
    }
    return kept;
}

/*
 * ccache may find a result by the names and contents of headers that were read before. That misses
 * a new header that comes first on the search path, and files that assembly includes. So it has to
 * compare the preprocessed text (its manual, "How ccache works"). Units whose headers are known
 * (OWN in build.mk) are excepted: see searched.h; and those whose preprocessed text is part of the
 * key, since it was read here. -MD lists the headers. True: no word of it is
 * special to make or to a shell.
 */
static bool make_env(struct rp_build *build, struct rp_strings *env) {
    struct rp_arena *arena = build->arena;
    static const char *const fresh[] = {
        "CCACHE_DIRECT", "CCACHE_DEPEND", "CCACHE_NODIRECT", "CCACHE_NODEPEND", /* in build.mk */
        /* debug information names the workspace */
        "CCACHE_NOHASHDIR=1",
        /*
         * another compiler, option or header means another object, whatever the environment or
         * ccache.conf says
         */
        "CCACHE_COMPILERCHECK=content",
        "CCACHE_IGNOREOPTIONS=", "CCACHE_SLOPPINESS=", "CCACHE_IGNOREHEADERS="};
    rp_strings_push_all(arena, env, fresh, sizeof fresh / sizeof fresh[0]);
    if (getenv("SOURCE_DATE_EPOCH") == NULL)
        rp_strings_push(arena, env, "SOURCE_DATE_EPOCH=0");
    rp_strings_push(arena, env, rp_format(arena, "RP_CC=%s", build->cc));
    rp_strings_push(arena, env, rp_format(arena, "RP_LD=%s", build->ld));
    rp_strings_push(arena, env, rp_format(arena, "RP_LAUNCHER=%s", build->options->launcher));
    bool plain = rp_are_plain_words(build->cc, false) && rp_are_plain_words(build->ld, false) &&
                 rp_are_plain_words(build->options->launcher, true);
    if (plain)
        rp_strings_push(arena, env, "RP_PLAIN=yes");
    return plain;
}

void rp_make_jobs(struct rp_arena *arena, unsigned jobs, struct rp_strings *argv,
                  struct rp_strings *env) {
    const char *flags = getenv("MAKEFLAGS");
    bool jobserver = flags != NULL && strstr(flags, "--jobserver") != NULL;
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    if (jobs != 0 || !jobserver)
        rp_strings_push(arena, argv,
                        rp_format(arena, "-j%u",
                                  jobs != 0        ? jobs
                                  : processors > 0 ? (unsigned)processors
                                                   : 1));
    rp_strings_push(arena, env, jobserver_flags(arena));
}

static void make_argv(struct rp_build *build, const char *goal, struct rp_strings *argv,
                      struct rp_strings *env) {
    struct rp_arena *arena = build->arena;
    RP_PUSH_WORDS(arena, argv, "make", "--no-print-directory", "-rR", "-f",
                  rp_path_join(arena, build->options->data_dir, "templates/build.mk"));
    rp_make_jobs(arena, build->options->jobs, argv, env);
    rp_strings_push(arena, argv, goal);
}

/* The unit whose object is named at the start of text, or NULL. */
static const struct rp_unit *unit_at(struct rp_build *build, const char *text) {
    static const char head[] = "obj/";
    if (strncmp(text, head, sizeof head - 1) != 0 || !isdigit((unsigned char)text[sizeof head - 1]))
        return NULL;
    char *end;
    unsigned long number = strtoul(text + sizeof head - 1, &end, 10);
    return end == text + OBJECT_DIGITS_END && strncmp(end, ".o", 2) == 0 && number != 0 &&
                   number <= build->units.count
               ? &build->units.items[number - 1]
               : NULL;
}

/*
 * Replaces the names of numbered objects, which mean nothing to the user, by those of their
 * sources.
 */
static char *name_sources(struct rp_build *build, const char *text) {
    struct rp_buf out = {.arena = build->arena};
    while (*text != '\0') {
        const struct rp_unit *unit = unit_at(build, text);
        if (unit != NULL) {
            rp_buf_puts(&out, unit->source);
            text += OBJECT_DIGITS_END + strlen(".o");
        } else {
            rp_buf_append(&out, text++, 1);
        }
    }
    return rp_buf_text(&out);
}

/* The log must not be a file that was read. Only now are all headers known. */
static bool append_log(struct rp_build *build, const char *text, struct rp_error *err) {
    struct rp_strings read = {0};
    const char *path = build->options->log;
    rp_build_depends(build, &read);
    for (size_t i = 0; i < read.count; i++)
        if (rp_path_same(path, read.items[i])) {
            build->log_is_input = true;
            return rp_fail(err, RP_E_USAGE, "--log '%s' is an input: nothing is added to it", path);
        }
    if (strcmp(path, "-") == 0 || (!rp_path_is_file(path) && access(path, F_OK) == 0))
        text = rp_printable_lines(build->arena, text); /* it may be a terminal */
    return rp_file_append(path, text, strlen(text), err);
}

bool rp_build_has_cplusplus(const struct rp_build *build) {
    static const char *const endings[] = {".cpp", ".cc", ".cxx", ".C"};
    for (size_t i = 0; i < build->units.count; i++)
        for (size_t k = 0; k < sizeof endings / sizeof endings[0]; k++)
            if (build->units.items[i].cplusplus ||
                rp_has_suffix(build->units.items[i].source, endings[k]))
                return true;
    return false;
}

/* Did the compiler fail because it is too old for an option? */
static bool is_old(struct rp_build *build, struct rp_error *err) {
    const char *version = rp_build_version(build);
    return version[0] != '\0' && !rp_build_is_recent(build, version, err);
}

static bool judge(struct rp_build *build, const char *goal, int status, const char *log,
                  struct rp_error *err) {
    const char *text = name_sources(build, log);
    if (build->options->log != NULL &&
        !append_log(build,
                    rp_format(build->arena, RP_LOG_MARK "%s\n%s%s", goal, build->commands, text),
                    err))
        return false;
    if (status != 0) {
        const char *crash = rp_compiler_crash_hint(text), *hint = rp_said_hint(text);
        bool linker = strcmp(goal, "link") == 0 && strstr(text, "collect2: ") != NULL;
        bool optimises =
            build->options->no_lto && strstr(text, "plugin needed to handle lto object") != NULL;
        if (!rp_workspace_has_space(&build->workspace, text, err))
            return false;
        build->link_refused = linker && !optimises;
        if (!rp_check_said(text, rp_build_has_cplusplus(build), err))
            return false;
        if (optimises) {
            rp_fail(err, RP_E_UNTRUSTED,
                    "the linker would compile an object of link-time optimisation with options "
                    "stored in it; some input files are named by the image's report, not by you:%s",
                    rp_first_diagnostics(build->arena, text));
            return rp_hint(err, RP_HINT_TRUST);
        }
        if (!linker && is_old(build, err))
            return false;
        rp_fail(err, linker ? RP_E_LINK : RP_E_COMPILE, "%s failed:%s",
                strcmp(goal, "link") == 0 ? "the link" : "the compiler",
                rp_first_diagnostics(build->arena, text));
        if (strstr(text, "ccache: error: Failed to create") != NULL)
            return rp_hint(err,
                           "ccache cannot write its cache: set CCACHE_DIR to a folder that it can "
                           "write, or give --launcher none");
        if (crash != NULL)
            return rp_hint(err, "the compiler itself crashed: %s", crash);
        return rp_hint(err, "%s",
                       hint != NULL                      ? hint
                       : build->options->refused != NULL ? build->options->refused
                                                         : "--log FILE keeps all diagnostics, "
                                                           "--workspace DIR the files");
    }
    if (build->options->verbose)
        fputs(rp_printable_lines(build->arena, text), stderr);
    return true;
}

static enum rp_product product_of(const char *goal) {
    return strcmp(goal, "preprocess") == 0 ? RP_PREPROCESSED
           : strcmp(goal, "assembly") == 0 ? RP_ASSEMBLY
                                           : RP_OBJECT;
}

/* Was it requested, but not made? */
static bool is_lost(struct rp_build *build, const struct rp_unit *unit, enum rp_product product) {
    const char *name = rp_format(build->arena, "obj/%03u%s", unit->number, suffixes[product]);
    return arguments_of(build, unit, product).count != 0 &&
           !rp_path_is_file(rp_build_path(build, name));
}

/*
 * Do all files of the goal exist? An option may make the compiler write another file, and a
 * launcher may lose one.
 */
static bool check_made(struct rp_build *build, const char *goal, struct rp_error *err) {
    bool linked = strcmp(goal, "link") == 0;
    const enum rp_product product = product_of(goal);
    for (size_t i = 0; i < build->units.count; i++) {
        const struct rp_unit *unit = &build->units.items[i];
        const char *lost = is_lost(build, unit, product) ? suffixes[product]
                           : product == RP_OBJECT && is_lost(build, unit, RP_TYPES)
                               ? suffixes[RP_TYPES]
                               : NULL;
        if (lost == NULL)
            continue;
        if (is_old(build, err))
            return false;
        rp_fail(err, RP_E_COMPILE,
                "the compiler reported success, but wrote no 'obj/%03u%s' for '%s'", unit->number,
                lost, unit->source);
        return rp_hint(err, "does an option in --cflags make it write something else?");
    }
    return !linked || rp_path_is_file(rp_build_path(build, "image.elf")) ||
           rp_fail(err, RP_E_LINK, "the linker reported success, but wrote no file");
}

/* Do all objects exist, made in this run with the current arguments? */
static bool has_objects(struct rp_build *build) {
    for (size_t i = 0; i < build->units.count; i++) {
        const struct rp_unit *unit = &build->units.items[i];
        if (!is_made(build, unit, RP_OBJECT) || !is_made(build, unit, RP_TYPES) ||
            is_lost(build, unit, RP_OBJECT) || is_lost(build, unit, RP_TYPES))
            return false;
    }
    return build->units.count != 0;
}

/* ---- running ---- */

/* One command of a goal: of a unit, or, unit NULL, the link. */
struct command {
    struct rp_unit *unit;
    enum rp_product product;
};

struct outcome {
    struct rp_process_output log;
    int status;
    struct rp_unit *failed; /* NULL: a command of make, which names it */
};

/* Counts the commands that the goal still needs before the link, up to two. */
static size_t find_commands(struct rp_build *build, const char *goal, struct command *first) {
    const enum rp_product product = product_of(goal);
    size_t count = 0;
    for (size_t i = 0; count < 2 && i < build->units.count; i++)
        for (enum rp_product k = 0; k < RP_PRODUCTS; k++)
            if ((k == product || (k == RP_TYPES && product == RP_OBJECT)) &&
                is_lost(build, &build->units.items[i], k) && count++ == 0)
                *first = (struct command){&build->units.items[i], k};
    return count;
}

/* The same settings as in build.mk. */
static void push_cache(struct rp_build *build, const struct command *command,
                       struct rp_strings *env) {
    const char *user = getenv("CCACHE_EXTRAFILES"), *key = rp_unit_key(build, command->unit);
    if ((!command->unit->own && key == NULL) || command->product != RP_OBJECT) {
        RP_PUSH_WORDS(build->arena, env, "CCACHE_NODIRECT=1", "CCACHE_NODEPEND=1");
        return;
    }
    rp_strings_push(build->arena, env, "CCACHE_DEPEND=1");
    if (key != NULL)
        rp_strings_push(build->arena, env,
                        rp_format(build->arena, "CCACHE_EXTRAFILES=%s%s%s",
                                  user != NULL ? user : "", user != NULL ? ":" : "", key));
}

/* Runs a command without make, which is only needed to run several at a time. */
static bool run_command(struct rp_build *build, const struct command *command,
                        const struct rp_strings *env, struct outcome *out, struct rp_error *err) {
    struct rp_arena *arena = build->arena;
    const struct rp_unit *unit = command->unit;
    struct rp_strings argv = {0}, own = {0};
    struct rp_process process = {
        .argv = &argv, .cwd = build->dir, .env = &own, .passed = build->options->passed};
    bool launched =
        unit != NULL && command->product != RP_PREPROCESSED && has_launcher(build, unit);
    for (const char *at = build->options->launcher; launched && *(at += strspn(at, " ")) != '\0';
         at += strcspn(at, " "))
        rp_strings_push(arena, &argv, rp_strndup(arena, at, strcspn(at, " ")));
    rp_strings_push(arena, &argv, unit != NULL ? build->cc : build->ld);
    const char *stem = unit != NULL ? rp_format(arena, "obj/%03u", unit->number) : "link";
    rp_strings_push(
        arena, &argv,
        rp_format(arena, "@%s%s.rsp", stem, unit != NULL ? kinds[command->product] : ""));
    rp_strings_append(arena, &own, env);
    if (unit != NULL)
        push_cache(build, command, &own);
    /* a launcher returns the assembler's list of what it read on standard output */
    if (launched && command->product == RP_OBJECT && !rp_unit_is_ours(unit))
        process.stdout_path = rp_build_path(build, rp_format(arena, "%s.as.d", stem));
    const char *before = out->log.text;
    if (!rp_process_read(&process, arena, &out->log, &out->status, err))
        return false;
    if (out->status != 0 && unit != NULL) { /* as make does */
        (void)unlink(
            rp_build_path(build, rp_format(arena, "%s%s", stem, suffixes[command->product])));
        out->failed = command->unit;
    }
    out->log.text = rp_format(arena, "%s%s", before, out->log.text);
    out->log.size = strlen(out->log.text);
    return true;
}

/* Was it not left out yet? */
static bool leave_pass_out(struct rp_build *build, struct rp_unit *unit) {
    static const char without[] = "-fdisable-rtl-combine";
    if (rp_strings_have(&unit->cc, without))
        return false;
    rp_strings_push(build->arena, &unit->cc, without);
    return unit->crashed = true;
}

/*
 * gcc 12.2 crashes on some loops for Helium in its pass combine, which only shortens code. Marks
 * the units that failed (make names them in "*** [build.mk:60: obj/003.o] Error 1") to be compiled
 * without this pass; true: there are new ones.
 */
static bool avoid_crash(struct rp_build *build, const struct outcome *out) {
    static const char mark[] = "obj/";
    bool more = false;
    if (build->options->compiler != NULL ||
        strstr(out->log.text, "internal compiler error") == NULL)
        return false;
    if (out->failed != NULL)
        return leave_pass_out(build, out->failed);
    for (const char *at = out->log.text; (at = strstr(at, "*** [")) != NULL; at++) {
        const char *name = memmem(at, strcspn(at, "\n"), mark, sizeof mark - 1);
        const struct rp_unit *named = name != NULL ? unit_at(build, name) : NULL;
        if (named != NULL)
            more = leave_pass_out(build, &build->units.items[named->number - 1]) || more;
    }
    return more;
}

/* Runs make, unless there is only one command. */
static bool run_commands(struct rp_build *build, const char *goal, struct outcome *out,
                         struct rp_error *err) {
    struct rp_strings argv = {0}, env = {0};
    struct command command = {0};
    size_t count = find_commands(build, goal, &command);
    *out = (struct outcome){.log = {rp_strdup(build->arena, ""), 0}};
    make_argv(build, goal, &argv, &env);
    if (!make_env(build, &env) || count > 1) {
        const struct rp_process process = {
            .argv = &argv, .cwd = build->dir, .env = &env, .passed = build->options->passed};
        return rp_process_read(&process, build->arena, &out->log, &out->status, err);
    }
    if (count == 1 && !run_command(build, &command, &env, out, err))
        return false;
    return strcmp(goal, "link") != 0 || out->status != 0 ||
           run_command(build, &(struct command){0}, &env, out, err);
}

static bool run_make(struct rp_build *build, const char *goal, struct rp_error *err) {
    if (strcmp(goal, "objects") == 0 && has_objects(build))
        return true;
    struct outcome out;
    if (!write_units(build, err))
        return false;
    if (strcmp(goal, "link") == 0)
        (void)unlink(rp_build_path(build, "image.elf"));
    bool ran = run_commands(build, goal, &out, err);
    /* for readers of a workspace that is kept */
    (void)rp_build_write(build, rp_format(build->arena, "%s.log", goal), out.log.text, out.log.size,
                         NULL);
    if (ran && out.status != 0 && avoid_crash(build, &out))
        return run_make(build, goal, err);
    return ran && judge(build, goal, out.status, out.log.text, err) && check_made(build, goal, err);
}

bool rp_build_make(struct rp_build *build, const char *goal, struct rp_error *err) {
    build->commands = "";
    if (build->options->verbose || build->options->dry_run || build->options->log != NULL)
        print_commands(build, goal);
    if (build->options->dry_run)
        return true;
    (void)rp_build_set_apart(build);
    return run_make(build, goal, err) && (!rp_build_set_apart(build) || run_make(build, goal, err));
}
