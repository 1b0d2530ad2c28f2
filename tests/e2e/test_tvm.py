# SPDX-License-Identifier: Apache-2.0
"""TVM's ahead-of-time models: Model Library Format as folder, tar and single files, both ways to call and to take memory."""
import gzip
import io
import json
import re
import shutil
import tarfile

import kit
import reader
from kit import FIXTURES, QEMU, check, each, equal, has, test

TVM = FIXTURES / "tvm"
MIX, OLD = TVM / "mix", TVM / "old"
SRC, INCLUDE = "codegen/host/src", "codegen/host/include"


def verified(case, image, runs=12):
    answer = json.loads(case.verify(image, "--json").out)
    equal((answer["identical"], len(answer["runs"])), (True, runs), "answer")
    return answer


def copy(case, model, name="mlf"):
    return shutil.copytree(model, case.dir / name)


def edit(path, *pairs):
    text = path.read_text()
    for old, new in pairs:
        check(old in text, f"{old!r} is not in {path}")
        text = text.replace(old, new)
    path.write_text(text)


def packed(model, path, mode="w", change=None):
    """A tar as the generator makes it: names begin with ./"""
    with tarfile.open(path, mode) as tar:
        tar.add(model, "./", filter=change)
    return path


def figures(case, name, out="out"):
    report = case.report(name, out)
    return ([(t["name"], t["dtype"], t["shape"]) for t in report["model"]["inputs"]],
            [(t["name"], t["dtype"], t["shape"]) for t in report["model"]["outputs"]])


MIX_TENSORS = ([("scores_0", "float32", [1, 4]), ("levels", "int8", [2, 4])],
               [("total", "float32", [4]), ("largest", "int16", [4])])
OLD_TENSORS = ([("x", "float32", [1, 8])], [("y", "float32", [1, 10])])


# ---- what is read ----

@each([(model, core) for model in ("mix", "old") for core in ("stm32f4", "stm32h7", "stm32u5", "stm32n6", "stm32g0", "ra2l1")],
      needs=[QEMU], slow=lambda what: what[1] != "stm32f4")
def folder(case, what):
    model, core = what
    case.generate(TVM / model, target=core)
    report = case.report(model)
    equal(figures(case, model), {"mix": MIX_TENSORS, "old": OLD_TENSORS}[model], "tensors")
    equal((report["model"]["dialect"], report["model"]["generator"]), ("tvm", "TVM"), "dialect")
    image = reader.read(case.dir / f"out/{model}_rel.bin")
    # .rodata.tvm as a whole; .bss.noinit.tvm, or the arena with 32 bytes for each of three places
    equal((image.weights_size, image.acts_size), {"mix": (384, 1024), "old": (320, 480 + 3 * 32)}[model], "sizes")
    verified(case, case.dir / f"out/{model}_rel.bin")


@each(["w", "w:gz"], needs=[QEMU])
def archive(case, mode):
    """Nothing of it is on the disk; the bytes equal those from the folder."""
    path = packed(MIX, case.dir / ("mix.tar" if mode == "w" else "mix.tar.gz"), mode)
    case.generate(path, "--depfile", case.dir / "out.d")
    case.generate(MIX, out="plain")
    equal((case.dir / "out/mix_rel.bin").read_bytes(), (case.dir / "plain/mix_rel.bin").read_bytes(), "image")
    equal([item["path"] for item in case.report("mix")["inputs"]], [path.name], "inputs")
    has((case.dir / "out.d").read_text(), str(path))
    verified(case, case.dir / "out/mix_rel.bin")


@test(needs=[QEMU])
def names_in_an_archive(case):
    """Blanks and quotes are names as others."""
    folder_ = copy(case, MIX)
    (folder_ / SRC / "mix_lib1.c").rename(folder_ / SRC / "it's a $(part) 1.c")
    case.generate(packed(folder_, case.dir / "mix.tgz", "w:gz"))
    verified(case, case.dir / "out/mix_rel.bin")


@each(["source", "header", "flat", "include"], needs=[QEMU])
def single_file(case, how):
    """Without metadata: sizes by macros, types by the inner function."""
    folder_ = copy(case, MIX)
    words = []
    (folder_ / "metadata.json").unlink()
    shutil.rmtree(folder_ / "src")
    path = folder_ / SRC / "mix_lib1.c"
    if how == "header":
        path = folder_ / INCLUDE / "tvmgen_mix.h"
    if how in ("flat", "include"):
        flat = case.dir / "flat"
        shutil.copytree(folder_ / SRC, flat)
        path = flat / "mix_lib0.c"
    if how == "flat":
        shutil.copy(folder_ / INCLUDE / "tvmgen_mix.h", flat)
    if how == "include":
        words = ["-I", folder_ / INCLUDE]
    (path.parent / "other_lib0.c").write_text("#error of another model\n" if how == "source" else "int other;\n")
    case.generate(path, *words)
    equal(figures(case, "mix"), ([("scores_0", "float32", [4]), ("levels", "int8", [8])], MIX_TENSORS[1]), "tensors")
    verified(case, case.dir / "out/mix_rel.bin")


