/* SPDX-License-Identifier: Apache-2.0 */
/* The firmware on the board: see runner.h. */
#include "cli/run/runner.h"

#include <elf.h>
#include <string.h>

#include "base/path.h"
#include "cli/pipeline/open.h"
#include "cli/run/layers.h"
#include "elfpack/elf/elf.h"
#include "templates/harness/plan.h"
#include "toolchain/compile/flags.h"
#include "toolchain/compile/make.h"
#include "toolchain/probe/memory.h"
#include "toolchain/probe/registers.h"

enum {
    PLAN_ROOM = 4096,
    SMALL_BUFFER = 4096,
    LARGE_BUFFER = 32768,
    LARGE_MEMORY = 512 << 10, /* which gets the large buffer */
    CODE_LEAST = 16 << 10,    /* a guess, before it is built */
    ALIGN = 256
};

/* ---- building ---- */

/* The memory at the end of the firmware's RAM: buffer, plan and stack, upwards. */
static void lay_out(struct rp_run *run, struct rp_area memory) {
    struct rp_harness *harness = &run->harness;
    uint32_t buffer = memory.size < LARGE_MEMORY ? SMALL_BUFFER : LARGE_BUFFER;
    uint32_t stack =
        (run->options->stack_bytes + HARNESS_HANDLER_STACK_BYTES + ALIGN - 1) / ALIGN * ALIGN;
    uint32_t end = (memory.address + memory.size) / ALIGN * ALIGN;
    harness->base = (memory.address + ALIGN - 1) / ALIGN * ALIGN;
    harness->stack = (struct rp_area){end - stack, stack};
    harness->plan = (struct rp_area){harness->stack.address - PLAN_ROOM, PLAN_ROOM};
    harness->buffer = (struct rp_area){harness->plan.address - buffer, buffer};
}

static bool choose_memory(struct rp_run *run, struct rp_error *err) {
    const uint64_t least =
        (uint64_t)CODE_LEAST + PLAN_ROOM + SMALL_BUFFER + run->options->stack_bytes;
    for (size_t i = 0; i < run->board.memory_count; i++) {
        const struct rp_board_memory *memory = &run->board.memories[i];
        if (memory->is_flash || memory->no_execute || memory->area.size < least ||
            (memory->needs_firmware && !run->options->way.no_reset))
            continue;
        lay_out(run, memory->area);
        return true;
    }
    return rp_fail(err, RP_E_BOARD,
                   "no RAM of the board %s has the %llu bytes that the firmware which runs images "
                   "needs, with a stack of %u bytes",
                   run->board.name, (unsigned long long)least, run->options->stack_bytes);
}

static bool add_units(struct rp_run *run, struct rp_error *err) {
    struct rp_strings imports = {0};
    for (size_t i = 0; i < run->images.count; i++)
        rp_firmware_imports(&run->images.items[i].subject.view, run->arena, &imports);
    for (size_t i = 0; i < run->images.count; i++)
        if (rp_layers_twin(&run->images.items[i]) != NULL)
            rp_firmware_imports(&rp_layers_twin(&run->images.items[i])->subject.view, run->arena,
                                &imports);
    rp_plan_firmware(&run->flags, &run->build, run->target);
    run->harness.flags = &run->flags;
    run->harness.board = &run->board;
    (void)rp_harness_add(&run->build, &run->harness);
    return rp_firmware_add_sources(&run->build, &run->options->host_sources, &run->flags.glue,
                                   err) &&
           rp_firmware_offer(&run->build, &imports, &run->flags, err);
}

