/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Unit tests of toolchain/probe/gdb.h, memory.h and registers.h against a server in this process:
 * what a server may lack, and more than 10,000 faults of the wire.
 */
#include "tests/unit/unit.h"

#include "tests/unit/gdb_stub.h"
#include "toolchain/probe/memory.h"
#include "toolchain/probe/registers.h"

enum { SESSIONS = 1000, FAULTS = 10000, DATA = 1500, WAITS_MAX = 20000 };

static struct rp_gdb *open_with(struct unit *u, struct stub *stub, uint64_t seed,
                                const struct rp_gdb_times *times) {
    struct rp_wire wire = stub_start(stub, &u->arena, seed);
    struct rp_gdb *gdb = rp_gdb_open(&u->arena, &wire, times, &u->err);
    if (gdb == NULL)
        print_message("%s\n", u->err.message);
    assert_non_null(gdb);
    return gdb;
}

static struct rp_gdb *open_stub(struct unit *u, struct stub *stub, uint64_t seed) {
    return open_with(u, stub, seed, NULL);
}

static void fill(struct stub *stub, uint8_t *bytes, size_t size) {
    for (size_t i = 0; i < size; i++)
        bytes[i] = stub_random(stub, 4) == 0 ? 0x2A : (uint8_t)stub_random(stub, 256);
}

/* ---- without faults ---- */

/* All kinds of servers: X or M, x or m, p or g, large packets and small ones. */
static void moves_memory(void **state) {
    struct unit *u = *state;
    static const size_t sizes[] = {0, 64, 65, 100, 127, 128, 300, 0x1000, 0xFFFFF};
    for (unsigned kind = 0; kind < 32 * COUNT(sizes); kind++) {
        struct stub *stub = rp_alloc(&u->arena, 1, sizeof *stub);
        uint8_t there[DATA], data[DATA];
        *stub = (struct stub){.packet_size = sizes[kind / 32],
                              .lacks_x = kind & 1,
                              .has_binary_read = kind & 2,
                              .lacks_p = kind & 4,
                              .lacks_features = kind & 8,
                              .has_runs = kind & 16};
        struct rp_gdb *gdb = open_stub(u, stub, kind);
        uint32_t address = STUB_RAM + stub_random(stub, 100), value;
        size_t size = 1 + stub_random(stub, DATA);
        memset(stub->ram, 0x55, sizeof stub->ram);
        fill(stub, data, sizeof data);
        ACCEPTED(u, rp_gdb_write(gdb, address, data, size, &u->err));
        assert_memory_equal(stub->ram + (address - STUB_RAM), data, size);
        assert_int_equal(stub->ram[address - STUB_RAM + size], 0x55);
        ACCEPTED(u, rp_gdb_read(gdb, address, there, size, &u->err));
        assert_memory_equal(there, data, size);
        ACCEPTED(u, rp_gdb_verify(gdb, address, data, size, &u->err));
        stub->ram[address - STUB_RAM + size / 2] ^= 1;
        REFUSED(u, rp_gdb_verify(gdb, address, data, size, &u->err), RP_E_GDB,
                rp_format(&u->arena, "at 0x%08x", (unsigned)(address + size / 2)));
        if (stub->packet_size >= 64 && stub->packet_size < 400 && stub->lacks_p)
            continue; /* G does not fit */
        ACCEPTED(u, rp_gdb_set_register(gdb, "SP", 0x20001234, &u->err));
        assert_int_equal(stub->registers[13], 0x20001234);
        stub->registers[16] = 0x01000000;
        ACCEPTED(u, rp_gdb_get_register(gdb, "xpsr", &value, &u->err));
        assert_int_equal(value, 0x01000000);
        ACCEPTED(u, rp_gdb_set_register(gdb, "xpsr", 0x21000000, &u->err));
        assert_int_equal(stub->registers[16], 0x21000000);
        assert_int_equal(stub->registers[13], 0x20001234);
        assert_true(stub->now < 1.0); /* nothing was waited for */
    }
}

