# SPDX-License-Identifier: Apache-2.0
"""What must not become an image of a Neural-ART network: weights, tables or packs that do not fit. Each
is an error with code, id and a sentence that says where; none leaves or changes a file.
"""
import json
import re
import shutil

import kit
import npu_kit
import npu_networks as networks
import reader
from kit import CROSS, check, each, equal, has, has_not, matches, test
from npu_kit import check_pools, ranges
from npu_networks import V111, V113, V113_8


def edit(net, old, new, count=1, name=None):
    """Replaces text in the C file; returns the line of the first change."""
    path = net.folder / (name or f"{net.name}.c")
    text = path.read_text()
    check(old in text, f"the generator writes no {old!r}")
    path.write_text(text.replace(old, new, count) if count else text.replace(old, new))
    return text[:text.index(old)].count("\n") + 1


def raw_of(net, postfix, name=None):
    return net.folder / f"{name or net.name}_atonbuf.{postfix}.raw"


def extent(net, postfix):
    """The least number of bytes in a pool's initialiser."""
    return max(tensor.end for tensor in net.by_postfix[postfix].tensors if tensor.param)


# ---- initialisers ----

RAWS = {"empty": lambda data, need: b"", "one_short": lambda data, need: data[:need - 1],
        "half": lambda data, need: data[:need // 2], "one_byte": lambda data, need: data[:1],
        "long": lambda data, need: data + bytes(200), "twice": lambda data, need: 2 * data}


@each(list(RAWS))
def raw_of_another_size(case, label):
    """Both sizes, the pool and the file are named; of each pool that has an initialiser."""
    for postfix in ("xSPI2", "AXISRAM6"):
        net = npu_kit.network(case, postfix, pools="mix")
        path, need = raw_of(net, postfix), extent(net, postfix)
        data = RAWS[label](path.read_bytes(), need)
        path.write_bytes(data)
        for words in ([], ["-r", "split"], ["--parse-only"]):
            message = npu_kit.refuse(case, 9, "RP2904", net, *words, hint="")
            has(message, f"pool {postfix}", str(path), f"{len(data)} bytes", str(need))


@test
def raw_sizes_that_are_right(case):
    """Up to 16 bytes from the last byte of a parameter on, with zeros: all in the params, followed by zeros."""
    for pools, postfix in (("flash", "xSPI2"), ("ext_mixed", "xSPI1")):
        net = npu_kit.network(case, pools, pools=pools)
        path, need = raw_of(net, postfix), extent(net, postfix)
        most = reader.align(need, 16)
        check(most - need > 1, "room for padding")
        data = path.read_bytes()[:need]
        for size in (need, need + 1, most):
            path.write_bytes(data.ljust(size, b"\0"))
            npu_kit.generate(case, net)
            params = reader.read_npu(case.dir / "out/network_rel.bin").params
            equal(params[:need], data, f"params with a file of {size} bytes")
            check(not any(params[need:reader.align(need, 8)]), "padding")
        path.write_bytes(data.ljust(most + 1, b"\0"))
        has(npu_kit.refuse(case, 9, "RP2904", net), str(most + 1), str(need))
        path.write_bytes(data.ljust(most - 1, b"\0") + b"\1")
        has(npu_kit.refuse(case, 9, "RP2904", net), f"pool {postfix}", str(most), str(need), "not all zero")
        edit(net, " * --cache-maintenance = true\n", " * --cache-maintenance = true\n * --encrypt-weights = true\n")
        npu_kit.generate(case, net, "--parse-only")


@each([("internal", "AXISRAM5"), ("ext_mixed", "xSPI1")])
def raw_sizes_with_activations(case, what):
    """As long as the used pool, with zeros behind the parameters: other lengths and bytes stay errors."""
    pools, postfix = what
    net = npu_kit.network(case, pools=pools, whole=True)
    path, need, end = raw_of(net, postfix), extent(net, postfix), net.by_postfix[postfix].end
    data = path.read_bytes()
    equal(len(data), end, "the generator's own length")
    check(end > reader.align(need, 16) + 40, "activations behind the parameters")
    for size in (end, reader.align(end, 16)):
        path.write_bytes(data.ljust(size, b"\0"))
        has(npu_kit.generate(case, net, "--parse-only").out, f"{end} bytes, {need} of parameters")
    for size in (reader.align(need, 16) + 1, (need + end) // 2, end - 1, reader.align(end, 16) + 1):
        path.write_bytes(data[:size].ljust(size, b"\0"))
        has(npu_kit.refuse(case, 9, "RP2904", net), f"pool {postfix}", f"has {size} bytes", f"needs {need}, or {end} with")
    for at in (need, (need + end) // 2, end - 1):
        path.write_bytes(data[:at] + b"\1" + data[at + 1:])
        has(npu_kit.refuse(case, 9, "RP2904", net), f"pool {postfix}", "those behind the parameters are not all zero")


@test
def raw_sizes_of_rounded_comments(case):
    """Without the internal buffers' table, the pool's size is that of its comment, rounded to 0.01 KB."""
    net = npu_kit.network(case, pools="internal", whole=True, internal="none")
    path, end = raw_of(net, "AXISRAM5"), net.by_postfix["AXISRAM5"].end
    data = path.read_bytes()
    check(end > 1024, "a comment in KB")
    npu_kit.generate(case, net, "--parse-only")
    for size in (end - 24, end + 48):
        path.write_bytes(data[:size].ljust(size, b"\0"))
        has(npu_kit.refuse(case, 9, "RP2904", net), "pool AXISRAM5", f"has {size} bytes", "or about")


@each(["mix", "ext_mixed"])
def parameter_lost_from_the_table(case, pools):
    """The last of them, 40 bytes: its bytes are in the file, and no row shows them."""
    net = npu_kit.network(case, pools=pools)
    postfix = "AXISRAM6" if pools == "mix" else "xSPI1"
    last = max((tensor for tensor in net.by_postfix[postfix].tensors if tensor.param), key=lambda tensor: tensor.end)
    size, rest = last.end, max(tensor.end for tensor in net.by_postfix[postfix].tensors
                               if tensor.param and tensor is not last)
    check(size - rest < 64, f"{last.name} is small")
    path = net.folder / "network.c"
    text = path.read_text()
    at = text.index(f'.name = "{last.name}"')
    start, end = text.rindex("    {\n", 0, at), text.index("\n    },\n", at) + len("\n    },\n")
    path.write_text(text[:start] + text[end:])
    message = npu_kit.refuse(case, 9, "RP2904", net)
    has(message, f"pool {postfix}", str(len(raw_of(net, postfix).read_bytes())), f"needs {rest}")


@test
def format_of_an_initialiser(case):
    """Only raw files are read: a comment about another format, with a raw file beside it, is refused."""
    for label, old, new in (("before", " file postfix=", " file FORMAT_HEX postfix="),
                            ("behind", " size=", " fformat=FORMAT_HEX size="),
                            ("short", " size=", " format=FORMAT_HEX size=")):
        net = npu_kit.network(case, label)
        line = set_pool(net, "xSPI2", old, new)
        if label == "before":
            set_pool(net, "xSPI2", " file FORMAT_HEX", " FORMAT_HEX")
        has(npu_kit.refuse(case, 9, "RP2904", net), f"network.c:{line}", "pool xSPI2", "FORMAT_HEX")
        set_pool(net, "xSPI2", "FORMAT_HEX", "FORMAT_RAW")
        set_pool(net, "AXISRAM5", " size=", " fformat=FORMAT_HEX size=")  # it has no initialiser
        npu_kit.generate(case, net, "--parse-only")


@test
def raw_missing(case):
    net = npu_kit.network(case, pools="mix")
    for postfix in ("AXISRAM6", "xSPI2"):
        path = raw_of(net, postfix)
        data = path.read_bytes()
        path.unlink()
        message = npu_kit.refuse(case, 9, "RP2904", net, hint="beside the C file")
        has(message, f"pool {postfix}", str(path), str(extent(net, postfix)))
        path.mkdir()  # a folder of that name is no file
        has(npu_kit.refuse(case, 9, "RP2904", net), f"pool {postfix}", str(path))
        path.rmdir()
        path.symlink_to(case.dir / "nowhere")
        has(npu_kit.refuse(case, 9, "RP2904", net), f"pool {postfix}", str(path))
        path.unlink()
        path.write_bytes(data)
    npu_kit.generate(case, net)


@test
def raw_of_another_network(case):
    """Files of another network lie beside it and are not taken."""
    net = npu_kit.network(case, pools="mix", name="mine")
    npu_kit.network(case, pools="mix", name="other", seed=9)
    raw_of(net, "xSPI2").unlink()
    message = npu_kit.refuse(case, 9, "RP2904", net)
    has(message, "pool xSPI2", str(raw_of(net, "xSPI2")))
    net.write(net.folder)
    npu_kit.generate(case, net)
    check_pools(reader.read_npu(case.dir / "out/mine_rel.bin"), net, False)


@each(["Default", "network"])
def raw_of_the_network_beside(case, name):
    """
    yolo.c, of a network with the compiler's own name, lies beside a network.c of other weights:
    network_atonbuf is that one's, and not a substitute for a file of yolo that is missing.
    """
    mine = npu_kit.network(case, name=name, seed=5)
    (mine.folder / f"{name}.c").rename(mine.folder / "yolo.c")
    raw = raw_of(mine, "xSPI2").rename(raw_of(mine, "xSPI2", "yolo"))
    npu_kit.network(case, name="network", seed=6)
    data = raw.read_bytes()
    raw.unlink()
    result = npu_kit.generate(case, mine.folder / "yolo.c", status=None)
    if result.status == 0:
        image = reader.read_npu(case.dir / "out/yolo_rel.bin")
        equal(image.params.startswith(data), True, "the weights in the image are those of yolo")
    equal(result.status, 9, f"exit status\n{result.show()}")
    has(result.err, "error RP2904", "pool xSPI2")


@test
def raw_under_two_names(case):
    """By the network's name and by the file's: nobody can know which one is meant."""
    net = npu_kit.network(case, pools="mix")
    (net.folder / "network.c").rename(net.folder / "yolo.c")
    copy = raw_of(net, "xSPI2", "yolo")
    copy.write_bytes(raw_of(net, "xSPI2").read_bytes()[::-1])
    message = npu_kit.refuse(case, 9, "RP2904", net.folder / "yolo.c")
    has(message, "pool xSPI2", str(copy), str(raw_of(net, "xSPI2")))
    raw_of(net, "xSPI2").unlink()
    npu_kit.generate(case, net.folder / "yolo.c")
    image = reader.read_npu(case.dir / "out/yolo_rel.bin")
    check(copy.read_bytes()[:-8] in image.params, "the file that is left")


@test
def raw_of_a_pool_without_parameters(case):
    """An initialiser that no table needs: the tables were stripped, or it is stale."""
    net = npu_kit.network(case, pools="mix")
    extra = raw_of(net, "AXISRAM5")
    extra.write_bytes(bytes(64))
    message = npu_kit.refuse(case, 9, "RP2904", net)
    has(message, "pool AXISRAM5", str(extra), "64")
    extra.unlink()
    unused = raw_of(net, "AXISRAM3")
    unused.write_bytes(bytes(64))
    message = npu_kit.refuse(case, 9, "RP2904", net, hint=f"remove {unused}")
    has(message, "network.c:", "pool AXISRAM3 is not used", "64")
    unused.unlink()
    npu_kit.generate(case, net, "--parse-only")


@each(["network", "foo"])
def raw_under_the_name_of_the_file(case, stem):
    """The files have other names than the code, and the tables show no parameters: not an image without weights."""
    net = npu_kit.network(case, name="Default", pools="internal_two", params_info=False, internal="none")
    (net.folder / "Default.c").rename(net.folder / f"{stem}.c")
    for postfix in ("AXISRAM5", "AXISRAM6"):
        raw_of(net, postfix).rename(raw_of(net, postfix, stem))
    message = npu_kit.refuse(case, 9, "RP2904", net.folder / f"{stem}.c")
    has(message, f"{stem}.c:", "pool AXISRAM", f"{stem}_atonbuf.AXISRAM")
    check(not (case.dir / "out").exists(), "an output folder")


@test
def raw_of_the_network_beside_is_not_blamed(case):
    """foo.c, called network in the code, beside a network.c: network_atonbuf is that one's."""
    mine = npu_kit.network(case, pools="flash")
    (mine.folder / "network.c").rename(mine.folder / "foo.c")
    raw_of(mine, "xSPI2").rename(raw_of(mine, "xSPI2", "foo"))
    other = npu_kit.network(case, pools="mix", seed=4)
    check(raw_of(other, "AXISRAM6").exists() and mine.folder == other.folder, "a file of a pool that foo.c has, too")
    npu_kit.generate(case, mine.folder / "foo.c")
    npu_kit.generate(case, other, out="other")
    (other.folder / "network.c").unlink()
    has(npu_kit.refuse(case, 9, "RP2904", mine.folder / "foo.c"), "network_atonbuf")


@test
def failure_after_success(case):
    """A failing second run leaves every byte of the first one's files, and says so."""
    net = npu_kit.network(case, pools="mix", epoch_controller=True)
    npu_kit.generate(case, net, "-r", "split,gen-c-file")
    first = kit.snapshot(case.dir / "out")
    raw = raw_of(net, "AXISRAM6")
    data = raw.read_bytes()
    for change in (lambda: raw.write_bytes(data[:99]), raw.unlink):
        change()
        npu_kit.refuse(case, 9, "RP2904", net)
        npu_kit.refuse(case, 9, "RP2904", net, "-r", "split,gen-c-file")
    raw.write_bytes(data)
    with open(net.folder / "network.c", "a", encoding="ascii") as file:
        file.write("int broken = nonsense;\n")
    has(npu_kit.refuse(case, 4, "RP2400", net), "nonsense", "network.c")
    equal(kit.snapshot(case.dir / "out"), first, "output folder")


@test
def nothing_of_an_earlier_run(case):
    """The same workspace and output folder for another network give the bytes of a fresh build."""
    first = npu_kit.network(case, "a", pools="mix", epoch_controller=True)
    second = npu_kit.network(case, "b", pools="mix", epoch_controller=True, seed=7)
    for folder in ("a", "b"):
        npu_kit.generate(case, case.dir / folder / "network.c", "--workspace", case.dir / "work", out="out")
    npu_kit.generate(case, second, out="fresh")
    equal((case.dir / "out/network_rel.bin").read_bytes() == (case.dir / "fresh/network_rel.bin").read_bytes(), True,
          "the second network's image")
    shutil.copy(raw_of(second, "xSPI2"), raw_of(first, "xSPI2"))
    npu_kit.generate(case, first, "--workspace", case.dir / "work")
    params = reader.read_npu(case.dir / "out/network_rel.bin").params
    check(params.startswith(raw_of(second, "xSPI2").read_bytes()), "a raw file that was replaced")


@test
def inputs_that_change_between(case):
    """Only the raw file changes: so do image and CRC-32."""
    net = npu_kit.network(case)
    npu_kit.generate(case, net, "--workspace", case.dir / "work")
    old = reader.read_npu(case.dir / "out/network_rel.bin")
    data = bytearray(raw_of(net, "xSPI2").read_bytes())
    data[17] ^= 0xFF
    raw_of(net, "xSPI2").write_bytes(data)
    npu_kit.generate(case, net, "--workspace", case.dir / "work")
    new = reader.read_npu(case.dir / "out/network_rel.bin")
    check(new.params != old.params and new.params_crc32 != old.params_crc32, "the new weights")
    equal(new.params[:len(data)], bytes(data), "params")


# ---- tables ----

@each(["params", "params_and_internal", "parameters_only"])
def stripped_parameters(case, label):
    """Without the rows of the parameters there is no image without weights."""
    changes = {"params": dict(params_info=False), "parameters_only": {},
               "params_and_internal": dict(params_info=False, internal="none")}[label]
    for pools in ("flash", "mix", "internal", "ext_mixed"):
        net = npu_kit.network(case, pools, pools=pools, **changes)
        if label == "parameters_only":  # the option is there, the rows are not
            path = net.folder / "network.c"
            text = path.read_text()
            start = text.index("#if LL_ATON_DBG_BUFFER_INFO_EXCLUDED == 0\n    {")
            end = text.index("#endif // LL_ATON_DBG_BUFFER_INFO_EXCLUDED == 0\n    {\n      .name = NULL")
            path.write_text(text[:start] + text[end:].split("\n", 1)[1])
        result = npu_kit.generate(case, net, status=9, out=f"out-{pools}")
        matches(result.err, r"error RP29(12|04): .*network\.c")
        has(result.err, "pool")
        check(not (case.dir / f"out-{pools}").exists(), "an output folder")


STRIPPED = [(pools, told) for pools in ("flash", "virtual", "mix", "ext", "ext_mixed")
            for told in ("with_option", "without_option")]


@each(["flash", "virtual", "mix"])
def table_functions_missing(case, pools):
    """A generator that does not write the function is unknown; its file may be cut off."""
    net = npu_kit.network(case, pools=pools, internal="missing")
    error = npu_kit.refuse(case, 9, "RP2910", net)
    matches(error, r"network\.c:\d+: the function with the internal buffers of 'network' is missing")


@each(STRIPPED)
def stripped_internal_buffers(case, what):
    """
    The tables do not show the internal buffers, whatever the banner says of the compiler's options:
    refused as bad input, or the pools' comments decide; never less memory than the network uses.
    """
    pools, told = what
    net = npu_kit.network(case, pools=pools, internal="none")
    if told == "without_option":
        edit(net, " * --all-buffers-info = true\n", "")
    result = npu_kit.generate(case, net, status=None)
    check(result.status in (0, 9), f"the pools' comments say what is used\n{result.show()}")
    if result.status == 9:
        matches(result.err, r"error RP29\d\d: .*network\.c.*pool")
        return
    image = reader.read_npu(case.dir / "out/network_rel.bin")
    have = {pool.name: pool for pool in image.pools}
    for pool, rows in ranges(net).items():
        check(pool.postfix in have, f"pool {pool.postfix} is used, and not in the image")
        row = have[pool.postfix]
        start = row.dst or pool.offset
        first, end = min(row[0] for row in rows), max(row[1] for row in rows)
        check(start <= first and start + row.size >= end,
              f"pool {pool.postfix}: {row.size} bytes from {start:#x} on, used are {first:#x} to {end:#x}")
    if any(pool.relative and pool.has_activations for pool in ranges(net)):
        check(image.ext_ram_size >= net.by_postfix["xSPI1"].end, f"external RAM: {image.ext_ram_size}")


@test
def label_missing(case):
    net = npu_kit.network(case, pools="mix")
    edit(net, "extern unsigned char _mem_pool_xSPI1_network[];", "/* gone */")
    message = npu_kit.refuse(case, 9, "RP2910", net)
    has(message, "network.c:", "_mem_pool_xSPI1_network", "xSPI1")


@test
def label_of_no_pool(case):
    net = npu_kit.network(case, pools="mix")
    line = edit(net, "char _mem_pool_xSPI1_network[];", "char _mem_pool_xSPI9_network[];")
    has(npu_kit.refuse(case, 9, "RP2910", net), f"network.c:{line}", "_mem_pool_xSPI9_network")
    edit(net, "xSPI9_network[]", "xSPI2_network[]")
    has(npu_kit.refuse(case, 9, "RP2910", net), f"network.c:{line}", "_mem_pool_xSPI2_network")


@test
def address_without_a_pool(case):
    net = npu_kit.network(case, pools="internal")
    base = networks.Options().base + 5 * networks.POOL_BYTES
    edit(net, f"0x{base:08x}UL", "0x50000000UL", 0)
    has(npu_kit.refuse(case, 9, "RP2911", net), "network.c:", "0x50000", "no pool")


def set_pool(net, postfix, old, new):
    """Changes the comment of a pool; returns its line."""
    path = net.folder / f"{net.name}.c"
    lines = path.read_text().split("\n")
    at = next(i for i, line in enumerate(lines) if f"postfix={postfix} " in line)
    check(old in lines[at], lines[at])
    lines[at] = lines[at].replace(old, new)
    path.write_text("\n".join(lines))
    return at + 1


@test
def two_relative_pools(case):
    """At most one relative pool with each access; both are named."""
    networks.PRESETS.setdefault("two_relative", dict(io="AXISRAM5", acts="AXISRAM5", params="xSPI2", params2="xSPI1"))
    net = npu_kit.network(case, "ro", pools="two_relative")
    line = set_pool(net, "xSPI1", "READ_WRITE", "READ_ONLY")
    message = npu_kit.refuse(case, 9, "RP2911", net)
    has(message, "xSPI1", "xSPI2", "read-only")
    check(re.search(rf"network\.c:({line}|\d+)", message), message)
    net = npu_kit.network(case, "rw", pools="both_params")
    set_pool(net, "xSPI2", "READ_ONLY", "READ_WRITE")
    has(npu_kit.refuse(case, 9, "RP2911", net), "xSPI1", "xSPI2", "read/write")


@test
def kinds_of_pools_that_images_do_not_have(case):
    for folder, pools, postfix in (("a", "flash", "AXISRAM5"), ("b", "ext", "xSPI1"), ("c", "internal", "AXISRAM5"),
                                   ("d", "ext_mixed", "xSPI1")):
        net = npu_kit.network(case, folder, pools=pools)
        line = set_pool(net, postfix, "READ_WRITE", "READ_ONLY")
        has(npu_kit.refuse(case, 9, "RP2911", net), f"network.c:{line}", postfix, "read-only")


@test
def pools_on_top_of_each_other(case):
    """A buffer that lies in two pools, only one of which holds all of it, has no certain pool; both are named."""
    net = npu_kit.network(case, pools="internal")
    base = networks.Options().base
    set_pool(net, "AXISRAM4", f"offset=0x{base + 4 * networks.POOL_BYTES:08x}",
             f"offset=0x{base + 5 * networks.POOL_BYTES - 0x800:08x}")
    has(npu_kit.refuse(case, 9, "RP2911", net), "network.c:", "two pools", "AXISRAM4", "AXISRAM5")


@test
def pools_of_the_same_name(case):
    """The postfix names the initialiser and the row: two pools cannot have the same."""
    net = npu_kit.network(case, pools="flash")
    line = set_pool(net, "AXISRAM4", "postfix=AXISRAM4 ", "postfix=AXISRAM6 ")
    message = npu_kit.refuse(case, 9, "RP2910", net)
    matches(message, rf"network\.c:\d+: pools \d, on line (\d+), and \d have the same postfix AXISRAM6")
    has(message, str(line))


def with_pools(case, folder, count):
    """A network that uses count pools."""
    net = networks.Network(networks.Options(pools="mix", unused=False))
    for i in range(count - sum(bool(pool.tensors) for pool in net.pools)):
        pool = networks.Pool(20 + i, f"RAM{i}", f"ram{i}", "READ_WRITE", 0x65000000 + 0x1000 * i, 0x1000, False)
        tensor = networks.Tensor(f"Extra_{i}", (4, 4, 4), epoch=1, pool=pool)
        pool.tensors.append(tensor)
        net.pools.append(pool)
        net.internals.append(tensor)
    return net.write(case.path(folder, "x").parent)


@test
def number_of_pools(case):
    """Nine are the most that loaders read."""
    net = with_pools(case, "nine", 9)
    npu_kit.generate(case, net)
    image = reader.read_npu(case.dir / "out/network_rel.bin")
    equal(len(image.pools), 9, "pools")
    check_pools(image, net, False)
    for count in (10, 12):
        message = npu_kit.refuse(case, 9, "RP2911", with_pools(case, str(count), count))
        has(message, f"{count} memory pools", "9", "RAM5", "xSPI2")


@test
def cacheable_pool_in_internal_memory(case):
    """Loaders refuse a relative pool with cache below 0x60000000; without cache there is a warning."""
    net = npu_kit.network(case)
    line = set_pool(net, "xSPI2", "offset=0x70000000", "offset=0x34200000")
    message = npu_kit.refuse(case, 9, "RP2911", net)
    has(message, f"network.c:{line}", "xSPI2", "0x34200000", "0x60000000")
    set_pool(net, "xSPI2", "cacheable=ON", "cacheable=OFF")
    result = npu_kit.generate(case, net)
    has(result.out, "warning RP1010", "xSPI2", "0x34200000")
    said = [entry for entry in case.report("network")["diagnostics"] if entry["id"] == "RP1010"]
    equal([entry["severity"] for entry in said], ["warning"], "RP1010 in the report")


@each(["secure", "non_secure", "external"])
def security_of_pools(case, label):
    """Addresses of internal memory have to be those of the firmware's side; external memory has only one."""
    base = {"secure": 0x34000000, "non_secure": 0x24000000, "external": 0x64000000}[label]
    net = npu_kit.network(case, pools="mix", base=base)
    for words, wrong in (([], "non_secure"), (["-r", "no-secure"], "secure"), (["-r", "no-secure,split"], "secure")):
        result = npu_kit.generate(case, net, *words)
        said = [entry for entry in case.report("network")["diagnostics"] if entry["id"] == "RP1071"]
        equal(len(said), int(label == wrong), f"warnings with {words}")
        equal("warning RP1071" in result.out, label == wrong, "printed")
        for entry in said:
            equal(entry["severity"], "warning", "severity")
            has(entry["message"], f"AXISRAM5 (0x{base + 0x5000:08x})", f"AXISRAM6 (0x{base + 0x6000:08x})", "-r no-secure")
            has_not(entry["message"], "AXISRAM3", "xSPI")
            has(entry["hint"], f"(0x{(base ^ 0x10000000) + 0x6000:08x} for AXISRAM6)",
                "leave out -r no-secure" if words else "give -r no-secure")
    other = npu_kit.network(case, "other", pools="mix", base=base ^ 0x10000000 if label != "external" else base)
    for words in ([] if label == "non_secure" else ["-r", "no-secure"],):  # what the hint says
        npu_kit.generate(case, other, *words, out="other")
        has_not((case.dir / "other/network_generate_report.txt").read_text(), "RP1071")


@test
def copy_to_flash(case):
    """A copy would be made into an absolute read-only pool in memory-mapped NOR: a warning."""
    for base, warned in ((0x71000000, True), (0x64000000, False), (0x90000000, False)):
        net = npu_kit.network(case, f"n{base:x}", pools="internal_ro", base=base)
        result = npu_kit.generate(case, net, out=f"o{base:x}")
        equal("RP1010" in result.out, warned, f"warning at {base:#x}")
        image = reader.read_npu(case.dir / f"o{base:x}/network_rel.bin")
        check_pools(image, net, False)
        if warned:
            line = int(matches(result.out, r"RP1010: [^\n]*network\.c:(\d+)").group(1))
            has((net.folder / "network.c").read_text().split("\n")[line - 1], "postfix=AXIROM")
            has(result.out, "AXIROM", "0x71010000", "even if they are there already", '"mode": "USEMODE_RELATIVE"')


@test
def truncated(case):
    """Every network that is cut off is refused, before anything is compiled."""
    net = npu_kit.network(case, pools="mix")
    path = net.folder / "network.c"
    text = path.read_text().rstrip()
    table = text.index("LL_ATON_EpochBlockItems_")
    cuts = [table + 40, table + 400, text.index("epoch_num", table), text.index("LL_ATON_Input_Buffers"),
            text.index("LL_ATON_Output_Buffers"), text.index("Conv2D_1_weights", table),
            text.index("LL_ATON_Internal_Buffers"), len(text) - 1, len(text) - 30, text.rindex(".name = NULL"),
            text.rindex(".mem_ndims"), text.rindex("buff_info__mem_shape"), text.rindex(".scale") + 3]
    for cut in sorted(cuts):
        path.write_text(text[:cut])
        result = npu_kit.generate(case, net, status=None)
        check(result.status == 9, f"cut at {cut} of {len(text)}: {text[cut - 60:cut]!r}\n{result.show()}")
        matches(result.err, r"error RP29\d\d: .*network\.c")
        has_not(result.err, "compiler")
    check(not (case.dir / "out").exists(), "an output folder")


@test
def truncated_between_tables(case):
    """The file ends exactly behind a table: the missing part is noticed although every present part is complete."""
    net = npu_kit.network(case, pools="virtual")
    path = net.folder / "network.c"
    text = path.read_text()
    for word in ("Internal", "Output", "Input"):
        path.write_text(text[:text.index(f"const LL_Buffer_InfoTypeDef *LL_ATON_{word}_Buffers")])
        result = npu_kit.generate(case, net, status=None)
        check(result.status == 9, f"cut in front of {word}\n{result.show()}")
        has(result.err, "network.c")


@test
def truncated_before_the_tables(case):
    """Not even the network's name is there: the error names the file."""
    net = npu_kit.network(case)
    path = net.folder / "network.c"
    text = path.read_text()
    for cut in (0, 100, text.index("global pool"), text.index("LL_ATON_EpochBlockItems_") - 5):
        path.write_text(text[:cut])
        result = npu_kit.generate(case, net, status=None)
        check(result.status in (2, 9), result.show())
        result = npu_kit.generate(case, net, "--dialect", "ll-aton", status=9)
        has(result.err, "network.c")


CONSTRUCTS = {
    "flag": (".is_param = 1,", ".is_param = IS_PARAM,"), "call": (".offset_start = 0,", ".offset_start = where(0),"),
    "sizeof": (".offset_end = ", ".offset_end = sizeof(int) + "),
    "no_end": (".offset_end = ", ".offset_ends = "),
    "base": (".addr_base = {(unsigned char *)", ".addr_base = {other_base, (unsigned char *)"),
    "negative": (".offset_start = 0,", ".offset_start = -16,"),
    "two_bases": (".offset_start = 0,", ".addr_start = {0},\n      .offset_start = 0,"),
    "name": ('.name = "Input_0_out_0",', ".name = NAME,"), "else": (".is_param = 1,", "#else\n      .is_param = 1,"),
    "order": (".offset_start = 0,", ".offset_start = 99999,"),
}


@each(list(CONSTRUCTS))
def construct(case, label):
    """A table in a form that generators do not use is not guessed: the error has file and line."""
    net = npu_kit.network(case)
    old, new = CONSTRUCTS[label]
    path = net.folder / "network.c"
    text = path.read_text()
    at = text.index(old, text.index("LL_ATON_Input_Buffers_Info"))
    path.write_text(text[:at] + new + text[at + len(old):])
    result = npu_kit.generate(case, net, status=9)
    said = matches(result.err, r"error RP29\d\d: \S*network\.c:(\d+): ")
    line = text[:at].count("\n") + 1
    check(abs(int(said.group(1)) - line) <= 24, f"line {said.group(1)}, the change is on {line}\n{result.err}")
    check(not (case.dir / "out").exists(), "an output folder")


@test
def two_networks_in_a_file(case):
    net, other = npu_kit.network(case), npu_kit.network(case, "other", name="other")
    path = net.folder / "network.c"
    path.write_text(path.read_text() + (other.folder / "other.c").read_text())
    has(npu_kit.refuse(case, 9, "RP2910", net), "network.c:", "two networks")


# ---- blobs ----

@test
def blobs_missing(case):
    net = npu_kit.network(case, epoch_controller=True)
    header = net.folder / "network_ecblobs.h"
    text = header.read_text()
    header.unlink()
    for words in ([], ["--parse-only"], ["-r", "ecblob-in-params"]):
        has(npu_kit.refuse(case, 9, "RP2900", net, *words), "network_ecblobs.h", "network.c", "blobs")
    array = text.index("{\n  0x") + 40
    for cut, part in ((array, "network_ecblobs.h"), (text.index("#define", array), "_ec_blob_network_6"),
                      (0, "_ec_blob_network_1")):
        header.write_text(text[:cut])
        result = npu_kit.generate(case, net, status=None)
        check(result.status in (4, 9), f"cut at {cut}\n{result.show()}")
        has(result.err, part)


def refuse_include(case, net, line, words):
    has(npu_kit.refuse(case, 9, "RP2900", net, *words), f"network.c:{line}: ", "ecblobs.h", "blobs")


@test
def blobs_in_another_folder(case):
    """The header is found where the compiler finds it; with clang, it has to be beside the file."""
    net = npu_kit.network(case, epoch_controller=True, pools="flash")
    header = net.folder / "network_ecblobs.h"
    text = header.read_text()
    (net.folder / "sub").mkdir()
    moved = header.rename(net.folder / "sub/network_ecblobs.h")
    line = edit(net, '"network_ecblobs.h"', '"sub/network_ecblobs.h"')
    npu_kit.generate(case, net)
    for item in ("llvm", "llvm,ecblob-in-params"):
        refuse_include(case, net, line, ["-r", item])
    moved.unlink()
    refuse_include(case, net, line, [])
    has(npu_kit.refuse(case, 9, "RP2900", net), str(moved))
    header.write_text(text)
    edit(net, '"sub/network_ecblobs.h"', "<network_ecblobs.h>")
    npu_kit.generate(case, net)
    refuse_include(case, net, line, ["-r", "llvm"])


USES = {"joined": ("#define JOIN(a, b) a##b\n", "return JOIN(_mem_pool_, xSPI1_network);"),
        "broken": ("", "return _mem_pool_xSPI1\\\n_network;"),
        "static": ("", "static const unsigned char *const at = _mem_pool_xSPI1_network + 4; return (void *)at;")}


@each(list(USES), needs=["clang", "ld.lld"])
def label_that_clang_would_take(case, label):
    """An address that code would have in spite of the copy: the error has the line, instead of a linker's message."""
    net = npu_kit.network(case, pools="ext")
    path = net.folder / "network.c"
    before, use = USES[label]
    text = path.read_text() + f"\n{before}const void *where(void) {{\n  {use}\n}}\n"
    path.write_text(text)
    npu_kit.generate(case, net)
    line = text[:text.rindex(use)].count("\n") + 1
    message = npu_kit.refuse(case, 9, "RP2900", net, "-r", "llvm", "--compatible-mode", "--runtime-lib",
                             npu_kit.pack(case) / npu_kit.ARCHIVE)
    has(message, f"network.c:{line}: ", "'_mem_pool_")


@test
def blobs_within_if_0(case):
    """An include that no compiler sees needs no file."""
    net = npu_kit.network(case)
    path = net.folder / "network.c"
    path.write_text('#if 0\n#include "gone_ecblobs.h"\n#endif\n' + path.read_text())
    npu_kit.generate(case, net)


@test
def blobs_that_stay_in_the_code(case):
    """With -r ecblob-in-params, a blob that cannot be moved is an error and does not silently stay."""
    words = ["-r", "ecblob-in-params"]
    net = npu_kit.network(case, epoch_controller=True)
    header = net.folder / "network_ecblobs.h"
    text = header.read_text()
    npu_kit.generate(case, net, *words)
    at = text.rindex("ECBLOB_CONST_SECTION")
    header.write_text(text[:at] + text[at + len("ECBLOB_CONST_SECTION"):])
    message = npu_kit.refuse(case, 9, "RP2910", net, *words)
    has(message, "network_ecblobs.h:", "'_ec_blob_network_", "ECBLOB_CONST_SECTION")
    npu_kit.generate(case, net)
    header.write_text("#undef ECBLOB_CONST_SECTION\n" + text)
    has(npu_kit.refuse(case, 9, "RP2910", net, *words), "network_ecblobs.h:1: ", "ECBLOB_CONST_SECTION")
    npu_kit.generate(case, net)


@test
def blob_longer_than_its_array(case):
    """A compiler would warn and truncate it."""
    net = npu_kit.network(case, epoch_controller=True, bounds="explicit")
    header = net.folder / "network_ecblobs.h"
    text = header.read_text()
    bound = re.search(r"uint64_t _ec_blob_network_1\[(\d+)\]", text)
    header.write_text(text[:bound.start(1)] + str(int(bound.group(1)) - 1) + text[bound.end(1):])
    for words in ([], ["--parse-only"], ["-r", "ecblob-in-params"]):
        has(npu_kit.refuse(case, 9, "RP2910", net, *words), "network_ecblobs.h:", "_ec_blob_network_1", bound.group(1))


# ---- packs ----

def number(version):
    return "{}.{}.{}-{}".format(*version)


@each([(number(net), number(pack)) for net in (V111, V113_8, V113) for pack in (V111, V113_8, V113) if net != pack])
def release_of_the_pack(case, what):
    """Network and pack of different releases: both are named, with the line that asks for one."""
    versions = {number(version): version for version in (V111, V113_8, V113)}
    net = npu_kit.network(case, version=versions[what[0]])
    line = (net.folder / "network.c").read_text().split("#if LL_ATON_VERSION_MAJOR")[0].count("\n") + 1
    root = npu_kit.pack(case, versions[what[1]])
    message = npu_kit.refuse(case, 9, "RP2920", net, root=root, hint="")
    has(message, f"network.c:{line}", what[0], what[1], str(root))
    npu_kit.generate(case, net, "--parse-only", root=root)


@test
def release_without_relocation(case):
    """LL_ATON 1.0 has none: said by name, whatever the pack is."""
    net = npu_kit.network(case)
    edit(net, "#if LL_ATON_VERSION_MAJOR != 1 || LL_ATON_VERSION_MINOR != 1 ||", "#if LL_ATON_VERSION_MAJOR != 1 || LL_ATON_VERSION_MINOR != 0 ||")
    for words in ((), ("--allow-release-mismatch",)):
        has(npu_kit.refuse(case, 9, "RP2920", net, *words, hint="ST Edge AI Core 2.1"), "LL_ATON 1.0.1", "no relocation")
    for path in net.folder.glob("*.raw"):  # before files that would not help
        path.unlink()
    has(npu_kit.refuse(case, 9, "RP2920", net, hint="ST Edge AI Core 2.1"), "no relocation")


@test
def release_that_is_allowed(case):
    """--allow-release-mismatch: a warning with both releases instead of the error."""
    net = npu_kit.network(case, version=V111)
    edit(net, "LL_ATON_VERSION_MICRO != 1 ||", "LL_ATON_VERSION_MICRO != 0 ||")
    has(npu_kit.refuse(case, 9, "RP2920", net), "1.1.0-14", "1.1.1-14")
    has(npu_kit.generate(case, net, "--allow-release-mismatch").out, "warning RP1063", "1.1.0-14", "1.1.1-14")


@test
def choices_without_effect(case):
    """ecblob-in-params without blobs, and encrypted weights that move with the image: notes."""
    plain, blobs = npu_kit.network(case, "plain"), npu_kit.network(case, "blobs", epoch_controller=True)
    has(npu_kit.generate(case, plain, "-r", "ecblob-in-params").out, "note RP1068", "no blobs")
    has_not(npu_kit.generate(case, plain).out, "RP1068", "RP1069")
    has_not(npu_kit.generate(case, blobs, "-r", "ecblob-in-params").out, "RP1068")
    edit(plain, " * --cache-maintenance = true\n", " * --cache-maintenance = true\n * --encrypt-weights = true\n")
    has(npu_kit.generate(case, plain).out, "note RP1069", "-r split")
    has_not(npu_kit.generate(case, plain, "-r", "split").out, "RP1069")


@test
def another_build_of_the_same_release(case):
    """Networks of 1.1.1 only warn about another last number, and so does the tool."""
    net = npu_kit.network(case)
    root = npu_kit.pack(case, (1, 1, 1, 15))
    result = npu_kit.generate(case, net, root=root)
    has(result.out, "warning RP1011", "1.1.1-14", "-15")
    equal([entry["id"] for entry in case.report("network")["diagnostics"]], ["RP1011"], "report")
    equal(reader.read_npu(case.dir / "out/network_rel.bin").rt_version, V111, "rt_version is the network's")


@test
def numbers_of_the_pack(case):
    """A hexadecimal number is a number; text after one is not."""
    net = npu_kit.network(case)
    root = npu_kit.copy_pack(case)
    header = root / npu_kit.LL_ATON / "ll_aton_version.h"
    text = header.read_text()
    for value, good in (("0x1", True), ("(0x1U)", True), ("1u", True), ("1 /* x */", True), ("0x2", None),
                        ("1x", False), ("1 + 1", False), ("(1) - 1", False), ("ONE", False)):
        header.write_text(re.sub(r"(define\s+LL_ATON_VERSION_MAJOR\s+).*", lambda m: m[1] + value, text))
        result = npu_kit.generate(case, net, root=root, status=0 if good else 9)
        if good is None:
            has(result.err, "RP2920", "has 2.1.1-14")
        elif good is False:
            has(result.err, "RP2920", "ll_aton_version.h", "_MAJOR")


@test
def question_for_the_release_in_another_form(case):
    """The right release, or an error with the line; never 0.0.0-0."""
    net = npu_kit.network(case)
    line = edit(net, "#if LL_ATON_VERSION_MAJOR != 1 ||", "#if (1!=LL_ATON_VERSION_MAJOR) ||")
    has(npu_kit.generate(case, net, "--parse-only").out, "release   1.1.1-14")
    edit(net, "#if (1!=LL_ATON_VERSION_MAJOR) ||", "#if LL_ATON_VERSION_MAJOR >= 1 ||")
    has(npu_kit.refuse(case, 9, "RP2910", net), f"network.c:{line}: ", "LL_ATON release", "not understood")
    edit(net, "#if LL_ATON_VERSION_MAJOR >= 1 ||", "#if LL_ATON_VERSION_MAJOR != 1 ||")
    path = net.folder / "network.c"
    path.write_text(path.read_text() + "#if LL_ATON_VERSION_MAJOR >= 1\n#endif\n")
    npu_kit.generate(case, net)


@test
def pack_missing(case):
    net = npu_kit.network(case)
    for root in (None, "", case.dir / "nowhere", net.folder):
        message = case.refuse(9, "RP2920", npu_kit.source_of(net), target=None, env=npu_kit.env_of(root),
                              hint="STEDGEAI_CORE_DIR")
        has(message, "LL_ATON")
    file = case.write("custom.json", json.dumps({"stedgeai_install_path": str(case.dir / "gone")}))
    has(case.refuse(9, "RP2903", npu_kit.source_of(net), "--custom", file, target=None), "gone")


@test
def pack_without_a_part(case):
    net = npu_kit.network(case)
    root = npu_kit.copy_pack(case)
    header = root / npu_kit.LL_ATON / "ll_aton_version.h"
    text = header.read_text()
    header.write_text(text.replace("LL_ATON_VERSION_MICRO", "LL_ATON_VERSION_MIKRO"))
    has(npu_kit.refuse(case, 9, "RP2920", net, root=root), "ll_aton_version.h", "_MICRO")
    header.unlink()
    has(npu_kit.refuse(case, 9, "RP2900", net, root=root), "ll_aton_version.h")
    header.write_text(text)
    (root / npu_kit.LL_ATON / "ecloader.c").unlink()
    result = npu_kit.generate(case, net, root=root, status=None)
    check(result.status in (4, 9), result.show())
    has(result.err, "ecloader.c")


@test
def entry_vector_of_an_unknown_release(case):
    """The size of the struct is the ABI: neither 44 nor 52 bytes is an error."""
    net = npu_kit.network(case)
    root = npu_kit.copy_pack(case)
    header = root / npu_kit.LL_ATON / "ll_aton_reloc_network.h"
    text = header.read_text()
    text = text.replace("    struct ai_reloc_rt_ctx *rt_ctx;\n};",
                        "    void *more;\n    struct ai_reloc_rt_ctx *rt_ctx;\n};")
    text = re.sub(r"_Static_assert\(sizeof\(struct ai_reloc_network_entries\).*?;", "", text, flags=re.S)
    header.write_text(text)
    message = npu_kit.refuse(case, 9, "RP2921", net, root=root)
    has(message, "_network_entries", "48", "44", "52")


@test
def kernel_archive(case):
    net = npu_kit.network(case)
    root = npu_kit.copy_pack(case)
    archive = root / npu_kit.ARCHIVE
    second = archive.with_name("NetworkRuntime1200_CM55_GCC_PIC.a")
    shutil.copy(archive, second)
    message = npu_kit.refuse(case, 9, "RP2900", net, root=root)
    has(message, archive.name, second.name, "--runtime-lib")
    npu_kit.generate(case, net, "--runtime-lib", second, root=root)
    second.unlink()
    archive.rename(archive.with_name("NetworkRuntime1100_CM55_GCC.a"))
    message = npu_kit.refuse(case, 9, "RP2900", net, root=root)
    has(message, "NetworkRuntime*_PIC.a", "ARMCortexM55", "--runtime-lib")
    shutil.rmtree(archive.parent)
    message = npu_kit.refuse(case, 9, "RP2900", net, root=root, hint="--runtime-lib")
    has(message, "ARMCortexM55")
    has(npu_kit.refuse(case, 9, "RP2900", net, "--runtime-lib", case.dir / "none.a", root=root), "none.a")


@test
def kernel_that_the_archive_lacks(case):
    """The symbol, and the function of the network that needs it."""
    net = npu_kit.network(case)
    empty = case.write("empty.c", "int nothing;\n")
    case.run(f"{CROSS}gcc", *npu_kit.CORE, *kit.PIC, "-c", empty, "-o", case.dir / "empty.o")
    case.run(f"{CROSS}ar", "rcs", case.dir / "kernels.a", case.dir / "empty.o")
    message = npu_kit.refuse(case, 6, "RP2600", net, "--runtime-lib", case.dir / "kernels.a")
    has(message, "'forward_", "ll_sw_")


@test
def archive_of_another_core(case):
    net = npu_kit.network(case)
    source = npu_kit.pack(case) / npu_kit.AI
    case.run(f"{CROSS}gcc", "-mcpu=cortex-m4", "-mthumb", "-mfloat-abi=soft", *kit.PIC, f"-I{source / 'Inc'}", "-c",
             source / "Lib/Src/network_runtime.c", "-o", case.dir / "m4.o")
    case.run(f"{CROSS}ar", "rcs", case.dir / "m4.a", case.dir / "m4.o")
    has(npu_kit.refuse(case, 4, "RP2402", net, "--runtime-lib", case.dir / "m4.a"), "m4.a")


@test
def ordinary_archive(case):
    """Absolute words in code: refused, with member and symbol."""
    net = npu_kit.network(case)
    source = npu_kit.pack(case) / npu_kit.AI
    case.run(f"{CROSS}gcc", *npu_kit.CORE, "-Os", "-ffunction-sections", f"-I{source / 'Inc'}", "-c",
             source / "Lib/Src/network_runtime.c", "-o", case.dir / "plain.o")
    text = case.run(f"{CROSS}objdump", "-r", case.dir / "plain.o").out
    check(re.search(r"R_ARM_(ABS32|MOVW_ABS)", text.split("[.text")[-1]), "absolute words in the archive's code")
    case.run(f"{CROSS}ar", "rcs", case.dir / "plain.a", case.dir / "plain.o")
    has(npu_kit.refuse(case, 5, "RP2500", net, "--runtime-lib", case.dir / "plain.a"), "plain.a(plain.o)")


@test
def compilers_that_are_not_there(case):
    net = npu_kit.network(case)
    result = npu_kit.generate(case, net, "--cross-compile", "no-such-", status=3)
    has(result.err, "error RP2300", "no-such-gcc")
    result = npu_kit.generate(case, net, "-r", "st-clang", status=None)
    check(result.status in (3, 9), result.show())  # 9: the pack has no archive for it
    has(result.err, "relocpack: error")


@test
def over_budget(case):
    """Exit 7 after writing everything, for external RAM, too."""
    net = npu_kit.network(case, pools="ext")
    size = net.by_postfix["xSPI1"].end
    npu_kit.generate(case, net, "--budget", f"ext_ram={size}")
    result = npu_kit.generate(case, net, "--budget", f"ext_ram={size - 1}", out="over", status=7)
    has(result.err, "error RP2700", "ext_ram", str(size), str(size - 1))
    check((case.dir / "over/network_rel.bin").exists(), "the image")
    equal(case.report("network", "over")["budgets"], [{"metric": "ext_ram", "level": "fail", "given": str(size - 1), "limit": size - 1, "value": size,
                                                       "status": "over"}], "budgets")
    file = case.write("b.json", json.dumps({"ext_ram": 1 << 20, "params": 1 << 20, "ram_copy": 10}))
    npu_kit.generate(case, net, "--budget-file", file, out="file", status=7)
    result = npu_kit.generate(case, net, "--budget", "ext_rma=3", status=2, out="typo")
    has(result.err, "'ext_rma'", "ext_ram")


@test
def errors_are_explained(case):
    for error_id in ("RP2910", "RP2911", "RP2912", "RP2920", "RP2921"):
        text = case.relocpack("explain", error_id).out
        has(text, "exit code 9")


@test
def firmware_with_ll_aton_1_1_0(case):
    """The release that lacks ll_aton_rt_user_api.h is named, by the service too, which is compiled elsewhere."""
    header = kit.ROOT / "templates/harness/ll_aton_model.h"
    source = case.write("service.c", f'#include "{header}"\n')
    result = case.run(f"{kit.CROSS}gcc", "-mcpu=cortex-m55", "-fsyntax-only", f"-I{header.parent}",
                      f"-I{kit.ROOT / 'runtime'}", source, status=1)
    has(result.err, "older than 1.1.1", "verified or run by the service")
