# SPDX-License-Identifier: Apache-2.0
"""
What an image's report says of its tensors, whether their table is in the file or create makes it: formats, sizes and
shapes, under the loader and under one that does what docs/FORMAT.md says and no more.
"""
import kit
import reader
from kit import CROSS, QEMU, check, each, equal, has, test
from test_tables import BOARDS, HERE, data_files, emulate, share_with

TYPES = {"float": (4, 1, 1), "double": (8, 1, 1), "signed char": (1, 2, 1), "unsigned char": (1, 2, 0), "_Bool": (1, 3, 0),
         "short": (2, 2, 1), "unsigned": (4, 2, 0), "long long": (8, 2, 1)}
# inputs, then one output: type and shape
MODELS = {
    "two": [("float", [2, 3]), ("float", [4])],
    "three": [("float", [2, 3]), ("float", [4]), ("float", [1, 5])],
    "types": [(name, [2 + i]) for i, name in enumerate(TYPES)],
    "ranks": [("float", [1, 2, 3]), ("short", [2]), ("float", [4, 3, 2]), ("float", [2, 3, 4, 5]), ("float", [1, 2, 1])],
    "rank-6": [("float", [2] * 8), *[("float", [3])] * 6],
    "one-is-high": [("float", [2] * 8), ("float", [3]), ("float", [5])],
    "many": [("float", [1 + i % 7, 2]) for i in range(60)],
    "too-many": [("float", [2 + i, 70 + i]) for i in range(70)],
}
MADE = {"three": 4, "types": 4, "ranks": 5, "rank-6": 6, "many": 4}  # the rank of all
MODES = {"split": ["-r", "split"], "compact": ["-r", "compact", "-D", "POINTERS"], "copy-only": ["-r", "copy-only", "--cflags=-fno-pic"],
         "llvm": ["-r", "llvm"]}


def shape_of(shape, least):
    """Batch, channel, width, height, depth, extension."""
    inner = shape[1:] if len(shape) > 1 and shape[0] == 1 else shape
    out = [1, *reversed(inner)]
    for size in out[6:]:
        out[5] *= size
    return (out[:6] + [1] * 6)[:max(min(len(out), 6), 4, least)]


def wanted(model, least):
    rows = []
    for name, shape in model:
        size, kind, signed = TYPES[name]
        dims, elements = shape_of(shape, least), 1
        for dim in shape:
            elements *= dim
        rows.append("{%#x, %d, %d, {%s}}" % (signed << 23 | kind << 17 | size * 8 << 7 | 64, elements, len(dims), ", ".join(map(str, dims))))
    return ", ".join(rows)


def source_of(model):
    declared = [f"const {name} t{i}" + "".join(f"[{dim}]" for dim in shape) for i, (name, shape) in enumerate(model)]
    declared[-1] = declared[-1].removeprefix("const ")
    last = len(model) - 1
    return ("static int counter = 3;\n#ifdef POINTERS\nconst char *words[200] = {[0 ... 199] = \"a\", [3] = \"b\"};\n#endif\n"
            f"void model({', '.join(declared)}) {{\n    {model[-1][0]} *out = ({model[-1][0]} *)t{last};\n    *out = *(const {model[0][0]} *)t0 + counter++;\n"
            "#ifdef POINTERS\n    *out += words[(unsigned)counter % 200][0];\n#endif\n}\n")


def compared(case, model, mode, board, plain, share=None):
    """What the firmware counted, and its text."""
    label, model = model, MODELS[model]
    case.generate(case.write("model.c", source_of(model)), *MODES[mode], "--entry", "model", target=BOARDS[board][1],
                  env={"RELOCPACK_DATADIR": share} if share else None)
    image = reader.read(case.dir / "out/model_rel.bin")
    equal((bool(image.compact), bool(image.patches)), (mode == "compact", mode == "copy-only"), "tables")
    equal(image.bss_end - image.bss_start >= 28 * len(model), label in MADE, "buffers in bss")
    room = (image.ram_copy + 64) // 32 * 32
    values = {"PLAIN": int(plain), "XIP": int(not image.patches), "ROOM": room, "INPUTS": len(model) - 1,
              "WANTED": wanted(model, MADE.get(label, 4)), "NAME": '"model"', "SIGNATURE": '"model"'}
    case.write("tensor_plan.h", "".join(f"#define TENSOR_{name} {value}\n" for name, value in values.items()))
    loader = HERE / "plain_loader.c" if plain else (share or data_files(case)) / "runtime/ai_reloc_network.c"
    return emulate(case, "tensor_table.c", board, loader, image.data, b"")


