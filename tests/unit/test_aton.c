/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of toolchain/npu/parse.h on texts as the Neural-ART compiler writes them. */
#include "tests/unit/unit.h"

#include "toolchain/npu/network.h"
#include "toolchain/npu/parse.h"

#define BANNER                                                                                     \
    "/*\n * GIT_SHA         \"67709\"\n * GIT_DESCRIPTION \"atonn-v1.1.3-8-g8036\"\n"              \
    " * BUILD_DATE      \"25/06/2025\"\n *\n * Command Line options:\n"                            \
    " * --load-mpool-file = \"C:\\a b\\my_mpools\\app2\"\n * --Os = true\n"                        \
    " * --onnx-input = \"/home/x/model_OE.onnx\"\n * --bare\n */\n"
#define ASKS(major, minor, micro, dev)                                                             \
    "LL_ATON_VERSION_MAJOR != " major " || LL_ATON_VERSION_MINOR != " minor                        \
    " || LL_ATON_VERSION_MICRO != " micro " || LL_ATON_VERSION_DEV != " dev
#define VERSION "#if " ASKS("1", "2", "3", "8") "\n#  error \"mismatch\"\n#endif\n"
/* id, used, postfix, name, offset, mode, size, access, cacheable */
#define POOL(id, used, postfix, name, rest)                                                        \
    "/* global pool " id " is " used " */\n/* index=" id " file postfix=" postfix " name=" name    \
    " offset=" rest " byte width=2 score=82  */\n"
#define FLASH                                                                                      \
    POOL("8", "1.50 KB", "xSPI2", "octoFlash",                                                     \
         "0x71000000  relative_mode size=4096 READ_ONLY cacheable=ON")
#define RAM                                                                                        \
    POOL("1", "?", "RAM", "npuRAM", "0x342e0000  absolute_mode size=1024 READ_WRITE cacheable=OFF")
#define LABEL "extern unsigned char _mem_pool_xSPI2_net[]; /* [1536]; */\n"
#define EPOCHS(rows)                                                                               \
    "const EpochBlock_ItemTypeDef *LL_ATON_EpochBlockItems_net(void) {\n"                          \
    "  static const EpochBlock_ItemTypeDef ll_atonn_rt_epoch_block_array[] = {\n" rows             \
    "    {\n      .flags = EpochBlock_Flags_last_eb,\n    },\n  };\n\n"                            \
    "  return ll_atonn_rt_epoch_block_array;\n}\n"
#define TABLE(kind, arrays, rows)                                                                  \
    "const LL_Buffer_InfoTypeDef *LL_ATON_" kind "_Buffers_Info_net(void)\n{\n" arrays             \
    "  static const LL_Buffer_InfoTypeDef buff_info[] = {\n" rows                                  \
    "    {\n      .name = NULL,\n    }\n  };\n\n  return buff_info;\n}\n"
#define NO_TABLE(kind)                                                                             \
    "const LL_Buffer_InfoTypeDef *LL_ATON_" kind "_Buffers_Info_net(void)\n"                       \
    "{\n  return NULL;\n}\n"
#define ROW(base, start, end, more)                                                                \
    "{ .name = \"b\", .addr_base = {" base "}, .offset_start = " start ", .offset_end = " end      \
    ", " more "},\n"
#define PLAIN  ROW("(unsigned char *)(0x342e0000UL)", "0", "64", "")
#define TABLES TABLE("Input", "", PLAIN) TABLE("Output", "", PLAIN) NO_TABLE("Internal")
#define HEAD   BANNER VERSION FLASH LABEL RAM

static bool parse(struct unit *u, const char *text, struct rp_aton *out) {
    size_t size = strlen(text);
    char *exact = unit_exact(text, size);
    bool ok = rp_aton_parse(out, &u->arena, &(struct rp_aton_text){"net.c", exact, size}, &u->err);
    free(exact); /* nothing may point into it */
    return ok;
}

static void refuse(struct unit *u, const char *text, const char *part) {
    struct rp_aton aton;
    REFUSED(u, parse(u, text, &aton), RP_E_ATON, part);
}

static void reads_the_banner(void **state) {
    struct unit *u = *state;
    struct rp_aton aton;
    ACCEPTED(u, parse(u, HEAD EPOCHS("") TABLES, &aton));
    assert_string_equal(aton.git_description, "atonn-v1.1.3-8-g8036");
    assert_string_equal(aton.git_sha, "67709");
    assert_string_equal(aton.build_date, "25/06/2025");
    assert_string_equal(aton.model_file, "model_OE.onnx");
    assert_string_equal(aton.mpool_file, "app2");
    assert_int_equal(aton.options.count, 4);
    assert_string_equal(rp_aton_option(&aton, "Os"), "true");
    assert_string_equal(rp_aton_option(&aton, "bare"), "");
    assert_null(rp_aton_option(&aton, "all-buffers-info"));
    assert_string_equal(aton.network, "net");
    assert_true(aton.version.known && aton.version.is_error);
    assert_int_equal(aton.version.major, 1);
    assert_int_equal(aton.version.minor, 2);
    assert_int_equal(aton.version.micro, 3);
    assert_int_equal(aton.version.dev, 8);
    assert_null(aton.blobs_header);
    assert_false(aton.user_inputs || aton.user_outputs);
}

