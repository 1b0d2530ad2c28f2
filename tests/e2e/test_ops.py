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


# ---- what the compiler writes, as far as ops reads it ----

def network(units, epochs, buffers=()):
    """units: (epoch, unit, kind, node); epochs: (flags, number); weights are as many as the model's."""
    def table(kind, rows):
        return (f"const LL_Buffer_InfoTypeDef *LL_ATON_{kind}_Buffers_Info_net(void)\n{{\n"
                "  static const uint32_t kernel[] = { 8, 3, 3, 4 };\n  static const LL_Buffer_InfoTypeDef buff_info[] = {\n"
                + "".join(f'    {{ .name = "{name}", .addr_base = {{(unsigned char *)(0x342e0000UL)}}, .offset_start = 0, '
                          f'.offset_end = 64, {shape if name.endswith("_weights") else ""}}},\n' for name in rows)
                + "    { .name = NULL, }\n  };\n  return buff_info;\n}\n")
    shape = ".ndims = 4, .shape = kernel, "
    text = ("#if LL_ATON_VERSION_MAJOR != 1 || LL_ATON_VERSION_MINOR != 1 || LL_ATON_VERSION_MICRO != 3 || LL_ATON_VERSION_DEV != 8\n"
            '#error "mismatch"\n#endif\n/* global pool 1 is ? */\n/* index=1 file postfix=RAM name=npuRAM offset=0x342e0000  '
            "absolute_mode size=1024 READ_WRITE cacheable=OFF byte width=2 score=82  */\n")
    for epoch, unit, kind, name in units:
        text += (f"/* scheduling epoch={epoch}    nodes=1   --- */\nstatic void f{epoch}(void) {{\n/* Unit= 1 [{unit} 0] */\n"
                 f"/* kind={kind} node={name} */\n}}\n")
    text += ("const EpochBlock_ItemTypeDef *LL_ATON_EpochBlockItems_net(void) {\n  static const EpochBlock_ItemTypeDef "
             "ll_atonn_rt_epoch_block_array[] = {\n")
    for flags, number in epochs:
        blob = ".blob_address = (uintptr_t) (_ec_blob_1), " if flags == "blob" else ""
        text += f"    {{ .flags = EpochBlock_Flags_{flags}, {blob}.epoch_num = {number}, .last_epoch_num = {number}, }},\n"
    text += "    { .flags = EpochBlock_Flags_last_eb, },\n  };\n  return ll_atonn_rt_epoch_block_array;\n}\n"
    return text + table("Input", ["Input_0_out_0"]) + table("Output", ["b"]) + table("Internal", buffers)


@test
def says_where_nodes_run(case):
    path = case.write("m.onnx", quantised())
    out = case.relocpack("ops", path).out
    has(out, "conv", "HW", "part of node 3 (Conv)", "converts to or from 8-bit integers", "Advice", "edge-quantiser")
    data = json.loads(case.relocpack("ops", path, "--json").out)
    equal(list(data), ["schema", "schema_version", "command", "tool", "model", "nodes", "summary", "advice"], "keys")
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
def output_is_tidy(case):
    result = case.relocpack("ops", case.write("m.onnx", quantised()), "--network",
                            case.write("n.c", network([], [("pure_hw", 1)])))
    check(all(line == line.rstrip() for line in result.out.splitlines()), "no blanks at the ends of lines")
    equal(result.out.splitlines()[-1], "1 of 3 operators and 100 % of the MACs run in hardware; 2 in software.", "last line")
    has(result.out, "HW                             1   33.3 %            7200    100 %")


