// The results of a batch: one SQLite file, as docs/DATABASE.md has it.
//
// Each result is written when it is known.  The journal is a write-ahead log,
// so whoever reads need not wait, and a batch that is killed loses nothing that
// was written.  A file that is no database, or one of another schema, is not
// touched.  What cannot be written is told at the end: the first reason.

#define _GNU_SOURCE

#include "project/project.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct Database {
  Task *task;
  sqlite3 *sqlite;
  FileLock lock;
  const char *error;
};

static const char *const schema[] = {
    "CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT)",
    "CREATE TABLE IF NOT EXISTS result (file TEXT, kernel TEXT, source TEXT,"
    " line INTEGER, verdict TEXT, seconds REAL, is_cached INTEGER, record TEXT,"
    " unit TEXT, key TEXT, timeout INTEGER, memory INTEGER,"
    " PRIMARY KEY (unit, kernel))",
    "CREATE TABLE IF NOT EXISTS trouble (file TEXT, kind TEXT, message TEXT)",
    "CREATE TABLE IF NOT EXISTS suppression (file TEXT, line INTEGER,"
    " kind TEXT, message TEXT)",
    "CREATE TABLE IF NOT EXISTS compilation (key TEXT PRIMARY KEY,"
    " manifest TEXT)",
    "CREATE TEMP TABLE kept (unit TEXT, kernel TEXT,"
    " PRIMARY KEY (unit, kernel))",
};

static void note_error(Database *database) {
  if (!database->error)
    database->error =
        arena_copy(&database->task->arena, sqlite3_errmsg(database->sqlite));
}

static bool execute(Database *database, const char *sql) {
  bool is_done =
      sqlite3_exec(database->sqlite, sql, NULL, NULL, NULL) == SQLITE_OK;
  if (!is_done)
    note_error(database);
  return is_done;
}

// ------------------------------------------------------------- statements ---

static sqlite3_stmt *prepare(Database *database, const char *sql) {
  sqlite3_stmt *statement = NULL;
  if (sqlite3_prepare_v2(database->sqlite, sql, -1, &statement, NULL))
    note_error(database);
  return statement;
}

static void bind(sqlite3_stmt *statement, int at, const char *text) {
  sqlite3_bind_text(statement, at, text, -1, SQLITE_TRANSIENT);
}

static void finish(Database *database, sqlite3_stmt *statement) {
  if (statement && sqlite3_step(statement) != SQLITE_DONE)
    note_error(database);
  sqlite3_finalize(statement);
}

static const char *column(Task *task, sqlite3_stmt *statement, int at) {
  const char *text = (const char *)sqlite3_column_text(statement, at);
  return arena_copy(&task->arena, text ? text : "");
}

// NULL: there is no such row.
static const char *ask(Task *task, Database *database, const char *sql,
                       const char *with) {
  sqlite3_stmt *statement = prepare(database, sql);
  const char *answer = NULL;
  if (statement && with)
    bind(statement, 1, with);
  if (statement && sqlite3_step(statement) == SQLITE_ROW)
    answer = column(task, statement, 0);
  sqlite3_finalize(statement);
  return answer;
}

// ---------------------------------------------------------------- opening ---

// SQLite tries to read what it cannot write, and keeps the reason of the
// second attempt: that there is no such file.
static int system_reason(Task *task, sqlite3 *sqlite, const char *file) {
  const char *slash = strrchr(file, '/');
  int length = slash ? (int)(slash - file) + 1 : 0;
  const char *folder = arena_printf(&task->arena, "%.*s.", length, file);
  return access(file, F_OK) && access(folder, W_OK)
             ? errno
             : sqlite3_system_errno(sqlite);
}

// Why SQLite could not, with the system's reason, and what to do.
static const char *reason(Task *task, sqlite3 *sqlite, const char *file) {
  int system = system_reason(task, sqlite, file);
  int code = sqlite3_errcode(sqlite);
  const char *text = sqlite3_errmsg(sqlite);
  if (code == SQLITE_CANTOPEN && system)
    return arena_printf(&task->arena, "%s: %s", text, strerror(system));
  return arena_printf(&task->arena, "%s%s", text,
                      code == SQLITE_NOTADB || code == SQLITE_CORRUPT
                          ? "; move it away, or name another file"
                          : "");
}

