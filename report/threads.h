// What many schedules of a program with threads have shown, to be told.

#ifndef REPORT_THREADS_H
#define REPORT_THREADS_H

#include "report/report.h"
#include "runtime/threads/threads.h"

typedef struct ThreadsReport {
  const char *file; // the first of the program
  const ThreadsQuestion *question;
  const ThreadsAnswer *answer;
  const char *written; // the schedule file, or NULL
} ThreadsReport;

// ------------------------------------------------------------- threads.c ---

const Diagnosis *diagnose_threads(Task *task, const ThreadsReport *report);
bool threads_found(const ThreadsReport *report);
// "racy", "passed", "unknown"
const char *threads_verdict(const ThreadsReport *report);
// How much was looked at, in a sentence.
const char *threads_coverage(Task *task, const ThreadsReport *report);
// "balance", "a[3]", or "byte 4 of x"; where it is none of the program's
// variables what it is.
const char *threads_object(Task *task, const ThreadsReport *report, uint64_t at,
                           uint64_t bytes);

// -------------------------------------------------------- json_threads.c ---

struct json_t *json_threads(const Diagnosis *diagnosis);

#endif
