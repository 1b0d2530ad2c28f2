# SPDX-License-Identifier: Apache-2.0
"""Neural-ART images: every word of version 8.0, and that weights, labels and blobs are what the network's
generator meant, at any addresses where a loader puts the parts. Then the command line.
"""
import json
import os
import re
import shutil
import struct

import kit
import npu_kit
import npu_networks as networks
import reader
from kit import CROSS, check, each, equal, has, has_not, matches, test
from npu_kit import (blob_sizes, check_context, check_entries, check_made, check_pools, descriptors, sizes, symbols,
                     words_of)
from npu_networks import V111, V113, V113_8

LOADER = ["ll_aton_reloc_loader.h", "ll_aton_reloc_network.c"]


# ---- images ----

CHOICES = [(), ("split",), ("ecblob-in-params",), ("split", "ecblob-in-params")]


@each([(preset, word) for preset in networks.PRESETS for word in ("functions", "blobs")])
def image(case, what):
    """Each arrangement of pools, with the epoch controller and without, in both releases."""
    preset, word = what
    for version in (V111, V113):
        for choice in CHOICES if word == "blobs" else CHOICES[:2]:
            made = npu_kit.made(case, *words_of(*choice), pools=preset, version=version,
                                epoch_controller=word == "blobs")
            check_made(case, made, choice)


VARIANTS = {
    "early_1_1_3": dict(version=V113_8), "early_1_1_3_blobs": dict(version=V113_8, epoch_controller=True),
    "user_inputs": dict(user_inputs=True), "user_outputs": dict(user_outputs=True, version=V113),
    "user_blobs": dict(user_inputs=True, user_outputs=True, epoch_controller=True),
    "user_blobs_late": dict(user_inputs=True, user_outputs=True, epoch_controller=True, version=V113),
    "two_outputs": dict(outputs=2, pools="mix"),
    "explicit": dict(epoch_controller=True, bounds="explicit"),
    "implicit": dict(epoch_controller=True, bounds="implicit", version=V113),
    "not_cacheable": dict(pools="both_params", cacheable=()), "one_cacheable": dict(pools="mix", cacheable=("xSPI2",)),
    "cacheable_internal": dict(pools="internal_two", cacheable=("AXISRAM5", "AXISRAM6")),
    "used_pools_only": dict(unused=False), "other_base": dict(pools="mix", base=0x34000000),
    "acts_first": dict(pools="ext_mixed", sections=True), "acts_first_internal": dict(pools="internal", sections=True),
    "acts_first_blobs": dict(pools="internal_two", sections=True, epoch_controller=True),
    "whole_internal": dict(pools="internal", whole=True), "whole_external": dict(pools="ext_mixed", whole=True),
    "whole_two": dict(pools="internal_two", whole=True, epoch_controller=True),
    "whole_acts_first": dict(pools="internal", sections=True, whole=True), "whole_mix": dict(pools="mix", whole=True),
    "other_weights": dict(seed=99), "other_name": dict(name="Person_Detect2"),
    "other_name_blobs": dict(name="Default", epoch_controller=True),
}


@each(list(VARIANTS))
def variant(case, label):
    for choice in ((), ("split", "ecblob-in-params")):
        check_made(case, npu_kit.made(case, *words_of(*choice), **VARIANTS[label]), choice)


@each(["internal", "internal_two", "ext_mixed"])
def initialisers_of_the_whole_pool(case, pools):
    """
    With or without the zeros of the activations, an initialiser makes the same image: each pool of parameters in the
    params is the file's bytes, and activations start from zeros.
    """
    short, whole = (npu_kit.made(case, "-r", "split", pools=pools, whole=long) for long in (False, True))
    for name in ("network_rel.bin", "network_data.bin"):
        check((whole.out / name).read_bytes() == (short.out / name).read_bytes(), f"bytes of {name}")
    image, longer = whole.read(), 0
    for row in image.pools:
        pool = whole.network.by_postfix[row.name]
        data = whole.network.raws.get(row.name)
        equal(row.flags >> 16 & 3 != 2, data is not None, f"{row.name} has parameters")
        if data is None:
            continue
        longer += len(data) > max(tensor.end for tensor in pool.tensors if tensor.param)
        equal((len(data), row.size), (pool.end, pool.end), f"bytes of {row.name}")
        check(image.params[row.foff:row.foff + len(data)] == data, f"bytes of the file of {row.name}")
        for tensor in pool.tensors:
            kept = image.params[row.foff + tensor.start:row.foff + tensor.end]
            check(kept == (tensor.data if tensor.param else bytes(tensor.size)), f"{tensor.name} in {row.name}")
    check(longer, "a file that is longer than its parameters")


@each([f"{pools}_{seed}" for pools in ("mix", "both_params", "ext") for seed in (1, 2, 3)])
def labels_in_another_order(case, label):
    """Labels belong to pools by name: not by the order of labels and pools."""
    pools, seed = label.rsplit("_", 1)
    for blobs in (False, True):
        made = npu_kit.made(case, "-r", "split", pools=pools, shuffle=int(seed), epoch_controller=blobs)
        check_made(case, made, ("split",))


