/* SPDX-License-Identifier: MIT */
#ifndef TAPRIG_CPCRE2_SHIM_H
#define TAPRIG_CPCRE2_SHIM_H

/* Texts are UTF-8: code units of 8 bits. */
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#endif
