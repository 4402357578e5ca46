// Records of the database that `gpuverify batch` keeps, docs/DATABASE.md.
//
// Only read, and only what every version of the schema has.

#include "report/documents/documents.h"

#include <sqlite3.h>
#include <string.h>

bool is_database(const char *file) {
  static const char magic[] = "SQLite format 3";
  char start[sizeof magic] = "";
  FILE *in = fopen(file, "rb");
  if (!in)
    return false;
  size_t count = fread(start, 1, sizeof start, in);
  fclose(in);
  return count == sizeof magic && !memcmp(start, magic, sizeof magic);
}

typedef struct Reading {
  Results *results;
  sqlite3 *database;
  bool is_begun, is_ended;
} Reading;

static const char *text_at(Reading *reading, sqlite3_stmt *row, int column) {
  const unsigned char *text = sqlite3_column_text(row, column);
  return text ? arena_copy(&reading->results->arena, (const char *)text) : NULL;
}

// False: the database has no such table, or cannot be read.
static bool for_each(Reading *reading, const char *query,
                     void (*row)(Reading *reading, sqlite3_stmt *row)) {
  sqlite3_stmt *statement = NULL;
  int state =
      sqlite3_prepare_v2(reading->database, query, -1, &statement, NULL);
  if (state == SQLITE_OK)
    while ((state = sqlite3_step(statement)) == SQLITE_ROW)
      row(reading, statement);
  sqlite3_finalize(statement);
  return state == SQLITE_DONE;
}

static void read_meta(Reading *reading, sqlite3_stmt *row) {
  Results *results = reading->results;
  const char *key = text_at(reading, row, 0);
  const char *value = text_at(reading, row, 1);
  const struct {
    const char *key, **to;
  } known[] = {{"tool", &results->tool},
               {"folder", &results->folder},
               {"command", &results->command},
               {"started", &results->started},
               {"ended", &results->ended}};
  reading->is_begun |= key && !strcmp(key, "started");
  reading->is_ended |= key && !strcmp(key, "ended");
  for (size_t i = 0; key && value && i < sizeof known / sizeof *known; i++)
    if (!strcmp(key, known[i].key))
      *known[i].to = clean_text(&results->arena, value);
}

static void read_result(Reading *reading, sqlite3_stmt *row) {
  Results *results = reading->results;
  const char *record = text_at(reading, row, 0);
  const char *file = text_at(reading, row, 1);
  RecordRow as_row = {file, sqlite3_column_int(row, 2)};
  if (record && record_read(results, record, &as_row))
    return;
  results_trouble(results, file, "record",
                  "a row of the database holds no record of docs/JSON.md");
}

static void read_trouble(Reading *reading, sqlite3_stmt *row) {
  const char *kind = text_at(reading, row, 1);
  const char *message = text_at(reading, row, 2);
  results_trouble(reading->results, text_at(reading, row, 0),
                  kind ? kind : "trouble", message ? message : "no reason");
}

static void read_suppression(Reading *reading, sqlite3_stmt *row) {
  results_suppression(reading->results, text_at(reading, row, 0),
                      (unsigned)sqlite3_column_int(row, 1),
                      text_at(reading, row, 2));
}

static void read_schema(Reading *reading, sqlite3_stmt *row) {
  if (sqlite3_column_int(row, 0) != 1)
    results_trouble(reading->results, NULL, "schema",
                    "the database is of another version of gpuverify");
}

static bool read_all(Reading *reading) {
  return for_each(reading, "SELECT value FROM meta WHERE key = 'schema'",
                  read_schema) &&
         !reading->results->troubles.count &&
         for_each(reading, "SELECT key, value FROM meta", read_meta) &&
         for_each(reading,
                  "SELECT record, file, is_cached FROM result "
                  "ORDER BY file, line, kernel, rowid",
                  read_result) &&
         for_each(reading,
                  "SELECT file, kind, message FROM trouble "
                  "ORDER BY rowid",
                  read_trouble);
}

// What it has is no more than a part.
static void check_end(Reading *reading) {
  if (reading->is_begun && !reading->is_ended)
    results_trouble(reading->results, NULL, "unfinished",
                    "the batch did not finish, or goes on: there may be "
                    "kernels without a verdict");
}

// Databases of earlier versions have none.
static void read_suppressions(Reading *reading) {
  for_each(reading,
           "SELECT file, line, message FROM suppression WHERE kind = 'told' "
           "ORDER BY file, line, message",
           read_suppression);
}

bool results_read_database(Results *results, const char *file,
                           const char **error) {
  Reading reading = {.results = results};
  int state =
      sqlite3_open_v2(file, &reading.database, SQLITE_OPEN_READONLY, NULL);
  if (state != SQLITE_OK || !read_all(&reading))
    *error =
        arena_printf(&results->arena,
                     "not a database of gpuverify batch that can be read: %s",
                     results->troubles.count && state == SQLITE_OK
                         ? results->troubles.at[0].message
                         : sqlite3_errmsg(reading.database));
  if (!*error) {
    check_end(&reading);
    read_suppressions(&reading);
  }
  sqlite3_close(reading.database);
  return !*error;
}