@each(["no-secure", "no-dbg-info", "no-secure,no-dbg-info"])
def choice_of_flags(case, words):
    choice = words.split(",")
    for version in (V111, V113):
        for blobs in (False, True):
            made = npu_kit.made(case, *words_of(*choice), pools="mix", version=version, epoch_controller=blobs)
            image = check_made(case, made, choice)
            plain = npu_kit.made(case, pools="mix", version=version, epoch_controller=blobs).read()
            if "no-dbg-info" in choice:
                check(image.data_end < plain.data_end, "descriptions of epochs are smaller without debug info")


@test
def blobs_leave_the_read_only_part(case):
    """ecblob-in-params: less to copy to RAM in COPY mode, and no more in XIP mode."""
    whole = npu_kit.made(case, pools="flash", epoch_controller=True).read()
    moved = npu_kit.made(case, "-r", "ecblob-in-params", pools="flash", epoch_controller=True).read()
    net = npu_kit.made(case, pools="flash", epoch_controller=True).network
    gone = sum(blob_sizes(net).values())
    check(gone - 64 <= whole.ro_size - moved.ro_size <= gone + 64, "the read-only part")
    equal(whole.ram_xip, moved.ram_xip, "RAM in XIP mode")
    equal(moved.params_size - whole.params_size >= gone, True, "params")


@test
def blobs_in_params_without_blobs(case):
    """A choice that has nothing to act on changes nothing."""
    for version in (V111, V113):
        plain = npu_kit.made(case, version=version)
        chosen = npu_kit.made(case, "-r", "ecblob-in-params", version=version)
        equal(chosen.image_path.read_bytes() == plain.image_path.read_bytes(), True, "the same image")


@test
def split_changes_two_words(case):
    """A split image has the code of a whole one: only params_offset and the trailer differ."""
    whole = npu_kit.made(case, pools="mix").read()
    split = npu_kit.made(case, "-r", "split", pools="mix").read()
    equal(whole.params == split.params, True, "params")
    first, second = bytearray(whole.data[:whole.rel_end]), bytearray(split.data[:split.rel_end])
    equal(struct.unpack_from("<I", second, 48)[0], 0, "params_offset")
    first[48:52] = bytes(4)
    equal(first == second, True, "all before the params")


@test
def fill_of_the_read_only_part(case):
    """Holes between parts are erased flash: 0xFF."""
    made = npu_kit.made(case)
    image, table = made.read(), case.run(f"{CROSS}size", "-A", made.workspace / "image.elf").out
    size = int(matches(table, r"^\.flash\s+(\d+)").group(1))
    equal(size, image.ro_size, "the read-only part")
    ends = [int(line.split()[0], 16) & 0x0FFFFFFF for line in
            case.run(f"{CROSS}nm", "-n", "-S", made.workspace / "image.elf").out.splitlines()
            if line.startswith("2")]
    check(max(ends) < image.ro_size, "symbols behind the read-only part")
    tail = image.data[:image.ro_size].rstrip(b"\xff")
    check(image.ro_size - len(tail) < 8, f"{image.ro_size - len(tail)} bytes of fill at the end")


@test
def macros_of_the_c_array(case):
    """gen-c-file: pools and sizes as macros, and an array with the bytes of the image."""
    for version, choice in ((V111, ("gen-c-file",)), (V113, ("split", "gen-c-file", "ecblob-in-params"))):
        made = npu_kit.made(case, *words_of(*choice), pools="mix", version=version, epoch_controller=True)
        image = check_made(case, made, choice)
        header = (made.out / "network_rel.h").read_text()
        want = {"RAM_SIZE_XIP": image.ram_xip, "RAM_SIZE_COPY": image.ram_copy, "IMAGE_SIZE": len(image.data),
                "ACTIVATIONS_SIZE": image.acts_size, "WEIGHTS_SIZE": image.params_used,
                "EXT_RAM_SIZE": image.ext_ram_size}
        report = json.loads((made.out / "network_generate_rel.json").read_text())
        aligned = {row["name"]: row["align"] for row in report["image"]["sections"]}
        want["RAM_ALIGNMENT"] = max(8, *(aligned[name] for name in ("text+rodata", "data", "bss")))
        want["IMAGE_ALIGNMENT"] = max(16, aligned["text+rodata"], aligned["params"])
        if "split" in choice:
            want |= {"WEIGHTS_FILE_SIZE": made.params_path.stat().st_size, "WEIGHTS_ALIGNMENT": 16}
        text = {"C_NAME": "network", "RT_DESC": image.rt_description}
        rows = [(int(row["address"], 16), row["size_bytes"]) for row in npu_kit.regions_of(image)]
        for i, pool in enumerate(image.pools):
            for key in ("flags", "foff", "dst", "size"):
                want[f"MPOOL_DESC_{i}_{key.upper()}"] = getattr(pool, key)
            text[f"MPOOL_DESC_{i}_NAME"] = pool.name
        found = {key for key in re.findall(r"#define AI_NETWORK_RELOC_(\w+)", header)} - {"H"}
        found = {key for key in found if not re.match(r"(IN|OUT)_", key)}  # tensors: c_files
        equal(found, {*want, *text, "REGIONS"}, "macros")
        macro = header.split("#define AI_NETWORK_RELOC_REGIONS")[1].split("\n\n")[0]
        equal([(int(row[0], 16), int(row[1])) for row in re.findall(r"\{(0x\w+)u, (\d+)u\},", macro)], rows, "rows of the table")
        check_array(case, made, image, want, text)


