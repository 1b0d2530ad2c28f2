# SPDX-License-Identifier: Apache-2.0
"""Instructions that the target's core does not have. The decoder (elfpack/insn/insn.def) is compared with
the cross assembler, which knows the instructions of each core, and with its disassembler; then with
whole models."""
import json
import pathlib
import random
import re
import struct

import kit
from kit import QEMU, ROOT, check, each, equal, has, test

SERIES = {"stm32f0": "C20 0 0", "stm32g0": "C60 0 0", "ra2l1": "D20 0 0", "ra8m1": "D23 1 1", "cortex-m52": "D24 1 1",
          "cortex-m3": "C23 0 0", "stm32f4": "C24 1 0", "stm32f7": "C27 1 0", "stm32h7": "C27 1 1", "stm32u5": "D21 1 0",
          "stm32n6": "D22 1 1"}
# The assemblers that are tried in turn for an instruction: none takes all of them.
ALL = ["armv8.1-m.main+mve.fp+fp.dp+pacbti", "armv8-m.main+fp.dp+cdecp0", "armv8.1-m.main+mve.fp+fp.dp+cdecp0", "armv7e-m+fp.dp"]
HEAD = ".syntax unified\n.thumb\n"


def decoder(case):
    return kit.cached(case, "decode", lambda folder: case.run(
        "gcc", "-std=c11", "-D_GNU_SOURCE", f"-I{ROOT}", "-O1", ROOT / "tests/e2e/decode.c", ROOT / "elfpack/insn/insn.c",
        ROOT / "elfpack/insn/family.c", ROOT / "elfpack/insn/thumb.c", ROOT / "base/core.c", "-o", folder / "decode")) / "decode"


def decode(case, codes):
    """codes: 4 or 8 hexadecimal digits each. Family, and whether r9 is written, of each."""
    case.write("codes.txt", "\n".join(codes) + "\n")
    lines = case.run(decoder(case), "codes.txt").out.splitlines()
    equal(len(lines), len(codes), "lines")
    return [(words[1], bool(int(words[3], 16) >> 9 & 1)) for words in (line.split() for line in lines)]


def listed():
    """The text, whether it writes r9, and where the decoder differs on purpose."""
    for line in (pathlib.Path(__file__).parent / "instructions.txt").read_text().splitlines():
        if not line.startswith("#"):
            text, family = re.fullmatch(r"!?(.*?)(?: \[([A-Z0-9]+)\])?", line).groups()
            yield text, line.startswith("!"), family


def assembled(case, command, texts):
    """The texts that the assembler accepts."""
    case.write("one.s", HEAD + "".join(f"{text}\n" for text in texts))
    result = case.run(*command, "one.s", "-o", "one.o", status=None)
    wrong = {int(number) for number in re.findall(r"one\.s:(\d+): Error", result.err + result.out)}
    return {text for number, text in enumerate(texts, 3) if number not in wrong}


def encoded(case, texts):
    """The code of each, as hexadecimal digits, by the first architecture that has it."""
    codes = {}
    for arch in ALL:
        command = [f"{kit.CROSS}as", f"-march={arch}", "-mfloat-abi=hard"]
        taken = sorted(assembled(case, command, [text for text in texts if text not in codes]))
        case.write("all.s", HEAD + "".join(f"{text}\n.balign 4\n" for text in taken))
        case.run(*command, "all.s", "-o", "all.o")
        case.run(f"{kit.CROSS}objcopy", "-O", "binary", "-j", ".text", "all.o", "all.bin")
        data = (case.dir / "all.bin").read_bytes()
        equal(len(data), 4 * len(taken), "bytes")
        for text, (first, second) in zip(taken, struct.iter_unpack("<HH", data)):
            codes[text] = f"{first:04x}{second:04x}" if first >= 0xE800 else f"{first:04x}"
    missing = [text for text in texts if text not in codes]
    equal(missing, [], "instructions that no assembler takes")
    return codes