static void reads_without_a_banner(void **state) {
    struct unit *u = *state;
    struct rp_aton aton;
    ACCEPTED(u, parse(u, FLASH LABEL RAM EPOCHS("") TABLES, &aton));
    assert_string_equal(aton.git_description, "");
    assert_string_equal(aton.model_file, "");
    assert_false(aton.version.known);
    ACCEPTED(u, parse(u,
                      "#if " ASKS("1", "2", "3",
                                  "8") "\n#warning \"x\"\n#endif\n#error \"y\"\n" FLASH LABEL RAM
                          EPOCHS("") TABLES,
                      &aton));
    assert_true(aton.version.known && !aton.version.is_error);
    assert_int_equal(aton.version.minor, 2);
}

static void reads_pools(void **state) {
    struct unit *u = *state;
    struct rp_aton aton;
    ACCEPTED(u, parse(u,
                      HEAD POOL("11", "2.00 MB", "RAM_Z", "a_b",
                                "0x34100000 absolute_mode size=100 vpool READ_WRITE cacheable=OFF")
                          POOL("2", "7 bytes", "AUX", "aux ram",
                               "0x35000000 absolute_mode size=0 READ_WRITE cacheable=ON format=hex")
                              EPOCHS("") TABLES,
                      &aton));
    const struct rp_aton_pool *pools = aton.pools.items;
    assert_int_equal(aton.pools.count, 4);
    assert_int_equal(pools[0].id, 8);
    assert_string_equal(pools[0].postfix, "xSPI2");
    assert_string_equal(pools[0].name, "octoFlash");
    assert_int_equal(pools[0].declared_bytes, 1536);
    assert_int_equal(pools[0].offset, 0x71000000);
    assert_int_equal(pools[0].size_bytes, 4096);
    assert_true(!pools[0].is_absolute && !pools[0].is_writable && pools[0].is_cacheable);
    assert_string_equal(pools[0].label, "_mem_pool_xSPI2_net");
    assert_int_equal(pools[0].label_bytes, 1536);
    assert_true(pools[1].is_absolute && pools[1].is_writable && !pools[1].is_cacheable);
    assert_int_equal(pools[1].declared_bytes, 0);
    assert_null(pools[1].label);
    assert_true(pools[2].is_virtual && !pools[1].is_virtual && !pools[3].is_virtual);
    assert_int_equal(pools[2].declared_bytes, 2 * 1024 * 1024);
    assert_string_equal(pools[3].name, "aux ram");
    assert_string_equal(pools[3].format, "hex");
    assert_null(pools[2].format);
    assert_int_equal(pools[3].declared_bytes, 7);
}

/* Some do not say vpool: a pool whose parts are all pools is virtual. */
static void knows_virtual_pools_by_their_parts(void **state) {
    struct unit *u = *state;
    struct rp_aton aton;
    ACCEPTED(u, parse(u,
                      RAM POOL("2", "?", "AUX", "a",
                               "0x1000 absolute_mode size=1 READ_WRITE "
                               "cacheable=OFF") POOL("3", "?", "RAM_AUX", "v",
                                                     "0x1000 absolute_mode size=1 READ_WRITE "
                                                     "cacheable=OFF")
                          POOL("4", "?", "RAM_X", "w",
                               "0x1000 absolute_mode size=1 READ_WRITE cacheable=OFF") EPOCHS("")
                              TABLES,
                      &aton));
    assert_true(aton.pools.items[2].is_virtual);
    assert_false(aton.pools.items[3].is_virtual);
}

#define SECOND                                                                                     \
    POOL("7", "1 B", "xSPI1", "hyperRAM",                                                          \
         "0x90000000 relative_mode size=64 READ_WRITE cacheable=ON")

