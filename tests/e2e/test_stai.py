# SPDX-License-Identifier: Apache-2.0
"""Networks for the vendor's runtime, against a stand-in pack: recognition, archives, weights, glue."""
import json
import pathlib
import re
import shutil
import struct

import kit
import reader
import standin
from kit import CROSS, QEMU, check, each, equal, has, has_not, test
from test_generate import check_output, check_words

V10, V9, V81, V72, V70 = (10, 0), (9, 0), (8, 1), (7, 2), (7, 0)


def env_of(pack):
    return {"STEDGEAI_CORE_DIR": pack}


def sections(case, obj):
    return case.run(f"{CROSS}readelf", "-SW", obj).out


KINDS = {
    "v10_macro": (V10, "params", True), "v10_own_glue": (V10, "params", False), "v9_macro": (V9, "params", True),
    "v8_own_glue": (V81, "params", False), "v72_macro": (V72, "params", True), "v70": (V70, "bytes", True),
    "v10_raw": (V10, "raw", True), "v10_raw_array": (V10, "raw_array", False), "v70_raw": (V70, "raw", False),
}


@each(list(KINDS))
def packaged(case, label):
    version, weights, macro = KINDS[label]
    pack = standin.pack(case, version, macro=macro)
    source = standin.network(case, version, weights)
    for split in ([], ["--split"]):
        out, workspace = f"out{len(split)}", case.dir / f"work{len(split)}"
        case.generate(source, *split, "--workspace", workspace, out=out, env=env_of(pack))
        image = check_output(case, "network", out)
        equal(image.weights, standin.WEIGHTS, "weights in the image")
        equal((image.acts_size, image.weights_size, image.cpuid), (192, 2432, "C24"), "sizes and core")
        words = macro or version < (7, 1) or weights == "raw"
        equal(len(image.fixups), 0 if words else 1, "fix-ups: the map's word with our own glue only")
        report = case.report("network", out)
        equal((report["model"]["dialect"], report["model"]["generator"]),
              ("st-ai", f"st-ai {version[0]}.{version[1]}"), "dialect and generator")
        check(len(image.data) - len(image.weights if not split else b"") < 9000,
              "the weights are in the file once")
        check_weights_words(case, image, workspace)
        if weights == "params":
            check_glue(case, workspace, macro)
    members = {entry["member"] for entry in case.report("network", "out0")["archive_members"]}
    check({"network_pic.o", "kernels_pic.o", "observer_pic.o"} <= members, f"members: {members}")


def check_weights_words(case, image, workspace):
    """Words that point into the weights are 0; every other one is as in a link at that address."""
    symbols = case.run(f"{CROSS}nm", workspace / "image.elf").out.splitlines()
    places = [int(line.split()[0], 16) & 0x0FFFFFFF for line in symbols
              if line.split()[-1] in ("g_network_data_map_weights",)]
    for place in places:
        equal(reader.word_at(image.ram_image, place + 4), 0, "the address of the weights in the file")


def check_glue(case, workspace, macro):
    """The vendor's macro supplies the entry table if there is one, else ours does."""
    text = "".join(case.run(f"{CROSS}nm", obj).out for obj in sorted((workspace / "obj").glob("*.o")))
    check(("_network_entries" in text) == macro, "the pack's macro")
    check((" rp_entries" in text) != macro, "our own glue")


@test
def words_with_own_glue(case):
    pack = standin.pack(case, V70, macro=False)
    source = standin.network(case, V70, "bytes")
    case.generate(source, "--workspace", case.dir / "work", env=env_of(pack))
    check_words(case, "network", case.dir / "work", own_context=False)


@each(["M4", "M7", "M33", "M55"])
def core(case, name):
    """The archive is that of the core."""
    pack = standin.pack(case, V10, cores=("M4", "M7", "M33", "M55"))
    source = standin.network(case, V10)
    case.generate(source, env=env_of(pack), target=standin.CORES[name])
    listed = [entry["path"] for entry in case.report("network")["inputs"]]
    check(standin.archive_name(name, V10) in listed, f"inputs: {listed}")
    equal(reader.read(case.dir / "out/network_rel.bin").cpuid, {"M4": "C24", "M7": "C27", "M33": "D21",
                                                              "M55": "D22"}[name], "CPUID part")


