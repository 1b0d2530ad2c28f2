/* SPDX-License-Identifier: Apache-2.0 */
/* Calls by breakpoints: see breaks.h. */
#include "cli/run/breaks.h"

#include <stdlib.h>

#include "cli/harness/plan.h"
#include "cli/profile/again.h"
#include "cli/run/session.h"
#include "elfpack/insn/code.h"
#include "toolchain/probe/memory.h"
#include "toolchain/probe/registers.h"

#define SYSTICK_VALUE UINT32_C(0xE000E018)
#define ICSR          UINT32_C(0xE000ED04)
#define ICSR_PENDING  (UINT32_C(1) << 26)
/* Of the counter in templates/harness/counter.c. */
enum { PERIOD_BITS = 24, OVERFLOW_INSTRUCTIONS = 5 };
enum {
    HITS_MAX = 256 /* of one call: one that is made more often belongs to the entry itself */
};

/* Where a call is made. The first site is the entry: its first instruction. */
struct site {
    uint32_t address, behind; /* behind: where it returns to; of the entry not known */
    uint32_t target;          /* 0: in register m */
    uint8_t m;
    uint32_t hits;
    bool is_armed, is_done, is_dropped;
};

struct call {
    uint32_t site, function;
    size_t run;
    uint64_t start, end;
};

struct breaks {
    struct rp_run *run;
    struct rp_run_image image; /* runs once more */
    const struct rp_package *package;
    struct rp_scopes scopes;
    struct rp_area code;   /* as it is executed */
    uint32_t linked;       /* the address that the linked file has for it */
    uint32_t overflows_at; /* the counter's periods in the firmware's memory */
    bool is_hardware;      /* breakpoints in memory that cannot be written */
    struct {
        struct site *items;
        size_t count;
        size_t capacity;
    } sites;
    struct {
        struct call *items;
        size_t count;
        size_t capacity;
    } calls; /* by the entry, and of it */
    struct {
        struct open_call {
            uint32_t site, behind;
            size_t call; /* SIZE_MAX: of no interest */
        } * items;
        size_t count;
        size_t capacity;
    } open;
    struct {
        struct set {
            uint32_t address, uses;
        } * items;
        size_t count;
        size_t capacity;
    } set; /* breakpoints; uses 0: removed */
    struct {
        struct looked_at {
            uint64_t count;
            uint32_t stops;
        } * items;
        size_t count;
        size_t capacity;
    } runs;
    uint32_t stops; /* of the run under way */
};

/* ---- breakpoints ---- */

static struct set *set_at(struct breaks *of, uint32_t address) {
    for (size_t i = 0; i < of->set.count; i++)
        if (of->set.items[i].address == address)
            return &of->set.items[i];
    struct set *made = RP_PUSH(of->run->arena, &of->set);
    *made = (struct set){address, 0};
    return made;
}

static bool change(const struct breaks *of, uint32_t address, bool on) {
    const struct rp_gdb_breakpoint at = {address, of->is_hardware};
    bool supported = false;
    /* a refusal means that there is none left; a lost connection shows at the next request */
    return rp_gdb_break(of->run->gdb, &at, on, &supported, NULL) && supported;
}

/* False: the server takes no further one. */
static bool use(struct breaks *of, uint32_t address) {
    struct set *set = set_at(of, address);
    if (set->uses == 0 && !change(of, address, true))
        return false;
    set->uses++;
    return true;
}

static void release(struct breaks *of, uint32_t address) {
    struct set *set = set_at(of, address);
    if (set->uses != 0 && --set->uses == 0)
        (void)change(of, address, false);
}

static void arm(struct breaks *of, struct site *site) {
    site->is_armed = !site->is_dropped && use(of, site->address);
}

/* ---- at a stop ---- */