static void matches_labels_by_name(void **state) {
    struct unit *u = *state;
    struct rp_aton aton;
    static const char *const orders[] = {
        FLASH SECOND "extern unsigned char _mem_pool_xSPI1_net[]; /* [9] */\n" LABEL,
        "extern unsigned char _mem_pool_hyperRAM_net[]; /* [9] */\n" LABEL FLASH SECOND,
        SECOND LABEL FLASH "extern unsigned char _mem_pool_xSPI1_other[]; /* [9]; */\n"};
    for (size_t i = 0; i < COUNT(orders); i++) {
        ACCEPTED(u,
                 parse(u, rp_format(&u->arena, "%s%s", orders[i], RAM EPOCHS("") TABLES), &aton));
        for (size_t k = 0; k < 2; k++) {
            const struct rp_aton_pool *pool = &aton.pools.items[k];
            CONTAINS(pool->label, pool->id == 8 ? "_xSPI2_net" : "_mem_pool_");
            assert_int_equal(pool->label_bytes, pool->id == 8 ? 1536 : 9);
        }
    }
}

static void refuses_labels(void **state) {
    struct unit *u = *state;
    refuse(u, FLASH LABEL "extern unsigned char _mem_pool_else_net[];\n" EPOCHS("") TABLES,
           "net.c:4: the label '_mem_pool_else_net' fits no relative pool of the network 'net': "
           "pool 8 (xSPI2, octoFlash)");
    refuse(u,
           FLASH LABEL POOL("9", "?", "AUX", "xSPI2",
                            "0x1000 relative_mode size=1 READ_ONLY cacheable=ON") EPOCHS("") TABLES,
           "net.c:3: the label '_mem_pool_xSPI2_net' fits two relative pools: 8 (xSPI2, "
           "octoFlash), line 2, and 9 (AUX, xSPI2), line 5");
    refuse(u, FLASH LABEL "extern unsigned char _mem_pool_octoFlash_net[];\n" EPOCHS("") TABLES,
           "'_mem_pool_xSPI2_net', line 3, and '_mem_pool_octoFlash_net' are of the same pool 8");
    refuse(u, FLASH EPOCHS("") TABLES,
           "net.c:2: the relative pool 8 (xSPI2, octoFlash) is used, and there is no label "
           "_mem_pool_xSPI2_net");
    refuse(u, RAM LABEL EPOCHS("") TABLES,
           "fits no relative pool of the network 'net': it has none");
    struct rp_aton aton; /* an unused one needs none */
    ACCEPTED(
        u, parse(u,
                 RAM POOL("9", "?", "x", "y", "0x1000 relative_mode size=1 READ_ONLY cacheable=ON")
                     EPOCHS("") TABLES,
                 &aton));
}

static void refuses_pools(void **state) {
    struct unit *u = *state;
    static const struct {
        const char *text;
        const char *part;
    } cases[] = {
        {"/* global pool x is 1 B */", "net.c:1: the comment with a pool's used size"},
        {"/* global pool 1 is 1 XB */", "used size is not understood"},
        {"/* global pool 1 is 1.5.5 KB */", "used size is not understood"},
        {RAM "/* global pool 9 is ? */", "net.c:3: pool 9 has a used size and no description"},
        {RAM "/* global pool 1 is ? */", "net.c:3: pool 1 has a used size already on line 1"},
        {"/* index=1 file postfix=a name=b offset=0x1 size=1 READ_ONLY cacheable=ON */",
         "pool 1 has a description and no used size"},
        {"/* index=1 file name=b postfix=a offset=0x1 */", "describes a pool is not understood"},
        {"/* index=q file postfix=a name=b offset=0x1 */", "describes a pool is not understood"},
        {POOL("1", "?", "a", "b", "zero size=1 READ_ONLY cacheable=ON"), "is not a 32-bit address"},
        {POOL("1", "?", "a", "b", "0x100000000 size=1"), "is not a 32-bit address"},
        {POOL("1", "?", "a", "b", "0x1 READ_ONLY cacheable=ON"), "pool 1: size= is missing"},
        {POOL("1", "?", "a", "b", "0x1 size=1 cacheable=ON"), "READ_ONLY or READ_WRITE is missing"},
        {POOL("1", "?", "a", "b", "0x1 size=1 READ_ONLY"), "pool 1: cacheable= is missing"},
        {POOL("1", "?", "a", "b", "0x1 size=1k READ_ONLY"), "pool 1: 'size=1k' is not understood"},
        {POOL("1", "?", "a", "b", "0x1 size=1 cacheable=MAYBE"), "'cacheable=MAYBE'"},
        {POOL("1", "?", "a", "b", "0xFFFFFFFF size=2 READ_ONLY cacheable=ON"),
         "ends outside the address space"},
        {RAM POOL("2", "?", "RAM", "other", "0x1 absolute_mode size=1 READ_WRITE cacheable=OFF"),
         "net.c:4: pools 1, on line 2, and 2 have the same postfix RAM"},
        {RAM RAM, "already on line 1: this file seems to hold two networks"},
        {"", "the comments that describe the memory pools are missing"}};
    for (size_t i = 0; i < COUNT(cases); i++)
        refuse(u, rp_format(&u->arena, "%s\n%s", cases[i].text, EPOCHS("") TABLES), cases[i].part);
}

