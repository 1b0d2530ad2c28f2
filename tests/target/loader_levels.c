/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Test firmware of the loader: callers without privilege, and RAM that the MPU makes
 * non-executable. Built twice: with LOADER_LEVELS and its settings (loader_config.h), and without
 * any, where a caller without privilege faults. Prints and exits as loader_test.c does.
 */
#include "loader_kit.h"
#include "loader_trial.h"

#include <stddef.h>
#include <string.h>

#include "format/reloc_format.h"

/* ---- without privilege ---- */

static uint32_t load_mode;
static uint8_t *load_ram;
static ai_handle loaded;
static int32_t load_code;
static bool was_right;

static void load(void) {
    ai_rel_network_load_args args = {.obj = image_one_start,
                                     .obj_size = SIZE_OF(image_one),
                                     .ram_addr = load_ram,
                                     .ram_size = 8192,
                                     .mode = load_mode};
    loaded = AI_HANDLE_NULL;
    load_code = ai_rel_network_load_and_create_sized(&args, &loaded, NULL);
}

static void run_twice(void) {
    was_right = works(loaded, image_one_start, ID_ONE, 1) && run_is_right(loaded, ID_ONE, 2);
}

static void load_run_destroy(void) {
    load();
    run_twice();
    was_right = was_right && ai_rel_network_destroy(loaded) == AI_HANDLE_NULL;
}

static bool is_fault(uint32_t exception, uint32_t cfsr) {
    return trial_fault.exception == exception && (trial_fault.cfsr & cfsr) == cfsr;
}

#ifndef LOADER_LEVELS

/* CPUID is the first register that the loader reads, before it writes anything. */
static void test_unprivileged(void) {
    load_ram = arena_reset();
    load_mode = AI_RELOC_RT_LOAD_MODE_XIP;
    CHECK(!trial(load, false));
    CHECK(is_fault(TRIAL_BUSFAULT, TRIAL_PRECISERR | TRIAL_BFARVALID));
    CHECK(trial_fault.bfar == 0xE000ED00u && arena_intact(load_ram, 0));
    CHECK(trial(load_run_destroy, true) && was_right);
}

#else

uint32_t levels_cpuid, levels_cpacr;
static uint32_t cleaned_bytes, invalidated_bytes;
enum { SVC_DCACHE = TRIAL_SVC_OWN, SVC_ICACHE };

void levels_dcache_clean(const void *address, uint32_t size) {
    register uint32_t r0 __asm__("r0") = (uint32_t)address;
    register uint32_t r1 __asm__("r1") = size;
    __asm__ volatile("svc %2" : "+r"(r0), "+r"(r1) : "i"(SVC_DCACHE) : "memory");
}

void levels_icache_invalidate(const void *address, uint32_t size) {
    register uint32_t r0 __asm__("r0") = (uint32_t)address;
    register uint32_t r1 __asm__("r1") = size;
    __asm__ volatile("svc %2" : "+r"(r0), "+r"(r1) : "i"(SVC_ICACHE) : "memory");
}

/* Runs in the handler, where firmware has its cache functions. The read of CPUID would fault
 * without privilege. */
static void service(uint32_t number, uint32_t address, uint32_t size) {
    CHECK(TRIAL_SCS(TRIAL_CPUID) == levels_cpuid && address != 0);
    if (number == SVC_DCACHE)
        cleaned_bytes = size;
    else
        invalidated_bytes = size;
}

static void read_cpuid(void) {
    levels_cpuid = TRIAL_SCS(TRIAL_CPUID);
}

static void test_unprivileged(void) {
    ai_rel_network_info info;
    (void)ai_rel_network_rt_get_info(image_one_start, &info);
    trial_service = service;
    CHECK(!trial(read_cpuid, false) && trial_fault.exception == TRIAL_BUSFAULT);
    read_cpuid();
    levels_cpacr = PORT_FPU ? TRIAL_SCS(TRIAL_CPACR) : 0;
    for (load_mode = AI_RELOC_RT_LOAD_MODE_XIP; load_mode <= AI_RELOC_RT_LOAD_MODE_COPY;
         load_mode++) {
        load_ram = arena_reset();
        cleaned_bytes = invalidated_bytes = 0;
        CHECK(trial(load_run_destroy, false) && load_code == 0 && was_right);
        CHECK(cleaned_bytes == info.code_sz && invalidated_bytes == info.code_sz);
        CHECK(arena_intact(load_ram, 8192));
        /* Created by privileged code and run by an unprivileged thread, and the other way round. */
        CHECK(trial(load, true) && trial(run_twice, false) && was_right);
        CHECK(trial(load, false) && trial(run_twice, true) && was_right);
    }
}

/* If only privileged code may use the FPU, the load is refused by the value that the firmware
 * supplies. */
static void test_fpu(void) {
    levels_cpacr = 0;
    load_ram = arena_reset();
    load_mode = AI_RELOC_RT_LOAD_MODE_COPY;
    CHECK(trial(load, false) && load_code == (PORT_FPU ? AI_RELOC_E_FPU : 0));
    CHECK(!PORT_FPU || arena_intact(load_ram, 0));
    levels_cpacr = PORT_FPU ? TRIAL_SCS(TRIAL_CPACR) : 0;
}

#endif

/* ---- RAM without execution ---- */

enum { MPU_TYPE = 0xD90, MPU_CTRL = 0xD94, MPU_RNR = 0xD98, MPU_RBAR = 0xD9C, MPU_RASR = 0xDA0 };
enum { XN_BYTES = 8192 };
static uint8_t xn_ram[XN_BYTES] __attribute__((aligned(XN_BYTES)));

