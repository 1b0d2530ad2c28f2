# SPDX-License-Identifier: Apache-2.0
"""verify: the static build has every section where the toolchain puts it, whatever its name, with its
initial values. An image that lost them does not compute the same, on any core, by any compiler.
"""
import kit
from kit import CROSS, QEMU, check, each, has, labels_in_turn, test

SERIES = {"m0": "stm32f0", "m0plus": "stm32g0", "m23": "ra2l1", "m85": "ra8m1", "m3": "cortex-m3", "m4": "stm32f4", "m7": "stm32h7", "m33": "stm32u5", "m55": "stm32n6"}
# What a packer may turn each into: (declaration with initial values, the same without).
SECTIONS = {
    "tensor_arena": ('float st[4] __attribute__((section(".tensor_arena"))) = {1, 2, 3, 4};',
                     'float st[4] __attribute__((section(".tensor_arena")));'),
    "bss_with_contents": ('extern float st[4]; __asm__(".pushsection .bss.st,\\"aw\\",%progbits\\n.global st\\n'
                          '.balign 4\\nst: .word 0x3f800000, 0x40000000, 0, 0\\n.popsection");', "float st[4];"),
    "data": ("float st[4] = {1, 2, 3, 4};", "float st[4];"),
}
RUN = """
void keeps(const float in[4], float out[4]) {
    for (int i = 0; i < 4; i++) { out[i] = in[i] + st[i]; st[i] += 1.0f; }
}
"""


@each([f"{name}-{core}" for name in SECTIONS for core in SERIES] + ["tensor_arena-m7-llvm", "data-m33-llvm"],
      needs=[QEMU], slow=lambda label: label.split("-")[1] not in ("m4", "m55"),
      spread=[*labels_in_turn(SECTIONS, ["m4", "m55", "m33"]), "tensor_arena-m3", "tensor_arena-m7-llvm", "data-m33-llvm"])
def lost_initial_values_are_seen(case, label):
    """The image is what the same source without initial values gives: that of a packer that loses them."""
    name, core, *llvm = label.split("-")
    if llvm:
        kit.need("clang", "ld.lld")
    full, lost = SECTIONS[name]
    source = case.write("full/keeps.c", full + RUN)
    option = "--mcu" if core == "m3" else "--target"
    case.generate(case.write("lost/keeps.c", lost + RUN), option, SERIES[core], *(["-r", "llvm"] if llvm else []),
                  target=None)
    image = case.dir / "out/keeps_rel.bin"
    has(case.verify(image).out, "12 of 12 runs bit-identical")
    result = case.verify(image, "-m", source, status=8)
    has(result.err, "error RP2800", "does not compute what the static build computes")


@test(needs=[QEMU])
def no_script_of_ours_is_used(case):
    """The map of the static build comes from the linker's own script; a name that nobody knows has its place."""
    source = case.write("own.c", 'static float table[4] __attribute__((section("model_constants"))) = {1, 2, 3, 4};\n'
                                 "void own(const float in[4], float out[4]) "
                                 "{ for (int i = 0; i < 4; i++) { out[i] = in[i] * table[i]; table[i] += in[i]; } }\n")
    plain = case.write("plain/own.c", source.read_text().replace(' __attribute__((section("model_constants")))', ""))
    case.generate(plain)
    workspace = case.dir / "work"
    result = case.verify(case.dir / "out/own_rel.bin", "-m", source, "--workspace", workspace)
    has(result.out, "12 of 12 runs bit-identical")
    sections = case.run(f"{CROSS}readelf", "-SW", workspace / "image.elf").out
    has(sections, "model_constants")
    check("-T" not in (workspace / "link.rsp").read_text().split(), "a linker script is given")
