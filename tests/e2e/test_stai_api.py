# SPDX-License-Identifier: Apache-2.0
"""Dialect stai: networks with the newer C API of the vendor's runtime."""
import json
import pathlib
import shutil

import reader
import stai_kit
import standin
from kit import CROSS, QEMU, check, each, equal, has, test
from test_generate import check_output

V11 = (11, 0)


def env_of(case, cores=("M4",)):
    return {"STEDGEAI_CORE_DIR": standin.pack(case, V11, cores=cores, macro=False)}


def verified(case, image, env, *words):
    answer = json.loads(case.verify(image, *words, "--json", env=env).out)
    equal((answer["identical"], answer["xip_refused"], len(answer["runs"])), (True, False, 12), "answer")


KINDS = {
    "plain": {}, "one_of_each": {"weights": 1, "acts": 1, "states": 0}, "raw": {"raw": True},
    "raw_one": {"raw": True, "weights": 1, "states": 0}, "renamed": {"name": "sine_model"},
    "as_a_wrapper": {"name": "stai_network"},
}


@each([(kind, items) for kind in KINDS for items in ("whole", "split")], needs=[QEMU])
def executed(case, what):
    kind, items = what
    env, how = env_of(case), KINDS[kind]
    case.generate(stai_kit.network(case, **how), *(["-r", "split"] if items == "split" else []), env=env)
    name = how.get("name", "network")
    image = check_output(case, name, "out")
    parts = [b"".join(stai_kit.WEIGHTS)] if how.get("raw") or how.get("weights") == 1 else stai_kit.WEIGHTS
    equal(len(image.weights), 48, "size of the weights")
    check(all(part in image.weights for part in parts), "weights")
    equal(image.acts_size, 32 + 24 * (how.get("acts", 2) - 1) + 24 * how.get("states", 1), "activations and states")
    equal(len(image.fixups), 0 if how.get("raw") else how.get("weights", 2), "fix-ups")
    model = case.report(name)["model"]
    equal((model["dialect"], model["generator"]), ("stai", "stai 3.0.0"), "dialect and generator")
    equal(model["inputs"], [{"name": "a", "dtype": "float32", "shape": [1, 6], "size_bytes": 24},
                            {"name": "in1", "dtype": "int8", "shape": [1, 3, 2], "size_bytes": 6, "scale": 0.25, "zero_point": -3}], "inputs")
    verified(case, case.dir / f"out/{name}_rel.bin", env)


@each(["M4", "M7", "M33", "M55"], needs=[QEMU], slow=lambda core: core != "M4")
def core(case, name):
    env = env_of(case, ("M4", "M7", "M33", "M55"))
    case.generate(stai_kit.network(case), target=standin.CORES[name], env=env)
    listed = [entry["path"] for entry in case.report("network")["inputs"]]
    check(standin.archive_name(name, V11) in listed, f"inputs: {listed}")
    verified(case, case.dir / "out/network_rel.bin", env)


@test(needs=[QEMU])
def tables_and_computed_values(case):
    """The table of kernels is in RAM; the numbers are those that the network says."""
    env = env_of(case)
    case.generate(stai_kit.network(case), env=env)
    check(any(entry["symbol"] == "nodes" for entry in case.report("network")["moved_to_ram"]), "the table of kernels")
    a, q = [1, 2, 3, 4, 5, 6], [-3, 1, 5, 9, 1, -3]
    case.write("a.bin", stai_kit.struct.pack("<6f", *a))
    case.write("q.bin", bytes(x & 0xFF for x in q))
    rows = [stai_kit.struct.unpack("<6f", row) for row in stai_kit.WEIGHTS]
    want = [max(a[i] * rows[0][i] + (q[i] + 3) / 4 * rows[1][i], 0.0) for i in range(6)]
    case.write("want.bin", stai_kit.struct.pack("<6f", *want))
    verified(case, case.dir / "out/network_rel.bin", env, "--input", case.dir / "a.bin", "--input", case.dir / "q.bin",
             "--expected", case.dir / "want.bin")


@test
def compare_static(case):
    """Beside everything that an application calls; alone, no function of the network's name would be kept."""
    case.generate(stai_kit.network(case), "--compare-static", "--workspace", case.dir / "work", env=env_of(case))
    static = case.report("network")["memory"]["static"]
    names = case.run(f"{CROSS}nm", case.dir / "work/static/image.elf").out
    has(names, "stai_network_init", "stai_network_set_weights", "stai_network_run")
    check(static["flash"] > 500 and static["delta_flash"] < 2500, f"{static}")