@test
def compares_with_a_network(case):
    path = case.write("m.onnx", quantised(node("Softmax", ["y"], ["u"]), result="u"))
    units = [(1, "PROCESSOR", "QuantizeLinear", "Quantize_1"), (2, "CONV_ACC_V2", "Conv", "Conv2D_3_ca_pipe_7"),
             (3, "PROCESSOR", "Softmax", "Softmax_9"), (4, "PROCESSOR", "Cast", "Cast_inserted_id12")]
    epochs = [("pure_sw", 1), ("pure_hw", 2), ("hybrid", 3), ("pure_sw", 4)]
    files = ["ops", path, "--network", case.write("n.c", network(units, epochs))]
    data = json.loads(case.relocpack(*files, "--json").out)
    equal({item["index"]: item["comparison"] for item in data["nodes"] if "comparison" in item},
          {0: "agrees", 3: "agrees", 6: "not_shown", 7: "hybrid"}, "comparisons")
    equal(data["nodes"][3]["made"], {"runs": "hardware", "name": "Conv2D_3", "epoch": 2}, "Conv")
    equal(data["network"], {"path": str(files[3]), "name": "net", "epochs": {"hardware": 1, "software": 2, "hybrid": 1, "other": 0},
                            "has_blobs": False, "nodes": 4, "agrees": 2, "hybrid": 1, "differs": 0, "undecided": 0,
                            "not_shown": 1, "inserted": 1, "doubtful": False}, "network")
    has(case.relocpack(*files).out, "Of 4 nodes 2 run where predicted, 0 elsewhere, 1 in hybrid epochs; 0 undecided, 1 not shown.",
        "has no epoch of its own")
    units[1] = (2, "PROCESSOR", "Conv", "Conv2D_3")
    epochs[1] = ("pure_sw", 2)
    files[3] = case.write("n.c", network(units, epochs))
    has(case.relocpack(*files).out, "Other than predicted\nConv: predicted HW, made software: node 3\n")
    has(case.relocpack(*files, "--markdown").out, "## Other than predicted\n\n- Conv: ",
        "| HW | software | 2 | differs | Conv2D_3 |")
    files[3] = case.write("n.c", network(units[2:], [("blob", 2)] + epochs[2:], ["Conv2D_3_weights"]))
    data = json.loads(case.relocpack(*files, "--json").out)
    equal(data["nodes"][3]["made"], {"runs": "hardware", "name": "Conv2D_3"}, "Conv in a blob")
    has(case.relocpack(*files).out, "in a blob of the epoch controller")


@test
def warns_of_another_network(case):
    path = case.write("m.onnx", quantised())
    for count, doubtful in ((2, False), (3, True)):
        buffers = [f"Conv2D_{i}_weights" for i in range(3, 3 + count)]
        other = case.write("n.c", network([], [("blob", 2)], buffers))
        result = case.relocpack("ops", path, "--network", other, "--json")
        equal(json.loads(result.out)["network"]["doubtful"], doubtful, f"of {count} convolutions one is found")
        equal("is it of this model?" in result.err, doubtful, "warning")
    has(result.err, "warning RP1060: network '", "n.c': 1 of its 3 nodes with weights")
    said = case.dir / "said"
    case.relocpack("ops", path, "--network", other, "--diagnostics", said)
    line = json.loads(said.read_text())
    equal((line["id"], line["severity"], line["file"]), ("RP1060", "warning", str(other)), "line")


def front_end():
    """A convolution as ST's front end writes it: float weights, and the rest in another file."""
    nodes = [node("DequantizeLinear", ["Input_0_out_0", "s", "z"], ["Dequantize_1_out_0"]),
             node("Conv", ["Dequantize_1_out_0", "Conv2D_2_weights"], ["Conv2D_2_out_0"], kernel_shape=[1, 1]),
             node("QuantizeLinear", ["Conv2D_2_out_0", "s", "z"], ["Quantize_3_out_0"])]
    constants = [constant("Conv2D_2_weights", FLOAT, [8, 4, 1, 1], bytes(128)), constant("s", FLOAT, [], struct.pack("<f", 0.5)),
                 constant("z", INT8, [], b"\0")]
    tensors = {name: {"format": {"params": [[0.5], [0]], "class": "integer", "type": "S8"}}
               for name in ("Input_0_out_0", "Dequantize_1_out_0", "Conv2D_2_weights", "Conv2D_2_out_0", "Quantize_3_out_0")}
    return (model(nodes, constants, [("Input_0_out_0", INT8, [1, 4, 5, 5])], [("Quantize_3_out_0", INT8, [1, 8, 5, 5])],
                  producer="Cube.AI"), json.dumps({"version": "4.0", "tensors": tensors}))


@test
def quantisation_of_the_front_end(case):
    onnx, quantisation = front_end()
    path = case.write("m_OE_3_3_1.onnx", onnx)
    result = case.relocpack("ops", path, status=9)
    has(result.err, "m_OE_3_3_1_Q.json", "--quantisation")
    equal(result.out, "", "standard output")
    named = case.relocpack("ops", path, "--quantisation", case.write("q.json", quantisation)).out
    case.write("m_OE_3_3_1_Q.json", quantisation)
    equal(case.relocpack("ops", path).out, named, "beside the model and named")
    has(named, "1 of 1 operators and 100 % of the MACs run in hardware; 0 in software.")
    has(case.relocpack("ops", path, "--quantisation", case.write("q.json", "{}"), status=9).err, "q.json", "tensors")


