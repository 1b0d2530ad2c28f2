# SPDX-License-Identifier: Apache-2.0
"""Models and the loader in CMake, Meson and make, as an installation gives them; manifests of the loader's module."""
import json
import os
import re
import shutil

import kit
from kit import CROSS, EXAMPLES, check, each, equal, has, has_not, test

RUNTIME = kit.ROOT / "runtime"
FLAGS = "-mcpu=cortex-m7 -mthumb -mfloat-abi=hard -mfpu=fpv5-d16"
GENERATORS = {"ninja": "Ninja", "make": "Unix Makefiles"}
TOOLCHAIN = f"""
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR arm)
set(CMAKE_C_COMPILER {CROSS}gcc)
set(CMAKE_C_FLAGS_INIT "{FLAGS}")
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
"""
MAIN = """
#include "ai_reloc_network.h"
#include "NAME_rel.h"
extern const char user_of_NAME[AI_UPPER_RELOC_IN_1_SIZE];
const char user_of_NAME[] = {1, 2, 3, 4};
int main(void) {
    static ai_NAME_reloc_in_1 x;
    ai_rel_network_info info;
    return ai_rel_network_rt_get_info_sized(x, AI_UPPER_RELOC_IMAGE_SIZE, &info);
}
"""
MODEL = """
#include "weights.h"
void net(const float x[4], float y[4]);
void net(const float x[4], float y[4]) {
    for (int i = 0; i < 4; i++)
        y[i] = x[i] * weights[i];
}
"""
WEIGHTS = "static const float weights[4] = {1, 2, 3, %d};\n"


def main_of(name):
    return MAIN.replace("NAME", name).replace("UPPER", name.upper())


class Project:
    """A CMake project in a folder whose name has a blank; the tool is an installed one."""
    def __init__(self, case, text, generator="Ninja"):
        self.case, self.dir = case, case.dir / "a project"
        prefix = kit.cached(case, "installed", lambda folder: case.run("make", "-C", kit.ROOT, "install", f"PREFIX={folder}"))
        self.env = {"PATH": f"{prefix}/bin:{os.environ['PATH']}"}
        self.options = ["-G", generator, "--toolchain", "arm.cmake", f"-DCMAKE_PREFIX_PATH={prefix}"]
        self.prefix = prefix
        self.write("arm.cmake", TOOLCHAIN)
        self.write("CMakeLists.txt", "cmake_minimum_required(VERSION 3.20)\nproject(p C)\nenable_testing()\n"
                   "find_package(relocpack 0.1 REQUIRED)\n" + text)
        self.write("net.c", MODEL)
        self.write("weights.h", WEIGHTS % 4)
        self.write("main.c", main_of("kws"))

    def write(self, name, text):
        return self.case.write(f"a project/{name}", text)

    def configure(self, status=0):
        return self.case.run("cmake", *self.options, "-B", "build", cwd=self.dir, env=self.env, status=status)

    def build(self, *words, status=0):
        return self.case.run("cmake", "--build", "build", *words, cwd=self.dir, env=self.env, status=status)

    def packaged(self, *words):
        """Builds; was the model packaged?"""
        return "Packaging kws" in self.build(*words).out


USED = """
relocpack_add_model(kws SOURCE net.c TARGET stm32h7 {words})
add_library(firmware STATIC main.c)
target_compile_options(firmware PRIVATE -Wall -Wextra -Wconversion -Werror)
target_link_libraries(firmware PRIVATE kws relocpack::loader)
"""


@each(GENERATORS, needs=["cmake", "ninja"])
def built_when_something_changes(case, label):
    project = Project(case, USED.format(words="RELOCATABLE gen-c-file"), GENERATORS[label])
    project.configure()
    equal(project.packaged(), True, "packaged at first")
    made = project.dir / "build/kws"
    first = (made / "kws_rel.bin").read_bytes()
    has(case.run(f"{CROSS}nm", project.dir / "build/libfirmware.a").out, "ai_kws_reloc_img_get", "ai_rel_network_init", "user_of_kws")
    equal(project.packaged(), False, "packaged without a change")
    project.write("weights.h", WEIGHTS % 5)
    equal(project.packaged(), True, "packaged after a header changed")
    check((made / "kws_rel.bin").read_bytes() != first, "the image is the old one")
    project.write("main.c", main_of("kws") + "\n")
    equal(project.packaged(), False, "packaged after the firmware changed")
    (made / "kws_rel.bin").unlink()
    equal(project.packaged("--target", "kws"), True, "packaged after the image was removed")
    project.write("weights.h", "#error no weights\n")
    result = project.build(status=None)
    check(result.status != 0, "built from what cannot be compiled")
    has(result.out + result.err, "no weights", "weights.h")
    project.write("weights.h", WEIGHTS % 4)
    equal(project.packaged(), True, "packaged after the repair")
    equal((made / "kws_rel.bin").read_bytes() == first, True, "the image of the same sources")


