/* SPDX-License-Identifier: Apache-2.0 */
/* Places on a board: see place.h. */
#include "cli/run/place.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/run/layers.h"
#include "templates/harness/plan.h"
#include "toolchain/compile/board_file.h"

enum {
    IO_LEAST = 1024,
    ALIGN = 64 /* of all parts; Glow's bundles ask for so much */
};

/* Addresses that the user wants; 0: none. */
struct wanted {
    uint32_t image, weights;
    bool in_flash; /* they have to be */
};

/* IMAGE[,WEIGHTS] */
static bool read_addresses(const char *option, const char *text, struct wanted *wanted,
                           struct rp_error *err) {
    uint32_t *const to[] = {&wanted->image, &wanted->weights};
    const char *at = text;
    for (size_t i = 0; i < 2; i++) {
        char *end;
        errno = 0;
        unsigned long long value = strtoull(at, &end, 0);
        if (!isdigit((unsigned char)*at) || errno != 0 ||
            value > UINT32_MAX) /* no sign, no blank */
            break;
        *to[i] = (uint32_t)value;
        if (*end == '\0')
            return true;
        if (*end != ',' || i == 1)
            break;
        at = end + 1;
    }
    return rp_fail(err, RP_E_USAGE,
                   "%s '%s': not an address, or two with a comma between them, such as "
                   "0x20010000,0x20020000",
                   option, text);
}

static bool read_wanted(const struct rp_run *run, struct wanted *wanted, struct rp_error *err) {
    const struct rp_run_options *options = run->options;
    *wanted = (struct wanted){.in_flash = options->placed.flash != NULL};
    if (options->placed.address != NULL && options->placed.flash != NULL)
        return rp_fail(err, RP_E_USAGE, "--address and --flash-at exclude each other");
    if (run->images.count > 1 && (options->placed.address != NULL || options->placed.flash != NULL))
        return rp_fail(err, RP_E_USAGE, "--address and --flash-at are for one image");
    if (options->placed.address != NULL)
        return read_addresses("--address", options->placed.address, wanted, err);
    return options->placed.flash == NULL ||
           read_addresses("--flash-at", options->placed.flash, wanted, err);
}

/* Is an area that the user chose in one memory, and one that can hold it? */
static bool check_fixed(const struct rp_run *run, struct rp_area area, const char *what,
                        const struct wanted *wanted, struct rp_error *err) {
    const struct rp_board_memory *memory = rp_board_holding(&run->board, area);
    if (memory == NULL)
        return rp_fail(err, RP_E_BOARD,
                       "%s (%u bytes at 0x%08x) is in no memory of the board %s: `relocpack boards "
                       "%s` lists them",
                       what, area.size, area.address, run->board.name, run->board.name);
    if (wanted->in_flash && !memory->is_flash)
        return rp_fail(err, RP_E_BOARD, "--flash-at: the memory %s at 0x%08x is not flash",
                       memory->name, area.address);
    if (memory->needs_firmware && !run->options->way.no_reset) {
        rp_fail(err, RP_E_BOARD,
                "the memory %s at 0x%08x works only after a firmware has set it up", memory->name,
                area.address);
        return rp_hint(err, "with --no-reset the firmware that is there sets it up before");
    }
    return true;
}

/* Takes an area that the user chose out of the free memory. */
static bool take_fixed(const struct rp_run *run, struct rp_space *space, struct rp_area area,
                       const char *what, struct rp_error *err) {
    if (rp_board_holding(&run->board, area)->is_flash)
        return !run->is_beside || run->mode.is_there ||
               rp_fail(err, RP_E_BOARD,
                       "%s would be programmed into flash, which the firmware may be using; --mode "
                       "no-flash takes what is there",
                       what);
    if (rp_space_at(space, area.address).size < area.size)
        return rp_fail(err, RP_E_BOARD,
                       "%s (%u bytes at 0x%08x) would overwrite what is there already: the "
                       "firmware that runs images, or another part",
                       what, area.size, area.address);
    rp_space_take(space, area);
    return true;
}

static bool fix_image(const struct rp_run *run, struct rp_run_image *image, struct rp_space *space,
                      struct rp_error *err) {
    struct wanted wanted;
    if (image->is_twin)
        return true;
    if (!read_wanted(run, &wanted, err))
        return false;
    if (wanted.image == 0)
        return true;
    image->at.image = (struct rp_area){wanted.image, image->subject.file.size};
    if (!check_fixed(run, image->at.image, "the image", &wanted, err) ||
        !take_fixed(run, space, image->at.image, "the image", err))
        return false;
    image->is_fixed = true;
    image->is_in_flash = rp_board_holding(&run->board, image->at.image)->is_flash;
    if (wanted.weights == 0 || image->at.weights.size == 0)
        return true;
    image->at.weights.address = wanted.weights;
    if (!check_fixed(run, image->at.weights, "the weights", &wanted, err) ||
        !take_fixed(run, space, image->at.weights, "the weights", err))
        return false;
    image->are_weights_in_flash = rp_board_holding(&run->board, image->at.weights)->is_flash;
    return true;
}

/* Only the external RAM of what is free. */
static struct rp_space external_of(const struct rp_run *run, const struct rp_space *space) {
    struct rp_space external = *space;
    external.count = 0;
    for (size_t i = 0; i < space->count; i++) {
        const struct rp_area start = {space->free[i].address, 1};
        const struct rp_board_memory *memory = rp_board_holding(&run->board, start);
        if (memory != NULL && memory->is_external)
            external.free[external.count++] = space->free[i];
    }
    return external;
}

