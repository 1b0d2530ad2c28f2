/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes the fuzz targets' seeds, small valid inputs: make_seeds FOLDER TARGET... makes
 * FOLDER/TARGET/ with some files in each. Built from the unit tests' builders.
 */
#include <elf.h>

#include "base/file.h"
#include "cli/tensors/npy.h"
#include "elfpack/elf/exports.h"
#include "tests/fuzz/seeds.h"
#include "tests/unit/elf_builder.h"
#include "tests/unit/image_sample.h"
#include "tests/unit/model_builder.h"
#include "tests/unit/sample.h"
#include "tests/unit/unit.h"

struct rp_arena seed_arena;
struct rp_error seed_err;

void seed_check(bool ok) {
    if (ok)
        return;
    (void)fprintf(stderr, "make_seeds: %s\n", seed_err.message);
    exit(1);
}

void seed_put(const char *dir, const char *name, const void *data, size_t size) {
    seed_check(rp_file_write(rp_format(&seed_arena, "%s/%s", dir, name), data, size, &seed_err));
}

static void put_text(const char *dir, const char *name, const char *text) {
    seed_put(dir, name, text, strlen(text));
}

static void seed_cdecl(const char *dir) {
    put_text(dir, "onnx2c",
             "# 1 \"n.c\"\ntypedef signed char int8_t;\nstatic const float w[2] = "
             "{1.0f, 0x2};\nvoid entry(const float a[1][28], int8_t *restrict b) {\n"
             "  char c = '\\''; /* } */ }\n");
    put_text(dir, "odd",
             "__attribute__((aligned(4), section(\".x\"))) static long unsigned int "
             "f(float (*a)[(2+3)*4], double const b[static 1], ...) { \"}\"; // }\n}\n");
    put_text(dir, "system",
             "# 3 \"/usr/x.h\" 1 3\nstruct s { int a; } x = {.a = 1};\nint g(void) "
             "{}\n#pragma x\n_Static_assert(1, \"\");\n");
}

/* What a server says in the order in which the target asks. */
static void seed_gdb(const char *dir) {
    static const char *const answers[] = {
        "PacketSize=400;qXfer:features:read+;qXfer:memory-map:read+;binary-upload+",
        "QC1",
        "l<target><reg name=\"pc\" bitsize=\"32\"/><reg name=\"xpsr\" bitsize=\"32\" "
        "regnum=\"25\"/><xi:include href=\"target.xml\"/></target>",
        "QC1",
        "T05thread:1;",
        "QC1",
        "78563412",
        "QC1",
        "OK",
        "QC1",
        "b0* ",
        "E01",
        "QC1",
        "",
        "QC1",
        "OK",
        "QC1",
        "O6869",
        "OK",
        "QC1",
        "l<memory type='flash' start='0x8000000' length='0x800'><property "
        "name='blocksize'>0x400</property></memory>",
        "QC1",
        "E.text",
        "QC1",
        "OK",
        "QC1",
        "T05"};
    struct rp_buf text = {.arena = &seed_arena};
    rp_buf_puts(&text, "=");
    for (size_t i = 0; i < COUNT(answers); i++)
        rp_buf_printf(&text, "%s\n", answers[i]);
    put_text(dir, "bytes", "+-$OK#9a%Stop#00\n$O6869#0c\n+$0* #7a");
    seed_put(dir, "session", text.data, text.len);
    put_text(dir, "map", answers[20] + 1);
    put_text(dir, "registers", answers[2] + 1);
}

static void seed_glow(const char *dir) {
    put_text(dir, "bundle",
             "// Glow Tools version: 1\n//   Name: \"in\"\n//   Type: i8[S:0.5 O:-3][-1.0,1.0]"
             "<2 x 3>\n//   Size: 6 (bytes)\n//   Offset: 0 (bytes)\n//   Name: \"out\"\n"
             "//   Type: float\n//   Shape: [1, 4]\n//   Offset: 64 (bytes)\n#ifdef __cplusplus\n"
             "extern \"C\" {\n#endif\n#define T_in 0\n#define T_out (64)\n"
             "#define T_CONSTANT_MEM_SIZE 8\n#define T_MUTABLE_MEM_SIZE 128\n"
             "#define T_ACTIVATIONS_MEM_SIZE 0x40u\n#define T_MEM_ALIGN (1 << 6)\n"
             "int t(uint8_t *c, uint8_t *m, uint8_t *a);\n");
}