@each(["weights", "none"], needs=["cmake", "ninja"])
def split_files(case, label):
    """The weights' files exist also when the model has none, so that nothing is built for ever."""
    project = Project(case, USED.format(words="RELOCATABLE split gen-c-file gen-c-weights\n  OPTIONS --weights-threshold 8")
                      + 'file(GENERATE OUTPUT paths CONTENT "$<TARGET_PROPERTY:kws,RELOCPACK_IMAGE>\\n'
                      '$<TARGET_PROPERTY:kws,RELOCPACK_WEIGHTS>\\n$<TARGET_PROPERTY:kws,RELOCPACK_REPORT>")\n')
    if label == "none":
        project.write("net.c", MODEL.replace(" * weights[i]", " * 2"))
    project.configure()
    equal([project.packaged(), project.packaged()], [True, False], "packaged")
    paths = (project.dir / "build/paths").read_text().splitlines()
    equal([kit.pathlib.Path(path).is_file() for path in paths], [True] * 3, f"files {paths}")
    has(case.run(f"{CROSS}nm", project.dir / "build/libfirmware.a").out, *(["ai_kws_reloc_weights_get"] if label == "weights" else []))


@test(needs=["cmake", "ninja", kit.QEMU])
def several_models_and_tests(case):
    """A list of models, another folder of the project, the program's options, tests."""
    project = Project(case, """
foreach(name one two)
  relocpack_add_model(${name} SOURCE net.c TARGET cortex-m33 EXCLUDE_FROM_ALL)
endforeach()
add_subdirectory(sub)
add_executable(firmware main.c)
target_link_options(firmware PRIVATE --specs=nosys.specs)
target_link_libraries(firmware PRIVATE kws relocpack::loader)
""")
    project.write("sub/CMakeLists.txt", "relocpack_add_model(kws SOURCE ../net.c TARGET stm32h7 RELOCATABLE split,gen-c-file\n"
                  "  OPTIONS --weights-threshold 8 --budget flash=1M VERIFY --seed 7)\n")
    project.configure()
    project.build()
    check(not (project.dir / "build/one").exists(), "a model that was left out of all")
    project.build("--target", "two")
    equal(json.loads((project.dir / "build/two/two_generate_rel.json").read_text())["target"]["cpu"], "cortex-m33", "core")
    report = json.loads((project.dir / "build/sub/kws/kws_generate_rel.json").read_text())
    equal([report["image"]["split"], report["budgets"][0]["limit"]], [True, 1048576], "what the words say")
    shown = case.run("ctest", "--test-dir", "build", "-V", cwd=project.dir, env=project.env).out
    has(shown, "kws_verify", "100% tests passed")


@each(GENERATORS, needs=["cmake", "ninja"])
def made_during_the_build(case, label):
    """The model's code is what another rule writes: a file, and a folder with DEPENDS."""
    project = Project(case, """
foreach(file net.c folder/net.c)
  add_custom_command(OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${file}
    COMMAND ${CMAKE_COMMAND} -E copy ${CMAKE_CURRENT_SOURCE_DIR}/net.c ${CMAKE_CURRENT_BINARY_DIR}/${file}
    DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/net.c)
endforeach()
relocpack_add_model(kws SOURCE ${CMAKE_CURRENT_BINARY_DIR}/net.c TARGET cortex-m4)
relocpack_add_model(kws_of_folder SOURCE ${CMAKE_CURRENT_BINARY_DIR}/folder TARGET cortex-m4
  DEPENDS ${CMAKE_CURRENT_BINARY_DIR}/folder/net.c)
""", GENERATORS[label])
    plain = MODEL.replace('#include "weights.h"', "").replace("weights[i]", "NUMBER")
    for number in (2, 3):
        project.write("net.c", plain.replace("NUMBER", str(number)))
        if number == 2:
            project.configure()
        said = project.build().out
        has(said, "Packaging kws for", "Packaging kws_of_folder for")
        has_not(project.build().out, "Packaging")
    equal([len((project.dir / f"build/{name}/{name}_rel.bin").read_bytes()) > 0 for name in ("kws", "kws_of_folder")], [True, True], "images")


