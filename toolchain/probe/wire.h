/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The connection to a GDB server: sends and receives bytes with time limits. Interrupting this
 * process ends every wait.
 */
#ifndef RP_TOOLCHAIN_PROBE_WIRE_H
#define RP_TOOLCHAIN_PROBE_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/arena.h"
#include "base/error.h"

enum { RP_WIRE_INPUT = 1 << 14 };

struct rp_wire;

/* The functions of a wire. Tests have their own, with a clock that does not wait. */
struct rp_wire_link {
    /* As write and read of a non-blocking descriptor. */
    ssize_t (*put)(struct rp_wire *wire, const void *data, size_t size);
    ssize_t (*get)(struct rp_wire *wire, void *data, size_t room);
    /* Waits for one of poll's events, at most these seconds. */
    void (*wait)(struct rp_wire *wire, short events, double seconds);
    double (*now)(const struct rp_wire *wire);
};

struct rp_wire {
    const struct rp_wire_link *link;
    void *context; /* of a link of tests */
    int fd;
    const char *where; /* as the user wrote it */
    const char *doing; /* "read 16 bytes at 0x20000000": for messages */
    bool is_tcp, is_serial;
    bool is_deaf; /* interruptions no longer end waits */
    uint8_t *input;
    size_t at, len; /* what was received and not used: input[at] to input[len - 1] */
};

/*
 * where: HOST:PORT, [IPV6]:PORT or :PORT (this machine), unix:PATH, or the path of a serial device.
 * RP_E_USAGE if it is none of these, RP_E_GDB if nobody answers there within the seconds.
 */
bool rp_wire_open(struct rp_wire *wire, struct rp_arena *arena, const char *where, double seconds,
                  struct rp_error *err);
void rp_wire_close(struct rp_wire *wire);
/* Seconds, of the link's clock. */
double rp_wire_now(const struct rp_wire *wire);

/* until: in rp_wire_now's time. RP_E_GDB, RP_E_INTERRUPTED. */
bool rp_wire_send(struct rp_wire *wire, const void *data, size_t size, double until,
                  struct rp_error *err);
/*
 * Waits for bytes; afterwards, at == len means that the time is over. RP_E_GDB, RP_E_INTERRUPTED.
 */
bool rp_wire_receive(struct rp_wire *wire, double until, struct rp_error *err);
/* The same without waiting. Call both only when all bytes are used. */
bool rp_wire_look(struct rp_wire *wire, struct rp_error *err);

#endif
