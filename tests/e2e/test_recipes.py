# SPDX-License-Identifier: Apache-2.0
"""The recipes of docs/guide/other-generators.md: code of our own in the forms that m2cgen, keras2c and NNoM write. What an image computes on the
emulated core is compared with values computed here.
"""
import struct

from kit import QEMU, each, has, test

SCORE = """#include <string.h>
void add_vectors(double *v1, double *v2, int size, double *result) {
    for(int i = 0; i < size; ++i)
        result[i] = v1[i] + v2[i];
}
void score(double * input, double * output) {
    double var0[2];
    double var1[2];
    if (input[2] <= 2.5) {
        memcpy(var1, (double[]){1.0, 0.25}, 2 * sizeof(double));
    } else {
        memcpy(var1, (double[]){0.5, 4.0}, 2 * sizeof(double));
    }
    add_vectors(var1, (double[]){input[0], input[3]}, 2, var0);
    memcpy(output, var0, 2 * sizeof(double));
}
"""


def computes(case, image, inputs, outputs, *words):
    files = [("--input", case.write(f"i{k}.bin", data)) for k, data in enumerate(inputs)]
    files += [("--expected", case.write(f"o{k}.bin", data)) for k, data in enumerate(outputs)]
    has(case.verify(case.dir / "out" / image, *[word for pair in files for word in pair], *words).out, "bit-identical")


@each(["several", "one"], needs=[QEMU])
def m2cgen(case, outputs):
    """Doubles, nothing const, and sizes that no declaration says."""
    if outputs == "several":
        source = case.write("score.c", SCORE)
        has(case.refuse(9, "RP2902", source, "--entry", "score"), "score(in input:float64[N], out output:float64[N])")
        case.generate(source, "--entry", "score(in:double[4], out:double[2])")
        for third in (2.0, 3.0):
            want = (1 + 7, 0.25 - 1) if third <= 2.5 else (0.5 + 7, 4.0 - 1)
            computes(case, "score_rel.bin", [struct.pack("<4d", 7, 0, third, -1)], [struct.pack("<2d", *want)])
        has(case.refuse(9, "RP2908", source, "--entry", "score(in:float[4], out:float[2])"), "float64 is declared")
        return
    source = case.write("score.c", "double score(double * input) {\n    return exp(input[0]) * 2.0 + input[1];\n}\n")
    has(case.refuse(9, "RP2902", source, "--entry", "score"), "score(in input:float64[N]) -> out:float64[1]")
    case.generate(source, "--entry", "score(in:double[2]) -> out:double[1]", "--cflags", "-include math.h")
    computes(case, "score_rel.bin", [struct.pack("<2d", 0, 0.5)], [struct.pack("<d", 2.5)])


@test(needs=[QEMU])
def keras2c(case):
    """Tensors are structs, made by a file of the user's."""
    case.write("example.h", "#include <stdlib.h>\nstruct k2c_tensor { float *array; size_t ndim; size_t numel; size_t shape[5]; };\n"
               "typedef struct k2c_tensor k2c_tensor;\nvoid example(k2c_tensor *dense_input, k2c_tensor *dense_output);\n")
    library = case.write("include/k2c_dense.c", '#include "../example.h"\nvoid k2c_dense(k2c_tensor *output, const k2c_tensor *input, const k2c_tensor *kernel) '
                         "{\n    for (size_t o = 0; o < output->numel; o++) {\n        output->array[o] = 0;\n        for (size_t i = 0; i < input->numel; i++)\n"
                         "            output->array[o] += input->array[i] * kernel->array[i * kernel->shape[1] + o];\n    }\n}\n").parent
    example = case.write("example.c", '#include "example.h"\nvoid k2c_dense(k2c_tensor *output, const k2c_tensor *input, const k2c_tensor *kernel);\n'
                         "void example(k2c_tensor *dense_input, k2c_tensor *dense_output) {\n"
                         "    float kernel_array[6] = {1.0e+00,2.0e+00,3.0e+00,-1.0e+00,5.0e-01,0.0e+00,};\n"
                         "    k2c_tensor kernel = {&kernel_array[0],2,6,{3,2,1,1,1}};\n    k2c_dense(dense_output, dense_input, &kernel);\n}\n")
    has(case.refuse(9, "RP2902", example, "--entry", "example", "--source", library), "a struct is no tensor", "write a function")
    wrapper = case.write("run.c", '#include "example.h"\nvoid run(const float in[3], float out[2]) {\n'
                         "    k2c_tensor input = {(float *)in, 1, 3, {3, 1, 1, 1, 1}};\n    k2c_tensor output = {out, 1, 2, {2, 1, 1, 1, 1}};\n"
                         "    example(&input, &output);\n}\n")
    case.generate(wrapper, "--entry", "run", "--source", example, "--source", library)
    computes(case, "run_rel.bin", [struct.pack("<3f", 1, 2, 4)], [struct.pack("<2f", 1 + 6 + 2, 2 - 2)])


