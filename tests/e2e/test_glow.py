# SPDX-License-Identifier: Apache-2.0
"""Glow bundles: packaged with the code as it is, executed, and refused if something does not fit."""
import json
import pathlib
import shutil

import glow_kit
import kit
import reader
import stai_kit
import standin
from glow_kit import FLOAT, TABLE, WORDS
from kit import CROSS, FIXTURES, QEMU, check, each, equal, has, has_not, in_turn, test

KINDS = {"float": FLOAT, "table": TABLE, "words": WORDS, "void": [*FLOAT, "-DBUNDLE_VOID"],
         "pair": [*FLOAT, "-DBUNDLE_PAIR"], "pair_table": [*TABLE, "-DBUNDLE_PAIR"],
         "pair_words_counts": [*WORDS, "-DBUNDLE_PAIR", "-DBUNDLE_COUNTS"]}
CORES = ["stm32f4", "stm32h7", "stm32u5"]
ENTRY = "toy(in data, out softmax)"


def packed(case, source, *words, name="toy", **more):
    case.generate(source, *words, **more)
    return case.dir / f"out/{name}_rel.bin", case.report(name)


def verified(case, image, copy_only):
    answer = json.loads(case.verify(image, "--json").out)
    equal((answer["identical"], answer["xip_refused"], len(answer["runs"])), (True, copy_only, 6 if copy_only else 12),
          "answer")
    return answer


# ---- what works ----

@each([(kind, core) for kind in KINDS for core in CORES], needs=[QEMU], slow=lambda what: what[1] != "stm32f4",
      spread=in_turn(KINDS, CORES))
def executed(case, what):
    kind, core = what
    folder = glow_kit.bundle(case, flags=KINDS[kind], target=core)
    copy_only = kind in ("table", "words", "pair_table", "pair_words_counts")
    for items in ([], ["-r", "split"]):
        image, report = packed(case, folder, *items, target=core)
        equal(report["image"]["xip_ok"], not copy_only, "xip_ok")
        equal(report["relocations"]["text_patches"] != 0, copy_only, f"{report['relocations']}")
        equal(report["model"]["dialect"], "glow", "dialect")
        if kind == "table":
            check(report["relocations"]["by_type"]["R_ARM_THM_MOVW_ABS_NC"] != 0, f"{report['relocations']}")
        verified(case, image, copy_only)


@each([(kind, core) for kind in ("float", "words", "void", "pair") for core in ("stm32g0", "ra2l1")], needs=[QEMU])
def executed_on_small_cores(case, what):
    """Armv6-M and Baseline, without FPU; whole addresses in the code: COPY mode."""
    kind, core = what
    folder = glow_kit.bundle(case, flags=KINDS[kind], target=core)
    image, report = packed(case, folder, target=core)
    equal(report["relocations"]["text_patches"] != 0, kind == "words", f"{report['relocations']}")
    verified(case, image, kind == "words")


@each(["float", "table"], needs=[QEMU, "clang"])
def code_of_clang(case, kind):
    """The generator's own compiler: other sizes of wchar_t and enums, large constants in .rodata."""
    folder = glow_kit.bundle(case)
    case.run("clang", "--target=thumbv7em-none-eabihf", "-mcpu=cortex-m4", "-mfpu=fpv4-sp-d16", "-mfloat-abi=hard", "-O2",
             "-ffreestanding", "-funwind-tables", "-fshort-wchar", "-DBUNDLE=toy", *(["-DBUNDLE_TABLE"] if kind == "table" else []),
             "-c", FIXTURES / "glow/bundle.c", "-o", folder / "toy.o")
    image, report = packed(case, folder)
    equal(report["image"]["xip_ok"], kind == "float", f"{report['relocations']}")
    verified(case, image, kind == "table")


@each(["member.o", "models/glow/member_with_a_long_name.o"], needs=[QEMU])
def archive_named_like_an_object(case, member):
    """The vendor's bundles are such archives, and have names with folders in them."""
    folder = glow_kit.bundle(case, archive=member)
    image, report = packed(case, folder / "toy.h")
    check(any(symbol.get("member") == member for symbol in report["symbols"]), "no symbol of the archive")
    verified(case, image, False)