bool rp_runner_build(struct rp_run *run, struct rp_error *err) {
    struct rp_build_options *tools = rp_alloc(run->arena, 1, sizeof *tools);
    if (!choose_memory(run, err) ||
        !rp_tools_choose(tools, run->arena, &run->options->source, err) ||
        (tools->data_dir = rp_data_dir(run->arena, err)) == NULL ||
        !rp_build_begin(&run->build, run->arena, tools, err) || !add_units(run, err))
        return false;
    rp_harness_link(&run->build, &run->harness);
    if (!rp_build_make(&run->build, "link", err) ||
        !rp_firmware_look(&run->firmware, run->arena, rp_build_path(&run->build, "image.elf"), err))
        return false;
    const struct rp_harness *harness = &run->harness;
    const struct rp_area code = run->firmware.area;
    if (code.address < harness->base || code.address + code.size > harness->buffer.address)
        return rp_fail(err, RP_E_BOARD,
                       "the firmware that runs images has %u bytes: no room for it in the memory "
                       "at 0x%08x of the board %s",
                       code.size, harness->base, run->board.name);
    rp_space_take(&run->space, code);
    rp_space_take(&run->space, (struct rp_area){harness->buffer.address,
                                                harness->stack.address + harness->stack.size -
                                                    harness->buffer.address});
    return true;
}

/* ---- starting ---- */

/* Does the server program the flash that an image is to be in? */
static bool check_flash(const struct rp_run *run, struct rp_area area, struct rp_error *err) {
    const struct rp_gdb_map *map;
    if (!rp_gdb_map(run->gdb, &map, err))
        return false;
    for (size_t i = 0; i < map->count; i++) {
        const struct rp_gdb_region *region = &map->items[i];
        if (region->kind == RP_GDB_FLASH && area.address >= region->address &&
            area.address - region->address < region->size)
            return true;
    }
    return rp_fail(err, RP_E_BOARD,
                   "the GDB server does not program flash at 0x%08x: its memory map has none there",
                   area.address);
}

static bool check_flashes(const struct rp_run *run, struct rp_error *err) {
    for (size_t i = 0; !run->mode.is_there && i < run->images.count; i++) {
        const struct rp_run_image *image = &run->images.items[i];
        if ((image->is_in_flash && !check_flash(run, image->at.image, err)) ||
            (image->are_weights_in_flash && !check_flash(run, image->at.weights, err)))
            return false;
    }
    return true;
}

/* Writes what the file holds, and compares it with what is then in memory. */
static bool load_sections(const struct rp_run *run, const struct rp_elf *elf,
                          struct rp_error *err) {
    for (size_t i = 0; i < elf->section_count; i++) {
        const struct rp_section *section = &elf->sections[i];
        if ((section->flags & SHF_ALLOC) == 0 || section->contents == NULL || section->size == 0)
            continue;
        if (!rp_gdb_write(run->gdb, section->addr, section->contents, section->size, err) ||
            !rp_gdb_verify(run->gdb, section->addr, section->contents, section->size, err))
            return false;
    }
    return true;
}

/* The state of the core that the firmware's first instruction needs. */
static bool set_registers(const struct rp_run *run, const struct rp_elf *elf,
                          struct rp_error *err) {
    const uint32_t thumb = UINT32_C(1) << 24;
    const uint32_t top = run->harness.stack.address + run->harness.stack.size;
    return (!rp_gdb_has_register(run->gdb, "control") ||
            rp_gdb_set_register(run->gdb, "control", 0, err)) &&
           rp_gdb_set_register(run->gdb, "xpsr", thumb, err) &&
           rp_gdb_set_register(run->gdb, "sp", top, err) &&
           rp_gdb_set_register(run->gdb, "pc", elf->entry & ~UINT32_C(1), err);
}

bool rp_runner_start(struct rp_run *run, struct rp_error *err) {
    struct rp_elf elf;
    if (!check_flashes(run, err) || !rp_elf_open(&elf, run->arena, run->firmware.path, err))
        return false;
    run->mailbox = (struct rp_mailbox){.gdb = run->gdb,
                                       .arena = run->arena,
                                       .address = run->firmware.mailbox,
                                       .timeout_s = run->options->timeout_s};
    run->is_written = true;
    bool ok = load_sections(run, &elf, err) && set_registers(run, &elf, err);
    rp_elf_close(&elf);
    return ok && rp_mailbox_begin(&run->mailbox, err);
}