@each(["1", "5", "7"])
def versions(case, version):
    """Older versions have the members of the one model at the outer level."""
    folder_ = copy(case, MIX)
    data = json.loads((folder_ / "metadata.json").read_text())
    if version != "7":
        data = data["modules"]["mix"]
    data["version"] = int(version)
    (folder_ / "metadata.json").write_text(json.dumps(data))
    case.generate(folder_)
    equal(figures(case, "mix"), MIX_TENSORS, "tensors")


@test(needs=[QEMU])
def tensors_by_entry(case):
    """Given by name or in order; shapes take precedence over those in the files, types have to match."""
    folder_ = copy(case, OLD)
    shutil.rmtree(folder_ / "src")
    hint = "--entry 'tvmgen_old_run_model(in x:float[1,2], out y:float[1,2])'"
    has(case.refuse(9, "RP2902", folder_, hint=hint), "nothing says the type and size of 'x'")
    case.generate(folder_, "--entry", "tvmgen_old_run_model(in:float[8], out result:float[2,5])")
    equal(figures(case, "old"), ([("in0", "float32", [8])], [("result", "float32", [2, 5])]), "tensors")
    verified(case, case.dir / "out/old_rel.bin")
    said = "tvmgen_mix_run(in levels:%s, out total:float[4], in scores_0:float[2,2], out largest:int16[4])"
    case.generate(MIX, "--entry", said % "int8[8]", out="mix")
    equal(figures(case, "mix", "mix")[0], [("scores_0", "float32", [2, 2]), ("levels", "int8", [8])], "inputs")
    for wrong in ("uint8[8]", "float[2]", "int8[9]"):
        has(case.refuse(9, "RP2908", MIX, "--entry", said % wrong), "'levels'", "says int8" if "9" not in wrong else "8 bytes")
    verified(case, case.dir / "mix/mix_rel.bin")


POOLS = """#include "tvm/runtime/c_runtime_api.h"
#include "tvmgen_pool.h"
TVM_DLL int32_t tvmgen_pool___tvm_main__(float* x_buffer_var, float* y_buffer_var, uint8_t* fast_1_var, uint8_t* slow_2_var) {
  float* a = (float*)fast_1_var;
  float* b = (float*)(&slow_2_var[16]);
  for (int i = 0; i < 4; ++i) {
    a[i] = x_buffer_var[i] * 2.0f;
    b[i * 100] = a[i] + 1.0f;
    y_buffer_var[i] = b[i * 100] - x_buffer_var[3 - i];
  }
  return 0;
}
int32_t tvmgen_pool_run(struct tvmgen_pool_inputs* inputs, struct tvmgen_pool_outputs* outputs,
                        struct tvmgen_pool_workspace_pools* workspace_pools) {
  return tvmgen_pool___tvm_main__(inputs->x, outputs->y, workspace_pools->fast, workspace_pools->slow);
}
"""
POOLS_H = """#include <stdint.h>
#define TVMGEN_POOL_X_SIZE 16
#define TVMGEN_POOL_Y_SIZE 16
#define TVMGEN_POOL_FAST_WORKSPACE_POOL_SIZE 16
#define TVMGEN_POOL_SLOW_WORKSPACE_POOL_SIZE 1232
struct tvmgen_pool_inputs { void* x; };
struct tvmgen_pool_outputs { void* y; };
struct tvmgen_pool_workspace_pools { void* fast; void* slow; };
int32_t tvmgen_pool_run(struct tvmgen_pool_inputs* inputs, struct tvmgen_pool_outputs* outputs,
                        struct tvmgen_pool_workspace_pools* workspace_pools);
"""


@test(needs=[QEMU])
def pools(case):
    source = case.write("pool_lib0.c", POOLS)
    case.write("tvmgen_pool.h", POOLS_H)
    case.generate(source)
    equal(reader.read(case.dir / "out/pool_rel.bin").acts_size, 1232, "activations")
    verified(case, case.dir / "out/pool_rel.bin")
    case.write("tvmgen_pool.h", POOLS_H.replace("SLOW_WORKSPACE_POOL_SIZE", "SLOW_SIZE"))
    has(case.refuse(9, "RP2900", source, out="none"), "'slow'", "TVMGEN_POOL_SLOW_WORKSPACE_POOL_SIZE")
    case.write("tvmgen_pool.h", POOLS_H.replace("workspace_pools", "devices"))
    case.write("pool_lib0.c", POOLS.replace("workspace_pools", "devices"))
    has(case.refuse(9, "RP2902", source, out="none"), "struct tvmgen_pool_devices *")


@test(needs=[QEMU])
def small_parts_stay(case):
    """Below the thresholds they are with the code, and in the RAM, of the instance."""
    case.generate(MIX, "--weights-threshold", "0", "--acts-threshold", "0")
    image = reader.read(case.dir / "out/mix_rel.bin")
    equal((image.weights_size, image.acts_size), (0, 0), "parts")
    verified(case, case.dir / "out/mix_rel.bin")
    case.generate(MIX, "-r", "split", out="split")
    equal((case.dir / "split/mix_data.bin").exists(), True, "weights file")
    verified(case, case.dir / "split/mix_rel.bin")