@test(needs=[QEMU])
def every_field_is_reported(case):
    """The control block of a loadable module: in JSON, as text, in the signature."""
    folder = glow_kit.bundle(case)
    image, report = packed(case, folder)
    try:
        import jsonschema
        jsonschema.Draft202012Validator(json.loads(kit.SCHEMA.read_text())).validate(report)
    except ImportError:
        pass
    bundle, parts = report["bundle"], reader.read(image)
    want = {"entry": "toy", "const_mem_size": 768, "mut_mem_size": 128, "act_mem_size": 64, "mem_align": 64,
            "mut_mem_offset": 0, "act_mem_offset": 128}
    equal({key: bundle[key] for key in want}, want, "bundle")
    equal(bundle["inputs"], [{"name": "data", "type": "float32", "offset": 0, "size": 32, "dims": [1, 8]}], "inputs")
    equal(bundle["outputs"], [{"name": "softmax", "type": "float32", "offset": 64, "size": 16, "dims": [1, 4]}], "outputs")
    data = image.read_bytes()
    at = bundle["weights_offset"]
    equal((at % 64, data[at:at + 768]), (0, glow_kit.weights()), "weights in the image")
    equal(parts.acts_size, 192, "activations")
    entry = next(symbol for symbol in report["symbols"] if symbol["name"] == "toy")
    check(0 < bundle["entry_offset"] < bundle["code_size"] - entry["size_bytes"] + 1, f"{bundle}")
    equal(bundle["entry_offset"] % 2, 0, "entry_offset")
    text = (case.dir / "out/toy_generate_report.txt").read_text()
    for key in [*want, "code_size", "entry_offset", "weights_offset"][1:]:
        kit.matches(text, rf"^ {key} += {bundle[key]}$")
    has(text, "Bundle, entry toy", "data float32[1][8], 32 bytes at 0")
    has(data.decode("latin-1"), "glow entry=toy const_mem_size=768 mut_mem_size=128 act_mem_size=64 mem_align=64 inputs=1 "
        "in0_name=data in0_offset=0 in0_size=32 in0_type=float32 in0_dims=1,8 outputs=1 out0_name=softmax ")
    _, report = packed(case, folder, "-r", "split")
    check("weights_offset" not in report["bundle"], "weights_offset without weights")
    equal((case.dir / "out/toy_data.bin").read_bytes()[:768], glow_kit.weights(), "weights file")


@test
def nothing_of_the_unwinder(case):
    folder = glow_kit.bundle(case)
    has(case.run(f"{CROSS}nm", folder / "toy.o").out, "__aeabi_unwind_cpp_pr")
    _, report = packed(case, folder)
    has_not(json.dumps(report["symbols"]) + json.dumps(report["archive_members"]), "unwind", "malloc", "abort")


@test(needs=[QEMU])
def weights_of_another_bundle(case):
    """Of the same size: a compiler cache must not return the other's."""
    for seed in (1, 2):
        shutil.rmtree(case.dir / "b", ignore_errors=True)
        image, _ = packed(case, glow_kit.bundle(case, seed=seed))
        verified(case, image, False)


@each(["header", "object", "folder", "name", "dialect", "entry"])
def inputs(case, form):
    folder = glow_kit.bundle(case)
    case.write("b/main.c", "int main(void) { return 0; }\n")
    case.write("b/other.h", "#define TOY_CLASSES 4\n")
    case.write("b/glow_bundle_utils.h", "#ifndef _GLOW_BUNDLE_UTILS_H\n#define _GLOW_BUNDLE_UTILS_H\n#endif\n")
    case.write("b/app.h", "extern unsigned char weights[TOY_CONSTANT_MEM_SIZE], io[TOY_MUTABLE_MEM_SIZE];\n")
    if form == "name":
        glow_kit.bundle(case, name="other")
    source, words = {"header": ("toy.h", []), "object": ("toy.o", []), "folder": ("", []), "name": ("", ["--name", "toy"]),
                     "dialect": ("toy.h", ["--dialect", "glow"]), "entry": ("toy.h", ["--entry", ENTRY])}[form]
    told = case.generate(folder / source, *words, "--parse-only").out
    has(told, "model     toy\n", "dialect   glow\n", "generator Glow 2022-02-22 (test)\n", "input     data float32[1][8]\n",
        "output    softmax float32[1][4]\n", "weights   768 bytes\nacts      192 bytes\n")
    check(not (case.dir / "out").exists(), "--parse-only wrote files")


