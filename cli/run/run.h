/* SPDX-License-Identifier: Apache-2.0 */
/* One run on a board: what was asked for, what has been made for it so far, and what came out. */
#ifndef RP_CLI_RUN_RUN_H
#define RP_CLI_RUN_RUN_H

#include "cli/harness/firmware.h"
#include "cli/harness/place.h"
#include "cli/harness/result.h"
#include "cli/harness/subject.h"
#include "cli/pipeline/package.h"
#include "cli/profile/profile.h"
#include "cli/report/ci/diagnostics.h"
#include "cli/run/mailbox.h"
#include "cli/tensors/assess.h"
#include "toolchain/compile/series.h"
#include "toolchain/model.h"
#include "toolchain/probe/server.h"

enum { RP_RUN_GUARD = 64 }; /* bytes around each buffer, which are watched */

/* What is done differently for images of a format. */
struct rp_run_format {
    uint32_t mailbox;    /* what a firmware that installs them says: MAILBOX_IMAGES_CORTEX_M */
    bool needs_firmware; /* one that has set up the NPU: that of `run` has not, and none is emulated
                          */
    bool memory_at_load; /* the load gets weights and activations, not the init */
    bool only_npus;      /* all parts have to be in memory that the NPU can read */
    uint32_t
        nodes_min; /* a model with fewer is one node, which a look at its nodes cannot divide */
    const struct rp_dialect *nodes; /* whose nodes an image of unknown origin has */
    /* Words about the image for two lines of the head, and members; NULL: none. */
    const char *(*runtime)(struct rp_arena *arena, const struct rp_image_view *view);
    const char *(*security)(const struct rp_image_view *view);
    void (*json)(struct rp_json *object, struct rp_arena *arena, const struct rp_image_view *view);
};

struct rp_run_options {
    struct rp_source_options source; /* the tools, console */
    struct rp_diagnosed diagnosed;
    const char *board;
    struct {
        const char *gdb;    /* HOST:PORT of a server that runs already */
        const char *server; /* the name of one that is started, or its command line */
        const char *probe;  /* serial number */
        bool no_reset;
    } way;
    struct {
        const char *firmware; /* ELF file of what the board runs, which has a service; */
        const char *mailbox;  /* or the address of its mailbox */
    } service;
    struct rp_strings modes;   /* xip, copy, and the vendor's words */
    struct rp_strings weights; /* a file for each image that needs one, in their order */
    struct {
        struct rp_strings inputs;
        const char *type; /* of their values */
        unsigned repeat;
        unsigned seed;
    } given;
    struct rp_assess_options assess; /* about the outputs */
    struct rp_strings host_sources;
    struct {
        const char *address; /* IMAGE[,WEIGHTS]; in flash: it is programmed */
        const char *flash;   /* the same, which has to be in flash */
        bool overlay, no_overlay;
    } placed;
    const char *json;
    const char *name;    /* C name of the only image that is run; the others are only sent */
    const char *ide_dir; /* of the vendor's script: not needed here */
    unsigned timeout_s;
    unsigned stack_bytes;
    unsigned clock_hz; /* instead of the board's */
    bool trust_report;
    bool profile;
    const char *profile_file;
};

/* What the words of --mode mean together. */
struct rp_run_mode {
    bool xip, copy;  /* neither: XIP where it is possible */
    bool is_there;   /* no-flash: the image is in flash already */
    bool no_run;     /* deployed, not run */
    bool external;   /* instances in external RAM */
    bool no_overlay; /* each image has memory of its own */
    bool has_usbc;   /* the vendor's word for another firmware: nothing here */
};

/* An inference. */
struct rp_inference {
    uint64_t count; /* cycles or instructions */
    uint32_t stack; /* bytes */
    struct rp_bytes *outputs;
};

/* What is looked at in an image besides its results. */
struct rp_layers {
    bool is_plain; /* without --profile: call-backs alone, and package has nothing but a dialect */
    struct rp_package package;  /* of the twin, or else the image made again */
    struct rp_run_image *twin;  /* or NULL */
    struct rp_profile *profile; /* NULL: not yet */
};

struct rp_run_image {
    struct rp_subject subject;
    struct {
        struct rp_area image, weights; /* in memory; weights.size 0: there are none outside */
        struct rp_area ram, acts;
        struct rp_area io; /* inputs and outputs, and at its end given inputs */
    } at;
    bool is_fixed; /* the user chose the addresses */
    bool is_in_flash, are_weights_in_flash;
    bool is_copied;           /* COPY mode */
    bool is_idle;             /* sent, not run: no-run, or --name says another one */
    bool is_twin;             /* made here: --address is not about it */
    struct rp_layers *layers; /* or NULL */
    uint32_t instance;        /* of the firmware */
    const char *name;         /* C name, from the image */
    uint32_t nodes;           /* of the model, as it says itself */
    struct rp_tensors inputs, outputs;
    struct rp_step_result load, init;
    uint32_t ram_high, acts_high; /* bytes used by all inferences */
    struct rp_assessment assessment;
    struct {
        struct rp_inference *items;
        size_t count;
        size_t capacity;
    } inferences;
};

struct rp_run {
    struct rp_run_options *options;
    struct rp_arena *arena;
    struct rp_run_mode mode;
    bool is_beside; /* a firmware of the user's runs the images, not one that is made here */
    struct rp_board board;
    const struct rp_target *target;
    struct rp_build build; /* of the firmware */
    struct rp_plan_flags flags;
    struct rp_harness harness;
    struct rp_firmware firmware;
    struct rp_space space;    /* what the firmware leaves */
    struct rp_server *server; /* started here; or NULL */
    struct rp_gdb *gdb;
    bool is_written; /* something on the board was */
    struct rp_mailbox mailbox;
    struct {
        struct rp_run_image *items;
        size_t count;
        size_t capacity;
    } images;
    struct rp_run_image *first; /* that is run; or NULL */
    size_t running;             /* images that are run */
    struct {
        struct rp_samples *samples; /* values of each --input, or NULL */
        const char *text;           /* what they are, for comparisons with other runs */
        uint32_t count;             /* at least 1 */
    } inputs;
};

#endif