static const struct rp_aton_buffer *only(struct unit *u, const char *arrays, const char *row) {
    static struct rp_aton aton;
    const char *text =
        rp_format(&u->arena, "%s%s%s%s%s", HEAD EPOCHS("") NO_TABLE("Input") NO_TABLE("Output"),
                  "const LL_Buffer_InfoTypeDef *LL_ATON_Internal_Buffers_Info_net(void)\n{\n",
                  arrays, "static const LL_Buffer_InfoTypeDef buff_info[] = {\n",
                  rp_format(&u->arena, "%s{ .name = NULL, }\n};\nreturn buff_info;\n}\n", row));
    ACCEPTED(u, parse(u, text, &aton));
    assert_int_equal(aton.buffers.count, 1);
    assert_int_equal(aton.rows[RP_ATON_INTERNAL], 1);
    return &aton.buffers.items[0];
}

static void reads_a_whole_row(void **state) {
    struct unit *u = *state;
    const struct rp_aton_buffer *buffer =
        only(u,
             "static const uint32_t shape_a[] = { 1, 128, 0x80, 2 };\n"
             "#if LL_ATON_DBG_BUFFER_INFO_EXCLUDED == 0\n"
             "static const uint32_t mem_a[] = { 1, 2, };\n"
             "static const float a_scale[] = { 0.5, -2e-1f };\n"
             "static const int16_t a_offset[] = { -128, 7 };\n#endif\n",
             "#if LL_ATON_DBG_BUFFER_INFO_EXCLUDED == 0\n"
             "{ .name = \"Conv \\\"1\\\"\" \"_weights\",\n"
             ".addr_base = {(unsigned char *)ATON_LIB_VIRTUAL_TO_PHYSICAL_ADDR((uintptr_t)"
             "_mem_pool_xSPI2_net) /* Equivalent hex address = 0x71000000UL */},\n"
             ".offset_start = 100, .offset_end = 0x100, .offset_limit = 320,\n"
             ".is_user_allocated = 0, .is_param = 1, .epoch = 3, .batch = 8,\n"
             ".mem_shape = mem_a, .mem_ndims = 2, .chpos = CHPos_Mixed, .Qm = 7, .Qn = -5,\n"
             ".Qunsigned = 1, .type = DataType_INT8, .nbits = 8, .ndims = 4, .shape = shape_a,\n"
             ".per_channel = 1, .scale = a_scale, .offset = a_offset, .from_the_future = f(1), },\n"
             "#endif // LL_ATON_DBG_BUFFER_INFO_EXCLUDED == 0\n");
    assert_string_equal(buffer->name, "Conv \"1\"_weights");
    assert_int_equal(buffer->table, RP_ATON_INTERNAL);
    assert_string_equal(buffer->label, "_mem_pool_xSPI2_net");
    assert_true(buffer->start == 100 && buffer->end == 256 && buffer->limit == 320);
    assert_true(buffer->is_param && !buffer->is_user_allocated && buffer->is_per_channel);
    assert_true(buffer->epoch == 3 && buffer->batch == 8 && buffer->nbits == 8);
    assert_true(buffer->Qm == 7 && buffer->Qn == -5 && buffer->is_Qunsigned);
    assert_string_equal(buffer->type, "DataType_INT8");
    assert_string_equal(buffer->channels, "CHPos_Mixed");
    assert_int_equal(buffer->shape.count, 4);
    assert_int_equal(buffer->shape.items[2], 128);
    assert_int_equal(buffer->mem_shape.count, 2);
    assert_int_equal(buffer->scale.count, 2);
    assert_true(buffer->scale.items[0] == 0.5 && buffer->scale.items[1] == -0.2);
    assert_int_equal(buffer->offset.items[0], -128);
}

