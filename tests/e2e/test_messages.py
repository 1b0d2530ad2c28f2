# SPDX-License-Identifier: Apache-2.0
"""Messages: what, where, why and what to do. Each case is a mistake that people make; a hint that names a
way out is followed, and has to lead there.
"""
import json
import re
import struct

import glow_kit
import kit
import npu_kit
import reader
import stai_kit
import standin
from kit import CROSS, EXAMPLES, PIC, QEMU, check, each, equal, has, has_not, matches, test
from test_diagnostics import parsed

FLOAT = "void model(const float in[4], float out[4]) { for (int i = 0; i < 4; i++) out[i] = in[i] * 2; }\n"
CALLER = "float helper(float);\n" + FLOAT.replace("in[i] * 2", "helper(in[i])")
HELPER = "float helper(float x) { return x * 2; }\n"


# ---- words that are nearly right ----

TYPOS = {  # words of generate: the suggestion
    "option": (["--reproducable"], "did you mean --reproducible?"),
    "option_with_value": (["--wieghts-threshold=4"], "did you mean --weights-threshold?"),
    "underscores": (["--compare_static"], "did you mean --compare-static?"),
    "item": (["-r", "splitt"], "did you mean -r split?"),
    "item_with_value": (["-r", "cutsom=my.json"], "did you mean -r custom?"),
    "items": (["-r", "split,gen_c_file,copyonly"], "did you mean -r gen-c-file?"),
    "budget": (["--budget", "ramxip=4K"], "did you mean ram_xip?"),
    "dialect": (["--dialect", "tfm"], "did you mean tvm?"),
    "math": (["--math", "libm"], "did you mean libc?"),
}
TARGETS = {
    "m4": ("--target", "give --mcu cortex-m4"), "cortex-m7": ("--target", "give --mcu cortex-m7"),
    "h7": ("--mcu", "give --target stm32h7"), "cortex-m0": ("--target", "give --mcu cortex-m0"), "m0+": ("--mcu", "give --mcu cortex-m0plus"),
    "g0": ("--mcu", "give --target stm32g0"), "stm32g071rb": ("--target", "give the series of the chip: --target stm32g0"), "stm32f1": ("--target", "give --mcu cortex-m3"),
    "stm32h743zi": ("--target", "give the series of the chip: --target stm32h7"),
    "stm32l4r5": ("--target", "--target stm32l4r"), "stn32f4": ("--target", "did you mean stm32f4"),
    "h8": ("--target", "did you mean stm32h5"), "cortex-m5": ("--mcu", "did you mean cortex-m"),
    "esp32": ("--target", "relocpack targets"), "ap": ("--target", "relocpack targets"),
    "nrf5284": ("--target", "did you mean nrf52840"), "nrf54l15": ("--target", "give the series of the chip: --target nrf54l"),
    "rp2350b": ("--target", "--target rp2350"), "imxrt1062": ("--target", "did you mean imxrt1060"),
    "ra6": ("--target", "did you mean ra6m3 or ra6m4 or ra6m5?"), "nrf52840": ("--mcu", "that is a series: give --target nrf52840"),
    "nrf52": ("--target", "nrf52832, nrf52833 and nrf52840 are known"), "nrf5340_cpunet": ("--target", "without FPU and DSP"),
    "imxrt1170_cm4": ("--target", "relocpack targets"), "ensemble-e7": ("--target", "give the series of the chip: --target ensemble"),
    "rp2040": ("--mcu", "that is a series: give --target rp2040"), "psoc4": ("--target", "--mcu cortex-m0 or cortex-m0plus"),
    "ra8": ("--target", "did you mean ra8d1 or ra8m1?"), "m1": ("--mcu", "that of a Cortex-M0"),
}


@each(list(TYPOS))
def typos(case, label):
    words, hint = TYPOS[label]
    result = case.generate(case.write("model.c", FLOAT), *words, status=2)
    has(result.err, "error RP2200: ", f"hint: {hint}")


@each(list(TARGETS))
def targets(case, name):
    option, hint = TARGETS[name]
    result = case.generate(case.write("model.c", FLOAT), option, name, status=2, target=None)
    has(result.err, f"error RP2200: unknown {option} '{name}'\n", "relocpack: hint: ", hint)
    way = re.search(r"hint: .*(--target|--mcu) (\S+)$", result.err, re.M)
    if way:
        case.generate(case.dir / "model.c", *way.groups(), target=None)