@test(needs=[QEMU])
def nnom(case):
    """A model that is made at init, in memory that is handed over, with buffers of its own."""
    case.write("nnom.h", "#include <stddef.h>\n#include <stdint.h>\n#include <string.h>\ntypedef struct { int8_t *in, *out; const int8_t *weights; int "
               "(*run)(void *); } nnom_model_t;\nvoid nnom_set_static_buf(void *buf, size_t size);\nvoid *nnom_mem(size_t size);\n"
               "int model_run(nnom_model_t *m);\n")
    library = case.write("src/nnom.c", '#include "../nnom.h"\nstatic char *memory;\nstatic size_t left;\nvoid nnom_set_static_buf(void *buf, size_t size) '
                         "{ memory = buf; left = size; }\nvoid *nnom_mem(size_t size) {\n    void *at = memory;\n    if (size > left)\n        return NULL;\n"
                         "    memory += size;\n    left -= size;\n    return at;\n}\nint model_run(nnom_model_t *m) { return m->run(m); }\n").parent
    case.write("weights.h", "static const int8_t tensor_weights[] = {3, -2, 1};\nstatic int8_t nnom_input_data[3] = {0};\nstatic int8_t nnom_output_data[1] = {0};\n"
               "static int dot(void *p) { nnom_model_t *m = p; int sum = 0; for (int i = 0; i < 3; i++) sum += m->in[i] * m->weights[i]; "
               "m->out[0] = (int8_t)sum; return 0; }\nstatic nnom_model_t *nnom_model_create(void) {\n    nnom_model_t *m = nnom_mem(sizeof *m);\n"
               "    if (m != NULL)\n        *m = (nnom_model_t){nnom_input_data, nnom_output_data, tensor_weights, dot};\n    return m;\n}\n")
    case.write("model.c", '#include "nnom.h"\n#include "weights.h"\nstatic char memory[SIZE];\nstatic nnom_model_t *model;\n'
               "int setup(void) {\n    nnom_set_static_buf(memory, sizeof memory);\n    model = nnom_model_create();\n    return model == NULL;\n}\n"
               "int run(const int8_t in[3], int8_t out[1]) {\n    memcpy(nnom_input_data, in, sizeof nnom_input_data);\n    int status = model_run(model);\n"
               "    memcpy(out, nnom_output_data, sizeof nnom_output_data);\n    return status;\n}\n")
    manifest = case.write("model.json", '{"sources": ["model.c"], "init": "setup -> 0", "entry": "run(in, out) -> 0", '
                          '"inputs": [{"name": "in", "dtype": "int8", "shape": [3]}], "outputs": [{"name": "out", "dtype": "int8", "shape": [1]}]}')
    case.generate(manifest, "--source", library, "-D", "SIZE=512")
    computes(case, "model_rel.bin", [struct.pack("<3b", 5, 4, 2)], [struct.pack("<b", 15 - 8 + 2)])
    case.generate(manifest, "--source", library, "-D", "SIZE=8")  # init fails
    has(case.verify(case.dir / "out/model_rel.bin", status=8).err, "init")
