// What atomic operations have found, thread by thread, so that they find the
// same when they are executed again.
//
// Records lie in chunks, which are linked as they fill up.  Where blocks are
// compared they stay until the grid has been executed twice, and else until the
// region is over.

enum { RECORDS = 7 }; // in a chunk

struct Record {
  Long old;
  Word order; // among all of the line; 0: it has written nothing
  Word at;    // the lower half of the address
};

struct Chunk {
  Word next, count;
  Long unused;
  Record records[RECORDS];
};

// Chunks follow it; their numbers are 1 + where they are.
struct Log {
  Word used;
  Word unused[3];
  Word firsts[VALUES_MOST_BLOCKS + 1]; // of each block: see below
};

static_assert(sizeof(Chunk) == VALUES_CHUNK_BYTES &&
                  sizeof(Log) == VALUES_LOG_BYTES,
              "the host makes room for them");

INLINE Chunk *chunk_of(Word number) {
  return (Chunk *)((Log *)block()->log + 1) + (number - 1);
}

DEVICE Word take_chunks(Word count) {
  Word number = add(&block()->log->used, count);
  if (number + count > block()->chunks)
    __gpuverify_values_stop(VALUES_RECORDS);
  return number + 1;
}

// The first chunk of each thread of the block.
INLINE Word *first_chunk(const Thread *self) {
  return (Word *)chunk_of(block()->firsts) + self->number;
}

// By one thread of a block.
DEVICE void open_log(Word threads) {
  block()->log = (Log *)__gpuverify_values_log(&block()->chunks);
  Word *firsts = &block()->log->firsts[block_number()];
  if (!block()->grid)
    block()->log->used = 0;
  if (!block()->grid || block()->grid_pass == 1) {
    Word count = threads * sizeof(Word) / sizeof(Chunk) + 1;
    *firsts = take_chunks(count);
    clear(chunk_of(*firsts), count * sizeof(Chunk));
  }
  block()->firsts = *firsts;
  block()->kept = block()->log->used;
}

DEVICE Record *new_record(Thread *self) {
  Position *now = &self->records;
  if (!now->chunk || now->at == RECORDS) {
    Word made = take_chunks(1);
    Word *link = now->chunk ? &chunk_of(now->chunk)->next : first_chunk(self);
    chunk_of(made)->next = 0;
    *link = made;
    *now = {made, 0};
  }
  chunk_of(now->chunk)->count = now->at + 1;
  return &chunk_of(now->chunk)->records[now->at++];
}

// NULL: the thread does something else than before.
DEVICE Record *next_record(Thread *self, Long at) {
  Position *now = &self->records;
  if (!now->chunk || now->at == RECORDS) {
    Word next = now->chunk ? chunk_of(now->chunk)->next : *first_chunk(self);
    if (!next)
      return 0;
    *now = {next, 0};
  }
  Chunk *chunk = chunk_of(now->chunk);
  if (now->at >= chunk->count)
    return 0;
  Record *next = &chunk->records[now->at++];
  return next->at == (Word)at ? next : 0;
}

// At the end of a region that is not executed again: what one thread has, and
// then, once, what the block has.
DEVICE void forget_records(Thread *self) {
  if (!block()->log || self->grid)
    return;
  self->records = {0, 0};
  *first_chunk(self) = 0;
}

DEVICE void forget_chunks(const Thread *self) {
  if (block()->log && !self->grid)
    block()->log->used = block()->kept;
}

// ----------------------------------------------------------------- updates ---

// Of a line that they have written to.
struct Updates {
  Word last[LINE];   // which of them came last, of those executed again
  Word places[LINE]; // of the last one
  Word others[LINE]; // of the last one of another unit than that
};

enum { UPDATES_CHUNKS = sizeof(Updates) / sizeof(Chunk) };
static_assert(sizeof(Updates) % sizeof(Chunk) == 0, "they lie in chunks");

INLINE Updates *updates_of(const Line *line) {
  return (Updates *)chunk_of(line->updates);
}
