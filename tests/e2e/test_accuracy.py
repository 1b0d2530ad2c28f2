# SPDX-License-Identifier: Apache-2.0
"""verify: values in and out as .npy, text and raw bytes, figures, accuracy, and one run compared with another."""
import ast
import json
import struct

import standin
from kit import EXAMPLES, QEMU, check, equal, has, has_not, test

DIGITS = EXAMPLES / "digits"
PIXELS = (DIGITS / "test_images_u8.bin").read_bytes()
LABELS = (DIGITS / "test_labels.bin").read_bytes()


def make(case, name, *words, out="out"):
    source = DIGITS / f"{name}.json" if name != "tiny" else EXAMPLES / "tiny/tiny.c"
    case.generate(source, *words, target="stm32f4", out=out)
    return case.dir / out / f"{name}_rel.bin"


def images(case, count, name="images.csv"):
    """The first images of the test set, as real numbers from 0 to 1: one image a line."""
    rows = [PIXELS[64 * i:64 * i + 64] for i in range(count)]
    return case.write(name, "\n".join(",".join(str(pixel / 16) for pixel in row) for row in rows) + "\n")


def read_npy(path):
    """(header, numbers), by code that shares nothing with the tool."""
    data = path.read_bytes()
    equal(data[:8], b"\x93NUMPY\1\0", "magic and version")
    length, = struct.unpack_from("<H", data, 8)
    equal((10 + length) % 64, 0, "the alignment of the data")
    header = ast.literal_eval(data[10:10 + length].decode())
    kind = {"<f4": "f", "|i1": "b"}[header["descr"]]
    return header, [n for n, in struct.iter_unpack(f"<{kind}", data[10 + length:])]


def npy(case, name, descr, shape, numbers, fortran=False):
    header = repr({"descr": descr, "fortran_order": fortran, "shape": shape}).encode() + b"\n"
    kind = {"<f4": "<f", ">f4": ">f", "|i1": "b", "<i4": "<i", "<f8": "<d"}[descr]
    return case.write(name, b"\x93NUMPY\1\0" + struct.pack("<H", len(header)) + header +
                      b"".join(struct.pack(kind, n) for n in numbers))


@test(needs=[QEMU])
def accuracy_over_all_images(case):
    """The same numbers as examples/README.md, from real numbers that are quantised for the int8 model."""
    for name, scores in (("digits_int8", "scores.npy"), ("digits_float", "probs.npy")):
        image = make(case, name, out=name)
        saved = case.dir / scores
        words = ["--input", images(case, 360), "--labels", DIGITS / "test_labels.bin", "--save-output", saved]
        text = case.verify(image, *words).out
        has(text, "358 of 360 right, accuracy 99.44 %", "2884 of 2884 runs bit-identical")
        header, numbers = read_npy(saved)
        equal((header["shape"], header["fortran_order"]), ((360, 1, 10), False), "the array's shape and order")
        said = [max(range(10), key=numbers[10 * i:10 * i + 10].__getitem__) for i in range(360)]
        cells = {}
        for label, of in zip(LABELS, said):
            cells[label, of] = cells.get((label, of), 0) + 1
        rows = [line.split() for line in text.splitlines() if line.split()[:1] == ["3"]]
        equal(rows, [["3"] + [str(cells.get((3, of), ".")) for of in range(10)]], "a row of the matrix")
        if name == "digits_float":
            continue  # JSON says the same of either
        answer = json.loads(case.verify(image, *words, "--json").out)
        equal({(c["label"], c["class"]): c["count"] for c in answer["labels"]["confusion"]}, cells, "confusion")
        equal((answer["labels"]["right"], answer["labels"]["classes"]),
              (sum(a == b for a, b in zip(LABELS, said)), 10), "labels")


