/* SPDX-License-Identifier: Apache-2.0 */
/* Inputs that are something else: see foreign.h. */
#include "toolchain/dialects/foreign.h"

#include <ctype.h>
#include <string.h>

#include "base/path.h"
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

/* The end of the comment, string or character constant that begins at text, or text itself. */
static const char *skip_quoted(const char *text) {
    if (text[0] == '/' && text[1] == '/')
        return text + strcspn(text, "\n");
    if (text[0] == '/' && text[1] == '*') {
        const char *end = strstr(text + 2, "*/");
        return end != NULL ? end + 2 : text + strlen(text);
    }
    if (text[0] != '"' && text[0] != '\'')
        return text;
    const char *at = text + 1;
    while (*at != '\0' && *at != '\n' && *at != *text)
        at += at[0] == '\\' && at[1] != '\0' ? 2 : 1;
    return *at == *text ? at + 1 : at;
}

static bool is_word_at(const char *text, const char *word) {
    size_t len = strlen(word);
    return strncmp(text, word, len) == 0 && !isalnum((unsigned char)text[len]) && text[len] != '_';
}

/* "class X", "namespace x", "template <": all in one place, as C has variables of these names. */
static bool declares(const char *text) {
    static const char *const words[] = {"namespace", "class", "template"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (!is_word_at(text, words[i]))
            continue;
        const char *next = text + strlen(words[i]);
        next += strspn(next, " \t\r\n");
        return i == 2 ? *next == '<' : isalpha((unsigned char)*next) || *next == '_';
    }
    return false;
}

bool rp_is_cplusplus_text(const char *text) {
    unsigned guarded = 0; /* depth below #ifdef __cplusplus: C does not see that */
    bool start = true;    /* of a word */
    for (const char *at = text; *at != '\0';) {
        const char *behind = skip_quoted(at);
        if (behind != at) {
            at = behind;
            start = true;
            continue;
        }
        if (*at == '#') {
            const char *word = at + 1 + strspn(at + 1, " \t");
            size_t len = strcspn(word, "\n");
            bool asks = memmem(word, len, "__cplusplus", 11) != NULL;
            if (strncmp(word, "if", 2) == 0 && (guarded != 0 || asks))
                guarded++;
            else if (strncmp(word, "endif", 5) == 0 && guarded != 0)
                guarded--;
            at = word + len;
            continue;
        }
        if (start && guarded == 0 && declares(at))
            return true;
        start = !isalnum((unsigned char)*at) && *at != '_';
        at++;
    }
    return false;
}
