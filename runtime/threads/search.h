// What the files that make many schedules share.  Private.

#ifndef RUNTIME_THREADS_SEARCH_H
#define RUNTIME_THREADS_SEARCH_H

#include "runtime/threads/world.h"

typedef struct ThreadsSearch {
  const ThreadsQuestion *question;
  ThreadsAnswer *answer;
  double since, deadline;
  unsigned end_count;
  bool ends_are_cut;
  ProgramOutput ends[MOST_ENDS]; // of this process
} ThreadsSearch;

// --------------------------------------------------------------- search.c ---

// A schedule depends on the seed and its number alone.
void search_run(const ThreadsSearch *search, uint64_t number,
                const SchedulePolicy *policy);
const SchedulePolicy *search_policy(const ThreadsSearch *search,
                                    uint64_t number);
// What the first schedules have shown holds for those that follow.
void search_use_profile(const ThreadsSearch *search);
bool search_refuse(ThreadsAnswer *answer, const char *why);
// Writes down how the last run ended.  False: there is no use in going on.
bool search_look_at_end(ThreadsSearch *search, unsigned worker,
                        uint64_t number);
// What the last run has printed, and its exit status; kept in this process
// until it is told to the others.
void search_note_output(ThreadsSearch *search);
void search_merge_ends(ThreadsSearch *search);
void search_note_failure(ThreadsAnswer *answer, uint64_t number);
bool search_is_over(const ThreadsSearch *search, uint64_t number);

// --------------------------------------------------------------- device.c ---

void search_on_device(ThreadsSearch *search);
// Does the processor say of what was found what the device has said?
bool search_agrees(ThreadsSearch *search);

#endif