@test(needs=[QEMU])
def core_with_an_archive_for_static_use(case):
    """As packs have it for an M0+."""
    env = env_of(standin.pack(case, V10, cores=("M0+",), pic=(False,)))
    source = standin.network(case, V10)
    for where in ("pack", "project"):
        has(case.refuse(9, "RP2900", source, target=standin.CORES["M0+"], env=env, hint="-r copy-only takes it"),
            "ARMCortexM0+", "NetworkRuntime*_GCC_PIC.a", standin.archive_name("M0+", V10, pic=False))
        case.generate(source, "-r", "copy-only", target=standin.CORES["M0+"], env=env, out=f"out_{where}")
        if where == "pack":  # CubeMX copies the archive to a project's Lib
            copy = shutil.copytree(env["STEDGEAI_CORE_DIR"], case.dir / "project")
            env = env_of(copy)
            lib = copy / standin.AI / "Lib"
            (lib / "GCC/ARMCortexM0+" / standin.archive_name("M0+", V10, pic=False)).rename(lib / standin.archive_name("M0+", V10, pic=False))
            (lib / standin.archive_name("M4", V10, pic=False)).touch()
    case.verify(case.dir / "out_project/network_rel.bin", env=env)


@test
def other_name(case):
    pack = standin.pack(case, V10)
    source = standin.rename(standin.network(case, V10), "sine_model")
    case.generate(source / "sine_model.c", "--name", "Sine wave", env=env_of(pack))
    image = reader.read(case.dir / "out" / "Sine wave_rel.bin")
    equal(image.name, "sine_model", "the C name stays that of the generated code")
    equal(image.weights, standin.WEIGHTS, "weights")


@test
def name_comes_from_the_code_with_own_glue(case):
    pack = standin.pack(case, V10, macro=False)
    source = standin.rename(standin.network(case, V10), "sine_model")
    case.generate(source, env=env_of(pack))
    equal(reader.read(case.dir / "out/sine_model_rel.bin").name, "sine_model", "C name")


# ---- where the pack is ----

@test
def custom_json(case):
    pack = standin.pack(case, V10)
    source = standin.network(case, V10)
    archive = pack / standin.AI / "Lib/GCC/ARMCortexM4" / standin.archive_name("M4", V10)
    first = case.write("custom.json", json.dumps({"_comment": "x", "stedgeai_install_path": str(pack),
                                                  "extra_system_path": "/usr/bin",
                                                  "llvm_install_path": ""}))
    case.generate(source, "--custom", cwd=case.dir)  # custom.json is the default
    whole = (case.dir / "out/network_rel.bin").read_bytes()
    case.generate(source, "--custom", first, out="named", env=env_of("/nowhere"))
    equal((case.dir / "named/network_rel.bin").read_bytes() == whole, True, "--custom FILE")
    case.write("custom.json", json.dumps({"stedgeai_install_path": str(pack),
                                          "runtime_network_lib": str(archive)}))
    case.generate(source, "--custom", "-q", cwd=case.dir, out="lib")
    equal((case.dir / "lib/network_rel.bin").read_bytes() == whole, True, "runtime_network_lib")
    case.generate(source, "-I", pack / standin.AI / "Inc", "--runtime-lib", archive, out="options")
    reader.read(case.dir / "options/network_rel.bin")
    for text, part in (('{"runtime_network_lib": 3}', "'runtime_network_lib'"), ('{"runtme": "x"}', "'runtme'"),
                       ("[]", "not a JSON object"), ("{", "custom.json")):
        case.write("custom.json", text)
        has(case.refuse(9, "RP2903", source, "--custom", cwd=case.dir, out="bad"), part)
    has(case.refuse(9, "RP2900", source, "--custom", case.dir / "none.json", out="bad"), "none.json")


@test
def no_pack(case):
    source = standin.network(case, V10)
    message = case.refuse(9, "RP2900", source, hint="STEDGEAI_CORE_DIR")
    has(message, "ai_platform.h")
    has(case.refuse(9, "RP2900", source, env=env_of(case.dir / "nowhere")), "ai_platform.h")


@test
def no_archive_for_the_core(case):
    pack = standin.pack(case, V10, cores=("M7",))
    source = standin.network(case, V10)
    message = case.refuse(9, "RP2900", source, hint="--runtime-lib", env=env_of(pack))
    has(message, "ARMCortexM4")
    copy = case.dir / "pack"
    shutil.copytree(pack, copy)
    (copy / standin.AI / "Lib/GCC/ARMCortexM4").mkdir()
    has(case.refuse(9, "RP2900", source, env=env_of(copy), hint="--runtime-lib"), "NetworkRuntime*_GCC_PIC.a")


