# SPDX-License-Identifier: Apache-2.0
"""verify: a model that reads outside its buffers, or bytes that it has not written, is found and the buffer
named; one that only looks there without using the bytes passes. Large models fit the emulated boards.
"""
import json

import kit
from kit import QEMU, each, equal, has, has_not, labels_in_turn, test

SERIES = {"m0": "stm32f0", "m0plus": "stm32g0", "m23": "ra2l1", "m85": "ra8m1", "m3": "cortex-m3", "m4": "stm32f4", "m7": "stm32h7", "m33": "stm32u5", "m55": "stm32n6"}
WEIGHTS = "const float w[600] = {1, 2, 3, [599] = 4};\n"
SUM = "volatile const float *p = w; float s = 0; for (int i = FROM; i < TO; i++) s += p[i] * in[i & 3];"
ARRAY = "static float b[SIZE];\n"
WALK = ("volatile float *p = b; for (int i = 0; i < SIZE; i++) p[i] = in[i & 3]; float s = 0;"
        " for (int i = FROM; i < TO; i++) s += p[i];")


def function(name, body, before="", parameters="const float in[4], float out[2]"):
    return f"#include <stdint.h>\n#include <string.h>\n{before}void {name}({parameters}) {{ {body} }}\n"


def array(size, first, end):
    """A variable of size floats, read from first to end."""
    numbers = {"SIZE": size, "FROM": first, "TO": end}
    text = ARRAY + "@" + WALK + " out[0] = s; out[1] = 1;"
    for name, value in numbers.items():
        text = text.replace(name, str(value))
    before, body = text.split("@")
    return dict(before=before, body=body)


def weights(first, end):
    return dict(before=WEIGHTS, body=SUM.replace("FROM", str(first)).replace("TO", str(end)) + "out[0] = s; out[1] = 1;")


TWO_IN = "const float a[8], const float in[4], float out[2]"
# name -> what the model is, what the error names
WRONG = {
    "in_behind": (dict(parameters=TWO_IN, body="volatile const float *p = in; out[0] = a[0]; out[1] = p[4];"),
                  "the bytes behind input 1, 'in'; so do those of the static build"),
    "in_front": (dict(parameters=TWO_IN, body="volatile const float *p = a; out[0] = in[0]; out[1] = p[-1];"),
                 "the bytes in front of input 0, 'a'; so do"),
    "out_front": (dict(body="volatile float *p = out; out[0] = in[0]; out[1] = p[-1];"),
                  "the bytes in front of output 0, 'out'; so do"),
    "out_added_to": (dict(body="for (int i = 0; i < 2; i++) out[i] += in[i];"),
                     "what was there before in output 0, 'out'; so do"),
    "largest": (dict(parameters="const int8_t in[5], int8_t out[1]",
                     body="volatile const int8_t *p = in; int8_t m = -128; for (int i = 0; i < 6; i++) if (p[i] > m)"
                          " m = p[i]; out[0] = m;"), "the bytes behind input 0, 'in'; so do"),
    "not_a_number": (dict(body="volatile const float *p = in; out[0] = in[0] + 0.0f * p[4]; out[1] = 1;"),
                     "the bytes behind input 0, 'in'; so do"),
    "by_index": (dict(parameters="const int32_t in[4], float out[1]", before=WEIGHTS,
                   body="volatile const int32_t *p = in; out[0] = w[p[4]];"), "the bytes behind input 0, 'in'; so do"),
    "far": (dict(body="volatile const float *p = in; out[0] = p[0]; out[1] = p[100000];"),
            "memory that nothing is in; so do"),
    "stack": (dict(body="volatile float t[200]; for (int i = 100; i < 200; i++) t[i] = in[i & 3]; float s = 0;"
                        " for (int i = 0; i < 200; i++) s += t[i]; out[0] = s; out[1] = 1;"),
              "the stack below the caller, which nothing has written; so do"),
    "weights_front": (weights(-1, 600), "the bytes in front of the weights"),
    "weights_behind": (weights(0, 601), "the bytes behind the weights"),
    "acts_front": (array(2000, -1, 2000), "the bytes in front of the activations"),
    "acts_behind": (array(2000, 0, 2001), "the bytes behind the activations"),
    "ram_behind": (array(20, 0, 21), "the bytes behind the instance's RAM"),
}
# Other reads have this in common with these: no result depends on them.
RIGHT = {
    "word_by_word": dict(parameters="const int8_t in[5], int8_t out[1]",
                         body="int s = 0; for (int i = 0; i < 8; i += 4) { uint32_t v; memcpy(&v, in + i, 4);"
                              " __asm__ volatile(\"\" : \"+r\"(v)); for (int k = 0; k < 4 && i + k < 5; k++)"
                              " s += (int8_t)(v >> 8 * k); } out[0] = (int8_t)s;"),
    "not_used": dict(body="volatile const float *p = in; (void)p[4]; (void)p[-1]; out[0] = p[0]; out[1] = p[3];"),
    "weights": weights(0, 600),
    "acts": array(2000, 0, 2000),
    "ram": array(20, 0, 20),
    "partly_written": dict(parameters="const float in[4], float out[6]", body="out[0] = in[0]; out[3] = in[1];"),
}
QUICK = labels_in_turn(WRONG, SERIES)[::2]