static void reads_both_forms_of_addresses(void **state) {
    struct unit *u = *state;
    static const struct {
        const char *row;
        const char *label;
        uint64_t base, start, end, limit;
    } cases[] = {
        {".addr_base = {(unsigned char *)(0x342e0000UL)}, .offset_start = 16, .offset_end = 80, "
         ".offset_limit = 144",
         NULL, 0x342e0000, 0x342e0010, 0x342e0050, 0x342e0090},
        {".addr_base = {(unsigned char *)__LL_ATON_LIB_VIRTUAL_TO_PHYSICAL_ADDR(0x10UL)}, "
         ".offset_start = 1, .offset_end = 2",
         NULL, 0x10, 0x11, 0x12, 0x12},
        {".addr_start = {((unsigned char *)(0x34200000UL + 0))}, .addr_end = {((unsigned char "
         "*)(0x34200000UL + 64))}, .addr_limit = {((unsigned char *)(0x34200000UL + 72))}",
         NULL, 0, 0x34200000, 0x34200040, 0x34200048},
        {".addr_start = {((unsigned char *)((_mem_pool_xSPI2_net) + 8))}, .addr_end = {((unsigned "
         "char *)((_mem_pool_xSPI2_net) + 9))}, .addr_limit = {((unsigned char "
         "*)((uintptr_t)_mem_pool_xSPI2_net + 10))}",
         "_mem_pool_xSPI2_net", 0, 8, 9, 10},
        {".addr_base = {((unsigned char *)&_mem_pool__user_io_input_0_net)}, .offset_start = 0, "
         ".offset_end = 4, .is_user_allocated = 1",
         "_mem_pool__user_io_input_0_net", 0, 0, 4, 4}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct rp_aton_buffer *buffer =
            only(u, "", rp_format(&u->arena, "{ .name = \"b\", %s },\n", cases[i].row));
        if (cases[i].label == NULL)
            assert_null(buffer->label);
        else
            assert_string_equal(buffer->label, cases[i].label);
        assert_true(buffer->base == cases[i].base && buffer->start == cases[i].start);
        assert_true(buffer->end == cases[i].end && buffer->limit == cases[i].limit);
        assert_true(buffer->epoch == -1 && buffer->shape.items == NULL);
        assert_string_equal(buffer->type, "");
    }
}

static void refuses_rows(void **state) {
    struct unit *u = *state;
#define AT ".addr_base = {0x10}, .offset_start = 0, .offset_end = 1"
    static const struct {
        const char *row;
        const char *part;
    } cases[] = {
        {"{ .name = \"b\" },", "a buffer has to have either .addr_base"},
        {"{ .name = \"b\", .addr_base = {1}, .offset_start = 0 },", "either .addr_base"},
        {"{ .name = \"b\", " AT ", .addr_start = {1} },", "either .addr_base"},
        {"{ .name = \"b\", .addr_base = {x ? 1 : 2}, .offset_start = 0, .offset_end = 1 },",
         "a value that is not understood: '{x ? 1 : 2}'"},
        {"{ .name = \"b\", .addr_base = {f(1)}, .offset_start = 0, .offset_end = 1 },", "'{f(1)}'"},
        {"{ .name = \"b\", .addr_base = {1}, .offset_start = x, .offset_end = 1 },",
         "an offset that is not a number"},
        {"{ .name = \"b\", .addr_base = {1}, .offset_start = 2, .offset_end = 1 },",
         "buffer 'b': from 0x3 to 0x2 is not a range of addresses"},
        {"{ .name = \"b\", .addr_base = {1}, .offset_start = -2, .offset_end = 1 },",
         "not a range"},
        {"{ .name = \"b\", .addr_base = {1}, .offset_start = 0, .offset_end = 0x100000000 },",
         "not a range"},
        {"{ .name = \"b\", .addr_base = {1}, .offset_start = 0, .offset_end = "
         "0x7fffffffffffffff },",
         "more than 32 bits"},
        {"{ .name = \"b\", .addr_start = {a + 1}, .addr_end = {b + 2} },", "of different labels"},
        {"{ .name = \"b\", .addr_start = {a}, .addr_end = {a + 2}, .addr_limit = {b + 2} },",
         "of different labels"},
        {"{ .name = \"b\", .addr_base = {&a}, .offset_start = 0, .offset_end = 1 },",
         "the address of 'a' is understood of user-allocated buffers only"},
        {"{ .name = \"b\", " AT ", .epoch = 4294967296 },", "not a number of 32 bits"},
        {"{ .name = \"b\", " AT ", .is_param = yes },", "not a number of 32 bits: 'yes'"},
        {"{ .name = \"b\", " AT ", .type = 5 },", "not a name: '5'"},
        {"{ .name = \"b\", " AT ", .shape = none },", "there is no array 'none' of integers"},
        {"{ .name = \"b\", " AT ", .shape = r },", "there is no array 'r' of integers"},
        {"{ .name = \"b\", " AT ", .scale = s },", "no array 's' of floating-point numbers"},
        {"{ .name = \"b\", " AT ", .ndims = 3, .shape = s },",
         "'s' has 2 numbers, and its ndims is 3"},
        {"{ .name = \"b\", " AT ", .epoch = 1, .epoch = 2 },", ".epoch is there twice in a row"},
        {"{ .name = \"b\", " AT ", .epoch = },", "a member without a value"},
        {"{ .name = other, " AT " },", "not a string: 'other'"},
        {"{ .name = \"b\" x, " AT " },", "not a string: '\"b\" x'"},
        {"{ \"b\", 1, 2 },", "'.member = value' expected in a row, not '\"b\"'"},
        {"{ .name \"b\" },", "expected in a row, not '.name \"b\"'"},
        {"{ .name = NULL }, { .name = \"b\", " AT " },", "a row after the one that ends"},
        {"\n#else\n{ .name = \"b\", " AT " },", "a table with #else is not understood"},
        {"\n#include \"rows.h\"\n", "a table with #include is not understood"},
        {"5,", "'{' expected in front of '5'"}};
    for (size_t i = 0; i < COUNT(cases); i++)
        refuse(u,
               rp_format(&u->arena, "%s%s%s%s", HEAD EPOCHS("") NO_TABLE("Input"),
                         "const LL_Buffer_InfoTypeDef *LL_ATON_Output_Buffers_Info_net(void)\n{\n"
                         "static const uint32_t s[] = {1, 2};\nstatic const float r[] = {1};\n"
                         "static const LL_Buffer_InfoTypeDef buff_info[] = {\n",
                         cases[i].row, "{ .name = NULL }\n};\nreturn buff_info;\n}\n"),
               cases[i].part);
}

