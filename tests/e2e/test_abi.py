# SPDX-License-Identifier: Apache-2.0
"""Objects whose interfaces differ are always named, with an id, and in the report."""
import kit
from kit import check, each, equal, has, has_not, test

MODEL = "float kernel(float x);\nvoid model(const float in[4], float out[4]) { out[0] = kernel(in[0]); }\n"
KERNEL = "#include <wchar.h>\nenum kind { A, B };\nstruct some { enum kind kind; char next; };\n" \
    "float kernel(float x) { struct some s = {x > 0 ? A : B, 2}; return x + (float)s.kind + sizeof(wchar_t); }\n"
KINDS = {"enums": ("-fno-short-enums", "RP1020", "warning", ["-fno-short-enums", "-fshort-enums"]),
         "wchar": ("-fshort-wchar", "RP1021", "note", ["2 bytes", "4 bytes"])}


def said(case):
    return [(entry["severity"], entry["id"]) for entry in case.report("model")["diagnostics"]]


@each(sorted(KINDS))
def differs(case, name):
    flag, error_id, severity, says = KINDS[name]
    kit.compile_object(case, case.write("kernel.c", KERNEL), case.dir / "kernel.o", more=[flag])
    source = case.write("model.c", MODEL.replace("float kernel", "#include <wchar.h>\nfloat kernel", 1))
    result = case.generate(source, "--runtime-lib", case.dir / "kernel.o")
    has(result.out + result.err, f"{severity} {error_id}", "kernel.o", "model.c", *says)
    equal(said(case), [(severity, error_id)], "report")


@test
def half_precision(case):
    half = "float NAME(float x) { __fp16 half = x; return half; }\n"
    for name, kind in (("kernel", "ieee"), ("second", "alternative")):
        kit.compile_object(case, case.write(f"{name}.c", half.replace("NAME", name)), case.dir / f"{name}.o",
                           more=[f"-mfp16-format={kind}"])
    source = case.write("model.c", MODEL.replace("kernel(in[0])", "kernel(in[0]) + second(in[1])").replace(
        "void", "float second(float x);\nvoid"))
    result = case.generate(source, "--runtime-lib", case.dir / "kernel.o", "--runtime-lib", case.dir / "second.o", status=None)
    if result.status == 0:
        has(result.out + result.err, "warning RP1022", "kernel.o", "second.o", "alternative")
    else: # newer linkers refuse it
        has(result.err, "RP2402", "second.o", "half-precision")


@test
def only_what_is_linked(case):
    """An archive member that is left out is not named, nor are objects that agree."""
    kit.compile_object(case, case.write("kernel.c", KERNEL), case.dir / "kernel.o")
    kit.compile_object(case, case.write("other.c", KERNEL.replace("kernel", "other")), case.dir / "other.o", more=["-fno-short-enums"])
    case.run(f"{kit.CROSS}ar", "rcsD", "libkernel.a", "kernel.o", "other.o")
    result = case.generate(case.write("model.c", MODEL), "--runtime-lib", case.dir / "libkernel.a")
    has_not(result.out + result.err, "RP102")
    equal(said(case), [], "report")
    check("other" not in result.out, "output")
