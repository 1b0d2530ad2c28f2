/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Unit tests of toolchain/probe/server.h and wire.h: servers that start, end, hang and say things;
 * QEMU's, with a program that runs; OpenOCD and pyOCD, which find no probe.
 */
#include "tests/unit/unit.h"

#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/path.h"
#include "toolchain/compile/process.h"
#include "toolchain/probe/memory.h"
#include "toolchain/probe/registers.h"
#include "toolchain/probe/server.h"

static struct rp_server *start(struct unit *u, const char *server, const char *gdb,
                               const struct rp_strings *values) {
    const struct rp_server_request request = {
        .server = server, .gdb = gdb, .values = values, .folder = u->dir, .start_s = 20};
    return rp_server_start(&u->arena, &request, &u->err);
}

static void refuse(struct unit *u, const char *server, const char *gdb, enum rp_error_id id,
                   const char *part) {
    REFUSED(u, start(u, server, gdb, NULL) != NULL, id, part);
}

/* A shell script as the server. */
static const char *script(struct unit *u, const char *text) {
    return rp_format(&u->arena, "sh %s {port}", unit_text(u, "server.sh", text));
}

/* In CI, everything is installed. */
static bool is_installed(const char *program, struct unit *u) {
    const char *ci = getenv("CI");
    if (rp_find_program(&u->arena, program) != NULL)
        return true;
    if (ci != NULL && strcmp(ci, "true") == 0)
        fail_msg("%s is not installed", program);
    print_message("NOT TESTED: %s is not installed\n", program);
    return false;
}

static void says_what_a_server_said(void **state) {
    struct unit *u = *state;
    refuse(u, script(u, "echo one; echo two >&2; printf 'three\\033[1m'; exit 3"), NULL,
           RP_E_SERVER, "the GDB server ended with status 3: sh ");
    refuse(u, script(u, "echo one; echo two >&2; printf 'three\\033[1m'; exit 3"), NULL,
           RP_E_SERVER, "\n  one\n  two\n  three\\x1B[1m");
    refuse(u, script(u, "kill -9 $$"), NULL, RP_E_SERVER, "status 137");
    /* the last lines of many */
    assert_null(start(u, script(u, "yes 'a long line' | head -n 100000; echo end"), NULL, NULL));
    CONTAINS(u->err.message, "a long line\n  end");
    assert_true(strlen(u->err.message) < 2000);
}

static void refuses_wrong_requests(void **state) {
    struct unit *u = *state;
    refuse(u, "no-such-program {port}", NULL, RP_E_TOOL_MISSING, "no-such-program");
    refuse(u, "sleep 5000", NULL, RP_E_USAGE, "does not tell where");
    refuse(u, "sleep {port} {nothing}", NULL, RP_E_USAGE, "{nothing}");
    refuse(u, "sleep 'x", NULL, RP_E_USAGE, "not closed");
    refuse(u, "blackmagic", NULL, RP_E_USAGE, "needs --gdb");
    refuse(u, "sleep 5000", rp_format(&u->arena, "unix:%s", unit_text(u, "taken", "")), RP_E_SERVER,
           "another program");
    assert_int_equal(setenv("RP_SAVED", getenv("PATH"), 1), 0);
    assert_int_equal(setenv("PATH", u->dir, 1), 0);
    refuse(u, "openocd", NULL, RP_E_TOOL_MISSING, "'openocd'");
    refuse(u, "pyocd", NULL, RP_E_TOOL_MISSING, "'pyocd'");
    refuse(u, "jlink", NULL, RP_E_TOOL_MISSING, "'JLinkGDBServerCLExe'");
    assert_int_equal(setenv("PATH", getenv("RP_SAVED"), 1), 0);
    struct rp_server *probe = start(u, "blackmagic", "/dev/null", NULL);
    assert_non_null(probe);
    assert_string_equal(probe->where, "/dev/null");
    rp_server_end(probe);
    REFUSED(u, rp_gdb_connect(&u->arena, "/dev/null", NULL, &u->err) != NULL, RP_E_GDB,
            "/dev/null");
}

/* One that takes no connection is ended when its time is over, with what it started. */
static void ends_what_does_not_listen(void **state) {
    struct unit *u = *state;
    const struct rp_server_request request = {
        .server = script(u, rp_format(&u->arena, "echo $$ > %s; sleep 5000", unit_path(u, "pid"))),
        .folder = u->dir,
        .start_s = 0.3};
    assert_null(rp_server_start(&u->arena, &request, &u->err));
    assert_int_equal(u->err.id, RP_E_SERVER);
    CONTAINS(u->err.message, "accepted no connection within");
    pid_t pid = (pid_t)strtol(unit_slurp(u, "pid", NULL), NULL, 10);
    assert_true(pid > 1 && kill(pid, 0) != 0);
}

