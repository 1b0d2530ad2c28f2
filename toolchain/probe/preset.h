/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The GDB servers that --server knows by name: a row each, with its command line and peculiarities.
 * What a server supports (breakpoints, flash, binary packets) is not here, because it tells when
 * asked.
 */
#ifndef RP_TOOLCHAIN_PROBE_PRESET_H
#define RP_TOOLCHAIN_PROBE_PRESET_H

#include <stddef.h>

struct rp_preset {
    const char *name;
    const char *title;
    const char *program; /* NULL: the server runs in the probe, and --gdb names its serial device */
    /* Where it may be if it is not on PATH: patterns of paths, separated by blanks. The match
       with the highest version counts. NULL: nowhere else. */
    const char *places;
    /* The rest of its command line, ended by NULL, with placeholders as in rp_command_fill. */
    const char *const *words;
    const char *needs; /* the value without which the server cannot work; or NULL */
    const char *ready; /* in its output, once a client may connect; NULL: nothing reliable */
    const char
        *hopeless;   /* is in its output when it waits for something that does not come; or NULL */
    double settle_s; /* seconds that it needs after this */
    /* Monitor commands, separated by ";"; NULL: it has none. */
    const char *reset_halt;
    const char *reset_run;
    const char *scan; /* that finds the target before rp_gdb_attach(gdb, 1) */
    const char *hint; /* how to get it */
};

/* Row by position; NULL past the end. Rows with one name are alternative programs of a server. */
const struct rp_preset *rp_preset_at(size_t index);
/* The first row with this name, or NULL. */
const struct rp_preset *rp_preset_find(const char *name);

#endif