static void seed_tvm(const char *dir) {
    put_text(dir, "code",
             "#define TVMGEN_DEFAULT_X_SIZE 16\nstruct tvmgen_default_inputs { void* x; };\n"
             "TVM_DLL int32_t tvmgen_default___tvm_main__(float* x_buffer_var, int8_t* y) {\n"
             "  void* s = TVMBackendAllocWorkspace(1, 0, 64, 2, 32); }\nint32_t "
             "tvmgen_default_run(struct tvmgen_default_inputs* inputs, void* o) { return 0; }\n");
    seed_twice(dir, "", "metadata",
               "\"version\":7,\"modules\":{\"default\":{\"executors\":[\"aot\"],\"memory\":"
               "{\"functions\":{\"main\":[{\"workspace_size_bytes\":64,\"inputs\":{\"x/0\":"
               "{\"dtype\":\"int8\",\"size\":4}},\"outputs\":{\"y\":{\"dtype\":\"float32\","
               "\"size\":16}}}]}}}}");
    put_text(dir, "relay",
             "def @main(%data: Tensor[(1, 4), int8], %serving_default_x:0: Tensor[(4), float32]) "
             "-> Tensor[(1, 2), float32] {\n");
}

static void seed_stai(const char *dir) {
    put_text(dir, "table",
             "#define STAI_N_IN_NUM (1)\n#define STAI_N_IN_1_FORMAT (STAI_FORMAT_S8)\n#define "
             "STAI_N_IN_1_SIZE_BYTES (8)\n#define STAI_N_OUT_NUM (0)\nconst stai_network_info g "
             "= {\n.inputs = a {\nSTAI_INIT_TENSOR(\"in\", STAI_F, STAI_N_IN_1_FORMAT, "
             "STAI_N_IN_1_SIZE_BYTES, STAI_DECLARE_ARRAY(int32_t, 2, 1, 8), "
             "STAI_DECLARE_ARRAY(float, 1, 0.5f), STAI_DECLARE_ARRAY(int16_t, 1, -3)),\n},\n"
             ".outputs = b {\n},\n.activations = c };\n");
}

static void seed_clang_asm(const char *dir) {
    put_text(dir, "unit",
             "\t.text\n\t.fpu\tvfpv4\n\t.type\tf,%function\nf:\n\tmovw\tr0, "
             ":lower16:(w-(.LPC0_0+4))\n\tmovt\tr0, :upper16:(w-(.LPC0_0+4))\n.LPC0_0:\n"
             "\tadd\tr0, pc\n\tmovw\tr1, :lower16:(t-(.LPC0_1+4))\n\tmovt\tr1, "
             ":upper16:(t-(.LPC0_1+4))\n.LPC0_1:\n\tadd\tr1, pc\n\tbx\tlr\n"
             "\t.section\t.rodata.w,\"a\",%progbits\nw:\n\t.long\t1\n\t.size\tw, 64\n"
             "\t.section\t.rodata.t,\"a\",%progbits\n\t.globl\tt\nt:\n\t.long\tf\n"
             "\t.long\tw+4\n\t.size\tt, 8\n");
}

/* One file, one folder (POSIX.1-1988, "ustar"). */
static void put_header(char block[512], const char *name, unsigned size, char type) {
    unsigned sum = 8 * ' ';
    memset(block, 0, 512);
    (void)snprintf(block, 100, "%s", name);
    (void)snprintf(block + 100, 24, "0000644%c0000000%c0000000", 0, 0);
    (void)snprintf(block + 124, 24, "%011o%c%011o", size, 0, 0);
    block[156] = type;
    memcpy(block + 257, "ustar\00000", 8);
    for (size_t i = 0; i < 512; i++)
        sum += (unsigned char)block[i];
    (void)snprintf(block + 148, 8, "%06o", sum);
    block[155] = ' ';
}

static void seed_tar(const char *dir) {
    char blocks[5 * 512] = "";
    put_header(blocks, "./a/", 0, '5');
    put_header(blocks + 512, "./a/b.c", 6, '0');
    memcpy(blocks + 1024, "int a;", 6);
    seed_put(dir, "ustar", blocks, sizeof blocks);
}

