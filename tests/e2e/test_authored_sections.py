# SPDX-License-Identifier: Apache-2.0
"""Arrays in sections that an author named after a memory: what they hold decides where they go, in every dialect."""
import reader
import standin
from kit import QEMU, check, each, equal, has, has_not, test
from test_stai import V10, env_of

ENTRY = "void own(const float in[4], float out[4]) { for (int i = 0; i < 4; i++) { %s } }\n"
# Declaration of 400 floats, the part that takes them, the name in note RP1073.
PLAIN = {
    "external_flash": ('#define AI_EXTERNAL_FLASH __attribute__((section(".ExternalFlashSection")))\n'
                       "AI_EXTERNAL_FLASH static const float a[400] = {1, 2, 3, [399] = 9};", "weights", ".ExternalFlashSection"),
    "without_a_dot": ('__attribute__((section("SDRAM_ROM"))) const float a[400] = {1, [399] = 9};', "weights", "SDRAM_ROM"),
    "sdram": ('#define IN_SDRAM __attribute__((section(".sdram")))\n'
              "__attribute__((aligned(32))) IN_SDRAM static float a[400];", "acts", ".sdram"),
    "ccmram": ('__attribute__((section(".ccmram"))) static float a[400];', "acts", ".ccmram"),
    "noinit": ('__attribute__((section(".noinit"))) static float a[400];', "acts", ".noinit"),
    "dtcm": ('__attribute__((section(".dtcm"))) static float a[400] = {1, 2, 3};', "data", ".dtcm"),
    "word_of_the_linker": ('__attribute__((section("KEEP"))) static const float a[400] = {1, [399] = 9};', "weights", "KEEP"),
    "no_const": ('__attribute__((section(".ext"))) float a[400] = {1, 2, 3};', "data", ".ext"),
}


@each(list(PLAIN), needs=[QEMU])
def plain(case, label):
    declaration, part, name = PLAIN[label]
    use = "out[i] = in[i] + a[i + 1];" if part == "weights" else "a[i + 1] += in[i]; out[i] = a[i + 1] + a[399];"
    source = case.write("own.c", f"{declaration}\n" + ENTRY % use)
    result = case.generate(source)
    has(result.out, "note RP1073", f"'{name}'")
    image = reader.read(case.dir / "out/own_rel.bin")
    sizes = {"weights": image.weights_size, "acts": image.acts_size}
    equal({key: size >= 1600 for key, size in sizes.items()}, {key: key == part for key in sizes}, f"{label}: parts")
    has(case.verify(case.dir / "out/own_rel.bin", "-m", source).out, "12 of 12 runs bit-identical")


@test
def a_section_that_code_walks(case):
    """Only a linker that makes an output section of this name gives its start and end."""
    source = case.write("own.c", '__attribute__((section("table"), used)) static const float a[400] = {1};\n'
                        "extern const float __start_table[] __attribute__((weak));\n" + ENTRY % "out[i] = in[i] + __start_table[i] + a[i];")
    has(case.refuse(4, "RP2405", source), "'table'")


def in_section(path, name=".ExternalFlashSection"):
    """As CubeMX writes it: the attribute in a macro between alignment and declaration."""
    text = path.read_text()
    path.write_text(text.replace("\nconst ai_u64", "\nAI_EXTERNAL_FLASH\nconst ai_u64").replace(
        ".h\"\n", f'.h"\n#define AI_EXTERNAL_FLASH __attribute__((section("{name}")))\n', 1))


@each(["params", "split"])
def network(case, weights):
    pack = standin.pack(case, V10)
    source = standin.network(case, V10, weights)
    case.generate(source, out="plain", env=env_of(pack))
    in_section(source / "network_data_params.c")
    has(case.generate(source, env=env_of(pack)).out, "note RP1073", "'.ExternalFlashSection'")
    images = [reader.read(case.dir / out / "network_rel.bin") for out in ("plain", "out")]
    check(images[0].weights == images[1].weights and len(images[0].weights) >= 2432, "weights")


@test
def network_with_a_shared_section(case):
    """The weights are where init says, so nothing else may be in their section."""
    pack = standin.pack(case, V10)
    source = standin.network(case, V10)
    params = source / "network_data_params.c"
    in_section(params)
    text = params.read_text()
    params.write_text(text + "AI_EXTERNAL_FLASH const ai_u64 lookup[2] = {1, 2};\n")
    message = case.refuse(9, "RP2904", source, env=env_of(pack))
    has(message, "'.ExternalFlashSection' has 2 arrays", "lookup", "s_network_weights_array_u64", "section attribute")
    params.write_text(text + "const ai_u64 lookup[2] = {1, 2};\n")
    case.generate(source, env=env_of(pack))


@test
def network_with_variable_weights(case):
    pack = standin.pack(case, V10)
    source = standin.network(case, V10)
    for name in (".data.", ".sdram"):
        params = source / "network_data_params.c"
        params.write_text(params.read_text().replace("\nconst ai_u64", "\nai_u64"))
        header = source / "network_data_params.h"
        header.write_text(header.read_text().replace("const ai_u64", "ai_u64"))
        message = case.refuse(9, "RP2904", source, env=env_of(pack))
        has(message, "s_network_weights", f"section '{name}", "declare it const")
        has_not(message, "neither an array nor a file")
        params.write_text(params.read_text().replace("\nai_u64", '\n__attribute__((section(".sdram"))) ai_u64'))
