# SPDX-License-Identifier: Apache-2.0
"""Dialects combined with options of other parts of the program: each image is read, described and
executed, without options of its own and from another folder; the compiler has nothing to report.
"""
import json
import pathlib
import re
import shutil

import glow_kit
import kit
import reader
import stai_kit
import standin
import test_free_r9
import test_imports
import test_plain_c
import test_tvm
from kit import CROSS, EXAMPLES, MODELS, QEMU, check, each, equal, has, test

LLVM = ["-r", "llvm"]
HOST = "float host_k = 3;\nfloat host_square(float x) { return x * x; }\n"
DECLARED = "extern float host_k;\nextern float host_square(float);\n"
IMPORTS = test_imports.named(["host_k", "host_square@2"])
ALLOCATOR = """#include <stdint.h>
static char arena[2048] __attribute__((aligned(16)));
static uint32_t used;
void *TVMBackendAllocWorkspace(int a, int b, uint64_t bytes, int c, int d) {
    void *at = arena + used;
    (void)a, (void)b, (void)c, (void)d;
    used += ((uint32_t)bytes + 31u) & ~31u;
    return at;
}
int TVMBackendFreeWorkspace(int a, int b, void *at) {
    (void)a, (void)b;
    used = (uint32_t)((char *)at - arena);
    return 0;
}
"""
SCALE = "static const float scales[128] = {[5] = 0.5f};\nfloat scale(float x) { return x * scales[((int)x & 1) + 5]; }\n"


# ---- models: (source, options, environment, name of the image, source of the firmware or None) ----

def digits(case):
    return EXAMPLES / "digits/digits_float.json", [], {}, "digits_float", None


def constants(case):
    source = case.write("model.c", "extern const float gains[4];\nextern int count;\nvoid model(const float in[4], float out[4]) {\n"
                        "    for (int i = 0; i < 4; i++)\n        out[i] = in[i] * gains[i] + (float)++count;\n    count = 0;\n}\n")
    return source, test_imports.named(["gains", "count"]), {}, "model", "const float gains[4] = {1, 2, 3, 4};\nint count;\n"


def functions(case):
    return case.write("model.c", test_imports.MODEL), test_imports.named(test_imports.NAMES), {}, "model", test_imports.HOST


def freed(case):
    case.write("kernel.c", test_free_r9.KERNEL.replace("CALLED", "((x) * 3)"))
    return case.write("model.c", test_free_r9.MODEL % ("", "")), ["--source", case.dir / "kernel.c"], {}, "model", None


def header(case):
    source = case.write("model.h", DECLARED + "static void go(const float *x, float *y) { *y = host_square(*x) + host_k; }\n")
    return source, ["--entry", "go(in:float[1], out:float[1])", *IMPORTS], {}, "model", HOST


def cplusplus(case):
    return MODELS / "shapes.cpp", [], {}, "shapes", None


def trees(case, text=test_plain_c.NET, words=(), host=None):
    case.write("inc/eml_trees.h", test_plain_c.RUNTIME)
    return case.write("model.h", text), ["--entry", "net_regress", "-I", case.dir / "inc", *words], {}, "model", host


def trees_with(case, declared, change, words, host=None):
    text = test_plain_c.NET.replace("int32_t net_regress(", declared + "int32_t net_regress(", 1)
    text = text.replace("    return eml_net_regress(", f"    {change}\n    return eml_net_regress(", 1)
    return trees(case, text, words, host)


def trees_imports(case):
    return trees_with(case, DECLARED, "float x[3] = {host_square(features[0]), host_k, 1};\n    features = x;", IMPORTS, HOST)


def trees_source(case):
    source = case.write("scale.c", SCALE)
    return trees_with(case, "extern float scale(float);\n", "float x[3] = {scale(features[0]), 2, 1};\n    features = x;",
                      ["--source", source])


def mix(case):
    return test_tvm.MIX, [], {}, "mix", None


def mix_tar(case):
    return test_tvm.packed(test_tvm.MIX, case.dir / "mix.tar"), [], {}, "mix", None


def mix_imports(case):
    folder = test_tvm.copy(case, test_tvm.MIX)
    test_tvm.edit(folder / test_tvm.SRC / "mix_lib1.c", ("#include <stdbool.h>", f"#include <stdbool.h>\n{DECLARED}"),
                  ("0.125f", "host_k * host_square(0.25f)"))
    return folder, IMPORTS, {}, "mix", HOST


def workspaces(case):
    names = ["TVMBackendAllocWorkspace", "TVMBackendFreeWorkspace"]
    return test_tvm.OLD, test_imports.named(names), {}, "old", ALLOCATOR


def bundle(case):
    return glow_kit.bundle(case), [], {}, "toy", None


def bundle_table(case):
    return glow_kit.bundle(case, flags=glow_kit.TABLE), [], {}, "toy", None