@each([(model, "split", board, plain) for model in MODELS for board in ("m4", "m55") for plain in (False, True)]
      + [(model, mode, "m4", plain) for model in ("three", "types") for mode in MODES if mode != "split" for plain in (False, True)],
      needs=[QEMU], slow=lambda what: what[2] != "m4")
def reported(case, what):
    """In two instances at once, after a destroyed one, after a second create, and with a call-back registered."""
    told, text = compared(case, *what)
    equal(told["failures"], 0, text)
    check(told["compared"] >= 100, f"{told}")


BROKEN = {"format": ("(value >> 8)", "(value >> 7)"), "size": ("elements *= shape[i];", ""), "count": ("buffer != end)", "buffer != end - 1)"),
          "place": ("= end - COUNT;", "= end - COUNT - 1;"), "shape": ("word - (value & 0xFFu)", "word + 1 - (value & 0xFFu)")}


@each(list(BROKEN), needs=[QEMU])
def finds(case, label):
    """A wrong table is noticed."""
    told, _ = compared(case, "types", "split", "m4", False, share_with(case, "templates/glue_c.c", *BROKEN[label]))
    check(told["failures"] > 0, "the firmware found nothing")


# Variables that begin as 0, of others than the model: create writes next to them.
COUNTER = """int n;
static int hidden[3];
static volatile int scratch[40];
int count(void) {
    for (int i = 0; i < 40; i++)
        scratch[i] = -1;
    hidden[2]++;
    return n++ * 10 + hidden[2];
}
"""
THREE = "int count(void);\nvoid model(const float a[1], const float b[1], float out[1]) { out[0] = a[0] + b[0] * count(); }\n"
WAYS = ("object", "archive", "common", "source")


@each([(way, mode) for way in WAYS for mode in MODES], needs=[QEMU, "clang"])
def apart_from_variables(case, what):
    way, mode = what
    source = case.write("count.c", COUNTER)
    words = ["--source", source]
    if way in ("object", "archive"):
        words = ["--runtime-lib", kit.compile_object(case, source, case.path("count.o"))]
    if way == "archive":
        case.run(f"{CROSS}ar", "rcs", case.path("libcount.a"), words[1])
        words[1] = case.path("libcount.a")
    if way == "common":
        words.append("--cflags=-fcommon")
    case.generate(case.write("model.c", THREE), *words, *MODES[mode][:2],
                  "--entry", "model(in:float[1], in:float[1], out:float[1])")
    has(case.verify(case.dir / "out/model_rel.bin").out, " runs bit-identical to the static build")


# What create finds by its place is not there: the script as it is, and what stands in its place.
KEPT = "        KEEP(*(.rp_tensors))\n"
AT_THE_END = '        ASSERT(. - _rp_tensors_end < 8, "only the word of .rp_done follows the buffers");\n'
MOVED = {
    "buffers first": (KEPT, "", "        *(.bss .bss.*", KEPT + "        *(.bss .bss.*"),
    "bytes at the end": (AT_THE_END, "        . += 4;\n", "", ""),
    "done first": ("        KEEP(*(.rp_done))\n", "", "        *(.bss .bss.*", "        KEEP(*(.rp_done))\n        *(.bss .bss.*"),
    "constants later": ("        KEEP(*(.rp_constants))", "        . += 4;\n        KEEP(*(.rp_constants))", "", ""),
    "context later": ("        KEEP(*(.network_rt_ctx))\n", "        LONG(0)\n        KEEP(*(.network_rt_ctx))\n", "", ""),
}


@each(list(MOVED))
def found_by_its_place(case, label):
    old, new, at, before = MOVED[label]
    share = share_with(case, "templates/image.ld", old, new)
    script = share / "templates/image.ld"
    text = script.read_text()
    check(at in text, f"{at!r} in image.ld")
    script.write_text(text.replace(at, before, 1).replace(AT_THE_END, ""))
    source = source_of(MODELS["three"]).replace("int counter = 3", "int zeroed[9], counter = 3")
    source = case.write("model.c", source.replace("counter++;", "counter++ + zeroed[counter % 9]++;"))
    case.refuse(5, "RP2504", source, "-r", "compact", "-D", "POINTERS", "--entry", "model", env={"RELOCPACK_DATADIR": share})


@test
def script_asserts_the_end(case):
    done = "        KEEP(*(.rp_done))\n"
    share = share_with(case, "templates/image.ld", done, done + "        . += 4;\n")
    has(case.refuse(4, "RP2401", case.write("model.c", source_of(MODELS["three"])), "-r", "compact", "-D", "POINTERS",
                    env={"RELOCPACK_DATADIR": share}), "only the word of .rp_done follows")
