/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of toolchain/npu/memory.h on pools and buffers made by hand. */
#include "tests/unit/unit.h"

#include "toolchain/npu/memory.h"

enum { ABSOLUTE = 1, VIRTUAL = 2, WRITABLE = 4, CACHEABLE = 8 };

/* A network under construction, and its memory. */
struct net {
    struct unit *unit;
    struct rp_aton aton;
    struct rp_aton_memory memory;
};

/* The internal table exists. */
static struct net begin(struct unit *u) {
    struct net net = {.unit = u, .aton = {.path = "net.c", .network = "net"}};
    net.aton.rows[RP_ATON_INTERNAL] = 1;
    return net;
}

/*
 * Id and line of the pool are its number, from 1; a relative pool has the label "label_<postfix>".
 */
static void add_pool(struct net *net, const char *postfix, uint32_t offset, uint32_t size,
                     unsigned flags) {
    struct rp_arena *arena = &net->unit->arena;
    struct rp_aton_pool *pool = RP_PUSH(arena, &net->aton.pools);
    unsigned number = (unsigned)net->aton.pools.count;
    *pool = (struct rp_aton_pool){.id = number,
                                  .line = number,
                                  .postfix = postfix,
                                  .name = "m",
                                  .offset = offset,
                                  .size_bytes = size,
                                  .is_absolute = (flags & ABSOLUTE) != 0,
                                  .is_virtual = (flags & VIRTUAL) != 0,
                                  .is_writable = (flags & WRITABLE) != 0,
                                  .is_cacheable = (flags & CACHEABLE) != 0};
    if (!pool->is_absolute)
        pool->label = rp_format(arena, "label_%s", postfix);
}

/* label NULL: absolute addresses. */
static struct rp_aton_buffer *add_buffer(struct net *net, const char *label, uint64_t start,
                                         uint64_t end, bool is_param) {
    struct rp_aton_buffer *buffer = RP_PUSH(&net->unit->arena, &net->aton.buffers);
    *buffer = (struct rp_aton_buffer){.name = "buf",
                                      .table = RP_ATON_INTERNAL,
                                      .line = 70,
                                      .is_param = is_param,
                                      .label = label,
                                      .start = start,
                                      .end = end,
                                      .limit = end};
    return buffer;
}

static bool run(struct net *net) {
    return rp_aton_memory(&net->memory, &net->unit->arena, &net->aton, &net->unit->err);
}

static void refuse(struct net *net, const char *part) {
    REFUSED(net->unit, run(net), RP_E_ATON_POOLS, part);
}

static const struct rp_aton_used *only(struct net *net) {
    ACCEPTED(net->unit, run(net));
    assert_int_equal(net->memory.used.count, 1);
    return &net->memory.used.items[0];
}

/* ---- kinds of pools ---- */

