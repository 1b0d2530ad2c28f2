/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The service for `relocpack run`: see relocpack_service.h. In: orders through the mailbox
 * relocpack_mailbox (mailbox.h, plan.h). Out: results the same way. The parts of the verification
 * firmware that it needs are included here, so that a firmware has one file to compile; their
 * functions are static.
 */
#include "relocpack_service.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifndef AI_RELOC_OWN_TYPES
#define AI_RELOC_OWN_TYPES /* the vendor's have the same layout, but not what observe.c calls */
#endif
#if defined(LL_ATON_RT_RELOC) && !defined(RELOCPACK_SERVICE_CORTEX_M)
#define SERVICE_NPU 1
#include "ll_aton_reloc_loader.h"
static struct {
    ll_aton_reloc_region rows[RELOCPACK_SERVICE_AREAS];
    uint32_t count;
} service_regions;
#define HARNESS_REGIONS      service_regions.rows
#define HARNESS_REGION_COUNT service_regions.count
#else
#define SERVICE_NPU 0
#include "ai_reloc_network.h"
#endif

#define PART static __attribute__((unused))
#include "part.h"
/* A firmware may have hooks of its own. */
#define __cyg_profile_func_enter service_enter
#define __cyg_profile_func_exit  service_exit

#include "memory.c"
#include "result.c"
#include "cyccnt.c"
#include "counter.c"
#include "observe.c"
#include "hooks.c"
#include "tensors.c"
#include "turn.c"
#include "harness.c"

#if SERVICE_NPU
#include "ll_aton_model.c"
#include "backend_ll_aton_loader.c"
#else
#include "backend_loader.c"
#endif

#if RELOCPACK_SERVICE_PLAN_BYTES % 32 != 0 || RELOCPACK_SERVICE_PLAN_BYTES < 1024
#error "RELOCPACK_SERVICE_PLAN_BYTES: a multiple of 32, at least 1024"
#endif
#if RELOCPACK_SERVICE_BLOCK_BYTES % 32 != 0 || RELOCPACK_SERVICE_BLOCK_BYTES < 64
#error "RELOCPACK_SERVICE_BLOCK_BYTES: a multiple of 32, at least 64"
#endif
_Static_assert(RELOCPACK_SERVICE_AREAS == MAILBOX_AREAS_MAX &&
                   RELOCPACK_SERVICE_EXECUTE == MAILBOX_AREA_EXECUTE &&
                   RELOCPACK_SERVICE_NPU == MAILBOX_AREA_NPU,
               "the header says what the mailbox says");

struct harness_area_used harness_stack;
uint8_t harness_plan[RELOCPACK_SERVICE_PLAN_BYTES] __attribute__((aligned(32)));

static uint8_t service_block[RELOCPACK_SERVICE_BLOCK_BYTES] __attribute__((aligned(32)));
static struct turn_area service_areas[RELOCPACK_SERVICE_AREAS];
static struct turn_settings service_settings;

static void take_areas(const relocpack_service_config *config) {
    for (uint32_t i = 0; i < config->area_count; i++) {
        const relocpack_service_area *area = &config->areas[i];
        service_areas[i] = (struct turn_area){(uint32_t)area->address, area->size, area->flags};
    }
#if SERVICE_NPU
    service_regions.count = 0;
    for (uint32_t i = 0; i < config->area_count; i++)
        if ((config->areas[i].flags & RELOCPACK_SERVICE_NPU) != 0)
            service_regions.rows[service_regions.count++] =
                (ll_aton_reloc_region){config->areas[i].address, config->areas[i].size};
#endif
}

bool relocpack_service_init(const relocpack_service_config *config) {
    if (config == NULL || config->areas == NULL || config->area_count == 0 ||
        config->area_count > RELOCPACK_SERVICE_AREAS)
        return false;
    take_areas(config);
    harness_stack = (struct harness_area_used){(uint32_t)(uintptr_t)config->stack,
                                               config->stack != NULL ? config->stack_size : 0};
    counter_use(config->cycles);
    service_settings = (struct turn_settings){
        .plan_room = sizeof harness_plan,
        .buffer = service_block,
        .buffer_room = sizeof service_block,
        .clock_hz = config->clock_hz,
        .images = SERVICE_NPU ? MAILBOX_IMAGES_NEURAL_ART : MAILBOX_IMAGES_CORTEX_M,
        .areas = service_areas,
        .area_count = config->area_count,
        .patience = RELOCPACK_SERVICE_PATIENCE,
    };
    turn_begin(&service_settings);
    turn_offer(MAILBOX_READY, HARNESS_EXIT_NONE);
    return true;
}

bool relocpack_service_poll(void) {
    if (!turn_is_answered())
        return false;
    turn_offer(MAILBOX_READY, turn_has_plan() ? harness_main() : (uint32_t)HARNESS_EXIT_PLAN);
    return true;
}