static void put_elf(const char *dir, const char *name, const struct elf_builder *eb) {
    struct rp_buf out = {.arena = &seed_arena}, archive = {.arena = &seed_arena};
    eb_write(eb, &out);
    seed_put(dir, name, out.data, out.len);
    ar_begin(&archive);
    ar_member(&archive, "a.o", out.data, out.len);
    seed_put(dir, rp_format(&seed_arena, "%s.a", name), archive.data, archive.len);
}

static void seed_object(const char *dir) {
    struct elf_builder eb;
    uint8_t attributes[64];
    eb_begin(&eb, ET_REL);
    unsigned text = eb_section(&eb, ".text.f", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 16);
    eb_section(&eb, ".rodata.w", SHT_PROGBITS, SHF_ALLOC, 32);
    eb_section(&eb, ".bss.a", SHT_NOBITS, SHF_ALLOC | SHF_WRITE, 64);
    unsigned at = eb_section(&eb, ".ARM.attributes", SHT_ARM_ATTRIBUTES, 0,
                             (uint32_t)eb_attributes(attributes, 13, 'M', 6, 1));
    eb.sections[at].data = attributes;
    unsigned f = eb_symbol(&eb, "f", STT_FUNC, text, 1);
    eb.symbols[f].size = 16;
    eb_reloc(&eb, text, 4, 10, eb_symbol(&eb, "expf", STT_NOTYPE, SHN_UNDEF, 0));
    eb_reloc(&eb, text, 8, 2, f);
    put_elf(dir, "object", &eb);
}

/* The unit tests' sample as a file: it can be laid out. */
static void seed_linked(const char *dir) {
    struct sample sample;
    struct elf_builder eb;
    sample_make(&sample);
    eb_begin(&eb, ET_EXEC);
    for (size_t i = 1; i < sample.elf.section_count; i++) {
        const struct rp_section *from = &sample.sections[i];
        unsigned at = eb_section(&eb, from->name, from->type, from->flags, from->size);
        eb.sections[at].addr = from->addr;
        eb.sections[at].data = from->contents;
    }
    for (size_t i = 1; i < sample.elf.symbol_count; i++) {
        const struct rp_symbol *from = &sample.symbols[i];
        unsigned at = eb_symbol(&eb, from->name, from->type, from->section, from->value);
        eb.symbols[at].size = from->size;
        eb.symbols[at].bind = from->bind;
    }
    for (size_t i = 0; i < sample.elf.reloc_count; i++)
        eb_reloc(&eb, sample.relocs[i].section, sample.relocs[i].place, sample.relocs[i].type,
                 sample.relocs[i].symbol);
    put_elf(dir, "linked", &eb);
    sample_free(&sample);
    struct rp_elf elf;
    struct rp_layout layout;
    const struct rp_linkmap map = {0};
    seed_check(
        rp_elf_open(&elf, &seed_arena, rp_format(&seed_arena, "%s/linked", dir), &seed_err) &&
        rp_layout_make(&layout, &seed_arena,
                       &(struct rp_linked){.elf = &elf, .map = &map, .format = &rp_format_cortex_m},
                       &seed_err));
    rp_elf_close(&elf);
}

/* A firmware that offers one function. */
static void seed_offer(const char *dir) {
    struct elf_builder eb;
    struct rp_elf elf;
    const uint8_t rodata[16] = {0x0C, 0x10, 0, 0, 1, 0, 0, 0, 0x01, 0x20, 0, 0, 'f'};
    eb_begin(&eb, ET_EXEC);
    unsigned data = eb_section(&eb, ".rodata", SHT_PROGBITS, SHF_ALLOC, sizeof rodata);
    eb.sections[data].addr = 0x1000;
    eb.sections[data].data = rodata;
    unsigned text = eb_section(&eb, ".text", SHT_PROGBITS, SHF_ALLOC, 16);
    eb.sections[text].addr = 0x2000;
    eb.symbols[eb_symbol(&eb, "relocpack_exports", STT_OBJECT, data, 0x1000)].size = 12;
    eb.symbols[eb_symbol(&eb, "f", STT_FUNC, text, 0x2001)].size = 16;
    put_elf(dir, "offer", &eb);
    seed_check(rp_elf_open(&elf, &seed_arena, rp_format(&seed_arena, "%s/offer", dir), &seed_err) &&
               rp_exports_read(&(struct rp_exports){0}, &seed_arena, &elf, &seed_err));
    rp_elf_close(&elf);
}

