# SPDX-License-Identifier: Apache-2.0
"""ops: where the operators of a model run, as text, Markdown and JSON, and its exit codes."""
import json
import struct

from kit import check, equal, has, has_not, test
from model_files import FLOAT, INT8, constant, model, node


def quantised(*behind, result="y"):
    """A quantised convolution with ReLU, and nodes behind it."""
    nodes = [node("QuantizeLinear", ["x", "s", "z"], ["q"]), node("DequantizeLinear", ["q", "s", "z"], ["d"]),
             node("DequantizeLinear", ["w", "s", "z"], ["e"]),
             node("Conv", ["d", "e"], ["c"], kernel_shape=[3, 3], pads=[1, 1, 1, 1]), node("Relu", ["c"], ["r"]),
             node("QuantizeLinear", ["r", "s", "z"], ["o"]), node("DequantizeLinear", ["o", "s", "z"], ["y"])]
    constants = [constant("w", INT8, [8, 4, 3, 3], bytes(288)), constant("s", FLOAT, [], struct.pack("<f", 0.5)),
                 constant("z", INT8, [], b"\0")]
    return model(nodes + list(behind), constants, [("x", FLOAT, [1, 4, 5, 5])], [(result, FLOAT, [1, 8, 5, 5])],
                 [("c", FLOAT, [1, 8, 5, 5])])


@test
def says_where_nodes_run(case):
    path = case.write("m.onnx", quantised())
    out = case.relocpack("ops", path).out
    has(out, "conv", "HW", "part of node 3 (Conv)", "converts between float and integer", "Advice", "edge-quantiser")
    data = json.loads(case.relocpack("ops", path, "--json").out)
    equal(list(data), ["schema_version", "model", "nodes", "summary", "advice"], "keys")
    equal([item["runs"] for item in data["nodes"]], ["SW_FLOAT"] + ["HW"] * 5 + ["SW_FLOAT"], "places")
    equal(data["nodes"][3]["macs"], 5 * 5 * 8 * 4 * 9, "MACs")
    equal(data["summary"]["runs"]["HW"], {"nodes": 1, "macs": 7200}, "on the hardware")
    equal(data["summary"]["parts"], 4, "parts")
    equal(data["model"]["format"], "onnx", "format")
    check("." not in "".join(str(item.get("macs")) for item in data["nodes"]), "integers only")
    markdown = case.relocpack("ops", path, "--markdown").out
    has(markdown, "| node | name | operator |", "## Summary", "| 3 | conv | Conv | HW | 7200 |")
    equal(case.relocpack("ops", path, "--json").out, case.relocpack("ops", path, "--json").out, "twice the same")


@test
def exit_codes(case):
    path = case.write("m.onnx", quantised())
    case.relocpack("ops", path)
    case.relocpack("ops", path, "--strict", status=8)
    custom = case.write("c.onnx", quantised(node("Own", ["y"], ["u"], domain="my.ops"), result="u"))
    has(case.relocpack("ops", custom, status=8).out, "unsupported", "custom-operator")
    for name, content in (("empty", b""), ("text", b"hello\n"), ("cut", quantised()[:-9]), ("zero", bytes(100))):
        result = case.relocpack("ops", case.write(name, content), status=9)
        has(result.err, "error RP29", name)
        equal(result.out, "", "standard output")
    case.relocpack("ops", "missing.onnx", status=9)
    case.relocpack("ops", case.dir, status=9)
    case.relocpack("ops", status=2)
    case.relocpack("ops", path, path, status=2)
    case.relocpack("ops", "--list", path, status=2)
    result = case.relocpack("ops", path, "--network", case.write("n.c", "int x;\n"), status=9)
    has(result.err, "n.c")
    equal(result.out, "", "standard output")


@test
def lists_the_tables(case):
    out = case.relocpack("ops", "--list").out
    equal(len(out.splitlines()), 1 + 72 + 99, "lines")
    has(out, "CONV_2D", "BatchNormalization", "RESIZE_BILINEAR")
    data = json.loads(case.relocpack("ops", "--list", "--json").out)
    equal(len(data["operators"]), 72 + 99, "operators")
    equal({row["runs"] for row in data["operators"]}, {"HW", "SW_INT", "SW_FLOAT"}, "places")
    has(case.relocpack("ops", "--list", "--markdown").out, "| ONNX | Conv | HW |")


@test
def names_are_harmless(case):
    odd = model([node("Re\x1b[31mlu", ["x"], ["y"])], (), [("x", FLOAT, [1])], [("y", FLOAT, [1])])
    path = case.write("odd.onnx", odd)
    has_not(case.relocpack("ops", path, status=8).out, "\x1b")
    json.loads(case.relocpack("ops", path, "--json", status=8).out)