@test
def archive_of_another_toolchain(case):
    """A project that CubeMX generated for Keil or IAR; the archive for GCC beside it is what the hint asks for."""
    pack, source = case.dir / "project", standin.network(case, V10)
    shutil.copytree(standin.pack(case, V10, pic=(False,), name="fixed"), pack)
    lib, ours = pack / standin.AI / "Lib", standin.archive_name("M4", V10, pic=False)
    whole = (lib / "GCC/ARMCortexM4" / ours).read_bytes()
    shutil.rmtree(lib / "GCC")
    for ending in ("_Keil.lib", "_IAR.a"):
        theirs = ours.replace("_GCC.a", ending)
        (lib / theirs).write_bytes(b"")
        has(case.refuse(9, "RP2900", source, "-r", "copy-only", env=env_of(pack), hint="copy the archive for GCC"),
            f"only '{theirs}', which is for another compiler")
        (lib / theirs).unlink()
    (lib / theirs).write_bytes(b"")
    (lib / ours).write_bytes(whole)
    case.generate(source, "-r", "copy-only", env=env_of(pack))


@test
def two_archives(case):
    pack = case.dir / "pack"
    shutil.copytree(standin.pack(case, V10), pack)
    folder = pack / standin.AI / "Lib/GCC/ARMCortexM4"
    shutil.copy(folder / standin.archive_name("M4", V10), folder / standin.archive_name("M4", V9))
    source = standin.network(case, V10)
    message = case.refuse(9, "RP2900", source, env=env_of(pack))
    has(message, standin.archive_name("M4", V10), standin.archive_name("M4", V9), "--runtime-lib")
    case.generate(source, "--runtime-lib", folder / standin.archive_name("M4", V9), env=env_of(pack))


@test
def ordinary_archive(case):
    """Refused, with symbol, section, member and the way from the user's code."""
    pack = standin.pack(case, V10, pic=(True, False), name="both")
    folder = pack / standin.AI / "Lib/GCC/ARMCortexM4"
    ordinary = folder / standin.archive_name("M4", V10, pic=False)
    source = standin.network(case, V10)
    case.generate(source, env=env_of(pack))  # the _PIC one is found beside it
    message = case.refuse(5, "RP2500", source, "--runtime-lib", ordinary, out="refused", env=env_of(pack),
                          hint="_PIC")
    has(message, "forward_relu", ".text.forward_relu", f"{ordinary.name}(kernels.o)", "ai_platform_network_create",
        f"{ordinary.name}(network.o)", "called by", str(source / "network.c"))
    report = json.loads(case.relocpack("inspect", "--json", ordinary).out)
    equal((report["members"], report["position_independent"]), (4, False), "inspect")
    clean = json.loads(case.relocpack("inspect", "--json", folder / standin.archive_name("M4", V10)).out)
    equal((clean["members"], clean["position_independent"]), (4, True), "inspect of the _PIC archive")


@test
def archive_of_another_core(case):
    pack = standin.pack(case, V10, cores=("M4", "M33"))
    source = standin.network(case, V10)
    other = pack / standin.AI / "Lib/GCC/ARMCortexM33" / standin.archive_name("M33", V10)
    has(case.refuse(4, "RP2402", source, "--runtime-lib", other, env=env_of(pack)), other.name)


@test
def archive_without_a_kernel(case):
    pack = case.dir / "pack"
    shutil.copytree(standin.pack(case, V10), pack)
    standin.build_archive(case, pack / standin.AI, "M4", V10, skip=("kernels", "observer"))
    source = standin.network(case, V10)
    message = case.refuse(6, "RP2600", source, env=env_of(pack))
    has(message, "'forward_dense'", "'forward_relu'", "ai_platform_observer_register_s",
        "ai_platform_observer_node_info", "network.c")


# ---- weights ----

