/* SPDX-License-Identifier: Apache-2.0 */
/* Bills of materials as CycloneDX, SPDX and SLSA provenance: see forms.h. */
#include "cli/sbom/forms.h"

#include <string.h>

#include "base/buf.h"

/* The image's hash in the form of a UUID. */
static const char *uuid_of(const struct rp_bill *bill) {
    const char *hash = bill->image.sha256;
    return rp_format(bill->arena, "urn:uuid:%.8s-%.4s-8%.3s-8%.3s-%.12s", hash, hash + 8, hash + 13,
                     hash + 17, hash + 20);
}

/* A name that no other part has. */
static const char *ref_of(const struct rp_bill *bill, size_t index) {
    static const char *const kinds[] = {"file", "linked", "input"};
    const struct rp_part *part = &bill->parts.items[index];
    return rp_format(bill->arena, "%s-%zu", kinds[part->kind], index + 1);
}

static struct rp_json *object_in(struct rp_json *array) {
    struct rp_json *object = rp_json_object();
    rp_json_push(array, object);
    return object;
}

/* ---- CycloneDX ---- */

static void put_hashes(struct rp_json *component, const char *sha256) {
    if (sha256 != NULL)
        rp_json_push(rp_json_new_array(component, "hashes"),
                     RP_JSON_NEW(RP_JSON_S("alg", "SHA-256"), RP_JSON_S("content", sha256)));
}

static void put_property(struct rp_json *properties, const char *name, const char *value) {
    if (value != NULL)
        rp_json_push(properties, RP_JSON_NEW(RP_JSON_S("name", name), RP_JSON_S("value", value)));
}

/* Supplier and licence, where they are known. */
static void put_owner(struct rp_json *component, const char *supplier,
                      const struct rp_known_part *known, const char *licence) {
    if (known != NULL) {
        supplier = known->supplier;
        licence = known->licence;
    }
    if (supplier != NULL)
        rp_json_put(component, "supplier", RP_JSON_NEW(RP_JSON_S("name", supplier)));
    if (licence == NULL)
        return;
    struct rp_json *licences = rp_json_new_array(component, "licenses");
    if (known == NULL || known->text == NULL)
        rp_json_push(licences, RP_JSON_NEW(RP_JSON_S("expression", licence)));
    else
        rp_json_put(object_in(licences), "license", RP_JSON_NEW(RP_JSON_S("name", known->text)));
}

/* The tensors of "inputs" or "outputs" as the formats that a model card has. */
static void put_tensors(const struct rp_bill *bill, struct rp_json *parameters, const char *key) {
    struct rp_json *list = rp_json_new_array(parameters, key);
    const struct rp_json *tensors = rp_json_member(rp_json_member(bill->report, "model"), key);
    for (const struct rp_json *row = rp_json_first(tensors); row != NULL; row = rp_json_next(row)) {
        struct rp_buf text = {.arena = bill->arena};
        const char *dtype = rp_json_text(row, "dtype", NULL);
        const struct rp_json *shape = rp_json_member(row, "shape");
        rp_buf_puts(&text, dtype != NULL ? dtype : "");
        for (const struct rp_json *size = rp_json_first(shape); size != NULL;
             size = rp_json_next(size))
            rp_buf_printf(&text, "[%.0f]", rp_json_number(size));
        rp_json_push(list, RP_JSON_NEW(RP_JSON_S("format", text.data)));
    }
}

static void put_model(const struct rp_bill *bill, struct rp_json *components) {
    struct rp_json *model = object_in(components);
    RP_JSON_PUT(model, RP_JSON_S("type", "machine-learning-model"), RP_JSON_S("bom-ref", "model"),
                RP_JSON_S("name", bill->model));
    put_owner(model, bill->supplier, NULL, bill->licence);
    struct rp_json *card = rp_json_new_object(model, "modelCard");
    struct rp_json *parameters = rp_json_new_object(card, "modelParameters");
    put_tensors(bill, parameters, "inputs");
    put_tensors(bill, parameters, "outputs");
    struct rp_json *properties = rp_json_new_array(model, "properties");
    put_property(properties, "relocpack:generator", bill->generator);
    put_property(properties, "relocpack:dialect",
                 rp_json_text(rp_json_member(bill->report, "model"), "dialect", NULL));
}

