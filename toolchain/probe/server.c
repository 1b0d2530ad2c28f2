/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a GDB server: see server.h. */
#include "toolchain/probe/server.h"

#include <arpa/inet.h>
#include <glob.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/path.h"
#include "base/printable.h"
#include "toolchain/compile/command.h"
#include "toolchain/compile/process.h"
#include "toolchain/compile/quote.h"

enum { LOG_MAX = 1 << 16 };
#define START_S 30.0
#define LOOK_S  0.02 /* seconds between two checks */
#define QUIET_S 2.0  /* for a server that listens, but does not print the expected words */
#define LAST_S  0.1  /* for one that listens, but may still end */

static const char *const places[] = {"port",     "socket",   "folder",      "probe",
                                     "machine",  "openocd",  "pyocd",       "jlink",
                                     "firmware", "probe-rs", "stlink-apid", "cubeprogrammer"};

struct start {
    struct rp_arena *arena;
    const struct rp_server_request *request;
    struct rp_server *server;
    struct rp_strings values;
    const char *socket; /* its path, if that is where the server listens */
    bool in_folder;     /* it runs in the folder: the path of its socket is short there */
    unsigned port;      /* on this machine, or 0 */
};

/* ---- ports ---- */

static unsigned free_port(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool ok = fd >= 0 && bind(fd, (const struct sockaddr *)&address, size) == 0 &&
              getsockname(fd, (struct sockaddr *)&address, &size) == 0;
    if (fd >= 0)
        close(fd);
    return ok ? ntohs(address.sin_port) : 0;
}

/*
 * A line of the system's table: "0: 0100007F:0CEA 00000000:0000 0A ...", local address and port,
 * remote one, state.
 */
static bool is_listening(const char *line, unsigned port) {
    enum { LISTENING = 10 };
    const char *local = strchr(line, ':');
    const char *number = local != NULL ? strchr(local + 1, ':') : NULL;
    const char *other = number != NULL ? strchr(number + 1, ':') : NULL;
    const char *state = other != NULL ? strchr(other + 1, ' ') : NULL;
    return state != NULL && strtoul(number + 1, NULL, 16) == port &&
           strtoul(state, NULL, 16) == LISTENING;
}

/*
 * Does a program listen at the port? Reads the system's table, because most servers would take a
 * trial connection for their client. true if there is no such table.
 */
static bool is_open(unsigned port) {
    static const char *const tables[] = {"/proc/net/tcp", "/proc/net/tcp6"};
    bool has_table = false, found = false;
    for (size_t i = 0; i < sizeof tables / sizeof tables[0] && !found; i++) {
        char line[512];
        FILE *table = fopen(tables[i], "re");
        has_table = has_table || table != NULL;
        while (table != NULL && !found && fgets(line, sizeof line, table) != NULL)
            found = is_listening(line, port);
        if (table != NULL)
            (void)fclose(table);
    }
    return found || !has_table;
}

/* The port in HOST:PORT if the host is this machine; else 0. */
static unsigned local_port(const char *where) {
    static const char *const hosts[] = {":", "localhost:", "127.0.0.1:", "[::1]:"};
    for (size_t i = 0; i < sizeof hosts / sizeof hosts[0]; i++)
        if (rp_has_prefix(where, hosts[i]))
            return (unsigned)strtoul(where + strlen(hosts[i]), NULL, 10);
    return 0;
}

/* ---- the command line ---- */

/* The last match of the patterns, by version; NULL: none. */
static const char *find_place(struct rp_arena *arena, const char *patterns) {
    struct rp_strings words = {0};
    const char *best = NULL;
    if (patterns == NULL || !rp_split_words(arena, patterns, &words, NULL))
        return NULL;
    for (size_t i = 0; i < words.count; i++) {
        glob_t found = {0};
        if (glob(words.items[i], 0, NULL, &found) == 0)
            for (size_t k = 0; k < found.gl_pathc; k++)
                if (best == NULL || strverscmp(best, found.gl_pathv[k]) < 0)
                    best = rp_strdup(arena, found.gl_pathv[k]);
        globfree(&found);
    }
    return best;
}

/* The program of the first alternative that is installed. */
static const char *find_program(struct start *start, const char *name, struct rp_error *err) {
    const struct rp_preset *one;
    struct rp_arena *arena = start->arena;
    const char *path = NULL;
    for (size_t i = 0; path == NULL && (one = rp_preset_at(i)) != NULL; i++) {
        if (strcmp(one->name, name) != 0)
            continue;
        start->server->preset = one;
        path = rp_find_program(arena, one->program);
        if (path == NULL)
            path = find_place(arena, one->places);
    }
    if (path == NULL) {
        const struct rp_preset *first = rp_preset_find(name);
        rp_fail(err, RP_E_TOOL_MISSING,
                "cannot run '%s', which --server %s needs: it was not found", first->program, name);
        rp_hint(err, "%s", first->hint);
    }
    return path;
}