@test
def other_words(case):
    has(case.relocpack("genrate", status=2).err, "hint: did you mean generate?")
    has(case.relocpack("nothing-like-it", status=2).err, "hint: relocpack --help lists the commands")
    has(case.relocpack("completion", "bsh", status=2).err, "hint: did you mean bash?")
    has_not(case.relocpack("inspect", "--xyz", status=2).err, "did you mean")
    for text, hint in (('{"source": ["model.c"]}', "did you mean sources?"),
                       ('{"sources": ["model.c"], "inputs": [{"dtype": "float23", "shape": [4]}], "outputs": []}',
                        "did you mean float32?"),
                       ('{"sources": ["model.c"], "inputs": [{"dtype": "int8", "shap": [4]}]}', "did you mean shape?")):
        case.write("model.c", FLOAT)
        case.refuse(9, "RP2903", case.write("m.json", text), hint=hint)


# ---- inputs that are something else ----

@each([("model.tflite", b"\x1c\0\0\0TFL3" + bytes(40), "TensorFlow Lite model"),
       ("model.onnx", b"\x08\x07\x12\x04test" + bytes(4), "ONNX model"), ("model.h5", b"\x89HDF\r\n\x1a\n\0", "Keras model")])
def models_of_frameworks(case, what):
    name, data, said = what
    hint = "makes C of it: give that with -i" if name.endswith(".h5") else "--generator NAME makes C of it; there are: "
    message = case.refuse(9, "RP2901", case.write(name, data), hint=hint)
    has(message, f"{name}' is a", said, "ST Edge AI Core" if name.endswith(".h5") else "stedgeai")
    equal("relocpack ops" in message, not name.endswith(".h5"), "ops")
    has_not(message, "0 byte")


@test
def nothing_given(case):
    result = case.relocpack("generate", "--target", "f4", status=9)
    has(result.err, "error RP2900: no input: -i is missing", "'st_ai_output'", "is not here", "hint: -i PATH")
    folder = case.path("st_ai_output", "x").parent
    (folder / "model.c").write_text(FLOAT)
    case.relocpack("generate", "--target", "f4")
    check((case.dir / "build/model_rel.bin").exists(), "the default folder is packaged")


CPP = {"plain": "namespace ml { class Forest { public: int predict(const float *x) { return x[0] > 1; } }; }\n",
       "library": "#include <cstdint>\nclass Forest { public: int predict(const float *x) { return x[0] > 1; } };\n"}


@each(list(CPP))
def header_of_cplusplus(case, label):
    """With and without an entry; the call that the hint describes is packaged, and so is a wrapper."""
    header = case.write("forest.h", CPP[label])
    for words in ([], ["--entry", "predict(in:float[4], out:float[1])"]):
        err = case.refuse(9, "RP2902", header, *words)
        call = re.search(r"hint: name it: --entry '([^']+)'", err).group(1)
        case.generate(header, "--entry", call.replace("N", "4"))
    if label == "plain":
        case.generate(case.write("wrap.cpp", '#include "forest.h"\nextern "C" void run(const float in[4], float out[1]) {\n'
                                 "    ml::Forest forest;\n    out[0] = forest.predict(in);\n}\n"))


FUNCTIONS = {  # sources without a function that looks like an entry: the call that is shown, without names
    "returned_pointer": ("static double pair[2];\nextern double *score(double *x) { pair[x[0] > 1] = 0.5; return pair; }\n",
                         "score(in:float64[N]) -> out:float64[N]"),
    "returned_number": ("float scale(float x) { return 2 * x; }\nfloat score(const float *x) { return scale(x[0] + x[1]); }\n",
                        "score(in:float32[N]) -> out:float32[1]"),
    "pointers": ("#include <math.h>\nvoid squash(double *x, int n, double *y) { for (int i = 0; i < n; i++) y[i] = fabs(x[i]); }\n"
                 "void score(double *x, double *y) { squash(x, 3, y); }\n", "score(in:float64[N], out:float64[N])"),
}