def bundle_source(case):
    """A function that the object lacks."""
    folder = glow_kit.bundle(case, flags=(*glow_kit.FLOAT, "-Dexpf=scale"))
    return folder, ["--source", case.write("scale.c", SCALE)], {}, "toy", None


def pack_of(case, version, macro):
    return {"STEDGEAI_CORE_DIR": standin.pack(case, version, macro=macro)}


def st_ai(case):
    return standin.network(case, (10, 0)), [], pack_of(case, (10, 0), False), "network", None


def stai(case):
    return stai_kit.network(case), [], pack_of(case, (11, 0), False), "network", None


def stai_imports(case):
    host = "const float hmw[6] = {1, 2, 3, 4, 5, 6};\nfloat HSP_ACC_scale(float x) { return x * 0.5f; }\n"
    words = test_imports.named(["HSP_ACC_scale@3", "hmw"])
    return stai_kit.network(case, imports=True), words, pack_of(case, (11, 0), False), "network", host


EVERYTHING = ["-r", "compact,copy-only,split,gen-c-file"]
NO_PARTS = ["--weights-threshold", "0", "--acts-threshold", "0"]
LIBC = ["-r", "copy-only", "--math", "libc"]
ROWS = {
    "digits-llvm-all": (digits, [*LLVM, *EVERYTHING]), "digits-toolchains": (digits, ["--compare-toolchains"]),
    "constants-llvm": (constants, LLVM), "functions-llvm": (functions, LLVM),
    "functions-llvm-all": (functions, [*LLVM, *EVERYTHING]), "functions-compact": (functions, ["-r", "compact"]),
    "freed": (freed, []), "header-llvm": (header, LLVM), "header-all": (header, EVERYTHING),
    "cplusplus-all": (cplusplus, EVERYTHING), "trees-llvm-all": (trees, [*LLVM, *EVERYTHING]),
    "trees_imports-llvm": (trees_imports, LLVM), "trees_source": (trees_source, []), "trees_source-llvm": (trees_source, LLVM),
    "mix-llvm": (mix, LLVM), "mix-llvm-all": (mix, [*LLVM, *EVERYTHING]), "mix-llvm-no_parts": (mix, [*LLVM, *NO_PARTS]),
    "mix_tar-llvm": (mix_tar, LLVM), "mix_imports-llvm": (mix_imports, LLVM), "mix_imports-copy": (mix_imports, ["-r", "copy-only"]),
    "workspaces": (workspaces, []), "workspaces-llvm": (workspaces, LLVM),
    "bundle-llvm-all": (bundle, [*LLVM, *EVERYTHING]), "bundle_table-llvm": (bundle_table, LLVM),
    "bundle_table-libc": (bundle_table, LIBC), "bundle_source": (bundle_source, []), "bundle_source-llvm": (bundle_source, LLVM),
    "st_ai-llvm-all": (st_ai, [*LLVM, *EVERYTHING]), "stai-llvm": (stai, LLVM), "stai-llvm-all": (stai, [*LLVM, *EVERYTHING]),
    "stai-compact": (stai, ["-r", "compact"]), "stai_imports-llvm": (stai_imports, LLVM),
}
SLOW = ("-all", "-no_parts", "-toolchains")


@each(list(ROWS), needs=[QEMU, "clang", f"{CROSS}gcc"], slow=lambda label: label.endswith(SLOW) and label != "stai-llvm-all")
def works(case, label):
    make, words = ROWS[label]
    source, more, env, name, host = make(case)
    case.generate(source, *more, *words, "--log", case.dir / "log", env=env)
    image = case.dir / f"out/{name}_rel.bin"
    reader.read(image)
    case.relocpack("inspect", image)
    with_host = ["--host-source", case.write("host.c", host)] if host else []
    answer = case.verify(image, *with_host, "--json", "--log", case.dir / "log", cwd=case.path("elsewhere/x").parent)
    equal(json.loads(answer.out)["identical"], True, "identical")
    equal(re.findall("^.*warning: .*$", (case.dir / "log").read_text(), re.M), [], "what the compiler says")


@each(["mix", "stai"], needs=["clang", f"{CROSS}gcc"])
def same_weights(case, label):
    """clang's weights equal gcc's."""
    source, _, env, name, _ = {"mix": mix, "stai": stai}[label](case)
    case.generate(source, "-r", "split", env=env, out="gcc")
    case.generate(source, "-r", "split,llvm", env=env)
    size = case.report(name)["memory"]["params"]
    check(size > 40, "no weights")
    equal(*(sorted((case.dir / out / f"{name}_data.bin").read_bytes()[:size]) for out in ("out", "gcc")), "weights")