/* Another program's port is not taken for the server's. */
static void leaves_other_servers_alone(void **state) {
    struct unit *u = *state;
    if (!is_installed("qemu-system-arm", u))
        skip();
    struct rp_strings values = {0};
    *RP_PUSH(&u->arena, &values) = "machine=mps2-an385";
    struct rp_server *first =
        start(u, "qemu-system-arm -M {machine} -S -display none -gdb tcp:127.0.0.1:{port}", NULL,
              &values);
    assert_non_null(first);
    assert_null(start(u, "sleep 5000", first->where, NULL));
    assert_int_equal(u->err.id, RP_E_SERVER);
    CONTAINS(u->err.message,
             rp_format(&u->arena, "another program already listens at %s", first->where));
    u->err = (struct rp_error){0};
    struct rp_gdb *gdb = rp_gdb_connect(&u->arena, first->where, NULL, &u->err);
    assert_non_null(gdb);
    rp_server_end(first);
    uint32_t value;
    REFUSED(u, rp_gdb_get_register(gdb, "pc", &value, &u->err), RP_E_GDB,
            "cannot read the register pc: the connection to the GDB server");
    assert_true(rp_server_has_ended(first, &u->arena, &u->err));
    rp_gdb_close(gdb);
}

/* Adds two numbers, then goes round in a circle. */
static const uint8_t program[] = {0x02, 0x20, 0x03, 0x21, 0x42, 0x18, 0xFE, 0xE7};

static void runs_on_qemu(void **state) {
    struct unit *u = *state;
    static const struct {
        const char *machine;
        uint32_t ram;
    } boards[] = {{"machine=mps2-an386", 0x21000000}, {"machine=mps3-an547", 0x60000000}};
    enum { BLOCK = 100001 };
    if (!is_installed("qemu-system-arm", u))
        skip();
    for (size_t i = 0; i < COUNT(boards); i++) {
        struct rp_strings values = {0};
        struct rp_gdb_stop stop;
        uint32_t ram = boards[i].ram, sum = 0, pc = 0;
        bool supported;
        uint8_t *data = rp_alloc(&u->arena, BLOCK, 1), *there = rp_alloc(&u->arena, BLOCK, 1);
        for (size_t k = 0; k < BLOCK; k++)
            data[k] = (uint8_t)(k * k >> 3);
        *RP_PUSH(&u->arena, &values) = boards[i].machine;
        struct rp_server *server = start(u, "qemu", NULL, &values);
        assert_non_null(server);
        struct rp_gdb *gdb = rp_gdb_connect(&u->arena, server->where, NULL, &u->err);
        assert_non_null(gdb);
        ACCEPTED(u, rp_gdb_write(gdb, ram + 0x1001, data, BLOCK, &u->err));
        ACCEPTED(u, rp_gdb_read(gdb, ram + 0x1001, there, BLOCK, &u->err));
        assert_memory_equal(there, data, BLOCK);
        ACCEPTED(u, rp_gdb_write(gdb, ram, program, sizeof program, &u->err));
        ACCEPTED(u, rp_gdb_set_register(gdb, "xpsr", 0x01000000, &u->err));
        ACCEPTED(u, rp_gdb_set_register(gdb, "pc", ram, &u->err));
        ACCEPTED(u, rp_gdb_break(gdb, &(struct rp_gdb_breakpoint){.address = ram + 6}, true,
                                 &supported, &u->err));
        assert_true(supported);
        ACCEPTED(u, rp_gdb_continue(gdb, &u->err));
        ACCEPTED(u, rp_gdb_wait(gdb, 60, NULL, &stop, &u->err));
        assert_int_equal(stop.how, RP_GDB_STOPPED);
        assert_int_equal(stop.signal, 5);
        ACCEPTED(u, rp_gdb_get_register(gdb, "pc", &pc, &u->err));
        ACCEPTED(u, rp_gdb_get_register(gdb, "r2", &sum, &u->err));
        assert_int_equal(pc, ram + 6);
        assert_int_equal(sum, 5);
        ACCEPTED(u, rp_gdb_break(gdb, &(struct rp_gdb_breakpoint){.address = ram + 6}, false,
                                 &supported, &u->err));
        ACCEPTED(u, rp_gdb_continue(gdb, &u->err));
        ACCEPTED(u, rp_gdb_wait(gdb, 0.05, NULL, &stop, &u->err));
        assert_int_equal(stop.how, RP_GDB_RUNNING);
        ACCEPTED(u, rp_gdb_interrupt(gdb, &stop, &u->err));
        assert_int_equal(stop.signal, 2);
        rp_gdb_close(gdb);
        rp_server_end(server);
    }
}