@each(list(FUNCTIONS))
def functions_without_shapes(case, label):
    """The hint shows a whole call, which is packaged with numbers instead of N."""
    text, call = FUNCTIONS[label]
    case.write("tree.c", text)
    hint = re.search(r"hint: name it: --entry '([^']+)'", case.refuse(9, "RP2902", case.dir / "tree.c")).group(1)
    equal(re.sub(r"(in|out) \w+:", r"\1:", hint), call, "the call")
    case.generate(case.dir / "tree.c", "--entry", hint.replace("N", "3"))


@each(["/proc/x", "/dev/null/x"])
def folders_that_cannot_be_made(case, folder):
    err = case.relocpack("generate", "-i", case.write("model.c", FLOAT), "--target", "f4", "-o", folder, status=1).err
    has(err, "error RP2100: cannot create folder", "hint: name a folder that you can write to with -o")


@test
def headers_that_are_missing(case):
    found = case.run(f"{CROSS}g++", "-print-file-name=libstdc++.a").out
    result = case.generate(case.write("model.cpp", "#include <vector>\n" + 'extern "C" ' + FLOAT), status=None)
    if "/" not in found:
        equal(result.status, 3, result.show())
        has(result.err, "error RP2303: ", "model.cpp:1:10: <vector>", "libstdc++-arm-none-eabi-newlib", "relocpack doctor")
    has(case.relocpack("doctor", status=None).out, "libstdc++")
    message = case.refuse(4, "RP2400", case.write("own.c", '#include "weights/w.h"\n' + FLOAT), hint="-I")
    has(message, "own.c:1:10", "weights/w.h: No such file")


@each([("number", "void model(int n, const float in[n], float out[n]) { for (int i = 0; i < n; i++) out[i] = in[i]; }\n"),
       ("pointers", "void model(const float *in, float *out, int n) { for (int i = 0; i < n; i++) out[i] = in[i]; }\n")])
def dynamic_shapes(case, what):
    """The hint has the call with gaps for the sizes; filled in, it is packaged."""
    source = case.write("model.c", what[1])
    message = case.refuse(9, "RP2902", source, "--entry", "model", hint="--entry 'model(")
    has(message, "model.c:1: parameter '", "an image's tensors have fixed ones")
    entry = re.search(r"--entry '(model\(.*\))'", message).group(1)
    case.generate(source, "--entry", entry.replace("NUMBER", "4").replace("[N]", "[4]"))


# ---- objects of another kind ----

@each(["soft", "softfp"])
def other_float_abi(case, abi):
    user, helper = case.write("user.c", CALLER), case.write("helper.c", HELPER)
    alien = case.dir / "alien.o"
    fpu = ["-mfpu=fpv4-sp-d16"] if abi == "softfp" else []
    case.run(f"{CROSS}gcc", "-mcpu=cortex-m4", "-mthumb", f"-mfloat-abi={abi}", *fpu, *PIC, "-c", helper, "-o", alien)
    said = case.dir / "said"
    message = case.refuse(4, "RP2402", user, "--runtime-lib", alien, "--diagnostics", said, hint="-mfloat-abi=hard")
    has(message, "alien.o passes floating-point arguments in core registers", "VFP registers")
    has_not(message, "ld:", "/bin/ld", "collect2")
    check(parsed(said.read_text())[0]["file"].endswith("alien.o"), "file")
    message = case.refuse(4, "RP2402", user, "--source", helper, "--cflags=-mfloat-abi=soft", hint="--cflags")
    has(message, "user.c passes floating-point arguments in core registers")


@each([("m55", "Cortex-M55", "stm32f4", "Cortex-M4"), ("m33", "Cortex-M33", "stm32h7", "Cortex-M7"),
       ("m7", "Cortex-M4, M7", "cortex-m3", "Cortex-M3")])
def other_core(case, what):
    core, shown, target, wanted = what
    user, helper = case.write("user.c", CALLER), case.write("helper.c", HELPER)
    alien = case.dir / "alien.o"
    case.run(f"{CROSS}gcc", f"-mcpu=cortex-{core}", "-mthumb", "-mfloat-abi=soft" if target == "cortex-m3" else
             "-mfloat-abi=hard", *PIC, "-c", helper, "-o", alien)
    option = "--mcu" if target.startswith("cortex") else "--target"
    message = case.refuse(4, "RP2402", user, "--runtime-lib", alien, option, target, target=None, hint="relocpack targets")
    has(message, "alien.o is compiled for ", shown, f"the target is {wanted}")
    has_not(message, "Tag_")


