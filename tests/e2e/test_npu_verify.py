# SPDX-License-Identifier: Apache-2.0
"""verify of Neural-ART images: on the emulated core they compute what the static build and Python
compute; images that are broken in one word do not.
"""
import hashlib
import json
import pathlib
import shutil
import struct
import zlib

import imagebuilder as built
import kit
import npu_kit
import npu_networks as networks
import reader
from kit import CROSS, EXAMPLES, QEMU, check, each, equal, has, has_not, test
from npu_kit import words_of
from npu_networks import V111, V113, V113_8
from test_verify import check_rows

RUNS = 2
CHOICES = [(), ("split",), ("ecblob-in-params",), ("split", "ecblob-in-params")]


def env(case, made):
    return npu_kit.env_of(npu_kit.pack(case, made.network.options.version))


def verify(case, made, *words, image=None, **more):
    return case.verify(image or made.image_path, *words, env=env(case, made), **more)


def three_ways(case, made, *words):
    """Words of verify for RUNS inputs, whose outputs Python has computed, and what to check after."""
    net = made.network
    data = [net.input_data(i) for i in range(RUNS)]
    outputs = [b"".join(parts) for parts in zip(*map(net.expected, data))]
    given = ["--input", case.write("x.bin", b"".join(data))]
    for i, expected in enumerate(outputs):
        given += ["--expected", case.write(f"want{i}.bin", expected), "--save-output", case.dir / f"got{i}.bin"]
    text = verify(case, made, *given, *words).out
    for i, expected in enumerate(outputs):
        equal((case.dir / f"got{i}.bin").read_bytes(), expected, f"output {i} of the image")
    has(text, "against the expected outputs", "bit-exact", "emulated Cortex-M55 (mps3-an547)")
    return text


def check_all(text, modes=("XIP", "COPY")):
    """All runs of both modes, at two places and of two instances, are present and equal."""
    runs = (2 * RUNS + 1) * 2 * len(modes)
    has(text, f"{runs} of {runs} runs bit-identical")
    has_not(text, "DIFFERS")


# ---- everything ----

ARRANGEMENTS = [(preset, word, "-".join(map(str, version[2:]))) for preset in networks.PRESETS
                for word in ("functions", "blobs") for version in (V111, V113)]
QUICK = {("mix", "blobs", "1-14"), ("both_params", "functions", "3-275"), ("internal_two", "blobs", "3-275")}


