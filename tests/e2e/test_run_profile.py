# SPDX-License-Identifier: Apache-2.0
"""run --profile: where the time of a model goes on a board, part by part, for each generator's images.

What is measured on the emulator's GDB stub is compared with the exact counts of verify --profile.
"""
import json

import glow_kit
import kit
import stai_kit
import standin
from kit import EXAMPLES, FIXTURES, MODELS, QEMU, check, each, equal, has, has_not, matches, test
from test_plain_c import CALLS
from test_run import BOARDS, make, make_text, run
from test_run_link import BLOCK, BOARD, FLASH, stub, through, with_flash

FUNCTIONS = """
static volatile int sums;
static __attribute__((noinline)) float sum(const float *x, int n) { float s = 0; sums++; for (int i = 0; i < n; i++) s += x[i]; return s; }
static __attribute__((noinline)) float twice(const float *x, int n) { return sum(x, n) + sum(x, n); }
void f(const float in[64], float out[2]) {
    out[0] = 0;
    for (int i = 0; i < 50; i++)
        out[0] += twice(in, 64);
    out[1] = sum(in, 64);
}
"""


def profiled(case, image, *words, **more):
    """The profile of a run, whose figures are those of the run itself, and add up."""
    model, = json.loads(run(case, image, "--profile", "--json", "-", *words, **more).out)["images"]
    profile = model["profile"]
    totals = profile["totals"]
    equal((profile["mode"].lower(), totals["run"], totals["stack_bytes"]),
          (model["mode"], model["inferences"][0], model["stack_bytes"]), "the run itself")
    equal(sum(node[profile["unit"]] for node in profile["nodes"]), totals["nodes"], "all parts")
    for node in profile["nodes"]:
        check(abs(node["ms"] - 1000 * node[profile["unit"]] / totals["clock_hz"]) < 1e-6, f"ms of {node}")
    return profile


def exact(case, image, **more):
    return json.loads(case.verify(image, "--profile", "--json", **more).out)["profile"]


def parts(profile):
    return [(node["name"], node["instructions"]) for node in profile["nodes"]]


def flat(frames, parent=None):
    """(name, calls, caller, with callees, own) of all frames."""
    for frame in frames:
        yield frame["name"], frame["calls"], parent, frame["total"], frame["own"]
        yield from flat(frame.get("calls_to", []), frame["name"])


# ---- C code: a twin with hooks ----

@each(list(BOARDS), needs=[QEMU])
def hooks(case, core):
    """Calls are exact; times add up to the run of the image itself, without hooks, in both modes."""
    image = make_text(case, FUNCTIONS, core)
    for mode in ("xip", "copy"):
        profile = profiled(case, image, "--mode", mode, board=BOARDS[core])
        equal((profile["method"], profile["parts"]), ("hooks", "functions"), "method")
        frames = list(flat(profile["tree"]))
        equal([frame[:3] for frame in frames], [("f", 1, None), ("twice", 50, "f"), ("sum", 100, "twice"), ("sum", 1, "f")], "calls")
        total, (entry, _, hundred, one) = profile["totals"]["run"], [frame[3] for frame in frames]
        check(abs(entry - total) <= total / 50, f"the entry takes {entry} of {total}")
        equal(sum(frame[4] for frame in frames), entry, "what all functions take by themselves")
        check(abs(hundred - 100 * one) <= hundred / 10, f"the same function takes {one}, then {hundred} in 100 calls")
        check(hundred > 0.9 * total, f"the inner loops take {hundred} of {total}")
        equal({f["name"]: f["calls"] for f in profile["functions"]}, {"sum": 101, "twice": 50, "f": 1}, "functions")
        equal([(n["name"], n["runs"]) for n in profile["nodes"]], [("twice", 50), ("sum", 1), ("f", 1)], "parts")
    (case.dir / "out/f_generate_rel.json").unlink()
    has(run(case, image, "--profile", board=BOARDS[core], status=2).err, "nothing says what", "--reproducible")