# ---- weights ----

@test
def weights_of_st_ai(case):
    """Missing, named, and named although they are in the code; verify takes them from the report."""
    env = {"STEDGEAI_CORE_DIR": standin.pack(case, (10, 0))}
    source = standin.network(case, (10, 0), "raw")
    weights = (source / "network_data.bin" if source.is_dir() else source.parent / "network_data.bin")
    moved = weights.rename(case.dir / "elsewhere.raw")
    message = case.refuse(9, "RP2904", source, hint="--weights FILE", env=env)
    has(message, "network_data.bin", "bytes of weights")
    case.generate(source, "--weights", moved, env=env)
    equal(reader.read(case.dir / "out/network_rel.bin").weights, standin.WEIGHTS, "weights in the image")
    report = case.report("network")
    equal(report["run"]["weights"], str(moved), "run.weights")
    check("elsewhere.raw" in [entry["path"] for entry in report["inputs"]], "inputs of the report")
    has(case.refuse(9, "RP2904", source, "--weights", case.dir / "none.raw", env=env), "none.raw", "no such file")
    short = case.write("short.raw", moved.read_bytes()[:-8])
    has(case.refuse(9, "RP2904", source, "--weights", short, env=env), "short.raw")
    source = standin.network(case, (10, 0), "params", name="arrays")
    has(case.refuse(2, "RP2200", source, "--weights", moved, env=env), "would not be used")
    has(case.refuse(2, "RP2200", case.write("model.c", FLOAT), "--weights", moved), "dialect c")


@test
def weights_of_stai_and_glow(case):
    env = {"STEDGEAI_CORE_DIR": standin.pack(case, (11, 0), macro=False)}
    source = stai_kit.network(case, raw=True)
    folder = source if source.is_dir() else source.parent
    moved = (folder / "network_data.bin").rename(case.dir / "elsewhere.raw")
    case.refuse(9, "RP2904", source, hint="--weights FILE", env=env)
    case.generate(source, "--weights", moved, env=env)
    equal(reader.read(case.dir / "out/network_rel.bin").weights, moved.read_bytes(), "weights of stai")
    bundle = glow_kit.bundle(case)
    moved = next(bundle.glob("*.weights.bin")).rename(case.dir / "glow.raw")
    case.refuse(9, "RP2904", bundle, hint="--weights FILE")
    case.generate(bundle, "--weights", moved)
    equal(reader.read(case.dir / "out/toy_rel.bin").weights, moved.read_bytes(), "weights of Glow")


@test(needs=[QEMU])
def verify_with_named_weights(case):
    bundle = glow_kit.bundle(case)
    moved = next(bundle.glob("*.weights.bin")).rename(case.dir / "glow.raw")
    case.generate(bundle, "--weights", moved)
    has(case.verify(case.dir / "out/toy_rel.bin").out, "12 of 12")


@test
def weights_files_are_inspected(case):
    case.generate(EXAMPLES / "digits/digits_float.json", "-r", "split")
    path, image = case.dir / "out/digits_float_data.bin", case.dir / "out/digits_float_rel.bin"
    build_id = case.report("digits_float")["image"]["integrity"]["build_id"]
    result = case.relocpack("inspect", path)
    has(result.out, "the weights or params file of a split image", f"{image}: of the same build", build_id, "39488 bytes")
    told = json.loads(case.relocpack("inspect", "--json", path).out)
    equal((told["kind"], told["size_bytes"], told["payload_bytes"], told["same_build"], told["integrity"]["build_id"]),
          ("weights", 39584, 39488, True, build_id), "JSON")
    has(case.relocpack("verify", path, status=9).err, "is the weights file of an image", "NAME_rel.bin")
    case.generate(EXAMPLES / "digits/digits_float.json", out="other", target="stm32h7")
    image.write_bytes((case.dir / "other/digits_float_rel.bin").read_bytes())
    has(case.relocpack("inspect", path).out, "ANOTHER build")
    image.unlink()
    has(case.relocpack("inspect", path).out, "none of this name beside it")
    data = bytearray(path.read_bytes())
    for at in (0, len(data) // 2):
        spoiled = case.write("spoiled_data.bin", bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1:]))
        has(case.relocpack("inspect", spoiled, status=8).err, "error RP2801", "spoiled_data.bin")