@test
def exit_codes(case):
    path = case.write("m.onnx", quantised())
    case.relocpack("ops", path)
    case.relocpack("ops", path, "--strict", status=8)
    custom = case.write("c.onnx", quantised(node("Own", ["y"], ["u"], domain="my.ops"), result="u"))
    has(case.relocpack("ops", custom, status=8).out, "unsupported", "custom-operator", "MACs not known: 1", "100 % of the known MACs")
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
    has(result.err, "n.c", "--network takes the network.c")
    equal(result.out, "", "standard output")


@test
def lists_the_tables(case):
    out = case.relocpack("ops", "--list").out
    operators, rules = out.split("\n\nRules\n")
    equal(len(operators.splitlines()), 1 + 72 + 99, "lines")
    has(operators, "CONV_2D", "BatchNormalization", "RESIZE_BILINEAR")
    has(rules, "batchnorm-alone: BatchNormalization (ONNX): SW_FLOAT: not after")
    check(all(len(line) <= 100 for line in rules.splitlines()), "lines are not long")
    data = json.loads(case.relocpack("ops", "--list", "--json").out)
    equal(len(data["operators"]), 72 + 99, "operators")
    equal([rule["operators"] for rule in data["rules"] if rule["rule"] == "batchnorm-alone"], [["BatchNormalization"]], "rule")
    equal({row["runs"] for row in data["operators"]}, {"HW", "SW_INT", "SW_FLOAT"}, "places")
    has(case.relocpack("ops", "--list", "--markdown").out, "| ONNX | Conv | HW | Conv1D/Conv2D |", "## Rules", "| batchnorm-alone | BatchNormalization (ONNX) |")
    names = {row["operator"]: row.get("pytorch") for row in data["operators"] if row["format"] == "onnx"}
    equal([names[op] for op in ("Conv", "Clip", "Atanh", "Gemm")], ["Conv1D/Conv2D", "clip/ReLU6", "atanh", None], "names in PyTorch")
    check(not any("pytorch" in row for row in data["operators"] if row["format"] == "tflite"), "TFLite has no such names")
    has(operators, "Conv1D/Conv2D", "LocalResponseNormalization")
    for option in (["--strict"], ["--network", "n.c"], ["--quantisation", "q.json"]):
        case.relocpack("ops", "--list", *option, status=2)


@test
def names_are_harmless(case):
    odd = model([node("Re\x1b[31mlu", ["x"], ["y"])], (), [("x", FLOAT, [1])], [("y", FLOAT, [1])])
    path = case.write("odd.onnx", odd)
    has_not(case.relocpack("ops", path, status=8).out, "\x1b")
    json.loads(case.relocpack("ops", path, "--json", status=8).out)


@test
def names_are_columns(case):
    ops = ["é" * 30, "é" * 45, "_x_ ~~s~~ &lt;", "a_b"]  # and the names as well
    path = case.write("_m_.onnx", model([node(op, [f"t{i}"], [f"t{i + 1}"]) for i, op in enumerate(ops)],
                                        (), [("t0", FLOAT, [1])], [("t4", FLOAT, [1])]))
    out = case.relocpack("ops", path, status=8).out
    equal({line.index("unsupported") for line in out.splitlines()[2:6]}, {5 + 2 + 40 + 2 + 45 + 2}, "columns")
    has(out, " ..." + "é" * 37 + " ")
    has_not(out, "\\x")
    markdown = case.relocpack("ops", path, "--markdown", status=8).out
    has(markdown, "| " + "é" * 45 + " |", "| \\_x\\_ \\~\\~s\\~\\~ \\&lt; |", "| a_b |", "/\\_m\\_.onnx: ONNX")


@test
def nodes_are_ranges(case):
    path = case.write("m.onnx", model([node("Own", [f"t{i}"], [f"t{i + 1}"], domain="my.ops") for i in range(400)],
                                      (), [("t0", FLOAT, [1])], [("t400", FLOAT, [1])]))
    out = case.relocpack("ops", path, status=8).out
    has(out, "nodes 0-399)")
    check(all(len(line) <= 100 for line in out.split("\nAdvice\n")[1].splitlines()), "lines are not long")