# Where the assembler is wrong. It takes these although the core lacks them: names of system registers, FPv5 without any FPU, and some
# double precision for an FPU in single precision.
LAX = re.compile(r"mrs .*(_ns|lim)|msr .*(_ns|lim)|v(max|min)nm\.f32 s|vcvt[anpm]\.[su]32\.f32 s|v(nmul|nml[as]|fn?m[as]|cmpe?)\.f64")
# For Armv6-M and Armv8-M Baseline it takes system registers of Mainline, "mov r9, #1" as a MOVW, and two that it takes for any core.
LAX_BASELINE = re.compile(r"cpsi[ed] f|mrs .*(basepri|faultmask)|msr (basepri|faultmask)|mov r9, #1|mov\.w r9, r1, lsl #3|beq \.\+4000")
# It wants another distance of an address, and another way to say UDF.
STRICT_BASELINE = re.compile(r"adr r0, \.\+20|udf\.w")
# It refuses these, which FPv4-SP has (DDI 0403, A7.7.243 and the next).
STRICT = re.compile(r"vmov\.32 .*\[")


@test
def as_the_assembler(case):
    """The assembler accepts an instruction for a core if and only if the decoder says that the core has it."""
    rows = list(listed())
    texts = [text for text, _, _ in rows]
    codes = encoded(case, texts)
    found = dict(zip(texts, decode(case, [codes[text] for text in texts])))
    wrong = [f"{text} ({codes[text]}): {found[text]}" for text, writes, family in rows
             if found[text][0] == "NONE" or (found[text][1] != writes and family != "COPROCESSOR") or (family and found[text][0] != family)]
    equal(wrong, [], "decoded")
    all_wrong = []
    for series, core in SERIES.items():
        has_families = case.run(decoder(case), *core.split()).out.split()
        taken = assembled(case, [f"{kit.CROSS}gcc", *kit.target_flags(case, series), "-c"], texts)
        check(50 < len(taken) < len(texts), f"{series}: {len(taken)}")
        lax, strict = (LAX_BASELINE, STRICT_BASELINE) if core.endswith(" 0 0") and series != "cortex-m3" else (LAX, STRICT)
        wrong = [f"{series}: {text}: {found[text][0]}, assembler {text in taken}" for text, _, family in rows
                 if not family and (found[text][0] in has_families) != (text in taken)
                 and (lax if text in taken else strict).match(text) is None and (LAX if text in taken else STRICT).match(text) is None]
        all_wrong += wrong
    equal(all_wrong, [], "cores")


# Undefined on a Cortex-M, though the disassembler has a name: other profiles, branch-future hints, encodings with bits that are
# reserved, registers above d15.
OTHERS = re.compile(r"pldw|pli\t\[sp|blx|bx|stm.*(sp|pc)|ldm.*sp|str.*\[pc|bf\w*\t|smc|hvc|bxj|strexd|ldrexd|stlexd|ldaexd|cps\t|setend|setpan|cpsi[ed]\ta|eret|rfe|srs|dcps|subs\tpc|sevl|hlt|ldr\?\?|"
                    r"str\?\?|crc32|.*<undefined>|.*\bd(1[6-9]|[23]\d)\b|.*overflow reg|v[us]dot|vusdot|vfm[as]l|v\w*\.bf16|vmmla|"
                    r"v\w*mmla|vmov\.(?:[su]?8|[su]?16|32)|(?:str|ldr)\w*\.w\t\w+, \[\w+, \w+|mrs|msr|esb|ssbb|pssbb|.*\.word|.*<illegal|undefined|cdp|mcr|mrc|ldc|stc|mrrc|.*@ <UNP")


def rows():
    return [(int(mask, 16), int(value, 16), family) for mask, value, family in
            re.findall(r"^X32\(0x(\w+), 0x(\w+), (\w+),", (ROOT / "elfpack/insn/insn.def").read_text(), re.M)]


