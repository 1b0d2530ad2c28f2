# SPDX-License-Identifier: Apache-2.0
"""ops with bad, odd and huge input: a clear error or a result, at once."""
import gzip
import io
import json
import os
import struct
import subprocess
import zipfile

import kit
import model_files as mf
from kit import check, each, equal, has, has_not, test

MOST = 1 << 18  # operators, and tensors
ODD = 'a"b\\c|d\ne\x1b[31m<b>`'


def scalar(name, kind, raw):
    return mf.constant(name, kind, [], raw)


SCALES = scalar("s", mf.FLOAT, struct.pack("<f", 0.5)), scalar("z", mf.INT8, b"\0")


def onnx(*nodes, constants=SCALES, output="y"):
    return mf.model(nodes, constants, [("x", mf.FLOAT, [1, 4, 8, 8])], [(output, mf.FLOAT, [1, 4, 8, 8])])


def tensor(name, dims=(1, 4), **more):
    return mf.tensor(name, mf.TFLITE_INT8, dims, scales=[0.5], **more)


def tflite(codes=(0,), count=1, others=()):
    """Operators with one input and one output in a row, and other graphs."""
    tensors = [tensor(f"t{i}") for i in range(count + 1)]
    operators = [mf.operator(i % len(codes), [i], [i + 1]) for i in range(count)]
    return mf.tflite(codes, [mf.subgraph(tensors, operators, [0], [count]), *others])


def refuse(case, content, *parts, name="m"):
    """Exit 9, one error that names the file and contains these words, nothing on standard output."""
    path = case.write(name, content)
    result = case.relocpack("ops", path, status=9, timeout=20)
    has(result.err, "error RP2900", str(path), *parts)
    equal(result.err.count("relocpack: error"), 1, "number of errors")
    equal(result.out, "", "standard output")
    return result.err


def judge(case, content, *options, status=0):
    return case.relocpack("ops", case.write("m", content), *options, status=status, timeout=20).out


# ---- what is no model ----

def zipped(data=b""):
    out = io.BytesIO(data)
    with zipfile.ZipFile(out, "a") as file:
        file.writestr("archive/data.pkl", "x")
    return out.getvalue()


OTHERS = {
    "keras": (b"\x89HDF\r\n\x1a\n" + bytes(64), "Keras file (HDF5)", "TFLiteConverter"),
    "torch": (zipped(), "zip archive (PyTorch, Keras)", "torch.onnx.export"),
    "pickle": (b"\x80\x02\x8a\nl\xfc\x9cF", "pickle (PyTorch)", "torch.onnx.export"),
    "gzip": (gzip.compress(tflite()), "gzip", "gunzip"),
    "xz": (b"\xfd7zXZ\0" + bytes(32), "xz", "unpack"),
    "ort": (b"\x18\0\0\0ORTM" + bytes(64), "onnxruntime's own format", "ONNX file"),
    "lfs": (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "Git LFS", "git lfs pull"),
    "page": (b"<!DOCTYPE html><html></html>", "web page", "download"),
    "xml": (b"<?xml version='1.0'?><net/>", "XML", "ONNX or TFLite"),
    "source": (b"/* AI */\n#include <stdint.h>\n", "C source", "relocpack generate"),
}


@each(list(OTHERS))
def says_what_else_it_is(case, name):
    content, kind, hint = OTHERS[name]
    has(refuse(case, content, kind), "relocpack: hint: ", hint)


@test
def refuses_what_is_none(case):
    for content in (b"hello\n", b'{"a": 1}', bytes(64), b"\x7fELF" + bytes(60), b"TFL3", b"\0" * 4 + b"TFL3"):
        refuse(case, content)
    refuse(case, b"", "it is empty")
    graphdef = mf.field(1, mf.field(1, "x") + mf.field(2, "Placeholder"))
    refuse(case, graphdef, "neither TFLite", "nor ONNX")


@test
def refuses_odd_files(case):
    for path in (case.dir, "/dev/null", "/dev/zero"):
        has(case.relocpack("ops", path, status=9, timeout=20).err, "not a regular file")
    pipe = case.path("pipe")
    os.mkfifo(pipe)
    has(case.relocpack("ops", pipe, status=9, timeout=20).err, "not a regular file")
    has(case.relocpack("ops", "-", status=9, timeout=20).err, "'-'")
    large = case.path("large")
    with open(large, "wb") as file:
        file.truncate((1 << 30) + 1)
    has(case.relocpack("ops", large, status=9, timeout=20).err, "bytes, more than")


# ---- damaged ----

