/* SPDX-License-Identifier: Apache-2.0 */
/* Memory and steps of an emulation: see plan.h. */
#include "cli/harness/plan.h"

#include <string.h>

/* Larger pieces are filled only at their ends, next to what is in use: a board has 2 GB. */
#define FILL_WHOLE UINT32_C(0x01000000)
#define FILL_EDGE  UINT32_C(0x00400000)

/*
 * As bytes, 16-bit and 32-bit words, signed and unsigned, and as floats, these are large, small,
 * negative and positive; the last one is not a number. No two have the same byte in the same place.
 */
uint32_t rp_verify_pattern(size_t number) {
    static const uint32_t patterns[RP_PATTERNS] = {0xA5C3E187, 0x7F7E7D7C, 0xFE7DFEFC,
                                                   0x80818283, 0x42C91705, 0xFFD1B36E};
    return patterns[number % RP_PATTERNS];
}

/* ---- places ---- */

/*
 * What is still free after placing is filled. So is the rest of the I/O area, which may be large.
 */
static void give_rest(struct rp_placement *placement, const struct rp_space *space,
                      const struct rp_sizes *sizes) {
    const struct rp_area all = {0, UINT32_MAX};
    placement->unused = *space;
    if (sizes->io == 0) {
        placement->io = rp_space_largest(space, all);
        placement->io.address =
            (placement->io.address + HARNESS_IO_ALIGN - 1) & ~(uint32_t)(HARNESS_IO_ALIGN - 1);
        placement->io.size -= placement->io.size != 0 ? HARNESS_IO_ALIGN : 0;
    }
}

static bool fits_plan(const struct rp_placement *placement, struct rp_error *err) {
    uint64_t steps = 1 + 2 * (2 * (uint64_t)placement->runs + 8) + 2 * placement->unused.count;
    return PLAN_STEPS + STEP_BYTES * steps <= HARNESS_PLAN_BYTES ||
           rp_fail(err, RP_E_VERIFY, "%u inputs are too many for one verification",
                   placement->runs);
}

/* Inputs and outputs of unknown size have 0 here and get the largest piece that is left. */
static uint32_t io_size(const struct rp_sizes *sizes) {
    return sizes->io < UINT32_MAX ? (uint32_t)sizes->io : UINT32_MAX;
}

bool rp_placement_choose(struct rp_placement *placement, const struct rp_space *space,
                         const struct rp_sizes *sizes, const struct rp_placement *other,
                         struct rp_error *err) {
    struct rp_space left = *space;
    bool second = other != NULL;
    const struct rp_placement none = {0};
    const uint32_t align = sizes->align;
    const uint32_t acts_align = align > 32 ? align : 32, weights_align = align > 16 ? align : 16;
    *placement = (struct rp_placement){.label = second ? "2" : "1",
                                       .runs = sizes->runs,
                                       .once = sizes->once,
                                       .ram_xip = sizes->ram_xip,
                                       .pattern = second ? 2 : 1,
                                       .guard_bytes = second ? 2048 : 1024};
    if (!second)
        other = &none;
    /* the two addresses of a kind differ in high and low bits, and A and B swap places */
    struct rp_placement *p = placement;
    const struct rp_want wants[] = {
        {"the image", sizes->image, second ? align : weights_align, second, other->image.address,
         &p->image, sizes->above},
        {"the weights file", sizes->weights, weights_align, second, other->weights.address,
         &p->weights, sizes->above},
        {"the input file", sizes->input, 32, false, 0, &p->input},
        {"the instance RAM", sizes->ram_copy, align, !second, other->ram[0].address, &p->ram[0]},
        {"the second instance's RAM", sizes->ram_copy, 2 * align, !second, other->ram[1].address,
         &p->ram[1]},
        {"the activations", sizes->acts, acts_align, true, other->acts[0].address, &p->acts[0],
         sizes->above},
        {"the second instance's activations", sizes->acts, acts_align, true, other->acts[1].address,
         &p->acts[1], sizes->above},
        {"the memory for inputs and outputs", io_size(sizes), HARNESS_IO_ALIGN, false, 0, &p->io},
    };
    if (!rp_space_place(&left, wants, sizeof wants / sizeof wants[0], second, err))
        return false;
    give_rest(placement, &left, sizes);
    return fits_plan(placement, err);
}