@each(["1", "2", "3"], slow=lambda seed: seed != "1")
def as_the_disassembler(case, seed):
    """Random encodings: one that is undefined for one side is undefined for the other, with reasons for the rest."""
    numbers = random.Random(seed)
    codes = {value | numbers.getrandbits(32) & ~mask & 0xFFFFFFFF for mask, value, _ in rows() for _ in range(100)}
    codes |= {numbers.randrange(0xE8000000, 1 << 32) for _ in range(30000)}
    codes = sorted(codes)
    (case.dir / "codes.bin").write_bytes(b"".join(struct.pack("<HH", code >> 16, code & 0xFFFF) for code in codes))
    text = case.run(f"{kit.CROSS}objdump", "-D", "-b", "binary", "-marmv8.1-m.main", "-Mforce-thumb", "codes.bin").out
    names = {int(at, 16): name for at, name in re.findall(r"^ *([0-9a-f]+):\t[0-9a-f ]+\t(.*)$", text, re.M)}
    wrong = []
    for index, (code, (family, _)) in enumerate(zip(codes, decode(case, [f"{code:08x}" for code in codes]))):
        name = names.get(4 * index, "")
        undefined = "UNDEFINED" in name
        if family not in ("NONE", "MVE", "COPROCESSOR", "FP16", "V81M") and undefined:
            wrong.append(f"{code:08x} {family}: {name}")
        if family == "NONE" and not undefined and name and OTHERS.match(name) is None:
            wrong.append(f"{code:08x} undefined: {name}")
    equal(wrong[:20], [], f"{len(wrong)} of {len(codes)}")


@test
def short_ones(case):
    """All encodings of 16 bits."""
    codes = list(range(0xE800))
    (case.dir / "codes.bin").write_bytes(b"".join(struct.pack("<H", code) for code in codes))
    text = case.run(f"{kit.CROSS}objdump", "-D", "-z", "-b", "binary", "-marmv8.1-m.main", "-Mforce-thumb", "codes.bin").out
    names = {int(at, 16): name for at, name in re.findall(r"^ *([0-9a-f]+):\t[0-9a-f ]+\t(.*)$", text, re.M)}
    wrong = []
    for code, (family, _) in zip(codes, decode(case, [f"{code:04x}" for code in codes])):
        name = names.get(2 * code, "UNDEFINED")
        undefined = "UNDEFINED" in name or ".short" in name
        if undefined if family != "NONE" else not undefined and OTHERS.match(name) is None:
            wrong.append(f"{code:04x} {family}: {name}")
    equal(wrong[:20], [], f"{len(wrong)}")


# ---- whole models ----

# One instruction of each family, by its code: so an object says nothing in its build attributes.
CODES = {"V6M": (".inst.n 0xba00", "rev"), "BASE": (".inst.w 0xfb90f0f1", "sdiv"), "V7M": (".inst.w 0xea000001", "and.w"), "DSP": (".inst.w 0xfa81f080", "qadd r0"), "FP": (".inst.w 0xee300a00", "vadd.f32"),
         "FP_DP": (".inst.w 0xee300b00", "vadd.f64"), "FPV5": (".inst.w 0xfeb80a40", "vrinta.f32"),
         "FP16": (".inst.w 0xee300900", "vadd.f16"), "V8M": (".inst.w 0xe8dd2faf", "lda r2"),
         "V81M": (".inst.w 0xea508201", "csel r2"), "MVE": (".inst.w 0xef200840", "vadd.i32"),
         "PACBTI": (".inst.w 0xfb60f200", ""), "COPROCESSOR": (".inst.w 0xee000010", "coprocessor"), "NONE": (".inst.n 0xb6ff", "undefined")}


