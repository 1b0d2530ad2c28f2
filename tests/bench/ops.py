#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures `relocpack ops` on models of 10 MB: ratios and instructions, never a pass or a fail.

usage: ops.py [--quick] [MODEL...]     models besides those that are made here

For each: the time for text and for JSON as a ratio to sha256sum of the same file, and for information
in ms (best of some runs, in turns); instructions, which repeat exactly, if valgrind is installed.
Weights are loaded but not read: one large constant costs as much as reading the file into memory.
"""
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import time

from run import ROOT, TOOL

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, "tests", "e2e"))
import model_files as mf  # noqa: E402

MEGABYTES = 10


def scale():
    return mf.constant("s", mf.FLOAT, [], struct.pack("<f", 0.5)), mf.constant("z", mf.INT8, [], b"\0")


def onnx(layers, channels):
    """Quantised 3x3 convolutions in a row: four nodes each, without the shapes between them."""
    weights = bytes(channels * channels * 9)
    nodes, constants = [mf.node("QuantizeLinear", ["x", "s", "z"], ["q0"])], [*scale()]
    for i in range(layers):
        constants.append(mf.constant(f"w{i}", mf.INT8, [channels, channels, 3, 3], weights))
        nodes += [mf.node("DequantizeLinear", [f"q{i}", "s", "z"], [f"d{i}"]),
                  mf.node("DequantizeLinear", [f"w{i}", "s", "z"], [f"e{i}"]),
                  mf.node("Conv", [f"d{i}", f"e{i}"], [f"c{i}"], kernel_shape=[3, 3], pads=[1, 1, 1, 1]),
                  mf.node("QuantizeLinear", [f"c{i}", "s", "z"], [f"q{i + 1}"])]
    nodes.append(mf.node("DequantizeLinear", [f"q{layers}", "s", "z"], ["y"]))
    shape = [1, channels, 32, 32]
    return mf.model(nodes, constants, [("x", mf.FLOAT, shape)], [("y", mf.FLOAT, shape)])


def tflite(layers, channels):
    """The same in TFLite, where each is one node."""
    weights = bytes(channels * channels * 9)
    shape, scales = [1, 32, 32, channels], [0.5] * channels
    tensors = [mf.tensor("x", mf.TFLITE_INT8, shape, scales=[0.5])]
    options = mf.table(None, mf.number("i", 1), mf.number("i", 1))
    operators = []
    for i in range(layers):
        tensors += [mf.tensor(f"w{i}", mf.TFLITE_INT8, [channels, 3, 3, channels], i + 1, scales),
                    mf.tensor(f"y{i}", mf.TFLITE_INT8, shape, scales=[0.5])]
        operators.append(mf.operator(0, [2 * i, 2 * i + 1], [2 * i + 2], 1, options))
    graph = mf.subgraph(tensors, operators, [0], [2 * layers])
    return mf.tflite([3], [graph], [weights] * layers)


def one_constant():
    side = MEGABYTES * 1000 * 1000 // 1024
    node = mf.node("MatMul", ["x", "w"], ["y"])
    return mf.model([node], [mf.constant("w", mf.INT8, [side, 1024], bytes(side * 1024))],
                    [("x", mf.INT8, [1, side])], [("y", mf.INT8, [1, 1024])])


MODELS = [("270 layers of 37 KB, ONNX", lambda: onnx(270, 64)),
          ("270 layers of 37 KB, TFLite", lambda: tflite(270, 64)),
          ("one constant, ONNX", one_constant),
          ("one constant, TFLite", lambda: tflite(1, 1054)),
          ("20,000 nodes, ONNX", lambda: onnx(5000, 15)),
          ("20,000 nodes, TFLite", lambda: tflite(20000, 3))]


def timed(command):
    """Exit code 8 is also a result."""
    start = time.monotonic()
    subprocess.run(command, check=False, stdout=subprocess.DEVNULL)
    return time.monotonic() - start


def instructions(command):
    """Instructions in millions."""
    done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *command], check=False,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    counted = [line.split()[-1] for line in done.stderr.splitlines() if "refs:" in line]
    return f"{int(counted[0].replace(',', '')) / 1e6:.1f}"


def measure(name, path, quick):
    runs = 2 if quick else 15
    count = (lambda command: "–") if quick or shutil.which("valgrind") is None else instructions
    text, data = [TOOL, "ops", path], [TOOL, "ops", "--json", path]
    times = [[], [], []]
    for _ in range(runs):
        for list_of, command in zip(times, (["sha256sum", path], text, data)):
            list_of.append(timed(command))
    plain, shown, as_json = map(min, times)
    size = os.path.getsize(path)
    print(f"| {name} | {size / 1e6:.1f} | {shown / plain:.2f} | {as_json / plain:.2f} | {shown * 1e3:.1f} | "
          f"{as_json * 1e3:.1f} | {count(text)} | {count(data)} |", flush=True)


def main():
    quick = "--quick" in sys.argv[1:]
    print("\n## ops against sha256sum of the model\n")
    print("| model | MB | text ratio | JSON ratio | text ms | JSON ms | text M instructions | JSON M instructions |"
          "\n|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as work:
        for name, make in MODELS:
            path = os.path.join(work, "model")
            with open(path, "wb") as file:
                file.write(make())
            measure(name, path, quick)
    for path in sys.argv[1:]:
        if path != "--quick":
            measure(os.path.basename(path), path, quick)
    starts = "–" if quick or shutil.which("valgrind") is None else instructions([TOOL, "--version"])
    libraries = subprocess.run(["ldd", TOOL], check=True, capture_output=True, text=True).stdout.count("=>")
    print(f"\n## starting: --version\n\n| M instructions | libraries |\n|---|---|\n| {starts} | {libraries} |")


if __name__ == "__main__":
    main()
