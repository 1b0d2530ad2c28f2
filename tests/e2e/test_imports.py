# SPDX-License-Identifier: Apache-2.0
"""Images that import functions and variables of the firmware (--import)."""
import json
import pathlib
import shutil
import zlib

import kit
import npu_kit
import reader
import standin
from kit import QEMU, check, each, equal, has, test

MODEL = """typedef float (*function)(float, float);
extern int calibration;
extern const float gains[4];
extern float host_multiply(float a, float b);
extern void host_add(int *where, int value);
static function const table[2] = {host_multiply, host_multiply};
static const float *const rows[2] = {&gains[1], &gains[3]};
static int *const slots[2] = {&calibration, &calibration};
void model(const float in[4], float out[8]) {
    calibration = 3;
    host_add(slots[(int)in[0] & 1], 5);
    for (int i = 0; i < 4; i++) {
        out[i] = host_multiply(in[i], gains[i]) + (float)calibration;
        out[4 + i] = table[i & 1](in[i], *rows[i & 1]);
    }
    out[7] += table[0] == host_multiply ? 1.0f : 0.0f;
}
"""
HOST = """int calibration = 17;
const float gains[4] = {1, 2, 3, 4.5f};
float host_multiply(float a, float b) { return a * b; }
void host_add(int *where, int value) { *where += value; }
"""
NAMES = ["calibration", "gains@2", "host_multiply@4294967295", "host_add"]
IMPORT = 0xC


def named(names):
    return [word for name in names for word in ("--import", name)]


def packaged(case, *words, names=NAMES, **more):
    source, host = case.write("model.c", MODEL), case.write("host.c", HOST)
    case.generate(source, *named(names), *words, **more)
    return case.dir / "out/model_rel.bin", host


@each(["m4", "m7", "m33", "m55", "m0", "m23"], needs=[QEMU], slow=lambda core: core not in ("m4", "m0"))
def executed(case, core):
    image, host = packaged(case, target={"m4": "stm32f4", "m7": "stm32h7", "m33": "stm32u5", "m55": "stm32n6", "m0": "stm32f0",
                                          "m23": "ra2l1"}[core])
    report = json.loads((case.dir / "out/model_generate_rel.json").read_text())
    want = [("calibration", 0, False, 3), ("gains", 2, False, 3), ("host_multiply", 4294967295, True, 3), ("host_add", 0, True, 1)]
    equal([tuple(entry.values()) for entry in report["imports"]], want, "imports")
    told = json.loads(case.relocpack("inspect", "--json", image).out)
    equal([tuple(entry.values()) for entry in told["imports"]], [entry[:2] for entry in want], "inspect")
    has(case.relocpack("inspect", image).out, "gains                version 2", "host_add             any version")
    has((case.dir / "out/model_generate_report.txt").read_text(), "Imported from the firmware", "any version, called")
    leads = [(target >> 20 & 0xFF, (target & 0xFFFFF) - 0x80000) for _, target in reader.read(image).fixups if target >> 28 == IMPORT]
    equal(sorted(leads), [(0, 0), (0, 0), (0, 0), (1, 0), (1, 4), (1, 12), (2, 0), (2, 0), (2, 0), (3, 0)], "imports and addends")
    answer = json.loads(case.verify(image, "--host-source", host, "--json").out)
    equal((answer["identical"], answer["xip_refused"], len(answer["runs"])), (True, False, 12), "answer")


@each(["words", "halves"], needs=[QEMU])
def in_patched_code(case, kind):
    flags = ["--cflags=-fno-pic"] + (["--cflags=-mslow-flash-data"] if kind == "halves" else [])
    image, host = packaged(case, "-r", "copy-only", *flags)
    check(any(target >> 28 == IMPORT for _, target in reader.read(image).patches), "no code leads to an import")
    answer = json.loads(case.verify(image, "--host-source", host, "--json").out)
    equal((answer["identical"], answer["xip_refused"]), (True, True), "answer")


@test(needs=[QEMU])
def named_in_a_manifest(case):
    case.write("model.c", MODEL)
    host = case.write("host.c", HOST)
    case.write("model.json", json.dumps({"sources": ["model.c"], "imports": NAMES[:3]}))
    case.generate(case.dir / "model.json", "--import", "host_add@7", "--import", "host_add@7")
    image = case.dir / "out/model_rel.bin"
    equal([entry["version"] for entry in case.report("model")["imports"]], [0, 2, 4294967295, 7], "versions")
    equal(json.loads(case.verify(image, "--host-source", host, "--json").out)["identical"], True, "identical")