@test(needs=[QEMU])
def own_runtime_headers(case):
    """Headers in the archive, or in a folder of the user, take precedence over ours."""
    folder_ = copy(case, OLD)
    header = folder_ / "runtime/include/tvm/runtime/c_backend_api.h"
    header.parent.mkdir(parents=True)
    header.write_text("#include <stdint.h>\n#define OF_THE_MODEL 1\n"
                      "void* TVMBackendAllocWorkspace(int, int, uint64_t, int, int);\n"
                      "int TVMBackendFreeWorkspace(int, int, void*);\n")
    edit(folder_ / SRC / "old_lib0.c", ("#include <math.h>", "#include <math.h>\n#if !OF_THE_MODEL\n#error another\n#endif"))
    for source in (folder_, packed(folder_, case.dir / "old.tar")):
        case.generate(source)
        verified(case, case.dir / "out/old_rel.bin")


# ---- workspaces ----

def run_fails(case, folder_, *words):
    """The image is made, but its run reports a failure."""
    case.generate(folder_, *words)
    result = case.verify(case.dir / "out/old_rel.bin", status=8)
    has(result.err, "error RP2800")
    return result.err


@test(needs=[QEMU])
def workspace_too_small(case):
    """The generated code gets NULL and reports it; nothing is overwritten."""
    run_fails(case, OLD, "-D", "TVMGEN_OLD_WORKSPACE_SIZE=200")


@test(needs=[QEMU])
def workspaces_freed_in_another_order(case):
    """Also if the code ignores the result of freeing."""
    folder_ = copy(case, OLD)
    text = (folder_ / SRC / "old_lib0.c").read_text()
    text = re.sub(r"if \(TVMBackendFreeWorkspace\(1, 0, sid_(.)\) != 0\) \{\s*return -1;\s*\}",
                  lambda m: f"(void)TVMBackendFreeWorkspace(1, 0, sid_{3 - int(m[1])});", text)
    equal(text.count("(void)TVMBackendFree"), 2, "places")
    (folder_ / SRC / "old_lib0.c").write_text(text)
    run_fails(case, folder_)


@test(needs=[QEMU])
def workspace_overrun(case):
    folder_ = copy(case, OLD)
    edit(folder_ / SRC / "old_lib0.c", ("for (int32_t i = 0; i < 8; ++i) {\n    ((float*)sid_2)",
                                        "for (int32_t i = 0; i < 13; ++i) {\n    ((float*)sid_2)"))
    run_fails(case, folder_)


OWN = """#include <stdint.h>
#include <stddef.h>
static char arena[2048] __attribute__((aligned(16)));
static size_t used;
void* TVMBackendAllocWorkspace(int a, int b, uint64_t n, int c, int d) {
  void* at = arena + used; used += (n + 31) & ~31u; return at; }
int TVMBackendFreeWorkspace(int a, int b, void* at) { used = (char*)at - arena; return 0; }
"""


@test(needs=[QEMU])
def model_that_brings_its_own(case):
    """The allocator in the sources is used."""
    case.generate(OLD, "--source", case.write("own.c", OWN))
    equal(reader.read(case.dir / "out/old_rel.bin").acts_size, 2048, "activations")
    verified(case, case.dir / "out/old_rel.bin")


# Takes a workspace, has more values in its loop than there are registers, and calls nothing else.
HOT = """TVM_DLL int32_t tvmgen_old_fused_hot(void* placeholder, void* out) {
  int32_t* own = TVMBackendAllocWorkspace(1, 0, (uint64_t)32, 0, 32);
  if (own == NULL) {
    return -1;
  }
  static int32_t runs = 3;
  for (int32_t i = 0; i < 8; ++i) own[i] = (int32_t)((float*)placeholder)[i] + runs * i;
  int32_t a = own[0], b = own[1], c = own[2], d = own[3], e = own[4], f = own[5], g = own[6], h = own[7], j = a ^ b, k = c ^ d, m = e ^ f;
  for (int32_t i = 0; i < 5000; i++) {
    a += b * i; b ^= c + j; c -= d * k; d += e ^ m; e -= f * a; f ^= g + b; g += h * c; h -= a ^ d; j += k * e; k ^= m + f; m -= a * g;
  }
  ((float*)out)[0] = (float)((a + b + c + d + e + f + g + h + j + k + m) & 255);
  return TVMBackendFreeWorkspace(1, 0, own);
}

TVM_DLL int32_t tvmgen_old_run_model"""
CALL = "  if (TVMBackendFreeWorkspace(1, 0, sid_1) != 0) {"


def hot(case, before=""):
    folder_ = copy(case, OLD)
    edit(folder_ / SRC / "old_lib0.c", ("#define TVM_EXPORTS\n", "#define TVM_EXPORTS\n" + before), ("TVM_DLL int32_t tvmgen_old_run_model", HOT),
         (CALL, "  if (tvmgen_old_fused_hot(sid_2, output) != 0) return -1;\n" + CALL))
    edit(folder_ / INCLUDE / "tvmgen_old.h", ("WORKSPACE_SIZE 480", "WORKSPACE_SIZE 600"))
    return folder_


def cost(case, folder_, *words, target="stm32f4"):
    """Instructions that a run takes more than in the static build, and the sources in which r9 is reserved."""
    case.generate(folder_, *words, target=target)
    answer = verified(case, case.dir / "out/old_rel.bin")
    return (max(run["run_instructions"] for run in answer["runs"]) - answer["static"]["run_instructions"],
            case.report("old")["relocations"].get("r9_reserved_in"))