bool rp_placement_choose_static(struct rp_placement *placement, const struct rp_space *space,
                                const struct rp_sizes *sizes, struct rp_error *err) {
    struct rp_space left = *space;
    *placement = (struct rp_placement){
        .label = "static", .runs = sizes->runs, .once = sizes->once, .guard_bytes = 512};
    const struct rp_want wants[] = {
        {"the input file", sizes->input, 32, false, 0, &placement->input},
        {"the activations", sizes->acts, sizes->align > 32 ? sizes->align : 32, true, 0,
         &placement->acts[0]},
        {"the memory for inputs and outputs", io_size(sizes), HARNESS_IO_ALIGN, false, 0,
         &placement->io},
    };
    if (!rp_space_place(&left, wants, sizeof wants / sizeof wants[0], false, err))
        return false;
    give_rest(placement, &left, sizes);
    return fits_plan(placement, err);
}

/* ---- any plan ---- */

void rp_plan_begin(struct rp_buf *out, const struct rp_plan_head *head) {
    const uint32_t words[PLAN_STEPS / 4] = {
        [PLAN_MAGIC / 4] = HARNESS_PLAN_MAGIC,
        [PLAN_VERSION / 4] = HARNESS_PLAN_VERSION,
        [PLAN_BYTES / 4] = PLAN_STEPS,
        [PLAN_CLOCK_HZ / 4] = head->clock_hz,
        [PLAN_ICOUNT_SHIFT / 4] = RP_ICOUNT_SHIFT,
        [PLAN_PATTERN / 4] = head->pattern,
        [PLAN_GUARD_BYTES / 4] = head->guard_bytes,
        [PLAN_IO / 4] = head->io.address,
        [PLAN_IO_SIZE / 4] = head->io.size,
        [PLAN_VARY_INDEX / 4] = HARNESS_ANY,
        [PLAN_COUNTER / 4] = head->counter,
    };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        rp_buf_le32(out, words[i]);
}

char *rp_plan_step(struct rp_buf *out, uint32_t kind, uint32_t instance) {
    static const char empty[STEP_BYTES];
    rp_buf_append(out, empty, STEP_BYTES);
    char *step = out->data + out->len - STEP_BYTES;
    rp_put_le32(step + STEP_KIND, kind);
    rp_put_le32(step + STEP_INSTANCE, instance);
    rp_put_le32(out->data + PLAN_BYTES, (uint32_t)out->len);
    rp_put_le32(out->data + PLAN_STEP_COUNT, rp_get_le32(out->data + PLAN_STEP_COUNT) + 1);
    return step;
}

/* ---- steps ---- */

struct writer {
    struct rp_buf *out;
    const struct rp_placement *placement;
    uint32_t seed;
    uint32_t only; /* fill with this word only; 0: take the patterns in turn */
    size_t filled; /* patterns taken so far */
};

static void begin_plan(struct writer *writer, const struct rp_board *board) {
    const struct rp_placement *place = writer->placement;
    const struct rp_plan_head head = {
        .clock_hz = board->clock_hz,
        .pattern = writer->only != 0 ? writer->only : rp_verify_pattern(place->pattern),
        .guard_bytes = place->guard_bytes,
        .io = place->io,
    };
    rp_plan_begin(writer->out, &head);
}

static void add_fill(struct writer *writer, uint32_t address, uint32_t size) {
    char *step = rp_plan_step(writer->out, STEP_FILL, 0);
    rp_put_le32(step + STEP_RAM, address);
    rp_put_le32(step + STEP_RAM_SIZE, size);
}