@test(needs=[QEMU])
def recursion(case):
    """A function that calls itself is one frame."""
    image = make_text(case, "static volatile int n;\nint down(int levels);\n"
                            "int down(int levels) { n++; return levels == 0 ? 0 : 1 + down(levels - n); }\n"
                            "void f(const float in[1], float out[1]) { n = 0; out[0] = in[0] + (float)down(105); }", "m4")
    tree = list(flat(profiled(case, image)["tree"]))
    equal([frame[:3] for frame in tree], [("f", 1, None), ("down", 15, "f")], "frames")


TVM = {"mix": "tvmgen_mix_fused_scale", "old": "tvmgen_old_fused_dense"}
SOURCES = {"digits": lambda: (EXAMPLES / "digits/digits_float.json", []), "emlearn": lambda: (MODELS / "plain_trees.h", ["--entry", CALLS["class"][0]]),
           **{name: lambda name=name: (FIXTURES / "tvm" / name, []) for name in TVM}}


@each(list(SOURCES), needs=[QEMU])
def functions_of_generators(case, what):
    """Against the exact counts: the same functions, which take about as long with what they call."""
    source, words = SOURCES[what]()
    case.generate(source, *words)
    image, = (case.dir / "out").glob("*_rel.bin")
    got, want = profiled(case, image), exact(case, image)
    equal((got["method"], got["totals"]["run"]), ("hooks", want["totals"]["run"]), "method, run")
    check(got["totals"]["observed_run"] > got["totals"]["run"], "hooks take time")
    totals = {f["name"]: (f["calls"], f["total"]) for f in want["functions"] if not f["inlined"]}
    same = [f for f in got["functions"] if f["name"] in totals]
    for f in same:
        calls, total = totals[f["name"]]
        equal(f["calls"], calls, f"calls of {f['name']}")
        check(abs(f["total"] - total) <= 20 + total / 20, f"{f['name']}: {f['total']}, exactly {total}")
    if what == "emlearn":  # all of its functions are inlined in the image
        check({"plant_predict", "plant_tree_0"} <= {f["name"] for f in got["functions"]}, f"{got['functions']}")
    else:
        check({"digits": "conv3x3_relu", **TVM}[what] in [f["name"] for f in same], f"{same}")
    equal(profiled(case, image), got, "the second time")


# ---- call-backs ----

def same_nodes(case, image, core="m4", env=None):
    got, want = profiled(case, image, board=BOARDS[core], env=env), exact(case, image, env=env)
    equal((got["method"], got["parts"]), ("call-backs", "nodes"), "method")
    def without_times(profile):
        return [{key: value for key, value in node.items() if key not in ("instructions", "ms")} for node in profile["nodes"]]
    equal(without_times(got), without_times(want), "nodes: names, tensors, weights")
    for mine, exact_one in zip(parts(got), parts(want)):
        check(abs(mine[1] - exact_one[1]) <= 8, f"{mine}, exactly {exact_one}")
    totals = got["totals"]
    check(totals["nodes"] < totals["run"] < totals["observed_run"], f"{totals}")
    equal(totals["run"], want["totals"]["run"], "the run has no call-backs in it")
    check(totals["run"] - totals["nodes"] < 1000, f"outside of the nodes: {totals}")
    equal(profiled(case, image, board=BOARDS[core], env=env), got, "the second time")
    return got


@each(["in_place", "split"], needs=[QEMU])
def st_ai(case, kind):
    env = {"STEDGEAI_CORE_DIR": standin.pack(case, (10, 0))}
    case.generate(standin.network(case, (10, 0)), *(["--split"] if kind == "split" else []), env=env)
    image = case.dir / "out/network_rel.bin"
    nodes = same_nodes(case, image, env=env)["nodes"]
    equal([(n["type"], n["name"], n.get("weights_offset")) for n in nodes],
          [("DENSE", "hidden", 0), ("NL", "relu", None), ("DENSE", "output", 1632)], "nodes")
    text = run(case, image, "--profile", "--mode", "copy", env=env).out
    matches(text, r"c_id +m_id +type +dur \(ms\) +instructions +% +cumul +activations +weights +name")
    matches(text, r"\n +0 +0 +DENSE +[\d.]+ +[\d,]+ +[\d.]+% +[\d.]+% +160 +1,632 +hidden\n")