@test
def params_files_are_inspected(case):
    made = npu_kit.made(case, "-r", "split")
    result = case.relocpack("inspect", made.params_path)
    has(result.out, "of the same build", f"{made.read().params_size} bytes")


# ---- what an image cannot reach ----

@test
def undefined_in_a_neural_art_network(case):
    """The hint offers nothing that would be refused there."""
    net = npu_kit.network(case)
    source = npu_kit.source_of(net)
    text = source.read_text()
    match = re.search(r"^(static )?void (\w*inputs?_?\w*|LL_ATON_Set_User_Input\w*)\([^)]*\)\s*\{", text, re.M)
    if match is None:
        match = re.search(r"^[A-Za-z_][\w \*]*\([^;{)]*\)\s*\{", text, re.M)
    at = match.end()
    source.write_text("extern int nowhere_to_be_found(void);\n" + text[:at] +
                      "\n    if (nowhere_to_be_found())\n        for (;;) ;\n" + text[at:])
    message = npu_kit.refuse(case, 6, "RP2600", source, hint="--runtime-lib")
    has(message, "nowhere_to_be_found")
    has_not(message, "--import", "--source")


# ---- state ----

@test
def state_is_named(case):
    """Variables that survive a run, by where they are; not constants, and not variables that nothing keeps."""
    source = case.write("model.c", """
static float hidden[8], history[512];
static int *tables[2];
static const float weights[100] = {1, 2, 3};
static const float *const rows[2] = {weights, weights + 4};
void model(const float in[8], float out[8]) {
    static int calls;
    for (int i = 0; i < 8; i++) {
        history[(8 * calls + i) & 511] = in[i];
        hidden[i] = 0.5f * hidden[i] + history[(8 * calls + i + 8) & 511] + rows[i & 1][i];
        out[i] = hidden[i];
    }
    calls++;
}
""")
    said = case.dir / "said"
    case.generate(source, "--diagnostics", said)
    has_not(said.read_text(), "RP1061")
    result = case.generate(source, "-v", "--diagnostics", said)
    note, = [line for line in parsed(said.read_text()) if line["id"] == "RP1061"]
    equal((note["severity"], note["symbol"]), ("note", "hidden"), "note")
    matches(note["message"], r"'hidden' \(32 bytes\), 'calls' \(4 bytes\) in the RAM of the instance; "
                             r"'history' \(2,048 bytes\) in the activations$")
    has_not(note["message"], "weights", "rows", "tables")
    has(note["hint"], "if these are scratch buffers, ignore this", "each init", "--acts-threshold 0", "RNN")
    has(result.err, note["message"], note["hint"])
    case.generate(source, "--acts-threshold", "0", "-v", "--diagnostics", said)
    note, = [line for line in parsed(said.read_text()) if line["id"] == "RP1061"]
    has(note["message"], "'history' (2,048 bytes), 'hidden' (32 bytes)")
    has_not(note["message"], "activations")
    case.generate(case.write("pure.c", FLOAT.replace("model", "pure")), "-v", "--diagnostics", said)
    equal(said.read_text(), "", "a model without state")


@test
def model_file_in_a_folder(case):
    case.write("made/net.tflite", b"\x1c\0\0\0TFL3....")
    case.write("made/notes.txt", "no C\n")
    error = case.refuse(9, "RP2901", case.dir / "made")
    has(error, "net.tflite' is a TensorFlow Lite model", "relocpack ops")


@test
def source_that_includes_cplusplus(case):
    """The entry behind it is not understood; the compiler's message about the header says why."""
    case.write("shape.h", "class Shape {};\nnamespace made { float area(float *x); }\n")
    source = case.write("model.c", '#include "shape.h"\nvoid entry(const float x[1], float y[1]) { y[0] = x[0]; }\n')
    has(case.refuse(4, "RP2400", source), "shape.h:1", "is C++", 'extern "C"')


# ---- code that is not a function of tensors ----