static void add_fills(struct writer *writer) {
    const struct rp_space *unused = &writer->placement->unused;
    for (size_t i = 0; i < unused->count; i++) {
        struct rp_area area = unused->free[i];
        if (area.size <= FILL_WHOLE) {
            add_fill(writer, area.address, area.size);
            continue;
        }
        add_fill(writer, area.address, FILL_EDGE);
        add_fill(writer, area.address + (area.size - FILL_EDGE), FILL_EDGE);
    }
}

/* The static build has a pattern of its own; the steps of an image take the others in turn. */
static uint32_t next_pattern(struct writer *writer) {
    if (writer->only != 0)
        return writer->only;
    return writer->placement->pattern == 0
               ? rp_verify_pattern(0)
               : rp_verify_pattern(1 + (writer->placement->pattern + writer->filled++) %
                                           (RP_PATTERNS - 1));
}

static void add_step(struct writer *writer, uint32_t kind, uint32_t instance, uint32_t ram_size) {
    const struct rp_placement *place = writer->placement;
    char *step = rp_plan_step(writer->out, kind, instance);
    size_t i = instance;
    bool is_load = kind == STEP_LOAD_XIP || kind == STEP_LOAD_COPY;
    bool gets_memory = place->memory_at_load ? is_load : kind == STEP_INIT;
    rp_put_le32(step + STEP_IMAGE, place->image.address);
    rp_put_le32(step + STEP_IMAGE_SIZE, place->image.size);
    if (is_load) {
        rp_put_le32(step + STEP_RAM, place->ram[i].address);
        rp_put_le32(step + STEP_RAM_SIZE, ram_size);
    }
    if (place->weights.size != 0 && (kind == STEP_CHECK ? place->checks_weights : gets_memory)) {
        rp_put_le32(step + STEP_WEIGHTS, place->weights.address);
        rp_put_le32(step + STEP_WEIGHTS_SIZE, place->weights.size);
    }
    if (gets_memory && place->acts[i].size != 0) {
        rp_put_le32(step + STEP_ACTS, place->acts[i].address);
        rp_put_le32(step + STEP_ACTS_SIZE, place->acts[i].size);
    }
    rp_put_le32(step + STEP_PATTERN, next_pattern(writer));
}

/* One inference on input number index. Seeded inputs differ in their seed. */
static void add_run(struct writer *writer, uint32_t instance, uint32_t index) {
    const struct rp_placement *place = writer->placement;
    uint32_t size = place->input.size / place->runs;
    add_step(writer, STEP_RUN, instance, 0);
    char *step = writer->out->data + writer->out->len - STEP_BYTES;
    rp_put_le32(step + STEP_INPUT, size != 0 ? place->input.address + index * size : 0);
    rp_put_le32(step + STEP_INPUT_SIZE, size);
    rp_put_le32(step + STEP_SEED, writer->seed + index);
}

static void add_runs(struct writer *writer, uint32_t instance) {
    for (uint32_t i = 0; i < writer->placement->runs; i++)
        add_run(writer, instance, i);
}

static void add_load(struct writer *writer, uint32_t load, uint32_t instance) {
    const struct rp_placement *place = writer->placement;
    add_step(writer, load, instance,
             load == STEP_LOAD_XIP ? place->ram_xip : place->ram[instance].size);
}

static void add_mode(struct writer *writer, uint32_t load) {
    const bool once = writer->placement->once;
    const uint32_t instances = once ? 1 : 2;
    for (uint32_t instance = 0; instance < instances; instance++)
        add_load(writer, load, instance);
    for (uint32_t instance = 0; instance < instances; instance++)
        add_step(writer, STEP_INIT, instance, 0);
    add_step(writer, STEP_REPORT, 0, 0);
    for (uint32_t instance = 0; instance < instances; instance++)
        add_runs(writer, instance);
    if (!once)
        add_run(writer, 0, 0);
    for (uint32_t instance = 0; instance < instances; instance++)
        add_step(writer, STEP_DESTROY, instance, 0);
    writer->filled += once; /* otherwise the run in COPY mode would have the pattern of the first */
}

