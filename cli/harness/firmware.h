/* SPDX-License-Identifier: Apache-2.0 */
/* A linked firmware that runs images. */
#ifndef RP_CLI_HARNESS_FIRMWARE_H
#define RP_CLI_HARNESS_FIRMWARE_H

#include "elfpack/image/reader.h"
#include "toolchain/compile/harness.h"

struct rp_firmware {
    const char *path;
    uint8_t vectors[64]; /* harness_vectors: what a reset reads, and a core without VTOR */
    struct rp_area area; /* all memory that it takes */
    uint32_t mailbox;    /* address of relocpack_mailbox; 0: there is none */
};

/* Adds the C files of --host-source, files and folders. RP_E_INPUT: one is not there. */
bool rp_firmware_add_sources(struct rp_build *build, const struct rp_strings *sources,
                             const struct rp_strings *flags, struct rp_error *err);
/* Adds "NAME@VERSION" of each symbol that an image imports, once, to specs. */
void rp_firmware_imports(const struct rp_image_view *image, struct rp_arena *arena,
                         struct rp_strings *specs);
/*
 * Adds the table of what the firmware offers to images. A static build needs none: there it is
 * linked in.
 */
bool rp_firmware_offer(struct rp_build *build, const struct rp_strings *specs,
                       const struct rp_plan_flags *flags, struct rp_error *err);

/*
 * Measures the memory that a linked file takes, and looks for its mailbox. Sections that are not
 * allocated are not loaded. RP_E_ELF, RP_E_INPUT.
 */
bool rp_firmware_look(struct rp_firmware *firmware, struct rp_arena *arena, const char *path,
                      struct rp_error *err);

#endif