@each(["cc13x2", "stm32f4", "stm32h7", "stm32u5", "stm32n6"], needs=[QEMU], slow=lambda target: target != "stm32f4")
def r9_is_free_between_workspaces(case, target):
    """The allocator gets the arena's address, so it may be called with any value in r9."""
    more, reserved = cost(case, hot(case), target=target)
    equal(reserved, None, "sources in which r9 is reserved")
    check(more < 150, f"{more} instructions more than in a static build, of 5,000 rounds")


@test(needs=[QEMU])
def r9_is_reserved_with_another_allocator(case):
    more, reserved = cost(case, hot(case), "--source", case.write("own.c", OWN))
    equal(reserved, ["old_lib0.c"], "sources in which r9 is reserved")
    check(more > 5000, f"{more} instructions more than in a static build, of 5,000 rounds")


@test(needs=[QEMU], always=True)
def r9_is_reserved_where_nothing_can_be_handed_over(case):
    """The code has a name of the header that would hand it over, so it does not compile with that: the round after it reserves r9."""
    _, reserved = cost(case, hot(case, "static int TVMBackendWorkspaces __attribute__((unused));\n"))
    equal(reserved, ["old_lib0.c"], "sources in which r9 is reserved")
    equal(len(case.report("old")["relocations"]["built_again"]), 2, "rounds after the first")


@each(["data/models", "dataX"])
def models_near_the_tool(case, place):
    """A model below the folder of the tool's own files, or in one whose name begins like it, is not taken for one of them."""
    for name in ("templates", "runtime"):
        shutil.copytree(kit.ROOT / name, case.dir / "data" / name)
    own = case.write("own.c", OWN)
    folder_ = shutil.copytree(hot(case), case.dir / place)
    images = []
    for source in (case.dir / "mlf", folder_):
        case.generate(source, "--source", own, env={"RELOCPACK_DATADIR": case.dir / "data"}, target="stm32f4")
        equal(case.report("old")["relocations"]["r9_reserved_in"], ["old_lib0.c"], "sources in which r9 is reserved")
        images.append((case.dir / "out/old_rel.bin").read_bytes())
    equal(images[0] == images[1], True, "the image does not depend on the place")


# How a model gets another allocator: what is put in front of its code, files, options.
MINE = OWN.replace("TVMBackendAllocWorkspace", "mine_alloc").replace("TVMBackendFreeWorkspace", "mine_free")
TO_MINE = ["TVMBackendAllocWorkspace=mine_alloc", "TVMBackendFreeWorkspace=mine_free"]
HEADER_OF_MINE = "#include <stdint.h>\nvoid* mine_alloc(int, int, uint64_t, int, int);\nint mine_free(int, int, void*);\n"
WEAK = OWN.replace("void* TVM", "__attribute__((weak)) void* TVM").replace("int TVM", "__attribute__((weak)) int TVM")
OTHERS = {
    "defined": ("", {"own.c": MINE}, ["--source", "own.c", "-D", TO_MINE[0], "-D", TO_MINE[1]]),
    "with_arguments": ("", {"own.c": MINE}, ["--source", "own.c", "-D", "TVMBackendAllocWorkspace(a,b,c,d,e)=mine_alloc(a,b,c,d,e)",
                                             "-D", "TVMBackendFreeWorkspace(a,b,c)=mine_free(a,b,c)"]),
    "included": ("", {"own.c": MINE, "my.h": HEADER_OF_MINE + "".join(f"#define {text.replace('=', ' ')}\n" for text in TO_MINE)},
                 ["--source", "own.c", "-I", ".", "--cflags=-include my.h"]),
    "inline": ("", {"my.h": OWN.replace("void* TVM", "static inline void* TVM").replace("int TVM", "static inline int TVM")},
               ["-I", ".", "--cflags=-include my.h"]),
    "unless_defined": (HEADER_OF_MINE + "".join(f"#ifndef {text.split('=')[0]}\n#define {text.replace('=', ' ')}\n#endif\n" for text in TO_MINE),
                       {"own.c": MINE}, ["--source", "own.c"]),
    "label": ('#include <stdint.h>\nvoid* TVMBackendAllocWorkspace(int, int, uint64_t, int, int) __asm__("mine_alloc");\n'
              'int TVMBackendFreeWorkspace(int, int, void*) __asm__("mine_free");\n', {"own.c": MINE}, ["--source", "own.c"]),
    "pragma": ("".join(f"#pragma redefine_extname {text.replace('=', ' ')}\n" for text in TO_MINE), {"own.c": MINE}, ["--source", "own.c"]),
    "header": ("", {"own.h": OWN, "own.c": '#include "own.h"\n'}, ["--source", "own.c"]),
    "weak_header": ("", {"own.h": WEAK, "own.c": '#include "own.h"\n'}, ["--source", "own.c"]),
    "pasted": ("", {"own.c": "#define TVM(name) TVMBackend##name##Workspace\n" + OWN.replace("TVMBackendAllocWorkspace", "TVM(Alloc)").replace(
        "TVMBackendFreeWorkspace", "TVM(Free)")}, ["--source", "own.c"]),
    "zero": ("", {"own.c": "/* \0 */\n" + OWN}, ["--source", "own.c"]),
    "generated": (OWN, {}, []),
    "parentheses": (OWN.replace("* TVMBackendAllocWorkspace(", "* (TVMBackendAllocWorkspace)("), {}, []),
    "folder": ("", {"k/own.c": OWN}, ["--source", "k"]),
    "our_name": ("", {"tvm_backend.c": OWN}, ["--source", "tvm_backend.c"]),
}


