/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A service for `relocpack run`: a firmware that has this file and relocpack_service.c installs and
 * runs the images that the host sends through a debug probe, beside whatever else it does. The
 * firmware keeps its start-up, clocks, caches, interrupts and stacks. docs/TARGET.md explains it.
 *
 * The service installs Neural-ART images where LL_ATON_RT_RELOC is defined, as for the pack, else
 * Cortex-M images; with RELOCPACK_SERVICE_CORTEX_M always the latter. It needs the loader
 * (ll_aton_reloc_network.c or ai_reloc_network.c), and about 24 KiB of RAM.
 */
#ifndef RELOCPACK_SERVICE_H
#define RELOCPACK_SERVICE_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Settings. Sizes are multiples of 32. */
#ifndef RELOCPACK_SERVICE_PLAN_BYTES
#define RELOCPACK_SERVICE_PLAN_BYTES 4096 /* the host's orders; at least 1024 */
#endif
#ifndef RELOCPACK_SERVICE_BLOCK_BYTES
#define RELOCPACK_SERVICE_BLOCK_BYTES 8192 /* results, a block after the other; at least 64 */
#endif
/* How often to look for a host that has left in the middle of a plan: some seconds. */
#ifndef RELOCPACK_SERVICE_PATIENCE
#define RELOCPACK_SERVICE_PATIENCE 100000000u
#endif

#define RELOCPACK_SERVICE_EXECUTE 1u /* code can run in the area */
#define RELOCPACK_SERVICE_NPU     2u /* the NPU can read and write it */
#define RELOCPACK_SERVICE_AREAS   8u /* how many there can be */

/*
 * Memory that belongs to the host from relocpack_service_init on. Address and size are multiples of
 * 32. The host takes the first area that has room, so fast memory comes first.
 */
typedef struct relocpack_service_area_s {
    uintptr_t address;
    uint32_t size; /* bytes */
    uint32_t flags;
} relocpack_service_area;

/* Members that are 0 or NULL have the meaning given here. */
typedef struct relocpack_service_config_s {
    const relocpack_service_area *areas;
    uint32_t area_count;
    uint32_t clock_hz;        /* of the core, or of cycles(); 0: the user has to know */
    void *stack;              /* lowest address of the stack that polls, 4-aligned; NULL: not measured */
    uint32_t stack_size;      /* bytes */
    uint64_t (*cycles)(void); /* a time that never runs back; NULL: the core's cycle counter */
} relocpack_service_config;

/*
 * Offers the service, once memories, caches and, for Neural-ART images, the NPU have been set up.
 * What config points to is copied. False: there is no area, or there are too many.
 */
bool relocpack_service_init(const relocpack_service_config *config);

/*
 * Does what the host has ordered meanwhile, and returns whether it had; at once when there is
 * nothing to do. To be called again and again by one thread, which is privileged, and only after
 * relocpack_service_init.
 */
bool relocpack_service_poll(void);

#ifdef __cplusplus
}
#endif

#endif