// Of a file that has tables; NULL: it may be used.
static const char *strangeness(Task *task, Database *database,
                               const char *file) {
  sqlite3_stmt *statement = NULL;
  int code =
      sqlite3_prepare_v2(database->sqlite, "SELECT count(*) FROM sqlite_master",
                         -1, &statement, NULL);
  code = code ? code : sqlite3_step(statement);
  bool is_new = code == SQLITE_ROW && sqlite3_column_int(statement, 0) == 0;
  sqlite3_finalize(statement);
  if (code != SQLITE_ROW)
    return reason(task, database->sqlite, file);
  if (is_new)
    return NULL;
  const char *version =
      ask(task, database, "SELECT value FROM meta WHERE key = ?", "schema");
  database->error = NULL;
  if (!version)
    return sqlite3_errcode(database->sqlite) == SQLITE_CORRUPT
               ? reason(task, database->sqlite, file)
               : "this is no database of gpuverify batch; name another file";
  if (strcmp(version, "1") != 0)
    return arena_printf(&task->arena,
                        "this database has schema %s, and this version of "
                        "gpuverify writes 1; name another file",
                        version);
  return NULL;
}

static const char *make_tables(Database *database) {
  execute(database, "PRAGMA journal_mode = WAL");
  execute(database, "PRAGMA synchronous = NORMAL");
  for (size_t i = 0; i < sizeof schema / sizeof *schema; i++)
    execute(database, schema[i]);
  database_set(database, "schema", "1");
  return database->error;
}

Database *database_open(Task *task, const char *file, const char **error) {
  enum { WAIT = 10000 }; // milliseconds, for who reads
  Database *database = NEW(&task->arena, Database);
  database->task = task;
  if (!file_lock(task, file, &database->lock)) {
    *error =
        "another batch is writing to this database; give another "
        "--output, or wait for it";
    return NULL;
  }
  int code = sqlite3_open(file, &database->sqlite);
  sqlite3_busy_timeout(database->sqlite, WAIT);
  *error = code ? reason(task, database->sqlite, file) : NULL;
  if (!*error)
    *error = strangeness(task, database, file);
  if (!*error)
    *error = make_tables(database);
  if (!*error)
    return database;
  *error = arena_copy(&task->arena, *error);
  sqlite3_close(database->sqlite);
  file_unlock(&database->lock);
  return NULL;
}

// The log goes into the file, so that there is one to be taken elsewhere.
bool database_close(Task *task, Database *database, const char **error) {
  sqlite3_exec(database->sqlite, "PRAGMA wal_checkpoint(TRUNCATE)", NULL, NULL,
               NULL);
  execute(database, "PRAGMA journal_mode = DELETE");
  *error = database->error ? arena_copy(&task->arena, database->error) : NULL;
  sqlite3_close(database->sqlite);
  file_unlock(&database->lock);
  return !*error;
}

const char *database_error(const Database *database) { return database->error; }

static const char *const taking[] = {
    "INSERT OR REPLACE INTO main.result SELECT * FROM other.result",
    "INSERT INTO main.trouble SELECT * FROM other.trouble EXCEPT"
    " SELECT * FROM main.trouble",
    "INSERT INTO main.suppression SELECT * FROM other.suppression EXCEPT"
    " SELECT * FROM main.suppression",
    "INSERT OR IGNORE INTO main.compilation SELECT * FROM other.compilation",
    "INSERT OR IGNORE INTO main.meta SELECT * FROM other.meta WHERE NOT EXISTS"
    " (SELECT 1 FROM main.meta WHERE key = 'started')",
    "INSERT OR IGNORE INTO main.meta SELECT * FROM other.meta"
    " WHERE key LIKE 'shard %'",
    "UPDATE main.meta SET value = min(value, (SELECT value FROM other.meta"
    " WHERE key = 'started')) WHERE key = 'started'",
    "DELETE FROM main.meta WHERE key = 'ended' AND NOT EXISTS"
    " (SELECT 1 FROM other.meta WHERE key = 'ended')",
    "UPDATE main.meta SET value = max(value, (SELECT value FROM other.meta"
    " WHERE key = 'ended')) WHERE key = 'ended'",
};

bool database_take(Task *task, Database *database, const char *other,
                   bool *is_whole, const char **error) {
  Database *read =
      access(other, R_OK) ? NULL : database_open(task, other, error);
  if (!read && !*error)
    *error = strerror(errno);
  *is_whole = read && database_get(task, read, "ended");
  if (!read || !database_close(task, read, error))
    return false;
  sqlite3_stmt *attach = prepare(database, "ATTACH ? AS other");
  bind(attach, 1, other);
  finish(database, attach);
  database_begin(database);
  for (size_t i = 0; i < sizeof taking / sizeof *taking; i++)
    execute(database, taking[i]);
  database_commit(database);
  execute(database, "DETACH other");
  *error = database->error;
  return !*error;
}

static Texts column_of(Task *task, Database *database, const char *sql) {
  Texts texts = {0};
  sqlite3_stmt *s = prepare(database, sql);
  while (s && sqlite3_step(s) == SQLITE_ROW)
    push(&task->arena, &texts, column(task, s, 0));
  sqlite3_finalize(s);
  return texts;
}

