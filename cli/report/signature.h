/* SPDX-License-Identifier: Apache-2.0 */
/* What a signature block says, as text and as JSON: for `inspect` and `verify-signature`. */
#ifndef RP_CLI_REPORT_SIGNATURE_H
#define RP_CLI_REPORT_SIGNATURE_H

#include "base/json.h"
#include "elfpack/image/signed.h"

/* Model, version, counter, class, API, and the keys that signed. */
void rp_signature_print(const struct reloc_signed *s);
/* Adds the same members to an object. */
void rp_signature_json(struct rp_json *object, const struct reloc_signed *s);

#endif
