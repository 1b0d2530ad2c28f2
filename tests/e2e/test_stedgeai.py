# SPDX-License-Identifier: Apache-2.0
"""Command lines of `stedgeai generate` as its documentation has them, run by relocpack. The stedgeai here is a stand-in that takes the
options of the real one and writes code of the right form for the name that it gets."""
import json
import shlex

import npu_kit
import stai_kit
import test_stai_api
from kit import QEMU, check, each, equal, has, has_not, test
from test_generator import on_path, onnx, program

TFLITE = b"\x1c\0\0\0TFL3" + bytes(40)
# the options that generate has in common with the vendor's, as its help lists them
STAND_IN = """import argparse
if words == ['--version']:
    print('ST Edge AI Core v3.0.0'); sys.exit(0)
(here / 'words').write_text(repr(words))
(here / 'pack').write_text(os.environ.get('STEDGEAI_CORE_DIR', ''))
assert words[0] == 'generate', words
parser = argparse.ArgumentParser(allow_abbrev=False)
for option in '--model --target --name --output --workspace'.split():
    parser.add_argument(option, required=option != '--target')
for option in '--compression --optimization --type --memory-pool --c-api --input-data-type --inputs-ch-position'.split():
    parser.add_argument(option)
for option in '--allocate-inputs --allocate-outputs --no-inputs-allocation --no-outputs-allocation --split-weights --no-report'.split():
    parser.add_argument(option, action='store_true')
parser.add_argument('--st-neural-art', nargs='?', const='')
args = parser.parse_args(words[1:])
assert pathlib.Path(args.model).stat().st_size
os.makedirs(args.workspace)
for file in pathlib.Path(@FROM@).iterdir():
    to = pathlib.Path(args.output) / file.name.replace('@NAME@', args.name)
    if file.suffix == '.raw':
        shutil.copy(file, to)
    else:
        to.write_text(file.read_text().replace('@NAME@', args.name).replace('@NAME@'.upper(), args.name.upper()))"""


def install(case, folder, name="net0", to="bin"):
    """Writes the stand-in. What it writes is the network in the folder, under the name that --name gives."""
    return program(case, "stedgeai", STAND_IN.replace("@FROM@", repr(str(folder))).replace("@NAME@", name), to)


def ready(case, **changes):
    """A stand-in for a network of the newer C API; the environment to run it."""
    install(case, stai_kit.network(case, name="net0", **changes).parent)
    case.write("model.tflite", TFLITE)
    onnx(case, "model.onnx")
    return {**on_path(case), **test_stai_api.env_of(case, ("M4", "M7"))}


def words_of(case):
    return eval((case.dir / "bin/words").read_text())  # pylint: disable=eval-used


def run(case, line, env, status=0):
    return case.run(case.tool, *shlex.split(line), env=env, status=status)


# line: the words that stedgeai gets besides those of all lines; files that have to be there
LINES = {
    "generate -m model.tflite --relocatable --target stm32h7": ([], "network"),
    "generate -m model.tflite --target stm32h7 --compression high --allocate-inputs -r": (["--compression", "high", "--allocate-inputs"], "network"),
    "generate -m model.tflite --relocatable split,gen-c-files --target stm32h7": ([], "network"),
    "generate -m model.onnx --target stm32f4 -c lossless -O ram --allocate-outputs --reloc -v 2":
        (["--compression", "lossless", "--optimization", "ram", "--allocate-outputs"], "network"),
    "generate --model model.onnx --target stm32h7 -r -n model1": ([], "model1"),
    "generate -m model.tflite --target stm32h7 --no-inputs-allocation --no-outputs-allocation --type tflite --split-weights -rsplit":
        (["--no-inputs-allocation", "--no-outputs-allocation", "--type", "tflite", "--split-weights"], "network"),
    "generate -m model.tflite --target stm32h7 --memory-pool=my.mpool --inputs-ch-position chlast -r":
        (["--memory-pool", "my.mpool", "--inputs-ch-position", "chlast"], "network"),
}


@each(LINES)
def documented(case, line):
    """The line is taken as it is, and the files are called as the vendor's are, whatever the model file is called."""
    env = ready(case)
    case.write("my.mpool", "{}")
    wanted, name = LINES[line]
    run(case, line, env)
    words = words_of(case)
    equal(words[words.index("--workspace") + 2:], wanted, "what is passed on")
    equal(words[words.index("--name") + 1], name, "the name")
    check((case.dir / f"build/{name}_rel.bin").exists(), "no image")
    check((case.dir / f"build/{name}_generate_report.txt").exists(), "no report")
    equal((case.dir / f"build/{name}_data.bin").exists(), "split" in line.split("-r")[-1], "a weights file")
    equal((case.dir / f"build/{name}_img_rel.c").exists(), "gen-c-files" in line, "a C array")


