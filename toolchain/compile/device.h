/* SPDX-License-Identifier: Apache-2.0 */
/* Devices and the sizes of their memories: a table from public datasheets (devices.def). */
#ifndef RP_TOOLCHAIN_COMPILE_DEVICE_H
#define RP_TOOLCHAIN_COMPILE_DEVICE_H

#include "toolchain/compile/board.h"
#include "toolchain/compile/series.h"

struct rp_device {
    const char *name;                       /* "stm32f446re" */
    const char *series;                     /* "stm32f4" or "cortex-m33" */
    const char *source;                     /* the datasheet; or the board file's path */
    const struct rp_board_memory *memories; /* of the table: without addresses */
    size_t memory_count;
};

/* All bytes of a kind; 0: there is none. */
struct rp_device_sizes {
    uint64_t flash; /* internal or, if there is none, external */
    uint64_t ram;   /* internal */
    uint64_t ext_ram;
};

/* The rows of the table by position, NULL past the end. */
const struct rp_device *rp_device_at(size_t index);
/*
 * Finds a device by its name in the table, in any case and perhaps followed by letters for package
 * and temperature ("STM32F446RET6"); else a board, like rp_board_find_any. RP_E_USAGE: unknown.
 * Errors of rp_board_find_any.
 */
bool rp_device_find(struct rp_device *device, struct rp_arena *arena, const char *data_dir,
                    const char *name, struct rp_error *err);
struct rp_device_sizes rp_device_sizes(const struct rp_device *device);
/* Never NULL: a unit test ensures that each row's series is a target. */
const struct rp_target *rp_device_target(const struct rp_device *device);
/* RP_E_USAGE: the target does not have the device's core; names both. */
bool rp_device_check(const struct rp_device *device, const struct rp_target *target,
                     struct rp_error *err);

#endif
