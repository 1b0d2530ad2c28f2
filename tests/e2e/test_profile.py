# SPDX-License-Identifier: Apache-2.0
"""verify --profile: which nodes and functions the instructions of a run are in.

Counts are exact: they are worked out by hand, add up, and are the same each time.
"""
import json

import glow_kit
import kit
import npu_kit
import stai_kit
import standin
from kit import EXAMPLES, FIXTURES, MODELS, QEMU, check, each, equal, has, has_not, matches, test
from test_plain_c import CALLS
from test_verify import make

COUNTS = "counts(in:float[1], out:float[1])"
# Calls that the entry of counts.c makes, in order: worked out from its instructions.
SPIN = lambda rounds: 2 * rounds + 1
DOWN = lambda levels: 5 * (levels - 1) + 4
CALLED = [("spin", SPIN(10)), ("spin", SPIN(100)), ("spin", SPIN(1000)), ("down", DOWN(40)),
          ("tail", 2 + SPIN(6)), ("tail_far", 4 + SPIN(6)), ("ends", 3 + 2), ("shares", 4),
          ("maybe", 6), ("maybe", 6 + SPIN(3)), ("maybe", 6), ("table", 5), ("table", 4),
          ("untyped", 3), ("spin", SPIN(7)), ("tail", 2 + SPIN(8)), ("down", DOWN(7)),
          ("march", 102 * 120000 + 1)]
# name: (calls, own, with callees)
FUNCTIONS = {
    "spin": (8, *2 * [sum(map(SPIN, (10, 100, 1000, 6, 6, 3, 7, 8)))]),
    "down": (47, *2 * [DOWN(40) + DOWN(7)]), "tail": (2, 4, 4 + SPIN(6) + SPIN(8)), "tail_far": (1, 4, 4 + SPIN(6)),
    "ends": (1, 3, 5), "shares": (1, 6, 6), "maybe": (3, 18, 18 + SPIN(3)), "table": (2, 9, 9), "untyped": (1, 3, 3),
    "march": (1, 12240001, 12240001)}


def profiled(case, image, *words, **more):
    """The answer of verify, whose profile adds up."""
    answer = json.loads(case.verify(image, "--profile", "--json", *words, **more).out)
    profile = answer["profile"]
    totals, functions = profile["totals"], profile["functions"]
    mode = profile["mode"]
    run = next(run for run in answer["runs"] if (run["mode"], run["addresses"], run["run"]) == (mode, "1", 1))
    equal((totals["run"], totals["stack_bytes"]), (run["run_instructions"], run["stack_bytes"]), "the run that was compared")
    equal(sum(function["own"] for function in functions), totals["run"], "instructions of all functions")
    equal(sum(f["own"] for f in functions if f["in"] == "firmware"), totals["firmware"], "instructions of the firmware")
    equal(sum(node["instructions"] for node in profile["nodes"]), totals["nodes"], "instructions of the nodes")
    check(totals["nodes"] <= totals["run"] <= totals["observed_run"], f"totals: {totals}")
    check_tree(profile["tree"], functions)
    return profile


def check_tree(tree, functions):
    """Each frame has what it has itself and what it calls; a function is what its frames are."""
    own, calls = {}, {}

    def visit(frame):
        below = sum(map(visit, frame.get("calls_to", [])))
        equal(frame["total"], frame["own"] + below, f"instructions of {frame['name']}")
        key = frame["name"], frame["in"], frame["inlined"]
        own[key] = own.get(key, 0) + frame["own"]
        calls[key] = calls.get(key, 0) + frame["calls"]
        return frame["total"]
    for frame in tree:
        visit(frame)
    for key in own:
        rows = [f for f in functions if (f["name"], f["in"], f["inlined"]) == key]
        equal((sum(f["own"] for f in rows), sum(f["calls"] for f in rows)), (own[key], calls[key]), f"{key}")


def frame(profile, *path):
    """The frame of that path below the image's first one, which calls the entry."""
    found = [f for f in flatten(profile["tree"]) if f["name"] == path[0]]
    equal(len(found), 1, f"frames of {path[0]}")
    at = found[0]
    for name in path[1:]:
        at = next(f for f in at["calls_to"] if f["name"] == name)
    return at


def flatten(frames):
    for one in frames:
        yield one
        yield from flatten(one.get("calls_to", []))


def of(profile, name):
    return next(f for f in profile["functions"] if (f["name"], f["inlined"]) == (name, False))


# ---- worked out by hand ----

HOW = {"in_place": ("stm32f4", []), "m7": ("stm32h7", []), "m33": ("stm32u5", []), "m55": ("stm32n6", [])}