@test(needs=[QEMU])
def verified(case):
    """verify runs stedgeai again, with the words of the report, or what the user names instead."""
    env = ready(case)
    run(case, "generate -m model.onnx --target stm32f4 --compression high -r", env)
    report = case.report("network", "build")
    equal(report["run"]["generator_options"], ["--compression", "high"], "options in the report")
    equal((report["run"]["generator"], report["generator"]["version"]), ("stedgeai", "ST Edge AI Core v3.0.0"), "the generator")
    has(case.verify(case.dir / "build/network_rel.bin", env=env).out, "bit-identical")
    case.write("my.mpool", "{}")
    run(case, "generate -m model.onnx --target stm32f4 --memory-pool my.mpool -r -o other", env)
    has(case.verify(case.dir / "other/network_rel.bin", env=env, status=2).err, "--generator-options '--memory-pool'")
    has(case.verify(case.dir / "other/network_rel.bin", "--trust-report", env=env).out, "bit-identical")


@test
def neural_art(case):
    """--st-neural-art with a profile; the file that it names is an input, and so are those that the file names."""
    net = npu_kit.network(case, "net", name="net0")
    install(case, net.folder)
    case.write("model.tflite", TFLITE)
    profile = {"memory_pool": "./pools/my.mpool", "options": "--Ocache-opt --mvei --cfg=my.cfg"}
    profiles = case.write("user_neuralart.json", json.dumps({"Globals": {}, "Profiles": {"test": profile}}))
    named = [case.write("pools/my.mpool", "{}"), case.write("my.cfg", "1")]
    env = {**on_path(case), **npu_kit.env_of(npu_kit.pack(case, net.options.version))}
    line = "generate -m model.tflite --target stm32n6 --st-neural-art test@user_neuralart.json"
    for more, name in (("--reloc", "network"), ("--reloc split,gen-c-file", "network"), ("--reloc -v 2", "network"), ("-r -n model1", "model1")):
        run(case, f"{line} {more} --depfile d", env)
        equal(words_of(case)[-2:], ["--st-neural-art", "test@user_neuralart.json"], "what is passed on")
        equal((case.dir / "bin/pack").read_text(), str(env["STEDGEAI_CORE_DIR"]), "the pack that it sees")
        check((case.dir / f"build/{name}_rel.bin").exists() and (case.dir / f"build/{name}_generate_rel.json").exists(), "files")
        has((case.dir / "d").read_text(), str(profiles), "pools/my.mpool", "my.cfg")
    for path in named:
        run(case, f"{line} -r --stamp st", env)
        has(run(case, f"{line} -r --stamp st", env).out, "is up to date")
        path.write_text("changed")
        has_not(run(case, f"{line} -r --stamp st", env).out, "is up to date")
    has(run(case, f"{line} -r --log user_neuralart.json", env, status=2).err, "is an input")
    run(case, "generate -m model.tflite --target stm32n6 --st-neural-art -r", env)
    equal(words_of(case)[-1], "--st-neural-art", "without a profile")


@test
def up_to_date(case):
    """The folder where it wrote its code is another in each run, and no input."""
    env = ready(case)
    line = "generate -m model.onnx --target stm32h7 --compression high -r --stamp st -o out"
    run(case, line, env)
    before = (case.dir / "out/network_rel.bin").stat()
    has(run(case, line, env).out, "up to date")
    equal((case.dir / "out/network_rel.bin").stat().st_mtime_ns, before.st_mtime_ns, "time of the image")


@each(["STEDGEAI_CORE_DIR", "--pack-dir", "--generator", "PATH"])
def found(case, how):
    """The program is on PATH, in the pack, or named; and from a program in a pack, the pack is known."""
    env = ready(case)
    own = test_stai_api.standin.pack(case, test_stai_api.V11, cores=("M4", "M7"), macro=False)
    pack = case.dir / "pack"
    pack.mkdir()
    (pack / "Middlewares").symlink_to(own / "Middlewares")
    (case.dir / "bin/stedgeai").rename(case.path("pack/Utilities/linux/stedgeai"))
    words = {"--pack-dir": f"--pack-dir '{pack}'", "--generator": f"--generator '{pack}/Utilities/linux/stedgeai'"}.get(how, "")
    env = {"PATH": case.env["PATH"], "STEDGEAI_CORE_DIR": pack if how in ("STEDGEAI_CORE_DIR", "--generator") else None}
    if how == "PATH":
        env["PATH"] = f"{pack}/Utilities/linux:{env['PATH']}"
    run(case, f"generate -m model.onnx --target stm32h7 --compression high -r {words}", env)
    equal(case.report("network", "build")["generator"]["command"][:2], ["stedgeai", "generate"], "the command")