static void seed_elf(const char *dir) {
    seed_offer(dir), seed_object(dir), seed_linked(dir);
}

enum { LINK_OWN = 1, LINK_AS_MEMBER = 0x80 /* which has no meaning for the target */ };

/*
 * For fuzz_link: flags, four sizes, then a map, an object, an archive, a linked file, an image. The
 * sample's object is there by itself, or as a member of the archive beside an empty one.
 */
static void put_link(const char *dir, const char *name, uint8_t flags, const char *map,
                     struct image_sample *image) {
    struct rp_buf out = {.arena = &seed_arena};
    struct rp_buf parts[4] = {out, out, out, out};
    struct elf_builder empty;
    bool as_member = flags == LINK_AS_MEMBER;
    rp_buf_puts(&parts[0], map);
    eb_write(&image->l.object, &parts[1]);
    if (as_member) {
        ar_begin(&parts[2]);
        ar_member(&parts[2], "a.o", parts[1].data, parts[1].len);
        parts[1].len = 0;
        eb_begin(&empty, ET_REL);
        eb_write(&empty, &parts[1]);
    }
    eb_write(&image->l.elf, &parts[3]);
    rp_buf_append(&out, &flags, 1);
    for (size_t i = 0; i < COUNT(parts); i++) {
        const uint8_t size[2] = {(uint8_t)parts[i].len, (uint8_t)(parts[i].len >> 8)};
        rp_buf_append(&out, size, 2);
    }
    for (size_t i = 0; i < COUNT(parts); i++)
        rp_buf_append(&out, parts[i].data, parts[i].len);
    image_sample_write(image);
    if (!as_member) /* inputs have at most 4096 bytes */
        rp_buf_append(&out, image->bytes, image->size);
    seed_put(dir, name, out.data, out.len);
}

/* The text with the object renamed. */
static char *renamed(const char *map, const char *to) {
    struct rp_buf out = {.arena = &seed_arena};
    for (const char *at = map, *found; *at != '\0'; at = found + 3) {
        found = strstr(at, "a.o");
        if (found == NULL) {
            rp_buf_puts(&out, at);
            break;
        }
        rp_buf_append(&out, at, (size_t)(found - at));
        rp_buf_puts(&out, to);
    }
    return rp_buf_text(&out);
}

static void seed_link(const char *dir) {
    static const char member[] = "Archive member included to satisfy reference by file (symbol)\n\n"
                                 "201(a.o)                      200 (f)\n\n";
    struct image_sample image;
    image_sample_make(&image);
    const char *object = renamed(image.l.map, "200");
    put_link(dir, "object", 0, object, &image);
    put_link(dir, "own", LINK_OWN, object, &image);
    char *archive = rp_format(&seed_arena, "%s%s", member, renamed(image.l.map, "201(a.o)"));
    memcpy(strstr(archive, "LOAD 201(a.o)"), "LOAD 200\n\n\n\n\n", 13);
    put_link(dir, "member", LINK_AS_MEMBER, archive, &image);
    image.l.object.rela = 1;
    image.l.object.relocs[LR_GO_CALL].addend = -4;
    image.l.object.relocs[LR_P_V].addend = 4;
    put_link(dir, "rela", 0, object, &image);
    image_sample_make(&image);
    put_link(dir, "lld", 0,
             "     VMA      LMA     Size Align Out     In      Symbol\n"
             "20000000 20000000       9c    16 .flash\n"
             "20000070 20000070       10     4         200:(.text.go)\n"
             "20000084 20000084        c     1         <internal>:(.flash)\n",
             &image);
}