@test(needs=[QEMU])
def stai(case):
    env = {"STEDGEAI_CORE_DIR": standin.pack(case, (11, 0), macro=False)}
    case.generate(stai_kit.network(case, nodes=3), env=env)
    nodes = same_nodes(case, case.dir / "out/network_rel.bin", env=env)["nodes"]
    equal([(n["m_id"], n["name"]) for n in nodes], [("3", "multiply_a"), ("7", "multiply_q"), ("7", "relu_7")], "nodes")


# ---- code that comes compiled: breakpoints ----

def same_calls(got, want):
    """The clock of an emulator that stops goes on a little, so only what is called can be compared."""
    equal(got["method"], "breakpoints", "method")
    names = [name for name, _ in parts(want)]
    equal([name for name, _ in parts(got)], names, "calls of the entry, in order, and the entry itself")
    totals = got["totals"]
    equal((totals["run"], totals["stops"], totals["runs"]), (want["totals"]["run"], 2 * len(names), 1), "run, stops")
    equal(totals["observed_run"] - totals["run"], totals["taken_off"], "what is taken off")
    return totals


@test(needs=[QEMU])
def glow(case):
    case.generate(glow_kit.bundle(case))
    image = case.dir / "out/toy_rel.bin"
    for mode in ("copy", "xip"):
        same_calls(profiled(case, image, "--mode", mode), exact(case, image))


@test(needs=[QEMU])
def stai_without_nodes(case):
    """The functions that the network's code calls, in the vendor's library, by pointers too."""
    env = {"STEDGEAI_CORE_DIR": standin.pack(case, (11, 0), macro=False)}
    case.generate(stai_kit.network(case, nodes=0), env=env)
    image = case.dir / "out/network_rel.bin"
    got = profiled(case, image, env=env)
    same_calls(got, exact(case, image, env=env))
    equal([name for name, _ in parts(got)], ["standin_multiply", "standin_multiply", "standin_relu", "stai_network_run"], "parts")
    has(run(case, image, "--profile", env=env).out, "with 8 stops at breakpoints, in 1 run, it took ")