SPELLINGS = {
    "macros_of_another_name": {"prototype": "int toy(uint8_t*,uint8_t*,uint8_t*);", "name": "TOYS"},
    "blanks": {"prototype": "extern\n  int\ttoy ( uint8_t * constantWeight ,\n uint8_t *m, unsigned char *\n a ) ;"},
    "order_of_comments": {"tensors": glow_kit.TENSORS[::-1]},
    "shape_apart": {"tensors": [(n, k.replace("<", "\n//   Shape: [").replace(" x ", ", ").replace(">", "]"), s, o)
                                for n, k, s, o in glow_kit.TENSORS]},
    "numbers": {"sizes": {"CONSTANT_MEM_SIZE": "(0x300u)", "MEM_ALIGN": "(1 << 6) // bytes"}},
    "line_ends": {"tensors": glow_kit.TENSORS},
}


@each(SPELLINGS)
def spellings(case, label):
    glow_kit.bundle(case)
    text = glow_kit.header(**{"name": "toy", **SPELLINGS[label]})
    case.write("b/toy.h", text.replace("\n", "\r\n") if label == "line_ends" else text)
    has(case.generate(case.dir / "b/toy.h", "--parse-only").out, "input     data float32[1][8]\noutput    softmax float32[1][4]\n")


@test(needs=[QEMU])
def without_weights(case):
    """No constants, no activations memory: the function gets NULL, and an address that it does not use."""
    glow_kit.bundle(case, sizes={"CONSTANT_MEM_SIZE": 0, "ACTIVATIONS_MEM_SIZE": 0})
    (case.dir / "b/toy.weights.bin").unlink()
    source = case.write("add.c", "#include <stdint.h>\nint toy(uint8_t *c, uint8_t *m, uint8_t *a) {\n"
                        "    float *x = (float *)m;\n    for (int i = 0; i < 4; i++)\n        x[16 + i] = x[i] + x[4 + i];\n"
                        "    return c != 0 || a != m + 128;\n}\n")
    kit.compile_object(case, source, case.dir / "b/toy.o", pic=False, more=["-fno-pic"])
    for words in ([], ["-r", "split"]):
        image, report = packed(case, case.dir / "b", *words)
        equal((report["memory"]["params"], report["memory"]["acts"], report["bundle"]["const_mem_size"]), (0, 128, 0), "sizes")
        verified(case, image, False)
    case.write("b/toy.weights.bin", b"1234")
    has(case.refuse(9, "RP2904", case.dir / "b"), "has 4 bytes", "declares 0")


@test
def types(case):
    tensors = [("in_data", "i8[S:0.007843138 O:-1][-0.996,1.004]<1 x 4 x 2>", 8, 0), ("prob", "float<1 x 4>", 16, 64)]
    glow_kit.bundle(case, tensors=tensors)
    _, report = packed(case, case.dir / "b")
    equal(report["model"]["inputs"][0], {"name": "in_data", "dtype": "int8", "shape": [1, 4, 2], "size_bytes": 8,
                                         "scale": 0.007843138, "zero_point": -1}, "input")


@test(needs=[QEMU])
def entry_says_the_order(case):
    """The order of --entry is the order of the tensors; types may be given or left to the header."""
    folder = glow_kit.bundle(case, flags=KINDS["pair"])
    image, report = packed(case, folder / "toy.h", "--entry",
                           "toy(out difference_output, in right_input:float[8], out class_prob, in left_input)")
    equal([tensor["name"] for key in ("inputs", "outputs") for tensor in report["model"][key]],
          ["right_input", "left_input", "difference_output", "class_prob"], "order")
    verified(case, image, False)


@test(needs=[QEMU])
def header_without_comments(case):
    glow_kit.bundle(case, comments=False)
    image, _ = packed(case, case.dir / "b/toy.h", "--entry", "toy(in data:float[1,8], out softmax:float[1,4])")
    verified(case, image, False)
    has(case.refuse(9, "RP2902", case.dir / "b", hint="--entry 'toy("), "data", "no type and shape")


@test(needs=[QEMU])
def confused_directions_are_seen(case):
    folder = glow_kit.bundle(case)
    case.generate(folder / "toy.h", "--entry", "toy(in softmax, out data)")
    has(case.verify(case.dir / "out/toy_rel.bin", status=8).err, "RP2802", "what was there before in the activations",
        "does not write an output")


@test(needs=[QEMU])
def error_code_of_the_bundle(case):
    case.generate(glow_kit.bundle(case, flags=[*FLOAT, "-DBUNDLE_RESULT=3"]))
    has(case.verify(case.dir / "out/toy_rel.bin", status=8).err, "RP2800", "run")