/* The folder's path has a comma and is longer than an address of a socket. */
static void works_in_any_folder(void **state) {
    struct unit *u = *state;
    if (!is_installed("qemu-system-arm", u))
        skip();
    struct rp_strings values = {0};
    char *folder = unit_path(u, "a,b,path=x");
    for (unsigned i = 0; i < 8; i++)
        folder = rp_format(&u->arena, "%s/0123456789abcdef", folder);
    assert_int_equal(system(rp_format(&u->arena, "mkdir -p '%s'", folder)), 0);
    *RP_PUSH(&u->arena, &values) = "machine=mps2-an500";
    const struct rp_server_request request = {
        .server = "qemu", .values = &values, .folder = folder};
    struct rp_server *server = rp_server_start(&u->arena, &request, &u->err);
    assert_non_null(server);
    struct rp_gdb *gdb = rp_gdb_connect(&u->arena, server->where, NULL, &u->err);
    assert_non_null(gdb);
    rp_gdb_close(gdb);
    rp_server_end(server);
}

static void says_what_qemu_lacks(void **state) {
    struct unit *u = *state;
    if (!is_installed("qemu-system-arm", u))
        skip();
    struct rp_strings values = {0};
    refuse(u, "qemu", NULL, RP_E_USAGE, "the board's file has no 'machine'");
    *RP_PUSH(&u->arena, &values) = "machine=no-such-machine";
    REFUSED(u, start(u, "qemu", NULL, &values) != NULL, RP_E_SERVER, "unsupported machine");
}

/* Without a probe they say so themselves, each in its own way. */
static void says_what_real_servers_say(void **state) {
    struct unit *u = *state;
    struct rp_strings values = {0};
    RP_PUSH_WORDS(&u->arena, &values, "openocd=interface/stlink.cfg", "openocd=target/stm32f4x.cfg",
                  "probe=066BFF303435554157121019");
    if (is_installed("openocd", u)) {
        REFUSED(u, start(u, "openocd", NULL, &values) != NULL, RP_E_SERVER, "Error: open failed");
        values.items[1] = "openocd=target/no-such.cfg";
        REFUSED(u, start(u, "openocd", NULL, &values) != NULL, RP_E_SERVER, "no-such.cfg");
        refuse(u, "openocd", NULL, RP_E_USAGE, "the board's file has no 'openocd'");
    }
    if (is_installed("pyocd-gdbserver", u) && rp_find_program(&u->arena, "pyocd") == NULL) {
        REFUSED(u, start(u, "pyocd", NULL, &values) != NULL, RP_E_SERVER, "debug probe");
        *RP_PUSH(&u->arena, &values) = "pyocd=no-such-target";
        REFUSED(u, start(u, "pyocd", NULL, &values) != NULL, RP_E_SERVER,
                "invalid target option 'no-such-target'");
    }
}

/* ---- where ---- */

static void refuses_wrong_places(void **state) {
    struct unit *u = *state;
    static const char *const wrong[] = {
        "", "3333", "localhost", "localhost:", ":0", ":65536", ":12a", "host:-1"};
    const struct rp_gdb_times times = {.connect_s = 0.1};
    for (size_t i = 0; i < COUNT(wrong); i++)
        REFUSED(u, rp_gdb_connect(&u->arena, wrong[i], &times, &u->err) != NULL, RP_E_USAGE,
                "is not the address of a GDB server");
    REFUSED(u, rp_gdb_connect(&u->arena, "no-such-host.invalid:1", &times, &u->err) != NULL,
            RP_E_GDB, "no-such-host.invalid");
    REFUSED(u, rp_gdb_connect(&u->arena, "[::1]:1", &times, &u->err) != NULL, RP_E_GDB,
            "cannot connect to the GDB server at '[::1]:1'");
    REFUSED(u,
            rp_gdb_connect(&u->arena, rp_format(&u->arena, "unix:%s", unit_path(u, "none")), &times,
                           &u->err) != NULL,
            RP_E_GDB, "No such file");
}

/*
 * A server that says nothing, or the same for ever, is given up on. It is a process, because a
 * sender that does not read blocks.
 */