@test(needs=[QEMU])
def labels_in_other_forms(case):
    image = make(case, "digits_int8")
    given = ["--input", images(case, 3)]
    one_hot = "\n".join(" ".join("1" if i == label else "0" for i in range(10)) for label in LABELS[:3])
    for name, data in (("l.txt", "\n".join(map(str, LABELS[:3]))), ("l.csv", one_hot), ("l.bin", LABELS[:3])):
        has(case.verify(image, *given, "--labels", case.write(name, data)).out, "3 of 3 right, accuracy 100.00 %")
    labels = npy(case, "l.npy", "<i4", (3, 1), LABELS[:3])
    has(case.verify(image, *given, "--labels", labels).out, "3 of 3 right")
    for data, *parts in (("1\n2\n", "2 numbers: 3 labels"), ("1\n2\n10\n", "label 3, 10", "from 0 to 9"),
                         ("one\ntwo\nthree\n", "line 1: 'one'")):
        has(case.verify(image, *given, "--labels", case.write("bad.txt", data), status=9).err, "bad.txt", *parts)
    has(case.verify(image, *given, "--labels", labels, "--labels-output", "1", status=2).err, "has 1 output")


@test(needs=[QEMU])
def figures_worked_out_by_hand(case):
    """tiny: x = (1, 2, 3, 4) gives (5.5, -1.25), and zeros give (0.25, -0.5)."""
    image = make(case, "tiny")
    saved = case.dir / "y.csv"
    given = ["--input", case.write("x.csv", "1,2,3,4\n0,0,0,0\n")]
    case.verify(image, *given, "--save-output", saved)
    rows = [[float(n) for n in line.split(",")] for line in saved.read_text().splitlines()]
    equal(rows[0], [5.5, -1.25], "the known answer")
    exact = ["--expected", saved]
    answer = json.loads(case.verify(image, *given, *exact, "--json").out)["expected"][0]
    equal({k: answer[k] for k in ("bit_exact", "largest_difference", "rmse", "mae", "nse", "cos", "acc")},
          {"bit_exact": True, "largest_difference": 0, "rmse": 0, "mae": 0, "nse": 1, "cos": 1, "acc": 1}, "the same")
    has(case.verify(image, *given, *exact).out, "bit-exact", "y, 2 x float32 1x2")
    got = [n for row in rows for n in row]
    off = [0.5, -0.25, 0, 0.125]
    want = [a + b for a, b in zip(got, off)]
    wrong = npy(case, "want.npy", "<f4", (2, 2), want)
    answer = json.loads(case.verify(image, *given, "--expected", wrong, "--tolerance", "0.5", "--json").out)
    answer = answer["expected"][0]
    squares, mean, middle = sum(n * n for n in off), sum(off) / 4, sum(want) / 4
    figures = {"rmse": (squares / 4) ** 0.5, "mae": sum(map(abs, off)) / 4, "mean": mean,
               "l2r": (squares / sum(n * n for n in got)) ** 0.5,
               "std": (sum((n - mean) ** 2 for n in off) / 3) ** 0.5,
               "nse": 1 - squares / 4 / (sum((n - middle) ** 2 for n in want) / 3),
               "cos": sum(a * b for a, b in zip(got, want)) /
                      (sum(n * n for n in got) * sum(n * n for n in want)) ** 0.5}
    for key, value in figures.items():
        check(abs(answer[key] - value) < 1e-12, f"{key}: {answer[key]}, not {value}")
    equal((answer["bit_exact"], answer["different"], answer["largest_difference"]), (False, 2, 0.5), "differences")
    has(case.verify(image, *given, "--expected", wrong, "--tolerance", "0.49", status=8).err,
        "differs from the expected one by 0.5, 0.49 is allowed")


@test(needs=[QEMU])
def quantised_values_are_compared_in_the_units_of_the_file(case):
    image = make(case, "digits_int8")
    given = ["--input", DIGITS / "image0_int8.npy"]
    _, scores = read_npy(DIGITS / "scores0_int8.npy")
    scale, zero = 0.170015, 33
    real = npy(case, "real.npy", "<f4", (1, 10), [(q - zero) * scale + 0.05 for q in scores])
    answer = json.loads(case.verify(image, *given, "--expected", real, "--json").out)["expected"][0]
    equal(answer["bit_exact"], True, "0.05 is less than half a step of the scale")
    check(abs(answer["mae"] - 0.05) < 1e-6 and abs(answer["mean"] - 0.05) < 1e-6, f"figures: {answer}")
    steps = case.write("steps.csv", ",".join(str(q + 2) for q in scores))
    answer = json.loads(case.verify(image, *given, "--expected", steps, "--tolerance", "2", "--json").out)
    answer = answer["expected"][0]
    equal(answer["largest_difference"], 2, "in steps, as the file has them")
    check(abs(answer["mae"] - 2 * scale) < 1e-6, "the figures are of real numbers")
    case.verify(image, *given, "--expected", steps, "--tolerance", "1", status=8)