@each(["short", "long", "empty", "missing", "other_model"])
def raw_weights(case, label):
    pack = standin.pack(case, V10)
    source = standin.network(case, V10, "raw")
    file = source / "network_data.bin"
    if label in ("missing", "other_model"):
        file.unlink()
        if label == "other_model":
            (source / "other_data.bin").write_bytes(standin.WEIGHTS)
        message = case.refuse(9, "RP2904", source, env=env_of(pack))
        has(message, "2432", "network_data.bin")
        return
    data = {"short": standin.WEIGHTS[:-4], "long": standin.WEIGHTS + bytes(4), "empty": b""}[label]
    file.write_bytes(data)
    message = case.refuse(9, "RP2904", source, env=env_of(pack))
    has(message, "network_data.bin", str(len(data)), "2432")


@test(always=True)
def array_of_another_length(case):
    """The array has whole words of 8 bytes: one word more or less than declared is from another network."""
    pack = standin.pack(case, V10)
    for name, data in (("long", standin.WEIGHTS + bytes(8)), ("short", standin.WEIGHTS[:-8])):
        source = standin.network(case, V10, name=name, data=data)
        header = source / "network_data_params.h"
        header.write_text(header.read_text().replace("array_u64[304]", f"array_u64[{len(data) // 8}]"))
        has(case.refuse(9, "RP2904", source, env=env_of(pack)), "declares 2432 bytes of weights, the array has", str(len(data)))


@test
def stale_raw_weights_of_our_own(case):
    """A weights file that the tool wrote is taken without its trailer, and only if it fits."""
    pack = standin.pack(case, V10)
    source = standin.network(case, V10, "raw")
    case.generate(source, "--split", env=env_of(pack))
    shutil.copy(case.dir / "out/network_data.bin", source / "network_data.bin")
    case.generate(source, "--split", out="again", env=env_of(pack))
    for name in ("network_rel.bin", "network_data.bin"):
        equal((case.dir / "again" / name).read_bytes(), (case.dir / "out" / name).read_bytes(), name)


@test
def output_into_the_folder_of_raw_weights(case):
    """The generator's own network_data.bin is an input: split would replace it, whole leaves it alone."""
    pack = standin.pack(case, V10)
    source = standin.network(case, V10, "raw")
    before = (source / "network_data.bin").read_bytes()
    for words in (["--split"], [], ["--split"], []):
        done = case.relocpack("generate", "-i", source, "-o", source, "--target", "f4", "-q", *words,
                              env=env_of(pack), status=2 if words else 0)
        equal((source / "network_data.bin").read_bytes(), before, f"weights after {words}")
        if words:
            has(done.err, "error RP2200", "network_data.bin", "is an input")
        else:
            equal(reader.read(source / "network_rel.bin").weights, standin.WEIGHTS, "weights of the image")


@test
def array_goes_before_a_stale_file(case):
    pack = standin.pack(case, V10)
    source = standin.network(case, V10)
    (source / "network_data.bin").write_bytes(bytes(2432))
    case.generate(source, env=env_of(pack))
    equal(reader.read(case.dir / "out/network_rel.bin").weights, standin.WEIGHTS, "weights")


@test
def array_of_another_size(case):
    pack = standin.pack(case, V10)
    for data in (standin.WEIGHTS[:-16], standin.WEIGHTS + bytes(16)):
        source = standin.network(case, V10, data=data, name=f"m{len(data)}")
        header = source / "network_data_params.h"
        header.write_text(header.read_text().replace("[304]", "[]"))
        message = case.refuse(9, "RP2904", source, env=env_of(pack))
        has(message, str(len(data)), "2432")


@test
def headers_that_do_not_say(case):
    pack = standin.pack(case, V10)
    source = standin.network(case, V10)
    header = source / "network_data_params.h"
    text = header.read_text()
    header.write_text(text.replace("AI_NETWORK_DATA_WEIGHTS_SIZE  ", "AI_NETWORK_DATA_WEIGHT_SIZE  "))
    has(case.refuse(9, "RP2904", source, env=env_of(pack)), "AI_NETWORK_DATA_WEIGHTS_SIZE")
    header.write_text(text.replace("WEIGHTS_COUNT     (1)", "WEIGHTS_COUNT     (3)"))
    has(case.refuse(6, "RP2600", source, env=env_of(pack)), "weights_array_u64' needed by g_network_data_map_weights")
    header.write_text(text)
    (source / "network_data.h").unlink()
    result = case.generate(source, status=None, env=env_of(pack))
    check(result.status in (4, 9), result.show())
    has(result.err, "network_data.h")