static void describes_each_kind(void **state) {
    static const struct {
        unsigned pool;
        bool params, acts;
        uint32_t flags; /* 0: refused */
    } cases[] = {{0, true, false, 0x01010100},
                 {CACHEABLE, true, false, 0x01010500},
                 {WRITABLE, false, true, 0x01020201},
                 {WRITABLE | CACHEABLE, false, true, 0x01020601},
                 {WRITABLE, true, false, 0x01030201},
                 {WRITABLE, true, true, 0x01030201},
                 {ABSOLUTE | WRITABLE, true, false, 0x02030200},
                 {ABSOLUTE | WRITABLE | CACHEABLE, true, true, 0x02030600},
                 {ABSOLUTE, true, false, 0x02010100},
                 {ABSOLUTE | WRITABLE, false, true, 0x03020200},
                 {0, false, true, 0},
                 {0, true, true, 0},
                 {ABSOLUTE, false, true, 0},
                 {ABSOLUTE | CACHEABLE, true, true, 0}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct net net = begin(*state);
        bool relative = (cases[i].pool & ABSOLUTE) == 0;
        const char *label = relative ? "label_p" : NULL;
        uint64_t base = relative ? 0 : 0x90000000;
        add_pool(&net, "p", 0x90000000, 0x1000, cases[i].pool);
        if (cases[i].params)
            add_buffer(&net, label, base + 0x10, base + 0x20, true);
        if (cases[i].acts)
            add_buffer(&net, label, base + 0x40, base + 0x48, false);
        if (cases[i].flags == 0) {
            refuse(&net, relative ? "net.c:1: pool 1 (p, m) is relative and read-only, and has "
                                  : "net.c:1: pool 1 (p, m) is absolute and read-only, and has ");
            continue;
        }
        const struct rp_aton_used *used = only(&net);
        assert_int_equal(used->flags, cases[i].flags);
        assert_int_equal(used->has_params, cases[i].params);
        assert_int_equal(used->has_acts, cases[i].acts);
        bool reset = cases[i].flags >> 24 == 3;
        assert_int_equal(used->dst, relative ? 0 : reset ? 0x90000040 : 0x90000000);
        assert_int_equal(used->size_bytes, reset ? 8 : cases[i].acts ? 0x48 : 0x20);
        assert_int_equal(used->params_extent, cases[i].params ? 0x20 : 0);
    }
}

static void measures_ranges(void **state) {
    struct net net = begin(*state);
    add_pool(&net, "p", 0x90000000, 0x1000, WRITABLE);
    add_buffer(&net, "label_p", 0x100, 0x180, true);
    add_buffer(&net, "label_p", 0x40, 0x80, false);
    add_buffer(&net, "label_p", 0xC0, 0xE0, true);
    add_buffer(&net, "label_p", 0x60, 0x200, false);
    add_buffer(&net, "label_p", 0x500, 0x500, false); /* empty: touches nothing */
    const struct rp_aton_used *used = only(&net);
    assert_true(used->first == 0x90000040 && used->last == 0x900001FF);
    assert_true(used->params_first == 0x900000C0 && used->params_last == 0x9000017F);
    assert_true(used->span == 0x1C0 && used->extent == 0x200);
    assert_true(used->params_span == 0xC0 && used->params_extent == 0x180);
    assert_true(net.memory.relative_rw == used && net.memory.relative_ro == NULL);
    assert_int_equal(net.memory.ext_ram_size, 0x200);
    assert_int_equal(net.memory.params_size, 0xC0);
    assert_int_equal(net.memory.acts_size, 0x100);
    assert_int_equal(net.memory.warnings.count, 0);
}

/* Highest offset first, equal ones as they came; sums for internal and external memory. */
static void orders_and_adds_up(void **state) {
    struct net net = begin(*state);
    add_pool(&net, "low", 0x34000000, 0x100, ABSOLUTE | WRITABLE);
    add_pool(&net, "empty", 0x90000000, 0, ABSOLUTE | WRITABLE);
    add_pool(&net, "high", 0x90000000, 0x100, ABSOLUTE | WRITABLE);
    add_pool(&net, "rel", 0x90000000, 0x100, CACHEABLE);
    add_pool(&net, "unused", 0x60000000, 0x100, ABSOLUTE | WRITABLE);
    add_buffer(&net, NULL, 0x34000000, 0x34000010, false);
    add_buffer(&net, NULL, 0x34000010, 0x34000018, true);
    add_buffer(&net, NULL, 0x90000080, 0x90000100, false);
    add_buffer(&net, "label_rel", 0, 5, true);
    ACCEPTED(net.unit, run(&net));
    static const char *const order[] = {"high", "rel", "low"};
    assert_int_equal(net.memory.used.count, COUNT(order));
    for (size_t i = 0; i < COUNT(order); i++)
        assert_string_equal(net.memory.used.items[i].pool->postfix, order[i]);
    assert_ptr_equal(net.memory.relative_ro, &net.memory.used.items[1]);
    assert_true(net.memory.acts_internal == 0x10 && net.memory.acts_external == 0x80);
    assert_true(net.memory.params_internal == 8 && net.memory.params_external == 5);
    assert_true(net.memory.acts_size == 0x90 && net.memory.params_size == 13);
    assert_int_equal(net.memory.ext_ram_size, 0);
}