def check_array(case, made, image, numbers, texts):
    """Macros and array through the target's compiler: an object file whose sections are compared."""
    wanted = "".join(f"_Static_assert(AI_NETWORK_RELOC_{key} == {value}u, \"{key}\");\n"
                     for key, value in numbers.items())
    wanted += "".join(f"_Static_assert(sizeof AI_NETWORK_RELOC_{key} == {len(value) + 1}, \"{key}\");\n"
                      f"const char {key.lower()}[] = AI_NETWORK_RELOC_{key};\n" for key, value in texts.items())
    source = case.write("use.c", '#include "network_img_rel.h"\n' + wanted
                        + "uintptr_t get(void);\nuintptr_t get(void) { return ai_network_reloc_img_get(); }\n")
    flags = [*npu_kit.CORE, "-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", f"-I{made.out}"]
    obj, array, data = case.dir / "use.o", case.dir / "array.o", case.dir / "array.bin"
    case.run(f"{CROSS}gcc", *flags, "-c", source, "-o", obj)
    for value in texts.values():
        has(obj.read_bytes().decode("latin-1"), value)
    case.run(f"{CROSS}gcc", *flags, "-c", made.out / "network_img_rel.c", "-o", array)
    case.run(f"{CROSS}objcopy", "-O", "binary", "-j", ".rodata", array, data)
    equal(data.read_bytes() == image.data, True, "the C array is the image")
    has(case.run(f"{CROSS}readelf", "-SW", array).out, ".rodata")


@test
def changes_are_seen(case):
    """The reader of these tests refuses images with a changed word, so these tests can fail."""
    made = npu_kit.made(case, pools="mix", epoch_controller=True)
    image = made.read()
    plain = image.data[:-96]  # no trailer, which would reveal any change; words that may have any value are left out
    reader.NpuImage(plain)
    places = [4 * i for i in range(23) if i != 6] + [image.ro_size + image.ctx + 4 * i for i in (0, 8, 12, 13, 14, 15)]
    for pool in image.pools:
        places += [image.ro_size + pool.at + 4 * i for i in ((0, 1, 2, 4) if pool.data != reader.ACTIV else (0, 1, 2))]
    places += [image.rel_start, image.rel_end - 4, image.ro_size + image.got_start + 12, image.params_offset]
    for at in places:
        for change in (0x10000000, 0x00800000):
            data = bytearray(plain)
            struct.pack_into("<I", data, at, struct.unpack_from("<I", data, at)[0] ^ change)
            try:
                reader.NpuImage(data)
            except (reader.ImageError, UnicodeDecodeError):
                continue
            raise kit.Failure(f"word {at:#x} with {change:#x} changed was accepted")


@test
def loader_sources(case):
    """Everything that a firmware compiles is there, and nothing of the Cortex-M loader."""
    made = npu_kit.made(case)
    want = sorted([*LOADER, "network_rel.bin", "network_rel.h", "network_generate_rel.json", "network_generate_report.txt"])
    equal(kit.visible(made.out), want, "files")


# ---- the command line ----

def source(case, **changes):
    """A network for one test."""
    return npu_kit.network(case, **changes)


@test
def spelling_of_the_vendors_driver(case):
    """All options of npu_driver.py on one line, as scripts use them."""
    net = source(case, pools="mix", epoch_controller=True)
    custom = case.write("my.json", json.dumps({"runtime_network_lib": str(npu_kit.pack(case) / npu_kit.ARCHIVE)}))
    result = case.relocpack(
        "generate", "-i", net.folder, "-o", case.dir / "out", "-n", "toto", "--no-secure", "--no-dbg-info",
        "--ecblob-in-params", "--split", "--gen-c-file", "--custom", custom, "--cross-compile", CROSS,
        "--no-clean", "--log", case.dir / "my.log", "--json", case.dir / "my.json.out", "--verbosity", "2",
        "--debug", "--no-color", env=npu_kit.env_of(npu_kit.pack(case)), workspace_left=True)
    image = reader.read_npu(case.dir / "out/toto_rel.bin", case.dir / "out/toto_data.bin")
    equal((image.name, image.secure, image.dbg_info), ("toto", False, False), "name and flags")
    check_pools(image, net, True)
    check((case.dir / "out/toto_img_rel.h").exists(), "the C array")
    report = case.report("toto")
    equal(json.loads((case.dir / "my.json.out").read_text()), report, "--json FILE")
    check((case.dir / "my.log").exists(), "--log FILE")
    has(result.out, "Table: EC blob objects (2)", 'c_name="toto"')
    kept = matches(result.err, r"workspace kept in (\S+)").group(1)
    check(os.path.isfile(f"{kept}/image.elf"), "--no-clean keeps the linked file")
    has_not(result.out + result.err, "\033[")


