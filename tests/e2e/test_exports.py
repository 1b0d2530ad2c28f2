# SPDX-License-Identifier: Apache-2.0
"""What a firmware offers to images: the list, the table as C, the table of an ELF file, generate --import-from."""
import json
import os
import struct

import kit
from kit import CROSS, QEMU, check, each, equal, has, has_not, test

KERNELS = """
float kernel_scale = 2;
static int counter(void) { return 1; }
float kernel(const float *x, int n);
float kernel(const float *x, int n) {
    float sum = (float)(counter() - 1);
    for (int i = 0; i < n; i++)
        sum += x[i] * kernel_scale;
    return sum;
}
"""
MODEL = """
#include <math.h>
float kernel(const float *x, int n);
extern float kernel_scale;
void model(const float x[4], float y[3]);
void model(const float x[4], float y[3]) {
    y[0] = kernel(x, 4);
    y[1] = expf(x[0]) + tanhf(x[1]);
    y[2] = kernel_scale;
}
"""
LIST = "# what images may call\nkernel@3\n\n  expf   # mathematics\r\nkernel_scale@1"
MAIN = r"""
#include <math.h>
#include "ai_reloc_network.h"
extern const char image[], image_end[];
static uint32_t ram[1024], spare[4];
__attribute__((noinline)) static int check(void) {
    const ai_rel_network_load_args args = {.obj = image, .obj_size = (ai_size)(image_end - image), .ram_addr = ram,
        .ram_size = sizeof ram, .mode = AI_RELOC_RT_LOAD_MODE, .imports = relocpack_exports, .import_count = relocpack_export_count};
    ai_handle net = AI_HANDLE_NULL;
    ai_network_report report;
    float x[4] = {0.5f, -1, 2, 8}, y[3] = {0, 0, 0};
    int32_t code = ai_rel_network_load_and_create_sized(&args, &net, NULL);
    if (code != 0)
        return -code;
    const ai_handle nothing[] = {spare};
    if (!ai_rel_network_init(net, nothing, nothing) || !ai_rel_network_get_report(net, &report))
        return 2;
    report.inputs[0].data = AI_HANDLE_PTR(x);
    report.outputs[0].data = AI_HANDLE_PTR(y);
    if (ai_rel_network_run(net, report.inputs, report.outputs) != 1)
        return 3;
    float error = y[1] - (expf(x[0]) + tanhf(x[1]));
    return y[0] == 19 && y[2] == 2 && error < 1e-6f && error > -1e-6f ? 0 : 4;
}
extern uint32_t stack_top[], data_start[], data_end[], data_load[];
void reset(void);
void reset(void) {
    *(volatile uint32_t *)0xE000ED88 |= 0xFu << 20;
    for (uint32_t *to = data_start, *from = data_load; to < data_end;)
        *to++ = *from++;
    volatile uint32_t block[] = {0x20026, (uint32_t)check()};
    register uint32_t r0 __asm__("r0") = 0x20;
    register volatile uint32_t *r1 __asm__("r1") = block;
    __asm__ volatile("bkpt 0xab" : : "r"(r0), "r"(r1) : "memory");
    for (;;) { }
}
__attribute__((section(".vectors"), used)) static const struct { void *stack; void (*start)(void); } vectors = {stack_top, reset};
"""
SCRIPT = """
ENTRY(reset)
MEMORY { FLASH : ORIGIN = 0, LENGTH = 4M  RAM : ORIGIN = 0x20000000, LENGTH = 4M }
SECTIONS {
  .text : { KEEP(*(.vectors)) *(.text* .rodata*) } > FLASH
  .ARM.exidx : { *(.ARM.exidx*) } > FLASH
  .data : { data_start = .; *(.data*) . = ALIGN(4); data_end = .; } > RAM AT > FLASH
  data_load = LOADADDR(.data);
  .bss : { *(.bss* COMMON) } > RAM
  end = .;
  stack_top = ORIGIN(RAM) + LENGTH(RAM);
}
"""
FLAGS = ["-mcpu=cortex-m4", "-mthumb", "-mfloat-abi=hard", "-mfpu=fpv4-sp-d16"]
STRICT = ["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]


def linked(case, flags=tuple(FLAGS), image=None, mode="XIP", listed=LIST, name="fw.elf", status=0):
    """A firmware that offers the list. image: is loaded by it."""
    case.write("names.txt", listed)
    case.write("kernels.c", KERNELS)
    case.write("main.c", MAIN.replace("LOAD_MODE,", f"LOAD_MODE_{mode},"))
    case.write("board.ld", SCRIPT)
    case.write("image.S", '.section .rodata\n.balign 16\n.global image, image_end\nimage:\n'
               + (f'.incbin "{image}"\n' if image else "") + "image_end:\n")
    case.relocpack("exports", "--list", "names.txt", "-o", "exports.c")
    case.run(f"{CROSS}gcc", *flags, "-Os", *STRICT, f"-I{kit.ROOT}/runtime", "-c", "exports.c", "-o", "exports.o")
    case.run(f"{CROSS}gcc", *flags, "-Os", "-ffunction-sections", "-fdata-sections", "-Wl,--gc-sections", f"-I{kit.ROOT}/runtime",
             "-DAI_RELOC_NO_MALLOC", "-nostartfiles", "--specs=nosys.specs", "-T", "board.ld", "main.c", "exports.o", "kernels.c",
             "image.S", kit.ROOT / "runtime/ai_reloc_network.c", "-lm", "-o", name, status=status)
    return case.dir / name


def packaged(case, *words, status=0, firmware="fw.elf"):
    case.write("model.c", MODEL)
    return case.generate(case.dir / "model.c", "--mcu", "cortex-m4", "--import-from", firmware, *words, target=None, status=status)


@each(["XIP", "COPY"], needs=[QEMU])
def image_calls_the_firmware(case, mode):
    """The firmware offers, the image imports what it needs, and the firmware, linked once more, runs it."""
    linked(case)
    packaged(case)
    report = case.report("model")
    equal([(row["symbol"], row["version"], row["called"]) for row in report["imports"]],
          [("kernel", 3, True), ("expf", 0, True), ("kernel_scale", 1, False)], "imports")
    equal(report["choices"]["imports"], ["kernel@3", "expf", "kernel_scale@1"], "what verify is told")
    check(any(row["path"] == "fw.elf" for row in report["inputs"]), "the firmware is an input")
    sizes = {row["name"]: row["size_bytes"] for row in report["symbols"]}
    check(sizes["tanhf"] > 40 and sizes["expf"] <= 12 and sizes["kernel"] <= 12, f"functions of the image: {sizes}")  # stubs
    has(case.verify(case.dir / "out/model_rel.bin", "--host-source", "kernels.c").out, "12 of 12")
    elf = linked(case, image=case.dir / "out/model_rel.bin", mode=mode)

    def run():
        return case.run(QEMU, "-M", "mps2-an386", "-kernel", elf, "-display", "none", "-serial", "none", "-monitor", "none",
                        "-semihosting-config", "enable=on,target=native", status=None).status
    equal(run(), 0, "first check that failed")
    linked(case, image=case.dir / "out/model_rel.bin", mode=mode, listed=LIST.replace("kernel@3", "kernel@4"))
    equal(run(), 60, "another version")
    linked(case, image=case.dir / "out/model_rel.bin", mode=mode, listed=LIST.replace("kernel@3", ""))
    equal(run(), 59, "not offered any more")


@test
def table_of_a_firmware(case):
    elf = linked(case)
    text = case.relocpack("exports", elf).out
    has(text, "kernel ", "version 3", "any version", "variable", "3 symbols")
    rows = json.loads(case.relocpack("exports", elf, "--json").out)
    symbols = {line.split()[3]: line.split() for line in case.run(f"{CROSS}nm", "-S", elf).out.splitlines() if len(line.split()) == 4}
    equal([(row["symbol"], row["version"], row["kind"]) for row in rows["exports"]],
          [("kernel", 3, "function"), ("expf", 0, "function"), ("kernel_scale", 1, "variable")], "rows")
    for row in rows["exports"]:
        address, size = int(symbols[row["symbol"]][0], 16), int(symbols[row["symbol"]][1], 16)
        equal((int(row["address"], 16) & ~1, row["size_bytes"]), (address, size), row["symbol"])
        equal(int(row["address"], 16) & 1, row["kind"] == "function", "Thumb bit")
    first = (case.dir / "exports.c").read_bytes()
    case.relocpack("exports", elf, "-o", "again.c")
    equal((case.dir / "again.c").read_bytes(), first, "the table, written from the ELF file")
    equal(case.relocpack("exports", elf, "--list", "names.txt").out, "", "a list that holds")


@test
def own_symbols_come_first(case):
    """What the model has itself is not imported, and a named import may be narrower than the offer."""
    linked(case)
    case.write("own.c", KERNELS.replace("= 2", "= 3"))
    packaged(case, "--source", "own.c")
    equal([row["symbol"] for row in case.report("model")["imports"]], ["expf"], "imports")
    packaged(case, "--import", "kernel")
    equal([(row["symbol"], row["version"]) for row in case.report("model")["imports"]][0], ("kernel", 3), "version of the offer")
    has(packaged(case, "--import", "kernel@2", status=2).err, "versions 2 and 3", "kernel")


@test
def depfile_and_notes(case):
    linked(case)
    result = packaged(case, "--depfile", "model.d")
    has((case.dir / "model.d").read_text(), "fw.elf")
    has_not(result.out + result.err, "RP1017")


def spoiled(case, change):
    elf = linked(case)
    data = bytearray(elf.read_bytes())
    change(case, data)
    return case.write("bad.elf", bytes(data))


def place_of(case, symbol):
    """Offset in the file of a symbol's bytes."""
    address = next(int(line.split()[0], 16) for line in case.run(f"{CROSS}nm", case.dir / "fw.elf").out.splitlines()
                   if line.endswith(f" {symbol}"))
    for line in case.run(f"{CROSS}readelf", "-lW", case.dir / "fw.elf").out.splitlines():
        words = line.split()
        if words[:1] == ["LOAD"] and int(words[2], 16) <= address < int(words[2], 16) + int(words[4], 16):
            return int(words[1], 16) + address - int(words[2], 16)
    raise kit.Failure(f"{symbol} is in no segment")


def put(symbol, at, value):
    def change(case, data):
        struct.pack_into("<I", data, place_of(case, symbol) + at, value)
    return change


@test
def what_is_called_is_code(case):
    """A branch to a variable, or to a label that is no Thumb function, would fault."""
    listed = LIST + "\nlabel"
    case.write("label.S", ".syntax unified\n.thumb\n.text\n.global label\nlabel: bx lr\n")
    case.run(f"{CROSS}gcc", *FLAGS, "-c", "label.S", "-o", "label.o")
    linked(case, flags=(*FLAGS, "label.o"), listed=listed)
    for name in ("kernel_scale", "label"):
        case.write("wrong.c", f"int {name}(int x);\nvoid wrong(const int x[1], int y[1]);\n"
                   f"void wrong(const int x[1], int y[1]) {{ y[0] = {name}(x[0]); }}\n")
        for words in ((), ("-r", "copy-only")):
            has(case.generate(case.dir / "wrong.c", "--mcu", "cortex-m4", "--import-from", "fw.elf", *words, target=None, status=6).err,
                f"calls '{name}'", "fw.elf", "no function", ".thumb_func")
    case.write("right.c", "extern const int label;\nvoid right(const int x[1], int y[1]);\n"
               "void right(const int x[1], int y[1]) { y[0] = label + x[0]; }\n")
    case.generate(case.dir / "right.c", "--mcu", "cortex-m4", "--import-from", "fw.elf", target=None)


CONTRADICTIONS = {
    "function": ("extern const float kernel[2];", "kernel[1]", "const float kernel[2]', 'kernel'", "as a variable, which is a function there"),
    "variable": ("typedef float fn(void);\nfn kernel_scale;", "(float)(long)kernel_scale", "kernel_scale", "as a function, which is a variable there"),
    "smaller": ("extern float kernel_scale[2];", "kernel_scale[1]", "kernel_scale[2]", "with 8 bytes, which has 4 there"),
    "struct": ("extern const struct { float a, b; } kernel_scale;", "kernel_scale.b", "struct", "with 8 bytes, which has 4 there"),
}


@each(list(CONTRADICTIONS))
def declared_otherwise(case, label):
    """What the model takes an import for is compared with what the firmware has, by the sources and by debug information."""
    before, use, *said = CONTRADICTIONS[label]
    linked(case)
    model = f"void model(const float x[1], float y[1]);\nvoid model(const float x[1], float y[1]) {{ y[0] = x[0] + {use}; }}\n"
    words = ["--mcu", "cortex-m4", "--import-from", "fw.elf"]
    whole = case.write("model.c", before + "\n" + model)
    has(case.refuse(9, "RP2908", whole, *words, target=None), "model.c:", "fw.elf", *said)
    case.write("part.c", f"{before}\nfloat part(void);\nfloat part(void) {{ return {use}; }}\n")
    kit.compile_object(case, case.dir / "part.c", case.dir / "part.o", more=["-g", *FLAGS])
    case.write("model.c", "float part(void);\n" + model.replace(use, "part()"))
    has(case.refuse(9, "RP2908", whole, *words, "--runtime-lib", case.dir / "part.o", target=None), "part.c:", *said[1:])


@test(needs=[QEMU])
def kernels_in_a_folder(case):
    """--host-source takes a folder as --source does, also beside a file in it."""
    linked(case)
    packaged(case)
    (case.dir / "kernels/below").mkdir(parents=True)
    os.rename(case.dir / "kernels.c", case.dir / "kernels/below/kernels.c")
    case.write("kernels/notes.txt", "not C\n")
    image = case.dir / "out/model_rel.bin"
    has(case.verify(image, "--host-source", "kernels", "--host-source", "kernels/below/kernels.c").out, "12 of 12")
    (case.dir / "nothing").mkdir()
    has(case.verify(image, "--host-source", "nothing", status=9).err, "it contains no C file")
    has(case.verify(image, "--host-source", "none", status=9).err, "no such file or folder")


SPOILED = {"name": (put("relocpack_exports", 0, 0xFFFFFFF0), "row 0", "has no name"),
           "address": (put("relocpack_exports", 8, 0x1234), "where there is no symbol"),
           "twice": (lambda case, data: data.__setitem__(slice(place_of(case, "relocpack_exports") + 12, place_of(case, "relocpack_exports") + 24),
                                                         data[place_of(case, "relocpack_exports"):place_of(case, "relocpack_exports") + 12]), "twice"),
           "cut": (lambda case, data: data.__delitem__(slice(3000, None)), "bad.elf")}


@each(SPOILED)
def damaged_tables(case, label):
    change, *said = SPOILED[label]
    bad = spoiled(case, change)
    for result in (case.relocpack("exports", bad, status=None), packaged(case, firmware=bad, status=None)):
        check(result.status in (3, 4, 5, 6, 9), f"exit status {result.status}: {result.err}")
        has(result.err, "bad.elf", *said)
    check(not (case.dir / "out").exists(), "an image was written")


@test
def firmware_that_does_not_fit(case):
    linked(case)
    case.run(f"{CROSS}strip", "fw.elf", "-o", "stripped.elf")
    case.run(f"{CROSS}gcc", *FLAGS, "-c", "kernels.c", "-o", "object.o")
    linked(case, flags=["-mcpu=cortex-m4", "-mthumb", "-mfloat-abi=soft"], name="soft.elf")
    linked(case)
    for firmware, *said in (("stripped.elf", "exports nothing", "keep its symbols"), ("object.o", "not a linked firmware"),
                            ("soft.elf", "core registers", "-mfloat-abi"), ("names.txt", "names.txt"), ("none.elf", "none.elf"),
                            ("/bin/sh", "/bin/sh")):
        result = packaged(case, firmware=firmware, status=None)
        check(result.status not in (0, 70) and result.status > 0, f"{firmware}: exit status {result.status}")
        has(result.err, *said)


LISTS = {"bad name": ("good\n1bad\n", "names.txt:2", "1bad"), "bad version": ("good@x\n", "names.txt:1", "good@x"),
         "two versions": ("a@1\n# no\na@2\n", "names.txt:3", "versions 1 and 2"), "empty": ("# nothing\n\n", "names nothing"),
         "binary": ("a\0b\n", "not a text file"), "words": ("a b\n", "names.txt:1", "a b")}


@each(LISTS)
def wrong_lists(case, label):
    text, *said = LISTS[label]
    case.write("names.txt", text)
    result = case.relocpack("exports", "--list", "names.txt", "-o", "exports.c", status=None)
    check(result.status > 0 and result.status != 70, f"exit status {result.status}")
    has(result.err, *said)
    check(not (case.dir / "exports.c").exists(), "a table was written")


@test
def wrong_words(case):
    linked(case)
    for words, said in (((), "one ELF file"), (("fw.elf", "fw.elf"), "one ELF file"), (("--list", "none"), "none"),
                        (("--list", "names.txt", "-o", "names.txt"), "is an input"), (("fw.elf", "--json", "--list", "names.txt"), "--json"),
                        (("fw.elf", "-o", "fw.elf"), "is an input")):
        result = case.relocpack("exports", *words, status=None)
        check(result.status > 0 and result.status != 70, f"{words}: exit status {result.status}")
        has(result.err, said)
    case.write("more.txt", "kernel\nnone_of_it\n")
    has(case.relocpack("exports", "fw.elf", "--list", "more.txt", status=6).err, "none_of_it")
    case.write("more.txt", "counter\n")
    has(case.relocpack("exports", "fw.elf", "--list", "more.txt", status=6).err, "counter")


@each(["compact", "copy-only"])
def offers_in_a_second_round(case, items):
    """What the first round found not to be needed is offered to the next one as well."""
    linked(case, listed="kernel@3\nexpf\nkernel_scale@1")
    case.write("one.c", "extern float kernel_scale;\nvoid one(const float x[1], float y[1]);\n"
               "void one(const float x[1], float y[1]) { y[0] = x[0] * kernel_scale; }\n")
    images = []
    for words in ([], ["-r", items]):
        case.generate(case.dir / "one.c", "--mcu", "cortex-m4", "--import-from", "fw.elf", *words, target=None)
        equal([row["symbol"] for row in case.report("one")["imports"]], ["kernel_scale"], "imports")
        images.append((case.dir / "out/one_rel.bin").read_bytes())
    equal(images[0] == images[1], True, "the item was not needed: the image is the same")


@test
def many_offers(case):
    """More offers than an image can import are no reason to refuse one that needs few of them."""
    names = [f"f{i}" for i in range(400)]
    case.write("many.c", "".join(f"int {name}(int x);\nint {name}(int x) {{ return x + {i}; }}\n" for i, name in enumerate(names)))
    case.write("names.txt", "\n".join(names))
    case.relocpack("exports", "--list", "names.txt", "-o", "exports.c")
    case.write("main.c", '#include "ai_reloc_network.h"\nint main(void) { return relocpack_exports[0].version != 0; }\n')
    case.run(f"{CROSS}gcc", *FLAGS, "-Os", f"-I{kit.ROOT}/runtime", "--specs=nosys.specs", "main.c", "exports.c", "many.c", "-o", "fw.elf")

    def model(count):
        case.write("many_model.c", "".join(f"int {name}(int x);\n" for name in names)
                   + "void many_model(const int x[1], int y[1]);\nvoid many_model(const int x[1], int y[1]) {\n    y[0] = x[0];\n"
                   + "".join(f"    y[0] += {name}(x[0]);\n" for name in names[:count]) + "}\n")
        return case.generate(case.dir / "many_model.c", "--mcu", "cortex-m4", "--import-from", "fw.elf", target=None,
                             status=0 if count < 300 else 2)
    model(3)
    equal(len(case.report("many_model")["imports"]), 3, "imports")
    has(model(300).err, "needs 300 symbols of the firmware, 256 at most")


@each(["plain", "lto"], needs=["cmake", "ninja"])
def in_cmake(case, label):
    """The firmware's table and a model that takes from it, in one build; a changed list builds both again. With link-time
    optimisation, the table is compiled without it."""
    case.write("kernels.c", KERNELS)
    case.write("model.c", MODEL)
    case.write("names.txt", LIST)
    case.write("main.c", '#include "ai_reloc_network.h"\nint main(void) { return relocpack_export_count == 0; }\n')
    case.write("arm.cmake", f'set(CMAKE_SYSTEM_NAME Generic)\nset(CMAKE_C_COMPILER {CROSS}gcc)\nset(CMAKE_C_FLAGS_INIT "{" ".join(FLAGS)}")\n'
               "set(CMAKE_EXE_LINKER_FLAGS_INIT --specs=nosys.specs)\nset(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)\n")
    case.write("CMakeLists.txt", "cmake_minimum_required(VERSION 3.20)\nproject(p C)\nfind_package(relocpack REQUIRED)\n"
               "add_executable(firmware main.c kernels.c)\ntarget_link_libraries(firmware PRIVATE relocpack::loader m)\n"
               "relocpack_exports(firmware names.txt)\nrelocpack_add_model(kws SOURCE model.c TARGET cortex-m4 IMPORT_FROM firmware)\n")
    env = {"PATH": f"{os.path.dirname(case.tool)}:{os.environ['PATH']}", "relocpack_DIR": str(kit.ROOT / "runtime/cmake")}
    case.run("cmake", "-G", "Ninja", "-B", "build", "--toolchain", "arm.cmake", "-DCMAKE_BUILD_TYPE=MinSizeRel",
             f"-DCMAKE_INTERPROCEDURAL_OPTIMIZATION={'ON' if label == 'lto' else 'OFF'}", env=env)
    case.run("cmake", "--build", "build", env=env)

    def imports():
        return [row["symbol"] for row in json.loads((case.dir / "build/kws/kws_generate_rel.json").read_text())["imports"]]
    equal(imports(), ["kernel", "expf", "kernel_scale"], "imports")
    has(case.run("cmake", "--build", "build", env=env).out, "no work to do")
    case.write("names.txt", "kernel@3\nkernel_scale\n")
    case.run("cmake", "--build", "build", env=env)
    equal(imports(), ["kernel", "kernel_scale"], "imports after the list changed")
