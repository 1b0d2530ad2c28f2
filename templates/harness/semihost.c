/* SPDX-License-Identifier: Apache-2.0 */
/* Semihosting: see semihost.h. In: arguments in words; out: what the host answered in r0. */
#include "semihost.h"

#include <stddef.h>

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

static uint32_t address_of(const void *pointer) {
    return (uint32_t)(uintptr_t)pointer;
}

static uint32_t semihost(enum semihost_call number, uint32_t argument) {
    register uint32_t r0 __asm__("r0") = (uint32_t)number;
    register uint32_t r1 __asm__("r1") = argument;
    __asm__ volatile("bkpt 0xAB" : "+r"(r0), "+r"(r1) : : "r2", "r3", "r12", "lr", "memory");
    return r0;
}

void semihost_print(const char *text) {
    (void)semihost(SYS_WRITE0, address_of(text));
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
    const uint32_t arguments[3] = {address_of(path), (uint32_t)mode, length};
    return (int32_t)semihost(SYS_OPEN, address_of(arguments));
}

/* SYS_WRITE and SYS_READ return the number of bytes that were not transferred. */
static bool transfer(enum semihost_call number, int32_t file, const void *data, uint32_t size) {
    const uint32_t arguments[3] = {(uint32_t)file, address_of(data), size};
    return semihost(number, address_of(arguments)) == 0;
}

bool semihost_write(int32_t file, const void *data, uint32_t size) {
    return transfer(SYS_WRITE, file, data, size);
}

bool semihost_read(int32_t file, void *data, uint32_t size) {
    return transfer(SYS_READ, file, data, size);
}

int32_t semihost_length(int32_t file) {
    const uint32_t arguments[1] = {(uint32_t)file};
    return (int32_t)semihost(SYS_FLEN, address_of(arguments));
}

bool semihost_close(int32_t file) {
    const uint32_t arguments[1] = {(uint32_t)file};
    return semihost(SYS_CLOSE, address_of(arguments)) == 0;
}

bool semihost_command_line(char *text, uint32_t size) {
    const uint32_t arguments[2] = {address_of(text), size};
    return semihost(SYS_GET_CMDLINE, address_of(arguments)) == 0;
}

_Noreturn void semihost_exit(uint32_t status) {
    const uint32_t arguments[2] = {ADP_STOPPED_APPLICATION_EXIT, status};
    (void)semihost(SYS_EXIT_EXTENDED, address_of(arguments));
    /*
     * A host without the extended call can only report success (this reason) or failure (another).
     */
    (void)semihost(SYS_EXIT, status == 0 ? ADP_STOPPED_APPLICATION_EXIT : 0);
    for (;;) {
    }
}
