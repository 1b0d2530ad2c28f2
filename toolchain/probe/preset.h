/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The GDB servers that --server knows by name: a row each, with the command line and what is
 * peculiar to the server. What a server supports (breakpoints, flash, binary packets) is not here:
 * it says so itself when it is asked.
 */
#ifndef RP_TOOLCHAIN_PROBE_PRESET_H
#define RP_TOOLCHAIN_PROBE_PRESET_H

#include <stddef.h>

struct rp_preset {
    const char *name;
    const char *title;
    const char *program; /* NULL: the server runs in the probe, and --gdb names its serial device */
    /*
     * Where it is when it is not on PATH: patterns of paths, separated by blanks, of which the last
     * match in the order of versions is taken; or NULL.
     */
    const char *places;
    /*
     * The rest of its command line, ended by NULL: {NAME} is replaced by a value. A word whose
     * value is missing is left out, with the word before it if that begins with "-"; a value that
     * is a list repeats both.
     */
    const char *const *words;
    const char *needs; /* the value without which the server cannot work; or NULL */
    const char *ready; /* is in its output when a client may connect; NULL: nothing reliable */
    const char
        *hopeless;   /* is in its output when it waits for something that does not come; or NULL */
    double settle_s; /* that it needs after this */
    /* Monitor commands, separated by ";"; NULL: it has none. */
    const char *reset_halt;
    const char *reset_run;
    const char *scan; /* that finds the target before rp_gdb_attach(gdb, 1) */
    const char *hint; /* how to get it */
};

/* Row by position, NULL past the end. Rows of one name are alternatives: programs of the same
 * server. */
const struct rp_preset *rp_preset_at(size_t index);
/* The first row of that name, or NULL. */
const struct rp_preset *rp_preset_find(const char *name);

#endif