/* As counter_now in the firmware; the counter stands. */
static bool read_time(const struct breaks *of, uint64_t *time, struct rp_error *err) {
    uint8_t value[4], icsr[4], overflows[4];
    struct rp_gdb *gdb = of->run->gdb;
    if (!rp_gdb_read(gdb, SYSTICK_VALUE, value, 4, err) || !rp_gdb_read(gdb, ICSR, icsr, 4, err) ||
        !rp_gdb_read(gdb, of->overflows_at, overflows, 4, err))
        return false;
    const uint64_t wraps =
        (uint64_t)rp_get_le32(overflows) + ((rp_get_le32(icsr) & ICSR_PENDING) != 0);
    const uint32_t down = (0u - rp_get_le32(value)) & ((UINT32_C(1) << PERIOD_BITS) - 1);
    const uint64_t ticks = (wraps << PERIOD_BITS) + down;
    const uint64_t tick_32nds = UINT64_C(32000000000) / of->run->board.clock_hz;
    *time = !of->run->board.counts_instructions
                ? ticks
                : (((ticks + 1) * tick_32nds) >> (RP_ICOUNT_SHIFT + 5)) -
                      (uint64_t)rp_get_le32(overflows) * OVERFLOW_INSTRUCTIONS;
    return true;
}

static void end_call(struct breaks *of, uint32_t pc, uint64_t time) {
    const struct open_call call = of->open.items[--of->open.count];
    release(of, pc);
    if (call.call != SIZE_MAX)
        of->calls.items[call.call].end = time;
    if (call.site != 0)
        arm(of, &of->sites.items[call.site]);
}

static bool begin_call(struct breaks *of, uint32_t which, uint64_t time, struct rp_error *err) {
    struct site *site = &of->sites.items[which];
    struct open_call call = {which, site->behind, SIZE_MAX};
    uint32_t function = site->target;
    const char *name = site->m == 14 ? "lr" : rp_format(of->run->arena, "r%u", site->m);
    site->is_armed = false;
    release(of, site->address);
    if ((which == 0 && !rp_gdb_get_register(of->run->gdb, "lr", &call.behind, err)) ||
        (function == 0 && !rp_gdb_get_register(of->run->gdb, name, &function, err)))
        return false;
    call.behind &= ~UINT32_C(1);
    site->hits++;
    site->is_dropped = site->is_dropped || site->hits > HITS_MAX || !use(of, call.behind);
    if (site->is_dropped)
        return true;
    if (of->open.count == (which != 0)) { /* by the entry, not by what it calls */
        call.call = of->calls.count;
        *RP_PUSH(of->run->arena, &of->calls) = (struct call){.site = which,
                                                             .function = function & ~UINT32_C(1),
                                                             .run = of->runs.count,
                                                             .start = time};
    }
    *RP_PUSH(of->run->arena, &of->open) = call;
    return true;
}

/*
 * Behind a call there may be the next one, so a stop may be both. Or neither: a request that the
 * wire repeated has set a breakpoint twice, or has stopped the core.
 */
static bool stop(void *context, uint32_t pc, struct rp_error *err) {
    struct breaks *of = context;
    const bool returns = of->open.count != 0 && of->open.items[of->open.count - 1].behind == pc;
    uint32_t site = 0;
    uint64_t time = 0;
    while (site < of->sites.count &&
           !(of->sites.items[site].is_armed && of->sites.items[site].address == pc))
        site++;
    if (!returns && site == of->sites.count) {
        (void)change(of, pc, false);
        return true;
    }
    if (!read_time(of, &time, err))
        return false;
    of->stops++;
    if (returns)
        end_call(of, pc, time);
    return site == of->sites.count || begin_call(of, site, time, err);
}

/* ---- where calls are ---- */

static void add_site(struct breaks *of, uint32_t address, const struct rp_insn *insn) {
    *RP_PUSH(of->run->arena, &of->sites) = (struct site){
        .address = address,
        .behind = address + insn->size,
        .target = insn->flow == RP_FLOW_CALL ? insn->target - of->linked + of->code.address : 0,
        .m = insn->m};
}

