// A grid whose blocks are compared, and may share copies (reshuffle.c).

#ifndef RUNTIME_MACHINE_RESHUFFLE_H
#define RUNTIME_MACHINE_RESHUFFLE_H

#include "runtime/machine/machine.h"

// Opens the machine and runs, as often as is needed.
void reshuffle_run(const Run *run, Image *image, Outcome *outcome);
// Blocks share copies.
bool reshuffle_shares(void);
// The running thread finds no room for a copy: all begins anew, with fewer of
// them.  Returns if blocks must not share them.
void reshuffle_give_way(void);

#endif
