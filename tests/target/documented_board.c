/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The board for a firmware written as in the vendor's documentation: start-up, the C library's heap
 * and output, cycle counts. The emulator exits with the status given to board_leave.
 */
#include <stddef.h>
#include <string.h>

#include "documented.h"

extern uint8_t stack_end[];
extern char heap[], heap_end[];
int main(void);
void reset(void);
void fault(void);
void *_sbrk(ptrdiff_t size);
int _write(int file, const char *text, int size);

__attribute__((section(".vectors"), used)) static const void *const vectors[] = {
    stack_end, (void *)reset, (void *)fault, (void *)fault};

char board_log[4096];
static char *heap_top = heap;
static size_t logged;

_Noreturn void board_leave(int status) {
    const uint32_t words[2] = {0x20026, (uint32_t)status};
    register uint32_t r0 __asm__("r0") = 0x20;
    register const uint32_t *r1 __asm__("r1") = words;
    __asm__ volatile("bkpt 0xAB" : "+r"(r0) : "r"(r1) : "memory");
    for (;;) {
    }
}

void fault(void) {
    board_leave(120);
}

void reset(void) {
    *(volatile uint32_t *)0xE000ED88u |= 0xF00000u; /* CPACR: FPU on */
    *(volatile uint32_t *)0xE000E014u = 0xFFFFFFu;  /* SysTick: counts down */
    *(volatile uint32_t *)0xE000E010u = 5u;
    __asm__ volatile("dsb\n\tisb");
    board_leave(main());
}

uint32_t board_cycles(void) {
    return 0xFFFFFFu - *(volatile uint32_t *)0xE000E018u;
}

void *_sbrk(ptrdiff_t size) {
    char *old = heap_top;
    if (size > heap_end - heap_top)
        return (void *)-1;
    heap_top += size;
    return old;
}

int _write(int file, const char *text, int size) {
    (void)file;
    for (int i = 0; i < size && logged < sizeof board_log - 1; i++)
        board_log[logged++] = text[i];
    return size;
}
