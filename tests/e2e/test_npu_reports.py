# SPDX-License-Identifier: Apache-2.0
"""Reports of Neural-ART images: each figure against the image as our own reader sees it and against
what the generator of the network knows; the vendor's block of text, line for line; determinism.
"""
import copy
import datetime
import importlib.util
import json
import os
import pathlib
import re
import shutil

import kit
import npu_kit
import schemas
import npu_networks as networks
from kit import check, each, equal, has, has_not, matches, test
from npu_kit import sizes, symbols, words_of
from npu_networks import V113, V113_8

TYPES, DATA = {1: "RELOC", 2: "COPY", 3: "RESET"}, {1: "PARAM", 2: "ACTIV", 3: "MIXED"}
ATTRS = {1: "READ", 2: "WRITE", 5: "RCACHED", 6: "WCACHED"}
KINDS = {  # label: (options, -r)
    "plain": (dict(), ()),
    "blobs": (dict(pools="mix", epoch_controller=True, outputs=2), ()),
    "blobs_late": (dict(pools="mix", epoch_controller=True, version=V113), ("split", "ecblob-in-params")),
    "late_internal": (dict(pools="internal_two", version=V113_8), ("split", "no-secure")),
    "ext": (dict(pools="ext_mixed", user_inputs=True, name="Detector_2"), ("no-dbg-info", "gen-c-file")),
    "virtual": (dict(pools="virtual", epoch_controller=True), ("ecblob-in-params", "no-secure", "no-dbg-info")),
}


