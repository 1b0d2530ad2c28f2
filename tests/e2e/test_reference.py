# SPDX-License-Identifier: Apache-2.0
"""verify --reference: outputs compared with the test vectors of the original model. The vectors are written by hand,
and what a model computes is computed here, in double precision."""
import json
import struct
import xml.etree.ElementTree

import model_files
from kit import EXAMPLES, QEMU, check, equal, has, has_not, test

FLOAT, INT8, INT32, DOUBLE, STRING = 1, 3, 6, 11, 8
CODES = {FLOAT: "f", INT8: "b", INT32: "i", DOUBLE: "d"}
WEIGHTS, BIAS = ((0.5, -1.0, 1.5, 0.5), (-0.25, 0.75, 0.5, -1.0)), (0.5, 0.0)
# two inputs of different shapes, and two outputs; onnx2c calls tensors so
TWO = """
void entry(const float tensor_a[1][3], const float tensor_b[2], float tensor_sum[1][3], int tensor_top[1]) {
    int top = 0;
    for (int i = 0; i < 3; i++) {
        tensor_sum[0][i] = tensor_a[0][i] * tensor_b[0] + tensor_b[1];
        if (tensor_sum[0][i] > tensor_sum[0][top])
            top = i;
    }
    tensor_top[0] = top;
}
"""
ONNX_TWO = model_files.model([model_files.node("Foo", ["a", "b"], ["sum", "top"])],
                             inputs=[("a", FLOAT, [1, 3]), ("b", FLOAT, [2])],
                             outputs=[("sum", FLOAT, [1, 3]), ("top", INT32, [1])])


def tensor(kind, dims, numbers, name=""):
    return model_files.constant(name, kind, dims, struct.pack(f"<{len(numbers)}{CODES[kind]}", *numbers))


def npy(kind, shape, numbers):
    descr = {FLOAT: "<f4", INT8: "|i1", INT32: "<i4"}[kind]
    header = repr({"descr": descr, "fortran_order": False, "shape": shape}).encode() + b"\n"
    return b"\x93NUMPY\1\0" + struct.pack("<H", len(header)) + header + struct.pack(f"<{len(numbers)}{CODES[kind]}", *numbers)


def tiny(case, *words):
    case.generate(EXAMPLES / "tiny/tiny.c", *words, target="stm32f4")
    return case.dir / "out/tiny_rel.bin"


def dense(x):
    return [BIAS[o] + sum(w * v for w, v in zip(WEIGHTS[o], x)) for o in range(2)]


def put_set(case, folder, inputs, outputs, suffix="pb"):
    for kind, list_of in (("input", inputs), ("output", outputs)):
        for i, data in enumerate(list_of):
            case.write(f"{folder}/{kind}_{i}.{suffix}", data)
    return case.dir / folder


def two(case, sets):
    """The model of two inputs, and an ONNX file beside which the sets lie."""
    case.generate(case.write("model.c", TWO), target="stm32f4")
    for i, (inputs, outputs) in enumerate(sets):
        put_set(case, f"original/test_data_set_{i}", inputs, outputs)
    return case.dir / "out/model_rel.bin", case.write("original/model.onnx", ONNX_TWO)


def vectors_of_two(a, b, off=0.0):
    total = [x * b[0] + b[1] for x in a]
    return ([tensor(FLOAT, [1, 3], a, "a"), tensor(FLOAT, [2], b, "b")],
            [tensor(FLOAT, [1, 3], [y + off for y in total], "sum"), tensor(INT32, [1], [total.index(max(total))], "top")])