def whole_onnx():
    layers = [mf.node("Conv", [f"c{i}", "w"], [f"c{i + 1}"], kernel_shape=[1, 1]) for i in range(8)]
    return onnx(mf.node("Relu", ["x"], ["c0"]), *layers,
                constants=[mf.constant("w", mf.FLOAT, [4, 4, 1, 1], bytes(64))], output="c8")


@each(["onnx", "tflite"])
def refuses_truncated(case, form):
    layer = mf.subgraph([tensor("x"), tensor("w", [8, 8], buffer=1), tensor("y")], [mf.operator(0, [0, 1], [2])], [0], [2])
    content = whole_onnx() if form == "onnx" else mf.tflite([9], [layer], [bytes(64)])
    judge(case, content)
    for part in range(16):
        refuse(case, content[:len(content) * part // 16], name=f"part{part}")


@test
def refuses_numbers_that_lead_nowhere(case):
    endless = b"\xff" * 9 + b"\x01"
    refuse(case, mf.varint(7 << 3 | 2) + endless)
    refuse(case, mf.varint(1 << 3) + b"\xff" * 12)
    refuse(case, mf.field(7, mf.varint(1 << 3 | 2) + endless) + mf.field(8, mf.field(2, 17)))
    content = bytearray(tflite())
    for at in range(0, len(content) - 4, 4):
        case.write("m", bytes(content[:at] + b"\xf0\xff\xff\xff" + content[at + 4:]))
        result = case.relocpack("ops", case.path("m"), status=None, timeout=20)
        check(result.status in (0, 8, 9), result.show())
        equal(result.out == "", result.status == 9, "a result or an error")


@test
def refuses_wrong_indexes(case):
    one = [tensor("x"), tensor("y")]
    for inputs, outputs in (([2], [1]), ([0], [7]), ([-2], [1]), ([0], [0, 0])):
        refuse(case, mf.tflite([0], [mf.subgraph(one, [mf.operator(0, inputs, outputs)], [0], [1])]))
    refuse(case, mf.tflite([0], [mf.subgraph(one, [mf.operator(5, [0], [1])], [0], [1])]), "of kind 5")
    refuse(case, mf.tflite([0], []), "no graph")
    refuse(case, mf.tflite([0], [], version=4), "schema version 4")
    backward = [mf.operator(0, [2], [1]), mf.operator(0, [0], [2])]
    refuse(case, mf.tflite([0], [mf.subgraph(one + [tensor("z")], backward, [0], [1])]), "not in execution order")
    refuse(case, onnx(mf.node("Relu", ["y"], ["y"])), "order")
    refuse(case, onnx(mf.node("Relu", ["nothing"], ["y"])), "'nothing'", "nothing computes it")


# ---- odd, and understood ----

def rows(markdown):
    """Cells of each line of the table of nodes: bars that are not escaped are between them."""
    table = markdown.split("## Summary")[0].splitlines()
    return [line.replace("\\\\", "").replace("\\|", "").count("|") for line in table if line.startswith("|")]


@each(["onnx", "tflite"])
def names_mean_nothing(case, form):
    content = onnx(mf.node("Relu", ["x"], [ODD]), mf.node(ODD, [ODD], ["y"], domain="my.ops")) \
        if form == "onnx" else tflite([mf.code(32, ODD), mf.code(32, b"\xff\xfe\xc0|")], 2)
    text = judge(case, content, status=8)
    has(text, 'a"b\\c|d?e?[31m<b>`')
    has_not(text, "\x1b")
    markdown = judge(case, content, "--markdown", status=8)
    equal(set(rows(markdown)), {7}, "cells")
    has_not(markdown, "\x1b", " <b>")
    data = json.loads(judge(case, content, "--json", status=8))
    check('a"b\\c|d?e?[31m<b>`' in [item["operator"] for item in data["nodes"]], "name in JSON")


@test
def says_what_is_not_judged(case):
    inner = mf.subgraph([tensor("a"), tensor("b")], [mf.operator(0, [0], [1])], [0], [1])
    content = tflite((118, 119, 129, 0), 4, [inner, inner])  # IF, WHILE, CALL_ONCE, ADD
    text = judge(case, content, status=8)
    has(text, "such as those of If and WHILE: 2", "IF ", "WHILE ", "CALL_ONCE ")
    data = json.loads(judge(case, content, "--json", status=8))
    equal(data["model"]["graphs_not_judged"], 2, "graphs")
    equal([item["runs"] for item in data["nodes"]], ["unsupported"] * 3 + ["HW"], "places")
    has(judge(case, content, "--markdown", status=8), "such as those of If and WHILE: 2")
    body = mf.field(1, mf.node("Relu", ["x"], ["y"])) + mf.field(2, "g")
    for _ in range(1000):
        branch = mf.field(1, "then_branch") + mf.field(6, body) + mf.field(20, 5)
        body = mf.field(1, mf.node("If", ["x"], ["y"]) + mf.field(5, branch)) + mf.field(2, "g")
    graph = body + mf.field(11, mf.value("x", mf.FLOAT, [1])) + mf.field(12, mf.value("y", mf.FLOAT, [1]))
    nested = mf.field(1, 8) + mf.field(7, graph) + mf.field(8, mf.field(1, "") + mf.field(2, 17))
    has(judge(case, nested, status=8), "such as those of If and WHILE: 1", " If ")


@test
def names_external_data(case):
    external = (b"".join(mf.field(1, size) for size in (4, 4, 1, 1)) + mf.field(2, mf.FLOAT) + mf.field(8, "w")
                + mf.field(13, mf.field(1, "location") + mf.field(2, "../w\x1b.bin")) + mf.field(14, 1))
    content = onnx(mf.node("Conv", ["x", "w"], ["y"], kernel_shape=[1, 1]), constants=[external])
    text = judge(case, content)
    has(text, "Not read: values of constants, in other files ('../w?.bin'): 1")
    equal(json.loads(judge(case, content, "--json"))["model"]["constants_elsewhere"], ["w"], "names")


@test
def odd_tensors(case):
    sparse = mf.field(1, mf.constant("w", mf.FLOAT, [2], bytes(8))) + mf.field(2, mf.constant("", 7, [2], bytes(16)))
    graph = (mf.field(1, mf.node("Relu", ["x"], ["y"])) + mf.field(15, sparse)
             + mf.field(11, mf.value("x", mf.FLOAT, [1])) + mf.field(12, mf.value("y", mf.FLOAT, [1])))
    refuse(case, mf.field(7, graph) + mf.field(8, mf.field(2, 17)), "'w' is a sparse tensor")
    weights = mf.table(mf.ints(4, 4), mf.number("B", mf.TFLITE_INT8), mf.number("I", 1), mf.text("w"), None, None,
                       mf.table())
    layer = mf.subgraph([tensor("x"), weights, tensor("y")], [mf.operator(0, [0, 1], [2])], [0], [2])
    judge(case, mf.tflite([9], [layer], [b"few"]))
    wide = mf.subgraph([tensor("x", [1] * 9), tensor("y", [0, -1, 2147483647])], [mf.operator(0, [0], [1])], [0], [1])
    case.relocpack("ops", case.write("m", mf.tflite([0], [wide])), status=None)
    # labels and the like are put behind a model as a zip archive
    equal(judge(case, zipped(tflite())), judge(case, tflite()), "with metadata behind it")


# ---- the command line ----

@test
def output_that_fails(case):
    path = case.write("m", tflite())
    with open("/dev/full", "wb") as full:
        for options in ((), ("--json",), ("--markdown",)):
            done = subprocess.run([case.tool, "ops", path, *options], stdout=full, stderr=subprocess.PIPE,
                                  env=case.env, timeout=kit.BUSY, check=False)
            equal(done.returncode, 1, "exit code")
            has(done.stderr.decode(), "error RP2100", "standard output")
    done = subprocess.run(["sh", "-c", 'exec "$0" ops "$1" >&-', case.tool, path], stderr=subprocess.PIPE,
                          env=case.env, timeout=kit.BUSY, check=False)
    equal(done.returncode, 1, "exit code")
    has(done.stderr.decode(), "error RP2100")


@test
def one_form_at_a_time(case):
    path = case.write("m", tflite())
    for words in ((path,), ("--list",)):
        result = case.relocpack("ops", *words, "--json", "--markdown", status=2)
        has(result.err, "--json and --markdown")
        equal(json.loads(result.out)["error"]["id"], "RP2200", "the only document")


# ---- huge: time has to grow with the file. A quadratic step takes minutes here ----

def repeated(count, *nodes):
    """The nodes again and again: names @B@@@@, @A@@@@ and @C@@@@ are before, behind and inside."""
    once = b"".join(mf.field(1, item) for item in nodes)
    return b"".join(once.replace(b"@B@@@@", b"%06d" % i).replace(b"@A@@@@", b"%06d" % (i + 1))
                    .replace(b"@C@@@@", b"c%05d" % (i % 100000)) for i in range(count))


def long(count, *nodes, constants=SCALES, behind=(), output=None):
    graph = repeated(count, *nodes) + b"".join(mf.field(1, item) for item in behind) + mf.field(2, "g")
    graph += b"".join(mf.field(5, item) for item in constants)
    graph += mf.field(11, mf.value("000000", mf.FLOAT, [1, 4, 8, 8]))
    graph += mf.field(12, mf.value(output or f"{count:06}", mf.FLOAT, [1, 4, 8, 8]))
    return mf.field(1, 8) + mf.field(7, graph) + mf.field(8, mf.field(1, "") + mf.field(2, 17))


def convolutions(dims, scales=(0.5,), count=MOST // 2 - 2):
    """All read the first tensor."""
    options = mf.table(None, mf.number("i", 1), mf.number("i", 1))
    once = mf.operator(0, [0, 1], [0x11111111], 1, options)
    operators = [mf.Part(once.start, once.data.replace(b"\x11" * 4, mf.number("i", i + 2))) for i in range(count)]
    first = [mf.tensor(name, mf.TFLITE_INT8, dims, scales=scales) for name in "xw"]
    return mf.tflite([3], [mf.subgraph(first + [tensor("y")] * count, operators, [0], [count + 1])])


B, A, C = "@B@@@@", "@A@@@@", "@C@@@@"
ALL = MOST - 16
HALF = 99000
WEIGHTS = mf.constant("w", mf.INT8, [4, 4, 3, 3], bytes(144))
LONG = {
    "chain": lambda: long(ALL, mf.node("Relu", [B], [A])),
    "star": lambda: long(ALL, mf.node("Relu", ["000000"], [A])),
    "one_with_all_inputs": lambda: long(0, behind=[mf.node("Concat", ["000000"] * MOST, ["y"], axis=[1])], output="y"),
    "inputs_of_a_chain": lambda: long(HALF, mf.node("Relu", [B], [A]), output="y", behind=[
        mf.node("Concat", [f"{i:06}" for i in range(HALF)], ["y"], axis=[1])]),
    "concatenations": lambda: long(ALL, mf.node("Concat", [B, "000000"], [A], axis=[1])),
    "squares": lambda: long(ALL, mf.node("Mul", [B, B], [A])),
    "swish": lambda: long(HALF, mf.node("Sigmoid", [B], [C]), mf.node("Mul", [B, C], [A])),
    "convolutions_and_relu": lambda: long(HALF, mf.node("Conv", [B, "w"], [C], kernel_shape=[3, 3], pads=[1, 1, 1, 1]),
                                          mf.node("Relu", [C], [A]), constants=[WEIGHTS]),
    "dequantised_again": lambda: long(ALL, mf.node("DequantizeLinear", [B, "s", "z"], [A])),
    "quantised_and_back": lambda: long(HALF, mf.node("QuantizeLinear", [B, "s", "z"], [C]),
                                       mf.node("DequantizeLinear", [C, "s", "z"], [A])),
    "shared_zero_points": lambda: long(
        HALF, mf.node("DequantizeLinear", ["000000", "s", "z"], [A]), mf.node("Relu", [A], [C]),
        constants=[SCALES[0], mf.constant("z", mf.INT8, [1000000], bytes(1000000))]),
    "joined_quantised": lambda: long(MOST // 4, mf.node("Relu", [B], [A]), output="y", behind=[mf.node(
        "QLinearConcat", ["s", "z"] + [name for i in range(MOST // 4) for name in (f"{i:06}", "s", "z")], ["y"],
        domain="com.microsoft")]),
    "own_operators": lambda: long(ALL, mf.node("Op" + A, [B], [A])),
    "shapes": lambda: long(HALF, mf.node("Shape", ["000000"], [C]), mf.node("Reshape", [B, C], [A])),
    "many_attributes": lambda: long(0, output="y", constants=[WEIGHTS], behind=[
        mf.node("Conv", ["000000", "w"], ["y"], **{f"a{i}": [1] for i in range(MOST)})]),
    "long_axes": lambda: long(ALL, mf.node("ReduceMean", [B, "a"], [A]),
                              constants=[mf.constant("a", 7, [500000], bytes(4000000))]),
    "prime_channels": lambda: convolutions([1, 8, 8, 2147483647]),
    "shared_scales": lambda: convolutions([1, 8, 8, 4], [0.5] * 1000000),
}


@each(list(LONG))
def long_files_do_not_hang(case, name):
    result = case.relocpack("ops", case.write("m", LONG[name]()), status=None, timeout=60)
    check(result.status in (0, 8), result.show())


@test
def refuses_too_many(case):
    refuse(case, long(MOST + 1, mf.node("Relu", ["000000"], [""]), output="000000"), f"more than {MOST} operators")
    refuse(case, long(MOST + 1, mf.node("Relu", ["000000"], [A]), output="000000"), f"more than {MOST} tensors")