def with_families(case, series, families):
    text = HEAD + "".join(f".section .text.f_{name}, \"ax\"\n.global f_{name}\n.thumb_func\nf_{name}:\n{CODES[name][0]}\nbx lr\n"
                          for name in families)
    kit.compile_object(case, case.write("f.S", text), case.dir / "f.o", target=series, pic=False)
    calls = "".join(f"int f_{name}(int, int);\n" for name in families)
    body = "".join(f"    out[{index}] = (float)f_{name}((int)in[0], 5);\n" for index, name in enumerate(families))
    return case.write("model.c", f"{calls}void model(const float in[4], float out[{len(families)}]) {{\n{body}}}\n")


def target_option(series):
    return ["--mcu", series] if series.startswith("cortex") else ["--target", series]


@each(sorted(SERIES), needs=[QEMU])
def families_of(case, series):
    """Instructions that the core has are packaged and run; the others are named, and nothing else is."""
    families = case.run(decoder(case), *SERIES[series].split()).out.split()
    lacking = [name for name in CODES if name not in families]
    source = with_families(case, series, lacking)
    error = case.refuse(4, "RP2408", source, "--runtime-lib", case.dir / "f.o", *target_option(series), target=None,
                        hint="-mcpu=")
    has(error, f"{len(lacking)} instructions", series)
    for name in lacking[:12]:  # no more are shown
        has(error, f"f_{name} + 0x0", CODES[name][1])
    source = with_families(case, series, [name for name in CODES if name in families])
    case.generate(source, "--runtime-lib", case.dir / "f.o", *target_option(series), target=None)
    check(json.loads(case.verify(case.dir / "out/model_rel.bin", "--json").out)["identical"], "differs")


DOUBLE = "double scale(double x) { return x * 1.5 + 0.25; }\n"
USES = "double scale(double x);\nvoid model(const float in[4], float out[4]) {\n    for (int i = 0; i < 4; i++)\n" \
    "        out[i] = (float)scale(in[i]);\n}\n"


@each(["object", "archive"], needs=[QEMU])
def double_precision(case, kind):
    """Compiled for a core with an FPU in double precision; half of an archive's members are not linked."""
    kit.compile_object(case, case.write("scale.c", DOUBLE), case.dir / "scale.o", target="stm32h7", pic=False)
    library = case.dir / "scale.o"
    if kind == "archive":
        kit.compile_object(case, case.write("other.c", DOUBLE.replace("scale", "other")), case.dir / "other.o", target="stm32h7",
                           pic=False)
        library = case.dir / "libscale.a"
        case.run(f"{kit.CROSS}ar", "rcsD", library, case.dir / "scale.o", case.dir / "other.o")
    source = case.write("model.c", USES)
    error = case.refuse(4, "RP2408", source, "--runtime-lib", library, target="stm32f7", hint="-mfpu=fpv5-sp-d16")
    has(error, "scale + 0x", "scale.o", ".f64", "double precision")
    kit.has_not(error, "other")
    case.generate(source, "--runtime-lib", library, target="stm32h7")
    check(json.loads(case.verify(case.dir / "out/model_rel.bin", "--json").out)["identical"], "differs")
    plain = case.write("plain.c", "void model(const float in[4], float out[4]) { out[0] = in[1]; }\n")
    case.generate(plain, "--runtime-lib", library, target="stm32f7", out="plain")


# A model's own source: the last word of each is what the message has to contain.
HIDDEN = {
    "word": ('__asm__ volatile(".word 0x0b00ee30" ::: "d0");', "vadd.f64"),
    "halves": ('__asm__ volatile(".short 0xee30, 0x0b00" ::: "d0");', "vadd.f64"),
    "bytes": ('__asm__ volatile(".byte 0x30, 0xee, 0x00, 0x0b" ::: "d0");', "vadd.f64"),
    "behind_branch": ('__asm__ volatile("b 1f\\n.word 0\\n1: .word 0x0b00ee30" ::: "d0");', "vadd.f64"),
    "directive": ('__asm__ volatile(".fpu fpv5-d16\\nvadd.f64 d0, d0, d0\\n.fpu fpv5-sp-d16" ::: "d0");', "vadd.f64"),
    "undefined": ('__asm__ volatile(".inst.w 0xf7f08000");', "undefined"),
    "outside": ('__asm__ volatile(".inst.w 0xf7f0f0f0" ::: "lr");', "out of the image"),
}


