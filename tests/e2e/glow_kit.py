# SPDX-License-Identifier: Apache-2.0
"""Glow bundles for tests: header, object and weights in the generator's form, from
tests/fixtures/glow. In: differences from the plain bundle 'toy'. Out: a folder.
"""
import struct

import kit
from kit import CROSS, FIXTURES

SIZES = {"CONSTANT_MEM_SIZE": 768, "MUTABLE_MEM_SIZE": 128, "ACTIVATIONS_MEM_SIZE": 64, "MEM_ALIGN": 64}
TENSORS = [("data", "float<1 x 8>", 32, 0), ("softmax", "float<1 x 4>", 16, 64)]
PAIR = [("left_input", "float<1 x 8>", 32, 0), ("right_input", "float<8>", 32, 64),
        ("class_prob", "float<1 x 4>", 16, 128), ("difference_output", "float<1 x 8>", 32, 192)]
# As the generator's clang makes it: no GOT, position-independent as long as nothing has an address.
FLOAT = ["-fno-pic", "-funwind-tables", "-fshort-enums"]
TABLE = [*FLOAT, "-mslow-flash-data", "-DBUNDLE_TABLE"] # halves of addresses, in MOVW and MOVT
WORDS = [*FLOAT, "-DBUNDLE_TABLE"]                      # whole ones


def header(name="toy", tensors=TENSORS, sizes=None, returns="int", comments=True, prototype=None):
    upper = name.upper()
    lines = [f"#ifndef _GLOW_BUNDLE_{upper}_H", f"#define _GLOW_BUNDLE_{upper}_H", "#include <stdint.h>"]
    if comments:
        lines += ["// Glow Tools version: 2022-02-22 (test)", f'// Model name: "{name}"', "// Placeholders:", "//"]
        for tensor, kind, size, offset in tensors:
            lines += [f'//   Name: "{tensor}"', f"//   Type: {kind}", f"//   Size: {size} (bytes)",
                      f"//   Offset: {offset} (bytes)", "//"]
    lines += ["#ifdef __cplusplus", 'extern "C" {', "#endif"]
    lines += [f"#define {upper}_{tensor}  {offset}" for tensor, _, _, offset in tensors]
    lines += [f"#define {upper}_{key}  {value}" for key, value in {**SIZES, **(sizes or {})}.items() if value is not None]
    lines += [prototype or f"{returns} {name}(uint8_t *constantWeight, uint8_t *mutableWeight, uint8_t *activations);",
              "#ifdef __cplusplus", "}", "#endif", "#endif", ""]
    return "\n".join(lines)


def weights(seed=1, count=192):
    state, out = seed, []
    for _ in range(count):
        state = (state * 1103515245 + 12345) & 0x7FFFFFFF
        out.append((state >> 12 & 0xFFF) / 4096.0 - 0.5)
    return struct.pack(f"<{count}f", *out)


def compiled(case, name="toy", target="stm32f4", flags=tuple(FLOAT), out="bundle.o"):
    return kit.compile_object(case, FIXTURES / "glow/bundle.c", case.path(out), target=target, pic=False,
                              more=[*flags, f"-DBUNDLE={name}"])


def bundle(case, name="toy", folder="b", target="stm32f4", flags=tuple(FLOAT), archive=None, seed=1, **more):
    """A folder with NAME.h, NAME.o, NAME.weights.bin. archive: the object is the member of that name. more: for header()."""
    compiled(case, name, target, flags, f"{folder}/{name}.o")
    if archive:
        member = case.path(f"{folder}/{archive}")
        (case.dir / folder / f"{name}.o").rename(member)
        case.run(f"{CROSS}ar", "rcsDP", f"{name}.o", archive, cwd=case.dir / folder)
        member.unlink()
    if "-DBUNDLE_PAIR" in flags:
        more = {"tensors": PAIR, "sizes": {"MUTABLE_MEM_SIZE": 256}, **more}
    if "-DBUNDLE_VOID" in flags:
        more = {"returns": "void", **more}
    case.write(f"{folder}/{name}.h", header(name, **more))
    case.write(f"{folder}/{name}.weights.bin", weights(seed))
    return case.dir / folder