static void refuses_bodies(void **state) {
    struct unit *u = *state;
    static const struct {
        const char *body;
        const char *part;
    } cases[] = {
        {"static const uint32_t a[] = {1}, b[] = {2}; return NULL;", "';' expected"},
        {"static const uint32_t a[] = {-1}; return NULL;", "not a number of type uint32_t: '-1'"},
        {"static const int16_t a[] = {40000}; return NULL;", "not a number of type int16_t"},
        {"static const float a[] = {1, x}; return NULL;", "not a number of type float: 'x'"},
        {"static const float a[] = {[3] = 1}; return NULL;", "type float: '[3] = 1'"},
        {"static const float a[] = {1}; static const float a[] = {1}; static const "
         "LL_Buffer_InfoTypeDef t[] = {{.name = NULL}}; return t;",
         "the array 'a' is there twice"},
        {"if (x) { return NULL; }", "only tables and a return are understood"},
        {"return table;", "'return table' is not understood"},
        {"static const LL_Buffer_InfoTypeDef t[] = {{.name = NULL}}; return NULL;",
         "'return NULL' is not understood"},
        {"static const LL_Buffer_InfoTypeDef t[] = {{.name = NULL}}; return u;", "'return u'"},
        {"static const LL_Buffer_InfoTypeDef t[] = {{.name = NULL}};", "returns nothing"},
        {"static const LL_Buffer_InfoTypeDef t[] = {}; return t;",
         "that ends the table is missing"},
        {"static const LL_Buffer_InfoTypeDef t[] = {{.name = NULL}}, *u = t; return t;",
         "';' expected"},
        {"static const LL_Buffer_InfoTypeDef t[] = {{.name = NULL}}; static const "
         "LL_Buffer_InfoTypeDef u[] = {{.name = NULL}}; return u;",
         "a second table"}};
    for (size_t i = 0; i < COUNT(cases); i++)
        refuse(u,
               rp_format(&u->arena, "%s%s%s}\n", HEAD EPOCHS("") NO_TABLE("Input"),
                         "const LL_Buffer_InfoTypeDef *LL_ATON_Output_Buffers_Info_net(void)\n{\n",
                         cases[i].body),
               cases[i].part);
}

static void reads_epochs(void **state) {
    struct unit *u = *state;
    struct rp_aton aton;
    static const enum rp_aton_epoch_kind kinds[] = {RP_ATON_EPOCH_HW,       RP_ATON_EPOCH_SW,
                                                    RP_ATON_EPOCH_HYBRID,   RP_ATON_EPOCH_BLOB,
                                                    RP_ATON_EPOCH_INTERNAL, RP_ATON_EPOCH_OTHER};
    ACCEPTED(
        u, parse(u,
                 HEAD EPOCHS(
                     "{ .start_epoch_block = Start_1, .end_epoch_block = End_1, .wait_mask = 0x1,\n"
                     ".flags = EpochBlock_Flags_epoch_start | EpochBlock_Flags_pure_hw,\n"
                     "#ifdef LL_ATON_EB_DBG_INFO\n.epoch_num = 1,\n.last_epoch_num = 2,\n"
                     "#endif // LL_ATON_EB_DBG_INFO\n},\n"
                     "{ .start_epoch_block = NULL, .flags = EpochBlock_Flags_pure_sw },\n"
                     "{ .flags = EpochBlock_Flags_hybrid },\n"
                     "{ .blob_address = (uintptr_t)(_ec_blob_net_4_address), .flags = "
                     "EpochBlock_Flags_blob | EpochBlock_Flags_pure_hw | (MUST_DECRYPT ? "
                     "EpochBlock_Flags_last_eb : EpochBlock_Flags_NONE) },\n"
                     "{ .flags = EpochBlock_Flags_internal | EpochBlock_Flags_pure_hw },\n"
                     "{ .flags = EpochBlock_Flags_NONE },\n") TABLES,
                 &aton));
    assert_int_equal(aton.epochs.count, COUNT(kinds));
    for (size_t i = 0; i < COUNT(kinds); i++)
        assert_int_equal(aton.epochs.items[i].kind, kinds[i]);
    assert_string_equal(aton.epochs.items[0].start_function, "Start_1");
    assert_string_equal(aton.epochs.items[0].end_function, "End_1");
    assert_true(aton.epochs.items[0].epoch_num == 1 && aton.epochs.items[0].last_epoch_num == 2);
    assert_null(aton.epochs.items[1].start_function);
    assert_true(aton.epochs.items[1].epoch_num == -1);
    assert_string_equal(aton.epochs.items[3].blob, "_ec_blob_net_4_address");
    refuse(u, HEAD EPOCHS("{ .flags = EpochBlock_Flags_blob },") TABLES, "without .blob_address");
    refuse(u, HEAD EPOCHS("{ .flags = EpochBlock_Flags_last_eb },") TABLES, "a row after the one");
}