@test(needs=[QEMU])
def libraries_function(case):
    """An imported function is not taken from the C library."""
    source = case.write("model.c", "#include <string.h>\n#include <math.h>\nvoid model(const float in[8], float out[8]) {\n"
                        "    memmove(out, in, 32);\n    memset(out + 1, in[0] > 0 ? 1 : 2, 16);\n    out[0] = expf(out[1]);\n}\n")
    case.generate(source, "--import", "memmove", "--import", "expf")
    host = case.write("host.c", "float host_unused;\n")
    equal([entry["symbol"] for entry in case.report("model")["archive_members"] if "mem" in entry["symbol"]], ["memset"], "library members")
    equal(json.loads(case.verify(case.dir / "out/model_rel.bin", "--host-source", host, "--json").out)["identical"], True, "identical")


# ---- what is refused ----

@test
def not_imported(case):
    source = case.write("model.c", MODEL)
    has(case.refuse(6, "RP2600", source, *named(NAMES[:3]), hint="--import NAME"), "'host_add'")


BAD = {"": "is not NAME", "9x": "is not NAME", "a b": "is not NAME", "x@": "is not NAME", "x@-1": "is not NAME",
       "x@4294967296": "is not NAME", "x@1x": "is not NAME", "model": "has a symbol of that name itself"}


@test
def bad_names(case):
    source = case.write("model.c", MODEL)
    for name, why in BAD.items():
        has(case.refuse(2, "RP2200", source, "--import", name), why)
    has(case.refuse(2, "RP2200", source, "--import", "x@1", "--import", "x@2"), "versions 1 and 2")
    has(case.refuse(2, "RP2200", source, *named(f"x{i}" for i in range(257))), "256 symbols at most")


@test
def nothing_refers_to_it(case):
    packaged(case, names=[*NAMES, "unheard_of"])
    report = case.report("model")
    equal([entry["id"] for entry in report["diagnostics"]], ["RP1017"], "diagnostics")
    equal(len(report["imports"]), 4, "imports")


@test
def neural_art(case):
    has(npu_kit.refuse(case, 2, "RP2200", npu_kit.network(case), "--import", "hmw"), "--import is not for Neural-ART")


@each(["macro", "own"], needs=[QEMU])
def vendor_runtime(case, kind):
    """The pack's entry macro cannot bind imports, so our own glue takes its place."""
    env = {"STEDGEAI_CORE_DIR": standin.pack(case, (10, 0), macro=kind == "macro")}
    source = standin.network(case, (10, 0))
    network = source / "network.c"
    text = network.read_text() + "\nextern int hmw;\nextern void HSP_run(int *);\nvoid hook(void);\nvoid hook(void) { HSP_run(&hmw); }\n"
    start = text.index("ai_network_run(")
    at = text.index("{", start) + 1
    network.write_text("void hook(void);\n" + text[:at] + "\n    hook();" + text[at:])
    case.generate(source, *named(["hmw@1", "HSP_run"]), env=env)
    host = case.write("host.c", "int hmw;\nvoid HSP_run(int *x) { (*x)++; }\n")
    answer = json.loads(case.verify(case.dir / "out/network_rel.bin", "--host-source", host, "--json", env=env).out)
    equal((answer["identical"], len(answer["runs"])), (True, 12), "answer")


@test
def far_from_its_start(case):
    source = case.write("model.c", "extern char pool[];\nstatic char *const at[] = {pool, pool + 600000};\n"
                        "void model(const float in[1], float out[1]) { out[0] = in[0] + *at[(int)in[0]]; }\n")
    has(case.refuse(9, "RP2907", source, "--import", "pool"), "'pool'", "512 KiB")


@test
def no_source_of_the_host(case):
    image, _ = packaged(case)
    has(case.verify(image, status=2).err, "imports 4 symbols", "'calibration'", "--host-source")
    has(case.verify(image, "--host-source", case.dir / "none.c", status=9).err, "none.c")


DAMAGED = {"count": (4, 2), "more": (4, 5), "bytes": (0, 0x3E), "too_far": (0, 0x40000000)}


@each(list(DAMAGED))
def damaged_list(case, label):
    """The two words in front of the fix-up table; without a trailer nothing else shows it."""
    path, _ = packaged(case)
    image, data = reader.read(path), bytearray(path.read_bytes())
    at, word = DAMAGED[label]
    place = image.ro_size - 8 * len(image.fixups) - 12 + at
    data[place:place + 4] = word.to_bytes(4, "little")
    bad = case.write("bad.bin", bytes(data[:len(data) - 96]))
    has(case.relocpack("inspect", bad, status=9).err, "own tables (imports, fix-ups, compact table) are damaged")
    crc = zlib.crc32(data[image.tables & 0x0FFFFFFF:image.ro_size])  # a packager that writes such a list
    place = image.ro_size + image.ctx + 16
    data[place:place + 4] = crc.to_bytes(4, "little")
    bad = case.write("bad.bin", bytes(data[:len(data) - 96]))
    has(case.relocpack("inspect", bad, status=9).err, "list of imports is damaged")