/* One region over xn_ram; everything else has the default map. */
static void protect(bool executable) {
    TRIAL_SCS(MPU_CTRL) = 0;
    TRIAL_SCS(MPU_RNR) = 2;
#if defined(__ARM_ARCH_7M__) || defined(__ARM_ARCH_7EM__)
    TRIAL_SCS(MPU_RBAR) = (uint32_t)xn_ram;
    TRIAL_SCS(MPU_RASR) = 0x030B0000u | (executable ? 0 : 1u << 28) | 12u << 1 | 1u;
#else
    TRIAL_SCS(0xDC0) = 0xFF; /* MAIR0: normal memory */
    TRIAL_SCS(MPU_RBAR) = (uint32_t)xn_ram | 1u << 1 | (executable ? 0 : 1u);
    TRIAL_SCS(MPU_RASR) = ((uint32_t)xn_ram + XN_BYTES - 32u) | 1u; /* RLAR */
#endif
    TRIAL_SCS(MPU_CTRL) = 5; /* on; the default map for privileged code */
    __asm__ volatile("dsb\n\tisb" ::: "memory");
}

/* Returns whether the default map lets code run there: code, SRAM and external RAM, but not
 * peripherals. */
static bool default_executable(uint32_t address) {
    uint32_t part = address >> 29;
    return part <= 1 || part == 3 || part == 4;
}

/* Returns whether the MPU's present settings let code run at an address. Call it privileged, with
 * interrupts masked. */
static bool executable_at(uint32_t address) {
    uint32_t regions = (TRIAL_SCS(MPU_CTRL) & 1u) != 0 ? TRIAL_SCS(MPU_TYPE) >> 8 & 0xFFu : 0;
    while (regions-- != 0) { /* Armv7-M: the last of several matching regions counts */
        TRIAL_SCS(MPU_RNR) = regions;
        uint32_t base = TRIAL_SCS(MPU_RBAR) & ~UINT32_C(31), attributes = TRIAL_SCS(MPU_RASR);
#if defined(__ARM_ARCH_7M__) || defined(__ARM_ARCH_7EM__)
        uint32_t bits = (attributes >> 1 & 31u) + 1u; /* log2 of its bytes */
        uint32_t outside = bits == 32 ? 0 : (address ^ base) >> bits;
        uint32_t eighth = bits < 8 ? 0 : address >> (bits - 3) & 7u;
        if ((attributes & 1u) != 0 && outside == 0 && (attributes >> (8 + eighth) & 1u) == 0)
            return (attributes >> 28 & 1u) == 0;
#else
        if ((attributes & 1u) != 0 && address >= base && address <= (attributes | 31u))
            return (TRIAL_SCS(MPU_RBAR) & 1u) == 0;
#endif
    }
    return default_executable(address);
}

/* Regions begin and end at multiples of 32. */
static bool executable(uint32_t start, uint32_t size) {
    for (uint32_t at = start & ~UINT32_C(31); at <= start + size - 1u; at += 32)
        if (!executable_at(at))
            return false;
    return true;
}

/* Address of an entry in the copy at xn_ram. */
static uint32_t entry_of(enum reloc_entry entry) {
    const uint32_t *header = (const uint32_t *)(const void *)image_one_start;
    uint32_t word = header[RELOC_HDR_ENTRIES / 4 + (uint32_t)entry];
    return (uint32_t)xn_ram + (word & RELOC_OFFSET_MASK & ~UINT32_C(1));
}

static void test_no_execute(void) {
    uint32_t ram = (uint32_t)xn_ram;
    load_ram = xn_ram;
    CHECK(executable(ram, XN_BYTES)); /* no MPU */
    protect(false);
    CHECK(!executable(ram, XN_BYTES));
    CHECK(executable((uint32_t)image_one_start, SIZE_OF(image_one)));
    CHECK(executable(ram - 64, 64) && !executable(ram - 64, 65));
    CHECK(executable(ram + XN_BYTES, 64) && !executable(ram + XN_BYTES - 1, 64));
    CHECK(executable(0x9FFFFFE0u, 32) && !executable(0xA0000000u, 4) &&
          !executable(0x40000000u, 4));
    load_mode = AI_RELOC_RT_LOAD_MODE_XIP;
    CHECK(trial(load_run_destroy, true) && load_code == 0 && was_right);
    load_mode = AI_RELOC_RT_LOAD_MODE_COPY;
    CHECK(!trial(load, true) && is_fault(TRIAL_MEMMANAGE, TRIAL_IACCVIOL));
    CHECK(trial_fault.pc == entry_of(RELOC_ENTRY_CREATE));
    protect(true); /* the RAM is executable again and can be used for the next load */
    CHECK(executable(ram, XN_BYTES));
    CHECK(trial(load, true) && trial(run_twice, true) && was_right);
    protect(false); /* execution is forbidden while the instance lives */
    CHECK(!trial(run_twice, true) && is_fault(TRIAL_MEMMANAGE, TRIAL_IACCVIOL));
    CHECK(trial_fault.pc == entry_of(RELOC_ENTRY_INIT_V2));
    CHECK(ai_rel_network_destroy(loaded) == loaded); /* still in use */
    CHECK(ai_rel_network_abort(loaded) && ai_rel_network_destroy(loaded) == AI_HANDLE_NULL);
    protect(true);
    CHECK(trial(load_run_destroy, true) && load_code == 0 && was_right);
    TRIAL_SCS(MPU_CTRL) = 0;
}

int main(void) {
    port_set_r9();
    trial_start();
    test_unprivileged();
#ifdef LOADER_LEVELS
    test_fpu();
#endif
    test_no_execute();
    CHECK(port_r9() == PORT_R9);
    return kit_result();
}
