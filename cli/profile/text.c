/* SPDX-License-Identifier: Apache-2.0 */
/* A profile for people: see text.h. */
#include "cli/profile/text.h"

#include <string.h>

#include "base/grid.h"

/* What is below these shares of the run is not shown line by line, but summed up. */
#define LEAST_FUNCTION 0.0005
#define LEAST_FRAME    0.005

struct printing {
    const struct rp_profile *profile;
    bool markdown;
    struct rp_buf *out;
};

static double share(const struct rp_profile *profile, uint64_t time) {
    return profile->run != 0 ? (double)time / (double)profile->run : 0.0;
}

static void put_share(const struct printing *to, struct rp_grid *grid, uint64_t time) {
    rp_grid_cell(grid, "%.1f%%", 100.0 * share(to->profile, time));
}

static void put_head(const struct printing *to, const char *text) {
    rp_buf_printf(to->out, to->markdown ? "\n## %s\n\n" : "\n%s\n\n", text);
}

static void put_grid(const struct printing *to, const struct rp_grid *grid) {
    rp_grid_print(grid, to->markdown, to->out);
}

static const char *number(const struct rp_profile *profile, uint64_t value) {
    struct rp_grid grid = {.arena = profile->arena};
    rp_grid_number(&grid, value);
    return grid.cells.items[0];
}

/* ---- parts ---- */

/* Which columns there is something for. */
struct columns {
    bool duration, runs, phases, tensors;
};

static struct columns columns_of(const struct rp_profile *profile) {
    struct columns columns = {.duration = profile->clock_hz != 0, .phases = profile->has_phases};
    for (size_t i = 0; i < profile->parts.count; i++) {
        const struct rp_part *part = &profile->parts.items[i];
        columns.runs = columns.runs || part->runs != 1;
        columns.tensors =
            columns.tensors || (part->node != NULL && part->node->weights != HARNESS_ANY);
    }
    return columns;
}

static void add_columns(struct rp_grid *grid, const struct rp_profile *profile,
                        const struct columns *columns) {
    static const char *const phases[] = {"start", "run", "end"};
    rp_grid_column(grid, "c_id", true);
    rp_grid_column(grid, "m_id", true);
    rp_grid_column(grid, "type", true);
    if (columns->runs)
        rp_grid_column(grid, "runs", false);
    if (columns->duration)
        rp_grid_column(grid, "dur (ms)", false);
    rp_grid_column(grid, profile->unit, false);
    rp_grid_column(grid, "%", false);
    rp_grid_column(grid, "cumul", false);
    for (size_t i = 0; columns->phases && i < HARNESS_NODE_TIMES; i++)
        rp_grid_column(grid, phases[i], false);
    if (columns->tensors) {
        rp_grid_column(grid, "activations", false);
        rp_grid_column(grid, "weights", false);
    }
    rp_grid_column(grid, "name", true);
}

/* A tensor's bytes, or what several of them have together. */
static void put_bytes(struct rp_grid *grid, const struct rp_node_result *node, bool weights) {
    if (node == NULL || node->weights == HARNESS_ANY)
        rp_grid_cell(grid, "-");
    else
        rp_grid_number(grid,
                       weights ? node->weights : (uint64_t)node->in + node->out + node->scratch);
}

static void put_part(const struct printing *to, struct rp_grid *grid, const struct columns *columns,
                     const struct rp_part *part, uint64_t until) {
    if (columns->runs)
        rp_grid_number(grid, part->runs);
    if (columns->duration)
        rp_grid_cell(grid, "%.3f", 1e3 * (double)part->time / to->profile->clock_hz);
    rp_grid_number(grid, part->time);
    put_share(to, grid, part->time);
    put_share(to, grid, until);
    for (size_t i = 0; columns->phases && i < HARNESS_NODE_TIMES; i++)
        rp_grid_number(grid, part->times[i]);
    if (columns->tensors) {
        put_bytes(grid, part->node, false);
        put_bytes(grid, part->node, true);
    }
    rp_grid_cell(grid, "%s", part->name);
}

