/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The way to the board: a GDB server, started here or by the user, and the connection to it. The
 * board is left as it was: see rp_way_end.
 */
#ifndef RP_CLI_RUN_WAY_H
#define RP_CLI_RUN_WAY_H

#include "cli/run/run.h"

/*
 * Without --gdb and --server: QEMU for emulated boards, and for others the server of the vendor's
 * script.
 */
void rp_way_choose(struct rp_run *run);
/*
 * Starts the server, connects, and stops the core, after a reset unless --no-reset is given.
 * Errors of rp_server_start and rp_gdb_connect, which name what to do. RP_E_BOARD: it is another
 * core than the board's.
 */
bool rp_way_begin(struct rp_run *run, struct rp_error *err);
/*
 * Ends all, also after an error or a signal. If something was written to the board, it is reset: a
 * firmware that ran before runs again from its start. Otherwise the core goes on where it was
 * stopped, or stays stopped. A server that was started is ended; one that the user has started is
 * left with a stopped core, as GDB leaves it, unless its kind is known (--server NAME).
 */
void rp_way_end(struct rp_run *run);

#endif