static void says_what_is_refused(void **state) {
    struct unit *u = *state;
    struct stub *stub = rp_alloc(&u->arena, 1, sizeof *stub);
    struct rp_gdb *gdb = open_stub(u, stub, 1);
    uint8_t bytes[16] = {0};
    uint32_t value;
    REFUSED(u, rp_gdb_read(gdb, 0x10000000, bytes, 16, &u->err), RP_E_GDB,
            "cannot read 16 bytes at 0x10000000: the GDB server at 'stub' refuses: E0E");
    REFUSED(u, rp_gdb_write(gdb, 0x10000000, bytes, 16, &u->err), RP_E_GDB,
            "cannot write 16 bytes at 0x10000000");
    REFUSED(u, rp_gdb_read(gdb, 0xFFFFFFF8, bytes, 16, &u->err), RP_E_GDB, "32-bit addresses");
    REFUSED(u, rp_gdb_get_register(gdb, "msp", &value, &u->err), RP_E_GDB, "has no register 'msp'");
    assert_false(rp_gdb_has_register(gdb, "msp"));
    assert_true(rp_gdb_has_register(gdb, "R13"));
    REFUSED(u, rp_gdb_monitor(gdb, "bad!!", NULL, &u->err), RP_E_GDB,
            "cannot run its command 'bad!!'");
    REFUSED(u, rp_gdb_flash(gdb, STUB_FLASH, bytes, 16, &u->err), RP_E_GDB,
            "cannot program flash at 0x08000000");
    ACCEPTED(u, rp_gdb_read(gdb, STUB_RAM, bytes, 16, &u->err)); /* none of it does harm */
    assert_true(stub->now < 1.0);
}

static void runs_and_stops(void **state) {
    struct unit *u = *state;
    struct stub *stub = rp_alloc(&u->arena, 1, sizeof *stub);
    struct rp_gdb *gdb = open_stub(u, stub, 2);
    struct rp_buf text = {.arena = &u->arena};
    struct rp_gdb_stop stop = rp_gdb_state(gdb);
    bool supported = false;
    assert_int_equal(stop.how, RP_GDB_STOPPED);
    assert_int_equal(stop.signal, 5);
    ACCEPTED(u, rp_gdb_break(gdb, &(struct rp_gdb_breakpoint){.address = 0x20000100}, true,
                             &supported, &u->err));
    assert_true(supported);
    assert_int_equal(stub->breakpoint, 0x20000100);
    ACCEPTED(u, rp_gdb_continue(gdb, &u->err));
    ACCEPTED(u, rp_gdb_wait(gdb, 10, &text, &stop, &u->err));
    assert_int_equal(stop.how, RP_GDB_STOPPED);
    assert_int_equal(stop.signal, 5);
    assert_string_equal(rp_buf_text(&text), "Hi");
    stub->never_stops = true;
    ACCEPTED(u, rp_gdb_continue(gdb, &u->err));
    ACCEPTED(u, rp_gdb_wait(gdb, 10, NULL, &stop, &u->err));
    assert_int_equal(stop.how, RP_GDB_RUNNING);
    ACCEPTED(u, rp_gdb_interrupt(gdb, &stop, &u->err));
    assert_int_equal(stop.signal, 2);
    ACCEPTED(u, rp_gdb_interrupt(gdb, &stop, &u->err)); /* it does not run */
    assert_int_equal(stop.how, RP_GDB_STOPPED);
    assert_int_equal(stub->continued, 2);
    stub->lacks_z = true;
    ACCEPTED(u, rp_gdb_break(gdb, &(struct rp_gdb_breakpoint){.address = 0x20000100}, false,
                             &supported, &u->err));
    assert_false(supported);
    text.len = 0;
    ACCEPTED(u, rp_gdb_monitor(gdb, "reset halt", &text, &u->err));
    assert_string_equal(rp_buf_text(&text), "hello\n");
    ACCEPTED(u, rp_gdb_detach(gdb, &u->err));
    assert_string_equal(stub->last, "D");
}

/* Whole blocks are erased; what else they held is kept. */
static void programs_flash(void **state) {
    struct unit *u = *state;
    static const struct {
        uint32_t at, size;
    } cases[] = {{0, 16}, {0x7FF, 2}, {0x1FFF, 2}, {0x2000, 0x4000}, {0x5FFF, 1}, {0, 0x6000}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct stub *stub = rp_alloc(&u->arena, 1, sizeof *stub);
        uint8_t *data = rp_alloc(&u->arena, STUB_FLASH_BYTES, 1);
        uint8_t *wanted = rp_alloc(&u->arena, STUB_FLASH_BYTES, 1);
        const struct rp_gdb_map *map;
        *stub = (struct stub){.has_map = true, .packet_size = 0x400};
        struct rp_gdb *gdb = open_stub(u, stub, i);
        ACCEPTED(u, rp_gdb_map(gdb, &map, &u->err));
        assert_int_equal(map->count, 3);
        assert_int_equal(map->items[1].address, 0x08002000);
        assert_int_equal(map->items[1].block_size, 0x4000);
        fill(stub, stub->flash, STUB_FLASH_BYTES);
        fill(stub, data, STUB_FLASH_BYTES);
        memcpy(wanted, stub->flash, STUB_FLASH_BYTES);
        memcpy(wanted + cases[i].at, data, cases[i].size);
        ACCEPTED(u, rp_gdb_flash(gdb, STUB_FLASH + cases[i].at, data, cases[i].size, &u->err));
        assert_memory_equal(stub->flash, wanted, STUB_FLASH_BYTES);
        REFUSED(u, rp_gdb_flash(gdb, STUB_FLASH + 0x5FFF, data, 2, &u->err), RP_E_GDB,
                "0x08006000");
        REFUSED(u, rp_gdb_flash(gdb, STUB_RAM, data, 2, &u->err), RP_E_GDB, "0x20000000");
        assert_memory_equal(stub->flash, wanted, STUB_FLASH_BYTES);
    }
}