FOREIGN = {  # file: its text, what it is, the way out
    "lib0.c": ("#include <tvm/runtime/c_runtime_api.h>\nvoid *TVMSystemLibEntryPoint(void) { return 0; }\n", "TVM, for its graph executor", "--executor=aot"),
    "graph.json": ('{"nodes": [], "arg_nodes": [0], "heads": [[0, 0, 0]]}', "TVM's graph executor", "--executor=aot"),
    "main.cc": ("static tflite::MicroInterpreter *interpreter;\n" + FLOAT, "TensorFlow Lite Micro's interpreter", "the .tflite file itself"),
    "data.cc": ("const unsigned char g_model[] = {\n  0x1c, 0x00, 0x00, 0x00, 0x54, 0x46, 0x4c, 0x33, 0x14};\n", "model as an array", "the .tflite file itself"),
    "cnn.c": ('#include "mxc.h"\nint cnn_start(void) { *(volatile int *)0x50100000 = 1; return 1; }\n', "driver of an accelerator", "into the firmware"),
}


@each(list(FOREIGN))
def code_for_a_runtime(case, name):
    text, what, way = FOREIGN[name]
    has(case.refuse(9, "RP2901", case.write(name, text), hint=way), what)


# ---- headers of other systems ----

@test
def headers_of_hosts(case):
    """Following the hint leads to an image."""
    source = case.write("guarded.c", "#if !defined(HAVE_MATH)\n#include <Windows.h>\n#endif\n" + FLOAT)
    word = matches(case.refuse(4, "RP2400", source), r"hint: -D (\w+) leaves it out \(the condition in line 1\): it belongs to Windows").group(1)
    case.generate(source, "-D", word)
    otherwise = case.write("else.c", "#ifdef __linux__\n#else\n#  include <sys/prctl.h>\n#endif\n" + FLOAT)
    case.refuse(4, "RP2400", otherwise, hint="-D __linux__ leaves it out")
    case.generate(otherwise, "-D", "__linux__")
    wanted = case.write("wanted.c", "#ifdef HOST\n#include <none.h>\n#endif\n" + FLOAT)
    case.refuse(4, "RP2400", wanted, "-D", "HOST", hint="name the folder that has none.h with -I")
    plain = case.write("plain.c", "#include <opencv2/core.hpp>\n" + FLOAT)
    case.refuse(4, "RP2400", plain, hint="put an empty file of that name into a folder and name that with -I")
    case.write("empty/opencv2/core.hpp", "")
    case.generate(plain, "-I", case.dir / "empty")


SKETCH = """#pragma once
#include <Arduino.h>
namespace port { class Tree { public: int predict(float *x) { static const float PROGMEM at = 2.5f; return constrain(x[0], 0, 9) < pgm_read_float(&at) ? 0 : x[1] <= PI; }
BODY
}; }
"""


@test(needs=[QEMU])
def arduino_header(case):
    """A model needs Arduino's types, not its core; a core that is given comes first."""
    entry = ["--entry", "port::Tree::predict(in:float[2], out:int32[1])"]
    source = case.write("tree.h", SKETCH.replace("BODY", ""))
    case.generate(source, *entry)
    answer = json.loads(case.verify(case.dir / "out" / "tree_rel.bin", "--json").out)
    equal((answer["identical"], len(answer["runs"])), (True, 12), "answer")
    case.write("core/Arduino.h", "#error the core itself\n")
    has(case.refuse(4, "RP2400", source, *entry, "-I", case.dir / "core"), "the core itself")
    talks = case.write("talks.h", SKETCH.replace("BODY", "void say() { Serial.println(1); }"))
    has(case.refuse(4, "RP2400", talks, *entry, hint="belongs to Arduino's core"), "Serial")


@test(needs=[QEMU])
def arduino_header_in_a_folder(case):
    """Files of a folder are compiled without having been read; one that asks whether the header is there finds none."""
    case.write("k/scale.c", "#include <Arduino.h>\nfloat own(float);\nfloat helper(float v) { return constrain(v, 0, 1) + own(v); }\n")
    case.write("k/unused.c", "#include <SPI.h>\nint unused;\n")
    asks = "#if __has_include(<Arduino.h>)\n#error found\n#endif\n"
    case.generate(case.write("model.c", asks + CALLER + "float own(float v) { return v; }\n"), "--source", case.dir / "k")
    case.verify(case.dir / "out/model_rel.bin", "--input", case.write("x.csv", "-1,0.5,2,0\n"), "--save-output", case.dir / "y.csv")
    equal((case.dir / "y.csv").read_text().split(), ["-1,1,3,0"], "outputs")


