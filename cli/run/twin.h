/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the time of a model goes whose run-time has no call-backs: a twin of the image, compiled
 * with hooks at each entry and exit of a function, runs beside it. What the hooks take is measured
 * and taken off, so that the times of all functions together are those of the image itself.
 */
#ifndef RP_CLI_RUN_TWIN_H
#define RP_CLI_RUN_TWIN_H

#include "cli/pipeline/package.h"
#include "cli/run/run.h"

/* A function as called from another one, times without the hooks. */
struct rp_twin_frame {
    const char *name;
    uint32_t parent; /* index + 1; 0: called from outside */
    uint32_t calls;
    uint64_t total, own;      /* cycles */
    uint64_t below, children; /* calls of all frames below; cycles of those right below */
};

struct rp_twin_result {
    struct rp_twin_frame *frames;
    size_t count;
    uint64_t measured; /* the twin's run, with all hooks */
    uint64_t hooks;    /* what was taken off */
    bool differs;      /* with hooks the compiler makes other code: the times are rough */
};

struct rp_twin {
    struct rp_package package;
    struct rp_run_image image;
    struct rp_twin_result result;
};

/*
 * Builds the twin from what the image's report says. RP_E_USAGE: there is no report, or nothing
 * says what the image was made from; errors of the build.
 */
bool rp_twin_build(struct rp_run *run, struct rp_run_image *image, struct rp_error *err);
/* The imports that a twin has besides. */
void rp_twin_imports(struct rp_arena *arena, struct rp_strings *specs);
/*
 * Runs it on the first input of the image, which is no longer installed. RP_E_BOARD: it computes
 * something else than the image.
 */
bool rp_twin_run(struct rp_run *run, struct rp_run_image *image, struct rp_error *err);
void rp_twin_close(struct rp_run_image *image);

#endif