def lint():
    """tests/lint/check_schema.py as a module."""
    try:
        import jsonschema  # noqa: F401
    except ImportError:
        raise kit.Skip("python3-jsonschema is not installed") from None
    spec = importlib.util.spec_from_file_location("check_schema", kit.ROOT / "tests/lint/check_schema.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def made_of(case, label):
    options, choice = KINDS[label]
    made = npu_kit.made(case, *words_of(*choice), **options)
    return made, made.read(), json.loads((made.out / f"{made.name}_generate_rel.json").read_text())


def flags_of(pool):
    number = f".{pool.id}" if pool.type == 1 else ""
    return f"{TYPES[pool.type]}.{DATA[pool.data]}{number}.{ATTRS[pool.attr]}"


def blobs_of(net):
    """[(name, bytes of the copy, bytes of the blob, mark)]"""
    rows = []
    for number in net.blob_groups() if net.options.epoch_controller else ():
        words, relocs = net.blob(number)
        rows.append((net.blob_name(number), 8 * net.runtime_size(words) if relocs else 0,
                     8 * len(net.blob_file(number)), "r:ptr" if relocs else ""))
    return rows


# ---- JSON ----

@each(list(KINDS))
def schema(case, label):
    module = lint()
    made, _, _ = made_of(case, label)
    equal(module.faults(schemas.validator("report"), made.out / f"{made.name}_generate_rel.json"), [], "faults")


@test
def schema_is_closed(case):
    """A member that does not belong to its kind of report is a fault: missing, unknown or mixed members."""
    kind = schemas.validator("report")
    _, _, good = made_of(case, "blobs_late")
    case.generate(kit.EXAMPLES / "tiny/tiny.c", "-q")
    plain = case.report("tiny")

    def changed(report, change):
        report = copy.deepcopy(report)
        change(report)
        return report
    for report in (good, plain):
        check(kind.is_valid(report), "a good report")
        check(not kind.is_valid(changed(report, lambda r: r.update(more=1))), "an unknown member")
    for name in ("pools", "ec_blobs", "runtime", "version", "versions", "compiler", "reloc_binary_image"):
        check(not kind.is_valid(changed(good, lambda r: r.pop(name))), f"no {name}")
        check(not kind.is_valid(changed(plain, lambda r: r.update({name: good[name]}))), f"{name} with cortex-m")
    for change in (lambda r: r["memory"].pop("ext_ram"), lambda r: r["image"].update(format="cortex-m"),
                   lambda r: r["image"].update(version="2.0"), lambda r: r["image"]["entries"].pop("ctx"),
                   lambda r: r["image"]["entries"].pop("blob_encryption_info"), lambda r: r["pools"][0].update(id=2),
                   lambda r: r["image"].update(entries=plain["image"]["entries"]),
                   lambda r: r["pools"][0].update(more=1),
                   lambda r: r["model"].update(dialect="c"), lambda r: r["toolchain"].update(kind="clang"),
                   lambda r: r["reloc_binary_image"]["rt_context"].update(more=1),
                   lambda r: r["reloc_binary_image"].pop("notes"), lambda r: r["ec_blobs"][0].update(bss=-1)):
        check(not kind.is_valid(changed(good, change)), "a report that is changed")


@each(list(KINDS))
def pools_and_blobs(case, label):
    made, image, report = made_of(case, label)
    equal(report["pools"], [
        {"name": pool.name, "flags": f"0x{pool.flags:08x}", "type": TYPES[pool.type], "data": DATA[pool.data],
         "attr": ATTRS[pool.attr], "id": pool.id, "foff": pool.foff, "dst": f"0x{pool.dst:08x}",
         "size_bytes": pool.size} for pool in image.pools], "pools")
    equal(report["regions"], npu_kit.regions_of(image), "regions")
    got = sorted(report["ec_blobs"], key=lambda entry: entry["name"])
    equal(got, [{"name": name, "bss": bss, "rodata": rodata, "reloc": bool(mark)}
                for name, bss, rodata, mark in blobs_of(made.network)], "blobs")


@each(list(KINDS))
def image_and_memory(case, label):
    made, image, report = made_of(case, label)
    net, choice = made.network, KINDS[label][1]
    number = "{}.{}.{}-{}".format(*net.options.version)
    release = f"atonn-v{number}-g{networks.REVISION}"
    equal(report["runtime"], {"description": f"{release} (RELOC.GCC)", "pack": release, "version": number}, "runtime")
    equal((report["toolchain"]["kind"], report["model"]["dialect"], report["model"]["generator"],
           report["model"]["name"]), ("gcc", "ll-aton", release, net.name), "toolchain and model")
    equal(report["target"], {"series": "stm32n6", "cpu": "cortex-m55", "cpuid": "D22", "fpu": "fpv4-sp-d16",
                             "float_abi": "hard"}, "target")
    got = report["image"]
    equal((got["format"], got["version"], got["flags"], got["split"], got["xip_ok"], got["reasons"]),
          ("neural-art", "8.0", f"0x{image.flags:08x}", "split" in choice, True, []), "image")
    equal(list(got["entries"].values()), [f"0x{word:08x}" for word in [*image.entries.values(), image.ctx | 4 << 28]],
          "entry vector")
    equal(got["integrity"], {"trailer_offset": len(image.data) - 96, "build_id": image.trailer.build_id.hex()},
          "integrity")
    acts, params = sizes(net)
    equal(report["memory"], {
        "flash": sum(npu_kit.size_of(path) for path in (made.image_path, made.params_path) if path),
        "ram_xip": image.ram_xip, "ram_copy": image.ram_copy, "params": params, "acts": acts,
        "got": image.got_end - image.got_start, "header_and_rel": image.header_bytes + 4 * len(image.rel),
        "ext_ram": image.ext_ram_size}, "memory")
    equal(report["relocations"]["rel_words"], len(image.rel), "REL words")
    equal(report["relocations"]["got_entries"], sum(word != 0 for word in image.got), "GOT entries")
    check_sections(image, got["sections"], choice, acts)


def check_sections(image, sections, choice, acts):
    """The rows against the words of the header; sums.py adds them up."""
    split = "split" in choice
    code = sum(entry["size_bytes"] for entry in sections
               if entry["segment"] == "flash" and entry["offset"] < image.ro_size)
    equal(code, image.ro_size, "rows before the data")
    want = {"header": (0, image.header_bytes), "data": (0, image.data_end),
            "got": (image.got_start, image.got_end - image.got_start),
            "bss": (image.bss_start, image.bss_end - image.bss_start),
            "rel": (image.rel_start, image.rel_end - image.rel_start),
            "params": (0 if split else image.params_offset, image.params_size), "activations": (None, acts)}
    equal({entry["name"]: (entry.get("offset"), entry["size_bytes"]) for entry in sections
           if entry["name"] in want}, want, "sections")
    segments = {"header": "flash", "text+rodata": "flash", "data": "ram", "got": "ram", "bss": "ram", "rel": "flash",
                "params": "file" if split else "flash", "activations": "pools"}
    equal({entry["name"]: entry["segment"] for entry in sections
           if entry["name"] not in ("padding", "trailer")}, segments, "segments")
    for entry in sections:
        if entry["name"] not in ("activations", "bss", "padding"):
            equal(entry["offset"] % entry["align"], 0, f"offset of {entry['name']}")


@each(list(KINDS))
def files_and_tensors(case, label):
    made, _, report = made_of(case, label)
    net = made.network
    for entry in report["files"]:
        path = made.out / entry["path"]
        equal((entry["size_bytes"], entry["sha256"]), (npu_kit.size_of(path), kit.sha256(path)), entry["path"])
    left = set(kit.visible(made.out)) - {entry["path"] for entry in report["files"]}
    equal(left, {f"{net.name}_generate_rel.json", f"{net.name}_generate_report.txt"}, "files that are not listed")
    inputs = {entry["path"]: entry["sha256"] for entry in report["inputs"]}
    want = {path.name: kit.sha256(path) for path in net.folder.iterdir() if not path.name.endswith(f"{net.name}.h")}
    archive = npu_kit.pack(case, net.options.version) / npu_kit.ARCHIVE
    equal(inputs, {**want, archive.name: kit.sha256(archive)}, "inputs")
    for key, tensors in (("inputs", net.inputs), ("outputs", net.outputs)):
        equal(report["model"][key], [{"name": tensor.name, "dtype": "int8", "shape": list(net.full_shape(tensor)),
                                      "size_bytes": tensor.size, "scale": 0.0625, "zero_point": 0}
                                     for tensor in tensors], key)


def vendors_members(made, image, report, paths):
    """Where npu_driver.py 1.4 has them; of compiler, what scripts read."""
    acts, params = sizes(made.network)
    version = image.rt_version
    truth = lambda value: "True" if value else "False"
    return {
        "version": "1.0", "versions": {"npu_driver": "1.4", "prepare_c_file": "1.1", "post-process": "1.0"},
        "compiler": {"description": image.rt_description.removesuffix(" (RELOC.GCC)"),
                     "version": dict(zip(("major", "minor", "patch", "build"), version))},
        "reloc_binary_image": {
            "flags": {"vers_major": 8, "vers_minor": 0, "secure": image.secure, "dbg_info": image.dbg_info,
                      "async_mode": image.is_async, "toolchain": "ARM_GCC", "float-abi": 2, "fpu": True, "cpuid": "D22",
                      "description": f"v8.0 dbg={truth(image.dbg_info)} async={truth(image.is_async)} "
                                     f"sec={truth(image.secure)} 'Embedded ARM GCC' cpuid=D22 fpu=True float-abi=2"},
            "sections": {"header": image.header_bytes, "data": image.data_end, "bss": image.bss_end - image.bss_start,
                         "got": image.got_end - image.got_start, "rel": image.rel_end - image.rel_start},
            "img_size": len(image.data), "params_offset": image.params_offset, "params_size": image.params_size,
            "xip_size": image.ram_xip, "copy_size": image.ram_copy, "ro_size": image.ro_size, "rw_size": image.bss_end,
            "mempool_c_descriptors": [
                {"name": pool.name, "addr": f"0x{pool.name_word:08x}", "flags_raw": f"0x{pool.flags:08x}",
                 "flags_desc": flags_of(pool), "foff": pool.foff, "dst": f"0x{pool.dst:08x}", "size": pool.size}
                for pool in image.pools],
            "rt_context": {
                "c_name": image.name, "acts_sz": acts, "params_sz": params, "ext_ram_sz": image.ext_ram_size,
                "rt_version_desc": image.rt_description,
                "rt_version": version[0] << 24 | version[1] << 16 | version[2] << 8, "rt_version_extra": version[3],
                "params_bin_sz": image.params_size, "params_bin_crc32": f"0x{image.params_crc32:08x}",
                "rt_c_struct_sizes": {"ll_buffer_info": 0x38, "epochblock_item": 0x30 if image.dbg_info else 0x14}},
            "img_params_size": image.params_size, "acts_size": acts,
            "notes": [f"[{'WARNING' if entry['severity'] == 'warning' else 'INFO'}] {entry['message']}"
                      for entry in report["diagnostics"]],
            "gen_files": [{"size": entry["size_bytes"], "path": str(paths / entry["path"])}
                          for entry in report["files"]]}}


@each(list(KINDS))
def members_of_the_vendor(case, label):
    made, image, report = made_of(case, label)
    want = vendors_members(made, image, report, made.out)
    equal({key: report[key] for key in want}, want, "the vendor's members")
    made_at = datetime.datetime.strptime(report["created-date"], "%a %b %d %H:%M:%S %Y")
    check(abs(datetime.datetime.now() - made_at) < datetime.timedelta(days=1), f"created-date {made_at}")


@test
def members_of_the_vendor_again(case):
    """A relative output folder gives absolute paths; with --reproducible there are names alone, and no time."""
    net = npu_kit.network(case)
    for words, folder in ((["-o", "o ut"], case.dir / "o ut"), (["-o", "o ut", "--reproducible"], pathlib.Path())):
        case.relocpack("generate", "-i", net.folder, *words, "-q", cwd=case.dir, env=npu_kit.env_of(npu_kit.pack(case)))
        report = case.report("network", "o ut")
        equal(report["reloc_binary_image"]["gen_files"],
              [{"size": entry["size_bytes"], "path": str(folder / entry["path"])} for entry in report["files"]], "files")
    check("created-date" not in report, "created-date with --reproducible")


@test
def how_to_do_it_again(case):
    """The run part has the choices, as they were given."""
    net = npu_kit.network(case, epoch_controller=True)
    for number, (words, want) in enumerate((
            ([], []), (["-r", "split,no-secure"], ["split", "no-secure"]),
            (["--ecblob-in-params"], ["ecblob-in-params"]),
            (["-r", "no-dbg-info", "-r", "gen-c-file"], ["no-dbg-info", "gen-c-file"]))):
        npu_kit.generate(case, net, *words, out=f"out{number}")
        run = case.report("network", f"out{number}")["run"]
        equal(run["input"], str(npu_kit.source_of(net)), "input")
        equal(run["reloc"], want, f"choices with {words}")


# ---- text ----

def commas(number):
    return f"{number:,}"


def table(rows, centred=False):
    """As the vendor's tools print one."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    rule = " +" + "+".join("-" * (width + 2) for width in widths) + "+"
    put = (lambda text, width: text.center(width)) if centred else (lambda text, width: text.ljust(width))
    lines = [" | " + " | ".join(put(cell, width) for cell, width in zip(row, widths)) + " |" for row in rows]
    return [rule, lines[0], rule, *lines[1:], rule]


def block(image, net):
    """The lines of the vendor's block, without remarks behind sizes."""
    got, rel = image.got_end - image.got_start, 4 * len(image.rel)
    bss, extra = image.ram_xip - image.got_end, image.header_bytes + rel
    acts, params = sizes(net)
    share = lambda part, whole: f"{100 * part / whole:.1f}%"
    rows = [["name (addr)", "flags", "foff", "dst", "size"]]
    rows += [[f"{pool.name} (0x{pool.name_word:08x})", f"0x{pool.flags:08x} {flags_of(pool)}", str(pool.foff),
              f"0x{pool.dst:08x}", str(pool.size)] for pool in image.pools]
    rows.append(["<undefined> (0x00000000)", "0x00000000 UNUSED", "0", "0x00000000", "0"])
    truth = lambda value: "True" if value else "False"
    return [
        ' Runtime Loadable Model - Memory Layout (series="stm32n6npu")', " " + "-" * 80, "",
        f" v8.0 dbg={truth(image.dbg_info)} async=True sec={truth(image.secure)} 'Embedded ARM GCC' cpuid=D22 fpu=True "
        "float-abi=2", "",
        f" XIP size             = {commas(image.ram_xip):10} data({image.got_start})+got({got})+bss({bss}) sections",
        f" COPY size            = {commas(image.ram_copy):10} +ro({image.ro_size}) sections",
        f" extra sections       = {commas(got + extra):10} got:{got}({share(got, image.ram_xip)}) "
        f"header+rel:{extra}({share(extra, image.ro_size)})",
        f" params size          = {commas(params)}", f" acts size            = {commas(acts)}",
        f" binary file size     = {commas(len(image.data))}", f" params file size     = {commas(len(image.params_file or b''))}",
        "", *table(rows),
        f"  Table: mempool c-descriptors (off={0x40000000 | image.pools_at:08x}, {len(rows) - 1} entries, from RAM)",
        "",
        f' rt_ctx: c_name="{image.name}", acts_sz={commas(acts)}, params_sz={commas(params)}, '
        f"ext_ram_sz={commas(image.ext_ram_size)}", f' rt_ctx: rt_version_desc="{image.rt_description}"']


@each(list(KINDS))
def text_report(case, label):
    made, image, report = made_of(case, label)
    lines = made.text.split("\n")
    at = next(i for i, line in enumerate(lines) if "Memory Layout" in line)
    want = block(image, made.network)
    for i, line in enumerate(want):
        shown = lines[at + i].rstrip()
        if line.startswith(" params size"):  # with a remark
            shown = re.sub(r" +(included in|in a file of).*$", "", shown)
        equal(shown, line.rstrip(), f"line {i} of the block")
    equal((made.out / f"{made.name}_generate_report.txt").read_text(), made.text, "the text that is also printed")
    for entry in report["files"]:
        has(made.text, f"/{entry['path']}\n")
    has_not(made.text, "Table: EC blob objects")


@each(["plain", "blobs", "blobs_late", "virtual"])
def table_of_blobs(case, label):
    """With -v 2 (--verbosity 2, -v -v), and only when there are any."""
    options, choice = KINDS[label]
    net = npu_kit.network(case, **options)
    rows = blobs_of(net)
    cells = [["Name", "bss", "ro data", "reloc"]]
    cells += [[name, commas(bss) if bss else "", commas(rodata), mark] for name, bss, rodata, mark in rows]
    cells += [["", "", "", ""], ["total", commas(sum(row[1] for row in rows)), commas(sum(row[2] for row in rows)), ""]]
    for number, words in enumerate((["-v", "2"], ["--verbosity", "2"], ["-v", "-v"])):
        text = npu_kit.generate(case, net, *words, *words_of(*choice), out=f"out{number}").out
        if rows:
            has(text, "\n".join(table(cells, True)) + f"\n  Table: EC blob objects ({len(rows)})")
        else:
            has_not(text, "EC blob")
    has_not(npu_kit.generate(case, net, "-v", *words_of(*choice), out="out1").out, "EC blob")


@test
def budgets(case):
    net = npu_kit.network(case, pools="ext")
    result = npu_kit.generate(case, net, "--budget", "ext_ram=1K", "--budget", "params=1M", "--budget", "ram_copy=64K")
    budgets_ = {entry["metric"]: entry for entry in case.report("network")["budgets"]}
    equal(budgets_["ext_ram"], {"metric": "ext_ram", "level": "fail", "given": "1K", "limit": 1024, "value": net.by_postfix["xSPI1"].end,
                                "status": "ok"}, "ext_ram")
    equal(len(budgets_), 3, "budgets")
    matches(result.out, rf"ext_ram +{net.by_postfix['xSPI1'].end} of +1,024 +ok")
    has(case.relocpack("generate", "--help", "all").out, "ext_ram")


@test
def static_comparison(case):
    """Figures of a static link of the network, or a refusal, but no link of nothing."""
    for folder, options in (("a", dict()), ("b", dict(pools="mix", epoch_controller=True, version=V113))):
        net = npu_kit.network(case, folder, **options)
        result = npu_kit.generate(case, net, "--compare-static", out=f"out-{folder}", status=None)
        check(result.status in (0, 2), result.show())
        if result.status == 2:
            has(result.err, "--compare-static")
            continue
        static = case.report("network", f"out-{folder}")["memory"]["static"]
        check(static["flash"] > 1000, f"the static link has {static['flash']} bytes of flash")
        has_not(result.out, "-100.0%")


@test
def quiet(case):
    net = npu_kit.network(case)
    result = npu_kit.generate(case, net, "-q")
    equal((result.out, result.err), ("", ""), "output")


# ---- determinism ----

WORDS = ["--reproducible", "-q", "-r", "gen-c-file"]


def build(case, label, words=(), root=None, **more):
    """A build somewhere else; the text report, which names the folder, has that left out."""
    options = dict(pools="mix", epoch_controller=True, version=V113)
    net = npu_kit.network(case, f"{label}/in put", **options)
    out = case.dir / label / "out"
    case.relocpack("generate", "-i", net.folder, "-o", out, *WORDS, *words,
                   env={**npu_kit.env_of(root or npu_kit.pack(case, V113)), **more.pop("env", {})}, **more)
    files = kit.snapshot(out)
    text = "network_generate_report.txt"
    files[text] = files[text].replace(str(case.dir / label).encode(), b"")
    return files


def same(got, want, what):
    equal(sorted(got), sorted(want), f"files, {what}")
    for name, data in want.items():
        equal(got[name] == data, True, f"{what}: {name} is the same")


WAYS = {
    "again": ([], {}), "one_job": (["-j1"], {}), "many_jobs": (["-j8"], {}),
    "no_launcher": (["--launcher", "none"], {}),
    "workspace": (["--workspace", "work"], {}), "no_ccache": ([], {"CCACHE_DISABLE": "1"}),
    "turkish": ([], {"LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8"}), "verbose": (["-v"], {}),
    "environment": ([], {"CPATH": "/tmp", "CFLAGS": "-O0", "HOME": None, "TZ": "Pacific/Kiritimati", "COLUMNS": "20"}),
}


@each(list(WAYS))
def way(case, label):
    words, env = WAYS[label]
    want = build(case, "first")
    got = build(case, "second somewhere else", words, env=env, cwd=case.dir)
    same(got, want, label)


@test
def pack_somewhere_else(case):
    """Two places of the pack, one of them with blanks: image and report are the same."""
    want = build(case, "first")
    same(build(case, "second", root=npu_kit.copy_pack(case, V113, "other place/of the pack")), want, "another place")
    custom = case.write("custom.json", json.dumps({"stedgeai_install_path": str(case.dir / "other place/of the pack")}))
    got = build(case, "third", ["--custom", custom], root="/nowhere")
    equal(got["network_rel.bin"] == want["network_rel.bin"], True, "image with a custom file")
    link = case.dir / "link"
    link.symlink_to(case.dir / "other place")
    same(build(case, "fourth", root=link / "of the pack"), want, "through a link")


@test
def no_paths(case):
    """No folder and no name of the machine is in any file of a reproducible build."""
    files = build(case, "first", ["--launcher", "none"])
    for name, data in files.items():
        for secret in (str(case.base), str(kit.ROOT), str(case.tmp), os.uname().nodename):
            has_not(data.decode(errors="replace"), secret)


@test
def reproducible_report_has_no_run(case):
    net = npu_kit.network(case)
    npu_kit.generate(case, net, "--reproducible", out="r")
    npu_kit.generate(case, net, out="n")
    plain = case.report("network", "n")
    check("run" not in case.report("network", "r") and "run" in plain, "the member run")
    del plain["run"], plain["created-date"]
    for entry in plain["reloc_binary_image"]["gen_files"]:
        entry["path"] = pathlib.Path(entry["path"]).name
    equal(plain, case.report("network", "r"), "the rest")


@test
def order_of_the_folder(case):
    """The order in which the network's files were made does not matter."""
    net = npu_kit.network(case, "a", pools="mix", epoch_controller=True)
    other = case.dir / "b"
    other.mkdir()
    for path in sorted(net.folder.iterdir(), reverse=True):
        shutil.copy(path, other)
    for folder in ("a", "b"):
        npu_kit.generate(case, case.dir / folder / "network.c", "--reproducible", out=f"out {folder}")
    npu_kit.same_folders(case.dir / "out b", case.dir / "out a", "another order", ["network_generate_report.txt"])


@test
def symbols_of_the_report(case):
    """Names and sizes are those of the linked file."""
    made, _, report = made_of(case, "blobs_late")
    table_ = symbols(case, made)
    sections = {2: ("header", "text+rodata"), 4: ("data", "bss"), 8: ("params",)}
    for entry in report["symbols"]:
        name = re.sub(r"\.\d+$", "", entry["name"])
        if name in table_ and not name.startswith("__func__"):
            check(entry["section"] in sections[table_[name] >> 28], f"section of {name}: {entry['section']}")
    names = {entry["name"] for entry in report["symbols"]}
    check({"_ec_blob_network_1", "_ec_blob_network_1_ptr", "_network_rt_ctx", "_params_desc"} <= names, "symbols")
