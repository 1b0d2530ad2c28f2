/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A client of the GDB remote serial protocol, for one Cortex-M: connecting, running, stopping and
 * breakpoints. memory.h and registers.h have the rest. All functions fail with RP_E_GDB, whose
 * message says what was being done, or with RP_E_INTERRUPTED after a signal. Every wait has an end.
 * Except for rp_gdb_wait and rp_gdb_interrupt, they need a halted target.
 */
#ifndef RP_TOOLCHAIN_PROBE_GDB_H
#define RP_TOOLCHAIN_PROBE_GDB_H

#include "base/buf.h"
#include "base/error.h"
#include "toolchain/probe/describe.h"

struct rp_gdb; /* in the arena */
struct rp_wire;

struct rp_gdb_times {
    double connect_s; /* for the connection and the first answer; 0: 20 */
    double answer_s;  /* for an answer before the question is repeated, up to three times, with
 twice the time each; 0: 1 */
    double silent_s;  /* for all that, and for all that is asked next, until something good comes;
 0: no other limit */
};

struct rp_gdb_stop {
    enum {
        RP_GDB_STOPPED,
        RP_GDB_RUNNING, /* when the time was over */
        RP_GDB_GONE     /* the server says that there is no target, or that it has exited */
    } how;
    int signal; /* 5: breakpoint, 2: interruption, 11 and others: fault; 0: the server did not tell
                 */
};

/*
 * Connects to a server. where: HOST:PORT, [IPV6]:PORT, :PORT, unix:PATH or the path of a serial
 * device. times: NULL for the usual ones. RP_E_USAGE: where is none of these. Close with
 * rp_gdb_close.
 */
struct rp_gdb *rp_gdb_connect(struct rp_arena *arena, const char *where,
                              const struct rp_gdb_times *times, struct rp_error *err);
/* The same over an open wire; closes it after a failure. */
struct rp_gdb *rp_gdb_open(struct rp_arena *arena, const struct rp_wire *wire,
                           const struct rp_gdb_times *times, struct rp_error *err);
/* Closes the connection without telling the server. gdb may be NULL. */
void rp_gdb_close(struct rp_gdb *gdb);
/* The state of the target when it was connected. */
struct rp_gdb_stop rp_gdb_state(const struct rp_gdb *gdb);
/* From now on, all waits together take at most these seconds; 0: each has its own limit again. */
void rp_gdb_limit(struct rp_gdb *gdb, double seconds);
/*
 * For cleaning up, even after a signal: signals no longer end waits, and everything from now on
 * takes at most these seconds.
 */
void rp_gdb_hurry(struct rp_gdb *gdb, double seconds);

/* Chooses the target, for servers that need this (Black Magic); number is usually 1. */
bool rp_gdb_attach(struct rp_gdb *gdb, unsigned number, struct rp_error *err);
/* Detaches from the target, which most servers then let run. */
bool rp_gdb_detach(struct rp_gdb *gdb, struct rp_error *err);
/*
 * Runs a command of the server itself, and appends up to 64 KiB of what it prints to output (or
 * NULL).
 */
bool rp_gdb_monitor(struct rp_gdb *gdb, const char *command, struct rp_buf *output,
                    struct rp_error *err);

struct rp_gdb_breakpoint {
    uint32_t address;
    bool is_hardware; /* a comparator of the core; else the server writes an instruction */
};
/*
 * Sets or removes a breakpoint. *supported: false if the server has none; the call then succeeds.
 */
bool rp_gdb_break(struct rp_gdb *gdb, const struct rp_gdb_breakpoint *at, bool on, bool *supported,
                  struct rp_error *err);
/* Lets the target run from its pc. */
bool rp_gdb_continue(struct rp_gdb *gdb, struct rp_error *err);
/* Waits at most that time until it stops. console: gets what the target prints; or NULL. */
bool rp_gdb_wait(struct rp_gdb *gdb, double seconds, struct rp_buf *console,
                 struct rp_gdb_stop *stop, struct rp_error *err);
/* Stops a running target, which may have stopped by itself meanwhile. */
bool rp_gdb_interrupt(struct rp_gdb *gdb, struct rp_gdb_stop *stop, struct rp_error *err);

#endif