static void put_part(const struct rp_bill *bill, struct rp_json *components, size_t index) {
    static const char *const types[] = {"data", "library", "file"};
    const struct rp_part *part = &bill->parts.items[index];
    struct rp_json *component = object_in(components);
    RP_JSON_PUT(component, RP_JSON_S("type", types[part->kind]),
                RP_JSON_S("bom-ref", ref_of(bill, index)), RP_JSON_S("group", part->archive),
                RP_JSON_S("name", part->name), RP_JSON_S("version", part->version),
                RP_JSON_S("scope", part->kind == RP_PART_INPUT ? "excluded" : "required"));
    put_owner(component, NULL, part->known, NULL);
    put_hashes(component, part->sha256);
}

static void put_dependencies(const struct rp_bill *bill, struct rp_json *root) {
    struct rp_json *image = object_in(rp_json_new_array(root, "dependencies"));
    rp_json_put_string(image, "ref", "image");
    struct rp_json *on = rp_json_new_array(image, "dependsOn");
    rp_json_push_string(on, "model");
    rp_json_push_string(on, "runtime");
    for (size_t i = 0; i < bill->parts.count; i++)
        if (bill->parts.items[i].kind != RP_PART_INPUT)
            rp_json_push_string(on, ref_of(bill, i));
}

struct rp_json *rp_bill_cyclonedx(const struct rp_bill *bill) {
    struct rp_json *root =
        RP_JSON_NEW(RP_JSON_S("$schema", "http://cyclonedx.org/schema/bom-1.6.schema.json"),
                    RP_JSON_S("bomFormat", "CycloneDX"), RP_JSON_S("specVersion", "1.6"),
                    RP_JSON_S("serialNumber", uuid_of(bill)), RP_JSON_N("version", 1));
    struct rp_json *metadata = rp_json_new_object(root, "metadata");
    RP_JSON_PUT(metadata, RP_JSON_S("timestamp", bill->started));
    struct rp_json *tools = rp_json_new_array(rp_json_new_object(metadata, "tools"), "components");
    rp_json_push(tools,
                 RP_JSON_NEW(RP_JSON_S("type", "application"), RP_JSON_S("name", "relocpack"),
                             RP_JSON_S("version", bill->tool_version)));
    rp_json_push(tools,
                 RP_JSON_NEW(RP_JSON_S("type", "application"), RP_JSON_S("name", bill->compiler),
                             RP_JSON_S("version", bill->compiler_version)));
    struct rp_json *image = rp_json_new_object(metadata, "component");
    RP_JSON_PUT(image, RP_JSON_S("type", "firmware"), RP_JSON_S("bom-ref", "image"),
                RP_JSON_S("name", bill->image.name), RP_JSON_S("version", bill->build_id));
    put_owner(image, bill->supplier, NULL, bill->licence);
    put_hashes(image, bill->image.sha256);
    if (bill->supplier != NULL)
        rp_json_put(metadata, "supplier", RP_JSON_NEW(RP_JSON_S("name", bill->supplier)));
    struct rp_json *components = rp_json_new_array(root, "components");
    put_model(bill, components);
    struct rp_json *runtime = object_in(components);
    RP_JSON_PUT(runtime, RP_JSON_S("type", "library"), RP_JSON_S("bom-ref", "runtime"),
                RP_JSON_S("name", rp_known_runtime.product),
                RP_JSON_S("version", bill->tool_version), RP_JSON_S("scope", "required"));
    put_owner(runtime, NULL, &rp_known_runtime, NULL);
    for (size_t i = 0; i < bill->parts.count; i++)
        put_part(bill, components, i);
    put_dependencies(bill, root);
    return root;
}

/* ---- SPDX ---- */

/* What a package of SPDX 2.3 says of itself. */
struct package {
    const char *id, *name, *version, *sha256, *purpose, *generator;
    const char *supplier, *licence; /* or NULL */
};

static void put_package(const struct rp_bill *bill, struct rp_json *packages,
                        const struct package *what) {
    struct rp_json *package = object_in(packages);
    const char *supplier = what->supplier != NULL
                               ? rp_format(bill->arena, "Organization: %s", what->supplier)
                               : "NOASSERTION";
    RP_JSON_PUT(
        package, RP_JSON_S("SPDXID", what->id), RP_JSON_S("name", what->name),
        RP_JSON_S("versionInfo", what->version), RP_JSON_S("downloadLocation", "NOASSERTION"),
        RP_JSON_B("filesAnalyzed", false), RP_JSON_S("licenseConcluded", "NOASSERTION"),
        RP_JSON_S("licenseDeclared", what->licence != NULL ? what->licence : "NOASSERTION"),
        RP_JSON_S("supplier", supplier), RP_JSON_S("copyrightText", "NOASSERTION"),
        RP_JSON_S("primaryPackagePurpose", what->purpose), RP_JSON_S("comment", what->generator));
    if (what->sha256 != NULL)
        rp_json_push(rp_json_new_array(package, "checksums"),
                     RP_JSON_NEW(RP_JSON_S("algorithm", "SHA256"),
                                 RP_JSON_S("checksumValue", what->sha256)));
}