@each(list(HOW), needs=[QEMU], slow=lambda how: how != "in_place")
def counted_by_hand(case, how):
    """Loops, recursion, tail calls, shared ends, calls on a condition and by pointers, a switch, code without
    types and sizes; enough instructions to wrap the counter."""
    target, words = HOW[how]
    case.generate(MODELS / "counts.c", "--entry", COUNTS, *words, target=target)
    profile = profiled(case, case.dir / "out/counts_rel.bin")
    equal(profile["mode"], "XIP", "mode")
    parts = [(node["name"], node["instructions"]) for node in profile["nodes"]]
    equal(parts[:-1], CALLED, "calls of the entry, in order")
    equal(parts[-1][0], "counts", "the entry itself")
    for name, want in FUNCTIONS.items():
        found = of(profile, name)
        equal((found["calls"], found["own"], found["total"]), want, name)
    for path, want in {("counts", "tail", "spin"): (2, SPIN(6) + SPIN(8)), ("counts", "tail_far", "spin"): (1, SPIN(6)),
                       ("counts", "ends", "shares"): (0, 2), ("counts", "maybe", "spin"): (1, SPIN(3)),
                       ("counts", "down"): (47, DOWN(40) + DOWN(7))}.items():
        found = frame(profile, *path)
        equal((found["calls"], found["own"]), want, "/".join(path))


@test(needs=[QEMU])
def equal_each_time(case):
    """And in text and Markdown."""
    case.generate(MODELS / "counts.c", "--entry", COUNTS)
    image = case.dir / "out/counts_rel.bin"
    first = profiled(case, image)
    equal(profiled(case, image, "--seed", "7"), first, "the second profile")
    files = [case.dir / f"profile{end}" for end in (".json", ".md", ".txt")]
    texts = [case.verify(image, "-q", "--profile-file", file) and file.read_text() for file in files]
    document = json.loads(texts[0])
    equal({key: document[key] for key in first}, first, "JSON")
    has(case.verify(image, "--profile").out, texts[2])
    total = f"{first['totals']['run']:,}"
    has(texts[1], "# Profile\n", f"one run: {total} instructions", "| 5 | - | function | 17 |", "tail\\_far |")
    has(texts[2], f"one run: {total} instructions")
    matches(texts[2], r"\n +5 +- +function +17 +0\.0% +0\.0% +tail_far\n")
    matches(texts[2], r"\n +- +- +- +[\d,]+ +100\.0% +100\.0% +all of these\n")
    matches(texts[2], r"\n +12,240,001 +100\.0% +12,240,001 +1 +    march\n|\n +12,240,001 +100\.0% +12,240,001 +100\.0% +1 +march\n")


# ---- models of all generators ----

@each([f"{name}-{core}" for name in ("digits_float", "digits_int8", "tiny", "features", "state", "functions", "tensors")
       for core in ("m3", "m4", "m7", "m33", "m55")], needs=[QEMU], slow=lambda label: not label.startswith("digits"),
      spread=["digits_float-m7", "digits_int8-m4", "tiny-m3", "features-m33", "state-m55", "functions-m4", "tensors-m7"])
def plain_c(case, label):
    name, core = label.split("-")
    profile = profiled(case, make(case, name, core))
    if name == "digits_float":
        names = [node["name"] for node in profile["nodes"] if node["name"] != "memcpy"]
        equal(names, ["conv3x3_relu", "max_pool2x2", "conv3x3_relu", "dense", "softmax", "digits_float"], "layers")
    outside = profile["totals"]["run"] - profile["totals"]["nodes"]
    check(outside < 400,  # the glue of a model with eleven outputs
           f"{outside} instructions outside of the model")


@test(needs=[QEMU])
def clang(case):
    image = make(case, "digits_float", "m7", "-r", "llvm")
    names = [node["name"] for node in profiled(case, image)["nodes"]]
    equal([names.count("conv3x3_relu"), names[-1]], [2, "digits_float"], "layers that are not inlined, and the entry with the others")


ALLOCATES, FREES = ["TVMBackendAllocWorkspaceIn"], ["TVMBackendFreeWorkspaceIn"]  # they get the arena
TVM = {"mix": ["tvmgen_mix_fused_scale", "tvmgen_mix___tvm_main__"],
       "old": [*2 * ALLOCATES, "tvmgen_old_fused_dense", *2 * FREES, "tvmgen_old_run_model"]}


@each(list(TVM), needs=[QEMU])
def tvm(case, model):
    """What the main function of a module calls, and itself; not those around it, which only pass on."""
    case.generate(FIXTURES / "tvm" / model, target="stm32h7")
    profile = profiled(case, case.dir / f"out/{model}_rel.bin")
    equal([node["name"] for node in profile["nodes"]], TVM[model], "parts")