@test(needs=["cmake", "ninja"])
def configurations(case):
    """With a generator for several, each has a model of its own; an empty generator expression adds no argument."""
    project = Project(case, """
relocpack_add_model(kws SOURCE net.c DEVICE STM32H743ZI RELOCATABLE gen-c-file OPTIONS "$<$<CONFIG:Debug>:--define=EXTRA>" -D "N=$<CONFIG>")
add_executable(app main.c)
target_link_libraries(app PRIVATE kws relocpack::loader)
target_link_options(app PRIVATE --specs=nosys.specs)
""", "Ninja Multi-Config")
    project.configure()
    for config in ("Debug", "Release", "Debug"):
        project.build("--config", config)
    images = {}
    for config in ("Debug", "Release"):
        folder = project.dir / "build/kws" / config
        report = json.loads((folder / "kws_generate_rel.json").read_text())
        equal(report["choices"]["defines"], (["EXTRA"] if config == "Debug" else []) + [f"N={config}"], config)
        equal(report["target"]["series"], "stm32h7", "the device's series")
        images[config] = folder / "kws_rel.bin"
        check((project.dir / "build" / config / "app").exists(), f"{config} is linked")


WRONG = {"source": ("relocpack_add_model(kws TARGET stm32h7)", "SOURCE is missing"),
         "target": ("relocpack_add_model(kws SOURCE net.c)", "TARGET is missing"),
         "word": ("relocpack_add_model(kws SOURCE net.c TARGET stm32h7 SPLIT)", "what is 'SPLIT'"),
         "no list": ("add_library(f net.c)\nrelocpack_exports(f names.txt)", "no file or folder"),
         "no target": ("relocpack_exports(f weights.h)", "no target of this name"),
         "elsewhere": ("add_library(f net.c)\nadd_subdirectory(sub)", "which defines the target"),
         "file": ("relocpack_add_model(kws SOURCE nett.c TARGET stm32h7)", "no file or folder"),
         "version": ("find_package(relocpack 99 REQUIRED)", "99")}


@each(WRONG, needs=["cmake", "ninja"])
def wrong_calls(case, label):
    text, said = WRONG[label]
    project = Project(case, text + "\n")
    project.write("sub/CMakeLists.txt", "relocpack_exports(f ../weights.h)\n")
    if label == "version":
        project.options[-1] += ";"
    result = project.configure(status=1)
    has(" ".join(result.err.split()), said)


@test(needs=["cmake", "ninja"])
def errors_of_the_program(case):
    """What the program says is what the build prints, and the build fails."""
    project = Project(case, "relocpack_add_model(kws SOURCE net.c TARGET stm32h77)\n")
    project.configure()
    result = project.build(status=None)
    check(result.status != 0, "built")
    has(result.out + result.err, "RP2200", "stm32h77")
    project = Project(case, "relocpack_add_model(kws SOURCE net.c TARGET stm32h7 OPTIONS --budget flash=10)\n")
    result = project.build(status=None)
    has(result.out + result.err, "RP2700" if "RP2700" in result.out + result.err else "flash")
    check(result.status != 0, "built over its budget")


@test(needs=["cmake", "ninja"])
def without_installation(case):
    """add_subdirectory of the module."""
    project = Project(case, "")
    project.write("CMakeLists.txt", f"cmake_minimum_required(VERSION 3.20)\nproject(p C)\nset(RELOCPACK_EXECUTABLE {case.tool})\n"
                  f"add_subdirectory({RUNTIME} relocpack)\n" + USED.format(words=""))
    project.configure()
    equal([project.packaged(), project.packaged()], [True, False], "packaged")


@test
def prefix_with_a_blank(case):
    """make has no words for blanks: it would install into several folders."""
    result = case.run("make", "-n", "-C", kit.ROOT, "install", f"PREFIX={case.dir}/a b", status=2)
    has(result.err, "cannot have blanks", "a b")


# ---- Meson and make ----

@test(needs=["meson", "ninja", "pkg-config"])
def meson(case):
    """As the guide has it; the loader by pkg-config."""
    text = (kit.ROOT / "docs/guide/build-systems.md").read_text()
    block = re.search(r"```meson\n(.*?)```", text, re.S)[1]
    project = Project(case, "")
    project.write("meson.build", block)
    project.write("kws.c", MODEL)
    words = ", ".join(f"'{flag}'" for flag in FLAGS.split())
    project.write("cross.ini", f"[binaries]\nc = '{CROSS}gcc'\npkgconfig = 'pkg-config'\n[built-in options]\nwarning_level = '2'\n"
                  f"werror = true\nc_args = [{words}]\nc_link_args = [{words}, '--specs=nosys.specs']\n"
                  "[host_machine]\nsystem = 'none'\ncpu_family = 'arm'\ncpu = 'cortex-m7'\nendian = 'little'\n")
    case.run("meson", "setup", "build", "--cross-file", "cross.ini", f"-Dpkg_config_path={project.prefix}/share/pkgconfig",
             cwd=project.dir, env=project.env)

    has(case.run("ninja", "-C", "build", cwd=project.dir, env=project.env).out, "Generating kws")
    has(case.run("ninja", "-C", "build", cwd=project.dir, env=project.env).out, "no work to do")
    project.write("weights.h", WEIGHTS % 6)
    has_not(case.run("ninja", "-C", "build", cwd=project.dir, env=project.env).out, "no work to do")
    has(case.run(f"{CROSS}nm", project.dir / "build/firmware").out, "ai_rel_network_rt_get_info_sized")