def older_headers(case, version, change):
    """Folder of headers and archive of a stand-in pack, with a changed ai_platform_interface.h, as options."""
    pack = standin.pack(case, version)
    inc = case.path("inc", "ai_platform.h").parent
    shutil.copytree(pack / standin.AI / "Inc", inc, dirs_exist_ok=True)
    header = inc / "ai_platform_interface.h"
    header.write_text(change(header.read_text()))
    return ["-I", inc, "--runtime-lib", next(pack.glob("**/*_PIC.a"))]


@test
def observers_of_runtime_5_1(case):
    """They are kept in memory of malloc, which an image does not have; ai_platform_observer_register_s came with 5.2."""
    def change(text):
        text = text.replace("register_s(ai_handle network, ai_observer_exec_ctx *ctx)",
                            "register(ai_handle network, ai_observer_node_cb cb, ai_handle cookie, ai_u32 flags)", 1)
        return re.sub(r"unregister_s\([^)]*\)", "unregister(ai_handle network, ai_observer_node_cb cb, ai_handle cookie)", text)
    options = older_headers(case, (5, 1), change)
    case.generate(standin.network(case, (5, 1), "bytes"), *options)
    check_output(case, "network", "out")
    has_not(json.dumps(case.report("network")["archive_members"]), "observer_register")


@test
def headers_without_observers(case):
    options = older_headers(case, (4, 1), lambda text: text.replace("ai_observer_exec_ctx", "ai_other"))
    message = case.refuse(9, "RP2920", standin.network(case, (4, 1), "bytes"), *options)
    has(message, "ai_platform.h is of runtime 4.1", "no observer", "5.1 or later")


@test
def no_weights_at_all(case):
    """A network without weights needs no file and no array."""
    pack = standin.pack(case, V10)
    source = standin.network(case, V10, "raw")
    (source / "network_data.bin").unlink()
    header = source / "network_data_params.h"
    header.write_text(header.read_text().replace("(2432)", "(0)"))
    case.generate(source, "--split", env=env_of(pack))
    image = reader.read(case.dir / "out/network_rel.bin")
    equal(image.weights_size, 0, "weights")
    check(not (case.dir / "out/network_data.bin").exists(), "a weights file without weights")


@test
def recognition(case):
    pack = standin.pack(case, V10)
    source = standin.network(case, V10)
    result = case.generate(source, "--parse-only", env=env_of(pack))
    has(result.out, "dialect   st-ai", "weights   2432 bytes", "acts      192 bytes", "generator st-ai 10.0")
    odd = source / "net-work.c"
    shutil.copy(source / "network.c", odd)
    has(case.refuse(9, "RP2900", odd, env=env_of(pack)), "net-work.c", "C name")


@test
def depfile_lists_weights_and_archive(case):
    pack = standin.pack(case, V10)
    source = standin.network(case, V10, "raw")
    case.generate(source, "--depfile", case.dir / "d", env=env_of(pack))
    text = (case.dir / "d").read_text()
    has(text, "network_data.bin", "network.c", "network_data.c", standin.archive_name("M4", V10))
    inputs = {entry["path"]: entry for entry in case.report("network")["inputs"]}
    equal(inputs["network_data.bin"]["sha256"], kit.sha256(source / "network_data.bin"), "hash")


# ---- running ----

RUNS = {f"{label}-M4": (*kind, "M4") for label, kind in KINDS.items()}
RUNS.update({f"v10_macro-{core}": (V10, "params", True, core) for core in ("M7", "M33", "M55")})


def one_input(case):
    values = [((i * 7) % 23 - 11) / 8 for i in range(16)]
    file = case.write("in.bin", struct.pack("<16f", *values))
    return values, file


@each(list(RUNS), slow=lambda label: label not in ("v10_macro-M4", "v8_own_glue-M4"), needs=[kit.QEMU])
def verified(case, label):
    """Runs on the emulated core; the result also equals a calculation on the host."""
    version, weights, macro, name = RUNS[label]
    pack = standin.pack(case, version, cores=("M4", "M7", "M33", "M55") if name != "M4" else ("M4",),
                        macro=macro)
    source = standin.network(case, version, weights)
    values, file = one_input(case)
    saved = case.dir / "saved.bin"
    for split in ([], ["--split"]):
        case.generate(source, *split, out=f"o{len(split)}", target=standin.CORES[name], env=env_of(pack))
        image = case.dir / f"o{len(split)}/network_rel.bin"
        result = case.verify(image, "--input", file, "--save-output", saved, env=env_of(pack))
        has(result.out, "12 of 12 runs bit-identical to the static build, 32 bytes of output each")
        got = struct.unpack("<8f", saved.read_bytes())
        worst = max(abs(a - b) for a, b in zip(got, standin.reference(values)))
        check(worst < 1e-5, f"the output differs by {worst} from the one calculated here: {got}")


