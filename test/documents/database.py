"""A database as of `gpuverify batch`: [--schema=N] RECORDS DATABASE."""
import json, os, sqlite3, sys

schema = '1'
if sys.argv[1].startswith('--schema='):
    schema = sys.argv.pop(1).split('=')[1]
database = sqlite3.connect(sys.argv[2])
database.executescript('''
CREATE TABLE result (file, kernel, source, line, verdict, seconds, is_cached,
                     record);
CREATE TABLE trouble (file, kind, message);
CREATE TABLE meta (key, value);''')
for line in open(sys.argv[1]):
    record = json.loads(line)
    name = record['file']  # as the compiler was told it, from a folder beside
    line = line.replace('"file":"sub/fine.cu"', '"file":"../sub/fine.cu"')
    if 'trouble' in record:
        database.execute('INSERT INTO trouble VALUES (?, ?, ?)', (
            record['file'], record['trouble'], record['message']))
        continue
    database.execute('INSERT INTO result VALUES (?, ?, ?, ?, ?, ?, ?, ?)', (
        name, record['kernel'], record['source'],
        record['where']['line'], record['verdict'], record['seconds'], 1, line))
for key, value in (('schema', schema), ('tool', '0.1.0'),
                   ('folder', os.getcwd()), ('command', 'gpuverify batch'),
                   ('started', '2001-01-01T00:00:00Z'),
                   ('ended', '2001-01-01T00:00:01Z')):
    database.execute('INSERT INTO meta VALUES (?, ?)', (key, value))
database.commit()