@each(list(OTHERS), needs=[QEMU], always=["defined"], slow=lambda what: what in ("with_arguments", "unless_defined", "parentheses", "zero"))
def another_allocator(case, what):
    """It is called, by whatever means the model has it, although r9 is not free for that: ours is not even in the image."""
    before, files, words = OTHERS[what]
    (case.dir / "k").mkdir()
    for name, text in files.items():
        case.write(name, text)
    case.generate(hot(case, before), *words, target="stm32f4")
    equal(reader.read(case.dir / "out/old_rel.bin").acts_size, 2048, "activations")
    verified(case, case.dir / "out/old_rel.bin")


# The model's code calls something else, which uses our allocator. What it takes is filled with ones.
WRAPPER = """#include <stdint.h>
void* TVMBackendAllocWorkspace(int, int, uint64_t, int, int);
int TVMBackendFreeWorkspace(int, int, void*);
void* mine_alloc(int a, int b, uint64_t n, int c, int d) {
  unsigned char* at = TVMBackendAllocWorkspace(a, b, n, c, d);
  for (uint64_t i = 0; at && i < n; i++) at[i] = 1;
  return at; }
int mine_free(int a, int b, void* at) { return TVMBackendFreeWorkspace(a, b, at); }
"""
SET = "".join(f'__asm__(".set {text.replace("=", ", ")}");\n' for text in TO_MINE)
WRAPPED = {"label": OTHERS["label"][0], "pragma": OTHERS["pragma"][0], "set": SET, "macro": "".join(f"#define {text.replace('=', ' ')}\n" for text in TO_MINE)}


WRAPPED.update({"one_" + how: re.sub(r"(?m)^.*Free.*\n", "", WRAPPED[how]) for how in ("set", "macro")})


@each([(how, where) for how in WRAPPED for where in ("whole", "unit")], needs=[QEMU], slow=lambda what: what[0] in ("set", "macro", "one_macro"))
def allocator_around_ours(case, what):
    """Ours is linked, but it is not what the code calls, in one generated file or in the only one."""
    how, where = what
    folder_ = hot(case, WRAPPED[how] if where == "whole" else "")
    edit(folder_ / SRC / "old_lib0.c", ("own[i] = (int32_t)", "own[i] += (int32_t)"))
    lib1 = WRAPPED[how] + ('#include "tvm/runtime/c_backend_api.h"\nfloat fresh(void) { unsigned char* at = TVMBackendAllocWorkspace(1, 0, 8, 0, 8);\n'
                           "  if (!at) return -1; float x = at[7]; TVMBackendFreeWorkspace(1, 0, at); return x; }\n")
    case.write(f"mlf/{SRC}/old_lib1.c", lib1)
    edit(folder_ / SRC / "old_lib0.c", ("((float*)out)[0] = (float)", "extern float fresh(void);\n  ((float*)out)[0] = fresh() * 1000 + (float)"))
    case.generate(folder_, "--source", case.write("own.c", WRAPPER), target="stm32f4")
    verified(case, case.dir / "out/old_rel.bin")
    values = case.verify(case.dir / "out/old_rel.bin", "--save-output", case.dir / "out.csv")
    first = float((case.dir / "out.csv").read_text().splitlines()[0].split(",")[0])
    check(first >= 1000, f"the fresh workspace is filled: {first}\n{values.out}")


@test(needs=[QEMU])
def headers_see_what_they_saw(case):
    """Nothing is included or defined that the code could ask for."""
    case.generate(hot(case, "#if defined INT32_MAX || defined TVM_DLL || defined NULL\n#error what stands in front?\n#endif\n"), target="stm32f4")
    verified(case, case.dir / "out/old_rel.bin")
    equal(case.report("old")["relocations"].get("r9_reserved_in"), None, "sources in which r9 is reserved")


UNUSUAL = {
    "guarded": {"c_runtime_api.h": "#ifndef TVM_DLL\n#include <stdint.h>\n#include <stddef.h>\n#define TVM_DLL\n#endif\n"},
    "twice": {"c_backend_api.h": "#include <stdint.h>\nvoid* TVMBackendAllocWorkspace(int, int, uint64_t, int, int);\n"
                                 "int TVMBackendFreeWorkspace(int, int, void*);\n"},
    "int32": {"c_backend_api.h": "#include <stdint.h>\nvoid* TVMBackendAllocWorkspace(int32_t, int32_t, uint64_t, int32_t, int32_t);\n"
                                 "int32_t TVMBackendFreeWorkspace(int32_t, int32_t, void*);\n"},
    "own_integers": {"c_backend_api.h": "", "c_runtime_api.h": "typedef int int32_t; typedef unsigned long long uint64_t;\n#define NULL ((void*)0)\n#define TVM_DLL\n"
                     "void* TVMBackendAllocWorkspace(int, int, uint64_t, int, int);\nint TVMBackendFreeWorkspace(int, int, void*);\n"},
}