ARDUINO_VALUES = {
    "abs_of_floats": ("#include <Arduino.h>\nstatic const float PROGMEM one = 1;\n#define VALUE abs(x[i]) * pgm_read_float_near(&one)", [1.5, 0.5]),
    "asked_for": ("#if __has_include(<Arduino.h>)\n#include <Arduino.h>\n#define VALUE 2\n#else\n#define VALUE 1\n#endif", [1, 1]),
}


@each(list(ARDUINO_VALUES), needs=[QEMU])
def arduino_values(case, name):
    """What cores compute, and what the compiler alone would."""
    text, want = ARDUINO_VALUES[name]
    source = case.write("m.c", text + "\nvoid m(const float x[2], float y[2]) { for (int i = 0; i < 2; i++) y[i] = VALUE; }\n")
    case.generate(source)
    case.write("in.bin", struct.pack("<2f", -1.5, 0.5))
    case.write("want.bin", struct.pack("<2f", *want))
    case.verify(case.dir / "out/m_rel.bin", "--input", case.dir / "in.bin", "--expected", case.dir / "want.bin")


# ---- a compiler that breaks down ----

BREAKS = """#!/bin/sh
for word in "$@"; do
    case $word in @*.rsp)
        if grep -q 'own\\.c' "${word#@}" && grep -q -e '^"*-c' "${word#@}" && ! grep -q -e "CURE" "${word#@}"; then
            echo "own.c:1:1: internal compiler error: in trunc_int_for_mode" >&2
            exit 1
        fi
    esac
done
exec CROSSgcc "$@"
"""


@test(needs=[QEMU])
def compiler_that_breaks_down(case):
    """The file is compiled again without the pass that fails; where that does not help, the error says so."""
    source = case.write("own.c", FLOAT)
    gcc = case.write("broken-gcc", BREAKS.replace("CROSS", CROSS).replace("CURE", "fdisable-rtl-combine"))
    gcc.chmod(0o755)
    for tool in ("ld", "ar", "nm", "objcopy", "size"):
        case.dir.joinpath(f"broken-{tool}").symlink_to(case.run("sh", "-c", f"command -v {CROSS}{tool}").out.strip())
    prefix = ["--cross-compile", case.dir / "broken-", "--launcher", "none"]
    has(case.generate(source, *prefix).out, "note RP1067: the compiler broke down on", "own.c", "-fdisable-rtl-combine")
    gcc.write_text(BREAKS.replace("CROSS", CROSS).replace("CURE", "no such option"))
    case.refuse(4, "RP2400", source, *prefix, out="other", hint="the compiler itself crashed: try clang (-r llvm)")


@test
def assembly_without_registers(case):
    """Assembly that names r7, as kernels for Helium have it."""
    source = case.write("own.c", "void model(const float in[1], float out[1]) { __asm__ volatile(\"\" ::: \"r7\"); out[0] = in[0]; }\n")
    has(case.refuse(4, "RP2400", source, "--cflags=-fno-omit-frame-pointer", hint="leave -fno-omit-frame-pointer"), "r7")
    case.generate(source)


# ---- names that another compiler's library has ----

@each([("Lib$$Request$$armlib", "Keil"), ("__iar_program_start", "IAR")])
def object_of_another_compiler(case, what):
    name, maker = what
    case.write("other.s", f'.syntax unified\n.thumb\n.global helper\n.type helper, %function\nhelper:\n bx lr\n.balign 4\n.word "{name}"\n')
    case.run(f"{CROSS}as", "-mcpu=cortex-m4", "-mfloat-abi=hard", "-mfpu=fpv4-sp-d16", "other.s", "-o", "other.o")
    source = case.write("own.c", CALLER)
    case.refuse(6, "RP2600", source, "--runtime-lib", case.dir / "other.o", hint=maker)


