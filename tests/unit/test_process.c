/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Unit tests of toolchain/compile/process.h: status, environment, folder, redirection, limits,
 * signals.
 */
#include "tests/unit/unit.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "toolchain/compile/environment.h"
#include "toolchain/compile/process.h"

/* Runs /bin/sh -c script with the other members of process; its output goes to the file "out". */
static bool shell(struct unit *u, struct rp_process process, const char *script, int *status) {
    const char *words[] = {"sh", "-c", script};
    const struct rp_strings argv = {words, 3, 3};
    process.argv = &argv;
    if (process.stdout_path == NULL)
        process.stdout_path = unit_path(u, "out");
    return rp_process_run_all(&process, 1, status, &u->err);
}

static char *output_of(struct unit *u, struct rp_process process, const char *script) {
    int status = -7;
    (void)unlink(unit_path(u, "out"));
    ACCEPTED(u, shell(u, process, script, &status));
    assert_int_equal(status, 0);
    return unit_slurp(u, "out", NULL);
}

static void reports_status(void **state) {
    struct unit *u = *state;
    static const struct {
        const char *script;
        int status;
    } cases[] = {{"exit 0", 0},
                 {"exit 1", 1},
                 {"exit 255", 255},
                 {"kill -9 $$", 128 + 9},
                 {"kill -15 $$", 128 + 15},
                 {"kill -6 $$", 128 + 6}};
    (void)signal(SIGTERM, SIG_DFL); /* whatever the caller of this test ignores */
    for (size_t i = 0; i < COUNT(cases); i++) {
        int status = -7;
        ACCEPTED(u, shell(u, (struct rp_process){0}, cases[i].script, &status));
        assert_int_equal(status, cases[i].status);
    }
}

/* There is no shell in between: words arrive unchanged. */
static void passes_words(void **state) {
    struct unit *u = *state;
    const char *words[] = {"printf", "%s|", "a b", "", "$HOME", "*", "'\"\\"};
    const struct rp_strings argv = {words, COUNT(words), COUNT(words)};
    const struct rp_process process = {.argv = &argv, .stdout_path = unit_path(u, "out")};
    int status;
    ACCEPTED(u, rp_process_run_all(&process, 1, &status, &u->err));
    assert_string_equal(unit_slurp(u, "out", NULL), "a b||$HOME|*|'\"\\|");
}

static void changes_the_environment(void **state) {
    struct unit *u = *state;
    const char *changes[] = {"RP_NEW=1=2", "CCACHE_OLD=new", "CCACHE_GONE", "RP_EMPTY="};
    const struct rp_strings env = {changes, 4, 4};
    assert_int_equal(setenv("CCACHE_OLD", "old", 1), 0);
    assert_int_equal(setenv("CCACHE_GONE", "x", 1), 0);
    assert_int_equal(setenv("CCACHE_GONE_NOT", "kept", 1), 0);
    const char *script =
        "echo $RP_NEW $CCACHE_OLD ${CCACHE_GONE-gone} ${RP_EMPTY-unset}. $CCACHE_GONE_NOT";
    assert_string_equal(output_of(u, (struct rp_process){.env = &env}, script),
                        "1=2 new gone . kept\n");
    assert_string_equal(getenv("CCACHE_OLD"), "old"); /* ours is not changed */
    assert_string_equal(output_of(u, (struct rp_process){0}, "echo $CCACHE_OLD"), "old\n");
}

