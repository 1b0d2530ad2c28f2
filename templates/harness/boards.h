/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The emulated boards that `verify` runs on, and which addresses of each hold what. Shared by the
 * host, which makes the plan and the command lines from it; the firmware itself needs none of it,
 * it gets its addresses from the linker (harness.ld) and from the plan (plan.h).
 *
 * The command line (tried with qemu-system-arm 7.2), the same for every board:
 *
 *   qemu-system-arm -M MACHINE -kernel harness.elf -display none -serial none -monitor none
 *     -parallel none -nodefaults -no-reboot
 *     -semihosting-config enable=on,target=native -icount shift=6
 *     -device loader,file=plan.bin,addr=PLAN,force-raw=on
 *     -device loader,file=network_rel.bin,addr=IMAGE_A,force-raw=on
 *     [-device loader,file=network_data.bin,addr=BIG,force-raw=on]
 *     [-device loader,file=inputs.bin,addr=...,force-raw=on]
 *
 * Started in a folder of its own, with a time limit and standard input from /dev/null: the harness
 * writes result.bin there. Texts (SYS_WRITE0) go to QEMU's standard error. In file names, commas
 * are doubled (QEMU's option syntax). The exit status is the harness's (enum harness_exit in
 * plan.h), by SYS_EXIT_EXTENDED; a core in lockup makes QEMU abort (SIGABRT), a wrong option is
 * status 1, so that only a result.bin with an END record says that the plan was carried out. Two
 * blobs that overlap, the firmware included, are refused by QEMU before it starts. "nic lan9118.0
 * has no peer" on standard error is harmless.
 *
 * The boards for M3, M4 and M7 ignore accesses to addresses that hold nothing; start.c makes them
 * fault. None has caches or contention: counts are of instructions.
 */
#ifndef HARNESS_BOARDS_H
#define HARNESS_BOARDS_H

#include <stdint.h>

/*
 * X(id, -mcpu of gcc, -M of QEMU, CPUID part, SysTick clock in Hz, reset vector table).
 * All are Arm's own MPS2/MPS3 images: AN385, AN386, AN500, AN505 and AN547.
 */
#define HARNESS_BOARDS(X)                                                                          \
    X(M3, "cortex-m3", "mps2-an385", 0xC23, 25000000, 0x00000000)                                  \
    X(M4, "cortex-m4", "mps2-an386", 0xC24, 25000000, 0x00000000)                                  \
    X(M7, "cortex-m7", "mps2-an500", 0xC27, 25000000, 0x00000000)                                  \
    X(M33, "cortex-m33", "mps2-an505", 0xD21, 20000000, 0x10000000)                                \
    X(M55, "cortex-m55", "mps3-an547", 0xD22, 32000000, 0x00000000)

enum harness_board {
#define X(id, cpu, machine, part, clock_hz, vectors) HARNESS_##id,
    HARNESS_BOARDS(X)
#undef X
        HARNESS_BOARD_COUNT
};

/* What the areas are for. The linker's (harness.ld) come first. */
enum harness_area {
    HARNESS_AREA_VECTORS,
    HARNESS_AREA_FIRMWARE, /* code and constants of the harness with the loader */
    HARNESS_AREA_STACK,    /* below is no memory: an overflow faults (start.c) */
    HARNESS_AREA_DATA,     /* variables of the harness with the loader */
    HARNESS_AREA_PLAN,
    HARNESS_AREA_IMAGE_A, /* images; for a static build its variables */
    HARNESS_AREA_IMAGE_B,
    HARNESS_AREA_RAM_A, /* instance RAM */
    HARNESS_AREA_RAM_B,
    HARNESS_AREA_ACTS_A,
    HARNESS_AREA_ACTS_B,
    HARNESS_AREA_IO,
    HARNESS_AREA_BIG, /* weights; images with large weights; code and weights of a static build */
    HARNESS_AREA_COUNT
};

/*
 * Boards with three memories: 4 MB of code memory, 4 MB of SRAM, 16 MB of external RAM. The two
 * addresses of a kind differ in high and low bits. Instance RAM A is a multiple of 4 only and B of
 * 8, activations are multiples of 32, image A and BIG of 16, image B of 4. Between areas lie at
 * least 512 bytes for guards.
 */
#define HARNESS_AREAS_3(X, board, code, sram, ext)                                                 \
    X(board, VECTORS, (code), 0x000400)                                                            \
    X(board, FIRMWARE, (code) + 0x000400, 0x03FC00)                                                \
    X(board, IMAGE_A, (code) + 0x041230, 0x3BEC00)                                                 \
    X(board, STACK, (sram), 0x020000)                                                              \
    X(board, DATA, (sram) + 0x020000, 0x020000)                                                    \
    X(board, PLAN, (sram) + 0x040000, 0x010000)                                                    \
    X(board, RAM_A, (sram) + 0x051234, 0x100000)                                                   \
    X(board, ACTS_A, (sram) + 0x1524E0, 0x140000)                                                  \
    X(board, IMAGE_B, (sram) + 0x293654, 0x16C800)                                                 \
    X(board, RAM_B, (ext) + 0x002468, 0x100000)                                                    \
    X(board, ACTS_B, (ext) + 0x1036A0, 0x140000)                                                   \
    X(board, IO, (ext) + 0x244B00, 0x0F0000)                                                       \
    X(board, BIG, (ext) + 0x335550, 0xCCA800)

/* X(board, area, address, size in bytes) */
#define HARNESS_AREAS(X)                                                                           \
    HARNESS_AREAS_3(X, M3, UINT32_C(0x00000000), UINT32_C(0x20000000), UINT32_C(0x21000000))       \
    HARNESS_AREAS_3(X, M4, UINT32_C(0x00000000), UINT32_C(0x20000000), UINT32_C(0x21000000))       \
    HARNESS_AREAS_3(X, M7, UINT32_C(0x00000000), UINT32_C(0x20000000), UINT32_C(0x60000000))       \
    HARNESS_AREAS_3(X, M33, UINT32_C(0x10000000), UINT32_C(0x38000000), UINT32_C(0x80000000))      \
    X(M55, VECTORS, UINT32_C(0x00000000), 0x000400)                                                \
    X(M55, FIRMWARE, UINT32_C(0x01000000), 0x100000)                                               \
    X(M55, STACK, UINT32_C(0x20000000), 0x040000)                                                  \
    X(M55, DATA, UINT32_C(0x20040000), 0x040000)                                                   \
    X(M55, PLAN, UINT32_C(0x21000000), 0x010000)                                                   \
    X(M55, RAM_A, UINT32_C(0x21011234), 0x300000)                                                  \
    X(M55, IMAGE_A, UINT32_C(0x60041230), 0x3F00000)                                               \
    X(M55, IMAGE_B, UINT32_C(0x64293654), 0x3C00000)                                               \
    X(M55, RAM_B, UINT32_C(0x68002468), 0x1800000)                                                 \
    X(M55, ACTS_A, UINT32_C(0x6A1524E0), 0x4000000)                                                \
    X(M55, ACTS_B, UINT32_C(0x701036A0), 0x4000000)                                                \
    X(M55, IO, UINT32_C(0x76244B00), 0x4000000)                                                    \
    X(M55, BIG, UINT32_C(0x80335550), 0x1FCC0000)

/* X(board, address, size): all of the external memory, for models that name addresses in it */
#define HARNESS_EXTERNAL(X)                                                                        \
    X(M3, UINT32_C(0x21000000), UINT32_C(0x01000000))                                              \
    X(M4, UINT32_C(0x21000000), UINT32_C(0x01000000))                                              \
    X(M7, UINT32_C(0x60000000), UINT32_C(0x01000000))                                              \
    X(M33, UINT32_C(0x80000000), UINT32_C(0x01000000))                                             \
    X(M55, UINT32_C(0x60000000), UINT32_C(0x80000000))

#endif
