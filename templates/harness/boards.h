/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The emulated boards that `verify` runs on, and their memories. The host makes the plan and the
 * command lines from this file. The firmware does not need it: it gets its addresses from the
 * linker's command line and from the plan (plan.h).
 *
 * The command line (tried with qemu-system-arm 7.2), the same for every board:
 *
 *   qemu-system-arm -M MACHINE -kernel harness.elf -display none -serial none -monitor none
 *     -parallel none -nodefaults -no-reboot
 *     -semihosting-config enable=on,target=native -icount shift=6
 *     -device loader,file=vectors.bin,addr=VECTORS,force-raw=on
 *     -device loader,file=plan.bin,addr=PLAN,force-raw=on
 *     -device loader,file=network_rel.bin,addr=...,force-raw=on
 *     [-device loader,file=network_data.bin,addr=...,force-raw=on]
 *     [-device loader,file=inputs.bin,addr=...,force-raw=on]
 *     [-global SETTING]
 *
 * vectors.bin is the vector table of the ELF file (start.c): a reset reads its first two words, and
 * a Cortex-M0 knows no other.
 * harness.elf is linked with the linker's own script, to one address, and knows no other address.
 *
 * QEMU is started in a folder of its own, with a time limit and standard input from /dev/null; the
 * harness writes result.bin there. Texts (SYS_WRITE0) go to QEMU's standard error. In file names,
 * commas are doubled (QEMU's option syntax). The exit status is the harness's (enum harness_exit in
 * plan.h), set by SYS_EXIT_EXTENDED. A core in lockup makes QEMU abort (SIGABRT), and a wrong
 * option is status 1, so only a result.bin with an END record shows that the plan was carried out.
 * QEMU refuses to start if two blobs overlap, including the firmware. "nic lan9118.0 has no peer"
 * on standard error is harmless.
 *
 * The boards for M3, M4 and M7 ignore accesses to addresses that hold nothing; start.c makes them
 * fault. A Cortex-M0 has no MPU: reads at NULL find its flash there. None has caches or contention: instructions are counted, not cycles.
 */
#ifndef HARNESS_BOARDS_H
#define HARNESS_BOARDS_H

#include <stdint.h>

/*
 * X(id, -mcpu of gcc, -M of QEMU, CPUID part of its core, SysTick clock in Hz, reset vector table,
 * -global of QEMU or ""). MPS2 and MPS3 are Arm's own images: AN385, AN386, AN500, AN505 and AN547.
 * The micro:bit has a Cortex-M0; its microcontroller gets 32 MB of RAM instead of 16 KB here.
 *
 * The first row of a machine is that of its core. Further rows are of cores that QEMU 7.2 does not
 * have: the machine's core has all of their instructions. What images use beyond those of the core
 * that they are for is found when they are made (elfpack/insn/code.c).
 */
#define HARNESS_BOARDS(X)                                                                          \
    X(M0, "cortex-m0", "microbit", 0xC20, 16000000, 0x00000000, HARNESS_MICROBIT)                  \
    X(M0PLUS, "cortex-m0plus", "microbit", 0xC20, 16000000, 0x00000000, HARNESS_MICROBIT)          \
    X(M3, "cortex-m3", "mps2-an385", 0xC23, 25000000, 0x00000000, "")                              \
    X(M4, "cortex-m4", "mps2-an386", 0xC24, 25000000, 0x00000000, "")                              \
    X(M7, "cortex-m7", "mps2-an500", 0xC27, 25000000, 0x00000000, "")                              \
    X(M33, "cortex-m33", "mps2-an505", 0xD21, 20000000, 0x10000000, "")                            \
    X(M23, "cortex-m23", "mps2-an505", 0xD21, 20000000, 0x10000000, "")                            \
    X(M55, "cortex-m55", "mps3-an547", 0xD22, 32000000, 0x00000000, "")                            \
    X(M52, "cortex-m52", "mps3-an547", 0xD22, 32000000, 0x00000000, "")                            \
    X(M85, "cortex-m85", "mps3-an547", 0xD22, 32000000, 0x00000000, "")
#define HARNESS_MICROBIT "nrf51-soc.sram-size=0x2000000"

enum harness_board {
#define X(id, cpu, machine, part, clock_hz, vectors, global) HARNESS_##id,
    HARNESS_BOARDS(X)
#undef X
        HARNESS_BOARD_COUNT
};

/*
 * X(board, name, address, size in bytes): the memories that are used. The host places everything
 * that a run needs in them (cli/harness/place.c), except the stack and the plan. EXTERNAL is the
 * largest: a static build is linked into it, and models may name addresses in it.
 */
#define HARNESS_MEMORIES_3(X, board, code, sram, ext)                                              \
    X(board, CODE, (code), UINT32_C(0x00400000))                                                   \
    X(board, SRAM, (sram), UINT32_C(0x00400000))                                                   \
    X(board, EXTERNAL, (ext), UINT32_C(0x01000000))

#define HARNESS_MEMORIES_0(X, board)                                                               \
    X(board, SRAM, UINT32_C(0x20000000), UINT32_C(0x00800000))                                     \
    X(board, CODE, UINT32_C(0x20800000), UINT32_C(0x00400000))                                     \
    X(board, EXTERNAL, UINT32_C(0x21000000), UINT32_C(0x01000000))

#define HARNESS_MEMORIES_55(X, board)                                                              \
    X(board, ITCM, UINT32_C(0x00000000), UINT32_C(0x00080000))                                     \
    X(board, CODE, UINT32_C(0x01000000), UINT32_C(0x00200000))                                     \
    X(board, DTCM, UINT32_C(0x20000000), UINT32_C(0x00080000))                                     \
    X(board, SRAM, UINT32_C(0x21000000), UINT32_C(0x00400000))                                     \
    X(board, EXTERNAL, UINT32_C(0x60000000), UINT32_C(0x80000000))

#define HARNESS_MEMORIES(X)                                                                        \
    HARNESS_MEMORIES_0(X, M0)                                                                      \
    HARNESS_MEMORIES_0(X, M0PLUS)                                                                  \
    HARNESS_MEMORIES_3(X, M3, UINT32_C(0x00000000), UINT32_C(0x20000000), UINT32_C(0x21000000))    \
    HARNESS_MEMORIES_3(X, M4, UINT32_C(0x00000000), UINT32_C(0x20000000), UINT32_C(0x21000000))    \
    HARNESS_MEMORIES_3(X, M7, UINT32_C(0x00000000), UINT32_C(0x20000000), UINT32_C(0x60000000))    \
    HARNESS_MEMORIES_3(X, M33, UINT32_C(0x10000000), UINT32_C(0x38000000), UINT32_C(0x80000000))   \
    HARNESS_MEMORIES_3(X, M23, UINT32_C(0x10000000), UINT32_C(0x38000000), UINT32_C(0x80000000))   \
    HARNESS_MEMORIES_55(X, M55)                                                                    \
    HARNESS_MEMORIES_55(X, M52)                                                                    \
    HARNESS_MEMORIES_55(X, M85)

/*
 * X(board, stack, plan, firmware). There is no memory below the stack, so an overflow faults
 * (start.c). The firmware with the loader is linked to the last address.
 */
#define HARNESS_PLACES(X)                                                                          \
    X(M0, UINT32_C(0x20000000), UINT32_C(0x20020000), UINT32_C(0x20800000))                        \
    X(M0PLUS, UINT32_C(0x20000000), UINT32_C(0x20020000), UINT32_C(0x20800000))                    \
    X(M3, UINT32_C(0x20000000), UINT32_C(0x20020000), UINT32_C(0x00001000))                        \
    X(M4, UINT32_C(0x20000000), UINT32_C(0x20020000), UINT32_C(0x00001000))                        \
    X(M7, UINT32_C(0x20000000), UINT32_C(0x20020000), UINT32_C(0x00001000))                        \
    X(M33, UINT32_C(0x38000000), UINT32_C(0x38020000), UINT32_C(0x10001000))                       \
    X(M23, UINT32_C(0x38000000), UINT32_C(0x38020000), UINT32_C(0x10001000))                       \
    X(M55, UINT32_C(0x20000000), UINT32_C(0x21000000), UINT32_C(0x01000000))                       \
    X(M52, UINT32_C(0x20000000), UINT32_C(0x21000000), UINT32_C(0x01000000))                       \
    X(M85, UINT32_C(0x20000000), UINT32_C(0x21000000), UINT32_C(0x01000000))

enum {
    HARNESS_VECTORS_BYTES = 0x400, /* at the reset vector table; otherwise unused */
    HARNESS_STACK_BYTES = 0x20000,
    HARNESS_HANDLER_STACK_BYTES = 0x400, /* of these, at the top */
    HARNESS_PLAN_BYTES = 0x20000         /* 2,047 steps: about 500 inputs */
};

#endif