@test(needs=["clang"])
def bitcode_and_code_for_the_host(case):
    source, helper = case.write("own.c", CALLER), case.write("helper.c", HELPER)
    case.run("clang", "--target=arm-none-eabi", "-mcpu=cortex-m4", "-mfloat-abi=hard", "-emit-llvm", "-c", helper, "-o", "helper.bc")
    has(case.refuse(9, "RP2906", source, "--runtime-lib", "helper.bc", hint="without -flto"), "LLVM bitcode")
    case.run("clang", "--target=arm-none-eabi", "-mcpu=cortex-m4", "-mfloat-abi=hard", "-mfpu=fpv4-sp-d16", "-c", "helper.bc", "-o", "helper.o")
    case.generate(source, "--runtime-lib", "helper.o")
    case.run("cc", "-c", helper, "-o", "host.o")
    case.refuse(9, "RP2906", source, "--runtime-lib", "host.o", out="host", hint="for another processor")


# ---- what was probably meant ----

@test
def files_that_are_no_images(case):
    """verify, inspect and run say what to do with what is not an image; paths are those that were typed."""
    source = case.write("model.c", FLOAT)
    case.write("empty/readme.txt", "nothing\n")
    case.generate(source)
    for command in ("verify", "inspect", "run"):
        def hinted(path, text, status=9, command=command):
            has(case.relocpack(command, path, status=status).err, f"'{path}'", f"hint: {text}")
        hinted("model.c", "relocpack generate -i model.c --target SERIES makes an image of it")
        hinted("out", "it is a folder; an image in it: out/model_rel.bin")
        hinted("empty", "it is a folder, and no NAME_rel.bin is in it")
        hinted("out/model_generate_rel.json", "that is the report of an image: give NAME_rel.bin, beside it")
        has_not(case.relocpack(command, "none.c", status=9).err, "hint:", str(case.dir))
    has(case.relocpack("report", "out", status=2).err, "hint: relocpack report out --html page.html")
    has(case.generate("", status=2).err, "-i is empty")
    has(case.generate(source, "--pack-dir", "nowhere", status=2).err, "--pack-dir 'nowhere' is not a folder")
    has(case.generate(source, "--dialect", "onnx", status=2).err, "hint: a dialect is how C code is written; --generator")


# ---- names from outside ----

@each(["generate", "verify", "inspect", "diff", "report", "sbom"])
def names_that_begin_a_line(case, command):
    """A name cannot silence the log of a pipeline or write over the line: nothing in it begins a line or turns the text round."""
    name = "a\n::stop-commands::x\u202eb##[group]\x1b[2K.c"
    words = {"generate": ["generate", "-i", name, "--target", "stm32f4"], "report": ["report", name, "--html", "x.html"]}
    for there in (False, True):
        if there:
            case.write(name, "void m(const float in[4], float out[4]) { out[0] = x; }\n")
        shown = case.relocpack(*words.get(command, [command, name]), status=None, env={"GITHUB_ACTIONS": None})
        check(shown.status != 0, "refused")
        for line in shown.err.splitlines():
            check(not line.strip().startswith("::") and "##[" not in line, f"a command of a runner: {line!r}")
        has_not(shown.err, "\u202e", "\x1b")


@test
def cache_that_cannot_be_written(case):
    """ccache in a container that runs as another user refuses the build: the build goes on without it, and a note says so."""
    kit.need("ccache")
    source = case.write("model.c", FLOAT)
    nowhere = {"CCACHE_DIR": "/proc/nowhere/ccache", "CCACHE_DISABLE": None}
    result = case.generate(source, env=nowhere)
    has(result.out + result.err, "note RP1077: ccache cannot write '/proc/nowhere/ccache', and is left out: CCACHE_DIR names another folder")
    result = case.generate(source, "--launcher", "ccache", env=nowhere, status=4)
    has(result.err, "hint: ccache cannot write its cache")
    result = case.generate(source, env={"CCACHE_DIR": None, "HOME": "/proc/nowhere", "XDG_CACHE_HOME": None})
    has(result.out + result.err, "RP1077: ccache cannot write '/proc/nowhere/.cache/ccache'")
    result = case.generate(source, env={"CCACHE_DIR": None, "HOME": "/proc/nowhere", "XDG_CACHE_HOME": str(case.dir / "new/cache")})
    has_not(result.out + result.err, "RP1077")