@each(["flash", "ram"], needs=[QEMU])
def few_breakpoints(case, where):
    """Several runs, with one call in each or two; in flash by those of the core."""
    case.generate(glow_kit.bundle(case))
    image = case.dir / "out/toy_rel.bin"
    names = [name for name, _ in parts(exact(case, image))]
    for most, runs in ((3, len(names) - 1), (4, len(names) // 2), (2, 0), (1, 0)):
        server = stub("--breakpoints", str(most), *(["--flash", f"{FLASH:#x},0x100000,{BLOCK:#x}"] if where == "flash" else []))
        words = ["run", image, "--profile", "--json", "-", "--server", server]
        words += ["--board", with_flash(case), "--flash-at", hex(FLASH), "--mode", "xip"] if where == "flash" else ["--board", BOARD]
        result = case.relocpack(*words, status=0 if runs else 8)
        if not runs:
            has(result.err, "error RP2803", "sets no breakpoints")
            continue
        model, = json.loads(result.out)["images"]
        got = model["profile"]
        equal([name for name, _ in parts(got)], names, f"parts, with {most} breakpoints")
        equal((got["totals"]["runs"], got["totals"]["stops"]), (runs, 2 * (len(names) - 1) + 2 * runs), f"with {most} breakpoints")


@test(needs=[QEMU])
def calls_in_a_loop(case):
    """What is called too often for breakpoints belongs to the entry."""
    folder = glow_kit.bundle(case)
    source = case.write("loop.c", "#include <stdint.h>\nint toy(uint8_t *c, uint8_t *m, uint8_t *a);\nvoid often(uint8_t *at);\nvoid once(uint8_t *at);\n"
                                  "__attribute__((noinline)) void often(uint8_t *at) { *(volatile uint8_t *)at += 1; }\n"
                                  "__attribute__((noinline)) void once(uint8_t *at) { *(volatile uint8_t *)at += 2; }\n"
                                  "int toy(uint8_t *c, uint8_t *m, uint8_t *a) { (void)c; *a = 0; for (int i = 0; i < 300; i++) often(a); once(a);\n"
                                  "    for (int i = 0; i < 16; i++) m[64 + i] = *a; return 0; }\n")
    kit.compile_object(case, source, folder / "toy.o", target="stm32f4", pic=False, more=glow_kit.FLOAT)
    case.generate(folder)
    profile = profiled(case, case.dir / "out/toy_rel.bin")
    equal([name for name, _ in parts(profile)], ["once", "toy"], "parts")
    equal(profile["totals"]["stops"], 2 + 2 * 256 + 1 + 2, "stops: the entry, a call 256 times, its next one, the other call")


@test(needs=[QEMU])
def no_breakpoints(case):
    case.generate(glow_kit.bundle(case))
    result = case.relocpack("run", case.dir / "out/toy_rel.bin", "--profile", "--board", BOARD, "--server", stub("--no-breakpoints"), status=8)
    has(result.err, "sets no breakpoints")


@each([str(seed) for seed in range(8)], spread=("0", "1"), slow=lambda label: True, needs=[QEMU])
def a_wire_with_faults(case, seed):
    """The parts are right, or it is said what failed."""
    case.generate(glow_kit.bundle(case))
    image = case.dir / "out/toy_rel.bin"
    names = [name for name, _ in parts(exact(case, image))]
    for i, rate in enumerate((0, 0.002, 0.01)):
        _, result, proxy = through(case, image, {"seed": 100 * int(seed) + i, "rate": rate}, "--profile", "--json", "-", status=None)
        check(result.status == 0 if not proxy.faults else result.status in (0, 1), result.show())
        if result.status == 0:
            model, = json.loads(result.out)["images"]
            equal([name for name, _ in parts(model["profile"])], names, "parts")
        else:
            matches(result.err, r"error RP21\d\d: .{20}")


# ---- files, several images ----

@test(needs=[QEMU])
def files_and_several_images(case):
    first, second = make(case, "tiny", "m4", out="a"), make(case, "digits_int8", "m4", out="b")
    want = profiled(case, first)
    for end in (".json", ".md", ".txt"):
        has_not(run(case, first, "--profile-file", case.dir / f"p{end}").out, "profile:")
    document = json.loads((case.dir / "p.json").read_text())
    equal({key: document[key] for key in want}, want, "JSON")
    has((case.dir / "p.md").read_text(), "# Profile\n", "| c_id | m_id | type |")
    has(run(case, first, "--profile").out, (case.dir / "p.txt").read_text())
    for words in ([], ["--no-overlay"]):
        models = json.loads(run(case, first, second, "--profile", "--json", "-", *words).out)["images"]
        equal(models[0]["profile"]["nodes"], want["nodes"], f"the first of two, {words}")
        check(len(models[1]["profile"]["nodes"]) > 3, "the second")
    before = first.read_bytes()
    for words, status in (([first, "--profile-file", first], 2), ([first, second, "--profile-file", "p.md"], 2),
                          ([first, "--profile-file", EXAMPLES / "tiny/tiny.c"], 2)):
        run(case, *words, status=status)
    equal(first.read_bytes(), before, "the image")


@test(needs=[QEMU])
def installing_takes_as_long(case):
    """The firmware offers hooks for the twin, but the image asks for nothing."""
    image = make(case, "tiny", "m4")
    plain, with_profile = (json.loads(run(case, image, "--json", "-", *words).out)["images"][0] for words in ([], ["--profile"]))
    for key in ("install", "init", "inferences", "stack_bytes"):
        equal(with_profile[key], plain[key], key)


@test(needs=[QEMU])
def other_sources(case):
    """The names come from the sources, which have to be those of the image: said before the emulator is started."""
    case.generate(glow_kit.bundle(case))
    glow_kit.compiled(case, flags=[*glow_kit.FLOAT, "-O1"], out="b/toy.o")
    result = case.relocpack("run", case.dir / "out/toy_rel.bin", "--profile", "--board", "mps2-an386", "--server", "none-such", status=8)
    has(result.err, "error RP2805", "another image")