@test(needs=[QEMU])
def imports(case):
    env = env_of(case)
    case.generate(stai_kit.network(case, imports=True), "--import", "HSP_ACC_scale@3", "--import", "hmw", env=env)
    equal([entry["symbol"] for entry in case.report("network")["imports"]], ["HSP_ACC_scale", "hmw"], "imports")
    host = case.write("host.c", "const float hmw[6] = {1, 2, 3, 4, 5, 6};\nfloat HSP_ACC_scale(float x) { return x * 0.5f; }\n")
    verified(case, case.dir / "out/network_rel.bin", env, "--host-source", host)


@test(needs=[QEMU])
def ordinary_archive(case):
    pack = standin.pack(case, V11, pic=(True, False), macro=False, name="both")
    ordinary = pack / standin.AI / "Lib/GCC/ARMCortexM4" / standin.archive_name("M4", V11, pic=False)
    env = {"STEDGEAI_CORE_DIR": pack}
    case.generate(stai_kit.network(case), "-r", "copy-only", "--runtime-lib", ordinary, env=env)
    check(len(reader.read(case.dir / "out/network_rel.bin").patches) > 0, "the archive is position-independent")
    answer = json.loads(case.verify(case.dir / "out/network_rel.bin", "--json", env=env).out)
    equal((answer["identical"], answer["xip_refused"]), (True, True), "answer")


# ---- addresses of buffers, and errors ----

def edited(case, old, new):
    share = shutil.copytree(pathlib.Path(case.tool).parent.parent / "share/relocpack", case.dir / "share")
    path = share / "templates/harness/backend_loader.c"
    text = path.read_text()
    equal(text.count(old), 1, "the place to edit")
    path.write_text(text.replace(old, new))
    return {**env_of(case), "RELOCPACK_DATADIR": share}


ACTS = "    const ai_handle acts[2] = {(ai_handle)(uintptr_t)job->instance->acts.address, NULL};\n"
EACH = """    char *block = (char *)(uintptr_t)job->instance->acts.address;
    const ai_handle acts[3] = {block + 32, block, block + 56};
"""
INIT = {  # what init hands over, and the error
    "null": ("{NULL, NULL}", "type 0x14 code 0x13"),
    "second_misaligned": ("{block + 8, block + 44, block}", "type 0x14 code 0x19"),
    "third_null": ("{block, block + 32, NULL}", "type 0x14 code 0x15"),
}


@test(needs=[QEMU])
def buffers_in_any_order(case):
    env = edited(case, ACTS, EACH)
    case.generate(stai_kit.network(case), env=env)
    verified(case, case.dir / "out/network_rel.bin", env)


@each(list(INIT), needs=[QEMU])
def bad_buffers(case, label):
    addresses, code = INIT[label]
    env = edited(case, ACTS, EACH.split("    const")[0] + f"    const ai_handle acts[3] = {addresses};\n    (void)block;\n")
    case.generate(stai_kit.network(case), env=env)
    has(case.verify(case.dir / "out/network_rel.bin", status=8, env=env).err, "init", code)


@test(needs=[QEMU])
def no_weights(case):
    env = edited(case, "{job->instance->weights_at, NULL}", "{NULL, NULL}")
    for raw in (False, True):
        case.generate(stai_kit.network(case, raw=raw, folder=f"model{raw}"), env=env)
        has(case.verify(case.dir / "out/network_rel.bin", status=8, env=env).err, "init", "type 0x14 code 0x12")


@test(needs=[QEMU])
def bad_output(case):
    env = edited(case, "    job->value = ai_rel_network_run(", "    job->output->data = (char *)job->output->data + 1;\n    job->value = ai_rel_network_run(")
    case.generate(stai_kit.network(case), env=env)
    has(case.verify(case.dir / "out/network_rel.bin", status=8, env=env).err, "run", "type 0x14 code 0x19")


# ---- what is refused ----