@test
def options_without_their_values(case):
    """--log, --json, --custom and --verbosity may stand without a value, as in the driver."""
    net = source(case)
    case.write("custom.json", json.dumps({"stedgeai_install_path": str(npu_kit.pack(case))}))
    case.relocpack("generate", "--input", net.folder, "--output", "o", "--custom", "--log", "--json",
                   "--verbosity", cwd=case.dir)
    check((case.dir / "o/network_rel.bin").exists() and (case.dir / "relocpack.log").exists(), "files")
    case.relocpack("generate", "-i", net.folder, "-v", "0", "--custom", cwd=case.dir)  # default ./build
    check((case.dir / "build/network_rel.bin").exists(), "the default output folder")


@test
def default_input_folder(case):
    net = npu_kit.network(case, "st_ai_output")
    case.relocpack("generate", "-q", cwd=case.dir, env=npu_kit.env_of(npu_kit.pack(case)))
    check_pools(reader.read_npu(case.dir / "build/network_rel.bin"), net, False)


LISTS = {
    "none": [], "bare": ["-r"], "one": ["-r", "split"],
    "all": ["-r", "split,gen-c-file,ecblob-in-params,no-secure,no-dbg-info"], "attached": ["-rsplit,no-secure"],
    "equals": ["--relocatable=no-dbg-info,split"], "reloc": ["--reloc", "ecblob-in-params"],
    "relocate": ["--relocate", "gen-c-files"], "repeated": ["-r", "split", "-r", "no-secure"],
    "mixed": ["--split", "-r", "ecblob-in-params", "--no-secure"], "twice": ["-r", "split,split", "--split"],
}


@each(list(LISTS))
def list_of_choices(case, label):
    net = source(case, pools="mix", epoch_controller=True)
    words = LISTS[label]
    npu_kit.generate(case, net, *words, "--workspace", case.dir / "work")
    text = " ".join(words).replace("--", "")
    made = npu_kit.Made(net, case.dir / "out", case.dir / "work", "")
    check_made(case, made, [choice for choice in ("split", "ecblob-in-params", "no-secure", "no-dbg-info")
                            if choice in text])
    equal((made.params_path is None, (made.out / "network_img_rel.c").exists()),
          ("split" not in text, "gen-c-file" in text), "files")


@test
def custom_file_in_the_list(case):
    net, pack = source(case), npu_kit.pack(case)
    custom = case.write("own/pack.json", json.dumps({"stedgeai_install_path": str(pack), "llvm_install_path": ""}))
    shutil.copy(custom, case.dir / "custom.json")
    none = {"STEDGEAI_CORE_DIR": None}
    for number, words in enumerate((["-r", f"split,custom={custom}"], ["-r", "custom,split"], ["--custom", custom])):
        case.generate(npu_kit.source_of(net), *words, target=None, out=f"out{number}", cwd=case.dir, env=none)
    npu_kit.same_folders(case.dir / "out1", case.dir / "out0", "both spellings",
                         ("network_generate_rel.json", "network_generate_report.txt"))
    result = case.generate(npu_kit.source_of(net), "-r", "custom=", target=None, out="bad", status=2, env=none)
    has(result.err, "custom=")


@test
def choices_that_are_none(case):
    net = source(case)
    for words, part in ((["-r", "splitt"], "splitt"), (["-r", "llvm,st-clang"], "exclude"),
                        (["-r", "split", "extra"], "'extra'")):
        result = npu_kit.generate(case, net, *words, status=2)
        has(result.err, "error RP2200", part)


@test
def targets(case):
    """No target is needed; n6 and its core are accepted, others are not."""
    net = source(case)
    npu_kit.generate(case, net)
    plain = (case.dir / "out/network_rel.bin").read_bytes()
    for target in ("stm32n6", "n6"):
        npu_kit.generate(case, net, target=target, out=target)
        equal((case.dir / target / "network_rel.bin").read_bytes() == plain, True, f"--target {target}")
    npu_kit.generate(case, net, "--mcu", "cortex-m55", out="mcu")
    equal((case.dir / "mcu/network_rel.bin").read_bytes() == plain, True, "--mcu cortex-m55")
    for target in ("stm32h7", "stm32f4", "u5", "ensemble"):
        has(npu_kit.refuse(case, 2, "RP2200", net, target=target, out="bad"), "stm32n6")
    has(npu_kit.generate(case, net, "--mcu", "cortex-m7", status=2, out="bad").err, "stm32n6")
    report = case.report("network")
    equal((report["target"]["series"], report["target"]["cpu"], report["target"]["cpuid"]),
          ("stm32n6", "cortex-m55", "D22"), "target in the report")


@test
def choices_for_neural_art_only(case):
    tiny = kit.EXAMPLES / "tiny/tiny.c"
    for word in ("no-secure", "no-dbg-info", "polling", "ecblob-in-params"):
        for target in ("stm32n6", "stm32f4"):
            has(case.refuse(2, "RP2200", tiny, "-r", word, target=target), "Neural-ART", "tiny.c", "dialect c")
        case.refuse(2, "RP2200", tiny, f"--{word}")