static void shares_virtual_pools_out(void **state) {
    struct net net = begin(*state);
    add_pool(&net, "A_B_C", 0x1000, 0x300, ABSOLUTE | VIRTUAL | WRITABLE);
    add_pool(&net, "A", 0x1000, 0x100, ABSOLUTE | WRITABLE);
    add_pool(&net, "B", 0x1100, 0x100, ABSOLUTE | WRITABLE);
    add_pool(&net, "C", 0x1200, 0x100, ABSOLUTE | WRITABLE);
    add_buffer(&net, NULL, 0x10F0, 0x1210, false);
    ACCEPTED(net.unit, run(&net));
    assert_int_equal(net.memory.used.count, 3);
    const struct rp_aton_used *used = net.memory.used.items; /* C, B, A */
    assert_true(used[0].dst == 0x1200 && used[0].size_bytes == 0x10);
    assert_true(used[1].dst == 0x1100 && used[1].size_bytes == 0x100);
    assert_true(used[2].dst == 0x10F0 && used[2].size_bytes == 0x10);
    assert_int_equal(net.memory.acts_size, 0x120);
}

static void leaves_user_buffers_out(void **state) {
    struct net net = begin(*state);
    add_pool(&net, "A", 0x1000, 0x100, ABSOLUTE | WRITABLE);
    add_buffer(&net, "_mem_pool__user_io_input_0_net", 0, 0x4000, false)->is_user_allocated = true;
    ACCEPTED(net.unit, run(&net));
    assert_int_equal(net.memory.used.count, 0);
}

/* ---- refused ---- */

static void refuses_buffers_outside(void **state) {
    static const struct {
        const char *label;
        uint64_t start, end;
        const char *part;
    } cases[] = {
        {NULL, 0x5000, 0x5010,
         "net.c:70: the internal buffer 'buf' (0x5000, 16 bytes) lies in no pool"},
        {NULL, 0xFFF, 0x1010, "(0xfff, 17 bytes) lies in no pool in front of 0x1000"},
        {NULL, 0x10F0, 0x1101, "(0x10f0, 17 bytes) lies in no pool"},
        {NULL, 0x10F0, 0x1210, "lies in no pool in front of 0x1200"},
        {NULL, 0x12F4, 0x12FC, "lies in two pools at once: pool 4 (D, m) and pool 2 (C, m)"},
        {NULL, 0x1210, 0x1350, "lies in two pools at once: pool 4 (D, m) and pool 2 (C, m)"},
        {"label_R", 0, 0x101,
         "(label_R + 0x0, 257 bytes) ends behind pool 3 (R, m), which has 256"},
        {"label_X", 0x20, 0x30, "(label_X + 0x20, 16 bytes) lies in no pool: its label is that of"},
        {"label_V", 0, 1, "lies in no pool: its label is that of none"},
        /* the nominal address of a relative pool says nothing about absolute addresses */
        {NULL, 0x2000, 0x2010, "lies in no pool"}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct net net = begin(*state);
        add_pool(&net, "A", 0x1000, 0x100, ABSOLUTE | WRITABLE);
        add_pool(&net, "C", 0x1200, 0x100, ABSOLUTE | WRITABLE);
        add_pool(&net, "R", 0x2000, 0x100, WRITABLE);
        add_pool(&net, "D", 0x12F0, 0x100, ABSOLUTE | WRITABLE);
        add_pool(&net, "V", 0x3000, 0x100, VIRTUAL | WRITABLE);
        add_buffer(&net, cases[i].label, cases[i].start, cases[i].end, false);
        refuse(&net, cases[i].part);
    }
}