CHANGES = {  # file, old, new, status, id, part of the message
    "name": (".c", "stai_network_init(", "stai_other_init(", 9, "RP2900", "its C name"),
    "format": (".h", "STAI_FORMAT_S8", "STAI_FORMAT_Q7", 9, "RP2900", "STAI_FORMAT_Q7, a format that is not supported"),
    "no_format": (".h", "#define STAI_NETWORK_IN_2_FORMAT", "#define OTHER", 9, "RP2900", "STAI_NETWORK_IN_2_FORMAT"),
    "size": (".h", "IN_2_SIZE_BYTES (6)", "IN_2_SIZE_BYTES (7)", 9, "RP2900", "is 7 in the header"),
    "inputs": (".h", "IN_NUM (2)", "IN_NUM (3)", 9, "RP2900", "there is no 'STAI_INIT_TENSOR'"),
    "no_table": (".c", "stai_network_info", "other_info", 9, "RP2900", "there is no 'stai_network_info'"),
    "arguments": (".c", "      STAI_EMPTY_ARRAY()),", "      STAI_EMPTY_ARRAY(), 1),", 9, "RP2900", "network.c:"),
    "no_name": (".c", "STAI_NETWORK_IN_1_NAME,", ",", 0, None, ""),
    "two_names": (".c", "STAI_NETWORK_IN_1_NAME,", "a b,", 0, None, ""),
    "no_size": (".c", "STAI_NETWORK_IN_1_SIZE_BYTES,", "1 + 2,", 9, "RP2900", "shape and format"),
    "shape": (".c", "2, 1, 6)", "2, 1, N)", 9, "RP2900", "a shape"),
    "zero_point": (".c", "1, -3)", "1, -300)", 9, "RP2900", "does not fit"),
    "channels": (".c", "1, 0.25f)", "2, 0.25f, 0.5f)", 9, "RP2900", "for each channel"),
    "unclosed": (".c", ".tool", "/* .tool", 9, "RP2900", "network.c:"),
    "activations": (".h", "ACTIVATION_2_SIZE_BYTES (24)", "ACTIVATION_2_SIZE_BYTES (many)", 9, "RP2904", "STAI_NETWORK_ACTIVATION_2_SIZE_BYTES"),
    "large": (".h", "ACTIVATION_1_SIZE_BYTES (28)", "ACTIVATION_1_SIZE_BYTES (268435456)", 9, "RP2907", "256 MiB at most"),
    "many": (".h", "STATES_NUM (1)", "STATES_NUM (65)", 9, "RP2904", "STAI_NETWORK_STATES_NUM"),
    "weights": (".h", "WEIGHTS_SIZE_BYTES (48)", "WEIGHTS_SIZE_BYTES (96)", 9, "RP2904", "declares 96 bytes of weights, the arrays have 48"),
}


@each(list(CHANGES))
def changed(case, label):
    suffix, old, new, status, error, part = CHANGES[label]
    source = stai_kit.network(case)
    path = source.parent / f"network{suffix}"
    check(old in path.read_text(), f"{old} is not there")
    path.write_text(path.read_text().replace(old, new, 1))
    if status == 0:
        case.generate(source, "--parse-only", timeout=20)
    else:
        has(case.refuse(status, error, source, env=env_of(case), timeout=60), part)


@test
def missing_files(case):
    env = env_of(case)
    source = stai_kit.network(case, folder="header")
    (source.parent / "network.h").unlink()
    has(case.refuse(9, "RP2900", source, env=env), "network.h")
    source = stai_kit.network(case, folder="arrays")
    (source.parent / "network_data.c").unlink()
    has(case.refuse(9, "RP2904", source, hint="beside the code", env=env), "network_data.bin")
    source = stai_kit.network(case, folder="raw", raw=True)
    (source.parent / "network_data.bin").write_bytes(b"1234")
    has(case.refuse(9, "RP2904", source, env=env), "has 4 bytes", "declares 48")
    has(case.refuse(9, "RP2900", stai_kit.network(case, folder="pack"), hint="STEDGEAI_CORE_DIR"), "stai.h")


@test
def padding_in_a_file(case):
    source = stai_kit.network(case, raw=True)
    header = source.parent / "network.h"
    header.write_text(header.read_text().replace("WEIGHT_1_SIZE_BYTES (24)", "WEIGHT_1_SIZE_BYTES (20)").replace("WEIGHTS_SIZE_BYTES (48)", "WEIGHTS_SIZE_BYTES (40)"))
    has(case.refuse(9, "RP2904", source, env=env_of(case)), "no multiples of 8")


@test
def parse_only(case):
    """Needs no pack."""
    out = case.relocpack("generate", "-i", stai_kit.network(case), "--target", "stm32f4", "--parse-only").out
    has(out, "dialect   stai", "input     a float32[1][6]", "int8[1][3][2]", "weights   48 bytes")