/* The type of the rows changed its name between 1.1.3-8 and 1.1.3-275. */
static void reads_the_newer_epochs(void **state) {
    struct unit *u = *state;
    struct rp_aton aton;
    ACCEPTED(u,
             parse(u,
                   HEAD "const LL_ATON_RT_EpochBlockItem_t *LL_ATON_EpochBlockItems_net(void) {\n"
                        "static const LL_ATON_RT_EpochBlockItem_t a[] = {\n"
                        "{ .flags = EpochBlock_Flags_pure_sw },\n"
                        "{ .flags = EpochBlock_Flags_last_eb } };\nreturn a;\n}\n" TABLES,
                   &aton));
    assert_int_equal(aton.epochs.count, 1);
    refuse(u,
           HEAD "const X *LL_ATON_EpochBlockItems_net(void) {\nstatic const Unknown a[] = {\n"
                "{ .flags = EpochBlock_Flags_last_eb } };\nreturn a;\n}\n" TABLES,
           "'return a' is not understood");
    refuse(u, HEAD "const X *LL_ATON_EpochBlockItems_net(void) { return NULL; }\n" TABLES,
           "no row has EpochBlock_Flags_last_eb");
}

static void finds_calls_and_includes(void **state) {
    struct unit *u = *state;
    struct rp_aton aton;
    ACCEPTED(u, parse(u,
                      HEAD "#include <x_ecblobs.h>\n#include \"sub/net_ecblobs.h\"\n"
                           "typedef struct { int a; } s;\nstruct t { int b; } u = { 1 };\n"
                           "int (*table[2])(void) = { 0 }, after = 1;\n"
                           "extern \"C\" {\nvoid declared(void) { LL_ATON_LIB_Split(1); }\n}\n"
                           "static void LL_ATON_Start_EpochBlock_1(const void *b)\n{\n"
                           "  LL_ATON_LIB_UNUSED(b);\n  LL_ATON_LIB_Concat(1);\n"
                           "  { ll_sw_forward_conv(&x); LL_ATON_LIB_Cast (2); }\n"
                           "  LL_ATON_LIB_Concat(3); /* LL_ATON_LIB_Not(1) */ LL_ATON_LIB_No = 1;\n"
                           "};\n" EPOCHS("") TABLES,
                      &aton));
    assert_string_equal(aton.blobs_header, "sub/net_ecblobs.h");
    assert_false(aton.blobs_system);
    assert_int_equal(aton.functions.count, 3);
    assert_string_equal(aton.functions.items[0], "LL_ATON_LIB_Cast");
    assert_string_equal(aton.functions.items[1], "LL_ATON_LIB_Concat");
    assert_string_equal(aton.functions.items[2], "LL_ATON_LIB_Split");
    assert_int_equal(aton.sw_kernels.count, 1);
    assert_string_equal(aton.sw_kernels.items[0], "ll_sw_forward_conv");
}