/* For fuzz_code: a core, rows of symbols and the like, the code. */
static void seed_code(const char *dir) {
    static const uint8_t saves[] = {
        1,                                         /* Cortex-M4 */
        1,    0,    0,    0x34, 0,    0,           /* f, a function */
        1,    0,    0,    0x00, 0,    0,           /* $t */
        1,    20,   0,    0x01, 0,    0,           /* $d */
        2,    0,    0,    24,   0,    0,           /* .text */
        3,    20,   0,    26,   0,    0,           /* R_ARM_GOT_BREL */
        4,    4,    0,    0,    0,    0,           /* a word to rebase */
        6,    8,    0,    8,    0,    0,           /* the GOT */
        0,                                         /* the code: */
        0x2D, 0xE9, 0x10, 0x42, 0x03, 0x4B,        /* push {r4, r9, lr}; ldr r3, [pc, #12] */
        0x59, 0xF8, 0x03, 0x30, 0x98, 0x47,        /* ldr r3, [r9, r3]; blx r3 */
        0x08, 0xBF, 0x89, 0x46,                    /* it eq; moveq r9, r1 */
        0xBD, 0xE8, 0x10, 0x82, 8,    0,    0, 0}; /* pop {r4, r9, pc} */
    static const uint8_t table[] = {0,    2,    0,    0,    40,   0,    0,    0,
                                    0xDF, 0xE8, 0x00, 0xF0, 0x02, 0x03, 0x04, 0x00, /* tbb */
                                    0x70, 0x47, 0x70, 0x47, 0xFF, 0xF7, 0xF7, 0xFF, /* bx lr; bl */
                                    0x00, 0xBF, 0x00, 0xD1, 0x70, 0x47, 0xFF, 0xE7,
                                    0x10, 0xB5, 0x10, 0xBD};
    seed_put(dir, "saves", saves, sizeof saves);
    seed_put(dir, "table", table, sizeof table);
}

/* DWARF 4, without relocations: a function with a parameter that points to functions, an array. */
static void seed_dwarf(const char *dir) {
    static const uint8_t abbreviations[] = {
        1,  0x11, 1, 0x03, 0x08, 0,    0,                                  /* compile_unit: name */
        2,  0x24, 0, 0x03, 0x08, 0x0B, 0x0B, 0x3E, 0x0B, 0,    0,          /* base_type */
        3,  0x0F, 0, 0x49, 0x13, 0,    0,                                  /* pointer_type */
        4,  0x2E, 1, 0x03, 0x08, 0x3F, 0x19, 0x49, 0x13, 0x11, 0x01, 0, 0, /* subprogram */
        5,  0x05, 0, 0x49, 0x13, 0,    0,                                  /* formal_parameter */
        6,  0x15, 1, 0x49, 0x13, 0,    0,                                  /* subroutine_type */
        7,  0x01, 1, 0x49, 0x13, 0,    0,                                  /* array_type */
        8,  0x21, 0, 0x2F, 0x0B, 0,    0,                                  /* subrange_type */
        9,  0x34, 0, 0x03, 0x08, 0x3F, 0x19, 0x49, 0x13, 0,    0,          /* variable */
        10, 0x16, 0, 0x03, 0x08, 0x49, 0x13, 0,    0,                      /* typedef */
        0};
    static const uint8_t entries[] = {
        71, 0,   0, 0,  4, 0, 0,  0, 0, 0, 4, 1, 'a', 0,              /* the unit */
        2,  'i', 0, 4,  5,                                            /* 14: int */
        6,  14,  0, 0,  0, 5, 14, 0, 0, 0, 0,                         /* 19: int (x) */
        3,  19,  0, 0,  0,                                            /* 30: pointer to that */
        7,  14,  0, 0,  0, 8, 3,  0,                                  /* 35: int [4] */
        9,  'v', 0, 35, 0, 0, 0,                                      /* v */
        10, 't', 0, 30, 0, 0, 0,                                      /* 50: typedef */
        4,  'f', 0, 14, 0, 0, 0,  1, 0, 0, 0, 5, 50,  0, 0, 0, 0, 0}; /* f */
    struct elf_builder eb;
    eb_begin(&eb, ET_REL);
    eb_section(&eb, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 8);
    unsigned at = eb_section(&eb, ".debug_abbrev", SHT_PROGBITS, 0, sizeof abbreviations);
    eb.sections[at].data = abbreviations;
    at = eb_section(&eb, ".debug_info", SHT_PROGBITS, 0, sizeof entries);
    eb.sections[at].data = entries;
    put_elf(dir, "object", &eb);
}

