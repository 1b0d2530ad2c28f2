/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Starts a GDB server, waits until it is ready, and ends it. The server never outlives this
 * process.
 */
#ifndef RP_TOOLCHAIN_PROBE_SERVER_H
#define RP_TOOLCHAIN_PROBE_SERVER_H

#include "base/arena.h"
#include "base/error.h"
#include "toolchain/probe/preset.h"

struct rp_server_request {
    const char *server; /* the name of a preset, or a command line with places such as {port} */
    /*
     * Where a command line without {port} and {socket} listens, or the serial device of a probe
     * that is its own server; else NULL.
     */
    const char *gdb;
    /*
     * "NAME=VALUE" for the places of the command line: probe, machine (QEMU's), firmware (that QEMU
     * starts), openocd (its configuration files, one each), pyocd (target), jlink (device),
     * probe-rs (chip), stlink-apid, cubeprogrammer. Those that are not given are empty.
     */
    const struct rp_strings *values;
    const struct rp_strings *passed; /* additional environment variables for it; or NULL */
    const char *folder;              /* an existing private folder for its socket and log */
    double start_s;                  /* seconds that it may take; 0: 30 */
};

struct rp_server {
    const char *where;              /* for rp_gdb_connect */
    const struct rp_preset *preset; /* NULL: a command line */
    const char *log;                /* the file with all that it printed */
    const char *command;            /* its command line, for people */
    struct rp_background *process;  /* NULL: it runs in the probe */
};

/*
 * Starts the server and waits until it accepts a connection. RP_E_TOOL_MISSING: none of its
 * programs was found. RP_E_SERVER: it ended or was not ready in time; the message has its last
 * lines. RP_E_USAGE: the preset is unknown, or the board lacks a value that it needs.
 * RP_E_INTERRUPTED, RP_E_SYSTEM.
 */
struct rp_server *rp_server_start(struct rp_arena *arena, const struct rp_server_request *request,
                                  struct rp_error *err);
/*
 * After a failure of the connection: if the server has ended, sets RP_E_SERVER with its last lines
 * and returns true. Call it with an error that is not set yet.
 */
bool rp_server_has_ended(struct rp_server *server, struct rp_arena *arena, struct rp_error *err);
/* Ends the server, which may be NULL. */
void rp_server_end(struct rp_server *server);

#endif
