/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of link and finished image that share nothing with the code that makes them. */
#ifndef RP_CLI_PIPELINE_CHECK_H
#define RP_CLI_PIPELINE_CHECK_H

#include "cli/pipeline/package.h"
#include "elfpack/check/installed.h"

/* What a format of images adds to the checks. */
struct rp_package_format {
    bool has_heap; /* an instance can have memory for --heap */
    /* Of the linked file; NULL: nothing. RP_E_ENTRY_ABI. */
    bool (*check_linked)(const struct rp_package *package, struct rp_error *err);
    /* The words of the context that the writer sets. Returns how many, at most RP_OWN_WORDS. */
    size_t (*own_words)(struct rp_own_word *own, const struct rp_package *package,
                        const uint8_t *bytes, const struct rp_image_result *result);
};

extern const struct rp_package_format rp_package_cortex_m;

/*
 * Writes what the linker script places by contents and not by name. data.ld: variables with initial
 * values in sections whose names stand for zeros; it gives the names of these sections and no
 * objects, so zeros in sections of the same name take room in the file too. constants.ld, data.ld
 * and zeros.ld: sections that an author named (elfpack/elf/authored.h). A name that is not safe as
 * a linker pattern is left out; the link or its check then refuses the result.
 */
bool rp_package_write_placed(struct rp_package *package, struct rp_error *err);
/*
 * Before the link: checks that the model's objects define no name that belongs to the image. Such
 * names in archives are only noted, because not every member is linked. RP_E_RESERVED.
 */
bool rp_package_check_names(struct rp_package *package, struct rp_error *err);
/*
 * Compares the linked file with what was linked (elfpack/check/validate.h); placed.link is open
 * afterwards, also after an error. RP_E_LINK_CHECK, RP_E_RESERVED (placed.link.inputs.reserved).
 */
bool rp_package_check_link(struct rp_package *package, struct rp_error *err);
/*
 * After that: archive members that were linked define no name that belongs to the image.
 * RP_E_RESERVED.
 */
bool rp_package_check_members(const struct rp_package *package, struct rp_error *err);

/*
 * Compares the finished image with what was linked (elfpack/check/installed.h). rp_image_write
 * calls it with the package as context. RP_E_IMAGE_CHECK.
 */
bool rp_package_check_image(const void *context, const uint8_t *bytes, size_t size,
                            const struct rp_image_result *result, struct rp_error *err);

#endif