static void refuses_two_relative_pools(void **state) {
    for (unsigned flags = 0; flags <= WRITABLE; flags += WRITABLE) {
        struct net net = begin(*state);
        add_pool(&net, "one", 0x90000000, 0x100, flags);
        add_pool(&net, "two", 0x80000000, 0x100, flags);
        add_buffer(&net, "label_one", 0, 1, true);
        ACCEPTED(net.unit, run(&net)); /* an unused one does not count */
        add_buffer(&net, "label_two", 0, 1, true);
        refuse(&net, flags != 0 ? "net.c:2: pool 1 (one, m) and pool 2 (two, m) are both relative "
                                  "and read/write"
                                : "are both relative and read-only: an image has one at most");
    }
}

static void limits_the_number_of_pools(void **state) {
    struct net net = begin(*state);
    for (uint32_t i = 0; i < 10; i++) {
        add_pool(&net, rp_format(&net.unit->arena, "p%u", i), 0x1000 * i, 0x100,
                 ABSOLUTE | WRITABLE);
        add_buffer(&net, NULL, 0x1000 * i, 0x1000 * i + 1, false);
        if (i < 9)
            ACCEPTED(net.unit, run(&net));
    }
    refuse(&net, "net.c: 10 memory pools are used, and loaders read 9 at most: pool 10 (p9, m), ");
}

/* Loaders refuse a cacheable one and accept others. */
static void looks_at_where_relative_pools_are(void **state) {
    static const struct {
        uint32_t offset;
        unsigned flags;
        int warnings; /* -1: refused */
    } cases[] = {{0x5FFFFFFF, CACHEABLE, -1},
                 {0x5FFFFFFF, 0, 1},
                 {0x60000000, CACHEABLE, 0},
                 {0x34000000, WRITABLE, 1},
                 {0x60000000, 0, 0}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct net net = begin(*state);
        add_pool(&net, "p", cases[i].offset, 0x100, cases[i].flags);
        add_buffer(&net, "label_p", 0, 1, true);
        if (cases[i].warnings < 0) {
            refuse(&net, "net.c:1: pool 1 (p, m) is relative and cacheable and lies at 0x5fffffff");
            continue;
        }
        assert_non_null(only(&net));
        assert_int_equal(net.memory.warnings.count, cases[i].warnings);
        if (cases[i].warnings != 0)
            CONTAINS(net.memory.warnings.items[0], "in internal memory");
    }
}

static void warns_of_copies_to_flash(void **state) {
    static const struct {
        uint32_t offset;
        unsigned flags;
        size_t warnings;
    } cases[] = {{0x6FFFFFF0, 0, 0},
                 {0x70000000, 0, 1},
                 {0x8FFFFFF0, 0, 1},
                 {0x90000000, 0, 0},
                 {0x70000000, WRITABLE, 1}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct net net = begin(*state);
        add_pool(&net, "p", cases[i].offset, 0x10, ABSOLUTE | cases[i].flags);
        add_buffer(&net, NULL, cases[i].offset, cases[i].offset + 1, true);
        assert_non_null(only(&net));
        assert_int_equal(net.memory.warnings.count, cases[i].warnings);
        if (cases[i].warnings != 0)
            CONTAINS(net.memory.warnings.items[0], "net.c:1: pool 1 (p, m) is absolute, so the");
    }
}

