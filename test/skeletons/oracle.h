// What the prover and the execution say of some skeletons, side by side.

#ifndef TEST_SKELETONS_ORACLE_H
#define TEST_SKELETONS_ORACLE_H

#include "smt/smt.h"
#include "test/skeletons/skeleton.h"

typedef enum OracleOutcome {
  OUTCOME_VERIFIED,
  OUTCOME_WRONG, // verified, and there is a problem
  OUTCOME_ALARM,
  OUTCOME_FALSE_ALARM, // in no tiny launch is there a problem
  OUTCOME_UNKNOWN,
  OUTCOME_CRASH,
  OUTCOMES
} OracleOutcome;

// Of one skeleton; plain data, for a pipe.
typedef struct Record {
  uint64_t index;
  OracleOutcome outcome;
  VerdictKind verdict;
  SkeletonFinding finding;
  bool is_glance;   // it is only known that it is not verified at a glance
  unsigned threads; // of a block, for the prover; 0: any number
  double prove_seconds, execute_seconds;
  char reason[120]; // UNKNOWN, and what else is not expected
} Record;

typedef void Take(void *data, const Record *record);

// ------------------------------------------------------------- prove.c ---

// Fills the records, of which the index is known, in this process.
void prove_and_execute(Record *records, size_t count, bool may_glance);

// ------------------------------------------------------------- table.c ---

typedef struct Table Table;

Table *table_new(void);
void table_add(Table *table, const Record *record);
void table_print(FILE *out, const Table *table, bool is_long);
uint64_t table_count(const Table *table, OracleOutcome outcome);

#endif
