/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes a file into a target's memory through a GDB server and reads it back. usage: transfer
 * WHERE ADDRESS FILE. Prints the seconds for connecting, writing and reading.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "toolchain/compile/process.h"
#include "toolchain/probe/memory.h"

enum { FILE_MAX = 1 << 28 };

int main(int argc, char **argv) {
    struct rp_arena arena = {0};
    struct rp_error err = {0};
    struct rp_bytes data = {0};
    if (argc != 4) {
        (void)fputs("usage: transfer WHERE ADDRESS FILE\n", stderr);
        return 2;
    }
    uint32_t address = (uint32_t)strtoul(argv[2], NULL, 0);
    double start = rp_process_now();
    struct rp_gdb *gdb = rp_file_read(&arena, argv[3], FILE_MAX, &data, &err)
                             ? rp_gdb_connect(&arena, argv[1], NULL, &err)
                             : NULL;
    double connected = rp_process_now();
    uint8_t *there = rp_alloc(&arena, data.size + 1, 1);
    bool ok = gdb != NULL && rp_gdb_write(gdb, address, data.data, data.size, &err);
    double written = rp_process_now();
    ok = ok && rp_gdb_read(gdb, address, there, data.size, &err);
    double end = rp_process_now();
    ok = ok && (memcmp(there, data.data, data.size) == 0 ||
                rp_fail(&err, RP_E_GDB, "what was read is not what was written"));
    if (ok)
        (void)printf("%.4f %.4f %.4f\n", connected - start, written - connected, end - written);
    else
        (void)fprintf(stderr, "transfer: %s\n", err.message);
    rp_gdb_close(gdb);
    rp_arena_release(&arena);
    return ok ? 0 : 1;
}