@test
def folder_or_file(case):
    """A folder with one network; the file itself; the file with others beside it."""
    net = source(case, name="sine")
    for number, path in enumerate((net.folder, net.folder / "sine.c", f"{net.folder}/")):
        case.relocpack("generate", "-i", path, "-o", case.dir / f"out{number}", "-q", "--reproducible",
                       env=npu_kit.env_of(npu_kit.pack(case)))
        npu_kit.same_folders(case.dir / f"out{number}", case.dir / "out0", str(path), ["sine_generate_report.txt"])
    npu_kit.network(case, name="cosine", seed=3)
    npu_kit.generate(case, net.folder / "sine.c", out="one")
    image = reader.read_npu(case.dir / "one/sine_rel.bin")
    check_pools(image, net, False)
    result = npu_kit.generate(case, net.folder, out="two", status=None)
    equal(result.status, 9, f"two networks in a folder\n{result.show()}")
    has(result.err, "sine.c", "cosine.c")


# the API of the newer tools around a network: it has what networks for Cortex-M have, too
WRAPPER = """#include "stai_%s.h"
#include "ll_aton_rt_user_api.h"
LL_ATON_DECLARE_NAMED_NN_INTERFACE(%s);
stai_return_code stai_%s_init(stai_network* network) { return STAI_SUCCESS; }
static const stai_network_info info = { .inputs = { STAI_INIT_TENSOR("x", 0, 0, 0, 0, 0, 0) } };
"""


@test
def other_files_beside(case):
    """Wrappers by the vendor's tools and by the application do not hide the network in a folder."""
    net = source(case, pools="mix", epoch_controller=True)
    (net.folder / "app.c").write_text("int main(void) { return 0; }\n")
    (net.folder / "network_c_info.json").write_text('{"sources": 3}\n')
    for number, text in enumerate(('#include "network.h"\n#include "ll_aton_NN_interface.h"\n'
                                   "LL_ATON_DECLARE_NAMED_NN_INSTANCE_AND_INTERFACE(network)\n",
                                   WRAPPER % (3 * ("network",)))):
        (net.folder / "stai_network.c").write_text(text)
        npu_kit.generate(case, net.folder, version=V111, out=f"out{number}")
        check_pools(reader.read_npu(case.dir / f"out{number}/network_rel.bin"), net, False)
    net.folder.rename(case.dir / "st_ai_output")
    has(case.relocpack("generate", "--parse-only", cwd=case.dir).out, "dialect   ll-aton")


@test
def wrapper_named(case):
    """A wrapper is not a model for Cortex-M: the error names the network that it is for."""
    net = source(case, name="sine")
    wrapper = net.folder / "stai_sine.c"
    wrapper.write_text(WRAPPER % (3 * ("sine",)))
    npu_kit.network(case, name="cosine", seed=3)
    for words in ([], ["--target", "h7"], ["-n", "x"]):
        message = npu_kit.refuse(case, 9, "RP2901", wrapper, *words, version=V111, hint=f"-i {net.folder / 'sine.c'}")
        has(message, str(wrapper), "wrapper of a Neural-ART network")
    npu_kit.refuse(case, 9, "RP2901", net.folder, "-n", "stai_sine", version=V111, hint=f"-i {net.folder / 'sine.c'}")
    (net.folder / "sine.c").unlink()
    (net.folder / "cosine.c").unlink()
    npu_kit.refuse(case, 9, "RP2901", net.folder, version=V111, hint="LL_ATON_EpochBlockItems_")


@test
def several_networks(case):
    """All of them are named."""
    folder = source(case, name="a").folder
    for name in ("b", "c"):
        npu_kit.network(case, name=name)
    has(npu_kit.refuse(case, 9, "RP2900", folder, version=V111, hint=f"-i {folder}/a.c, or --name a"),
        f"has 3 networks: '{folder}/a.c', '{folder}/b.c' and '{folder}/c.c'")
    npu_kit.generate(case, folder, "--name", "a", version=V111)


@test
def parse_only_without_initialisers(case):
    """What the network says of itself is shown without the files; building needs them, by the C file's name."""
    net = source(case, name="Default", pools="mix")
    path = (net.folder / "Default.c").rename(net.folder / "sine.c")
    shown = npu_kit.generate(case, path, "--parse-only", version=V111).out
    for file in net.folder.glob("*.raw"):
        file.unlink()
    bare = case.relocpack("generate", "-i", path, "--parse-only").out
    equal(re.sub(r" from .*", "", shown), re.sub(r", whose .raw file is not there", "", bare), "what is shown")
    equal(bare.count("whose .raw file is not there"), len(net.raws), "files that are missing")
    has(npu_kit.refuse(case, 9, "RP2904", path, version=V111), "there is no", "sine_atonbuf.")


@test
def initialisers_of_the_compiler(case):
    """In the compiler's own folder the files have no network's name; beside another network, they are nobody's."""
    net = source(case, name="Default", pools="mix")
    path = (net.folder / "Default.c").rename(net.folder / "network_16.c")
    for file in net.folder.glob("*.raw"):
        file.rename(file.with_name(file.name.removeprefix("Default_")))
    (net.folder / "atonbuf.AXISRAM3.raw").touch()  # of a pool without parameters, as the compiler leaves it
    (net.folder / "network_blob_trace.c").write_text("int trace;\n")
    npu_kit.generate(case, path, version=V111)
    check_pools(reader.read_npu(case.dir / "out/network_16_rel.bin"), net, False)
    npu_kit.network(case, name="other", pools="mix", seed=4)
    has(npu_kit.refuse(case, 9, "RP2904", path, version=V111), "network_16_atonbuf.")