static void records_missing_and_user_tables(void **state) {
    struct unit *u = *state;
    struct rp_aton aton;
#define USER ROW("&user", "0", "8", ".is_user_allocated = 1")
    REFUSED(u, parse(u, HEAD EPOCHS("") TABLE("Input", "", USER) NO_TABLE("Output"), &aton),
            RP_E_ATON, "the function with the internal buffers of 'net' is missing");
    ACCEPTED(u,
             parse(u,
                   HEAD EPOCHS("") TABLE("Input", "", USER) NO_TABLE("Output") NO_TABLE("Internal"),
                   &aton));
    assert_true(aton.user_inputs && !aton.user_outputs);
    assert_int_equal(aton.rows[RP_ATON_INPUT], 1);
    assert_int_equal(aton.rows[RP_ATON_INTERNAL], 0);
    ACCEPTED(u, parse(u,
                      HEAD EPOCHS("") NO_TABLE("Input") TABLE("Output", "", USER PLAIN)
                          TABLE("Internal", "", ""),
                      &aton));
    assert_true(!aton.user_inputs && aton.user_outputs);
    assert_int_equal(aton.rows[RP_ATON_OUTPUT], 2);
    assert_int_equal(aton.rows[RP_ATON_INTERNAL], 0);
}

static void takes_arrays_at_file_scope(void **state) {
    struct unit *u = *state;
    struct rp_aton aton;
    ACCEPTED(u,
             parse(u,
                   HEAD "static const uint32_t buff_info_shape[] = { 3, 4 };\n"
                        "static const uint32_t other[] = { f(1) };\n" EPOCHS("") NO_TABLE("Input")
                            TABLE("Output", "", ROW("1", "0", "8", ".shape = buff_info_shape"))
                                NO_TABLE("Internal"),
                   &aton));
    assert_int_equal(aton.buffers.items[0].shape.items[1], 4);
}

static void refuses_other_files(void **state) {
    struct unit *u = *state;
    struct rp_aton aton;
    refuse(u, "", "net.c:1: no function LL_ATON_EpochBlockItems_<name>");
    refuse(u, "int main(void) {\n  return 0;\n}\n", "this is not a network of the Neural-ART");
    refuse(u, HEAD EPOCHS("") NO_TABLE("Output"), "with the input buffers of 'net' is missing");
    refuse(u, HEAD EPOCHS("") EPOCHS("") TABLES, "'LL_ATON_EpochBlockItems_net' is there twice");
    refuse(u, HEAD EPOCHS("") TABLES NO_TABLE("Input"), "is there twice");
    refuse(u, HEAD EPOCHS("") TABLES "const X *LL_ATON_EpochBlockItems_two(void) {}\n",
           "functions of two networks, 'net' and 'two', are in this file");
    refuse(u, "const X *LL_ATON_EpochBlockItems_(void) {}\n", "without the network's name");
    REFUSED(u, parse(u, HEAD EPOCHS("") TABLES "}\n", &aton), RP_E_INPUT, "without an opening one");
    REFUSED(u, parse(u, "int f(void) {\n{\n}\n", &aton), RP_E_INPUT,
            "net.c:1: a brace is not closed");
    REFUSED(u, parse(u, "int a = {\n", &aton), RP_E_INPUT, "net.c:1: a brace is not closed");
    REFUSED(u, parse(u, "int a", &aton), RP_E_INPUT, "net.c:1: a declaration does not end");
    REFUSED(u, parse(u, "int a = 1", &aton), RP_E_INPUT, "a declaration does not end");
    REFUSED(u, parse(u, "char *a = \"b\n", &aton), RP_E_INPUT, "net.c:1: a string is not closed");
}

/* A text cut off anywhere is refused, and never read past its end. */
static void refuses_every_prefix(void **state) {
    struct unit *u = *state;
    static const char text[] =
        HEAD EPOCHS("{ .flags = EpochBlock_Flags_pure_sw },") NO_TABLE("Internal")
            TABLE("Input", "static const float a[] = { 1, 2 };", PLAIN) TABLE("Output", "", PLAIN);
    struct rp_aton aton;
    ACCEPTED(u, parse(u, text, &aton));
    for (size_t len = 0; len + 2 < sizeof text; len++) {
        if (parse(u, rp_strndup(&u->arena, text, len), &aton) || u->err.id == 0)
            fail_msg("accepted %zu of %zu bytes", len, sizeof text - 1);
        u->err = (struct rp_error){0};
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(reads_the_banner),
        UNIT(reads_without_a_banner),
        UNIT(reads_pools),
        UNIT(knows_virtual_pools_by_their_parts),
        UNIT(matches_labels_by_name),
        UNIT(refuses_labels),
        UNIT(refuses_pools),
        UNIT(reads_a_whole_row),
        UNIT(reads_both_forms_of_addresses),
        UNIT(refuses_rows),
        UNIT(refuses_bodies),
        UNIT(reads_epochs),
        UNIT(reads_the_newer_epochs),
        UNIT(finds_calls_and_includes),
        UNIT(records_missing_and_user_tables),
        UNIT(takes_arrays_at_file_scope),
        UNIT(refuses_other_files),
        UNIT(refuses_every_prefix),
    };
    return RUN(tests);
}
