/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The firmware that the board has already, with relocpack_service.c in it: it keeps running, and
 * its mailbox says what memory the host may use. Nothing else on the board is changed.
 */
#ifndef RP_CLI_RUN_BESIDE_H
#define RP_CLI_RUN_BESIDE_H

#include "cli/run/run.h"

/*
 * Before anything is started: options, and the mailbox of --firmware or --mailbox. RP_E_USAGE: an
 * option that is for the runner; RP_E_INPUT: the file has no mailbox.
 */
bool rp_beside_open(struct rp_run *run, struct rp_error *err);
/*
 * Waits until the firmware polls, and takes memory and clock from its mailbox. The core is stopped.
 * RP_E_BOARD: there is no mailbox of this version, nobody polls it, it is for other images, or the
 * memory that it names cannot be used.
 */
bool rp_beside_begin(struct rp_run *run, struct rp_error *err);

#endif