@each(list(UNUSUAL), needs=[QEMU])
def unusual_headers(case, what):
    """What does not compile with our header in front is compiled without it."""
    folder_ = hot(case)
    for name, text in UNUSUAL[what].items():
        case.write(f"mlf/runtime/include/tvm/runtime/{name}", text)
    case.generate(folder_, target="stm32f4")
    verified(case, case.dir / "out/old_rel.bin")


@each(["-Werror", "-std=c99", "-Wall -Wextra -Werror -Wno-unused", "-D arena=1 -D r9=1 -D visibility=hidden", "-Wredundant-decls -Werror", "-pedantic-errors"], needs=[QEMU])
def unusual_flags(case, flags):
    equal(cost(case, hot(case), f"--cflags={flags}")[1], None, "sources in which r9 is reserved")


@test(needs=[QEMU])
def write_in_front_of_the_arena(case):
    """It is noticed, with r9 free or not."""
    for name, model in (("plain", copy(case, OLD, "plain")), ("hot", hot(case))):
        edit(model / SRC / "old_lib0.c", ("  for (int32_t i = 0; i < 8; ++i) {\n    ((float*)sid_2)", "  ((float*)sid_2)[-8] = 0;\n  for (int32_t i = 0; i < 8; ++i) {\n    ((float*)sid_2)"))
        run_fails(case, model)


@test(needs=[QEMU])
def workspaces_with_r9_reserved(case):
    """By the user's flags, and without optimisation."""
    for flags in ("-msingle-pic-base", "-O0", "-O3", "-Os -g"):
        case.generate(hot(case) if flags == "-msingle-pic-base" else case.dir / "mlf", f"--cflags={flags}")
        verified(case, case.dir / "out/old_rel.bin")


@test(needs=[QEMU])
def workspaces_in_an_archive(case):
    case.generate(packed(hot(case), case.dir / "old.tar"))
    verified(case, case.dir / "out/old_rel.bin")
    equal(case.report("old")["relocations"].get("r9_reserved_in"), None, "sources in which r9 is reserved")


@test(needs=[QEMU])
def allocator_in_an_object(case):
    own = case.write("own.c", OWN)
    case.run(f"{kit.CROSS}gcc", "-mcpu=cortex-m4", "-mthumb", "-mfloat-abi=hard", "-mfpu=fpv4-sp-d16", "-O2", "-fpic", "-msingle-pic-base",
             "-mpic-register=r9", "-mno-pic-data-is-text-relative", "-c", own, "-o", case.dir / "own.o")
    case.generate(hot(case), "--runtime-lib", case.dir / "own.o", target="stm32f4")
    equal(reader.read(case.dir / "out/old_rel.bin").acts_size, 0, "activations: the object's arena is in the RAM, and ours is not there")
    verified(case, case.dir / "out/old_rel.bin")


@test
def workspace_of_unknown_size(case):
    folder_ = copy(case, OLD)
    edit(folder_ / INCLUDE / "tvmgen_old.h", ("WORKSPACE_SIZE 480", "WORKSPACE_SIZE WHAT"))
    edit(folder_ / "metadata.json", ("workspace_size_bytes", "workspace"))
    case.refuse(9, "RP2900", folder_, hint="-D TVMGEN_OLD_WORKSPACE_SIZE=BYTES")


# ---- further sources ----

@test(needs=[QEMU])
def further_sources(case):
    """Files, and folders with what is below; only what is used is in the image, large constants are weights."""
    folder_ = copy(case, MIX)
    edit(folder_ / SRC / "mix_lib1.c", ("#include <stdbool.h>", "#include <stdbool.h>\nfloat kernel_scale(float);"),
         ("0.125f", "0.125f * kernel_scale(0.25f)"))
    for number, source in enumerate((folder_, packed(folder_, case.dir / "mix.tar"))):
        out = f"out{number}"
        case.generate(source, "--source", TVM / "extra", out=out)
        report = case.report("mix", out)
        equal([item["path"] for item in report["inputs"]][-2:], ["factor.c", "scale.c"], "inputs")
        equal(report["run"]["sources"], [str(TVM / "extra")], "recorded")
        equal(reader.read(case.dir / out / "mix_rel.bin").weights_size, 384 + 300, "weights")
        check(b"never_called" not in case.run("strings", case.dir / out / "mix_rel.bin").raw_out, "unused function")
        verified(case, case.dir / out / "mix_rel.bin")
    case.refuse(6, "RP2600", folder_, "--source", TVM / "extra/scale.c", out="none")


@test(needs=[QEMU])
def further_sources_of_plain_c(case):
    source = case.write("model.c", "float kernel_scale(float);\nvoid entry(const float in[4], float out[4]) {\n"
                        "    for (int i = 0; i < 4; i++)\n        out[i] = kernel_scale(in[i]);\n}\n")
    case.generate(source, "--source", TVM / "extra")
    verified(case, case.dir / "out/model_rel.bin")
    case.path("empty/x").write_text("")
    has(case.refuse(9, "RP2900", source, "--source", case.dir / "empty", out="none"), "no C file")
    has(case.refuse(9, "RP2900", source, "--source", case.dir / "none", out="none"), "no such file")


# ---- what is refused ----

def without_sources(folder_):
    shutil.rmtree(folder_ / SRC)
    (folder_ / SRC).mkdir()