/* The calls in the function that runs the model. Conditional ones cannot be told from others. */
static bool find_sites(struct breaks *of, struct rp_error *err) {
    const struct rp_elf *elf = &of->package->linked.elf;
    struct rp_code code = {
        .elf = elf, .flash = rp_elf_section(elf, ".flash"), .map = &of->package->linked.map};
    const uint32_t entry = rp_again_entry(of->package, &of->scopes);
    if (entry == RP_NO_SCOPE || code.flash == NULL)
        return rp_fail(err, RP_E_BOARD,
                       "--profile: '%s' does not show which of its functions runs the model",
                       of->image.subject.path);
    const uint32_t start = of->scopes.list.items[entry].start;
    rp_code_read(&code, of->run->arena, UINT32_MAX);
    *RP_PUSH(of->run->arena, &of->sites) = (struct site){.address = start, .target = start};
    for (uint32_t at = start; rp_scope_at(&of->scopes, at) == entry; at += 2) {
        const uint32_t linked = at - of->code.address + of->linked;
        const uint8_t mark = rp_code_mark(&code, linked);
        const struct rp_insn insn = rp_code_insn(&code, linked);
        if ((mark & (RP_CODE_START | RP_CODE_MAYBE)) == RP_CODE_START &&
            (insn.flow == RP_FLOW_CALL || insn.flow == RP_FLOW_CALL_REG))
            add_site(of, at, &insn);
    }
    return true;
}

static bool look_at_code(struct breaks *of, struct rp_error *err) {
    const struct rp_image_view *view = &of->image.subject.view;
    const struct rp_elf *elf = &of->package->linked.elf;
    struct rp_elf firmware;
    of->linked = RELOC_SEG_FLASH;
    of->code = (struct rp_area){of->image.is_copied ? of->image.at.ram.address
                                                    : of->image.at.image.address,
                                view->view.ro_bytes};
    of->is_hardware = of->image.is_in_flash && !of->image.is_copied;
    of->scopes.arena = of->run->arena;
    const struct rp_code_part part = {.address = of->code.address,
                                      .size = of->code.size,
                                      .linked = of->linked,
                                      .bytes = of->image.subject.file.data,
                                      .in_image = true};
    rp_scopes_add(&of->scopes, elf, &part);
    if (!rp_elf_open(&firmware, of->run->arena, of->run->firmware.path, err))
        return false;
    const struct rp_symbol *overflows = rp_elf_symbol(&firmware, "counter_overflows");
    of->overflows_at = overflows != NULL ? overflows->value : 0;
    rp_elf_close(&firmware);
    return (overflows != NULL || rp_fail(err, RP_E_INTERNAL, "the firmware has no counter")) &&
           find_sites(of, err);
}

/* ---- running ---- */

/* At as many sites that were in no run yet as the server takes. */
static bool arm_all(struct breaks *of, struct rp_error *err) {
    size_t armed = 0;
    for (size_t i = 0; i < of->sites.count; i++) {
        struct site *site = &of->sites.items[i];
        if (!site->is_done)
            arm(of, site);
        site->is_done = i != 0 && (site->is_done || site->is_armed);
        armed += site->is_armed;
    }
    if (of->sites.items[0].is_armed && (armed > 1 || of->sites.count == 1))
        return true;
    uint64_t time; /* a lost connection is another error */
    return read_time(of, &time, err) &&
           rp_fail(err, RP_E_BOARD,
                   "--profile: the code of '%s' comes compiled, and the GDB server sets no "
                   "breakpoints in it",
                   of->image.subject.path);
}

static bool run_once(struct breaks *of, struct rp_error *err) {
    const struct rp_mailbox_stops stops = {stop, of};
    struct rp_session_look *look = rp_alloc(of->run->arena, 1, sizeof *look);
    of->stops = 0;
    of->run->mailbox.stops = &stops;
    bool ok = arm_all(of, err) && rp_session_look(of->run, &of->image, look, err);
    of->run->mailbox.stops = NULL;
    of->open.count = 0;
    for (size_t i = 0; i < of->set.count; i++)
        if (of->set.items[i].uses != 0)
            (void)change(of, of->set.items[i].address, false);
    of->set.count = 0;
    if (ok)
        *RP_PUSH(of->run->arena, &of->runs) = (struct looked_at){look->inference->count, of->stops};
    return ok;
}