static struct rp_part sum_of(const struct rp_profile *profile) {
    struct rp_part all = {.name = "all of these", .runs = 1};
    for (size_t i = 0; i < profile->parts.count; i++) {
        all.time += profile->parts.items[i].time;
        for (size_t k = 0; k < HARNESS_NODE_TIMES; k++)
            all.times[k] += profile->parts.items[i].times[k];
    }
    return all;
}

static void print_parts(const struct printing *to) {
    const struct rp_profile *profile = to->profile;
    const struct columns columns = columns_of(profile);
    const struct rp_part all = sum_of(profile);
    struct rp_grid grid = {.arena = profile->arena};
    uint64_t until = 0;
    put_head(to, profile->is_by_nodes ? "Nodes, in the order of execution"
                                      : "Functions that the model's entry calls, in this order");
    add_columns(&grid, profile, &columns);
    for (size_t i = 0; i < profile->parts.count; i++) {
        const struct rp_part *part = &profile->parts.items[i];
        until += part->time;
        rp_grid_cell(&grid, "%zu", i);
        rp_grid_cell(&grid, "%s", part->id);
        rp_grid_cell(&grid, "%s", part->type);
        put_part(to, &grid, &columns, part, until);
    }
    rp_grid_cell(&grid, "-");
    rp_grid_cell(&grid, "-");
    rp_grid_cell(&grid, "-");
    put_part(to, &grid, &columns, &all, until);
    put_grid(to, &grid);
}

/* ---- functions ---- */

static const char *kind_of(bool inlined, bool in_image) {
    return inlined ? " (inlined)" : !in_image ? " (firmware)" : "";
}

static void print_functions(const struct printing *to) {
    const struct rp_profile *profile = to->profile;
    struct rp_grid grid = {.arena = profile->arena};
    uint64_t small = 0, few = 0;
    put_head(to, rp_format(profile->arena, "Functions, by their own %s", profile->unit));
    rp_grid_column(&grid, "own", false);
    rp_grid_column(&grid, "%", false);
    rp_grid_column(&grid, "with callees", false);
    rp_grid_column(&grid, "%", false);
    rp_grid_column(&grid, "calls", false);
    rp_grid_column(&grid, "function", true);
    for (size_t i = 0; i < profile->functions.count; i++) {
        const struct rp_function *function = &profile->functions.items[i];
        if (share(profile, function->own) < LEAST_FUNCTION) {
            small += function->own;
            few++;
            continue;
        }
        rp_grid_number(&grid, function->own);
        put_share(to, &grid, function->own);
        rp_grid_number(&grid, function->total);
        put_share(to, &grid, function->total);
        if (function->inlined)
            rp_grid_cell(&grid, "-");
        else
            rp_grid_number(&grid, function->calls);
        rp_grid_cell(&grid, "%s%s", function->name, kind_of(function->inlined, function->in_image));
    }
    put_grid(to, &grid);
    if (few != 0)
        rp_buf_printf(to->out, "%s%s %s less than %.2f%% each, together %s %s\n",
                      to->markdown ? "\n" : "  ", number(profile, few),
                      few == 1 ? "function has" : "functions have", 100.0 * LEAST_FUNCTION,
                      number(profile, small), profile->unit);
}

/* ---- the tree ---- */

enum { INDENT_MAX = 40 };

static void add_frame(const struct printing *to, struct rp_grid *grid, uint32_t index,
                      unsigned depth) {
    const struct rp_call_tree *calls = to->profile->calls;
    const struct rp_frame *frame = &calls->frames.items[index];
    const struct rp_scope *scope = &calls->scopes->list.items[frame->scope];
    bool inlined = scope->parent != RP_NO_SCOPE;
    unsigned indent = depth < INDENT_MAX ? depth : INDENT_MAX;
    rp_grid_number(grid, frame->total);
    put_share(to, grid, frame->total);
    rp_grid_number(grid, frame->own);
    if (inlined)
        rp_grid_cell(grid, "-");
    else
        rp_grid_number(grid, frame->calls);
    struct rp_buf name = {.arena = to->profile->arena};
    for (unsigned i = 0; i < indent; i++)
        rp_buf_puts(&name, to->markdown ? "&nbsp; " : "  "); /* cells of Markdown lose blanks */
    rp_buf_puts(&name, scope->name);
    rp_grid_cell(grid, "%s%s", rp_buf_text(&name), kind_of(inlined, scope->in_image));
}