static void relate(struct rp_json *list, const char *from, const char *how, const char *to) {
    rp_json_push(list,
                 RP_JSON_NEW(RP_JSON_S("spdxElementId", from), RP_JSON_S("relationshipType", how),
                             RP_JSON_S("relatedSpdxElement", to)));
}

static void put_spdx_part(const struct rp_bill *bill, struct rp_json *packages,
                          struct rp_json *relations, size_t index) {
    static const char *const purposes[] = {"FILE", "LIBRARY", "SOURCE"};
    static const char *const relation[] = {"DEPENDS_ON", "STATIC_LINK", "GENERATED_FROM"};
    const struct rp_part *part = &bill->parts.items[index];
    const struct rp_known_part *known = part->known;
    const char *id = rp_format(bill->arena, "SPDXRef-%s", ref_of(bill, index));
    const char *name = part->archive == NULL
                           ? part->name
                           : rp_format(bill->arena, "%s(%s)", part->archive, part->name);
    put_package(bill, packages,
                &(struct package){.id = id,
                                  .name = name,
                                  .version = part->version,
                                  .sha256 = part->sha256,
                                  .supplier = known != NULL ? known->supplier : NULL,
                                  .licence = known != NULL ? known->licence : NULL,
                                  .purpose = purposes[part->kind]});
    relate(relations, "SPDXRef-image", relation[part->kind], id);
}

/* The texts of licences that SPDX has no id for, each once. */
static void put_licences(const struct rp_bill *bill, struct rp_json *root) {
    struct rp_strings told = {0};
    struct rp_json *list = NULL;
    for (size_t i = 0; i < bill->parts.count; i++) {
        const struct rp_known_part *known = bill->parts.items[i].known;
        if (known == NULL || known->text == NULL || rp_strings_have(&told, known->licence))
            continue;
        rp_strings_push(bill->arena, &told, known->licence);
        list = list != NULL ? list : rp_json_new_array(root, "hasExtractedLicensingInfos");
        rp_json_push(list, RP_JSON_NEW(RP_JSON_S("licenseId", known->licence),
                                       RP_JSON_S("name", known->product),
                                       RP_JSON_S("extractedText", known->text)));
    }
}

struct rp_json *rp_bill_spdx(const struct rp_bill *bill) {
    struct rp_json *root =
        RP_JSON_NEW(RP_JSON_S("spdxVersion", "SPDX-2.3"), RP_JSON_S("dataLicense", "CC0-1.0"),
                    RP_JSON_S("SPDXID", "SPDXRef-DOCUMENT"), RP_JSON_S("name", bill->image.name),
                    RP_JSON_S("documentNamespace", uuid_of(bill)));
    struct rp_json *creation = rp_json_new_object(root, "creationInfo");
    RP_JSON_PUT(creation, RP_JSON_S("created", bill->started != NULL ? bill->started
                                                                     : "1970-01-01T00:00:00Z"));
    struct rp_json *creators = rp_json_new_array(creation, "creators");
    rp_json_push_string(creators, rp_format(bill->arena, "Tool: relocpack-%s", bill->tool_version));
    if (bill->supplier != NULL)
        rp_json_push_string(creators, rp_format(bill->arena, "Organization: %s", bill->supplier));
    struct rp_json *packages = rp_json_new_array(root, "packages");
    struct rp_json *relations = rp_json_new_array(root, "relationships");
    put_package(bill, packages,
                &(struct package){.id = "SPDXRef-image",
                                  .name = bill->image.name,
                                  .version = bill->build_id,
                                  .sha256 = bill->image.sha256,
                                  .supplier = bill->supplier,
                                  .licence = bill->licence,
                                  .purpose = "FIRMWARE"});
    put_package(bill, packages,
                &(struct package){.id = "SPDXRef-model",
                                  .name = bill->model,
                                  .purpose = "OTHER",
                                  .supplier = bill->supplier,
                                  .licence = bill->licence,
                                  .generator = bill->generator});
    put_package(bill, packages,
                &(struct package){.id = "SPDXRef-relocpack",
                                  .name = "relocpack",
                                  .version = bill->tool_version,
                                  .purpose = "APPLICATION"});
    put_package(bill, packages,
                &(struct package){.id = "SPDXRef-compiler",
                                  .name = bill->compiler,
                                  .version = bill->compiler_version,
                                  .purpose = "APPLICATION"});
    put_package(bill, packages,
                &(struct package){.id = "SPDXRef-runtime",
                                  .name = rp_known_runtime.product,
                                  .version = bill->tool_version,
                                  .supplier = rp_known_runtime.supplier,
                                  .licence = rp_known_runtime.licence,
                                  .purpose = "LIBRARY"});
    relate(relations, "SPDXRef-image", "STATIC_LINK", "SPDXRef-runtime");
    relate(relations, "SPDXRef-DOCUMENT", "DESCRIBES", "SPDXRef-image");
    relate(relations, "SPDXRef-image", "CONTAINS", "SPDXRef-model");
    relate(relations, "SPDXRef-relocpack", "BUILD_TOOL_OF", "SPDXRef-image");
    relate(relations, "SPDXRef-compiler", "BUILD_TOOL_OF", "SPDXRef-image");
    for (size_t i = 0; i < bill->parts.count; i++)
        put_spdx_part(bill, packages, relations, i);
    put_licences(bill, root);
    return root;
}