// Of rows of file, line, kind and message.
static ProjectNotes notes_of(Task *task, Database *database, const char *sql) {
  ProjectNotes notes = {0};
  sqlite3_stmt *s = prepare(database, sql);
  while (s && sqlite3_step(s) == SQLITE_ROW)
    push(&task->arena, &notes,
         ((ProjectNote){.where = {.file = column(task, s, 0),
                                  .line = (unsigned)sqlite3_column_int(s, 1)},
                        .kind = column(task, s, 2),
                        .message = column(task, s, 3)}));
  sqlite3_finalize(s);
  return notes;
}

ProjectNotes database_trouble_notes(Task *task, Database *database) {
  return notes_of(task, database,
                  "SELECT file, 0, kind, message FROM trouble ORDER BY rowid");
}

Texts database_records(Task *task, Database *database) {
  return column_of(task, database,
                   "SELECT record FROM result ORDER BY file, line, kernel");
}

void database_begin(Database *database) { execute(database, "BEGIN"); }
void database_commit(Database *database) { execute(database, "COMMIT"); }

// ------------------------------------------------------------------- rows ---

void database_set(Database *database, const char *key, const char *value) {
  sqlite3_stmt *s =
      prepare(database, "INSERT OR REPLACE INTO meta VALUES (?, ?)");
  bind(s, 1, key);
  bind(s, 2, value);
  finish(database, s);
}

void database_unset(Database *database, const char *key) {
  sqlite3_stmt *s = prepare(database, "DELETE FROM meta WHERE key = ?");
  bind(s, 1, key);
  finish(database, s);
}

const char *database_get(Task *task, Database *database, const char *key) {
  return ask(task, database, "SELECT value FROM meta WHERE key = ?", key);
}

void database_set_shard(Database *database, const char *shard) {
  execute(database, "DELETE FROM meta WHERE key LIKE 'shard %'");
  sqlite3_stmt *s = shard ? prepare(database,
                                    "INSERT INTO meta VALUES"
                                    " ('shard ' || ?, '1')")
                          : NULL;
  if (!s)
    return;
  bind(s, 1, shard);
  finish(database, s);
}

Texts database_shards(Task *task, Database *database) {
  return column_of(task, database,
                   "SELECT substr(key, 7) FROM meta WHERE key LIKE 'shard %'"
                   " ORDER BY key");
}

static size_t number(const char *text) {
  return text ? strtoul(text, NULL, 10) : 0;
}

size_t database_troubles(Database *database) {
  return number(ask(database->task, database,
                    "SELECT count(DISTINCT file) FROM trouble", NULL));
}

const char *database_slowest(Task *task, Database *database) {
  const char *text =
      ask(task, database,
          "SELECT group_concat(line, ', ') FROM (SELECT"
          " printf('%s %.1f s', source, max(seconds)) AS line FROM result"
          " WHERE NOT is_cached GROUP BY key HAVING max(seconds) >= 0.05"
          " ORDER BY max(seconds) DESC LIMIT 3)",
          NULL);
  return text ? text : "";
}

void database_keep(Database *database, const char *unit, const char *kernel) {
  sqlite3_stmt *s =
      prepare(database, "INSERT OR IGNORE INTO kept VALUES (?, ?)");
  bind(s, 1, unit);
  bind(s, 2, kernel);
  finish(database, s);
}

