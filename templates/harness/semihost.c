/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Semihosting, and what the firmware needs of its host on an emulated board: see semihost.h and
 * host.h. In: arguments in words; out: what the host answered in r0.
 */
#include "semihost.h"

#include <stddef.h>

#include "host.h"
#include "plan.h"

enum semihost_call {
    SYS_OPEN = 0x01,
    SYS_CLOSE = 0x02,
    SYS_WRITE0 = 0x04,
    SYS_WRITE = 0x05,
    SYS_READ = 0x06,
    SYS_FLEN = 0x0C,
    SYS_GET_CMDLINE = 0x15,
    SYS_EXIT = 0x18,
    SYS_EXIT_EXTENDED = 0x20
};
#define ADP_STOPPED_APPLICATION_EXIT UINT32_C(0x20026)

/*
 * A constructor of newlib refers to symbols of crti.o; it runs only in exit. Weak: a toolchain's
 * own definition takes precedence.
 */
void _init(void);
void _fini(void);
__attribute__((weak)) void _init(void) {}
__attribute__((weak)) void _fini(void) {}

static uint32_t semihost_address(const void *pointer) {
    return (uint32_t)(uintptr_t)pointer;
}

static uint32_t semihost(enum semihost_call number, uint32_t argument) {
    register uint32_t r0 __asm__("r0") = (uint32_t)number;
    register uint32_t r1 __asm__("r1") = argument;
    __asm__ volatile("bkpt 0xAB" : "+r"(r0), "+r"(r1) : : "r2", "r3", "r12", "lr", "memory");
    return r0;
}

void semihost_print(const char *text) {
    (void)semihost(SYS_WRITE0, semihost_address(text));
}

void semihost_print_hex(const char *label, uint32_t value) {
    char text[12] = "0x00000000\n";
    for (uint32_t i = 0; i < 8; i++)
        text[9 - i] = "0123456789abcdef"[value >> (4 * i) & 15u];
    semihost_print(label);
    semihost_print(text);
}

int32_t semihost_open(const char *path, enum semihost_mode mode) {
    uint32_t length = 0;
    while (path[length] != '\0')
        length++;
    const uint32_t arguments[3] = {semihost_address(path), (uint32_t)mode, length};
    return (int32_t)semihost(SYS_OPEN, semihost_address(arguments));
}

/* SYS_WRITE and SYS_READ return the number of bytes that were not transferred. */
static bool transfer(enum semihost_call number, int32_t file, const void *data, uint32_t size) {
    const uint32_t arguments[3] = {(uint32_t)file, semihost_address(data), size};
    return semihost(number, semihost_address(arguments)) == 0;
}

bool semihost_write(int32_t file, const void *data, uint32_t size) {
    return transfer(SYS_WRITE, file, data, size);
}

bool semihost_read(int32_t file, void *data, uint32_t size) {
    return transfer(SYS_READ, file, data, size);
}

int32_t semihost_length(int32_t file) {
    const uint32_t arguments[1] = {(uint32_t)file};
    return (int32_t)semihost(SYS_FLEN, semihost_address(arguments));
}

bool semihost_close(int32_t file) {
    const uint32_t arguments[1] = {(uint32_t)file};
    return semihost(SYS_CLOSE, semihost_address(arguments)) == 0;
}

bool semihost_command_line(char *text, uint32_t size) {
    const uint32_t arguments[2] = {semihost_address(text), size};
    return semihost(SYS_GET_CMDLINE, semihost_address(arguments)) == 0;
}

_Noreturn void semihost_exit(uint32_t status) {
    const uint32_t arguments[2] = {ADP_STOPPED_APPLICATION_EXIT, status};
    (void)semihost(SYS_EXIT_EXTENDED, semihost_address(arguments));
    /*
     * A host without the extended call can only report success (this reason) or failure (another).
     */
    (void)semihost(SYS_EXIT, status == 0 ? ADP_STOPPED_APPLICATION_EXIT : 0);
    for (;;) {
    }
}

/* ---- the emulator as the firmware's host ---- */

/* System control space: the same addresses on Armv7-M and Armv8-M. */
#define SCS(offset) (*(volatile uint32_t *)(uintptr_t)(UINT32_C(0xE000E000) + (offset)))