/* ---- provenance ---- */

static void put_resource(struct rp_json *list, const char *key, const char *name,
                         const char *sha256) {
    if (sha256 == NULL)
        return;
    struct rp_json *resource = object_in(list);
    rp_json_put_string(resource, key, name);
    rp_json_put_string(rp_json_new_object(resource, "digest"), "sha256", sha256);
}

static void put_strings(struct rp_json *object, const char *key, const struct rp_json *list) {
    struct rp_json *copy = rp_json_new_array(object, key);
    for (const struct rp_json *item = rp_json_first(list); item != NULL; item = rp_json_next(item))
        if (rp_json_string(item) != NULL)
            rp_json_push_string(copy, rp_json_string(item));
}

static void put_parameters(const struct rp_bill *bill, struct rp_json *definition) {
    struct rp_json *given = rp_json_new_object(definition, "externalParameters");
    const struct rp_json *choices = rp_json_member(bill->report, "choices");
    for (const struct rp_json *row = rp_json_first(choices); row != NULL; row = rp_json_next(row)) {
        if (rp_json_string(row) != NULL)
            rp_json_put_string(given, rp_json_key(row), rp_json_string(row));
        else if (rp_json_type_of(row) == RP_JSON_ARRAY)
            put_strings(given, rp_json_key(row), row);
    }
    struct rp_json *inner = rp_json_new_object(definition, "internalParameters");
    RP_JSON_PUT(inner, RP_JSON_S("compiler", bill->compiler),
                RP_JSON_S("compiler_version", bill->compiler_version));
    put_strings(inner, "flags", rp_json_member(rp_json_member(bill->report, "toolchain"), "flags"));
}

struct rp_json *rp_bill_provenance(const struct rp_bill *bill, const char *builder) {
    struct rp_json *root = RP_JSON_NEW(RP_JSON_S("_type", "https://in-toto.io/Statement/v1"));
    struct rp_json *subject = rp_json_new_array(root, "subject");
    put_resource(subject, "name", bill->image.name, bill->image.sha256);
    RP_JSON_PUT(root, RP_JSON_S("predicateType", "https://slsa.dev/provenance/v1"));
    struct rp_json *predicate = rp_json_new_object(root, "predicate");
    struct rp_json *definition = rp_json_new_object(predicate, "buildDefinition");
    rp_json_put_string(definition, "buildType", "urn:relocpack:generate:v1");
    put_parameters(bill, definition);
    struct rp_json *resolved = rp_json_new_array(definition, "resolvedDependencies");
    for (size_t i = 0; i < bill->parts.count; i++) {
        const struct rp_part *part = &bill->parts.items[i];
        const char *name = part->archive == NULL
                               ? part->name
                               : rp_format(bill->arena, "%s(%s)", part->archive, part->name);
        bool is_made = part->kind == RP_PART_FILE;
        put_resource(is_made ? subject : resolved, "name", name, part->sha256);
    }
    struct rp_json *run = rp_json_new_object(predicate, "runDetails");
    struct rp_json *by = rp_json_new_object(run, "builder");
    rp_json_put_string(by, "id", builder);
    rp_json_put_string(rp_json_new_object(by, "version"), "relocpack", bill->tool_version);
    if (bill->started != NULL)
        rp_json_put_string(rp_json_new_object(run, "metadata"), "startedOn", bill->started);
    return root;
}