@test(needs=["pkg-config"])
def make(case):
    """As the guide has it."""
    text = (kit.ROOT / "docs/guide/build-systems.md").read_text()
    project = Project(case, "")
    project.write("Makefile", f"CC := {CROSS}gcc\nCFLAGS := {FLAGS} -Wall -Wextra -Werror --specs=nosys.specs\nfirmware.elf:\n"
                  + re.search(r"```make\n(.*?)```", text, re.S)[1])
    project.write("kws.c", MODEL)
    env = {**project.env, "PKG_CONFIG_PATH": f"{project.prefix}/share/pkgconfig"}
    folder = case.dir / "plain"  # make has no words for blanks
    project.dir.rename(folder)
    has(case.run("make", "-j2", cwd=folder, env=env).out, "relocpack generate")
    has_not(case.run("make", "-j2", cwd=folder, env=env).out, "relocpack generate")
    (folder / "weights.h").write_text(WEIGHTS % 6)
    has(case.run("make", "-j2", cwd=folder, env=env).out, "relocpack generate", "firmware.elf")


# ---- manifests ----

VERSIONS = {"library.json": r'"version": "(.*)"', "library.properties": r"(?m)^version=(.*)$",
            "relocpack.loader.pdsc": r'(?:release version|Cversion)="(.*?)"',
            "cmake/relocpackConfigVersion.cmake": r"set\(PACKAGE_VERSION (.*)\)"}


@each(VERSIONS)
def manifests_say_the_version(case, name):
    version = re.search(r'RP_VERSION "(.*)"', (kit.ROOT / "cli/version.h").read_text())[1]
    found = re.findall(VERSIONS[name], (RUNTIME / name).read_text())
    check(found and set(found) == {version}, f"{found}, the program is {version}")


@test
def manifests_name_files(case):
    description = json.loads((RUNTIME / "library.json").read_text())
    named = [description["headers"], *(word[2:-1] for word in description["build"]["srcFilter"] if word.startswith("+"))]
    named += re.findall(r'<file .*name="(.*?)"', (RUNTIME / "relocpack.loader.pdsc").read_text())
    named += [f"zephyr/{path}" for path in re.findall(r"\.\./\S+\.c\b", (RUNTIME / "zephyr/CMakeLists.txt").read_text())]
    check(len(named) >= 6, f"{named}")
    equal([name for name in named if not (RUNTIME / name).exists()], [], "files that are not there")


@test
def kconfig_and_macros(case):
    """Each option of Kconfig is used, each that is used is there, and the macros are those that the loader reads."""
    folder = RUNTIME / "zephyr"
    options = set(re.findall(r"^config (RELOCPACK_\w+)", (folder / "Kconfig").read_text(), re.M))
    used, macros = set(), set()
    for name in ("CMakeLists.txt", "relocpack_config.h", "sample/prj.conf"):
        used |= set(re.findall(r"CONFIG_(RELOCPACK_\w+)", (folder / name).read_text()))
        macros |= set(re.findall(r"#define (AI_RELOC_\w+)", (folder / name).read_text()))
    equal(used, options, "options")
    loader = "".join(path.read_text() for path in RUNTIME.rglob("*.[ch]"))
    equal([name for name in macros if name not in loader], [], "macros that the loader does not read")


@each(["all", "none"])
def settings_of_zephyr(case, label):
    """The loader compiles with the settings, with and without all options, and has no heap unless it is asked for."""
    shutil.copy(RUNTIME / "zephyr/relocpack_config.h", case.dir)
    case.write("sys/printk.h", "void printk(const char *format, ...);\n")
    options = re.findall(r"^config (RELOCPACK_\w+)", (RUNTIME / "zephyr/Kconfig").read_text(), re.M) if label == "all" else []
    case.run(f"{CROSS}gcc", *FLAGS.split(), "-std=c99", "-Os", "-Wall", "-Wextra", "-Werror", "-I.", "-DAI_RELOC_CONFIG=<relocpack_config.h>",
             *(f"-DCONFIG_{name}=1" for name in options), "-c", RUNTIME / "ai_reloc_network.c", "-o", "loader.o")
    wanted = set(case.run(f"{CROSS}nm", "-u", "loader.o").out.split()) & {"malloc", "free", "printk"}
    equal(wanted, {"malloc", "free", "printk"} if label == "all" else set(), "functions that the loader wants")


@test(needs=[kit.QEMU])
def sample_of_zephyr(case):
    """Its model is packaged and right."""
    case.generate(RUNTIME / "zephyr/sample/src/xor.c", "--mcu", "cortex-m3", "-r", "gen-c-file", target=None)
    has(case.verify(case.dir / "out/xor_rel.bin").out, "12 of 12")
