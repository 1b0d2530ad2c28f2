/* SPDX-License-Identifier: Apache-2.0 */
/* GDB server and connection: see way.h. */
#include "cli/run/way.h"

#include <string.h>

#include "base/path.h"
#include "toolchain/probe/memory.h"
#include "toolchain/probe/server.h"

#define CPUID UINT32_C(0xE000ED00)
#define END_S 5.0 /* for leaving the board, also after a signal */

void rp_way_choose(struct rp_run *run) {
    struct rp_run_options *options = run->options;
    if (options->way.gdb == NULL && options->way.server == NULL)
        options->way.server = run->board.machine != NULL ? "qemu" : "stlink";
}

/* ---- begin ---- */

/* With --gdb, a server is one that runs already, unless its command line is given. */
static bool is_started_here(const struct rp_run_options *options) {
    return options->way.server != NULL &&
           (options->way.gdb == NULL || rp_preset_find(options->way.server) == NULL);
}

static bool start_server(struct rp_run *run, struct rp_error *err) {
    const struct rp_run_options *options = run->options;
    struct rp_strings values = run->board.servers;
    if (options->way.probe != NULL)
        rp_strings_push(run->arena, &values, rp_format(run->arena, "probe=%s", options->way.probe));
    if (run->is_beside && run->firmware.path != NULL)
        rp_strings_push(run->arena, &values,
                        rp_format(run->arena, "firmware=%s", run->firmware.path));
    const struct rp_server_request request = {
        .server = options->way.server,
        .gdb = options->way.gdb,
        .values = &values,
        .passed = &options->source.pass_env,
        .folder = run->build.dir,
    };
    run->server = rp_server_start(run->arena, &request, err);
    return run->server != NULL;
}

/* Monitor commands, separated by ";". */
static bool monitor(struct rp_run *run, const char *commands, struct rp_error *err) {
    for (const char *at = commands; *at != '\0';) {
        size_t len = strcspn(at, ";");
        if (!rp_gdb_monitor(run->gdb, rp_strndup(run->arena, at, len), NULL, err))
            return false;
        at += len + (at[len] == ';');
    }
    return true;
}

static const struct rp_preset *preset_of(const struct rp_run *run) {
    if (run->server != NULL)
        return run->server->preset;
    return run->options->way.server != NULL ? rp_preset_find(run->options->way.server) : NULL;
}

static bool attach(struct rp_run *run, const struct rp_preset *preset, struct rp_error *err) {
    return preset == NULL || preset->scan == NULL ||
           (monitor(run, preset->scan, err) && rp_gdb_attach(run->gdb, 1, err));
}

/* Part numbers differ between cores (bits 15 to 4). */
static bool check_core(const struct rp_run *run, struct rp_error *err) {
    uint8_t bytes[4];
    if (run->target->core->part == RELOC_CPUID_M0 && run->board.machine == NULL) {
        rp_fail(
            err, RP_E_BOARD,
            "the board %s has a Cortex-M0, whose vector table cannot be moved (no VTOR): faults "
            "and the counter's interrupt would not reach the firmware that runs images",
            run->board.name);
        return rp_hint(err, "--firmware ELF runs it in a firmware of yours with "
                            "relocpack_service.c in it; verify runs it on an emulated Cortex-M0");
    }
    if (!rp_gdb_read(run->gdb, CPUID, bytes, sizeof bytes, err))
        return false;
    uint32_t part = rp_get_le32(bytes) >> 4 & 0xFFF;
    return part == run->target->core->part ||
           rp_fail(err, RP_E_BOARD,
                   "the core that the GDB server shows has part number 0x%03x (CPUID 0x%08x), the "
                   "board %s has a Cortex-%s (0x%03x)",
                   part, rp_get_le32(bytes), run->board.name, run->target->core->label,
                   run->target->core->part);
}

bool rp_way_begin(struct rp_run *run, struct rp_error *err) {
    const struct rp_run_options *options = run->options;
    const struct rp_gdb_times times = {.silent_s = options->timeout_s};
    if (is_started_here(options) && !start_server(run, err))
        return false;
    const char *where = run->server != NULL ? run->server->where : options->way.gdb;
    run->gdb = rp_gdb_connect(run->arena, where, &times, err);
    if (run->gdb == NULL) {
        struct rp_error ended = {0};
        if (run->server != NULL && rp_server_has_ended(run->server, run->arena, &ended))
            *err = ended;
        return false;
    }
    const struct rp_preset *preset = preset_of(run);
    return attach(run, preset, err) &&
           (options->way.no_reset || preset == NULL || preset->reset_halt == NULL ||
            monitor(run, preset->reset_halt, err)) &&
           check_core(run, err);
}

/* ---- end ---- */

/* What fails here has no consequence for the result: the server is ended, or the user's. */
static void leave_board(struct rp_run *run) {
    const struct rp_preset *preset = preset_of(run);
    struct rp_gdb_stop stop;
    bool supported;
    rp_gdb_hurry(run->gdb, END_S);
    if (run->mailbox.is_running)
        (void)rp_gdb_interrupt(run->gdb, &stop, NULL);
    if (run->mailbox.has_breakpoint)
        (void)rp_gdb_break(
            run->gdb, &(struct rp_gdb_breakpoint){.address = rp_mailbox_wait_at(&run->mailbox)},
            false, &supported, NULL);
    const bool resets = preset != NULL && preset->reset_run != NULL && run->board.machine == NULL;
    if (!run->is_written || (resets && monitor(run, preset->reset_run, NULL)))
        (void)rp_gdb_detach(run->gdb, NULL);
}

void rp_way_end(struct rp_run *run) {
    if (run->gdb != NULL)
        leave_board(run);
    rp_gdb_close(run->gdb);
    rp_server_end(run->server);
    run->gdb = NULL;
    run->server = NULL;
}
