# SPDX-License-Identifier: Apache-2.0
"""r9 is the address of the data: code that breaks this is refused, code that keeps to it runs. The linked
code is checked, whatever its symbols say."""
import json

import kit
from kit import QEMU, check, each, equal, has, test

HEAD = ".syntax unified\n.thumb\n.text\n"
# Uses data of its own, so it needs r9; kernel is what each case supplies.
MODEL = """extern int kernel(int (*call)(int), int x);
static int count, scale = 3;
__attribute__((noinline)) int next(int x) { return x * scale + ++count; }
void model(const float in[4], float out[4]) {
    for (int i = 0; i < 4; i++)
        out[i] = (float)(kernel(next, (int)in[i]) + count);
}
"""
# name: (text of the object's source, what the message has to say)
GLOBAL = ".global kernel\n.thumb_func\nkernel:\n"
BROKEN = {
    "write": (HEAD + GLOBAL + "mov r9, r1\nmov r0, r9\nbx lr\n", "kernel + 0x0"),
    "other_way_out": (HEAD + GLOBAL + "push {r4, r9, lr}\nmovs r9, r1\ncbz r1, 1f\npop {r4, r9, pc}\n1: add sp, #8\npop {pc}\n",
                      "kernel + 0x4"),
    "it_block": (HEAD + GLOBAL + "cmp r1, #0\nit eq\nmoveq r9, r1\nbx lr\n", "kernel + 0x4"),
    "tail_call": (HEAD + GLOBAL + "mov r9, r1\nmov r3, r0\nmov r0, r1\nbx r3\n", "kernel + 0x0"),
    "wrong_slot": (HEAD + GLOBAL + "push {r4, r9}\nmov r9, r1\nmov r0, r9\nstr r0, [sp, #4]\npop {r4, r9}\nbx lr\n", "kernel + 0xA"),
    "pop_of_other": (HEAD + GLOBAL + "push {r4-r7, lr}\nmov r0, r1\npop {r4-r6, r9, pc}\n", "kernel + 0x4"),
    "local_label": (HEAD + GLOBAL + "push {r4, lr}\nbl 1f\npop {r4, pc}\n1: add r9, r1, #1\nmov r0, r9\nbx lr\n", "kernel + 0x8"),
    "no_function": (HEAD + ".global kernel\n.type kernel, %notype\nkernel = . + 1\nldr r9, =1234\nmov r0, r9\nbx lr\n.ltorg\n", "r9"),
    "calls": (HEAD + GLOBAL + "push {r4, r9, lr}\nmov r9, r1\nmov r3, r0\nmov r0, r9\nblx r3\npop {r4, r9, pc}\n", "kernel", "next"),
    "calls_saved_elsewhere": (HEAD + GLOBAL + "push {r4, lr}\nmov r4, r9\nmov r9, r1\nmov r3, r0\nmov r0, r1\nblx r3\nmov r9, r4\n"
                              "pop {r4, pc}\n", "kernel", "next"),
    "pair_of_literals": (HEAD + GLOBAL + "ldrd r2, r3, 1f\nldr r0, [r10, r2]\nbx lr\n.align 2\n1: .word model(GOT), 0\n", "kernel + 0x0"),
    "literal_by_its_address": (HEAD + GLOBAL + "adr r2, 1f\nldr r2, [r2]\nldr r0, [r10, r2]\nbx lr\n.align 2\n"
                               "1: .word model(GOT)\n", "kernel + 0x0"),
    "literals_behind": (HEAD + GLOBAL + "ldr r9, 1f\nmov r0, r9\nbx lr\n.align 2\n1: .word 77\n", "kernel + 0x0"),
}
REGISTER = """register int kept __asm__("r9");
int kernel(int (*call)(int), int x) { kept = x; return call(x) + kept; }
"""
LOCAL = """int kernel(int (*call)(int), int x) {
    register int mine __asm__("r9") = x;
    __asm__ volatile("add %0, %0, #1" : "+r"(mine));
    return mine + call(x);
}
"""
INLINE = """__asm__(".thumb_func\\nhidden: mov r9, #0\\nbx lr\\n");
extern int hidden(void);
int kernel(int (*call)(int), int x) { return call(x) + hidden(); }
"""
INSIDE = """static int sum = 1;
int kernel(int (*call)(int), int x) {
    __asm__ volatile("push {r9}\\nmov r9, #0" ::: "memory");
    sum += x;
    __asm__ volatile("pop {r9}" ::: "memory");
    return sum + call(x);
}
"""
OWN_DATA = "static int calls = 5;\nint kernel(int (*call)(int), int x) { calls += x; return calls + call(x); }\n"