/*
 * Pools of a Neural-ART image at fixed addresses are not for other parts. Read-only ones may lie
 * there already; the loader knows.
 */
static bool take_pools(const struct rp_run *run, const struct rp_run_image *image,
                       struct rp_space *space, struct rp_error *err) {
    const struct rp_image_view *view = &image->subject.view;
    for (uint32_t i = 0; i < view->npu.pool_count; i++) {
        const struct reloc_npu_row *row = &view->npu.rows[i];
        const struct rp_area area = {row->dst, reloc_npu_round8(row->size)};
        const struct rp_board_memory *memory = rp_board_holding(&run->board, area);
        const bool is_written = (RELOC_NPU_POOL_GET_ATTR(row->flags) & RELOC_NPU_POOL_WRITE) != 0;
        if (reloc_npu_row_is_relative(row))
            continue;
        if (is_written && (memory == NULL || memory->is_flash))
            return rp_fail(err, RP_E_BOARD,
                           "'%s' has its pool %s (%u bytes) at 0x%08x, which the firmware does not "
                           "give to the NPU",
                           image->subject.path, (const char *)image->subject.file.data + row->name,
                           area.size, area.address);
        rp_space_take(space, area);
    }
    return true;
}

/* Parameters in them are those of the image that was installed last. */
static bool copies_to_pools(const struct rp_image_view *view) {
    for (uint32_t i = 0; i < view->npu.pool_count; i++)
        if (RELOC_NPU_POOL_GET_TYPE(view->npu.rows[i].flags) == RELOC_NPU_POOL_COPY)
            return true;
    return false;
}

/* The instance: in external RAM alone, if the user wants that. */
static bool place_instance(const struct rp_run *run, struct rp_run_image *image,
                           struct rp_space *space, struct rp_error *err) {
    const struct rp_image_view *view = &image->subject.view;
    const uint32_t ram = image->is_copied ? view->needs.ram_copy : view->needs.ram_xip;
    const struct rp_want wants[] = {
        {"the instance RAM", ram, ALIGN, .place = &image->at.ram, .for_code = image->is_copied},
        {"the activations", view->needs.acts, ALIGN, .place = &image->at.acts,
         .above = rp_image_above(view, RELOC_NPU_POOL_ID_EXT_RAM)},
    };
    struct rp_space external = external_of(run, space);
    if (!rp_space_place(run->mode.external ? &external : space, wants, 2, false, err))
        return false;
    rp_space_take(space, image->at.ram);
    rp_space_take(space, image->at.acts);
    return true;
}

static bool place_image(const struct rp_run *run, struct rp_run_image *image,
                        struct rp_space *space, struct rp_error *err) {
    const struct rp_area all = {0, UINT32_MAX};
    if (!take_pools(run, image, space, err) || !fix_image(run, image, space, err))
        return false;
    const bool fixed = image->at.image.address != 0;
    const uint32_t params_above = rp_image_above(&image->subject.view, RELOC_NPU_POOL_ID_PARAM);
    const struct rp_want wants[] = {
        {"the image", fixed ? 0 : image->subject.file.size, ALIGN, .place = &image->at.image,
         .for_code = !image->is_copied, .above = image->at.weights.size == 0 ? params_above : 0},
        {"the weights", image->at.weights.address != 0 ? 0 : image->at.weights.size, ALIGN,
         .place = &image->at.weights, .above = params_above},
    };
    const struct rp_area image_at = image->at.image, weights_at = image->at.weights;
    if (!place_instance(run, image, space, err) || !rp_space_place(space, wants, 2, false, err))
        return false;
    image->at.image = fixed ? image_at : image->at.image;
    image->at.weights = weights_at.address != 0 ? weights_at : image->at.weights;
    image->at.io = rp_space_largest(space, all);
    return image->at.io.size >= IO_LEAST ||
           rp_space_lacks(space, "inputs and outputs", IO_LEAST, err);
}

bool rp_run_place(struct rp_run *run, struct rp_error *err) {
    struct rp_space shared = run->space;
    if (run->mode.no_overlay && run->images.count > HARNESS_INSTANCES)
        return rp_fail(err, RP_E_USAGE, "--no-overlay: at most %d images can be installed at once",
                       HARNESS_INSTANCES);
    size_t copied = 0;
    for (size_t i = 0; i < run->images.count; i++) {
        struct rp_space own = run->space;
        struct rp_run_image *image = &run->images.items[i];
        copied += copies_to_pools(&image->subject.view);
        if (run->mode.no_overlay && copied > 1)
            return rp_fail(err, RP_E_USAGE,
                           "--no-overlay: '%s' and an image before it have parameters in pools at "
                           "fixed addresses, which instances share",
                           image->subject.path);
        image->instance = run->mode.no_overlay ? (uint32_t)i : 0;
        if (!place_image(run, image, run->mode.no_overlay ? &shared : &own, err))
            return false;
        own = run->space;
        struct rp_run_image *twin = image->layers != NULL ? image->layers->twin : NULL;
        if (twin != NULL && !place_image(run, twin, &own, err))
            return false;
    }
    /* what is left belongs to all of them */
    const struct rp_area all = {0, UINT32_MAX};
    for (size_t i = 0; run->mode.no_overlay && i < run->images.count; i++)
        run->images.items[i].at.io = rp_space_largest(&shared, all);
    return true;
}