static void seed_linkmap(const char *dir) {
    put_text(dir, "map",
             "Archive member included to satisfy reference by file (symbol)\n\n"
             "/l b/libm.a(e.o)\n                              obj/1.o (expf)\n"
             "libx.a(b.o)                   libm.a(e.o) (f)\n\n"
             "Linker script and memory map\n\n.flash 0x20000000 0x80\n"
             " .text.a_long_name\n                0x20000000 0x10 /l b/libm.a(e.o)\n"
             " *fill* 0x20000010 0x4\n .text 0x20000014 0x4 libx.a(b.o)\n"
             "                0x20000014 f\n");
    put_text(dir, "lines", " .text 0x10 0x10 a.o\n .data 0x20 0x20 b.o\n");
}

static void seed_manifest(const char *dir) {
    seed_twice(dir, "", "full",
               "\"name\":\"n\",\"entry\":\"f\",\"sources\":[\"a.c\"],\"include_dirs\":"
               "[\"i\"],\"defines\":[\"X=1\"],\"libraries\":[\"l.a\"],\"arguments\":"
               "[\"y\",\"x\"],\"inputs\":[{\"name\":\"x\",\"dtype\":\"int8\",\"shape\":"
               "[1,8],\"scale\":0.5,\"zero_point\":-1}],\"outputs\":[{\"name\":\"y\","
               "\"dtype\":\"float\",\"shape\":[10]}]");
    put_text(dir, "least", "{\"sources\":[\"a.c\"]}");
    put_text(dir, "entry", "net(in:float[1,28x28], out scores:int8[10])");
    put_text(dir, "result", "net(in:float[4], 4, out p:int8[3], 3, -1, 0.5f) -> out c:int32[1]");
    put_text(
        dir, "calls",
        "{\"sources\":[\"a.c\"],\"init\":\"i(0) -> 1\",\"destroy\":\"d\",\"entry\":\"f(0, x) -> "
        "z\",\"inputs\":[{\"name\":\"x\",\"dtype\":\"int8\",\"shape\":[4]},{\"dtype\":\"int8\","
        "\"shape\":[4],\"get\":\"g(1)\"}],\"outputs\":[{\"dtype\":\"int8\",\"shape\":[4],\"at\":"
        "\"v\"},{\"name\":\"z\",\"dtype\":\"int32\",\"shape\":[1]}]}");
}

/* The first byte: fuzz_tensor.c. */
static void seed_tensor(const char *dir) {
    const struct rp_tensor tensor = {
        .dtype = rp_dtype_find("float32"), .shape = {1, 2, 1}, .rank = 3};
    struct rp_buf npy = {.arena = &seed_arena};
    rp_buf_append(&npy, "\0", 1);
    rp_npy_header(&npy, &tensor, 2);
    rp_buf_append(&npy, "\0\0\x80?\0\0\0@\0\0@@\0\0\x80@", 16);
    seed_put(dir, "npy", npy.data, npy.len);
    npy.data[0] = (char)162; /* quantised to int8 */
    seed_put(dir, "npy_real", npy.data, npy.len);
    put_text(dir, "csv", "\n# x\n1,-2.5\n3e2, nan\n");
    put_text(dir, "csv_whole",
             "\x0C"
             "1,-2\r\n3 4\n");
    put_text(dir, "csv_real",
             "\x84"
             "0.5,-1\ninf,1e9\n");
    put_text(dir, "raw",
             "\x14"
             "12345678");
    /* TensorProto: dims 1, 2, a type, a name, and the values in raw_data or in a typed field */
    seed_put(dir, "pb", "\x1E\x08\x01\x08\x02\x10\x01\x42\x01x\x4A\x08\0\0\x80?\0\0\0@", 20);
    seed_put(dir, "pb_packed", "\x1E\x0A\x02\x01\x02\x10\x01\x22\x08\0\0\x80?\0\0\0@", 17);
    seed_put(dir, "pb_half", "\x1E\x08\x02\x10\x0A\x2A\x04\x80x\x80|", 11);
    seed_put(dir, "pb_quantised", "\x98\x08\x02\x10\x03\x2A\x02\x01\x7F", 9);
}