@test(needs=[QEMU])
def files_that_do_not_fit(case):
    image = make(case, "digits_float")
    row = ",".join(64 * ["0"])
    for name, data, parts in (
            ("r.csv", row + "\n" + row + ",1\n", ["line 2 has 65 numbers"]),
            ("r.csv", "1,2\n", ["has 2 numbers a line", "has 64"]),
            ("r.csv", row.replace("0", "x", 1), ["line 1: 'x'"]),
            ("r.csv", row.replace("0", "1e39", 1), ["number 1, 1e+39", "float32"]),
            ("r.csv", "", ["no data"])):
        has(case.verify(image, "--input", case.write(name, data), status=9).err, "error RP2900", name, *parts)
    for descr, shape, parts in (
            (">f4", (8, 8), ["'>f4' is not supported", "little-endian"]), ("<f8", (8, 8), ["float64"]),
            ("<f4", (4, 16), ["has shape 4x16", "1x8x8", "hint"]), ("<f4", (63,), ["256"])):
        given = npy(case, "n.npy", descr, shape, 64 * [0] if shape != (63,) else 63 * [0])
        has(case.verify(image, "--input", given, status=9).err, "error RP2900", "n.npy", *parts)
    given = npy(case, "n.npy", "<f4", (8, 8), 64 * [0], fortran=True)
    has(case.verify(image, "--input", given, status=9).err, "Fortran order")
    given = case.write("cut.npy", npy(case, "n.npy", "<f4", (2, 8, 8), 128 * [0]).read_bytes()[:-256])
    has(case.verify(image, "--input", given, status=9).err, "128 elements of 4 bytes, 256 bytes follow")


@test(needs=[QEMU])
def runs_compared_by_their_json(case):
    """Of two builds: bit for bit by hashes, by figures when the values were saved, and only for the same inputs."""
    first, second = make(case, "digits_float"), make(case, "digits_float", "--cflags=-O0", out="O0")
    values = case.dir / "values.npy"
    given = ["--input", images(case, 5)]
    record = case.write("first.json", case.verify(first, *given, "--save-output", values, "--json").out)
    said = json.loads(record.read_text())
    equal((len(said["outputs"]), len(said["outputs"][0]["sha256"])), (1, 5), "outputs and inferences")
    text = case.verify(first, *given, "--compare", record).out
    has(text, "against the outputs of the other run", "bit-exact")
    result = case.verify(second, *given, "--compare", record, status=8)
    has(result.err, "differs", "0 is allowed")
    answer = json.loads(case.verify(second, *given, "--compare", record, "--tolerance", "1e-5", "--json").out)
    check(0 < answer["compared"][0]["rmse"] < 1e-6, f"figures: {answer['compared']}")
    has(case.verify(first, "--compare", record, status=9).err, "is of other inputs", "here: seed 1")
    for key, value, part in (("shape", [5, 2], "output 0 has another shape"), ("sha256", ["zz"] * 5, "outputs.sha256 is not a SHA-256")):
        bad = case.write("bad.json", json.dumps(said | {"outputs": [said["outputs"][0] | {key: value}]}))
        has(case.verify(first, *given, "--compare", bad, status=9).err, part)
    values.write_bytes(values.read_bytes()[:-1] + b"\x7f")
    has(case.verify(second, *given, "--compare", record, status=9).err, "values.npy", "does not hold the values")
    values.unlink()
    result = case.verify(second, *given, "--compare", record, "--tolerance", "1", status=8)
    has(result.err, "is not bit-identical", "inference 1 is the first that differs", "hint")
    has_not(case.verify(first, *given, "--compare", record).out, "differ")
    has(case.verify(first, "--compare", case.write("no.json", "{}"), status=9).err, "no.json", "no inputs and outputs")


