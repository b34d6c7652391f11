/* SPDX-License-Identifier: MIT */
#ifndef TAPRIG_CUSB_SHIM_H
#define TAPRIG_CUSB_SHIM_H

#include <libusb.h>

#endif
