/* SPDX-License-Identifier: Apache-2.0 */
/* What the harness is asked to do: see verify.h. */
#include "cli/verify.h"

#include <string.h>

enum { GUARD_BYTES = 256, ICOUNT_SHIFT = 6, SECOND_OFFSET = 0x11110 };

static bool too_large(const char *what, uint32_t size, uint32_t room, const struct rp_board *board,
                      struct rp_error *err) {
    return rp_fail(err, RP_E_VERIFY,
                   "%s (%u bytes) does not fit on the emulated board %s (%u bytes)", what, size,
                   board->machine, room);
}

/* What has to lie somewhere, and where it may. */
struct want {
    const char *what;
    uint32_t size;
    const struct rp_area *areas;
    size_t count;
    uint32_t align;
};

static struct rp_area shifted(struct rp_area area, uint32_t offset) {
    return (struct rp_area){area.address + offset, area.size > offset ? area.size - offset : 0};
}

/* The first area that is large enough; the last one counts when none is. Size 0 needs none. */
static bool fit(struct rp_area *out, const struct rp_board *board, const struct want *want,
                struct rp_error *err) {
    for (size_t i = 0; i < want->count; i++) {
        const struct rp_area area =
            shifted(want->areas[i], (0u - want->areas[i].address) & (want->align - 1));
        if (want->size > area.size)
            continue;
        *out = (struct rp_area){want->size != 0 ? area.address : 0, want->size};
        return true;
    }
    return too_large(want->what, want->size, want->areas[want->count - 1].size, board, err);
}

/* Steps of the longer plan, which has to fit into its area. */
static uint32_t plan_bytes(uint32_t runs) {
    return PLAN_STEPS + STEP_BYTES * (1 + 2 * (2 * runs + 8));
}

bool rp_placement_choose(struct rp_placement *placement, const struct rp_board *board,
                         const struct rp_sizes *sizes, bool second, struct rp_error *err) {
    uint32_t plan_room = rp_board_area(board, HARNESS_AREA_PLAN).size;
    if (sizes->runs > plan_room / STEP_BYTES || plan_bytes(sizes->runs) > plan_room)
        return rp_fail(err, RP_E_VERIFY, "%u inputs are too many for one verification",
                       sizes->runs);
    const struct rp_area big = rp_board_area(board, HARNESS_AREA_BIG);
    const struct rp_area images[] = {
        rp_board_area(board, second ? HARNESS_AREA_IMAGE_B : HARNESS_AREA_IMAGE_A),
        second ? shifted(big, SECOND_OFFSET) : big};
    const struct rp_area free_image =
        rp_board_area(board, second ? HARNESS_AREA_IMAGE_A : HARNESS_AREA_IMAGE_B);
    const struct rp_area ram[] = {rp_board_area(board, HARNESS_AREA_RAM_A),
                                  rp_board_area(board, HARNESS_AREA_RAM_B)};
    const struct rp_area acts[] = {rp_board_area(board, HARNESS_AREA_ACTS_A),
                                   rp_board_area(board, HARNESS_AREA_ACTS_B)};
    *placement = (struct rp_placement){
        .label = second ? "2" : "1", .runs = sizes->runs, .ram_xip = sizes->ram_xip};
    /* a weights file takes the big area, the image then has to be in its own */
    const uint32_t align = sizes->align;
    const struct want wants[] = {
        {"the image", sizes->image, images, sizes->weights != 0 ? 1 : 2, align},
        {"the weights", sizes->weights, &images[1], 1, align},
        {"the input", sizes->input, &free_image, 1, align},
        {"the instance RAM", sizes->ram_copy, &ram[second], 1, align},
        {"the instance RAM", sizes->ram_copy, &ram[!second], 1, align},
        {"the activations", sizes->acts, &acts[second], 1, align},
        {"the activations", sizes->acts, &acts[!second], 1, align},
    };
    struct rp_area *const places[] = {&placement->image,  &placement->weights, &placement->input,
                                      &placement->ram[0], &placement->ram[1],  &placement->acts[0],
                                      &placement->acts[1]};
    for (size_t i = 0; i < sizeof wants / sizeof wants[0]; i++)
        if (!fit(places[i], board, &wants[i], err))
            return false;
    return true;
}

struct writer {
    struct rp_buf *out;
    const struct rp_placement *placement;
    uint32_t seed;
    uint32_t steps;
};