void database_add(Database *database, const ResultRow *row) {
  sqlite3_stmt *s = prepare(database,
                            "INSERT OR REPLACE INTO result VALUES"
                            " (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  bind(s, 1, row->file);
  bind(s, 2, row->kernel);
  bind(s, 3, row->source);
  sqlite3_bind_int64(s, 4, row->line);
  bind(s, 5, row->verdict);
  sqlite3_bind_double(s, 6, row->seconds);
  sqlite3_bind_int(s, 7, row->is_cached);
  bind(s, 8, row->record);
  bind(s, 9, row->unit);
  bind(s, 10, row->key);
  sqlite3_bind_int64(s, 11, row->timeout);
  sqlite3_bind_int64(s, 12, row->memory);
  finish(database, s);
  database_keep(database, row->unit, row->kernel);
}

bool database_find(Task *task, Database *database, const char *unit,
                   const char *kernel, ResultRow *row) {
  sqlite3_stmt *s = prepare(
      database,
      "SELECT key, record, timeout, memory, seconds, is_cached FROM result"
      " WHERE unit = ? AND kernel = ?");
  bind(s, 1, unit);
  bind(s, 2, kernel);
  bool is_there = s && sqlite3_step(s) == SQLITE_ROW;
  if (is_there)
    *row = (ResultRow){.unit = unit,
                       .kernel = kernel,
                       .key = column(task, s, 0),
                       .record = column(task, s, 1),
                       .timeout = (unsigned)sqlite3_column_int64(s, 2),
                       .memory = (unsigned)sqlite3_column_int64(s, 3),
                       .seconds = sqlite3_column_double(s, 4),
                       .is_cached = sqlite3_column_int(s, 5) != 0};
  sqlite3_finalize(s);
  return is_there;
}

void database_mark_cached(Database *database, const char *unit,
                          const char *kernel) {
  sqlite3_stmt *s = prepare(database,
                            "UPDATE result SET is_cached = 1"
                            " WHERE unit = ? AND kernel = ?");
  bind(s, 1, unit);
  bind(s, 2, kernel);
  finish(database, s);
}

void database_mark_all_cached(Database *database) {
  execute(database, "UPDATE result SET is_cached = 1");
}

void database_drop_others(Database *database) {
  execute(database,
          "DELETE FROM result WHERE NOT EXISTS (SELECT 1 FROM kept"
          " WHERE kept.unit = result.unit"
          " AND kept.kernel = result.kernel)");
}

void database_add_trouble(Database *database, const char *file,
                          const char *kind, const char *message) {
  sqlite3_stmt *s = prepare(database, "INSERT INTO trouble VALUES (?, ?, ?)");
  bind(s, 1, file);
  bind(s, 2, kind);
  bind(s, 3, message);
  finish(database, s);
}

void database_add_suppression(Database *database, const char *file,
                              unsigned line, const char *kind,
                              const char *text) {
  sqlite3_stmt *s =
      prepare(database, "INSERT INTO suppression VALUES (?, ?, ?, ?)");
  bind(s, 1, file);
  sqlite3_bind_int64(s, 2, line);
  bind(s, 3, kind);
  bind(s, 4, text);
  finish(database, s);
}

void database_forget_suppressions(Database *database) {
  execute(database, "DELETE FROM suppression");
}

// Of no use is what is idle in all parts of its batch and is not refused. Where
// some kernels are not decided a baseline may yet be right.
static const char *const settling[] = {
    "DELETE FROM suppression WHERE kind = 'told'",
    "CREATE TEMP TABLE useless AS SELECT file, line, kind FROM suppression AS a"
    " WHERE kind IN ('idle', 'absent') AND NOT EXISTS (SELECT 1 FROM"
    " suppression AS b WHERE b.kind IN ('needed', 'refused') AND"
    " b.file = a.file AND b.line = a.line) GROUP BY file, line, kind HAVING"
    " count(DISTINCT message) ="
    " CAST(substr(min(message), instr(min(message), '/') + 1) AS INTEGER)",
    "CREATE TEMP TABLE doubt AS SELECT EXISTS (SELECT 1 FROM trouble) OR EXISTS"
    " (SELECT 1 FROM result WHERE verdict IN ('unknown', 'vacuous', 'error')"
    " AND NOT EXISTS (SELECT 1 FROM json_each(record, '$.suppressed')"
    " WHERE json_extract(value, '$.kind') = verdict)) AS is_there",
    "INSERT INTO suppression"
    " SELECT file, line, 'told', message FROM suppression"
    " WHERE kind = 'refused' UNION"
    " SELECT file, line, 'told', printf('no kernel %sneeds this suppression',"
    " iif(is_there, 'that was decided ', '')) FROM useless, doubt"
    " WHERE kind = 'idle' UNION"
    " SELECT file, 0, 'told', printf('%d of the findings %s gone;"
    " --write-baseline leaves %s out', count(*), iif(count(*) = 1, 'is', "
    "'are'),"
    " iif(count(*) = 1, 'it', 'them')) FROM useless, doubt"
    " WHERE kind = 'absent' AND NOT is_there GROUP BY file",
    "DROP TABLE useless",
    "DROP TABLE doubt",
};

void database_settle_suppressions(Database *database) {
  for (size_t i = 0; i < sizeof settling / sizeof *settling; i++)
    execute(database, settling[i]);
}

ProjectNotes database_suppressions(Task *task, Database *database) {
  return notes_of(task, database,
                  "SELECT file, line, 'suppression', message FROM suppression"
                  " WHERE kind = 'told' ORDER BY file, line, message");
}

void database_forget_troubles(Database *database) {
  execute(database, "DELETE FROM trouble");
}

void database_forget_results(Database *database) {
  execute(database, "DELETE FROM result");
  execute(database, "DELETE FROM compilation");
}

void database_add_manifest(Database *database, const char *key,
                           const char *text) {
  sqlite3_stmt *s =
      prepare(database, "INSERT OR REPLACE INTO compilation VALUES (?, ?)");
  bind(s, 1, key);
  bind(s, 2, text);
  finish(database, s);
}

char *database_manifest(Task *task, Database *database, const char *key) {
  return (char *)ask(task, database,
                     "SELECT manifest FROM compilation WHERE key = ?", key);
}