@test(needs=[QEMU])
def sets_beside_a_model(case):
    """Three sets are one run of the emulator with three inferences; one that is wrong is named."""
    rows = (((1.0, 2.0, 3.0), (2.0, 1.0)), ((3.0, -1.0, 0.5), (-1.0, 0.25)), ((0.1, 0.7, 0.2), (3.0, 0.0)))
    image, model = two(case, [vectors_of_two(*row) for row in rows])
    has(case.verify(image, "--reference", model).out, "3 of 3 data sets equal, by 1e-07 + 0.001 * |reference|",
        "tensor_sum, 3 x float32 1x3", "tensor_top, 3 x int32 1")
    answer = json.loads(case.verify(image, "--reference", model, "--json").out)["reference"]
    equal((answer["rtol"], answer["atol"]), (1e-3, 1e-7), "tolerances")
    equal([(s["folder"].rsplit("/", 1)[1], s["inferences"], s["equal"]) for s in answer["sets"]],
          [(f"test_data_set_{i}", 1, True) for i in range(3)], "sets")
    equal([o["beyond_tolerance"] for o in answer["outputs"]], [0, 0], "values")
    check(answer["outputs"][0]["rmse"] < 1e-6 and answer["outputs"][1]["bit_exact"], f"figures: {answer['outputs']}")
    inputs, outputs = vectors_of_two(*rows[1], off=0.5)
    put_set(case, "original/test_data_set_1", inputs, outputs)
    result = case.verify(image, "--reference", model, "--json", "--junit", case.dir / "j.xml", status=8)
    has(result.err, "error RP2800", "output 0, tensor_sum, is not that of", "test_data_set_1/output_0.pb",
        "3 of 9 values", "the largest difference is 0.5", "--tolerance")
    answer = json.loads(result.out)["reference"]
    equal([s["equal"] for s in answer["sets"]], [True, False, True], "sets")
    equal((answer["outputs"][0]["different"], answer["outputs"][0]["beyond_tolerance"]), (1, 3), "what differs")
    cases = {c.get("name"): c.find("failure") is not None
             for c in xml.etree.ElementTree.parse(case.dir / "j.xml").iter("testcase")}
    equal([cases[f"reference, test_data_set_{i}"] for i in range(3)], [False, True, False], "test cases")
    has(case.verify(image, "--reference", model, "--tolerance", "0.5").out, "3 of 3 data sets equal, by 0.5 + ")
    case.verify(image, "--reference", case.dir / "original", status=8)
    case.verify(image, "--reference", case.dir / "original/test_data_set_0")


@test(needs=[QEMU])
def tensors_without_dimensions(case):
    """onnx2c writes them as pointers. In other code, a pointer may lead to any number of elements."""
    text = ("void entry(const float tensor_x[4], const float *tensor_least, float tensor_y[4], int *tensor_count) {\n    int n = 0;\n"
            "    for (int i = 0; i < 4; i++) {\n        n += tensor_x[i] < *tensor_least;\n"
            "        tensor_y[i] = tensor_x[i] < *tensor_least ? *tensor_least : tensor_x[i];\n    }\n    *tensor_count = n;\n}\n")
    case.generate(case.write("clip.c", "// This file is computer-generated by onnx2c \n" + text), target="stm32f4")
    x, least = (1.0, -2.0, 3.5, 0.25), 0.5
    folder = put_set(case, "set", [tensor(FLOAT, [4], x, "x"), tensor(FLOAT, [], [least], "least")],
                     [tensor(FLOAT, [4], [max(v, least) for v in x], "y"), tensor(INT32, [], [sum(v < least for v in x)], "count")])
    has(case.verify(case.dir / "out/clip_rel.bin", "--reference", folder).out, "1 of 1 data set equal")
    has(case.generate(case.write("other.c", text), target="stm32f4", status=9).err, "tensor_least", "does not say all of its dimensions")


@test(needs=[QEMU])
def integers_are_exact(case):
    inputs, outputs = vectors_of_two((1.0, 2.0, 3.0), (2.0, 1.0))
    image, model = two(case, [(inputs, [outputs[0], tensor(INT32, [1], [1], "top")])])
    has(case.verify(image, "--reference", model, status=8).err, "output 1, tensor_top", "further away than 1e-07 + 0 *")


@test(needs=[QEMU])
def names_and_positions(case):
    """The model's names pair vectors and tensors in another order; contradictions and wrong numbers are errors."""
    inputs, outputs = vectors_of_two((1.0, 2.0, 3.0), (2.0, 1.0))
    image, model = two(case, [(inputs, outputs)])
    swapped = model_files.model([model_files.node("Foo", ["a", "b"], ["sum", "top"])],
                                inputs=[("b", FLOAT, [2]), ("a", FLOAT, [1, 3])],
                                outputs=[("top", INT32, [1]), ("sum", FLOAT, [1, 3])])
    model.write_bytes(swapped)
    has(case.verify(image, "--reference", model, status=9).err, "error RP2900", "tensor 'tensor_a'")
    put_set(case, "original/test_data_set_0", inputs[::-1], outputs[::-1])
    case.verify(image, "--reference", model)
    case.verify(image, "--reference", case.dir / "original")  # by the names in the vectors
    unnamed = [tensor(FLOAT, [2], (2.0, 1.0)), tensor(FLOAT, [1, 3], (1.0, 2.0, 3.0))]
    folder = put_set(case, "unnamed", unnamed, outputs)
    has(case.verify(image, "--reference", folder, status=9).err, "error RP2900", "unnamed/input_0.pb", "tensor 'tensor_a'")
    put_set(case, "unnamed", unnamed[::-1], outputs)
    case.verify(image, "--reference", folder)
    folder = put_set(case, "odd", [tensor(FLOAT, [1, 3], (1, 2, 3), "b"), tensor(FLOAT, [2], (2, 1), "c")], outputs)
    has(case.verify(image, "--reference", folder, status=9).err, "error RP2900", "tensor_b", "has the name of", "odd/input_0.pb")
    folder = put_set(case, "more", inputs + [tensor(FLOAT, [1], [0])], outputs)
    has(case.verify(image, "--reference", folder, status=9).err, "error RP2900", "the image has 2 inputs, the reference 3")
    folder = put_set(case, "extra", inputs, outputs + outputs)
    has(case.verify(image, "--reference", folder, status=9).err, "error RP2900", "the image has 2 outputs, the reference 4")