@each(["float", "table"], needs=[QEMU])
def in_place_and_aligned(case, kind):
    """A test firmware: tensors in place, alignment refused at init, values by key."""
    image, _ = packed(case, glow_kit.bundle(case, flags=KINDS[kind]))
    here = FIXTURES / "glow"
    case.write("image.S", f'.section .image, "a", %progbits\n.balign 64\n.global image, image_end\nimage:\n.incbin "{image}"\n'
               "image_end:\n")
    flags = kit.target_flags(case, "stm32f4")
    case.run(f"{CROSS}gcc", *flags, "-O1", "-Wall", "-Wextra", "-Wconversion", "-Werror", f"-I{case.dir / 'out'}",
             "-DAI_RELOC_NO_MALLOC", "-nostartfiles", "-static", "-T", here / "firmware.ld", here / "firmware.c",
             case.dir / "out/ai_reloc_network.c", "image.S", "-o", "firmware.elf")
    done = case.run(QEMU, "-M", "mps2-an386", "-kernel", "firmware.elf", "-display", "none", "-serial", "none", "-monitor",
                    "none", "-semihosting-config", "enable=on,target=native", status=None)
    equal(done.status, 0, "first check of firmware.c that failed")


# ---- what is refused ----

WEIGHTS = {"missing": None, "empty": b"", "short": glow_kit.weights()[:-1], "long": glow_kit.weights() + b"\0"}


@each(WEIGHTS)
def weights_that_do_not_fit(case, label):
    folder = glow_kit.bundle(case)
    path = folder / "toy.weights.bin"
    path.unlink()
    if WEIGHTS[label] is not None:
        path.write_bytes(WEIGHTS[label])
        has(case.refuse(9, "RP2904", folder), f"has {len(WEIGHTS[label])} bytes", "declares 768 (TOY_CONSTANT_MEM_SIZE)")
        return
    has_not(case.refuse(9, "RP2904", folder, hint="binary file"), "toy.weights.txt")
    (folder / "toy.weights.txt").write_text("0x00, 0x01\n")
    has(case.refuse(9, "RP2904", folder), "no 'toy.weights.bin'", "toy.weights.txt' is the same as text")


@test
def weights_beyond_64_mib(case):
    """The format has 256 MiB for an image with its weights, for a file of weights and for activations."""
    size = 0x4000100
    folder = glow_kit.bundle(case, sizes={"CONSTANT_MEM_SIZE": size})
    with open(folder / "toy.weights.bin", "r+b") as file:
        file.truncate(size)
    case.generate(folder, "--split")
    equal(case.report("toy")["memory"]["params"], size, "bytes of weights")
    head = (case.dir / "out/toy_data.bin").open("rb").read(768)
    equal(head, glow_kit.weights(), "the first weights")
    more = glow_kit.bundle(case, folder="more", sizes={"MUTABLE_MEM_SIZE": 0x8000000, "ACTIVATIONS_MEM_SIZE": 0x8000000})
    has(case.refuse(9, "RP2907", more), "the activations would have 268435456 bytes")
    with open(folder / "toy.weights.bin", "r+b") as file:
        file.truncate(0xFFFFFFF)
    case.write("b/toy.h", glow_kit.header(sizes={"CONSTANT_MEM_SIZE": 0xFFFFFFF}))
    has(case.refuse(9, "RP2907", folder), "the image would have", "at most 268435455")


@test
def two_candidates(case):
    folder = glow_kit.bundle(case)
    (folder / "toy.h").rename(folder / "model.h")
    for suffix in (".o", ".weights.bin"):
        shutil.copy(folder / f"toy{suffix}", folder / f"model{suffix}")
        has(case.refuse(9, "RP2904" if suffix != ".o" else "RP2900", folder / "model.h"), f"model{suffix}", f"toy{suffix}")
        (folder / f"model{suffix}").unlink()
    case.generate(folder / "model.h")  # of the function's name
    glow_kit.bundle(case, name="other")
    has(case.refuse(9, "RP2900", folder, hint="-i"), "model.h", "other.h")


