// What the files of `gpuverify threads` share.

#ifndef PLUGIN_THREADS_H
#define PLUGIN_THREADS_H

#include "plugin/run.h"
#include "report/threads.h"

// ----------------------------------------------- threads_schedule_file.c ---

// False: errno says why.
bool threads_schedule_write(const char *name, const ThreadsReport *report);
enum { VERDICT_TEXT = 32 };
// NULL, or what is wrong with it; and the verdict that it was written for.
const char *threads_schedule_read(const char *name, const ProgramImage *image,
                                  ThreadSchedule *schedule,
                                  char verdict[VERDICT_TEXT]);

// ------------------------------------------------------ threads_device.c ---

bool threads_device_is_wanted(const Settings *settings);
// NULL, or what does not go together with it.
const char *threads_device_trouble(const Settings *settings);
// True where none is wanted, too.  False: *reason and *where say why there is
// none for this program, or on this machine.
bool threads_device_make(Task *task, const Settings *settings,
                         const ProgramImage *image, ThreadsDevice *device,
                         const char **reason, Loc *where);

#endif