/* Only the comments have the sizes of activations; parameters have to be in the other tables. */
static void takes_declared_sizes_without_the_internal_table(void **state) {
    struct net net = begin(*state);
    net.aton.rows[RP_ATON_INTERNAL] = 0;
    add_pool(&net, "acts", 0x34000000, 0x4000, ABSOLUTE | WRITABLE);
    add_pool(&net, "ro", 0x70000000, 0x8000, 0);
    net.aton.pools.items[0].declared_bytes = 8 * 1024;
    net.aton.pools.items[1].label_bytes = 0x101;
    add_buffer(&net, "label_ro", 0, 0x101, true);
    ACCEPTED(net.unit, run(&net));
    assert_int_equal(net.memory.used.count, 2);
    assert_int_equal(net.memory.used.items[0].size_bytes, 0x101);
    assert_int_equal(net.memory.used.items[1].size_bytes, 8 * 1024 + 6); /* rounded up */
    assert_int_equal(net.memory.warnings.count, 1);
    CONTAINS(net.memory.warnings.items[0], "generated without --all-buffers-info");
    net.aton.pools.items[0].declared_bytes = 0x4000; /* never beyond the pool */
    ACCEPTED(net.unit, run(&net));
    assert_int_equal(net.memory.used.items[1].size_bytes, 0x4000);
}

static void refuses_stripped_tables(void **state) {
    struct net net = begin(*state);
    net.aton.rows[RP_ATON_INTERNAL] = 0;
    add_pool(&net, "p", 0x90000000, 0x1000, ABSOLUTE);
    ACCEPTED(net.unit, run(&net)); /* there is nothing to show */
    net.aton.pools.items[0].declared_bytes = 9;
    REFUSED(net.unit, run(&net), RP_E_ATON_BUFFERS,
            "pool 1 (p, m) uses 9 bytes, but the buffer "
            "tables show 0 bytes of parameters in it");
    add_buffer(&net, NULL, 0x90000000, 0x90000008, true);
    REFUSED(net.unit, run(&net), RP_E_ATON_BUFFERS, "show 8 bytes");
    net.aton.pools.items[0].declared_bytes = 8;
    ACCEPTED(net.unit, run(&net));
    net.aton.pools.items[0].declared_bytes = 16;
    struct rp_aton_option *option = RP_PUSH(&net.unit->arena, &net.aton.options);
    *option = (struct rp_aton_option){"all-buffers-info", "true"}; /* rows were lost since */
    REFUSED(net.unit, run(&net), RP_E_ATON_BUFFERS, "stripped");
    net.aton.pools.items[0].declared_bytes = 8;
    add_pool(&net, "a_b", 0x34000000, 0x2000, ABSOLUTE | VIRTUAL | WRITABLE);
    net.aton.pools.items[1].declared_bytes = 64; /* in none of its parts */
    REFUSED(net.unit, run(&net), RP_E_ATON_BUFFERS, "pool 2 (a_b, m) uses 64 bytes");
}

/* The application allocates it, so a rounded size is not enough. */
static void wants_the_exact_size_of_a_relative_writable_pool(void **state) {
    struct net net = begin(*state);
    net.aton.rows[RP_ATON_INTERNAL] = 0;
    add_pool(&net, "rw", 0x90000000, 0x10000, WRITABLE);
    net.aton.pools.items[0].declared_bytes = 1024;
    REFUSED(net.unit, run(&net), RP_E_ATON_BUFFERS, "uses 1024 bytes");
    net.aton.pools.items[0].label_bytes = 1023;
    ACCEPTED(net.unit, run(&net));
    assert_int_equal(net.memory.ext_ram_size, 1023);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(describes_each_kind),
        UNIT(measures_ranges),
        UNIT(orders_and_adds_up),
        UNIT(shares_virtual_pools_out),
        UNIT(leaves_user_buffers_out),
        UNIT(refuses_buffers_outside),
        UNIT(refuses_two_relative_pools),
        UNIT(limits_the_number_of_pools),
        UNIT(looks_at_where_relative_pools_are),
        UNIT(warns_of_copies_to_flash),
        UNIT(takes_declared_sizes_without_the_internal_table),
        UNIT(refuses_stripped_tables),
        UNIT(wants_the_exact_size_of_a_relative_writable_pool),
    };
    return RUN(tests);
}