/* The loader's functions around the model are left out. */
static void add_frames(const struct printing *to, struct rp_grid *grid, uint32_t index,
                       unsigned depth) {
    const struct rp_call_tree *calls = to->profile->calls;
    const struct rp_frame *frame = &calls->frames.items[index];
    bool shown = frame->scope != RP_NO_SCOPE &&
                 (depth != 0 || calls->scopes->list.items[frame->scope].in_image);
    if (shown && share(to->profile, frame->total) < LEAST_FRAME)
        return;
    if (shown)
        add_frame(to, grid, index, depth);
    for (uint32_t child = frame->first; child != RP_NO_FRAME;
         child = calls->frames.items[child].next)
        add_frames(to, grid, child, depth + shown);
}

static void print_tree(const struct printing *to) {
    struct rp_grid grid = {.arena = to->profile->arena};
    put_head(to, "Calls");
    rp_grid_column(&grid, "with callees", false);
    rp_grid_column(&grid, "%", false);
    rp_grid_column(&grid, "own", false);
    rp_grid_column(&grid, "calls", false);
    rp_grid_column(&grid, "function", true);
    add_frames(to, &grid, to->profile->root, 0);
    put_grid(to, &grid);
}

/* ---- all of it ---- */

/* What measuring the parts did to the run. */
static void print_means(const struct printing *to) {
    const struct rp_profile *profile = to->profile;
    const struct rp_profile_means *means = &profile->means;
    const uint64_t more = means->observed > profile->run ? means->observed - profile->run : 0;
    if (means->by == RP_BY_CALL_BACKS && more != 0)
        rp_buf_printf(to->out, "; with call-backs the run took %s more, which are in no node",
                      number(profile, more));
    if (means->by == RP_BY_HOOKS)
        rp_buf_printf(to->out, "; with hooks it took %s more, and %s are taken off",
                      number(profile, more), number(profile, means->taken_off));
    if (means->by == RP_BY_BREAKPOINTS)
        rp_buf_printf(
            to->out,
            "; with %s stops at breakpoints, in %s run%s, it took %s more, which are taken off",
            number(profile, means->stops), number(profile, means->runs),
            means->runs == 1 ? "" : "s", number(profile, more));
    rp_buf_puts(to->out, "\n");
    if (means->is_rough)
        rp_buf_printf(to->out, "%sthese times are rough: %s\n", to->markdown ? "\n" : "",
                      means->by == RP_BY_HOOKS
                          ? "with hooks in it, the compiler makes other code of this model"
                          : "the clock goes on while the core stops");
}

static void print_summary(const struct printing *to) {
    const struct rp_profile *profile = to->profile;
    const struct rp_part parts = sum_of(profile);
    rp_buf_puts(to->out, to->markdown ? "# Profile\n\n" : "profile: ");
    rp_buf_printf(to->out, "%s mode, one run: %s %s, %s bytes of stack", profile->mode,
                  number(profile, profile->run), profile->unit, number(profile, profile->stack));
    if (profile->acts != 0)
        rp_buf_printf(to->out, ", %s of activations", number(profile, profile->acts));
    rp_buf_puts(to->out, "\n");
    if (profile->parts.count == 0)
        return;
    rp_buf_printf(to->out, "%s%s %s are in the %s below, %s outside of them",
                  to->markdown ? "\n" : "", number(profile, parts.time), profile->unit,
                  profile->is_by_nodes ? "nodes" : "functions",
                  number(profile, profile->run > parts.time ? profile->run - parts.time : 0));
    if (profile->outside != 0)
        rp_buf_printf(to->out, "; %s in the firmware", number(profile, profile->outside));
    print_means(to);
}

void rp_profile_print(const struct rp_profile *profile, bool markdown, struct rp_buf *out) {
    const struct printing to = {profile, markdown, out};
    print_summary(&to);
    if (profile->parts.count != 0)
        print_parts(&to);
    if (profile->calls == NULL)
        return;
    print_functions(&to);
    print_tree(&to);
}