@test
def files_of_another_system(case):
    """Line ends and paths of Windows, in any encoding, make no difference."""
    net = source(case, pools="mix", epoch_controller=True)
    npu_kit.generate(case, net)
    path = net.folder / "network.c"
    text = path.read_text().replace('"network.onnx"', '"C:\\Users\\José M\\a b\\net\'s.onnx"')
    path.write_text(text, encoding="latin-1")
    for file in net.folder.glob("*.[ch]"):
        file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    npu_kit.generate(case, net, out="windows")
    equal((case.dir / "windows/network_rel.bin").read_bytes() == (case.dir / "out/network_rel.bin").read_bytes(),
          True, "the image")


@test
def relative_pack(case):
    """STEDGEAI_CORE_DIR as a relative path, through a link and with a slash at its end."""
    net = source(case)
    npu_kit.generate(case, net)
    (case.dir / "link").symlink_to(npu_kit.pack(case))
    npu_kit.generate(case, net, root="./link/", cwd=case.dir, out="relative")
    equal((case.dir / "relative/network_rel.bin").read_bytes() == (case.dir / "out/network_rel.bin").read_bytes(),
          True, "the image")


NAMES = {"upper": ("MY_NET", "my_net"), "blank": ("My Net v2", "my_net_v2"), "dash": ("Yolo-8.n", "yolo_8_n"),
         "digit": ("2nd", None), "unicode": ("Modèle", None), "quote": ('a"b\'', None), "long": ("N" * 100, "n" * 100)}


@each(list(NAMES))
def name(case, label):
    """Files have the name as given; the C name is its identifier in lower case. A C file cannot include a name with a quote."""
    given, want = NAMES[label]
    form = "split" if '"' in given else "gen-c-file,split"
    net = source(case, pools="mix")
    npu_kit.generate(case, net, "-n", given, "-r", form, "--workspace", case.dir / "work")
    image = reader.read_npu(case.dir / "out" / f"{given}_rel.bin", case.dir / "out" / f"{given}_data.bin")
    check(image.name.isidentifier() and image.name.isascii() and image.name == image.name.lower(),
          f"C name {image.name!r}")
    equal(image.name, want or image.name, "C name")
    table = symbols(case, npu_kit.Made(net, case.dir / "out", case.dir / "work", ""))
    check_entries(image, net, table)
    check_context(image, net, image.name)
    check_pools(image, net, False)
    if label != "quote":  # no C file can include a header of that name
        case.run(f"{CROSS}gcc", *npu_kit.CORE, "-fsyntax-only", "-Wall", "-Werror",
                 case.dir / "out" / f"{given}_img_rel.c")
    equal(case.report(given)["model"]["name"], given, "name in the report")


@test
def default_network(case):
    """Functions and blobs called Default, files called network: the compiler's own default."""
    net = source(case, pools="mix", name="Default", epoch_controller=True)
    for path in list(net.folder.iterdir()):
        if "ecblobs" not in path.name:
            path.rename(path.with_name(path.name.replace("Default", "network", 1)))
    case.relocpack("generate", "-i", net.folder, "-o", case.dir / "out", "--workspace", case.dir / "work",
                   env=npu_kit.env_of(npu_kit.pack(case)))
    image = reader.read_npu(case.dir / "out/network_rel.bin")
    check_context(image, net, "network")
    check_pools(image, net, False)
    check_entries(image, net, symbols(case, npu_kit.Made(net, case.dir / "out", case.dir / "work", "")))


@test
def names_that_are_none(case):
    net = source(case)
    for given in ("", "a/b", "../x", "two\nlines"):
        has(npu_kit.generate(case, net, "-n", given, status=2).err, "error RP2200", "--name")


@test
def name_of_the_file(case):
    """A renamed C file gives the model its name; functions and raw files keep the network's."""
    net = source(case, pools="both_params", epoch_controller=True)
    renamed = net.folder / "Renamed.c"
    (net.folder / "network.c").rename(renamed)
    npu_kit.generate(case, renamed)
    image = reader.read_npu(case.dir / "out/Renamed_rel.bin")
    equal(image.name, "renamed", "C name")
    check_pools(image, net, False)
    for path in list(net.folder.glob("network_atonbuf.*")):
        path.rename(path.with_name(path.name.replace("network", "Renamed", 1)))
    npu_kit.generate(case, renamed, out="again")
    equal((case.dir / "again/Renamed_rel.bin").read_bytes() == (case.dir / "out/Renamed_rel.bin").read_bytes(),
          True, "raw files with the name of the C file")
    for label, before, after in (("renamed", "_atonbuf.", "_atonbuf."), ("named", "_atonbuf.", "_data.")):
        for path in list(net.folder.glob(f"Renamed{before}*")):
            path.rename(path.with_name(path.name.replace(before, after)).with_suffix(".bin"))
        npu_kit.generate(case, renamed, out=label)
        equal((case.dir / label / "Renamed_rel.bin").read_bytes() == (case.dir / "out/Renamed_rel.bin").read_bytes(),
              True, f"raw files called {after}*.bin, as in the vendor's projects")
    first = next(iter(net.folder.glob("Renamed_data.*")))
    other = first.with_name(first.name.replace("_data.", "_atonbuf."))
    other.write_bytes(first.read_bytes())
    has(npu_kit.refuse(case, 9, "RP2904", renamed), first.name, other.name)
    other.unlink()
    for path in net.folder.glob("Renamed_data.*"):
        path.with_name(path.name.replace("_data.", "_atonbuf.")).with_suffix(".raw").write_bytes(path.read_bytes())
        path.write_bytes(b"of another run")
    npu_kit.generate(case, renamed, out="both")
    equal((case.dir / "both/Renamed_rel.bin").read_bytes() == (case.dir / "out/Renamed_rel.bin").read_bytes(),
          True, "the compiler's own files come first")