def compiled(folder_):
    (folder_ / "codegen/host/lib").mkdir()
    (folder_ / "codegen/host/lib/lib0.o").write_bytes(b"\x7fELF")


def with_metadata(**change):
    def body(folder_):
        data = json.loads((folder_ / "metadata.json").read_text())
        data.update(change)
        (folder_ / "metadata.json").write_text(json.dumps(data))
    return body


def with_module(change):
    def body(folder_):
        data = json.loads((folder_ / "metadata.json").read_text())
        change(data["modules"]["mix"], data)
        (folder_ / "metadata.json").write_text(json.dumps(data))
    return body


def main_of(module):
    return module["memory"]["functions"]["main"][0]


def two_modules(module, data):
    data["modules"] = {"a": module, "b": module}


def in_code(name, *pairs):
    return lambda folder_: edit(folder_ / name, *pairs)


HEADER, LIB0, LIB1 = f"{INCLUDE}/tvmgen_mix.h", f"{SRC}/mix_lib0.c", f"{SRC}/mix_lib1.c"
REFUSED = {
    "no_sources": (9, "RP2900", without_sources, ["no C file in codegen/host/src"]),
    "compiled": (9, "RP2900", compiled, ["codegen/host/lib/lib0.o"]),
    "version": (9, "RP2900", with_metadata(version=8), ["metadata.json", "1 to 7"]),
    "no_version": (9, "RP2900", with_metadata(version="seven"), ["metadata.json", "1 to 7"]),
    "graph": (9, "RP2900", with_module(lambda m, d: m.update(executors=["graph"])), ["executor 'graph'"]),
    "modules": (9, "RP2900", with_module(two_modules), ["a b", "'mix'"]),
    "modules_list": (9, "RP2900", with_metadata(modules=[1]), ["'mix'"]),
    "half": (9, "RP2900", with_module(lambda m, d: main_of(m)["inputs"]["levels"].update(dtype="float16")),
             ["'levels'", "float16"]),
    "sizes": (9, "RP2900", with_module(lambda m, d: main_of(m)["outputs"]["total"].update(size=20)),
              ["20 bytes", "16 by TVMGEN_MIX_TOTAL_SIZE"]),
    "no_size": (9, "RP2903", with_module(lambda m, d: main_of(m)["outputs"]["total"].pop("size")), ["'total'"]),
    "list": (9, "RP2903", with_module(lambda m, d: main_of(m).update(inputs=["x"])), ["lacks name"]),
    "not_json": (9, "RP2903", lambda f: (f / "metadata.json").write_text("{"), ["metadata.json"]),
    "no_entry": (9, "RP2902", in_code(LIB0, ("tvmgen_mix_run", "tvmgen_mix_go"), ("___tvm_main__", "_inner")),
                 ["tvmgen_mix___tvm_main__", "not called with tensors alone"]),
    "packed": (9, "RP2902", in_code(LIB0, ("struct tvmgen_mix_inputs* inputs, struct tvmgen_mix_outputs* outputs) {",
                                           "void* args, int32_t* type_code, int num_args) { void* a = args;")), ["void *", "args"]),
    "member": (9, "RP2900", in_code(HEADER, ("void* levels", "int levels[4]")), ["tvmgen_mix.h", "struct tvmgen_mix_inputs", "'['"]),
    "no_struct": (9, "RP2900", in_code(HEADER, ("struct tvmgen_mix_outputs {", "struct tvmgen_other {")), ["tvmgen_mix_outputs"]),
    "open": (9, "RP2900", in_code(HEADER, ("/*! the inputs */", "/* the inputs")), ["tvmgen_mix.h"]),
    "odd_size": (9, "RP2900", in_code(HEADER, ("LARGEST_SIZE 8", "LARGEST_SIZE 7")), ["TVMGEN_MIX_LARGEST_SIZE"]),
    "unknown_call": (6, "RP2600", in_code(LIB1, ("return 0;\n}\n\n#ifdef", "extern int TVMFuncCall(void*); return TVMFuncCall(out);\n}\n\n#ifdef")),
                     ["TVMFuncCall", "tvmgen_mix_fused_scale"]),
    "section": (4, "RP2405", in_code(LIB0, (".bss.noinit.tvm", ".plt.tvm")), [".plt.tvm"]),
}


@each(list(REFUSED))
def refused(case, label):
    status, error, change, said = REFUSED[label]
    folder_ = copy(case, MIX)
    change(folder_)
    has(case.refuse(status, error, folder_), *said)
    message = case.refuse(status, error, packed(folder_, case.dir / "mix.tar"))
    if label not in ("unknown_call", "section"):
        has(message, *said)


ENTRIES = {
    "another": ("tvmgen_other_run", "does not define the function 'tvmgen_other_run'"),
    "missing": ("tvmgen_mix_run(in scores_0:float[4], out total:float[4])", "'levels'"),
    "name": ("tvmgen_mix_run(in a:float[4], in levels:int8[8], out total:float[4], out largest:int16[4])", "'scores_0'"),
    "more": ("tvmgen_mix_run(in scores_0:float[4], in levels:int8[8], in x:int8[8], out total:float[4], out largest:int16[4])",
             "names 5 tensors"),
    "inner": ("tvmgen_mix___tvm_main__", "workspace"),
}