@test(needs=[QEMU])
def arrays_of_numpy(case):
    """.npy of any framework, several inferences in a file; both kinds in one folder."""
    image = tiny(case)
    rows = [(1.0, 2.0, 3.0, 4.0), (0.5, -0.5, 2.0, 8.0)]
    x, y = [v for row in rows for v in row], [v for row in rows for v in dense(row)]
    folder = put_set(case, "a folder, 'quoted'\n", [npy(FLOAT, (2, 4), x)], [npy(FLOAT, (2, 2), y)], "npy")
    has(case.verify(image, "--reference", folder).out, "1 of 1 data set equal", "2 x float32 1x2")
    case.write("mixed/input_0.npy", npy(FLOAT, (1, 4), rows[0]))
    case.write("mixed/output_0.pb", tensor(FLOAT, [1, 2], dense(rows[0])))
    case.verify(image, "--reference", case.dir / "mixed")
    case.write("mixed/output_0.pb", tensor(FLOAT, [2, 2], y))
    has(case.verify(image, "--reference", case.dir / "mixed", status=9).err, "holds 2 inferences", "input_0.npy", "1")
    saved = case.dir / "y.npy"
    case.verify(image, "--reference", folder, "--save-output", saved, "--labels", case.write("l.txt", "0\n0\n"))
    case.verify(image, "--input", folder / "input_0.npy", "--expected", saved)
    for name in ("input_0.npy", "output_0.npy"):
        has(case.verify(image, "--reference", folder, "--save-output", folder / name, status=2).err, "is an input")


@test(needs=[QEMU])
def tensors_of_onnx_as_files(case):
    """--input and --expected take them, too."""
    image = tiny(case)
    x = case.write("x.pb", tensor(FLOAT, [1, 4], (1, 2, 3, 4)))
    y = case.write("y.pb", tensor(FLOAT, [2], dense((1, 2, 3, 4))))
    has(case.verify(image, "--input", x, "--expected", y).out, "bit-exact")
    has(case.verify(image, "--input", x, "--save-output", case.dir / "z.pb", status=2).err, "are read, but not written")


@test(needs=[QEMU])
def models_without_inputs(case):
    """They run once: there is nothing to compare with a second output."""
    case.generate(case.write("model.c", "void entry(float out[2]) { out[0] = 1; out[1] = 2; }\n"), target="stm32f4")
    image = case.dir / "out/model_rel.bin"
    folder = put_set(case, "set", [], [npy(FLOAT, (2,), (1, 2))], "npy")
    has(case.verify(image, "--reference", folder).out, "1 of 1 data set equal")
    for count in (2, 500):
        put_set(case, "set", [], [npy(FLOAT, (count, 2), (1, 2) + (9,) * (2 * count - 2))], "npy")
        has(case.verify(image, "--reference", folder, status=9).err, "error RP2900", "output_0.npy",
            f"holds {count} outputs, there are 1 inferences")
    put_set(case, "set", [], [npy(FLOAT, (2,), (1, 9))], "npy")
    has(case.verify(image, "--reference", folder, status=8).err, "output 0, out, is not that of")