@test
def network_in_the_same_folder(case):
    """Of a bundle and a network of another dialect, neither is taken unless it is named."""
    env = {"STEDGEAI_CORE_DIR": standin.pack(case, (11, 0))}
    source = pathlib.Path(stai_kit.network(case))
    folder = shutil.copytree(glow_kit.bundle(case), source.parent, dirs_exist_ok=True)
    has(case.refuse(9, "RP2900", folder, env=env, hint="--dialect glow"), "dialect glow", "network.c'")
    has(case.refuse(9, "RP2900", folder, "--name", "net", env=env, hint="--dialect glow"), "dialect glow", "network.c'")
    dialects = {}
    for words in (["--name", "network"], ["--name", "toy"], ["--dialect", "glow"], ["--name", "net", "--dialect", "glow"]):
        case.generate(folder, *words, env=env)
        name = words[1] if words[0] == "--name" else "toy"
        dialects[" ".join(words)] = case.report(name)["model"]["dialect"]
    equal(dialects, {"--name network": "stai", "--name toy": "glow", "--dialect glow": "glow",
                     "--name net --dialect glow": "glow"}, "dialects")


@test
def files_that_are_missing(case):
    folder = glow_kit.bundle(case)
    shutil.move(folder / "toy.h", case.dir / "toy.h")
    has(case.refuse(9, "RP2900", folder / "toy.o", hint="name the header"), "no header")
    shutil.move(case.dir / "toy.h", folder / "toy.h")
    shutil.move(folder / "toy.o", case.dir / "code.o")
    has(case.refuse(9, "RP2900", folder, hint="--runtime-lib"), "no 'toy.o'")
    case.generate(folder, "--runtime-lib", case.dir / "code.o")
    case.write("b/toy.o", b"")
    has(case.refuse(9, "RP2906", folder), "toy.o")
    case.write("b/toy.o", b"text that is no object\n")
    has(case.refuse(9, "RP2906", folder), "toy.o")


@test
def object_of_another_function(case):
    folder = glow_kit.bundle(case)
    glow_kit.compiled(case, "other", out="b/toy.o")
    has(case.refuse(6, "RP2600", folder), "'toy'")


@each([("stm32f4", "stm32h7"), ("cortex-m3", "stm32f4"), ("stm32f4", "stm32u5")])
def object_for_another_core(case, what):
    target, built_for = what
    folder = glow_kit.bundle(case, target=built_for)
    words = ["--mcu", target] if target == "cortex-m3" else ["--target", target]
    has(case.refuse(4, "RP2402", folder, *words, target=None), "toy.o")


@test
def object_for_another_float_abi(case):
    folder = glow_kit.bundle(case, flags=[*FLOAT, "-mfloat-abi=softfp"])
    has(case.refuse(4, "RP2402", folder), "toy.o")