/*
 * The MPU refuses NULL, where code memory lies, and addresses that are not memory of any board
 * (boards.h), so that a wild pointer or a stack overflow faults. Without it QEMU's boards for M3,
 * M4 and M7 ignore such accesses: reads give 0 and writes are lost. The other two fault by
 * themselves, except at NULL.
 */
enum {
    CCR = 0xD14,
    MPU_CTRL = 0xD94, /* 1: on, and addresses that no region holds are refused */
    MPU_RNR = 0xD98,
    MPU_RBAR = 0xD9C,
    MPU_RASR = 0xDA0, /* Armv7-M */
    MPU_RLAR = 0xDA0, /* Armv8-M */
    MPU_MAIR0 = 0xDC0
};
#define CCR_UNALIGN_TRP (UINT32_C(1) << 3) /* unaligned accesses fault, as on Baseline */

#ifdef __ARM_ARCH_6M__
/* No MPU. Where the emulator has nothing, accesses fault. */
#elif defined(__ARM_ARCH_7M__) || defined(__ARM_ARCH_7EM__)
/*
 * Address, and attributes of a region of 1 << log2_bytes; the later region wins where two overlap.
 */
#define REGION(address, log2_bytes, access)                                                        \
    { UINT32_C(address), UINT32_C(access) | ((log2_bytes)-1u) << 1 | 1u }
#define NO_ACCESS 0x10000000
#define MEMORY    0x030B0000 /* normal; read, write, execute */
#define DEVICE    0x13050000
static const uint32_t mpu_regions[][2] = {
    REGION(0x00000000, 22, MEMORY), REGION(0x20000000, 22, MEMORY),
    REGION(0x21000000, 24, MEMORY), REGION(0x60000000, 24, MEMORY),
    REGION(0x40000000, 29, DEVICE), REGION(0x00000000, 10, NO_ACCESS),
};
#else
/* First and last address; bits of MAIR0: 0 = normal memory, 1 = device. */
#define MAIR UINT32_C(0x000000FF)
#define REGION(first, last, attribute, no_execute)                                                 \
    {                                                                                              \
        UINT32_C(first) | 2u | (no_execute),                                                       \
            (UINT32_C(last) & ~UINT32_C(31)) | (attribute) << 1 | 1u                               \
    }
static const uint32_t mpu_regions[][2] = {
    REGION(0x00000400, 0x3FFFFFFF, 0u, 0u),
    REGION(0x40000000, 0x5FFFFFFF, 1u, 1u),
    REGION(0x60000000, 0xDFFFFFFF, 0u, 0u),
};
#endif

void host_begin(void) {
#ifdef __ARM_ARCH_8M_BASE__
    SCS(CCR) |= CCR_UNALIGN_TRP; /* another core stands in, which could */
#endif
#ifndef __ARM_ARCH_6M__
#ifdef MAIR
    SCS(MPU_MAIR0) = MAIR;
#endif
    for (uint32_t i = 0; i < sizeof mpu_regions / sizeof mpu_regions[0]; i++) {
        SCS(MPU_RNR) = i;
        SCS(MPU_RBAR) = mpu_regions[i][0];
        SCS(MPU_RASR) = mpu_regions[i][1]; /* or RLAR, at the same address */
    }
    SCS(MPU_CTRL) = 1;
#endif
    __asm__ volatile("dsb\n\tisb" ::: "memory");
}

static int32_t result_file = -1;

/* The emulator places the one plan before it starts. */
void host_next(uint32_t status) {
    if (status != HARNESS_EXIT_NONE)
        semihost_exit(status);
}

void host_print(const char *text) {
    semihost_print(text);
}

void host_print_hex(const char *label, uint32_t value) {
    semihost_print_hex(label, value);
}

bool host_open(void) {
    result_file = semihost_open("result.bin", SEMIHOST_WRITE);
    return result_file >= 0;
}

bool host_write(const void *data, uint32_t size) {
    return semihost_write(result_file, data, size);
}

bool host_close(void) {
    bool closed = result_file >= 0 && semihost_close(result_file);
    result_file = -1;
    return closed;
}
