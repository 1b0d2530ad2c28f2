/* SPDX-License-Identifier: Apache-2.0 */
/* The one place that says which version this is. */
#ifndef RP_CLI_VERSION_H
#define RP_CLI_VERSION_H

#define RP_VERSION "0.1.0"

#endif