HEADERS = {
    "no_constant_size": ({"sizes": {"CONSTANT_MEM_SIZE": None}}, "RP2900", "CONSTANT_MEM_SIZE"),
    "no_mutable_size": ({"sizes": {"MUTABLE_MEM_SIZE": None}}, "RP2900", "TOY_MUTABLE_MEM_SIZE"),
    "no_alignment": ({"sizes": {"MEM_ALIGN": None}}, "RP2900", "TOY_MEM_ALIGN"),
    "alignment": ({"sizes": {"MEM_ALIGN": 48}}, "RP2900", "not a power of two"),
    "alignment_0": ({"sizes": {"MEM_ALIGN": 0}}, "RP2900", "not a power of two"),
    "negative": ({"sizes": {"ACTIVATIONS_MEM_SIZE": -1}}, "RP2900", "is -1"),
    "huge": ({"sizes": {"ACTIVATIONS_MEM_SIZE": "0x7fffffff"}}, "RP2907", "256 MiB"),
    "just_too_large": ({"sizes": {"CONSTANT_MEM_SIZE": "0x10000000"}}, "RP2907", "256 MiB"),
    "no_number": ({"sizes": {"ACTIVATIONS_MEM_SIZE": "SIZE"}}, "RP2900", "TOY_ACTIVATIONS_MEM_SIZE"),
    "outside": ({"sizes": {"MUTABLE_MEM_SIZE": 72}}, "RP2900", "does not fit"),
    "overlap": ({"tensors": [("data", "float<1 x 8>", 32, 40), ("softmax", "float<1 x 4>", 16, 64)]}, "RP2900", "overlap"),
    "size": ({"tensors": [("data", "float<1 x 7>", 32, 0), ("softmax", "float<1 x 4>", 16, 64)]}, "RP2900", "28 bytes"),
    "twice": ({"tensors": [("data", "float<8>", 32, 0), ("data", "float<4>", 16, 64)]}, "RP2900", "two tensors"),
    "shape": ({"tensors": [("data", "float<1 x -8>", 32, 0), ("softmax", "float<4>", 16, 64)]}, "RP2900", "float<1 x -8>"),
    "many": ({"tensors": [("data", "float<" + "9999999 x " * 7 + "9>", 32, 0), ("softmax", "float<4>", 16, 64)]}, "RP2907",
             "data"),
    "zero_point": ({"tensors": [("data", "i8[S:0.5 O:200][0,1]<32>", 32, 0), ("softmax", "float<4>", 16, 64)]}, "RP2900",
                   "O:200"),
    "type": ({"tensors": [("data", "float16<16>", 32, 0), ("softmax", "float<4>", 16, 64)]}, "RP2902", "float16"),
    "directions": ({"tensors": [("a", "float<8>", 32, 0), ("b", "float<4>", 16, 64), ("c", "float<4>", 16, 80)]}, "RP2902",
                   "which tensors"),
    "contradiction": ({"tensors": [("output", "float<8>", 32, 0), ("input", "float<4>", 16, 64)]}, "RP2902", "which tensors"),
    "one_tensor": ({"tensors": [("data", "float<8>", 32, 0)]}, "RP2902", "which tensors"),
    "no_prototype": ({"prototype": "int toy(void);"}, "RP2900", "uint8_t *constantWeight"),
    "swapped": ({"prototype": "int toy(uint8_t *mutableWeight, uint8_t *constantWeight, uint8_t *activations);"}, "RP2900",
                "has the mutable weights as parameter 1, where a bundle has its constant weights"),
    "const_elsewhere": ({"prototype": "int toy(uint8_t *, uint8_t *, const uint8_t *);"}, "RP2900", "constant weights as parameter 3"),
    "two_prototypes": ({"prototype": "int a(uint8_t *, uint8_t *, uint8_t *); int b(uint8_t *, uint8_t *, uint8_t *);"},
                       "RP2900", "two bundles"),
    "two_bundles": ({"prototype": "#define B_CONSTANT_MEM_SIZE 4\nint toy(uint8_t *, uint8_t *, uint8_t *);"}, "RP2900",
                    "two bundles"),
    "two_values": ({"prototype": "#define TOY_MEM_ALIGN 32\nint toy(uint8_t *, uint8_t *, uint8_t *);"}, "RP2900", "is 32"),
    "comment_open": ({"prototype": "/* int toy("}, "RP2900", "not closed"),
    "offset_elsewhere": ({"prototype": "#define TOY_x 1\n//   Name: \"x\"\n//   Type: float<1>\n//   Offset: 96 (bytes)\n"
                          "int toy(uint8_t *, uint8_t *, uint8_t *);"}, "RP2900", "TOY_x"),
    "dynamic": ({"sizes": {key: None for key in glow_kit.SIZES}}, "RP2900", "CONSTANT_MEM_SIZE"),
}


@each(HEADERS)
def headers(case, label):
    glow_kit.bundle(case)
    more, error_id, text = HEADERS[label]
    case.write("b/toy.h", glow_kit.header(**more))
    has(case.refuse(9, error_id, case.dir / "b/toy.h"), text, "toy.h")


ENTRIES = {"toys(in data, out softmax)": "'toy'", "toy(in data, out soft)": "'soft' is not in", "toy(in data, out data)":
           "named twice", "toy(out softmax)": "'data'", "toy(in data:int8[32], out softmax)": "int8", "other": "'toy'",
           "toy(in data:float[9], out softmax)": "36 bytes", "toy(in, out softmax)": "expected ':'"}


@each(ENTRIES)
def entries(case, spec):
    folder = glow_kit.bundle(case)
    error = case.refuse(9, "RP2900" if "float[9]" in spec else "RP2902", folder / "toy.h", "--entry", spec)
    has(error, ENTRIES[spec])


@test
def any_prefix_of_a_header(case):
    """No crash, no hang, no wrong image: an error, or the result of the whole header."""
    folder = glow_kit.bundle(case)
    text = glow_kit.header()
    whole = case.generate(folder / "toy.h", "--parse-only").out
    for size in range(0, len(text), 37):
        case.write("b/toy.h", text[:size] + ("\0" if size % 2 else ""))
        done = case.generate(folder / "toy.h", "--parse-only", status=None)
        check(done.status == 9 or done.out == whole, done.show())
