/* SPDX-License-Identifier: Apache-2.0 */
/* The connection to a GDB server: see wire.h. */
#include "toolchain/probe/wire.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <termios.h>
#include <unistd.h>

#include "base/path.h"
#include "toolchain/compile/process.h"

enum { PORT_MAX = 65535, LOOKS = 10 };
#define AGAIN_S 0.02 /* between two attempts to connect */

static bool interrupted(const struct rp_wire *wire, struct rp_error *err) {
    return !wire->is_deaf && rp_process_interrupted(err);
}

/* ---- sockets and devices ---- */

static ssize_t put(struct rp_wire *wire, const void *data, size_t size) {
    return wire->is_serial ? write(wire->fd, data, size) : send(wire->fd, data, size, MSG_NOSIGNAL);
}

static ssize_t get(struct rp_wire *wire, void *data, size_t room) {
    return read(wire->fd, data, room);
}

static void wait_for(struct rp_wire *wire, short events, double seconds) {
    struct pollfd one = {.fd = wire->fd, .events = events};
    int on = 1;
    /* A server on this machine answers faster than this process can sleep and wake up. If it
       shares the processor, its acknowledgment would wake us before it can write the answer. */
    for (unsigned i = 0; i < LOOKS; i++) {
        if (poll(&one, 1, 0) > 0)
            return;
        (void)sched_yield();
    }
    /* Some servers send small pieces, and their system holds back the second until the first is
   confirmed, which ours delays. Linux forgets this option, so it is set each time. */
    if (wire->is_tcp)
        (void)setsockopt(wire->fd, IPPROTO_TCP, TCP_QUICKACK, &on, sizeof on);
    (void)rp_process_wait_for(wire->fd, events, seconds);
}

static double now(const struct rp_wire *wire) {
    (void)wire;
    return rp_process_now();
}

static const struct rp_wire_link system_link = {put, get, wait_for, now};

double rp_wire_now(const struct rp_wire *wire) {
    return wire->link->now(wire);
}

/* ---- opening ---- */

/* May a later attempt succeed? A new server may not listen yet, or its queue may be full. */
static bool may_come(int why) {
    return why == ECONNREFUSED || why == ENOENT || why == EAGAIN || why == ETIMEDOUT;
}

/* Returns 0 or an errno value. */
static int connect_until(struct rp_wire *wire, const struct sockaddr *address, socklen_t size,
                         double until) {
    int why = 0;
    socklen_t len = sizeof why;
    wire->fd = socket(address->sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (wire->fd < 0)
        return errno;
    if (connect(wire->fd, address, size) != 0)
        why = errno;
    if (why == EINPROGRESS || why == EINTR) {
        while (!rp_process_wait_for(wire->fd, POLLOUT, until - rp_process_now()) &&
               rp_process_now() < until && !interrupted(wire, NULL))
            ;
        struct pollfd done = {.fd = wire->fd, .events = POLLOUT};
        why = ETIMEDOUT;
        if (poll(&done, 1, 0) > 0)
            (void)getsockopt(wire->fd, SOL_SOCKET, SO_ERROR, &why, &len);
    }
    if (why != 0)
        rp_wire_close(wire);
    return why;
}

static int try_unix(struct rp_wire *wire, const char *path, double until) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    struct rp_arena arena = {0};
    const int room = (int)sizeof address.sun_path;
    int dir = -1, why = ENAMETOOLONG;
    int len = snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    if (len >= room) { /* through its folder, which has a short name in /proc */
        dir = open(rp_path_dir(&arena, path), O_PATH | O_DIRECTORY | O_CLOEXEC);
        len = snprintf(address.sun_path, sizeof address.sun_path, "/proc/self/fd/%d/%s", dir,
                       rp_path_base(path));
    }
    if (len < room)
        why = connect_until(wire, (const struct sockaddr *)&address, sizeof address, until);
    if (dir >= 0)
        close(dir);
    rp_arena_release(&arena);
    return why;
}

