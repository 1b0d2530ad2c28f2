/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A client of the GDB remote serial protocol, for one Cortex-M: connecting, running, stopping,
 * breakpoints. memory.h and registers.h have the rest. All functions fail with RP_E_GDB, whose
 * message says what was being done, and RP_E_INTERRUPTED after a signal. Every wait has an end.
 * Except for rp_gdb_wait and rp_gdb_interrupt, they want a target that does not run.
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
        RP_GDB_RUNNING, /* the time was over */
        RP_GDB_GONE     /* the server says that there is no target, or that it has exited */
    } how;
    int signal; /* 5 at a breakpoint, 2 after an interruption, 11 and others after a fault; 0: the
                   server did not say */
};

/*
 * where: HOST:PORT, [IPV6]:PORT, :PORT, unix:PATH or the path of a serial device. times: NULL for
 * the usual ones. RP_E_USAGE: where is none of these. To be closed.
 */
struct rp_gdb *rp_gdb_connect(struct rp_arena *arena, const char *where,
                              const struct rp_gdb_times *times, struct rp_error *err);
/* The same over a wire that is open already; closes it if that fails. */
struct rp_gdb *rp_gdb_open(struct rp_arena *arena, const struct rp_wire *wire,
                           const struct rp_gdb_times *times, struct rp_error *err);
/* Closes the connection without a word to the server. NULL is closed already. */
void rp_gdb_close(struct rp_gdb *gdb);
/* What the server said of the target when it was connected to. */
struct rp_gdb_stop rp_gdb_state(const struct rp_gdb *gdb);
/* From now on, all waits together end after these seconds; 0: each has its own limit again. */
void rp_gdb_limit(struct rp_gdb *gdb, double seconds);
/*
 * For cleaning up, also after a signal: signals end no wait any more, and all that follows takes no
 * longer than these seconds.
 */
void rp_gdb_hurry(struct rp_gdb *gdb, double seconds);

/* Chooses the target, for servers that want it (Black Magic): number is 1 in most cases. */
bool rp_gdb_attach(struct rp_gdb *gdb, unsigned number, struct rp_error *err);
/* Lets go of the target: most servers let it run. */
bool rp_gdb_detach(struct rp_gdb *gdb, struct rp_error *err);
/*
 * Runs a command of the server itself; what it prints is appended to output (NULL: dropped), 64 KiB
 * at most.
 */
bool rp_gdb_monitor(struct rp_gdb *gdb, const char *command, struct rp_buf *output,
                    struct rp_error *err);

struct rp_gdb_breakpoint {
    uint32_t address;
    bool is_hardware; /* a comparator of the core; else the server writes an instruction */
};
/* Sets or removes a breakpoint. *supported is false when the server has none; the call succeeds. */
bool rp_gdb_break(struct rp_gdb *gdb, const struct rp_gdb_breakpoint *at, bool on, bool *supported,
                  struct rp_error *err);
/* Lets the target run from its pc. */
bool rp_gdb_continue(struct rp_gdb *gdb, struct rp_error *err);
/* Waits until it stops, for at most that time. console gets what the target prints; or NULL. */
bool rp_gdb_wait(struct rp_gdb *gdb, double seconds, struct rp_buf *console,
                 struct rp_gdb_stop *stop, struct rp_error *err);
/* Stops a running target; no harm if it stopped by itself meanwhile. */
bool rp_gdb_interrupt(struct rp_gdb *gdb, struct rp_gdb_stop *stop, struct rp_error *err);

#endif