@test
def pack_without_its_upper_folders(case):
    """Projects contain Middlewares/ST/AI alone, under a name of their own."""
    net = source(case, pools="both_params", epoch_controller=True)
    npu_kit.generate(case, net)
    whole = npu_kit.copy_pack(case)
    alone = (whole / "Middlewares/ST/AI").rename(case.dir / "stedgeai-lib")
    shutil.rmtree(whole / "Middlewares")
    platform = whole / "scripts/N6_reloc/resources/platform/stm32n6"
    if platform.is_dir():
        shutil.copytree(platform, alone / "Npu/Devices/STM32N6xx")
    npu_kit.generate(case, net, out="again", root=alone)
    equal((case.dir / "again/network_rel.bin").read_bytes() == (case.dir / "out/network_rel.bin").read_bytes(),
          True, "with the folder alone")


ODD = {"blank": "a b  c", "quote": "it's", "double": 'say "hi"', "dollar": "$HOME $(HOME)", "semicolon": "a;b",
       "hash": "a#b", "percent": "100%", "ampersand": "a&b", "non_ascii": "modèle-模型", "backslash": "a\\b",
       "command": "$(touch PWNED)", "star": "*?[a]", "equals": "a=b", "at": "@file", "comma": "a,b"}


@each(list(ODD))
def odd_path(case, label):
    """Network, pack, output and workspace in folders of that name: the image is the same."""
    word = ODD[label]
    net = source(case, pools="mix", epoch_controller=True)
    npu_kit.generate(case, net, "-r", "ecblob-in-params", out="plain")
    moved = case.dir / word / "in"
    shutil.copytree(net.folder, moved)
    root = npu_kit.copy_pack(case, name=f"{word}/pack")
    case.relocpack("generate", "-i", moved, "-o", case.dir / word / "out", "-r", "ecblob-in-params",
                   "--workspace", case.dir / word / "work", env=npu_kit.env_of(root), cwd=case.dir)
    equal((case.dir / word / "out/network_rel.bin").read_bytes() == (case.dir / "plain/network_rel.bin").read_bytes(),
          True, "the image")
    check(not [path for path in case.dir.rglob("*PWNED*") if not str(path.relative_to(case.dir)).startswith(word)],
          "shell injection")


@test
def output_is_the_input_folder(case):
    """The generator's files are not touched, not even by whole after split."""
    net = source(case, pools="mix", epoch_controller=True)
    before = kit.snapshot(net.folder)
    for words in (["-r", "split,gen-c-file"], [], ["-r", "ecblob-in-params"]):
        case.relocpack("generate", "-i", net.folder, "-o", net.folder, "-q", *words,
                       env=npu_kit.env_of(npu_kit.pack(case)))
        after = kit.snapshot(net.folder)
        for name_, data in before.items():
            equal(after.get(name_) == data, True, f"{name_} after {words}")
        equal(((net.folder / "network_data.bin").exists(), (net.folder / "network_img_rel.c").exists()),
              (bool(words) and "split" in words[1], bool(words) and "gen-c" in words[1]), f"files after {words}")
    check_pools(reader.read_npu(net.folder / "network_rel.bin"), net, True)


@test
def read_only_input(case):
    net = source(case, pools="mix", epoch_controller=True)
    root = npu_kit.copy_pack(case)
    folders = [net.folder, *(path for path in root.rglob("*") if path.is_dir()), root]
    for folder in folders:
        for path in folder.iterdir():
            if path.is_file():
                path.chmod(0o444)
        folder.chmod(0o555)
    before = kit.snapshot(net.folder)
    try:
        npu_kit.generate(case, net, root=root)
    finally:
        for folder in folders:
            folder.chmod(0o755)
    equal(kit.snapshot(net.folder), before, "the input folder")
    check_pools(reader.read_npu(case.dir / "out/network_rel.bin"), net, False)


