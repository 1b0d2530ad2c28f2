# SPDX-License-Identifier: Apache-2.0
"""Writes small models from a seed: nested structs, tables of constants, functions and pointers to
both, variables with and without values, pointers into, past and to one another, and functions that use
them. Everything is unsigned and in bounds, so any difference is a finding.
"""
import random

from cases import Case

TYPES = ["uint8_t", "uint16_t", "uint32_t", "uint64_t"]
HEAD = """#include <stddef.h>
#include <stdint.h>
#define NOINLINE __attribute__((noinline))
typedef uint32_t function(uint32_t);
"""


class Writer:
    def __init__(self, seed):
        self.rng = random.Random(f"corpus {seed}")
        self.lines = []
        self.arrays = []  # (name, element type, elements, is constant)
        self.functions = []
        self.reads = []  # expressions of x that give a number
        self.writes = []  # statements with x that change something
        self.count = 0

    def name(self, kind):
        self.count += 1
        return f"{kind}{self.count}"

    def number(self):
        return self.rng.choice([0, 1, 2, 3, 5, 255, self.rng.getrandbits(8), self.rng.getrandbits(32)])

    def values(self, count):
        filled = min(count, self.rng.choice([1, 3, 8, count]))
        return ", ".join(f"{self.number():#x}" for _ in range(filled))

    def attributes(self, is_const):
        section = [".rodata.gen", ".rodata.tvm"] if is_const else [".data.gen", ".data.gen"]
        return self.rng.choice([""] * 12 + ["__attribute__((aligned(8))) ", "__attribute__((used)) ",
                                f'__attribute__((section("{self.rng.choice(section)}"))) '])

    def array(self):
        name, kind = self.name("a"), self.rng.choice(TYPES)
        count = self.rng.choice([1, 2, 3, 5, 8, 31, 32, 33, 63, 64, 65, 100, 255, 256, 257, 300])
        is_const, zero = self.rng.random() < 0.5, self.rng.random() < 0.4
        static = "static " if self.rng.random() < 0.8 else ""
        what = f"{static}{'const ' if is_const else ''}{kind} {name}[{count}]"
        if zero and not is_const:
            self.lines.append(f"{what};")
        else:
            values = "0" if zero else self.values(count)
            self.lines.append(f"{self.attributes(is_const)}{what} = {{{values}}};")
        self.arrays.append((name, kind, count, is_const))
        self.reads.append(f"(uint32_t){name}[x % {count}]")
        if not is_const:
            self.writes.append(f"{name}[x % {count}] = ({kind})({name}[x % {count}] * 3u + x);")

    def pointer(self):
        """A pointer into an array, past its end, or a table of such pointers."""
        array, kind, count, is_const = self.rng.choice(self.arrays)
        const = "const " if is_const else ""
        at = [self.rng.randrange(count) for _ in range(self.rng.choice([1, 1, 2, 4]))]
        name, own = self.name("p"), self.rng.choice(["", "const ", "volatile "])
        if self.rng.random() < 0.25:
            self.lines.append(f"static {const}{kind} *{own}{name} = {array} + {count};")
            self.reads.append(f"(uint32_t){name}[-1 - (int)(x % {count})]")
        elif len(at) == 1:
            self.lines.append(f"static {const}{kind} *{own}{name} = &{array}[{at[0]}];")
            self.reads.append(f"(uint32_t)*{name}")
            second = self.name("q")
            self.lines.append(f"static {const}{kind} *{own}*{self.rng.choice(['', 'const '])}{second} = "
                              f"({const}{kind} *{own}*)&{name};")
            self.reads.append(f"(uint32_t)**{second}")
        else:
            rows = ", ".join(f"{array} + {n}" for n in at)
            self.lines.append(f"static {const}{kind} *{own}{name}[] = {{{rows}}};")
            self.reads.append(f"(uint32_t)*{name}[x % {len(at)}]")
            if not is_const:
                self.writes.append(f"*{name}[x % {len(at)}] += ({kind})x;")

    def expression(self):
        parts = [self.rng.choice(self.reads) for _ in range(self.rng.choice([1, 2, 3]))]
        return self.rng.choice([" + ", " ^ ", " * 3u + "]).join(parts)

    def function(self):
        name = self.name("f")
        static = "static " if self.rng.random() < 0.8 else ""
        body = [f"uint32_t r = {self.expression()};"]
        if self.writes and self.rng.random() < 0.7:
            body.append(self.rng.choice(self.writes))
        if self.rng.random() < 0.5:
            cases = " ".join(f"case {n}: r ^= {self.expression()}; break;" if self.rng.random() < 0.5 else
                             f"case {n}: r += {self.number():#x}u; break;" for n in range(self.rng.choice([3, 6, 9])))
            body.append(f"switch (x % 11) {{ {cases} default: r = ~r; }}")
        if self.rng.random() < 0.4:
            body.append(f"for (uint32_t k = 0; k < x % 9; k++) {{ x = x * 5u + k; r += {self.expression()}; }}")
        if self.functions and self.rng.random() < 0.5:
            body.append(f"r += {self.rng.choice(self.functions)}(r);")
        self.lines.append(f"{static}NOINLINE uint32_t {name}(uint32_t x) {{ {' '.join(body)} return r; }}")
        self.functions.append(name)

    def table_of_functions(self):
        name, rows = self.name("t"), [self.rng.choice(self.functions) for _ in range(self.rng.choice([1, 2, 5]))]
        const = self.rng.choice(["const ", ""])
        self.lines.append(f"static function *{const}{name}[] = {{{', '.join(rows)}}};")
        self.reads.append(f"{name}[x % {len(rows)}](x + 1u)")

    def table_of_structs(self):
        """Rows of a number, a function, a string, a pointer to constants, a nested struct and a link."""
        kind, name = self.name("s"), self.name("t")
        packed = " __attribute__((packed, aligned(4)))" if self.rng.random() < 0.2 else ""
        self.lines.append(f"struct {kind} {{ const void *link; function *run; const char *text; uint32_t n; "
                          f"struct {{ uint16_t low; const uint8_t *bytes; }} __attribute__((aligned(4))) in[2]; }}{packed};")
        count, rows = self.rng.choice([1, 2, 3, 7]), []
        for i in range(count):
            array = self.rng.choice(self.arrays)
            text = "".join(self.rng.choice("abcde") for _ in range(self.rng.choice([1, 4, 9])))
            run = self.rng.choice(self.functions)
            rows.append(f'{{{self.rng.choice([array[0], "NULL", f"&{name}[{i}]"])}, {run}, "{text}" + {len(text) // 3}, '
                        f"{self.number():#x}, {{[{i & 1}] = {{.bytes = (const uint8_t *)&{array[0]}[{array[2] - 1}], .low = {i}}}}}}}")
        const = self.rng.choice(["const ", ""])
        self.lines.append(f"static {const}struct {kind} {name}[{count}];" if False else
                          f"extern {const}struct {kind} {name}[{count}];")
        self.lines.append(f"{const}struct {kind} {name}[{count}] = {{{', '.join(rows)}}};")
        row = f"{name}[x % {count}]"
        self.reads += [f"{row}.run(x)", f"(uint32_t){row}.text[0]", f"{row}.n", f"(uint32_t)*{row}.in[x % {count} & 1].bytes",
                       f"({row}.link == &{row} ? 5u : {row}.link == NULL ? 6u : 7u)"]
        if not const:
            self.writes.append(f"{row}.n += x;")

    def source(self):
        for _ in range(self.rng.randrange(2, 6)):
            self.array()
        self.function()
        steps = [self.array, self.pointer, self.pointer, self.function, self.function, self.table_of_functions,
                 self.table_of_structs]
        for _ in range(self.rng.randrange(5, 18)):
            self.rng.choice(steps)()
        body = " ".join([f"out[i] = {self.expression()};", *self.rng.sample(self.writes, min(2, len(self.writes))),
                         f"out[i] ^= {self.expression()} + {self.functions[-1]}(x);"])
        self.lines.append("void model(const uint32_t in[8], uint32_t out[8]) {\n"
                          f"    for (int i = 0; i < 8; i++) {{ uint32_t x = in[i]; {body} }}\n}}")
        return HEAD + "\n".join(self.lines) + "\n"


def case_of(seed):
    return Case(f"seed_{seed}", "generated", ".c", Writer(seed).source(), 1)
