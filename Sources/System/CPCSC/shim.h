/* SPDX-License-Identifier: MIT */
#include <winscard.h>
#include <reader.h>