@test(needs=[QEMU])
def quantised_models_against_real_numbers(case):
    """Inputs are quantised; the outputs' steps are larger than the tolerance of floats."""
    case.generate(EXAMPLES / "digits/digits_int8.json", target="stm32f4")
    image = case.dir / "out/digits_int8_rel.bin"
    pixels = (EXAMPLES / "digits/test_images_u8.bin").read_bytes()[:64]
    real = [p / 16 for p in pixels]
    saved = case.dir / "scores.csv"
    case.verify(image, "--input", case.write("x.csv", ",".join(map(repr, real))), "--save-output", saved)
    scale, zero = 0.170015, 33
    scores = [(int(q) - zero) * scale for q in saved.read_text().split(",")]
    folder = put_set(case, "set", [npy(FLOAT, (1, 64), real)], [npy(FLOAT, (10,), scores)], "npy")
    case.verify(image, "--reference", folder)
    put_set(case, "set", [npy(FLOAT, (1, 64), real)], [npy(FLOAT, (10,), [s + scale for s in scores])], "npy")
    has(case.verify(image, "--reference", folder, status=8).err, "a step of this quantised output is 0.17")
    case.verify(image, "--reference", folder, "--tolerance", "0.1701")
    # such an input makes some outputs -128, the value to which all smaller numbers are quantised
    real = [100 * v for v in real]
    case.verify(image, "--input", case.write("x.csv", ",".join(map(repr, real))), "--save-output", saved)
    ints = [int(q) for q in saved.read_text().split(",")]
    for below, status in ((0, 0), (scale, 0), (2 * scale, 8), (1000, 8), (float("inf"), 8)):
        scores = [(q - zero) * scale - (below if q == -128 else 0) for q in ints]
        put_set(case, "set", [npy(FLOAT, (1, 64), real)], [npy(FLOAT, (10,), scores)], "npy")
        result = case.verify(image, "--reference", folder, status=status)
        if status:
            has(result.err, f"{ints.count(-128)} of 10 values are further away")
    check(ints.count(-128) > 0, f"outputs: {ints}")


@test(needs=[QEMU])
def folders_and_files_that_are_wrong(case):
    image = tiny(case)
    good = tensor(FLOAT, [1, 4], (1, 2, 3, 4)), tensor(FLOAT, [1, 2], dense((1, 2, 3, 4)))
    (case.dir / "empty").mkdir()
    has(case.verify(image, "--reference", case.dir / "empty", status=9).err, "error RP2900", "no test vectors", "numpy.save")
    has(case.verify(image, "--reference", case.dir / "absent", status=9).err, "absent")
    only = put_set(case, "only", [good[0]], [])
    has(case.verify(image, "--reference", only, status=9).err, "has no output_0.pb")
    lone = case.write("lone/model.onnx", ONNX_TWO)
    has(case.verify(image, "--reference", lone, status=9).err, "no folder test_data_set_0")
    for words in (["--input", only / "input_0.pb"], ["--expected", only / "input_0.pb"]):
        has(case.verify(image, "--reference", only, *words, status=2).err, "--reference", "excludes " + words[0])
    put_set(case, "sets/test_data_set_0", [good[0]], [good[1]])
    case.write("sets/test_data_set_0.zip", b"")
    case.verify(image, "--reference", case.dir / "sets")
    (case.dir / "sets/test_data_set_1").symlink_to("nowhere")
    has(case.verify(image, "--reference", case.dir / "sets", status=9).err, "error RP2900", "sets/test_data_set_1' leads to no folder")
    folder = put_set(case, "bad", [good[0]], [good[1]])
    for data, *parts in (
            (good[1][:-1], "truncated, or not an ONNX tensor"), (b"\xff" * 40, "truncated, or not an ONNX tensor"), (b"", "it is empty"),
            (model_files.constant("y", FLOAT, [1, 2], b"1234"), "4 bytes where its type and shape need 8"),
            (model_files.constant("y", FLOAT, [-1, 2], b"12345678"), "impossible shape"),
            (model_files.constant("y", FLOAT, [1 << 62, 2], b"12345678"), "impossible shape"),
            (model_files.constant("y", STRING, [2], b"12345678"), "number 8 of ONNX"),
            (tensor(DOUBLE, [2], (1, 2)), "has dtype float64", "has float32"),
            (tensor(FLOAT, [3], (1, 2, 3)), "12 bytes of data", "has 8"),
            (bytes([8, 2, 16, INT8, 42, 4, 0x85, 2, 1, 1]), "a number that its type cannot hold"),  # int32_data, packed: 261
            (bytes([8, 2, 16, INT8, 40, 5, 40, 0x85, 2]), "a number that its type cannot hold"),
            (model_files.model([], outputs=[]), "it is not a tensor")):
        (folder / "output_0.pb").write_bytes(data)
        has(case.verify(image, "--reference", folder, status=9).err, "error RP2900", "bad/output_0.pb", *parts)
    (folder / "output_0.pb").write_bytes(good[1])
    has_not(case.verify(image, "--reference", folder).err, "error")
    model = case.write("seq/model.onnx", model_files.model([], inputs=[("x", 0, [])]))
    put_set(case, "seq/test_data_set_0", [good[0]], [good[1]])
    has(case.verify(image, "--reference", model, status=9).err, "input 'x' is no tensor")