/* ST's server uses the libraries of ST's programmer, which is installed next to it. */
static void add_programmer(struct start *start) {
    struct rp_arena *arena = start->arena;
    const char *path = rp_find_program(arena, "STM32_Programmer_CLI");
    if (path == NULL)
        path =
            find_place(arena, "/opt/st/stm32cubeide_*/plugins/*.cubeprogrammer.linux64_*/tools/bin/"
                              "STM32_Programmer_CLI /opt/st/stm32cubeclt_*/STM32CubeProgrammer/bin/"
                              "STM32_Programmer_CLI /usr/local/STMicroelectronics/STM32Cube/"
                              "STM32CubeProgrammer/bin/STM32_Programmer_CLI");
    if (path != NULL && rp_command_value(&start->values, "cubeprogrammer") == NULL)
        *RP_PUSH(arena, &start->values) =
            rp_format(arena, "cubeprogrammer=%s", rp_path_dir(arena, path));
}

static void add_values(struct start *start) {
    struct rp_arena *arena = start->arena;
    const struct rp_strings *given = start->request->values;
    for (size_t i = 0; given != NULL && i < given->count; i++)
        *RP_PUSH(arena, &start->values) = given->items[i];
    RP_PUSH_WORDS(arena, &start->values, rp_format(arena, "port=%u", start->port),
                  rp_format(arena, "socket=%s", start->in_folder ? "gdb" : start->socket),
                  rp_format(arena, "folder=%s", start->request->folder));
    if (start->server->preset != NULL && strcmp(start->server->preset->name, "stlink") == 0)
        add_programmer(start);
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
        *RP_PUSH(arena, &start->values) = rp_format(arena, "%s=", places[i]);
}

static bool has_place(const struct rp_strings *words, const char *place) {
    for (size_t i = 0; i < words->count; i++)
        if (strstr(words->items[i], place) != NULL)
            return true;
    return false;
}

/* Chooses where it will listen. A port in use would be that of another server. */
static bool choose_where(struct start *start, const struct rp_strings *words,
                         struct rp_error *err) {
    struct rp_server *server = start->server;
    const char *gdb = start->request->gdb;
    if (has_place(words, "{socket}")) {
        start->socket = rp_path_join(start->arena, start->request->folder, "gdb");
        server->where = rp_format(start->arena, "unix:%s", start->socket);
        start->in_folder = server->preset != NULL;
        (void)unlink(start->socket);
        return true;
    }
    if (has_place(words, "{port}")) {
        start->port = free_port();
        server->where = rp_format(start->arena, "127.0.0.1:%u", start->port);
        return start->port != 0 || rp_fail(err, RP_E_SYSTEM, "no TCP port on this machine is free");
    }
    if (gdb == NULL) {
        rp_fail(err, RP_E_USAGE, "--server '%s' does not tell where the server listens",
                start->request->server);
        return rp_hint(err, "write {port} where its command line has the port, or give it with "
                            "--gdb HOST:PORT");
    }
    server->where = gdb;
    start->socket = rp_has_prefix(gdb, "unix:") ? gdb + strlen("unix:") : NULL;
    start->port = local_port(gdb);
    bool is_taken = start->socket != NULL ? access(start->socket, F_OK) == 0
                                          : start->port != 0 && is_open(start->port);
    if (!is_taken)
        return true;
    rp_fail(err, RP_E_SERVER, "another program already listens at %s", gdb);
    return rp_hint(err, "end the program that listens there, or leave --server out to use it");
}

static bool make_line(struct start *start, struct rp_strings *line, struct rp_error *err) {
    struct rp_server *server = start->server;
    const struct rp_server_request *request = start->request;
    struct rp_arena *arena = start->arena;
    struct rp_strings words = {0};
    if (server->preset == NULL) {
        if (!rp_split_words(arena, request->server, &words, err))
            return false;
    } else {
        const char *program = find_program(start, server->preset->name, err);
        if (program == NULL || (program = rp_path_absolute(arena, program, err)) == NULL)
            return false;
        *RP_PUSH(arena, line) = program;
        for (size_t i = 0; server->preset->words[i] != NULL; i++)
            *RP_PUSH(arena, &words) = server->preset->words[i];
    }
    if (!choose_where(start, &words, err))
        return false;
    add_values(start);
    const char *needs = server->preset != NULL ? server->preset->needs : NULL;
    if (needs != NULL && rp_command_value(&start->values, needs) == NULL) {
        rp_fail(err, RP_E_USAGE, "--server %s: the board's file has no '%s'", request->server,
                needs);
        return rp_hint(err, "add it to the board's file");
    }
    return rp_command_fill(arena, &words, &start->values, line, err);
}

/* ---- starting ---- */