@each([(version, macro, items) for version, macro in ((V10, True), (V9, False), (V72, False))
       for items in ("whole", "split,gen-c-file,gen-c-weights")],
      slow=lambda row: row != (V10, True, "split,gen-c-file,gen-c-weights"), needs=[kit.QEMU])
def split_weights(case, row):
    """--split-weights, an array for each tensor: one part of weights, one address for the application, in both modes."""
    version, macro, items = row
    pack = standin.pack(case, version, macro=macro)
    data = struct.pack("<608f", *((i * 29 % 61 - 30) / 64 + i / 8192 for i in range(608)))
    source = standin.network(case, version, "split", data=data)
    case.generate(source, *([] if items == "whole" else ["-r", items]), "--workspace", case.dir / "work", env=env_of(pack))
    image = check_output(case, "network", "out")
    check_glue(case, case.dir / "work", macro=False)
    at = [image.weights.index(data[start:end]) for start, end in standin.SPLIT.values()]
    equal(len(set(at)), 4, "places of the arrays")
    check(all(place % 64 == 0 for place in at) and image.weights_size > len(data), f"aligned, with gaps: {at}")
    check(len(image.fixups) >= 4, "fix-ups: the map's words, and the table's where it is linked")
    values, file = one_input(case)
    saved = case.dir / "saved.bin"
    result = case.verify(case.dir / "out/network_rel.bin", "--input", file, "--save-output", saved, env=env_of(pack))
    has(result.out, "12 of 12 runs bit-identical to the static build, 32 bytes of output each")
    got = struct.unpack("<8f", saved.read_bytes())
    worst = max(abs(a - b) for a, b in zip(got, standin.reference(values, data)))
    check(worst < 1e-5, f"the output differs by {worst} from the one calculated here: {got}")
    for name in ("network_img_rel.c", "network_img_rel.h", "network_img_data.c") if items != "whole" else ():
        check((case.dir / "out" / name).is_file(), name)


@test(needs=[kit.QEMU])
def split_weights_of_one_tensor(case):
    """One array, with the tensor's name."""
    env = env_of(standin.pack(case, V10))
    source = standin.network(case, V10)
    for name in ("network_data_params.c", "network_data_params.h"):
        path = source / name
        path.write_text(path.read_text().replace("s_network_weights_array", "s_network_dense_weights_array"))
    case.generate(source, env=env)
    equal(reader.read(case.dir / "out/network_rel.bin").weights, standin.WEIGHTS, "weights")
    case.verify(case.dir / "out/network_rel.bin", env=env)


@test
def split_weights_that_are_missing(case):
    """Sizes that the arrays do not have, and arrays that are not in the code: where they begin in a file is not known."""
    pack = standin.pack(case, V10)
    source = standin.network(case, V10, "split")
    params = source / "network_data_params.c"
    text = params.read_text()
    header = source / "network_data_params.h"
    header.write_text(header.read_text().replace("(2432)", "(4864)"))
    has(case.refuse(9, "RP2904", source, env=env_of(pack)), "4864", "2432")
    params.write_text(text.replace("s_network_", "t_network_"))
    (source / "network_data.bin").write_bytes(standin.WEIGHTS)
    has(case.refuse(9, "RP2904", source, env=env_of(pack), hint="without --split-weights"), "4 arrays")


@test(needs=[kit.QEMU])
def wrong_weights_are_found_at_run_time(case):
    """Weights of another build of the same network: refused before anything runs."""
    pack = standin.pack(case, V10)
    case.generate(standin.network(case, V10), "--split", out="a", env=env_of(pack))
    other = bytearray(standin.WEIGHTS)
    other[3] ^= 1
    case.generate(standin.network(case, V10, name="other", data=bytes(other)), "--split", out="b", env=env_of(pack))
    result = case.verify(case.dir / "a/network_rel.bin", "--weights", case.dir / "b/network_data.bin",
                         env=env_of(pack), status=8)
    has(result.err, "error RP2801")
    has_not(result.err, "RP2800")
