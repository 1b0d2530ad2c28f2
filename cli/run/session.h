/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is done with an image on the board, one plan after another: sent, installed, run, ended. The
 * firmware runs.
 */
#ifndef RP_CLI_RUN_SESSION_H
#define RP_CLI_RUN_SESSION_H

#include "cli/run/run.h"

/*
 * Sends an image and its weights; each block is confirmed by a CRC-32 that the firmware computes.
 * With no-flash, what is in flash has to be right already. RP_E_BOARD.
 */
bool rp_session_deploy(struct rp_run *run, struct rp_run_image *image, struct rp_error *err);
/* Installs and initialises it, and asks for its tensors. */
bool rp_session_install(struct rp_run *run, struct rp_run_image *image, struct rp_error *err);
/* Runs all inputs, each as often as it is asked for. */
bool rp_session_infer(struct rp_run *run, struct rp_run_image *image, struct rp_error *err);

/* An inference that is looked at. */
struct rp_session_look {
    uint32_t
        step; /* STEP_OBSERVE: the answer has nodes; STEP_HOOKS: it has frames; 0: it has none */
    struct rp_answer answer;
    struct rp_inference *inference; /* that the image got by it */
};
/* Installs an image, runs the first input so, and ends the instance. */
bool rp_session_look(struct rp_run *run, struct rp_run_image *image, struct rp_session_look *look,
                     struct rp_error *err);
bool rp_session_destroy(struct rp_run *run, struct rp_run_image *image, struct rp_error *err);

#endif