/* The end of its output. */
static const char *read_log(struct rp_arena *arena, const struct rp_server *server) {
    FILE *log = fopen(server->log, "re");
    char *text = rp_alloc(arena, LOG_MAX + 1, 1);
    if (log != NULL) {
        if (fseek(log, -LOG_MAX, SEEK_END) != 0)
            rewind(log); /* it is shorter */
        text[fread(text, 1, LOG_MAX, log)] = '\0';
        (void)fclose(log);
    }
    return text;
}

static bool fail(struct start *start, const char *how, struct rp_error *err) {
    const struct rp_server *server = start->server;
    const char *output = rp_last_lines(start->arena, read_log(start->arena, server));
    rp_fail(err, RP_E_SERVER, "the GDB server %s: %s%s", how, server->command, output);
    if (server->preset != NULL && server->preset->ready == NULL)
        return false;
    return rp_hint(err, "is the probe connected, is the board powered, and may you use the probe? "
                        "--probe SERIAL chooses one of several");
}

bool rp_server_has_ended(struct rp_server *server, struct rp_arena *arena, struct rp_error *err) {
    struct start start = {.arena = arena, .server = server};
    int status;
    if (server->process == NULL || !rp_process_ended(server->process, &status))
        return false;
    (void)fail(&start, rp_format(arena, "ended with status %d", status), err);
    return true;
}

/* Searches the log: 1: ready, -1: hopeless, 0: nothing yet. */
static int judge_log(const struct rp_server *server) {
    const struct rp_preset *preset = server->preset;
    struct rp_arena arena = {0};
    int result = 0;
    if (preset == NULL || preset->ready == NULL)
        return 1;
    const char *text = read_log(&arena, server);
    if (strstr(text, preset->ready) != NULL)
        result = 1;
    else if (preset->hopeless != NULL && strstr(text, preset->hopeless) != NULL)
        result = -1;
    rp_arena_release(&arena);
    return result;
}

static bool listens(const struct start *start) {
    return start->socket != NULL ? access(start->socket, F_OK) == 0
                                 : start->port == 0 || is_open(start->port);
}

static bool wait_until_ready(struct start *start, struct rp_error *err) {
    const struct rp_server *server = start->server;
    double limit = start->request->start_s > 0 ? start->request->start_s : START_S;
    double until = rp_process_now() + limit, quiet = 0;
    for (;;) {
        int verdict = judge_log(server);
        bool open = listens(start);
        if (quiet == 0 && open)
            quiet = rp_process_now() + QUIET_S;
        if (rp_process_interrupted(err) || rp_server_has_ended(start->server, start->arena, err))
            return false;
        if (open && (verdict > 0 || rp_process_now() > quiet))
            break;
        if (verdict < 0)
            return fail(start, "finds no probe", err);
        if (rp_process_now() > until)
            return fail(
                start, rp_format(start->arena, "accepted no connection within %.0f s", limit), err);
        (void)rp_process_wait_for(-1, 0, LOOK_S);
    }
    double settle = server->preset != NULL ? server->preset->settle_s : 0;
    if (start->socket == NULL)
        (void)rp_process_wait_for(-1, 0, settle > LAST_S ? settle : LAST_S);
    return !rp_process_interrupted(err) && !rp_server_has_ended(start->server, start->arena, err);
}

static bool run(struct start *start, struct rp_error *err) {
    struct rp_server *server = start->server;
    const struct rp_server_request *request = start->request;
    struct rp_strings line = {0};
    struct rp_buf text = {.arena = start->arena};
    if (!make_line(start, &line, err))
        return false;
    for (size_t i = 0; i < line.count; i++)
        rp_buf_printf(&text, "%s%s", i != 0 ? " " : "",
                      rp_shell_quote(start->arena, line.items[i]));
    server->command = rp_buf_text(&text);
    server->log = rp_path_join(start->arena, request->folder, "server.log");
    (void)unlink(server->log);
    const struct rp_process process = {.argv = &line,
                                       .cwd = start->in_folder ? request->folder : NULL,
                                       .passed = request->passed,
                                       .stdout_path = server->log,
                                       .stderr_path = server->log};
    server->process = rp_process_start(&process, start->arena, err);
    return server->process != NULL && wait_until_ready(start, err);
}

struct rp_server *rp_server_start(struct rp_arena *arena, const struct rp_server_request *request,
                                  struct rp_error *err) {
    struct rp_server *server = rp_alloc(arena, 1, sizeof *server);
    struct start start = {.arena = arena, .request = request, .server = server};
    server->preset = rp_preset_find(request->server);
    bool in_probe = server->preset != NULL && server->preset->program == NULL;
    if (in_probe)
        server->where = request->gdb;
    if (in_probe ? server->where != NULL : run(&start, err))
        return server;
    if (in_probe) {
        rp_fail(err, RP_E_USAGE, "--server %s needs --gdb", request->server);
        rp_hint(err, "%s", server->preset->hint);
    }
    rp_server_end(server);
    return NULL;
}

void rp_server_end(struct rp_server *server) {
    if (server != NULL && server->process != NULL)
        rp_process_stop(server->process);
}
