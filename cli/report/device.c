/* SPDX-License-Identifier: Apache-2.0 */
/* The device in the reports: see device.h. */
#include "cli/report/device.h"

#include <string.h>

#include "base/grid.h"
#include "base/printable.h"
#include "cli/report/figures.h"

/* What was given for the model takes precedence over the whole of the device. */
static struct rp_device_sizes sizes_of(const struct rp_report *report) {
    struct rp_device_sizes sizes = rp_device_sizes(&report->device.part);
    if (report->device.flash != 0)
        sizes.flash = report->device.flash;
    if (report->device.ram != 0)
        sizes.ram = report->device.ram;
    return sizes;
}

size_t rp_device_uses(const struct rp_report *report, struct rp_device_use uses[RP_DEVICE_USES]) {
    const struct rp_device_sizes sizes = sizes_of(report);
    size_t count = 0;
    for (unsigned copy = report->package->placed.layout.words.text_patches != 0; copy < 2; copy++) {
        const char *mode = copy ? "copy" : "xip";
        const struct rp_device_use all[] = {
            {"flash", mode, rp_report_figure(report, RP_FIGURE_FLASH), sizes.flash},
            {"ram", mode,
             rp_report_figure(report, copy ? RP_FIGURE_TOTAL_RAM_COPY : RP_FIGURE_TOTAL_RAM_XIP),
             sizes.ram},
            {"ext_ram", mode, rp_report_figure(report, RP_FIGURE_EXT_RAM),
             report->package->format->image->counts_acts ? 0 : sizes.ext_ram},
        };
        for (size_t i = 0; i < 3; i++)
            if (all[i].size != 0)
                uses[count++] = all[i];
    }
    return count;
}

uint64_t rp_device_size_for(const struct rp_report *report, enum rp_figure figure) {
    const struct rp_device_sizes sizes = sizes_of(report);
    const uint64_t of[] = {
        [RP_IN_FLASH] = sizes.flash, [RP_IN_RAM] = sizes.ram, [RP_IN_EXT_RAM] = sizes.ext_ram};
    return of[rp_figure_memory(figure)];
}

/* Rounded up, so that what does not fit is never 1000. */
static uint64_t per_mille(const struct rp_device_use *use) {
    return (use->used * 1000 + use->size - 1) / use->size;
}

void rp_device_json(struct rp_json *root, const struct rp_report *report) {
    const struct rp_device *part = &report->device.part;
    struct rp_device_use uses[RP_DEVICE_USES];
    size_t count = rp_device_uses(report, uses);
    if (part->name == NULL && count == 0)
        return;
    struct rp_json *device = rp_json_new_object(root, "device");
    RP_JSON_PUT(device, RP_JSON_S("name", part->name), RP_JSON_S("source", part->source),
                RP_JSON_S("series", part->series));
    struct rp_json *memories = rp_json_new_array(device, "memories");
    for (size_t i = 0; i < part->memory_count; i++) {
        const struct rp_board_memory *memory = &part->memories[i];
        rp_json_push(memories, RP_JSON_NEW(RP_JSON_S("name", memory->name),
                                           RP_JSON_S("kind", memory->is_flash ? "flash" : "ram"),
                                           RP_JSON_N("size_bytes", memory->area.size),
                                           RP_JSON_B("executable", !memory->no_execute),
                                           RP_JSON_B("external", memory->is_external),
                                           RP_JSON_B("npu", memory->is_npus)));
    }
    struct rp_json *list = rp_json_new_array(device, "use");
    for (size_t i = 0; i < count; i++)
        rp_json_push(list, RP_JSON_NEW(RP_JSON_S("region", uses[i].region),
                                       RP_JSON_S("mode", uses[i].mode),
                                       RP_JSON_N("used_bytes", uses[i].used),
                                       RP_JSON_N("size_bytes", uses[i].size),
                                       RP_JSON_N("free_bytes", uses[i].size - uses[i].used),
                                       RP_JSON_N("per_mille", per_mille(&uses[i]))));
}

void rp_device_text(const struct rp_report *report, struct rp_buf *out) {
    struct rp_arena *arena = report->package->arena;
    const struct rp_device *part = &report->device.part;
    struct rp_device_use uses[RP_DEVICE_USES];
    struct rp_grid grid = {.arena = arena};
    size_t count = rp_device_uses(report, uses);
    if (part->name != NULL)
        rp_buf_printf(out, "\n Of the device %s (%s), firmware not counted\n",
                      rp_printable(arena, part->name), rp_printable(arena, part->source));
    else if (count != 0)
        rp_buf_puts(out, "\n Of the memory for the model\n");
    if (count == 0)
        return;
    static const char *const heads[] = {"region", "mode", "used", "of", "free", "%"};
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++)
        rp_grid_column(&grid, heads[i], i < 2);
    for (size_t i = 0; i < count; i++) {
        bool fits = uses[i].used <= uses[i].size;
        uint64_t rest = fits ? uses[i].size - uses[i].used : uses[i].used - uses[i].size;
        rp_grid_cell(&grid, "%s", uses[i].region);
        rp_grid_cell(&grid, "%s", strcmp(uses[i].mode, "xip") == 0 ? "XIP" : "COPY");
        rp_grid_number(&grid, uses[i].used);
        rp_grid_number(&grid, uses[i].size);
        rp_grid_cell(&grid, "%s%s", fits ? "" : "-", rp_commas(arena, rest));
        rp_grid_cell(&grid, "%llu.%llu", (unsigned long long)per_mille(&uses[i]) / 10,
                     (unsigned long long)per_mille(&uses[i]) % 10);
    }
    rp_grid_print(&grid, false, out);
}