@test(needs=[QEMU])
def glow(case):
    case.generate(glow_kit.bundle(case, flags=[*glow_kit.TABLE]), target="stm32f4")
    profile = profiled(case, case.dir / "out/toy_rel.bin")
    check("toy" in [node["name"] for node in profile["nodes"]], "the bundle's function")


@test(needs=[QEMU])
def emlearn(case):
    case.generate(MODELS / "plain_trees.h", "--entry", CALLS["class"][0])
    profile = profiled(case, case.dir / "out/plain_trees_rel.bin")
    equal([node["name"] for node in profile["nodes"]], ["rp_model_run"], "the tree is inlined into it")


@each(["macro", "own_glue"], needs=[QEMU])
def st_ai(case, kind):
    """Nodes by call-backs, with the names, tensors and weights that the network declares."""
    env = {"STEDGEAI_CORE_DIR": standin.pack(case, (10, 0), macro=kind == "macro")}
    case.generate(standin.network(case, (10, 0)), env=env)
    profile = profiled(case, case.dir / "out/network_rel.bin", env=env)
    equal(profile["parts"], "nodes", "parts")
    nodes = profile["nodes"]
    equal([(n["c_id"], n["m_id"], n["type"], n["name"], n["runs"]) for n in nodes],
          [(0, "0", "DENSE", "hidden", 1), (1, "0", "NL", "relu", 1), (2, "2", "DENSE", "output", 1)], "nodes")
    equal([(n["input_bytes"], n["output_bytes"], n["weights_bytes"], n["scratch_bytes"]) for n in nodes],
          [(64, 96, 1632, 0), (96, 96, 0, 0), (96, 32, 800, 0)], "tensors")
    equal([n.get("weights_offset") for n in nodes], [0, None, 1632], "which weights")
    forward = {name: of(profile, name)["total"] for name in ("forward_dense", "forward_relu")}
    over = [nodes[1]["instructions"] - forward["forward_relu"],
            nodes[0]["instructions"] + nodes[2]["instructions"] - forward["forward_dense"]]
    check(0 < over[0] < 60 and 0 < over[1] < 120, f"a node is its function and the run-time's call: {over}")


@test(needs=[QEMU])
def st_ai_with_buffers(case):
    """Runtimes up to 7.0; an image of its own for weights."""
    env = {"STEDGEAI_CORE_DIR": standin.pack(case, (6, 0), macro=False)}
    case.generate(standin.network(case, (6, 0), weights="bytes"), "--split", env=env)
    nodes = profiled(case, case.dir / "out/network_rel.bin", env=env)["nodes"]
    equal([(n["type"], n["name"]) for n in nodes], [("DENSE", "hidden"), ("NL", "relu"), ("DENSE", "output")], "nodes")


@each(["nodes", "none"], needs=[QEMU])
def stai(case, kind):
    """Nodes of the newer API, by its own events; a header that does not count them has none."""
    env = {"STEDGEAI_CORE_DIR": standin.pack(case, (11, 0), macro=False)}
    case.generate(stai_kit.network(case, nodes=3 if kind == "nodes" else 0), env=env)
    profile = profiled(case, case.dir / "out/network_rel.bin", env=env)
    nodes = [(n["m_id"], n["type"], n["name"]) for n in profile["nodes"]]
    if kind == "nodes":
        equal(nodes, [("3", "multiply", "multiply_a"), ("7", "multiply", "multiply_q"), ("7", "relu", "relu_7")], "nodes")
    else:
        equal([name for *_, name in nodes], ["standin_multiply", "standin_multiply", "standin_relu", "stai_network_run"], "parts")


@each(["functions", "blobs", "no_dbg_info"], needs=[QEMU])
def neural_art(case, kind):
    """Epochs by call-backs of the run-time, each with three times."""
    words = ["--no-dbg-info"] if kind == "no_dbg_info" else []
    made = npu_kit.made(case, *words, epoch_controller=kind == "blobs")
    profile = profiled(case, made.image_path, env=npu_kit.env_of(npu_kit.pack(case, made.network.options.version)))
    nodes = profile["nodes"]
    equal(profile["parts"], "nodes", "parts")
    types = [n["type"] for n in nodes]
    check({"epoch (SW)", "epoch (hybrid)", "epoch (EC)" if kind == "blobs" else "epoch (HW)"} <= set(types), f"{types}")
    for n in nodes:
        equal(sum(n["phases"].values()), n["instructions"], n["name"])
    software = next(n for n in nodes if n["type"] == "epoch (SW)")
    check(software["phases"]["end"] > 10 * software["phases"]["start"], f"{software}")
    epochs = [n["name"] for n in nodes if n["type"] != "epoch (library)"]
    if kind == "no_dbg_info":
        equal(set(epochs), {""}, "names")
    else:
        check(all(name.startswith("EpochBlock_") for name in epochs), f"{epochs}")
        check(kind != "blobs" or any(" -> " in name for name in epochs), f"{epochs}")


