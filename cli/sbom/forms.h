/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A bill of materials in the forms that others read. The same report gives the same document:
 * names of documents and parts follow from the hashes.
 */
#ifndef RP_CLI_SBOM_FORMS_H
#define RP_CLI_SBOM_FORMS_H

#include "cli/sbom/bill.h"

/* CycloneDX 1.6. */
struct rp_json *rp_bill_cyclonedx(const struct rp_bill *bill);
/* SPDX 2.3. */
struct rp_json *rp_bill_spdx(const struct rp_bill *bill);
/* An in-toto statement v1 with SLSA provenance v1. builder: a URI that says who built it. */
struct rp_json *rp_bill_provenance(const struct rp_bill *bill, const char *builder);

#endif