void rp_verify_plan(struct rp_buf *out, const struct rp_board *board,
                    const struct rp_placement *placement, uint32_t seed) {
    struct writer writer = {.out = out, .placement = placement, .seed = seed};
    begin_plan(&writer, board);
    add_fills(&writer);
    add_step(&writer, STEP_CHECK, 0, 0);
    if (placement->needs_copy) { /* the loader must refuse to execute the image in place */
        add_load(&writer, STEP_LOAD_XIP, 0);
        rp_put_le32(out->data + out->len - STEP_BYTES + STEP_FLAGS, STEP_FLAG_MUST_FAIL);
    } else {
        add_mode(&writer, STEP_LOAD_XIP);
    }
    add_mode(&writer, STEP_LOAD_COPY);
}

void rp_verify_plan_static(struct rp_buf *out, const struct rp_board *board,
                           const struct rp_placement *placement, uint32_t seed) {
    struct writer writer = {.out = out, .placement = placement, .seed = seed};
    begin_plan(&writer, board);
    add_fills(&writer);
    add_load(&writer, STEP_LOAD_XIP, 0);
    add_step(&writer, STEP_INIT, 0, 0);
    add_step(&writer, STEP_REPORT, 0, 0);
    add_runs(&writer, 0);
    if (!placement->once)
        add_run(&writer, 0, 0);
    add_step(&writer, STEP_DESTROY, 0, 0);
}

void rp_verify_plan_probe(struct rp_buf *out, const struct rp_board *board,
                          const struct rp_placement *placement, uint32_t seed,
                          const struct rp_probe *probe) {
    struct rp_placement place = *placement;
    struct writer writer = {.out = out, .placement = &place, .seed = seed, .only = probe->pattern};
    if (probe->guard_bytes != 0)
        place.guard_bytes = probe->guard_bytes;
    begin_plan(&writer, board);
    rp_put_le32(out->data + PLAN_VARY_AREA, (uint32_t)probe->area);
    rp_put_le32(out->data + PLAN_VARY_SIDE, (uint32_t)probe->side);
    rp_put_le32(out->data + PLAN_VARY_INDEX, probe->index);
    rp_put_le32(out->data + PLAN_VARY_PATTERN, probe->varied);
    add_fills(&writer);
    add_load(&writer, probe->load, probe->instance);
    add_step(&writer, STEP_INIT, probe->instance, 0);
    for (unsigned run = 1; run <= probe->run; run++)
        add_run(&writer, probe->instance, run <= place.runs ? run - 1 : 0);
    add_step(&writer, STEP_DESTROY, probe->instance, 0);
}

/*
 * A model that keeps a state computes something else in its second run, so the instance is made
 * again for it.
 */
void rp_verify_plan_profile(struct rp_buf *out, const struct rp_board *board,
                            const struct rp_placement *placement, uint32_t seed,
                            struct rp_area nodes) {
    const uint32_t load = placement->needs_copy ? STEP_LOAD_COPY : STEP_LOAD_XIP;
    struct writer writer = {.out = out, .placement = placement, .seed = seed};
    begin_plan(&writer, board);
    for (unsigned run = 0; run < 2; run++) {
        add_load(&writer, load, 0);
        add_step(&writer, STEP_INIT, 0, 0);
        if (run == 1) {
            add_step(&writer, STEP_OBSERVE, 0, 0);
            rp_put_le32(out->data + out->len - STEP_BYTES + STEP_RAM, nodes.address);
            rp_put_le32(out->data + out->len - STEP_BYTES + STEP_RAM_SIZE, nodes.size);
        }
        add_run(&writer, 0, 0);
        if (run == 1)
            add_step(&writer, STEP_UNOBSERVE, 0, 0);
        add_step(&writer, STEP_DESTROY, 0, 0);
    }
}