/* The first address that answers. */
static int try_tcp(struct rp_wire *wire, const struct addrinfo *list, double until) {
    int why = ECONNREFUSED, on = 1;
    for (const struct addrinfo *one = list; one != NULL; one = one->ai_next) {
        why = connect_until(wire, one->ai_addr, one->ai_addrlen, until);
        if (why != 0)
            continue;
        /* packets are small, and each waits for the previous one */
        (void)setsockopt(wire->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        wire->is_tcp = true;
        return 0;
    }
    return why;
}

static int open_serial(struct rp_wire *wire) {
    struct termios settings;
    wire->fd = open(wire->where, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (wire->fd < 0)
        return errno;
    if (tcgetattr(wire->fd, &settings) != 0) {
        rp_wire_close(wire);
        return ENOTTY;
    }
    cfmakeraw(&settings);
    settings.c_cflag |= CLOCAL;
    (void)cfsetspeed(&settings, B115200);
    (void)tcsetattr(wire->fd, TCSANOW, &settings);
    (void)tcflush(wire->fd, TCIOFLUSH);
    return 0;
}

static bool is_port(const char *text) {
    char *end;
    long number = strtol(text, &end, 10);
    return text[0] >= '0' && text[0] <= '9' && *end == '\0' && number > 0 && number <= PORT_MAX;
}

/* Splits HOST:PORT and looks the host up; fails at once if the name does not exist. */
static bool look_up(struct rp_arena *arena, const char *where, struct addrinfo **list,
                    struct rp_error *err) {
    const char *colon = strrchr(where, ':');
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_family = AF_UNSPEC};
    if (colon == NULL || !is_port(colon + 1)) {
        rp_fail(err, RP_E_USAGE, "'%s' is not the address of a GDB server", where);
        return rp_hint(err, "write HOST:PORT, such as localhost:3333, unix:PATH, or the path of a "
                            "serial device");
    }
    char *host = rp_strndup(arena, where, (size_t)(colon - where));
    size_t len = strlen(host);
    if (len >= 2 && host[0] == '[' && host[len - 1] == ']') {
        host[len - 1] = '\0';
        host++;
    }
    int why = getaddrinfo(host[0] != '\0' ? host : "localhost", colon + 1, &hints, list);
    if (why == 0)
        return true;
    rp_fail(err, RP_E_GDB, "unknown host '%s': %s", host, gai_strerror(why));
    return rp_hint(err, "check the name in '%s', and the network", where);
}

bool rp_wire_open(struct rp_wire *wire, struct rp_arena *arena, const char *where, double seconds,
                  struct rp_error *err) {
    struct addrinfo *list = NULL;
    double until = rp_process_now() + seconds;
    bool is_unix = rp_has_prefix(where, "unix:");
    struct stat st;
    int why;
    *wire = (struct rp_wire){
        .link = &system_link, .fd = -1, .where = where, .input = rp_alloc(arena, RP_WIRE_INPUT, 1)};
    wire->is_serial = !is_unix && stat(where, &st) == 0 && S_ISCHR(st.st_mode);
    if (!is_unix && !wire->is_serial && !look_up(arena, where, &list, err))
        return false;
    for (;;) {
        why = wire->is_serial ? open_serial(wire)
              : is_unix       ? try_unix(wire, where + strlen("unix:"), until)
                              : try_tcp(wire, list, until);
        if (!may_come(why) || interrupted(wire, NULL) || rp_process_now() + AGAIN_S > until)
            break;
        (void)rp_process_wait_for(-1, 0, AGAIN_S);
    }
    if (list != NULL)
        freeaddrinfo(list);
    if (why == 0)
        return true;
    if (interrupted(wire, err))
        return false;
    rp_fail(err, RP_E_GDB, "cannot connect to the GDB server at '%s': %s", where, strerror(why));
    return rp_hint(err, "start the server first, or let --server start it");
}

void rp_wire_close(struct rp_wire *wire) {
    if (wire->fd >= 0)
        close(wire->fd);
    wire->fd = -1;
}

/* ---- bytes ---- */

static bool lost(const struct rp_wire *wire, int why, struct rp_error *err) {
    rp_fail(err, RP_E_GDB, "cannot %s: the connection to the GDB server at '%s' is lost: %s",
            wire->doing, wire->where, why == 0 ? "the server closed it" : strerror(why));
    return rp_hint(err, "the server's own messages may say why; check the probe's cable and the "
                        "board's power");
}

bool rp_wire_send(struct rp_wire *wire, const void *data, size_t size, double until,
                  struct rp_error *err) {
    const uint8_t *at = data;
    while (size != 0) {
        ssize_t put = wire->link->put(wire, at, size);
        if (put > 0) {
            at += put;
            size -= (size_t)put;
            continue;
        }
        if (errno != EAGAIN && errno != EINTR)
            return lost(wire, errno, err);
        if (interrupted(wire, err))
            return false;
        if (rp_wire_now(wire) >= until) {
            rp_fail(err, RP_E_GDB, "cannot %s: the GDB server at '%s' accepts no more bytes",
                    wire->doing, wire->where);
            return rp_hint(err, "it hangs: end it and start it again");
        }
        wire->link->wait(wire, POLLOUT, until - rp_wire_now(wire));
    }
    return true;
}

bool rp_wire_look(struct rp_wire *wire, struct rp_error *err) {
    ssize_t count = wire->link->get(wire, wire->input, RP_WIRE_INPUT);
    wire->at = 0;
    wire->len = count > 0 ? (size_t)count : 0;
    if (count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR)))
        return true;
    return lost(wire, count == 0 ? 0 : errno, err);
}

bool rp_wire_receive(struct rp_wire *wire, double until, struct rp_error *err) {
    for (;;) {
        double left = until - rp_wire_now(wire);
        if (interrupted(wire, err))
            return false;
        if (left > 0)
            wire->link->wait(wire, POLLIN, left);
        if (!rp_wire_look(wire, err))
            return false;
        if (wire->len != 0 || left <= 0)
            return true;
    }
}