CALLS_BACK = """extern void host_each(const float *in, int n, void (*act)(float));
static float sums[2];
static void add(float x) { sums[x < 0] += x; }
void model(const float in[4], float out[2]) {
    sums[0] = sums[1] = 0;
    host_each(in, 4, add);
    out[0] = sums[0], out[1] = sums[1];
}
"""
PLAIN_CALL = "extern float host_add(float x);\nvoid model(const float in[4], float out[1]) { out[0] = host_add(in[0]); }\n"


@test
def called_back(case):
    """A function of the image that needs r9 and may be called by the firmware: a note says what the firmware has to do."""
    case.generate(case.write("model.c", CALLS_BACK), "--import", "host_each")
    notes = [entry for entry in case.report("model")["diagnostics"] if entry["id"] == "RP1018"]
    equal(len(notes), 1, "notes")
    has(notes[0]["message"], "'add", "-ffixed-r9")
    for text, name in ((PLAIN_CALL, "host_add"), (CALLS_BACK.replace("sums[x < 0] += x", "(void)x"), "host_each")):
        case.generate(case.write("model.c", text), "--import", name)
        equal([entry for entry in case.report("model")["diagnostics"] if entry["id"] == "RP1018"], [], name)


# ---- firmware that does not have it, or not this version, or knows no imports ----

def share_with(case, change):
    share = shutil.copytree(pathlib.Path(case.tool).parent.parent / "share/relocpack", case.dir / "share")
    change(share)
    return {"RELOCPACK_DATADIR": share}


def loads_with(text):
    """The verification firmware with other arguments, which checks the loader's results."""
    def change(share):
        path = share / "templates/harness/backend_loader.c"
        old = path.read_text()
        mark = "        (void)ai_rel_network_load_and_create_sized(&args, &of->handle, &job->error);\n"
        equal(old.count(mark), 1, "the call")
        path.write_text(old.replace(mark, "    {\n" + text + "    }\n").replace(
            "const ai_rel_network_load_args args = args_of(job);\n    if", "ai_rel_network_load_args args = args_of(job);\n    if"))
    return change


CHECKED = """        static ai_rel_import rows[4];
        const char *name = "", *want = WANT;
        for (uint32_t i = 0; i < 4; i++)
            rows[i] = harness_imports[i];
        EDIT
        args.imports = rows;
        args.refused_import = &name;
        int32_t code = ai_rel_network_load_and_create_sized(&args, &of->handle, &job->error);
        for (uint32_t i = 0; name != (void *)0 && (i == 0 || want[i - 1] != 0); i++)
            if (name[i] != want[i])
                __builtin_trap();
        if (code != CODE || name == (void *)0 || of->handle != (void *)0)
            __builtin_trap();
"""
REFUSED = {
    "missing": ("args.import_count = 3;", "host_add", "AI_RELOC_E_IMPORT"),
    "null": ("rows[0].address = (void *)0;", "calibration", "AI_RELOC_E_IMPORT"),
    "version": ("rows[1].version = 3;", "gains", "AI_RELOC_E_IMPORT_VERSION"),
    "nothing": ("args.import_count = 0;", "calibration", "AI_RELOC_E_IMPORT"),
}


@each(list(REFUSED), needs=[QEMU])
def refused(case, label):
    edit, want, code = REFUSED[label]
    image, host = packaged(case)
    text = CHECKED.replace("EDIT", edit).replace("WANT", f'"{want}"').replace("CODE", code)
    result = case.verify(image, "--host-source", host, status=8, env=share_with(case, loads_with(text)))
    has(result.err, "type 0x33 code 0x17")


@test(needs=[QEMU])
def other_rows_do_no_harm(case):
    """Rows of other images, one of the right name and another version, then the right one."""
    rows = """        static const ai_rel_import rows[] = {{"gain", 2, rows}, {(void *)0, 0, rows}, {"gains", 1, rows}, {"gainsx", 2, rows}};
        static ai_rel_import all[8];
        for (uint32_t i = 0; i < 8; i++)
            all[i] = i < 4 ? rows[i] : harness_imports[i - 4];
        args.imports = all;
        args.import_count = 8;
        (void)ai_rel_network_load_and_create_sized(&args, &of->handle, &job->error);
"""
    image, host = packaged(case)
    answer = case.verify(image, "--host-source", host, "--json", env=share_with(case, loads_with(rows)))
    equal(json.loads(answer.out)["identical"], True, "identical")


@each(["xip", "patched"], needs=[QEMU])
def loader_that_knows_nothing_of_it(case, kind):
    def change(share):
        shutil.copy(kit.ROOT / "tests/target/plain_loader.c", share / "runtime/ai_reloc_network.c")
    image, host = packaged(case, *(["-r", "copy-only", "--cflags=-fno-pic"] if kind == "patched" else []))
    result = case.verify(image, "--host-source", host, status=8, env=share_with(case, change))
    has(result.err, "load (COPY)" if kind == "patched" else "load (XIP)", "create function failed")
