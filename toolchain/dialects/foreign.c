/* SPDX-License-Identifier: Apache-2.0 */
/* Inputs that are something else: see foreign.h. */
#include "toolchain/dialects/foreign.h"

#include <string.h>

#include "base/path.h"
#include "toolchain/cread/token.h"
#include "toolchain/generators/generator.h"

enum { MODEL_MAX = 1 << 30 };

/* ---- model files ---- */

/* The file is read whole: what was read of it may be its head. suffix: what it is, by its bytes. */
static bool hint_generators(const char *path, const char *suffix, struct rp_error *err) {
    struct rp_arena arena = {0};
    struct rp_bytes file = {0};
    (void)rp_file_look(&arena, path, MODEL_MAX, &file, NULL);
    rp_hint(err,
            "--generator NAME makes C of it; there are: %s; any other one as --generator 'PROGRAM "
            "{input} {output}'. `relocpack ops %s` says which of its operators run on the NPU of "
            "an STM32N6, and in which precision the others run in software",
            rp_generators_for(&arena, suffix, &file), path);
    rp_arena_release(&arena);
    return false;
}

bool rp_check_foreign(const char *path, const struct rp_bytes *file, struct rp_error *err) {
    static const struct {
        const char *suffix;
        const char *magic; /* at offset at; NULL: the name alone tells */
        size_t at;
        const char *what;
        const char *generators; /* NULL: the table has them, and `relocpack ops` reads the file */
    } kinds[] = {
        {".tflite", "TFL3", 4, "a TensorFlow Lite model", NULL},
        {".tflite", NULL, 0, "a TensorFlow Lite model", NULL},
        {".onnx", NULL, 0, "an ONNX model", NULL},
        {".h5", "\211HDF", 0, "a Keras model", "ST Edge AI Core, keras2c or emlearn"},
        {".keras", "PK\3\4", 0, "a Keras model", "ST Edge AI Core, keras2c or emlearn"},
        {".pt", "PK\3\4", 0, "a PyTorch model",
         "onnx2c, ST Edge AI Core or TVM, from an ONNX export"},
        {".pth", "PK\3\4", 0, "a PyTorch model",
         "onnx2c, ST Edge AI Core or TVM, from an ONNX export"},
        {".pkl", "\200", 0, "a pickled Python object", "emlearn"},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        size_t len = kinds[i].magic != NULL ? strlen(kinds[i].magic) : 0;
        bool named = rp_has_suffix(path, kinds[i].suffix);
        bool marked = len != 0 && file->size >= kinds[i].at + len &&
                      memcmp(file->data + kinds[i].at, kinds[i].magic, len) == 0;
        /* a magic of four bytes is enough by itself, but not that of any zip file */
        if (len != 0 ? !marked || (!named && strcmp(kinds[i].magic, "TFL3") != 0) : !named)
            continue;
        rp_fail(err, RP_E_DIALECT,
                "'%s' is %s: relocpack packages the C code that a generator makes from one", path,
                kinds[i].what);
        rp_fail_in(err, path, 0);
        return kinds[i].generators != NULL
                   ? rp_hint(err, "%s makes C of it: give that with -i", kinds[i].generators)
                   : hint_generators(path, kinds[i].suffix, err);
    }
    return true;
}

/* ---- code for a run-time ---- */

bool rp_check_foreign_code(const char *path, const char *text, struct rp_error *err) {
    static const char interpreter[] = "give the .tflite file itself with -i, and --generator NAME, "
                                      "which makes C of it: `relocpack "
                                      "ops MODEL.tflite` shows what runs where";
    static const char accelerator[] =
        "build it into the firmware, as its maker's tools say. For a network that runs on the "
        "core, "
        "let a generator make C of the model file: --generator onnx2c -i MODEL.onnx";
    static const struct {
        const char *mark, *also; /* both, as text of the file; also NULL: the first is enough */
        const char *what, *way;
    } kinds[] = {
        {"TVMSystemLibEntryPoint", NULL, "a system library of TVM, for its graph executor",
         RP_HINT_TVM_AOT},
        {"\"arg_nodes\"", "\"heads\"", "a graph for TVM's graph executor", RP_HINT_TVM_AOT},
        {"TVMGraphExecutor_", NULL, "a program for TVM's graph executor", RP_HINT_TVM_AOT},
        {"tflite::MicroInterpreter", NULL, "a program for TensorFlow Lite Micro's interpreter",
         interpreter},
        {"MicroInterpreter", "tensorflow/lite/",
         "a program for TensorFlow Lite Micro's interpreter", interpreter},
        {"0x00, 0x54, 0x46, 0x4c, 0x33", NULL,
         "a TensorFlow Lite model as an array, for an interpreter", interpreter},
        {"0x00, 0x54, 0x46, 0x4C, 0x33", NULL,
         "a TensorFlow Lite model as an array, for an interpreter", interpreter},
        {"0x00,0x54,0x46,0x4c,0x33", NULL,
         "a TensorFlow Lite model as an array, for an interpreter", interpreter},
        {"\"mxc.h\"", "cnn_", "the driver of an accelerator (MAX7800x)", accelerator},
        {"<mxc.h>", "cnn_", "the driver of an accelerator (MAX7800x)", accelerator},
        {"ethosu_driver.h", "#include", "a program for an accelerator (Ethos-U)", accelerator},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strstr(text, kinds[i].mark) == NULL ||
            (kinds[i].also != NULL && strstr(text, kinds[i].also) == NULL))
            continue;
        rp_fail(err, RP_E_DIALECT,
                "'%s' is %s: relocpack packages functions that compute output tensors from input "
                "tensors",
                path, kinds[i].what);
        rp_fail_in(err, path, 0);
        return rp_hint(err, "%s", kinds[i].way);
    }
    return true;
}

/* ---- Neural-ART ---- */

bool rp_is_npu_wrapper(const char *text) {
    return strstr(text, "LL_ATON_DECLARE_NAMED_NN_IN") != NULL && /* …_INTERFACE, …_INSTANCE_… */
           strstr(text, "LL_ATON_EpochBlockItems_") == NULL;
}

/* ---- C++ ---- */

/*
 * "class X", "namespace x" and "template <": not the words alone, as C has variables of these
 * names. Nothing below #ifdef __cplusplus counts, because C does not see it.
 */
bool rp_is_cplusplus_text(const char *text) {
    static const char *const blocks[] = {"namespace", "class", NULL};
    struct rp_clexer lexer = {.at = text, .end = text + strlen(text), .path = "", .line = 1};
    struct rp_ctoken token, before = {0};
    unsigned guarded = 0; /* depth of conditions below one that asks for __cplusplus */
    do {
        (void)rp_ctoken_next(&lexer, &token, NULL); /* a string without an end ends with its line */
        if (token.kind == RP_CTOKEN_DIRECTIVE) {
            const char *word = token.at + 1 + strspn(token.at + 1, " \t");
            bool asks = memmem(token.at, token.len, "__cplusplus", strlen("__cplusplus")) != NULL;
            if (rp_has_prefix(word, "if"))
                guarded += guarded != 0 || asks;
            else if (rp_has_prefix(word, "endif"))
                guarded -= guarded != 0;
        } else if (guarded == 0 && before.kind == RP_CTOKEN_WORD &&
                   (rp_ctoken_is(&before, "template")
                        ? rp_ctoken_is(&token, "<")
                        : token.kind == RP_CTOKEN_WORD && rp_ctoken_is_any(&before, blocks))) {
            return true;
        }
        if (token.kind != RP_CTOKEN_COMMENT)
            before = token;
    } while (token.kind != RP_CTOKEN_END);
    return false;
}