/* Variables that are in no table stay out, whatever their names; those asked for come in. */
static void hands_on_what_is_allowed(void **state) {
    struct unit *u = *state;
    static const char *const out[] = {"CPLUS_INCLUDE_PATH",
                                      "LDEMULATION",
                                      "GNUTARGET",
                                      "LD_PRELOAD_X",
                                      "GNUMAKEFLAGS",
                                      "MAKEFILES",
                                      "MAKEFLAGS",
                                      "LC_MESSAGES",
                                      "LANG",
                                      "LANGUAGE",
                                      "PATH_X",
                                      "XPATH",
                                      "CCACHE",
                                      "RP_LAUNCHER",
                                      "CCC_OVERRIDE_OPTIONS",
                                      "NOBODY_KNOWS",
                                      "HOME_",
                                      "DISTCC"};
    static const char *const in[] = {"HOME",       "TMPDIR",       "CCACHE_DIR",   "CCACHE_",
                                     "ICECC_TEST", "DISTCC_HOSTS", "SSH_AUTH_SOCK"};
    const char *named[] = {"NOBODY_KNOWS", "NOT_SET"};
    const struct rp_strings passed = {named, 2, 2};
    for (size_t i = 0; i < COUNT(out); i++)
        assert_int_equal(setenv(out[i], "evil", 1), 0);
    for (size_t i = 0; i < COUNT(in); i++)
        assert_int_equal(setenv(in[i], "good", 1), 0);
    assert_null(strstr(output_of(u, (struct rp_process){0}, "env"), "evil"));
    char *got = output_of(u, (struct rp_process){.passed = &passed}, "echo; env | sort");
    for (size_t i = 0; i < COUNT(in); i++)
        CONTAINS(got, rp_format(&u->arena, "\n%s=good\n", in[i]));
    CONTAINS(got, "\nLC_ALL=C\n");
    CONTAINS(got, "\nNOBODY_KNOWS=evil\n");
    got = strstr(got, "evil") + 1;
    assert_null(strstr(got, "evil"));
    for (size_t i = 0; i < COUNT(out); i++)
        assert_int_equal(unsetenv(out[i]), 0);
    for (size_t i = 0; i < COUNT(in); i++)
        assert_int_equal(unsetenv(in[i]), 0);
}

static void refuses_to_hand_on_its_own(void **state) {
    struct unit *u = *state;
    static const char *const bad[] = {"",          "A=B",   "1A",        "A B",
                                      "A-B",       "*",     "MAKEFLAGS", "GNUMAKEFLAGS",
                                      "MAKEFILES", "RP_CC", "LC_ALL"};
    for (size_t i = 0; i < COUNT(bad); i++) {
        const char *names[] = {"LM_LICENSE_FILE", bad[i]};
        const struct rp_strings passed = {names, 2, 2};
        REFUSED(u, rp_environment_check(&passed, &u->err), RP_E_USAGE, "--pass-env");
    }
    const char *good[] = {"LM_LICENSE_FILE", "LD_LIBRARY_PATH", "_x9", "LD_PRELOAD"};
    const struct rp_strings passed = {good, 4, 4};
    ACCEPTED(u, rp_environment_check(&passed, &u->err));
}

static void reads_what_is_said(void **state) {
    struct unit *u = *state;
    const char *words[] = {"sh", "-c", "echo one; echo two >&2; printf 'a\\000b'; exit 3"};
    const struct rp_strings argv = {words, 3, 3};
    const struct rp_process process = {.argv = &argv};
    struct rp_process_output output;
    int status;
    ACCEPTED(u, rp_process_read(&process, &u->arena, &output, &status, &u->err));
    assert_int_equal(status, 3);
    assert_int_equal(output.size, 11);
    assert_memory_equal(output.text, "one\ntwo\na\0b", 12);
    words[0] = "no-such-program";
    REFUSED(u, rp_process_read(&process, &u->arena, &output, &status, &u->err), RP_E_TOOL_MISSING,
            "no-such-program");
    assert_string_equal(output.text, "");
}

static void changes_the_folder(void **state) {
    struct unit *u = *state;
    assert_string_equal(output_of(u, (struct rp_process){.cwd = u->dir}, "pwd"),
                        rp_format(&u->arena, "%s\n", u->dir));
    int status;
    REFUSED(u, shell(u, (struct rp_process){.cwd = "/no/such"}, "true", &status), RP_E_TOOL_MISSING,
            "sh");
}

static void redirects(void **state) {
    struct unit *u = *state;
    int status;
    struct rp_process process = {.stdout_path = unit_path(u, "o"),
                                 .stderr_path = unit_path(u, "e")};
    ACCEPTED(u, shell(u, process, "echo one; echo two >&2", &status));
    ACCEPTED(u, shell(u, process, "echo three", &status)); /* added */
    assert_string_equal(unit_slurp(u, "o", NULL), "one\nthree\n");
    assert_string_equal(unit_slurp(u, "e", NULL), "two\n");
    process.stderr_path = process.stdout_path = unit_path(u, "both");
    ACCEPTED(u, shell(u, process, "echo a; echo b >&2; echo c", &status));
    assert_string_equal(unit_slurp(u, "both", NULL), "a\nb\nc\n");
    assert_string_equal(output_of(u, (struct rp_process){0}, "cat; echo end"), "end\n");
}