static void gives_up_on_bad_servers(void **state) {
    struct unit *u = *state;
    static const char *const says[] = {"",
                                       "+",
                                       "-",
                                       "$OK#9a",
                                       "+$OK#9a",
                                       "$O41#c4",
                                       "+$E01#a6",
                                       "$$$$",
                                       "%x#00",
                                       "+$",
                                       "\x7f\x45\x4c\x46#00",
                                       "$OK#00"};
    const struct rp_gdb_times times = {.connect_s = 0.2, .answer_s = 0.02};
    const char *where = rp_format(&u->arena, "unix:%s", unit_path(u, "bad"));
    for (size_t i = 0; i < COUNT(says); i++) {
        struct sockaddr_un address = {.sun_family = AF_UNIX};
        (void)snprintf(address.sun_path, sizeof address.sun_path, "%s", unit_path(u, "bad"));
        int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        assert_int_equal(bind(listener, (struct sockaddr *)&address, sizeof address), 0);
        assert_int_equal(listen(listener, 5), 0);
        pid_t pid = fork();
        if (pid == 0) {
            (void)signal(SIGPIPE, SIG_DFL);
            int client = accept(listener, NULL, NULL);
            while (says[i][0] == '\0' || write(client, says[i], strlen(says[i])) > 0)
                if (says[i][0] == '\0')
                    (void)pause();
            _exit(0);
        }
        double start_time = rp_process_now();
        assert_null(rp_gdb_connect(&u->arena, where, &times, &u->err));
        assert_int_equal(u->err.id, RP_E_GDB);
        CONTAINS(u->err.message, "cannot ask for its features");
        assert_true(rp_process_now() - start_time < 100); /* even on a busy machine */
        u->err = (struct rp_error){0};
        assert_int_equal(kill(pid, SIGKILL), 0);
        close(listener);
        (void)unlink(address.sun_path);
    }
}

/* After a signal, nothing is waited for; but in a hurry, the board can still be left in order. */
static void be_interrupted(void *context) {
    struct unit *u = context;
    struct rp_strings values = {0};
    struct rp_gdb_stop stop;
    uint8_t byte;
    (void)signal(SIGINT, SIG_DFL);
    rp_process_catch_signals();
    *RP_PUSH(&u->arena, &values) = "machine=mps2-an386";
    struct rp_server *server = start(u, "qemu", NULL, &values);
    struct rp_gdb *gdb =
        server != NULL ? rp_gdb_connect(&u->arena, server->where, NULL, &u->err) : NULL;
    bool ok = gdb != NULL && rp_gdb_write(gdb, 0x20000000, program, sizeof program, &u->err) &&
              rp_gdb_set_register(gdb, "xpsr", 0x01000000, &u->err) &&
              rp_gdb_set_register(gdb, "pc", 0x20000000, &u->err) && rp_gdb_continue(gdb, &u->err);
    if (!ok)
        _exit(1);
    raise(SIGINT);
    if (rp_gdb_wait(gdb, 5000, NULL, &stop, &u->err) || u->err.id != RP_E_INTERRUPTED)
        _exit(2);
    rp_gdb_hurry(gdb, 20);
    u->err = (struct rp_error){0};
    if (!rp_gdb_interrupt(gdb, &stop, &u->err) || stop.signal != 2 ||
        !rp_gdb_read(gdb, 0x20000000, &byte, 1, &u->err) || byte != program[0] ||
        !rp_gdb_continue(gdb, &u->err))
        _exit(3);
    rp_gdb_hurry(gdb, 0.1); /* no wait lasts longer */
    if (!rp_gdb_wait(gdb, 5000, NULL, &stop, &u->err) || stop.how != RP_GDB_RUNNING)
        _exit(4);
    rp_server_end(server);
    _exit(42);
}

static void ends_waits_at_signals(void **state) {
    struct unit *u = *state;
    if (!is_installed("qemu-system-arm", u))
        skip();
    assert_int_equal(unit_in_child(be_interrupted, u), 42);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(says_what_a_server_said),
        UNIT(refuses_wrong_requests),
        UNIT(ends_what_does_not_listen),
        UNIT(leaves_other_servers_alone),
        UNIT(runs_on_qemu),
        UNIT(works_in_any_folder),
        UNIT(says_what_qemu_lacks),
        UNIT(says_what_real_servers_say),
        UNIT(refuses_wrong_places),
        UNIT(gives_up_on_bad_servers),
        UNIT(ends_waits_at_signals),
    };
    return RUN(tests);
}