def refused(case, *libraries, says=(), target="stm32f4", more=()):
    source = case.write("model.c", MODEL)
    words = [word for library in libraries for word in ("--runtime-lib", library)]
    error = case.refuse(5, "RP2503", source, *words, *more, target=target)
    has(error, *says)
    return error


@each(sorted(BROKEN))
def broken(case, name):
    text, *says = BROKEN[name]
    kit.compile_object(case, case.write("kernel.S", text), case.dir / "kernel.o", pic=False)
    refused(case, case.dir / "kernel.o", says=[*says, "kernel.o"])


SOURCES = {"register": REGISTER, "inline": INLINE, "local": LOCAL, "inside": INSIDE}


@each(sorted(SOURCES))
def in_c(case, name):
    """r9 as a variable, and assembly in the model's own sources."""
    case.write("kernel.c", SOURCES[name])
    more = ["--cflags=-msingle-pic-base"] if name == "inside" else []
    refused(case, more=["--source", case.dir / "kernel.c", *more], says=["kernel", "kernel.c"])


@test(needs=[QEMU])
def in_c_beside_the_base(case):
    """The function has copied the address of the GOT before, so it may do that."""
    case.write("kernel.c", INSIDE)
    case.generate(case.write("model.c", MODEL), "--source", case.dir / "kernel.c")
    answer = json.loads(case.verify(case.dir / "out/model_rel.bin", "--json").out)
    equal(answer["identical"], True, "answer")


@each(["r10", "r8", "r6"])
def other_register(case, register):
    """A library that finds its data through another register, which nobody sets."""
    source = case.write("kernel.c", OWN_DATA)
    kit.compile_object(case, source, case.dir / "kernel.o", more=[f"-mpic-register={register}", "-O2"])
    error = refused(case, case.dir / "kernel.o", says=[f"to {register}", "kernel.o"])
    has(error, "-mpic-register=r9")