# two of the four of a preset
SPREAD = [what for i, what in enumerate(ARRANGEMENTS) if (i - i // 4) % 2 == 0] + list(QUICK)


@each(ARRANGEMENTS, slow=lambda what: what not in QUICK, spread=SPREAD, needs=[QEMU])
def runs_as_the_static_build(case, what):
    """Each arrangement of pools; whole, split and with blobs in the params take turns."""
    preset, word, _ = what
    number = ARRANGEMENTS.index(what)
    choices = CHOICES if word == "blobs" else CHOICES[:2]
    # four arrangements of a preset, and of each word two: the turn goes on with the preset
    choice = choices[(number // 4 + number % 2) % len(choices)]
    made = npu_kit.made(case, *words_of(*choice), pools=preset, version=(V111, V113)[number % 2],
                        epoch_controller=word == "blobs")
    check_all(three_ways(case, made))


VARIANTS = {
    "user_inputs": ((), dict(user_inputs=True)),
    "user_outputs": (("split",), dict(user_outputs=True, version=V113)),
    "user_blobs": (("split", "ecblob-in-params"), dict(user_inputs=True, user_outputs=True, epoch_controller=True)),
    "user_blobs_late": ((), dict(user_inputs=True, user_outputs=True, epoch_controller=True, version=V113)),
    "two_outputs": (("split",), dict(outputs=2, pools="mix")),
    "early_1_1_3": (("split", "ecblob-in-params"), dict(version=V113_8, epoch_controller=True)),
    "polling": (("polling",), dict(pools="mix", version=V113, epoch_controller=True)),
    "no_dbg_info": (("no-dbg-info",), dict(pools="mix", version=V113, epoch_controller=True)),
    "plain": (("no-secure", "no-dbg-info"), dict(pools="mix", epoch_controller=False)),
    "acts_first": (("split", "ecblob-in-params"), dict(pools="internal_two", sections=True, epoch_controller=True)),
    "other_name": (("split", "ecblob-in-params"), dict(name="Person_Detect2")),
    "labels_shuffled": (("split",), dict(pools="both_params", shuffle=2)),
}
# Where the harness has its images, its external RAM, its buffers, its code.
BASES = {"images": 0x64290000, "external_ram": 0x6A150000, "buffers": 0x76244000, "code": 0x80330000}


@each(list(VARIANTS), needs=[QEMU], slow=lambda label: label not in ("user_blobs", "plain"))
def variant(case, label):
    choice, changes = VARIANTS[label]
    check_all(three_ways(case, npu_kit.made(case, *words_of(*choice), **changes)))


@each(list(BASES), needs=[QEMU], slow=lambda label: label != "images")
def pools_where_the_harness_is(case, label):
    """It keeps out of the way of pools at fixed addresses."""
    check_all(three_ways(case, npu_kit.made(case, "-r", "split", pools="mix", base=BASES[label])))


@test(needs=[QEMU])
def seeded_inputs_and_json(case):
    """The answer for programs; seeded inputs, and what each mode needs of RAM."""
    made = npu_kit.made(case, "-r", "split", pools="mix", epoch_controller=True)
    image = made.read()
    answer = json.loads(verify(case, made, "--json", "--seed", "7").out)
    check(0 < answer["coverage"]["executed_bytes"] <= answer["coverage"]["code_bytes"], f"coverage: {answer['coverage']}")
    equal((answer["identical"], answer["xip_refused"], answer["output_bytes"]), (True, False, 10), "answer")
    equal(len(answer["runs"]), 12, "runs")
    for run in answer["runs"]:
        ram = image.ram_copy if run["mode"] == "COPY" else image.ram_xip
        equal((run["identical"], run["ram_bytes"]), (True, ram), "RAM that was written")
        check(0 < run["acts_bytes"] <= image.ext_ram_size, "external RAM that was written")
    check_rows(verify(case, made, "--seed", "8").out)


# ---- images of clang ----

@test(needs=[QEMU, "clang", "ld.lld"], slow=True)
def image_of_clang(case):
    """It has addresses in its code: the loader refuses to execute it in place, and verify expects that."""
    pack = npu_kit.copy_pack(case)
    folder = pack / npu_kit.AI / "Lib/LLVM/ARMCortexM55"
    folder.mkdir(parents=True)
    headers = pathlib.Path("/usr/lib/arm-none-eabi/include")
    if not headers.is_dir():
        raise kit.Skip("newlib's headers are not where Debian has them")
    case.run("clang", "--target=thumbv8m.main-unknown-none-eabihf", *npu_kit.CORE, "-fropi", "-frwpi", "-Os",
             "-ffunction-sections", "-isystem", headers, f"-I{pack / npu_kit.AI / 'Inc'}", "-c",
             pack / npu_kit.AI / "Lib/Src/network_runtime.c", "-o", folder / "o.o")
    case.run(f"{CROSS}ar", "rcsD", folder / "NetworkRuntime1100_CM55_LLVM_PIC.a", folder / "o.o")
    net = npu_kit.network(case, pools="mix", epoch_controller=True)
    npu_kit.generate(case, net, "-r", "llvm,split", "--compatible-mode", root=pack)
    image = case.dir / "out/network_rel.bin"
    has(case.relocpack("inspect", image).out, "COPY mode only", "Embedded ARM CLANG", "any code")
    made = npu_kit.Made(net, case.dir / "out", None, "")
    text = verify(case, made).out
    has(text, "6 of 6 runs bit-identical", "XIP mode: refused by the loader")
    rows = [line.split()[0] for line in text.splitlines() if line.endswith("same")]
    equal(set(rows), {"COPY"}, "modes")
    answer = json.loads(verify(case, made, "--json").out)
    equal((answer["identical"], answer["xip_refused"], len(answer["runs"])), (True, True, 6), "answer")


# ---- what cannot be verified ----

@test(needs=[QEMU])
def pack_that_is_not_emulated(case):
    """Code for the accelerator is not run."""
    pack = npu_kit.copy_pack(case)
    npu_kit.generate(case, npu_kit.network(case), root=pack)
    header = pack / npu_kit.LL_ATON / "ll_aton_version.h"
    header.write_text(header.read_text().replace("#define LL_ATON_SOFTWARE_NPU 1", ""))
    result = case.verify(case.dir / "out/network_rel.bin", status=8)
    has(result.err, "error RP2800", "the NPU is not emulated", "hint", "LL_ATON_SOFTWARE_NPU")


@test(needs=[QEMU])
def pools_that_the_board_lacks(case):
    made = npu_kit.made(case, pools="mix", base=0x34000000)
    result = verify(case, made, status=8)
    has(result.err, "error RP2800", "pool AXISRAM6 (0x34006000", "not in the external memory", "mps3-an547")


@test(needs=[QEMU])
def models_of_other_kinds(case):
    made = npu_kit.made(case)
    tiny = EXAMPLES / "tiny" / "tiny.c"
    lonely = case.write("alone_rel.bin", made.image_path.read_bytes())
    result = verify(case, made, "-m", tiny, "--target", "n6", image=lonely, status=8)
    has(result.err, "error RP2800", "a Neural-ART image", "a Cortex-M model")
    case.generate(tiny, target="n6", out="tiny")
    image = case.write("tiny_alone.bin", (case.dir / "tiny/tiny_rel.bin").read_bytes())
    result = verify(case, made, "-m", npu_kit.source_of(made.network), image=image, status=8)
    has(result.err, "error RP2800", "a Cortex-M image", "a Neural-ART model")
    has(verify(case, made, image=lonely, status=2).err, "hint", "--report")


@test(needs=[QEMU])
def another_network_of_the_same_shape(case):
    """The source was generated anew behind the image's back."""
    made = npu_kit.made(case)
    other = npu_kit.made(case, seed=99)
    result = verify(case, made, "-m", npu_kit.source_of(other.network), status=8)
    has(result.err, "error RP2800", "does not compute what the static build computes")


@test(needs=[QEMU])
def bad_inputs(case):
    made = npu_kit.made(case)
    good = case.write("x.bin", made.network.input_data())
    wrong = bytearray(made.network.expected(made.network.input_data())[0])
    wrong[3] ^= 1
    for words, status, parts in (
            (["--input", case.write("short.bin", bytes(71))], 9, ["short.bin", "72"]),
            (["--input", good, "--input", good], 2, ["1 inputs", "2 times"]),
            (["--input", good, "--expected", case.write("y.bin", wrong)], 8, ["differs from the expected one by 1"])):
        has(verify(case, made, *words, status=status).err, "relocpack: error RP2", *parts)


# ---- broken images ----

def sealed(data, image):
    """With checksums that fit the changed bytes: only running the image shows that it is broken."""
    data = bytearray(data)
    at = len(data) - reader.TRAILER_BYTES
    equal(reader.word_at(data, at), reader.TRAILER_MAGIC, "place of the trailer")
    params = data[image.params_offset:image.params_offset + image.params_size]
    built.put(data, image.ro_size + image.ctx + 52, zlib.crc32(params))
    built.put(data, at + 76, zlib.crc32(params))
    data[at + 56:at + 72] = hashlib.sha256(data[:at]).digest()[:16]
    built.put(data, at + 16, at, zlib.crc32(data[:at]))
    data[at + 24:at + 56] = hashlib.sha256(data[:at]).digest()
    built.put(data, at + 92, zlib.crc32(data[at:at + 92]))
    return bytes(data)


def symbol(case, made, name):
    """Address in the linked file."""
    for line in case.run(f"{CROSS}nm", made.workspace / "image.elf").out.splitlines():
        if line.split()[-1].split(".")[0] == name:
            return int(line.split()[0], 16)
    raise kit.Failure(f"no symbol {name}")


def pool_at(image, name):
    """Place in the file of a pool's row."""
    index = [pool.name for pool in image.pools].index(name)
    return image.ro_size + image.pools_at + 20 * index


def change_foff(case, made, data, image):
    """The pool gets another pool's parameters."""
    at = pool_at(image, "AXISRAM6") + 8
    check(reader.word_at(data, at) != 0, "the pool is not the first")
    built.put(data, at, 0)


def change_dst(case, made, data, image):
    """The pool is copied to a place where nobody reads it."""
    at = pool_at(image, "AXISRAM6") + 12
    built.put(data, at, reader.word_at(data, at) + 0x2000)


def zero_got(case, made, data, image):
    """A variable of the engine is nowhere: the core faults."""
    index = image.got.index(symbol(case, made, "streams"))
    built.put(data, image.ro_size + image.got_start + 4 * index, 0)


def lose_rel(case, made, data, image):
    """The address of the first weights stays a segment address."""
    place = symbol(case, made, "Conv2D_1_dma_init_in_1_1") & 0x0FFFFFFF
    word = place + 4
    check(word in image.rel_ram and reader.word_at(image.ram_image, word) >> 28 == 8, "no address of params")
    words = [entry for entry in image.rel if entry != word | 0x40000000]
    data[image.rel_start:image.rel_end] = struct.pack(f"<{len(words)}I", *words) + bytes(4)
    built.put(data, 40, 0x20000000 | image.rel_end - 4)


def other_params(case, made, data, image):
    """The whole params of a network that differs in its weights only."""
    other = npu_kit.made(case, pools="mix", seed=99).read()
    equal(other.params_size, image.params_size, "sizes")
    check(other.params != image.params, "the same weights")
    data[image.params_offset:image.params_offset + image.params_size] = other.params


def flip_weight(case, made, data, image):
    data[image.params_offset + 4] ^= 0x40


BROKEN = {"foff": change_foff, "dst": change_dst, "got": zero_got, "rel": lose_rel, "params": other_params,
          "weight": flip_weight}


@each(list(BROKEN), needs=[QEMU])
def broken_image_fails(case, label):
    made = npu_kit.made(case, pools="mix")
    image = made.read()
    data = bytearray(image.data)
    BROKEN[label](case, made, data, image)
    shutil.copy(made.out / "network_generate_rel.json", case.dir)
    path = case.write("network_rel.bin", sealed(data, image))
    case.relocpack("inspect", path)
    result = verify(case, made, "--timeout", "1800", image=path, status=8)
    has(result.err, "error RP2800")
    if label == "got":
        has(result.err, "the core faulted")


@test(needs=[QEMU])
def damage_is_an_integrity_error(case):
    """Wrong checksums are reported before anything runs, and so are params of another build."""
    whole, split = npu_kit.made(case, pools="mix"), npu_kit.made(case, "-r", "split", pools="mix")
    other = npu_kit.made(case, "-r", "split", pools="mix", seed=99)
    image = whole.read()
    for at in (image.params_offset + 3, image.ro_size - 4, 120, len(image.data) - 50):
        broken = bytearray(image.data)
        broken[at] ^= 0x40
        path = case.write("broken_rel.bin", broken)
        has(verify(case, whole, "--report", whole.out / "network_generate_rel.json", image=path, status=8).err,
            "error RP2801")
    result = verify(case, split, "--weights", other.params_path, status=8)
    has(result.err, "error RP2801", "the CRC-32 of the params is not the one")
    short = case.write("short.bin", split.params_path.read_bytes()[:800])
    has(verify(case, split, "--weights", short, status=9).err, "error RP2904", "short.bin")
    has(verify(case, split, "--weights", case.dir / "none.bin", status=9).err, "none.bin")
    lonely = case.write("lonely_rel.bin", split.image_path.read_bytes())
    result = verify(case, split, "--report", split.out / "network_generate_rel.json", image=lonely, status=9)
    has(result.err, "lonely_data.bin")
