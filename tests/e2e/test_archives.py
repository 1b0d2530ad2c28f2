# SPDX-License-Identifier: Apache-2.0
"""Archives and objects that were made by hand in odd ways: each gives a right image, or is refused with a
message that names what is odd."""
import kit
from kit import CROSS, has, test

ENTRY = """float f(float), g(float);
void entry(const float in[4], float out[4]) { for (int i = 0; i < 4; i++) out[i] = g(in[i]) - f(in[i]); }
"""


def archive(case, name, members, letters="qc"):
    """members: (file in a folder of its own, C or assembly)"""
    objects = []
    for i, (member, text) in enumerate(members):
        source = case.write(f"src/{i}{'.S' if text.startswith('.') else '.c'}", text)
        objects.append(kit.compile_object(case, source, case.path(f"obj/{i}/{member}")))
    case.run(f"{CROSS}ar", letters, case.path(name), *objects)
    return case.dir / name


GROUP = """.syntax unified
.thumb
.section .text.%s,"axG",%%progbits,group,comdat
.thumb_func
.type %s,%%function
%s: bx lr
.section .text.%s,"ax"
.global %s
.type %s,%%function
.thumb_func
%s: b %s
"""


@test
def local_of_another_group(case):
    """The linker takes the group of one object, and the other needs a local symbol of its own."""
    members = [(f"{name}.o", GROUP % (("inner",) * 3 + (name,) * 4 + ("inner",))) for name in "fg"]
    error = case.refuse(4, "RP2401", case.write("model.c", ENTRY), "--runtime-lib", archive(case, "lib.a", members))
    has(error, "'inner' is needed", "COMDAT", "lib.a")


@test
def distance_to_nothing(case):
    text = (".syntax unified\n.thumb\n.section .text.f,\"ax\"\n.weak nothing\n.global f\n.thumb_func\nf: ldr r0, 1f\nadr r1, 1f\n"
            "add r0, r1\nbx lr\n.align 2\n1: .word nothing - 1b\n")
    error = case.refuse(5, "RP2500", case.write("model.c", ENTRY), "--runtime-lib",
                        archive(case, "lib.a", [("f.o", text), ("g.o", "float g(float x) { return x; }\n")]))
    has(error, "a weak symbol that nothing defines", "nothing", "lib.a(f.o)")