@each(["llvm", "compared"], needs=["clang"])
def cplusplus_of_clang(case, how):
    words = LLVM if how == "llvm" else ["--compare-toolchains"]
    text = case.refuse(4, "RP2400", MODELS / "shapes.cpp", *words, hint="build without -r llvm")
    has(text, "shapes.cpp': clang does not compile C++")


@test(needs=[QEMU])
def other_compiler(case):
    """verify makes its static build with the compiler of the image."""
    log = case.dir / "used"
    tool = case.write("bin/mine-gcc", f'#!/bin/sh\necho "$@" >> "{log}"\nexec {CROSS}gcc "$@"\n')
    tool.chmod(0o755)
    case.generate(EXAMPLES / "tiny/tiny.c", "--cross-compile", "bin/mine-", "--launcher", "none")
    log.unlink()
    case.verify(case.dir / "out/tiny_rel.bin", "--launcher", "none", "--trust-report", cwd=case.path("elsewhere/x").parent)
    check(log.exists(), "another compiler")


# ---- parts: wrong, other and no addresses; what is around them ----

PARTS = """enum { GUARD = 64, BLOCK = 2432 };
static uint8_t blocks[4][BLOCK] __attribute__((aligned(64)));
static uint32_t used, acts_size;

static void must(int holds) {
    if (!holds)
        __builtin_trap();
}

/* Neither a run nor an init may have written around the activations. */
static void check_guards(void) {
    for (uint32_t i = 0; i < BLOCK; i++)
        for (uint32_t k = 0; k < 4 && k < used; k++)
            must((i >= GUARD && i - GUARD < acts_size) || blocks[k][i] == 0xA5);
}

static void refused(ai_handle network, ai_handle weights, ai_handle acts) {
    const ai_handle parts[2][2] = {{weights, NULL}, {acts, NULL}};
    must(!ai_rel_network_init(network, parts[0], parts[1]));
    must(ai_rel_network_get_error(network).type == AI_ERROR_INVALID_PARAM);
    must(ai_rel_network_run(network, NULL, NULL) <= 0);
    must(ai_rel_network_get_error(network).type == AI_ERROR_INVALID_STATE);
}

static void init(struct harness_job *job) {
    ai_handle network = job->instance->handle, old = (ai_handle)(uintptr_t)job->instance->acts.address;
    uint8_t *at = job->instance->weights_at, *block = blocks[used++ % 4];
    const ai_handle weights[2] = {at, NULL}, acts[2][2] = {{old, NULL}, {block + GUARD, NULL}};
    acts_size = job->instance->acts.size_bytes;
    must(acts_size != 0 && acts_size <= BLOCK - 2 * GUARD);
    for (uint32_t i = 0; i < BLOCK; i++)
        block[i] = 0xA5;
    for (uint32_t i = 0; i < 2; i++) {
        refused(network, NULL, old);
        refused(network, at + 2, old);
        refused(network, at, NULL);
        refused(network, at, (uint8_t *)old + 2);
        must(ai_rel_network_init(network, weights, acts[i]));
    }
    job->done = job->value = 1;
}
"""


def firmware_that_tries(case):
    share = shutil.copytree(pathlib.Path(case.tool).parent.parent / "share/relocpack", case.dir / "share")
    path = share / "templates/harness/backend_loader.c"
    text, count = re.subn(r"static void init\(struct harness_job \*job\) \{.*?\n\}\n", lambda _: PARTS, path.read_text(), flags=re.S)
    text, runs = re.subn(r"(ai_rel_network_run\(job->instance.*?;\n)", r"\1    check_guards();\n", text)
    equal((count, runs), (1, 1), "places to edit")
    path.write_text(text)
    return {"RELOCPACK_DATADIR": share}


def state(case):
    return MODELS / "state.c", [], {}, "state", None


def old(case):
    return test_tvm.OLD, [], {}, "old", None


def raw(case):
    return stai_kit.network(case, raw=True), [], pack_of(case, (11, 0), False), "network", None


ADDRESSES = {"state": (state, []), "state-compact": (state, ["-r", "compact"]), "old": (old, []), "bundle": (bundle, []),
             "bundle-llvm": (bundle, LLVM), "bundle_table": (bundle_table, ["-r", "split"]), "stai": (stai, []),
             "stai-llvm": (stai, LLVM), "stai_raw": (raw, []), "state-copy": (state, ["-r", "copy-only", "--cflags=-fno-pic"])}


@each(list(ADDRESSES), needs=[QEMU], slow=lambda label: label in ("state-compact", "bundle-llvm", "stai_raw"))
def addresses(case, label):
    """Wrong addresses are refused, and so are runs then; others replace the first; nothing around them is written."""
    make, words = ADDRESSES[label]
    source, more, env, name, _ = make(case)
    case.generate(source, *more, *words, env=env)
    image = case.dir / f"out/{name}_rel.bin"
    equal(json.loads(case.verify(image, "--json", env=firmware_that_tries(case)).out)["identical"], True, "identical")