static bool is_pending(const struct breaks *of) {
    for (size_t i = 1; i < of->sites.count; i++)
        if (!of->sites.items[i].is_done)
            return true;
    return false;
}

static int by_start(const void *a, const void *b) {
    const struct call *x = a, *y = b;
    return x->start < y->start ? -1 : x->start > y->start;
}

/* Times of two runs cannot tell which of two calls comes first. */
static int by_site(const void *a, const void *b) {
    const struct call *x = a, *y = b;
    return x->site != y->site ? (x->site < y->site ? -1 : 1) : by_start(a, b);
}

static void add_part(const struct breaks *of, struct rp_profile *profile, const struct call *call,
                     uint64_t time) {
    const uint32_t linked = call->function - of->code.address + of->linked;
    const struct rp_symbol *symbol = call->function - of->code.address < of->code.size
                                         ? rp_elf_symbol_at(&of->package->linked.elf, linked)
                                         : NULL;
    *RP_PUSH(profile->arena, &profile->parts) = (struct rp_part){
        .id = "-",
        .type = "function",
        .name = symbol != NULL ? symbol->name : rp_format(profile->arena, "0x%08x", call->function),
        .runs = 1,
        .time = time};
}

static uint64_t less(uint64_t from, uint64_t what) {
    return from > what ? from - what : 0;
}

/* What one stop of a run takes. Each call has one of them in its time: half of two. */
static uint64_t stop_of(const struct breaks *of, const struct rp_profile *profile, size_t run) {
    const struct looked_at *one = &of->runs.items[run];
    return one->stops != 0 ? less(one->count, profile->run) / one->stops : 0;
}

static uint64_t time_of(const struct breaks *of, const struct rp_profile *profile,
                        const struct call *call) {
    return less(less(call->end, call->start), stop_of(of, profile, call->run));
}

/* The calls in their order, or of several runs in that of the code; then what is left for the entry
 * itself. */
static void fill(struct breaks *of, struct rp_profile *profile) {
    struct rp_profile_means *means = &profile->means;
    const struct call *entry = NULL;
    uint64_t inside = 0;
    *means = (struct rp_profile_means){.by = RP_BY_BREAKPOINTS, .runs = (uint32_t)of->runs.count};
    for (size_t i = 0; i < of->runs.count; i++) {
        const uint64_t more = less(of->runs.items[i].count, profile->run);
        means->stops += of->runs.items[i].stops;
        means->taken_off = more > means->taken_off ? more : means->taken_off;
    }
    means->observed = profile->run + means->taken_off;
    means->is_rough = means->taken_off > profile->run / 20;
    if (of->calls.count != 0)
        qsort(of->calls.items, of->calls.count, sizeof *of->calls.items,
              of->runs.count == 1 ? by_start : by_site);
    for (size_t i = 0; i < of->calls.count; i++) {
        const struct call *call = &of->calls.items[i];
        if (call->site == 0 && entry == NULL)
            entry = call;
        if (call->site == 0 || of->sites.items[call->site].is_dropped)
            continue;
        const uint64_t time = time_of(of, profile, call);
        add_part(of, profile, call, time);
        inside += time;
    }
    if (entry == NULL)
        return;
    const uint32_t stops = of->runs.items[entry->run].stops;
    const uint64_t all = less(less(entry->end, entry->start),
                              stop_of(of, profile, entry->run) * (stops != 0 ? stops - 1 : 0));
    add_part(of, profile, entry, less(all, inside));
}

bool rp_breaks_run(struct rp_run *run, struct rp_run_image *image, struct rp_error *err) {
    struct breaks *of = rp_alloc(run->arena, 1, sizeof *of);
    of->run = run;
    of->image = *image;
    of->package = &image->layers->package;
    if (!look_at_code(of, err))
        return false;
    do {
        if (!run_once(of, err))
            return false;
    } while (is_pending(of));
    fill(of, image->layers->profile);
    return true;
}
