/* SPDX-License-Identifier: Apache-2.0 */
/* Finds devices by name: see device.h. */
#include "toolchain/compile/device.h"

#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/nearest.h"
#include "base/path.h"
#include "toolchain/compile/board_file.h"

#define KIB(size)                                                                                  \
    { 0, (size) << 10 }
#define FLASH(size)                                                                                \
    { .name = "FLASH", .area = KIB(size), .is_flash = true }
#define OUTSIDE(size)                                                                              \
    { .name = "FLASH", .area = KIB(size), .is_flash = true, .is_external = true }
#define RAM(title, size)                                                                           \
    { .name = (title), .area = KIB(size) }
#define DATA(title, size)                                                                          \
    { .name = (title), .area = KIB(size), .no_execute = true }
#define NPU(title, size)                                                                           \
    { .name = (title), .area = KIB(size), .is_npus = true }
#define DEVICE(name, series, source, ...)                                                          \
    {(name), (series), (source), (const struct rp_board_memory[]){__VA_ARGS__},                    \
     sizeof((const struct rp_board_memory[]){__VA_ARGS__}) / sizeof(struct rp_board_memory)},

static const struct rp_device devices[] = {
#include "toolchain/compile/devices.def"
};
enum { DEVICE_COUNT = sizeof devices / sizeof devices[0] };

const struct rp_device *rp_device_at(size_t index) {
    return index < DEVICE_COUNT ? &devices[index] : NULL;
}

static bool from_board(struct rp_device *device, struct rp_arena *arena, const char *data_dir,
                       const char *name, struct rp_error *err) {
    struct rp_board board;
    if (!rp_board_find_any(&board, arena, data_dir, name, err))
        return false;
    *device = (struct rp_device){.name = board.name,
                                 .series = board.series,
                                 .source = rp_path_base(name),
                                 .memories = board.memories,
                                 .memory_count = board.memory_count};
    return true;
}

bool rp_device_find(struct rp_device *device, struct rp_arena *arena, const char *data_dir,
                    const char *name, struct rp_error *err) {
    static const char letters[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    struct rp_buf known = {.arena = arena};
    if (strchr(name, '/') != NULL || rp_has_suffix(name, ".json"))
        return from_board(device, arena, data_dir, name, err);
    size_t longest = 0; /* "apollo3p" begins with "apollo3" */
    for (size_t i = 0; i < DEVICE_COUNT; i++) {
        size_t len = strlen(devices[i].name);
        /* letters for package and temperature may follow the name of the part */
        if (len > longest && strncasecmp(name, devices[i].name, len) == 0 &&
            strlen(name + len) <= 4 && strspn(name + len, letters) == strlen(name + len)) {
            *device = devices[i];
            longest = len;
        }
        rp_buf_printf(&known, "%s%s", i == 0 ? "" : " ", devices[i].name);
    }
    if (longest != 0)
        return true;
    if (rp_board_is_known(arena, data_dir, name))
        return from_board(device, arena, data_dir, name, err);
    rp_fail(err, RP_E_USAGE, "unknown device '%s'", name);
    (void)rp_hint_nearest(err, name, "", rp_buf_text(&known));
    return rp_hint(err, "relocpack targets lists the devices; --device also takes a board, or the "
                        "JSON file of one, or give --device-flash and --device-ram");
}

struct rp_device_sizes rp_device_sizes(const struct rp_device *device) {
    uint64_t flash[2] = {0, 0}, ram[2] = {0, 0};
    for (size_t i = 0; i < device->memory_count; i++) {
        const struct rp_board_memory *memory = &device->memories[i];
        uint64_t *sums = memory->is_flash ? flash : ram;
        sums[memory->is_external] += memory->area.size;
    }
    return (struct rp_device_sizes){flash[0] != 0 ? flash[0] : flash[1], ram[0], ram[1]};
}

const struct rp_target *rp_device_target(const struct rp_device *device) {
    bool is_core = rp_has_prefix(device->series, "cortex-");
    return rp_target_find(is_core ? NULL : device->series, is_core ? device->series : NULL, NULL);
}

bool rp_device_check(const struct rp_device *device, const struct rp_target *target,
                     struct rp_error *err) {
    const struct rp_target *own = rp_device_target(device);
    if (own == NULL || strcmp(own->core->cpu, target->core->cpu) == 0)
        return true;
    rp_fail(err, RP_E_USAGE, "--device '%s' has a %s, but the image is for a %s (%s)", device->name,
            own->core->cpu, target->core->cpu, target->series);
    return rp_hint(err, "omit the target: it follows from the device");
}