/* ---- with faults ---- */

struct outcome {
    unsigned all, whole, hung, faults;
};

/* The call failed with an error that says something, or had its effect. */
static bool judge(struct unit *u, bool ok) {
    assert_true(ok == (u->err.id == 0));
    if (ok)
        return true;
    assert_int_equal(u->err.id, RP_E_GDB);
    assert_true(strlen(u->err.message) > 20);
    return false;
}

static bool try_memory(struct unit *u, struct stub *stub, struct rp_gdb *gdb) {
    uint8_t data[DATA], there[DATA];
    for (unsigned i = 0; i < 3; i++) {
        uint32_t offset = stub_random(stub, STUB_RAM_BYTES - DATA);
        size_t size = 1 + stub_random(stub, i == 0 ? 4 : DATA);
        fill(stub, data, size);
        if (!judge(u, rp_gdb_write(gdb, STUB_RAM + offset, data, size, &u->err)))
            return false;
        assert_memory_equal(stub->ram + offset, data, size);
        offset = stub_random(stub, STUB_RAM_BYTES - DATA);
        if (!judge(u, rp_gdb_read(gdb, STUB_RAM + offset, there, size, &u->err)))
            return false;
        assert_memory_equal(stub->ram + offset, there, size);
    }
    return true;
}

static bool try_registers(struct unit *u, struct stub *stub, struct rp_gdb *gdb) {
    for (unsigned i = 0; i < 4; i++) {
        static const char *const names[] = {"r0", "pc", "sp", "r7"};
        static const unsigned numbers[] = {0, 15, 13, 7};
        uint32_t value = stub_random(stub, UINT32_MAX), got = ~value;
        if (!judge(u, rp_gdb_set_register(gdb, names[i], value, &u->err)))
            return false;
        assert_int_equal(stub->registers[numbers[i]], value);
        unsigned other = numbers[(i + 1) % 4];
        stub->registers[other] = stub_random(stub, UINT32_MAX);
        if (!judge(u, rp_gdb_get_register(gdb, names[(i + 1) % 4], &got, &u->err)))
            return false;
        assert_int_equal(got, stub->registers[other]);
    }
    return true;
}

static bool try_run(struct unit *u, struct stub *stub, struct rp_gdb *gdb) {
    struct rp_gdb_stop stop;
    bool supported;
    stub->continued = 0;
    if (!judge(u, rp_gdb_break(gdb, &(struct rp_gdb_breakpoint){.address = 0x20000010}, true,
                               &supported, &u->err)))
        return false;
    assert_true(supported && stub->breakpoint == 0x20000010);
    if (!judge(u, rp_gdb_continue(gdb, &u->err)))
        return false;
    assert_int_equal(stub->continued, 1);
    if (!judge(u, rp_gdb_wait(gdb, 100, NULL, &stop, &u->err)))
        return false;
    if (stop.how == RP_GDB_RUNNING) /* its packet was lost */
        return judge(u, rp_gdb_interrupt(gdb, &stop, &u->err)) && !stub->is_running;
    assert_false(stub->is_running);
    assert_true(stop.signal == 5 || stop.signal == 2); /* a repeated packet interrupts it */
    return true;
}

static bool try_once(struct unit *u, struct stub *stub, struct rp_gdb *gdb) {
    uint8_t *data = rp_alloc(&u->arena, STUB_FLASH_BYTES, 1);
    stub->commanded = 0;
    if (!judge(u, rp_gdb_monitor(gdb, "go", NULL, &u->err)))
        return false;
    assert_int_equal(stub->commanded, 1);
    fill(stub, data, 3000);
    if (!judge(u, rp_gdb_flash(gdb, STUB_FLASH + 0x700, data, 3000, &u->err)))
        return false;
    assert_memory_equal(stub->flash + 0x700, data, 3000);
    return true;
}