def make(case, name, model, series, *words):
    source = case.write(f"{name}.c", function(name, **model))
    case.generate(source, *(["--mcu", series] if series.startswith("cortex") else ["--target", series]), *words,
                  target=None)
    return case.dir / "out" / f"{name}_rel.bin"


@each([f"{name}-{core}" for name in WRONG for core in SERIES], needs=[QEMU], spread=labels_in_turn(WRONG, SERIES),
      slow=lambda label: label not in QUICK)
def read_outside_is_found(case, label):
    name, core = label.split("-")
    model, named = WRONG[name]
    image = make(case, name, model, SERIES[core])
    result = case.verify(image, status=8)
    has(result.err, "error RP2802", "the outputs depend on", named)


@each([f"{name}-{core}" for name in RIGHT for core in SERIES], needs=[QEMU], spread=labels_in_turn(RIGHT, SERIES))
def read_without_use_is_not(case, label):
    name, core = label.split("-")
    image = make(case, name, RIGHT[name], SERIES[core])
    has(case.verify(image).out, "12 of 12 runs bit-identical")


@each(["in_behind", "weights_behind", "stack"], needs=[QEMU, "clang", "ld.lld"], slow=True)
def read_outside_by_clang(case, name):
    model, named = WRONG[name]
    image = make(case, name, model, SERIES["m7"], "-r", "llvm")
    has(case.verify(image, status=8).err, "error RP2802", named)


@each(["weights_front", "weights_behind"], needs=[QEMU])
def read_outside_a_weights_file(case, name):
    model, named = WRONG[name]
    image = make(case, name, model, SERIES["m33"], "--split")
    has(case.verify(image, status=8).err, "error RP2802", named)


@test(needs=[QEMU])
def json_names_the_buffer(case):
    image = make(case, "in_behind", WRONG["in_behind"][0], SERIES["m4"])
    answer = json.loads(case.verify(image, "--json", status=8).out)
    equal(answer["identical"], False, "identical")
    equal(answer["outside"], {"read": "the bytes behind input 1, 'in'", "by_static_build": True}, "outside")
    image = make(case, "acts", RIGHT["acts"], SERIES["m4"])
    answer = json.loads(case.verify(image, "--json").out)
    equal((answer["identical"], "outside" in answer), (True, False), "answer")
    has(case.relocpack("explain", "RP2802").out, "outside the buffers")


@test(needs=[QEMU])
def addresses_in_the_data(case):
    """Bytes in front of a variable belong to the image: no fill changes them, other addresses do."""
    body = "volatile int k = -2; for (int i = 0; i < 2; i++) { a[i] += in[i]; out[i] = in[i] + a[i + k]; }"
    image = make(case, "beside", dict(before="static float a[6] = {1, 2, 3, 4, 5, 6};\n", body=body), SERIES["m7"])
    has(case.verify(image, status=8).err, "error RP2800", "hint: the outputs change with the addresses")


# ---- what the boards have ----

def large(name, floats):
    """Activations of so many floats, and an answer that all of them go into."""
    return f"""static float a[{floats}];
void {name}(const float in[16], float out[4]) {{
    for (int i = 0; i < {floats}; i++) a[i] = in[i & 15] * (float)(i & 7);
    for (int k = 0; k < 4; k++) {{
        out[k] = 0;
        for (int i = k; i < {floats}; i += 997) out[k] += a[i] - a[{floats} - 1 - i];
    }}
}}
"""


@each(["m3-550000", "m4-550000", "m7-1500000", "m33-550000", "m55-8000000"], needs=[QEMU],
      slow=lambda label: not label.startswith("m4"), spread=["m4-550000", "m7-1500000", "m55-8000000"])
def large_activations(case, label):
    core, floats = label.split("-")
    source = case.write("large.c", large("large", int(floats)))
    case.generate(source, "--mcu" if core == "m3" else "--target", SERIES[core], target=None)
    image = case.dir / "out/large_rel.bin"
    equal(case.report("large")["memory"]["acts"], 4 * int(floats), "activations")
    has(case.verify(image).out, "12 of 12 runs bit-identical")


@test(needs=[QEMU])
def what_a_board_lacks_is_named(case):
    """Twice 10 MB is more than there is in one piece beside each other."""
    source = case.write("large.c", large("large", 2500000))
    case.generate(source, target="stm32f4")
    result = case.verify(case.dir / "out/large_rel.bin", status=8)
    has(result.err, "error RP2800", "the second instance's activations (10000000 bytes)", "mps2-an386",
        "16384 KB at 0x21000000")
    source = case.write("larger.c", large("larger", 4500000))
    case.generate(source, target="stm32f4")
    result = case.verify(case.dir / "out/larger_rel.bin", status=8)
    has(result.err, "error RP2800", "the static build (", "mps2-an386")
    has_not(result.err, "fault")