static void begin_plan(struct writer *writer, const struct rp_board *board) {
    struct rp_area io = rp_board_area(board, HARNESS_AREA_IO);
    const uint32_t words[] = {
        HARNESS_PLAN_MAGIC, HARNESS_PLAN_VERSION, 0,          board->clock_hz, ICOUNT_SHIFT,
        RP_VERIFY_PATTERN,  GUARD_BYTES,          io.address, io.size,         0};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        rp_buf_le32(writer->out, words[i]);
}

static void end_plan(struct writer *writer) {
    rp_put_le32(writer->out->data + PLAN_BYTES, (uint32_t)writer->out->len);
    rp_put_le32(writer->out->data + PLAN_STEP_COUNT, writer->steps);
}

static void add_step(struct writer *writer, uint32_t kind, uint32_t instance, uint32_t ram_size) {
    const struct rp_placement *place = writer->placement;
    char step[STEP_BYTES] = {0};
    size_t i = instance;
    rp_put_le32(step + STEP_KIND, kind);
    rp_put_le32(step + STEP_INSTANCE, instance);
    rp_put_le32(step + STEP_IMAGE, place->image.address);
    rp_put_le32(step + STEP_IMAGE_SIZE, place->image.size);
    bool is_load = kind == STEP_LOAD_XIP || kind == STEP_LOAD_COPY;
    if (is_load) {
        rp_put_le32(step + STEP_RAM, place->ram[i].address);
        rp_put_le32(step + STEP_RAM_SIZE, ram_size);
    }
    if (place->weights.size != 0) {
        rp_put_le32(step + STEP_WEIGHTS, place->weights.address);
        rp_put_le32(step + STEP_WEIGHTS_SIZE, place->weights.size);
    }
    if ((place->memory_at_load ? is_load : kind == STEP_INIT) && place->acts[i].size != 0) {
        rp_put_le32(step + STEP_ACTS, place->acts[i].address);
        rp_put_le32(step + STEP_ACTS_SIZE, place->acts[i].size);
    }
    rp_buf_append(writer->out, step, sizeof step);
    writer->steps++;
}

/* One inference on input number index; seeded inputs differ by their seed. */
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

static void add_mode(struct writer *writer, uint32_t load) {
    const struct rp_placement *place = writer->placement;
    for (uint32_t instance = 0; instance < 2; instance++)
        add_step(writer, load, instance,
                 load == STEP_LOAD_XIP ? place->ram_xip : place->ram[instance].size);
    for (uint32_t instance = 0; instance < 2; instance++)
        add_step(writer, STEP_INIT, instance, 0);
    add_step(writer, STEP_REPORT, 0, 0);
    add_runs(writer, 0);
    add_runs(writer, 1);
    add_run(writer, 0, 0);
    for (uint32_t instance = 0; instance < 2; instance++)
        add_step(writer, STEP_DESTROY, instance, 0);
}

/* The image cannot be executed in place: its loader has to know. */
static void add_refusal(struct writer *writer) {
    add_step(writer, STEP_LOAD_XIP, 0, writer->placement->ram_xip);
    char *step = writer->out->data + writer->out->len - STEP_BYTES;
    rp_put_le32(step + STEP_FLAGS, STEP_FLAG_MUST_FAIL);
}

void rp_verify_plan(struct rp_buf *out, const struct rp_board *board,
                    const struct rp_placement *placement, uint32_t seed) {
    struct writer writer = {out, placement, seed, 0};
    begin_plan(&writer, board);
    add_step(&writer, STEP_CHECK, 0, 0);
    if (placement->needs_copy)
        add_refusal(&writer);
    else
        add_mode(&writer, STEP_LOAD_XIP);
    add_mode(&writer, STEP_LOAD_COPY);
    end_plan(&writer);
}

void rp_verify_plan_static(struct rp_buf *out, const struct rp_board *board,
                           const struct rp_placement *placement, uint32_t seed) {
    static const uint32_t kinds[] = {STEP_LOAD_XIP, STEP_INIT, STEP_REPORT};
    struct rp_placement bare = *placement;
    struct writer writer = {out, &bare, seed, 0};
    bare.image = bare.weights = (struct rp_area){0, 0};
    if (placement->memory_at_load) /* its pools are filled already */
        bare.acts[0] = (struct rp_area){0, 0};
    begin_plan(&writer, board);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        add_step(&writer, kinds[i], 0, placement->ram[0].size);
    add_runs(&writer, 0);
    add_run(&writer, 0, 0);
    add_step(&writer, STEP_DESTROY, 0, 0);
    end_plan(&writer);
}