static void names_missing_programs(void **state) {
    struct unit *u = *state;
    const char *words[] = {"no-such-program-at-all"};
    const struct rp_strings argv = {words, 1, 1};
    const struct rp_process process = {.argv = &argv};
    int status = 77;
    REFUSED(u, rp_process_run_all(&process, 1, &status, &u->err), RP_E_TOOL_MISSING,
            "cannot run 'no-such-program-at-all': No such file");
    words[0] = unit_text(u, "not-executable", "");
    REFUSED(u, rp_process_run_all(&process, 1, &status, &u->err), RP_E_TOOL_MISSING,
            "ermission denied");
    assert_int_equal(status, 77);
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void ends_after_the_time_limit(void **state) {
    struct unit *u = *state;
    int status = 0;
    ACCEPTED(u, shell(u, (struct rp_process){.timeout_s = 1}, "exec sleep 100", &status));
    assert_int_equal(status, -1);
    ACCEPTED(u, shell(u, (struct rp_process){.timeout_s = 1000}, "exit 3", &status));
    assert_int_equal(status, 3);
}

static void runs_several_at_once(void **state) {
    struct unit *u = *state;
    /* each waits for the other's file: run one after the other, they would never end */
    const char *a[] = {"sh", "-c", "touch a; while ! test -e b; do sleep 0.02; done; exit 1"};
    const char *b[] = {"sh", "-c", "touch b; while ! test -e a; do sleep 0.02; done; exit 2"};
    const struct rp_strings first = {a, 3, 3}, second = {b, 3, 3};
    const struct rp_process both[] = {{.argv = &first, .cwd = u->dir, .timeout_s = 1000},
                                      {.argv = &second, .cwd = u->dir, .timeout_s = 1000}};
    int statuses[2];
    ACCEPTED(u, rp_process_run_all(both, 2, statuses, &u->err));
    assert_int_equal(statuses[0], 1);
    assert_int_equal(statuses[1], 2);
}

/* A program started before a missing one is waited for, not left behind. */
static void waits_for_what_was_started(void **state) {
    struct unit *u = *state;
    const char *good[] = {"sh", "-c", "sleep 0.1; touch done"}, *bad[] = {"no-such-program"};
    const struct rp_strings first = {good, 3, 3}, second = {bad, 1, 1};
    const struct rp_process both[] = {{.argv = &first, .cwd = u->dir}, {.argv = &second}};
    int statuses[2];
    REFUSED(u, rp_process_run_all(both, 2, statuses, &u->err), RP_E_TOOL_MISSING,
            "no-such-program");
    assert_int_equal(access(unit_path(u, "done"), F_OK), 0);
}

struct interruption {
    struct unit *unit;
    int number;
    unsigned timeout_s;
};

/*
 * Runs in a child, because signals stay caught. Of two programs that would sleep for long, one
 * sends the signal to this process. Both have to be ended soon.
 */
static void be_interrupted(void *context) {
    const struct interruption *how = context;
    struct unit *u = how->unit;
    rp_process_catch_signals();
    const char *script = rp_format(&u->arena, "sleep 0.2; kill -%d %ld; exec sleep 5000",
                                   how->number, (long)getpid());
    const char *a[] = {"sh", "-c", script}, *b[] = {"sleep", "5000"};
    const struct rp_strings first = {a, 3, 3}, second = {b, 2, 2};
    const struct rp_process both[] = {{.argv = &first, .timeout_s = how->timeout_s},
                                      {.argv = &second, .timeout_s = how->timeout_s}};
    int statuses[2] = {77, 77};
    bool ok = rp_process_run_all(both, 2, statuses, &u->err);
    if (ok || u->err.id != RP_E_INTERRUPTED || statuses[0] != -1 || statuses[1] != -1)
        _exit(1);
    _exit(strstr(u->err.message, "interrupted by signal") != NULL ? 42 : 2);
}

static void is_interrupted(void **state) {
    struct unit *u = *state;
    static const struct {
        int number;
        unsigned timeout_s;
    } cases[] = {{SIGTERM, 0}, {SIGINT, 4000}, {SIGHUP, 0}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct interruption how = {u, cases[i].number, cases[i].timeout_s};
        double start = seconds();
        assert_int_equal(unit_in_child(be_interrupted, &how), 42);
        assert_true(seconds() - start <
                    1000); /* even on a busy machine; the programs sleep for 5000 s */
    }
}

/*
 * A program and its children ignore SIGTERM. They are killed after two seconds, or at once when a
 * second signal comes. The group is gone when rp_process_run_all returns.
 */
static void meet_stubborn(void *context) {
    const struct interruption *how = context;
    struct unit *u = how->unit;
    const char *script = rp_format(
        &u->arena,
        "echo $$ > %s; trap '' TERM; (trap '' TERM; sleep 5000) & sleep 0.2; kill -INT %ld; %s"
        "while :; do sleep 5000; done",
        unit_path(u, "group"), (long)getpid(),
        how->timeout_s != 0 ? "" : rp_format(&u->arena, "kill -INT %ld; ", (long)getpid()));
    const char *words[] = {"sh", "-c", script};
    const struct rp_strings argv = {words, 3, 3};
    const struct rp_process process = {.argv = &argv};
    int status;
    (void)signal(SIGINT, SIG_DFL);
    rp_process_catch_signals();
    if (rp_process_run_all(&process, 1, &status, &u->err) || u->err.id != RP_E_INTERRUPTED)
        _exit(1);
    long group = strtol(unit_slurp(u, "group", NULL), NULL, 10);
    _exit(group > 1 && kill((pid_t)-group, 0) != 0 ? rp_process_signal() + 40 : 2);
}

static void kills_what_does_not_end(void **state) {
    struct unit *u = *state;
    for (unsigned patient = 0; patient < 2; patient++) {
        struct interruption how = {u, SIGINT, patient};
        double start = seconds();
        assert_int_equal(unit_in_child(meet_stubborn, &how), SIGINT + 40);
        assert_true(seconds() - start < 1000);
        if (patient)
            assert_true(seconds() - start > 2.0); /* SIGTERM was waited for */
    }
}

/* While no program runs, the second signal ends this process itself. */
static void be_killed_at_work(void *context) {
    (void)context;
    (void)signal(SIGINT, SIG_DFL);
    (void)signal(SIGTERM, SIG_DFL);
    rp_process_catch_signals();
    raise(SIGINT);
    raise(SIGTERM);
    _exit(1);
}

static void second_signal_is_final(void **state) {
    (void)state;
    assert_int_equal(unit_in_child(be_killed_at_work, NULL), -1);
}

/* The program must ignore the signal, too: it sends the signal to itself and goes on. */
static void ignore(void *context) {
    const struct interruption *how = context;
    struct unit *u = how->unit;
    signal(how->number, SIG_IGN);
    rp_process_catch_signals();
    raise(how->number);
    int status;
    const char *script = rp_format(&u->arena, "kill -%d $$; exit 5", how->number);
    _exit(shell(u, (struct rp_process){0}, script, &status) ? 40 + status : 1);
}

/* nohup keeps working, and Ctrl-C does not stop a background job. */
static void keeps_ignoring_what_was_ignored(void **state) {
    static const int numbers[] = {SIGHUP, SIGINT, SIGTERM};
    for (size_t i = 0; i < COUNT(numbers); i++) {
        struct interruption how = {*state, numbers[i], 0};
        assert_int_equal(unit_in_child(ignore, &how), 45);
    }
}

/* If the parent ignores SIGCHLD, the system would throw away the status of our children. */
static void forget_children(void *context) {
    struct unit *u = context;
    signal(SIGCHLD, SIG_IGN);
    rp_process_catch_signals();
    int status;
    _exit(shell(u, (struct rp_process){0}, "(exit 2); exit $((3 + $?))", &status) ? 40 + status
                                                                                  : 1);
}

static void knows_how_children_ended(void **state) {
    assert_int_equal(unit_in_child(forget_children, *state), 45);
}

/* ---- in the background ---- */

static struct rp_background *start(struct unit *u, const char *script) {
    const char *words[] = {"sh", "-c", script};
    const struct rp_strings argv = {words, 3, 3};
    const char *out = unit_path(u, "out");
    const struct rp_process process = {
        .argv = &argv, .cwd = u->dir, .stdout_path = out, .stderr_path = out};
    struct rp_background *background = rp_process_start(&process, &u->arena, &u->err);
    assert_non_null(background);
    return background;
}

/* The number that the script wrote to a file of that name, as soon as it is there. */
static pid_t number_in(struct unit *u, const char *name) {
    long number = 0;
    while (number == 0) {
        FILE *file = fopen(unit_path(u, name), "r");
        if (file != NULL && fscanf(file, "%ld\n", &number) != 1)
            number = 0;
        if (file != NULL)
            (void)fclose(file);
        (void)rp_process_wait_for(-1, 0, 0.01);
    }
    return (pid_t)number;
}

/* It is our child after its parent has ended, so nobody else takes note of its end. */
static void wait_until_gone(pid_t pid) {
    while (waitpid(pid, NULL, WNOHANG) != pid && kill(pid, 0) == 0)
        (void)rp_process_wait_for(-1, 0, 0.01);
}

static void runs_in_the_background(void **state) {
    struct unit *u = *state;
    struct rp_background *background =
        start(u, "echo one; cat; while ! test -e go; do sleep 0.02; done; echo two >&2; exit 3");
    int status = 77;
    assert_false(rp_process_ended(background, &status));
    assert_int_equal(status, 77);
    (void)unit_text(u, "go", "");
    while (!rp_process_ended(background, &status))
        (void)rp_process_wait_for(-1, 0, 0.01);
    assert_int_equal(status, 3);
    assert_string_equal(unit_slurp(u, "out", NULL), "one\ntwo\n");
    rp_process_stop(background);
    rp_process_stop(background);
    assert_true(rp_process_ended(background, &status));
    assert_int_equal(status, 3);
}

static void does_not_start_what_is_missing(void **state) {
    struct unit *u = *state;
    const char *words[] = {"no-such-program"};
    const struct rp_strings argv = {words, 1, 1};
    const struct rp_process process = {.argv = &argv};
    assert_null(rp_process_start(&process, &u->arena, &u->err));
    assert_int_equal(u->err.id, RP_E_TOOL_MISSING);
}

/* What the program started goes with it, also if it does not want to. */
static void stops_all_of_a_group(void **state) {
    struct unit *u = *state;
    static const char *const scripts[] = {
        "sleep 5000 & echo $! > child; wait", "sleep 5000 & echo $! > child; exit 0",
        ("trap '' TERM; (trap '' TERM; echo $(exec sh -c 'echo $PPID') > child; sleep 5000; sleep "
         "5000) & wait; sleep 5000")};
    assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0), 0);
    for (size_t i = 0; i < COUNT(scripts); i++) {
        (void)unlink(unit_path(u, "child"));
        struct rp_background *background = start(u, scripts[i]);
        pid_t child = number_in(u, "child");
        rp_process_stop(background);
        wait_until_gone(child);
    }
}