@test
def parse_only(case):
    """Needs neither pack nor compiler; prints pools, epochs and sizes; writes nothing."""
    for blobs in (False, True):
        net = source(case, folder=f"net{blobs}", pools="mix", epoch_controller=blobs)
        result = case.generate(npu_kit.source_of(net), "--parse-only", target=None,
                               env={"STEDGEAI_CORE_DIR": None, "CROSS_COMPILE": "no-such-"})
        acts, params = sizes(net)
        has(result.out, "dialect   ll-aton", "network   network", "release   1.1.1-14", "atonn-v1.1.1-14",
            f"params    {params} bytes", f"acts      {acts} bytes", "epochs    5, 2 sw, 1 hybrid, 2 blob" if blobs
            else "epochs    6, 3 hw, 2 sw, 1 hybrid")
        for name_, flags, _, _, size in descriptors(net)[0]:
            row = matches(result.out, rf"^pool +{name_} [^\n]*$").group(0)
            has(row, f"{size} bytes", {1: "RELOC", 2: "COPY", 3: "RESET"}[flags >> 24],
                {1: "PARAM", 2: "ACTIV", 3: "MIXED"}[flags >> 16 & 0xFF])
        matches(result.out, rf"ext ram +{net.by_postfix['xSPI1'].end} bytes")
        has(result.out, "network_atonbuf.xSPI2.raw")
        check(not (case.dir / "out").exists(), "an output folder")


@test
def parse_only_of_old_tables(case):
    """Buffer tables of older compilers are also read."""
    net = source(case, pools="mix", form="old")
    new = source(case, folder="new", pools="mix")
    texts = [case.generate(npu_kit.source_of(one), "--parse-only", target=None).out for one in (net, new)]
    equal(texts[0], texts[1], "the same memory")


@test
def workspace_kept(case):
    net = source(case)
    result = npu_kit.generate(case, net, "--no-clean", workspace_left=True)
    kept = matches(result.err, r"workspace kept in (\S+)").group(1)
    has(" ".join(os.listdir(kept)), "image.elf", "npu_conf.h", "npu_pools.h")


@test
def stale_files_of_an_earlier_run(case):
    """Files of a run with other options are removed; files that are not ours stay."""
    net = source(case)
    mine = case.write("out/network_notes.txt", "mine")
    npu_kit.generate(case, net, "-r", "split,gen-c-file")
    check((case.dir / "out/network_data.bin").exists(), "params file")
    npu_kit.generate(case, net)
    for gone in ("network_data.bin", "network_img_rel.c", "network_img_rel.h"):
        check(not (case.dir / "out" / gone).exists(), f"{gone} is still there")
    equal(mine.read_text(), "mine", "a file of the user")
    (case.dir / "out/network_data.bin").write_bytes(b"of the user")
    npu_kit.generate(case, net)
    equal((case.dir / "out/network_data.bin").read_bytes(), b"of the user", "a file that only has the name")


@test
def dry_run(case):
    net = source(case)
    result = npu_kit.generate(case, net, "--dry-run")
    has(result.out + result.err, "network.c", "ll_aton.c", "-mcpu=cortex-m55", "-mcmse")
    check(not (case.dir / "out").exists(), "an output folder")


@test
def depfile(case):
    net = source(case, pools="mix", epoch_controller=True)
    npu_kit.generate(case, net, "--depfile", case.dir / "d")
    has((case.dir / "d").read_text(), "network.c", "network_ecblobs.h", "network_atonbuf.xSPI2.raw",
        "network_atonbuf.AXISRAM6.raw", "NetworkRuntime1100_CM55_GCC_PIC.a")


@test
def pack_objects_do_not_depend_on_the_network(case):
    """Seven of the pack's files are compiled the same for every network, so a launcher's cache has them."""
    folders = [npu_kit.made(case, **changes).workspace / "obj" for changes in
               ({}, dict(pools="mix", name="other", seed=5))]
    sums = [[kit.sha256(folder / f"{number:03}.o") for number in range(1, 9)] for folder in folders]
    check(sums[0][0] != sums[1][0], "the network's own object")
    equal(sums[1][1:], sums[0][1:], "objects of the pack")


OTHER_MACROS = {
    "debug": ("no-dbg-info", ["-D", "LL_ATON_EB_DBG_INFO"]), "no_debug": ("", ["--cflags=-ULL_ATON_EB_DBG_INFO"]),
    "polling": ("", ["-D", "LL_ATON_RT_MODE=LL_ATON_RT_POLLING"]), "async": ("polling", ["-D", "LL_ATON_RT_MODE=LL_ATON_RT_ASYNC"]), "register": ("", ["--cflags=-mpic-register=r10"]),
}


@each(list(OTHER_MACROS))
def network_compiled_unlike_the_pack(case, label):
    """Its structs, or its GOT register, would differ from the runtime's."""
    items, words = OTHER_MACROS[label]
    error = npu_kit.refuse(case, 2, "RP2200", source(case), *words_of(*filter(None, [items])), *words)
    has(error, words[-1].removeprefix("--cflags="))


@each(["1.1.1", "1.1.3"])
def macro_undefined_in_the_network(case, release):
    """A difference that no option shows: the table of epochs has another size."""
    net = npu_kit.network(case, version={"1.1.1": V111, "1.1.3": V113}[release])
    path = npu_kit.source_of(net)
    path.write_text("#undef LL_ATON_EB_DBG_INFO\n" + path.read_text())
    has(npu_kit.refuse(case, 9, "RP2921", net), "the table of epochs of 'network' has", "other macros")
