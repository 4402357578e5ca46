// A launch that is executed twice in one order: what twice.c and writers.c have
// for each other and for the machine.

#ifndef RUNTIME_MACHINE_TWICE_H
#define RUNTIME_MACHINE_TWICE_H

#include "runtime/machine/races.h"

// --------------------------------------------------------------- twice.c ---

// Which execution it is: 0, the launch is not executed like that.
unsigned twice_execution(void);
// Opens the machine and runs, both times.
void twice_run(const Run *run, Image *image, Outcome *outcome);
// Before bytes of global memory are written.
void twice_save(const Region *region, int64_t offset, uint64_t bytes);
// The same of any memory, of which so many bytes are at `first`: those from
// `from` on.
void twice_save_bytes(char *first, uint64_t all, uint64_t from, uint64_t bytes);
// What a clock says, which in the second execution is what it said before.
uint64_t twice_clock(uint64_t now);
// The running thread does this at a place: both times the same, or what was
// found is worth nothing.
void twice_note_step(uint32_t site, int64_t offset);

// ------------------------------------------------------------- writers.c ---

// An access: a write is kept and held against those before it, a read held
// against all of the first execution.
void writers_visit(const RaceAccess *access);
// Who has written these bytes has nothing to do with who does from now on.
void writers_renew(const char *at, uint64_t bytes);
void writers_begin_again(void); // the second execution begins
void writers_close(void);

// --------------------------------------------------------------- races.c ---

// Of the running thread's access and one at this point.
Incident races_incident(const Point *point, const Deed *other, int64_t offset,
                        const RaceAccess *access);
bool races_can_excuse(const Point *point, uint32_t site,
                      const RaceAccess *access);
// The race is none if the write of the running thread, which comes next,
// changes nothing of these of its bytes.
void races_excuse(const Incident *incident, uint32_t bytes,
                  const RaceAccess *access);
bool races_is_excused(uint32_t bytes);

#endif