@test(needs=[QEMU])
def tensors_that_only_the_runtime_knows(case):
    """A network of the vendor's: its outputs are what its own report says."""
    pack = standin.pack(case, (10, 0))
    env = {"STEDGEAI_CORE_DIR": pack}
    case.generate(standin.network(case, (10, 0)), env=env)
    image, saved = case.dir / "out/network_rel.bin", case.dir / "y.npy"
    answer = json.loads(case.verify(image, "--save-output", saved, "--json", env=env).out)
    header, numbers = read_npy(saved)
    equal((header["descr"], header["shape"][0]), ("<f4", 1), "the array")
    equal((answer["outputs"][0]["dtype"], answer["outputs"][0]["shape"]), ("float32", list(header["shape"][1:])), "JSON")
    has(case.verify(image, "--expected", saved, env=env).out, "bit-exact", "output_0, 1 x float32 ")
    off = npy(case, "off.npy", "<f4", (1, len(numbers)), [n + 1 for n in numbers])
    has(case.verify(image, "--expected", off, env=env, status=8).err, "differs from the expected one by")


@test(needs=[QEMU])
def numbers_of_another_type(case):
    """Raw bytes for floats are asked about; --input-type converts each number."""
    case.generate(case.write("model.c", "void model(const float in[4], float out[4]) { for (int i = 0; i < 4; i++) out[i] = in[i] * 2; }\n"))
    image = case.dir / "out/model_rel.bin"
    numbers = [0, 1, 2, 16, 255, 7, 9, 3]
    files = {"uint8": bytes(numbers), "int16": struct.pack("<8h", *numbers), "float64": struct.pack("<8d", *numbers), "float32": struct.pack("<8f", *numbers)}
    for kind, data in files.items():
        case.write(f"{kind}.bin", data)
    for command in ("verify", "run"):
        for kind in files:
            case.relocpack(command, image, "--input", f"{kind}.bin", "--input-type", kind, "--save-output", "got.bin", "-q")
            equal(struct.unpack("<8f", (case.dir / "got.bin").read_bytes()), tuple(2.0 * n for n in numbers), kind)
        many = case.write("many.bin", bytes(i % 17 for i in range(160)))
        has(case.relocpack(command, image, "--input", many, status=9).err, "error RP2900", "has 160 bytes, 10 samples of 4 float32, but these are hardly numbers",
            "--input-type uint8 reads each byte as a number")
        has(case.relocpack(command, image, "--input", many, "--input-type", "uint8").err, "RP1078", "40 samples of 4 uint8")
        case.relocpack(command, image, "--input", many, "--input-type", "float32")
        has(case.relocpack(command, image, "--input", case.write("odd.bin", bytes(20)), status=9).err, "20 bytes of data", "--input-type TYPE says what they are")
        has(case.relocpack(command, image, "--input", "odd.bin", "--input-type", "real", status=2).err, "unknown --input-type 'real'; there are: bool")
        has(case.relocpack(command, image, "--input-type", "uint8", status=2).err, "there is no --input")
        has(case.relocpack(command, image, "--input", case.write("x.csv", "1,2,3,4\n"), "--input-type", "uint8", status=2).err, ".npy, .csv and .pb say")


@test(needs=[QEMU])
def what_files_are_taken_for(case):
    """Raw bytes of several samples, and --expected of inputs that nobody named: said, unless -q."""
    source = case.write("model.c", "void model(const float in[4], float out[4]) { for (int i = 0; i < 4; i++) out[i] = in[i] * 2; }\n")
    case.generate(source)
    image = case.dir / "out/model_rel.bin"
    case.write("x.bin", bytes(3 * 16))
    for command in ("verify", "run"):
        has(case.relocpack(command, image, "--input", "x.bin").err, "note RP1078: 'x.bin' is read as raw bytes: 3 samples of 4 float32")
        has_not(case.relocpack(command, image, "--input", "x.bin", "-q").err, "RP1078")
        seen = case.relocpack(command, image, "--expected", "x.bin", status=None).err
        has(seen, "note RP1079: without --input, --expected is compared with what the model makes of generated numbers (--seed 1)")
    case.write("one.bin", bytes(16))
    has_not(case.relocpack("verify", image, "--input", "one.bin", "--expected", "one.bin").err, "RP107")
