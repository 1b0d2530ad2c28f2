/* SPDX-License-Identifier: Apache-2.0 */
/* The least configuration of Mbed TLS 2.28 that verifies P-256 by PSA Crypto. */
#ifndef SIGNED_MBEDTLS_H
#define SIGNED_MBEDTLS_H

#define MBEDTLS_PSA_CRYPTO_C
#define MBEDTLS_PSA_CRYPTO_EXTERNAL_RNG /* verifying needs no random numbers */
#define MBEDTLS_PLATFORM_C
#define MBEDTLS_PLATFORM_MEMORY
#define MBEDTLS_PLATFORM_CALLOC_MACRO signed_calloc
#define MBEDTLS_PLATFORM_FREE_MACRO   signed_free
#define MBEDTLS_NO_PLATFORM_ENTROPY
#define MBEDTLS_BIGNUM_C
#define MBEDTLS_ECP_C
#define MBEDTLS_ECP_DP_SECP256R1_ENABLED
#define MBEDTLS_ECP_NIST_OPTIM
#define MBEDTLS_ECP_NO_INTERNAL_RNG
#define MBEDTLS_ECDSA_C
#define MBEDTLS_ASN1_PARSE_C
#define MBEDTLS_ASN1_WRITE_C
#define MBEDTLS_MD_C
#define MBEDTLS_SHA256_C
#define MBEDTLS_SHA256_SMALLER

#include <stddef.h>

void *signed_calloc(size_t count, size_t size);
void signed_free(void *block);

#include "mbedtls/check_config.h"

#endif