@test
def not_found(case):
    """Without stedgeai, its options say what to install or how to do it in two steps; without them, which generators there are."""
    ready(case)
    env = {"PATH": "/usr/bin:/bin", "STEDGEAI_CORE_DIR": None}
    err = run(case, "generate -m model.tflite --target stm32h7 --st-neural-art p@f.json --compression high --allocate-inputs -r", env, status=3).err
    has(err, "error RP2300: the generator 'stedgeai' was not found", "hint: install ST Edge AI Core", "Utilities/linux", "STEDGEAI_CORE_DIR",
        "relocpack generate -i st_ai_output")
    has(run(case, "generate -m model.tflite --target stm32h7 -r", env, status=9).err, "RP2901", "stedgeai (not on PATH)")


WRONG = {  # line: what is said
    "generate -i net.c --target stm32h7 --compression high": "--compression is an option of stedgeai, which takes model files",
    "generate --target stm32h7 --allocate-inputs": "not 'st_ai_output'",
    "generate -m model.onnx --target stm32h7 --generator onnx2c -c high": "--compression is an option of stedgeai, not of --generator onnx2c",
    "generate -m model.onnx --target stm32h7 --compression": "option --compression needs a value (LEVEL)",
    "generate -m model.onnx --target stm32h7 --compression '' --optimization ram": "option --compression needs a value (LEVEL)",
    "generate -m model.onnx --target stm32h7 --st-neural-art=": "option --st-neural-art needs a value (PROFILE@FILE)",
    "generate -m model.onnx --target stm32h7 --allocate-inputs=yes": "option --allocate-inputs takes no value",
    "generate -m model.onnx --target stm32h7 --compresion high": "did you mean --compression?",
}


@each(WRONG)
def wrong(case, line):
    env = ready(case)
    case.write("net.c", "int x;")
    has(run(case, line, env, status=2).err, "error RP2200: ", WRONG[line])
    check(not (case.dir / "build").exists(), "an output folder")


@test
def only_where_it_can(case):
    """Another target than ST's, code, and a model that only other generators take: stedgeai is not run unasked."""
    env = ready(case)
    for line in ("generate -m model.onnx --target nrf52840", "generate -m model.onnx --mcu cortex-m4", "generate -m model.onnx"):
        has_not(run(case, line, env, status=None).err, "stedgeai failed")
        check(not (case.dir / "bin/words").exists(), f"stedgeai ran: {line}")
    has(run(case, "generate -m model.onnx --target stm32h7 --dry-run", env).err, "stedgeai generate --model")


@test
def other_commands(case):
    """The vendor's other commands have no such name here; the hint says what does the same, and that exists."""
    for name, commands in (("validate", ["verify", "run"]), ("analyze", ["generate", "ops"]), ("supported-ops", ["ops"])):
        err = case.relocpack(name, "-m", "x.tflite", status=2).err
        has(err, f"error RP2200: '{name}' is not a command", *(f"relocpack {command}" for command in commands))
        for command in commands:
            case.relocpack(command, "--help")
    has(case.relocpack("generat", status=2).err, "did you mean generate?")
    case.relocpack("ops", "--list")


@test
def abbreviations(case):
    """Options that are passed on are written out: an abbreviation is of an own one."""
    env = ready(case)
    run(case, "generate -m model.onnx --target stm32h7 --out elsewhere", env)
    check((case.dir / "elsewhere/network_rel.bin").exists(), "no image")
    has(run(case, "generate -m model.onnx --target stm32h7 --compres high", env, status=2).err, "--compres is not known")


@test
def in_a_matrix(case):
    """Members of a matrix are passed on, too; files are named from the matrix' folder."""
    env = ready(case)
    case.path("matrix/my.mpool").write_text("{}")
    case.write("matrix/m.json", json.dumps({"models": [{"name": "network", "input": "../model.onnx"}], "targets": ["stm32f4"],
                                            "compression": "high", "allocate-inputs": True, "memory-pool": "my.mpool", "no-report": False}))
    run(case, "batch matrix/m.json -o out", env)
    equal(words_of(case)[-5:], ["--compression", "high", "--allocate-inputs", "--memory-pool", str(case.dir / "matrix/my.mpool")], "words")
    case.write("matrix/m.json", json.dumps({"models": ["../model.onnx"], "targets": ["stm32f4"], "allocate-inputs": "yes"}))
    has(run(case, "batch matrix/m.json -o out", env, status=9).err, "'allocate-inputs' is not true or false")
