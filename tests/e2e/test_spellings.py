# SPDX-License-Identifier: Apache-2.0
"""Models as people write them: forms of definitions, names and calls that generators do not use. verify shares the entry
glue with the image, so that results are compared with numbers computed here."""
import struct

from kit import QEMU, compile_object, each, has, test

KINDS = {"f": "<f4", "b": "|i1", "B": "|u1", "i": "<i4", "d": "<f8"}


def npy(numbers, kind="f"):
    header = repr({"descr": KINDS[kind], "fortran_order": False, "shape": (len(numbers),)}).encode() + b"\n"
    return b"\x93NUMPY\1\0" + struct.pack("<H", len(header)) + header + struct.pack(f"<{len(numbers)}{kind}", *numbers)


def computes(case, name, inputs, outputs, out="out"):
    """The image gives these outputs for these inputs; a tensor is its numbers, or those and their kind."""
    for role, tensors in (("input", inputs), ("output", outputs)):
        for i, tensor in enumerate(tensors):
            case.write(f"set/{role}_{i}.npy", npy(*tensor) if isinstance(tensor, tuple) else npy(tensor))
    has(case.verify(case.dir / out / f"{name}_rel.bin", "--reference", case.dir / "set").out, "1 of 1 data set equal")


# ---- definitions in the style of K&R ----

SCALED = "void scaled(by, x, y) float by; const float *x; float y[2]; { y[0] = x[0] * by; y[1] = x[1] + by; }\n"


@each(["m4", "m0"], needs=[QEMU])
def old_style(case, core):
    """Without a prototype, callers pass a float as double."""
    source = case.write("model.c", SCALED)
    target = {"m4": "stm32f4", "m0": "stm32g0"}[core]
    call = "scaled({}, in:float[2], out:float[2])"
    has(case.refuse(9, "RP2908", source, "--entry", call.format("0.5f")), "model.c:1", "promoted float", "write 0.5")
    case.generate(source, "--entry", call.format("0.5"), target=target)
    computes(case, "model", [[4, 6]], [[2, 6.5]])
    case.write("model.c", "void scaled(float, const float *, float *);\n" + SCALED)
    has(case.refuse(9, "RP2908", source, "--entry", call.format("0.5")), "write 0.5f")
    case.generate(source, "--entry", call.format("0.5f"), target=target)
    computes(case, "model", [[4, 6]], [[2, 6.5]])


@test(needs=[QEMU])
def old_style_in_an_object(case):
    """There, debug information alone says it."""
    source = case.write("model.c", "static const int unused = 1;\n")
    scaled = compile_object(case, case.write("scaled.c", SCALED), case.dir / "scaled.o", more=["-g"])
    words = ["--runtime-lib", scaled, "--entry"]
    has(case.refuse(9, "RP2908", source, *words, "scaled(0.5f, in:float[2], out:float[2])"), "scaled.c:1", "write 0.5")
    case.generate(source, *words, "scaled(0.5, in:float[2], out:float[2])")
    computes(case, "model", [[4, 6]], [[2, 6.5]])


@test(needs=[QEMU])
def old_style_without_entry(case):
    """The declarations behind the head are those of the parameters, and what follows is read as ever."""
    source = case.write("model.c", "enum { N = 3 };\nint sum(a, b) { return a + b; }\n"
                                   "void model(x, y) const float x[N]; float y[2];\n{\n"
                                   "    for (int i = 0; i < 2; i++)\n        y[i] = x[i + 1] + sum(i, 1);\n}\n"
                                   "int last(const float x[2]) { return x[0] > 0; }\n")
    case.generate(source)
    computes(case, "model", [[1, 2, 3]], [[3, 5]])