@each(sorted(HIDDEN))
def hidden(case, name):
    """Instructions that the object calls data."""
    text, says = HIDDEN[name]
    source = case.write("model.c", f"void model(const float in[4], float out[4]) {{\n    {text}\n    out[0] = in[0];\n}}\n")
    has(case.refuse(4, "RP2408", source, target="stm32f7"), says, "model + 0x", "model.c")


@test
def arm_state(case):
    text = ".syntax unified\n.text\n.thumb\n.global f\n.thumb_func\nf: bx lr\n.align 2\n.arm\n.word 0\nmov r0, r1\n"
    case.write("f.s", text)
    case.run(f"{kit.CROSS}as", "f.s", "-o", "f.o")
    source = case.write("model.c", "void f(void);\nvoid model(const float in[4], float out[4]) { f(); out[0] = in[0]; }\n")
    has(case.refuse(4, "RP2408", source, "--runtime-lib", case.dir / "f.o"), "Arm state", "f.o")


DATA_IN_TEXT = """static float table(int i) {
    static const unsigned words[2] __attribute__((section(".text.words"))) = {0x0b00ee30u, 0xffffffffu};
    return (float)words[i];
}
__attribute__((noinline)) static float literal(float x) {
    unsigned word;
    __asm__("ldr %0, =0x0b00ee30" : "=r"(word));
    return x + (float)word;
}
__attribute__((noinline)) static int choose(int i) {
    switch (i) {
    case 0: return 71; case 1: return 5; case 2: return 937; case 3: return 11; case 4: return 66; case 5: return 12345;
    case 6: __builtin_trap();
    default: __builtin_unreachable();
    }
}
void model(const float in[4], float out[4]) {
    out[0] = table((int)in[0] & 1);
    out[1] = literal(in[1]);
    out[2] = (float)choose((int)in[2] & 3);
}
"""


@each(["stm32f7", "stm32n6"], needs=[QEMU])
def data_in_text(case, target):
    """Constants that look like instructions that the core lacks."""
    case.generate(case.write("model.c", DATA_IN_TEXT), target=target)
    check(json.loads(case.verify(case.dir / "out/model_rel.bin", "--json").out)["identical"], "differs")


@test
def stripped(case):
    """No mapping symbols, no local names: words loaded as literals are data, the rest is code."""
    text = HEAD + ".text\n.global f\n.type f, %function\nf: ldr r0, 1f\nldr r1, 2f\nbx lr\n.align 2\n1: .word 0x0b00ee30\n2: .word 0xb6ffb6ff\n"
    source = case.write("model.c", "float f(void);\nvoid model(const float in[4], float out[4]) { out[0] = f() + in[0]; }\n")
    kit.compile_object(case, case.write("f.S", text), case.dir / "f.o", target="stm32f7", pic=False)
    case.run(f"{kit.CROSS}strip", "--strip-unneeded", case.dir / "f.o")
    case.generate(source, "--runtime-lib", case.dir / "f.o", target="stm32f7")
    kit.compile_object(case, case.write("f.S", text.replace("bx lr", ".inst.w 0xee300b00\nbx lr")), case.dir / "f.o", target="stm32f7",
                       pic=False)
    case.run(f"{kit.CROSS}strip", "--strip-unneeded", case.dir / "f.o")
    has(case.refuse(4, "RP2408", source, "--runtime-lib", case.dir / "f.o", target="stm32f7"), "vadd.f64", "f + 0x")