@each(list(ENTRIES))
def refused_entry(case, label):
    entry, said = ENTRIES[label]
    has(case.refuse(9, "RP2902", MIX, "--entry", entry), said)


@test
def several_models(case):
    folder_ = copy(case, MIX)
    for name in ("tvmgen_mix.h", "mix_lib0.c", "mix_lib1.c"):
        path = next(folder_.rglob(name))
        path.with_name(name.replace("mix", "two")).write_text(path.read_text().replace("mix", "two").replace("MIX", "TWO"))
    (folder_ / "metadata.json").unlink()
    has(case.refuse(9, "RP2902", folder_, hint="--entry tvmgen_"), "tvmgen_mix_run tvmgen_two_run")
    case.generate(folder_, "--entry", "tvmgen_two_run")
    equal(case.report("two")["model"]["name"], "two", "name")


# ---- archives that anybody may have made ----

def tar_of(case, *members, tail=None):
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w", format=tarfile.GNU_FORMAT) as tar:
        for member in members:
            info = tarfile.TarInfo(member[0])
            content = member[1] if isinstance(member[1], bytes) else b""
            info.size = len(content)
            for key, value in (member[2] if len(member) > 2 else {}).items():
                setattr(info, key, value)
            tar.addfile(info, io.BytesIO(content))
    return case.write("bad.tar", data.getvalue() if tail is None else data.getvalue()[:tail])


CODE = (f"{SRC}/a_lib0.c", b"int tvmgen_a;\n")
HOSTILE = {
    "absolute": ([("/etc/x.c", b"x")], "absolute"),
    "up": ([("codegen/../../x.c", b"x")], "leads out"),
    "up_last": ([("codegen/..", b"x")], "leads out"),
    "link": ([CODE, ("codegen/host/src/b.c", b"", {"type": tarfile.SYMTYPE, "linkname": "/etc/passwd"})], "neither a file"),
    "hard_link": ([CODE, ("codegen/host/src/b.c", b"", {"type": tarfile.LNKTYPE, "linkname": CODE[0]})], "neither a file"),
    "device": ([("codegen/host/src/b.c", b"", {"type": tarfile.CHRTYPE})], "neither a file"),
    "pipe": ([("codegen/host/src/b.c", b"", {"type": tarfile.FIFOTYPE})], "neither a file"),
    "twice": ([CODE, CODE], "twice"),
    "twice_by_slashes": ([CODE, (f"{SRC}//a_lib0.c", b"int tvmgen_b;\n")], "an empty part"),
    "twice_by_a_dot": ([CODE, (f"{SRC}/./a_lib0.c", b"int tvmgen_b;\n")], "an empty part"),
    "control": ([("codegen/host/src/\n.c", b"x")], "not printable"),
    "entries": ([(f"x/{i}", b"") for i in range(10001)], "more than 10000 entries"),
    "nothing": ([], "no entries"),
    "no_model": ([("x.c", b"int x;")], "no C file in codegen/host/src"),
}


@each(list(HOSTILE))
def hostile_archive(case, label):
    members, said = HOSTILE[label]
    has(case.refuse(9, "RP2900", tar_of(case, *members)), said)
    compressed = case.write("bad.tar.gz", gzip.compress((case.dir / "bad.tar").read_bytes()))
    has(case.refuse(9, "RP2900", compressed), said)


@test
def sizes_that_lie(case):
    path = tar_of(case, CODE)
    block = bytearray(path.read_bytes())
    for size in (b"77777777777", b"00000040000", b"\x80" + b"\xff" * 10, b"\xff" * 11):
        block[124:135] = size
        block[148:156] = b" " * 8
        block[148:156] = b"%06o\0 " % sum(block[:512])
        for source in (case.write("bad.tar", bytes(block)), case.write("bad.tgz", gzip.compress(bytes(block)))):
            case.refuse(9, "RP2900", source)


@test
def bomb(case):
    """A decompression bomb, in a file that is not even needed."""
    header = tarfile.TarInfo("parameters/x")
    header.size = 600 << 20
    path = case.dir / "bomb.tar.gz"
    with gzip.open(path, "wb", compresslevel=1) as out:
        out.write(header.tobuf())
        out.write(bytes(1 << 20))
    has(case.refuse(9, "RP2900", path), "larger than 512 MiB")


@test
def every_cut(case):
    """Shorter by blocks, or by bytes: refused, whatever is missing."""
    path = packed(MIX, case.dir / "mix.tar")
    data = path.read_bytes()
    end = len(data.rstrip(b"\0")) // 512 * 512 + 512
    for size in [*range(0, end, 512), 1, 100, 513, end - 600, end - 1]:
        case.refuse(9, "RP2900", case.write("cut.tar", data[:size]))
    compressed = gzip.compress(data)
    for size in range(0, len(compressed), 61):
        case.refuse(9, "RP2900", case.write("cut.tar.gz", compressed[:size]))


@test
def no_archive(case):
    for content in (b"int tvmgen_a;\n" * 100, bytes(10240), b"\x1f\x8b" + bytes(100), b"PK\3\4" + bytes(600)):
        for name in ("x.tar", "x.tar.gz", "x.tgz"):
            case.refuse(9, "RP2900", case.write(name, content))