@test(needs=[QEMU])
def imports(case):
    """Functions of the firmware that a model calls are counted, and shown as the firmware's."""
    source = case.write("model.c", "float scale(float x);\nvoid model(const float in[4], float out[4]) {\n"
                                   "    for (int i = 0; i < 4; i++)\n        out[i] = scale(in[i]);\n}\n")
    host = case.write("host.c", "float scale(float x);\nfloat scale(float x) { return 3.0f * x; }\n")
    case.generate(source, "--import", "scale")
    profile = profiled(case, case.dir / "out/model_rel.bin", "--host-source", host)
    found = next(f for f in profile["functions"] if (f["name"], f["in"]) == ("scale", "firmware"))
    equal(found["calls"], 4, "calls")


# ---- what is refused ----

@test(needs=[QEMU])
def another_image(case):
    """Names come from the sources, which have to be those of the image."""
    source = case.write("model.c", (EXAMPLES / "tiny/tiny.c").read_text())
    case.generate(source)
    image = case.dir / "out/model_rel.bin"
    profiled(case, image)
    source.write_text(source.read_text() + "\n/* a comment changes nothing */\n")
    profiled(case, image)
    same = case.verify(image, "--cflags=-O1", "--profile", status=8)
    has(same.err, "error RP2805", "another image", "generate the image again")
    case.verify(image, "--cflags=-O1")


WRAPPER = """#!/bin/sh
# Runs QEMU with another log: what the last words make of it.
for word; do
    if test "$last" = -D; then log=$word; set -- "$@" real; else set -- "$@" "$word"; fi
    shift; last=$word
done
test -z "$log" && exec qemu-system-arm "$@"
qemu-system-arm "$@"
status=$?
%s < real > "$log"
exit $status
"""


@each(["none", "cut", "lost", "garbage", "repeated"], needs=[QEMU])
def logs_that_are_wrong(case, kind):
    """A profile that does not add up is not shown."""
    filters = {"none": "true", "cut": "head -c 100000", "lost": "grep -v '/000.*00/.*conv3x3'",
               "garbage": "sed 's/^Trace 0: 0x/Trace 0; 0x/'", "repeated": "sed '/^Trace/{n;p}'"}
    image = make(case, "tiny", "m4")
    if kind == "lost":
        filters["lost"] = "awk '!/^Trace/ || ++n % 50'"
    script = case.write("emulator", WRAPPER % filters[kind])
    script.chmod(0o755)
    result = case.verify(image, "--emulator", script, "--profile", "--pass-env", "PATH", status=8)
    has(result.err, "error RP2805")
    has_not(result.out, "profile:")


@test(needs=[QEMU])
def limits_of_time(case):
    source = case.write("slow.c", "void slow(const float in[1], float out[1]) {\n    volatile int n = 0;\n"
                                  "    for (int i = 0; i < 30000000; i++)\n        n += i;\n    out[0] = in[0];\n}\n")
    case.generate(source)
    result = case.verify(case.dir / "out/slow_rel.bin", "--profile", "--timeout", "9", status=8)
    has(result.err, "did not end within 9 seconds", "hint", "--timeout")


@test(needs=[QEMU])
def files_that_cannot_be_written(case):
    image = make(case, "tiny", "m4")
    before = image.read_bytes()
    files = kit.visible(case.dir)
    for path, status, code in ((image, 2, "RP2200"), (case.dir / "no/such/folder/p.md", 1, "RP2100"), (case.dir, 1, "RP2100")):
        result = case.verify(image, "-q", "--profile-file", path, status=status)
        has(result.err, f"error {code}", f"'{path}'")
    equal(image.read_bytes(), before, "the image")
    equal(kit.visible(case.dir), files, "files")


@test(needs=[QEMU])
def images_that_are_wrong_have_no_profile(case):
    image = make(case, "tiny", "m4")
    other = case.write("other.c", (EXAMPLES / "tiny/tiny.c").read_text().replace("0.25f", "0.5f"))
    result = case.verify(image, "--model", other, "--profile", status=8)
    has_not(result.out, "profile:")