KEPT = {
    "push": "push {r4, r9, lr}\nmov r9, r1\nadd r0, r9, #1\npop {r4, r9, pc}\n",
    "pairs": "strd r8, r9, [sp, #-8]!\nmov r9, r1\nadd r0, r9, #2\nldrd r8, r9, [sp], #8\nbx lr\n",
    "one": "str r9, [sp, #-4]!\nldr r9, =777\nadd r0, r9, r1\nldr r9, [sp], #4\nbx lr\n.ltorg\n",
    "copy": "mov ip, r9\nmvn r9, r1\nmov r0, r9\nmov r9, ip\nbx lr\n",
    "frame": "push {r4-r11, lr}\nmov r7, sp\nsub sp, sp, r1, lsl #3\nsub sp, #64\nmov r9, r1\nadd r0, r9, #3\nmov sp, r7\n"
             "pop {r4-r11, pc}\n",
    "realigned": "push {r4, r5, r7, r9, lr}\nmov r5, sp\nbic r4, r5, #31\nmov sp, r4\nmov r9, r1\nadd r0, r9, #3\n"
                 "mov sp, r5\npop {r4, r5, r7, r9, pc}\n",
    "leaves": "push {r4, r9, lr}\ncmp r1, #2\nitt lt\nmovlt r0, #9\npoplt {r4, r9, pc}\nmov r9, r1\nadd r0, r9, #4\npop {r4, r9, lr}\nbx lr\n",
    "table": "push {r4, r9, lr}\nmov r9, r1\nand r2, r1, #3\ntbb [pc, r2]\n1: .byte (2f-1b)/2, (3f-1b)/2, (4f-1b)/2, (4f-1b)/2\n"
             "2: mov r9, #5\nb 5f\n3: add r9, #1\nb 5f\n4: add r9, #2\n5: mov r0, r9\npop {r4, r9, pc}\n",
    "before": "push {r4, r5, r9, lr}\nmov r4, r1\nmov r3, r0\nmov r0, r1\nblx r3\nmov r9, r0\nadd r0, r9, r4\npop {r4, r5, r9, pc}\n",
    "after": "push {r4, r5, r6, lr}\nmov r6, r9\nmov r9, r1\nadd r4, r9, #1\nmov r9, r6\nmov r3, r0\nmov r0, r4\nblx r3\n"
             "pop {r4, r5, r6, pc}\n",
    "floats": "vpush {d8}\npush {r9}\nmov r9, r1\nvmov s16, r9\nvmov r0, s16\npop {r9}\nvpop {d8}\nbx lr\n",
}
ALL_KEPT = "#include <setjmp.h>\n" + "".join(f"int kept_{name}(int (*call)(int), int x);\n" for name in KEPT) + """
static int count, scale = 3;
static jmp_buf back;
__attribute__((noinline)) static int next(int x) { return x * scale + ++count; }
__attribute__((noinline)) static void leap(int x) { if (x & 1) longjmp(back, next(x)); }
void model(const float in[4], float out[""" + str(len(KEPT) + 1) + """]) {
    int x = (int)in[0];
    float *at = out;
""" + "".join(f"    *at++ = (float)(kept_{name}(next, x) + count);\n" for name in KEPT) + """
    int came = setjmp(back);
    if (came == 0)
        leap(x);
    *at = (float)(came + next(x));
}
"""


@each(["stm32f4", "stm32u5"], needs=[QEMU])
def kept(case, target):
    """Every way of saving r9, using and restoring it; and longjmp."""
    text = HEAD + "".join(f".global kept_{name}\n.thumb_func\nkept_{name}:\n{body}" for name, body in KEPT.items())
    kit.compile_object(case, case.write("kept.S", text), case.dir / "kept.o", target=target, pic=False)
    source = case.write("model.c", ALL_KEPT)
    case.generate(source, "--runtime-lib", case.dir / "kept.o", target=target)
    answer = json.loads(case.verify(case.dir / "out/model_rel.bin", "--json").out)
    equal((answer["identical"], len(answer["runs"])), (True, 12), "answer")


@test(needs=[QEMU])
def stripped(case):
    """Without mapping symbols and local names."""
    text = HEAD + ".global kept_push\n.thumb_func\nkept_push:\n" + KEPT["push"] + ".align 2\n"
    kit.compile_object(case, case.write("kernel.S", text.replace("kept_push", "kernel")), case.dir / "kernel.o", pic=False)
    case.run(f"{kit.CROSS}strip", "--strip-unneeded", case.dir / "kernel.o")
    case.generate(case.write("model.c", MODEL), "--runtime-lib", case.dir / "kernel.o")
    answer = json.loads(case.verify(case.dir / "out/model_rel.bin", "--json").out)
    check(answer["identical"], "differs")
    bad = HEAD + GLOBAL + BROKEN["write"][0].split(GLOBAL)[1]
    kit.compile_object(case, case.write("bad.S", bad), case.dir / "bad.o", pic=False)
    case.run(f"{kit.CROSS}strip", "--strip-unneeded", case.dir / "bad.o")
    refused(case, case.dir / "bad.o", says=["kernel"])