/* A whole network in the newer form of addresses, one in the older, and blobs. */
static void seed_aton(const char *dir) {
    static const char pools[] =
        "/*\n * GIT_DESCRIPTION \"a\"\n * --all-buffers-info = true\n */\n#if "
        "LL_ATON_VERSION_MAJOR != 1 || LL_ATON_VERSION_MINOR != 1 || LL_ATON_VERSION_MICRO != 3 || "
        "LL_ATON_VERSION_DEV != 8\n#error \"x\"\n#endif\n/* global pool 8 is 1.50 KB */\n/* "
        "index=8 file postfix=x "
        "name=f offset=0x70000000 relative_mode size=64 READ_ONLY cacheable=ON */\nextern unsigned "
        "char _mem_pool_x_n[]; /* [9]; */\n/* global pool 1 is ? */\n/* index=1 file postfix=r "
        "name=r offset=0x1000 absolute_mode size=64 READ_WRITE cacheable=OFF */\n"
        "const T *LL_ATON_EpochBlockItems_n(void) { static const EpochBlock_ItemTypeDef a[] = {\n"
        "{ .blob_address = (uintptr_t)(_ec_blob_1), .flags = EpochBlock_Flags_blob | (x ? y : z), "
        ".epoch_num = 1 }, { .flags = EpochBlock_Flags_last_eb } }; return a; }\n"
        "const T *LL_ATON_Output_Buffers_Info_n(void) { return NULL; }\n"
        "const T *LL_ATON_Internal_Buffers_Info_n(void) { return NULL; }\n"
        "const T *LL_ATON_Input_Buffers_Info_n(void) { static const uint32_t s[] = { 1, 0x2 };\n"
        "static const float c[] = { 0.5, -2e-1f }; static const int16_t o[] = { -128 };\n"
        "static const LL_Buffer_InfoTypeDef b[] = {\n";
    static const char rest[] = "{ .name = NULL } }; return b; }\n";
    put_text(
        dir, "new",
        rp_format(&seed_arena,
                  "%s{ .name = \"w\", .addr_base = {(unsigned char *)X_VIRTUAL_TO_PHYSICAL_ADDR("
                  "(uintptr_t)_mem_pool_x_n)}, .offset_start = 1, .offset_end = 9, .is_param = "
                  "1, .ndims = 2, .shape = s, .scale = c, .offset = o },\n%s",
                  pools, rest));
    put_text(dir, "old",
             rp_format(&seed_arena,
                       "%s{ .name = \"a\", .addr_start = {((unsigned char *)(0x1000UL + 8))}, "
                       ".addr_end = {((unsigned char *)(0x1000UL + 16))} },\n%s",
                       pools, rest));
    put_text(dir, "blobs",
             "extern \"C\" {\n__attribute__((aligned(64))) static const uint64_t _ec_blob_1[2] = { "
             "0x1UL, (2) };\nstatic uint32_t _ec_blob_1_ptr[2 * 4];\nbool f(void) { return "
             "ec_copy_blob(1) && ec_reloc(2); }\n}\n");
}