/* This process is killed; nobody else is left to stop the program. */
static void be_killed(void *context) {
    struct unit *u = context;
    (void)signal(SIGINT, SIG_DFL);
    (void)signal(SIGTERM, SIG_DFL);
    rp_process_catch_signals();
    (void)start(u, "trap '' TERM; sleep 5000 & echo $! > child; wait; sleep 5000");
    (void)number_in(u, "child");
    FILE *how = fopen(unit_path(u, "how"), "r");
    int number = 0;
    if (how == NULL || fscanf(how, "%d", &number) != 1)
        _exit(9);
    if (number == 0)
        exit(0);
    raise(number);
    raise(number); /* the first one is caught, except for SIGKILL */
    _exit(8);
}

static void nothing_survives(void **state) {
    struct unit *u = *state;
    static const char *const how[] = {"0", "2", "15", "9"};
    assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0), 0);
    for (size_t i = 0; i < COUNT(how); i++) {
        (void)unlink(unit_path(u, "child"));
        (void)unit_text(u, "how", how[i]);
        assert_int_equal(unit_in_child(be_killed, u), i == 0 ? 0 : -1);
        wait_until_gone(number_in(u, "child"));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(reports_status),
        UNIT(passes_words),
        UNIT(changes_the_environment),
        UNIT(hands_on_what_is_allowed),
        UNIT(refuses_to_hand_on_its_own),
        UNIT(reads_what_is_said),
        UNIT(changes_the_folder),
        UNIT(redirects),
        UNIT(names_missing_programs),
        UNIT(ends_after_the_time_limit),
        UNIT(runs_several_at_once),
        UNIT(waits_for_what_was_started),
        UNIT(is_interrupted),
        UNIT(keeps_ignoring_what_was_ignored),
        UNIT(knows_how_children_ended),
        UNIT(kills_what_does_not_end),
        UNIT(second_signal_is_final),
        UNIT(runs_in_the_background),
        UNIT(does_not_start_what_is_missing),
        UNIT(stops_all_of_a_group),
        UNIT(nothing_survives),
    };
    return RUN(tests);
}