static void hold_session(struct unit *u, uint64_t seed, struct outcome *outcome) {
    struct stub *stub = rp_alloc(&u->arena, 1, sizeof *stub);
    static const unsigned rates[] = {2, 10, 30, 80, 200};
    static const size_t sizes[] = {0x1000, 100, 400};
    /* all of them, or those that may pass for good packets */
    static const unsigned faults[] = {(1u << STUB_FAULTS) - 1, 1u << STUB_LATE | 1u << STUB_DROP,
                                      1u << STUB_LATE};
    *stub = (struct stub){.packet_size = sizes[seed % 3],
                          .lacks_x = seed & 1,
                          .has_binary_read = seed & 2,
                          .has_runs = seed & 4,
                          .resends = seed & 8,
                          .has_map = true,
                          .faults = faults[seed / 16 % 3],
                          .per_mille = rates[seed % COUNT(rates)]};
    struct rp_wire wire = stub_start(stub, &u->arena, seed);
    struct rp_gdb *gdb = rp_gdb_open(&u->arena, &wire, NULL, &u->err);
    static bool (*const parts[])(struct unit *, struct stub *, struct rp_gdb *) = {
        try_memory, try_registers, try_run, try_memory, try_once, try_memory};
    bool ok = judge(u, gdb != NULL);
    for (size_t i = 0; gdb != NULL && i < COUNT(parts); i++) {
        ok = parts[i](u, stub, gdb) && ok; /* a failure must not spoil what follows */
        u->err = (struct rp_error){0};
    }
    assert_true(stub->waits < WAITS_MAX);
    assert_true(stub->now < 3600);
    outcome->all++;
    outcome->whole += ok;
    outcome->hung += stub->is_hanging;
    outcome->faults += stub->faulty;
    u->err = (struct rp_error){0};
}

/* GDB_SEED and GDB_SESSIONS: where to begin, and how many. */
static void survives_faults(void **state) {
    struct unit *u = *state;
    struct outcome outcome = {0};
    const char *first = getenv("GDB_SEED"), *count = getenv("GDB_SESSIONS");
    uint64_t seed = first != NULL ? strtoull(first, NULL, 10) : 0;
    uint64_t end = seed + (count != NULL ? strtoull(count, NULL, 10) : SESSIONS);
    for (; seed < end; seed++) {
        if (count != NULL)
            (void)fprintf(stderr, "\r%llu ", (unsigned long long)seed);
        hold_session(u, seed, &outcome);
        rp_arena_release(&u->arena);
    }
    print_message("%u sessions with %u faults: %u whole, %u of the others hung\n", outcome.all,
                  outcome.faults, outcome.whole, outcome.hung);
    if (count == NULL)
        assert_true(outcome.faults > FAULTS && outcome.whole > SESSIONS / 4 &&
                    outcome.whole < SESSIONS * 9 / 10);
}

/* Each answer is garbled, or none comes: the waits of all requests together have one end. */
static void a_limit_is_one_for_all_waits(void **state) {
    struct unit *u = *state;
    static const unsigned faults[] = {1u << STUB_GARBLE, 1u << STUB_DROP,
                                      1u << STUB_GARBLE | 1u << STUB_REPEAT | 1u << STUB_LATE};
    const struct rp_gdb_times times = {.silent_s = 3};
    for (unsigned i = 0; i < 16 * COUNT(faults); i++) {
        struct stub *stub = rp_alloc(&u->arena, 1, sizeof *stub);
        uint8_t bytes[16];
        bool ok = true;
        *stub = (struct stub){.packet_size = 0x1000, .never_stops = true};
        struct rp_gdb *gdb = i % 2 != 0 ? open_with(u, stub, i, &times) : open_stub(u, stub, i);
        stub->faults = faults[i / 2 % COUNT(faults)];
        stub->per_mille = 1000;
        if (i % 2 == 0)
            rp_gdb_limit(gdb, 3);
        const double end = stub->now + 3;
        for (unsigned k = 0; k < 20; k++) {
            ok = rp_gdb_read(gdb, STUB_RAM, bytes, sizeof bytes, &u->err) && ok;
            u->err = (struct rp_error){0};
        }
        /* now and then, something good comes through */
        assert_true(!ok && stub->now < end + (i % 2 != 0 ? 3.1 : 0.1));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(moves_memory),   UNIT(says_what_is_refused), UNIT(runs_and_stops),
        UNIT(programs_flash), UNIT(survives_faults),      UNIT(a_limit_is_one_for_all_waits),
    };
    return RUN(tests);
}