/* Epochs of all kinds, and the comments that name the ones on the processor. */
static void seed_ops_network(const char *dir) {
    put_text(
        dir, "network",
        "#if LL_ATON_VERSION_MAJOR != 1 || LL_ATON_VERSION_MINOR != 1 || LL_ATON_VERSION_MICRO != "
        "3 || "
        "LL_ATON_VERSION_DEV != 8\n#error \"x\"\n#endif\n/* global pool 1 is ? */\n/* "
        "index=1 "
        "file postfix=r name=r offset=0x1000 absolute_mode size=64 READ_WRITE cacheable=OFF */\n"
        "/* scheduling epoch=1    nodes=1   --- */\nstatic void f1(void) {\n/* Unit= 19 "
        "[CONV_ACC_V2 0] */\n/* kind=Conv node=Conv2D_1 */\n}\n/* scheduling epoch=5    nodes=1   "
        "--- */\nstatic void f5(void) {\n/* Unit= 27 [PROCESSOR 0] */\n/* kind=Softmax "
        "node=Softmax_5 */\n}\n/* scheduling epoch=6 nodes=1 */\n/* Unit= 27 [PROCESSOR 0] */\n/* "
        "kind=Conv node=Gemm_2_conv_4 */\nconst T *LL_ATON_EpochBlockItems_n(void) { static const "
        "EpochBlock_ItemTypeDef a[] = {\n{ .flags = EpochBlock_Flags_pure_hw, .epoch_num = 1, "
        ".last_epoch_num = 4 }, { .flags = EpochBlock_Flags_pure_sw, .epoch_num = 5, "
        ".last_epoch_num = 5 }, { .flags = EpochBlock_Flags_hybrid, .epoch_num = 6, "
        ".last_epoch_num = 6 }, { .flags = EpochBlock_Flags_last_eb } }; return a; }\n"
        "const T *LL_ATON_Output_Buffers_Info_n(void) { return NULL; }\n"
        "const T *LL_ATON_Internal_Buffers_Info_n(void) { static const uint32_t s[] = { 1, 1, 1, 8 "
        "};\nstatic const LL_Buffer_InfoTypeDef b[] = {\n{ .name = \"Conv2D_1_weights\", "
        ".addr_base = "
        "{(unsigned char *)(0x1000UL)}, .offset_start = 1, .offset_end = 9, .ndims = 4, .shape = s "
        "},\n{ .name = \"Gemm_2_weights_transposed_3\", .addr_base = {(unsigned char "
        "*)(0x1000UL)}, "
        ".offset_start = 1, .offset_end = 9, .ndims = 4, .shape = s },\n{ .name = NULL } }; return "
        "b; "
        "}\n"
        "const T *LL_ATON_Input_Buffers_Info_n(void) { static const LL_Buffer_InfoTypeDef b[] = {\n"
        "{ .name = \"w\", .addr_base = {(unsigned char *)(0x1000UL)}, .offset_start = 1, "
        ".offset_end = 9 },\n{ .name = NULL } }; return b; }\n");
}

/* Bytes without a meaning: fuzz_ops makes a graph of anything. */
static void seed_ops(const char *dir) {
    uint32_t number = 1;
    for (int file = 0; file < 8; file++) {
        char bytes[1024];
        for (size_t i = 0; i < sizeof bytes; i++) {
            number = number * 1664525u + 1013904223u;
            bytes[i] = (char)(number >> 24);
        }
        bytes[0] = (char)(file % 2);
        seed_put(dir, rp_format(&seed_arena, "%d", file), bytes, sizeof bytes);
    }
}

static void put_model(const char *dir, void (*sample)(struct rp_buf *out)) {
    struct rp_buf file = {.arena = &seed_arena};
    sample(&file);
    seed_put(dir, "sample", file.data, file.len);
}

static void seed_onnx(const char *dir) {
    put_model(dir, onnx_sample);
}

static void seed_tflite(const char *dir) {
    put_model(dir, tflite_sample);
}

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        void (*seed)(const char *dir);
    } targets[] = {{"aton", seed_aton},
                   {"cdecl", seed_cdecl},
                   {"gdb", seed_gdb},
                   {"glow", seed_glow},
                   {"elf", seed_elf},
                   {"image", seed_image},
                   {"reloc_core", seed_image},
                   {"npu_image", seed_npu_image},
                   {"signed", seed_signed},
                   {"linkmap", seed_linkmap},
                   {"link", seed_link},
                   {"dwarf", seed_dwarf},
                   {"code", seed_code},
                   {"json", seed_json},
                   {"manifest", seed_manifest},
                   {"tvm", seed_tvm},
                   {"stai", seed_stai},
                   {"clang_asm", seed_clang_asm},
                   {"tar", seed_tar},
                   {"tensor", seed_tensor},
                   {"onnx", seed_onnx},
                   {"ops", seed_ops},
                   {"ops_network", seed_ops_network},
                   {"tflite", seed_tflite}};
    for (int i = 2; i < argc; i++)
        for (size_t k = 0; k < COUNT(targets); k++) {
            if (strcmp(argv[i], targets[k].name) != 0)
                continue;
            const char *dir = rp_format(&seed_arena, "%s/%s", argv[1], argv[i]);
            seed_check(rp_make_dirs(dir, &seed_err));
            targets[k].seed(dir);
        }
    rp_arena_release(&seed_arena);
    return 0;
}
