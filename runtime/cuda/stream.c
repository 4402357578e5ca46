// Streams and events.  All work is done when it is asked for, unless its stream
// is captured, so a stream has little but what the program says of it, and an
// event is a time.

#include "runtime/cuda/cuda.h"

#include <stdlib.h>

enum { STREAM_SIGN = 0x5742, EVENT_SIGN = 0x4556 };

enum { EVENT_WITHOUT_TIME = 2, LEAST_PRIORITY = 0, MOST_PRIORITY = -5 };

// The null stream, and the two that have numbers for names.
static bool is_default(const CudaStream *stream) {
  return (uintptr_t)stream <= 2;
}

CudaStream *streams;

static CudaError event_check(const CudaEvent *event) {
  return event && event->sign == EVENT_SIGN ? cudaSuccess
                                            : cudaErrorInvalidResourceHandle;
}

CudaError stream_check(const CudaStream *stream) {
  return is_default(stream) || stream->sign == STREAM_SIGN
             ? cudaSuccess
             : cudaErrorInvalidResourceHandle;
}

// --------------------------------------------------------------- streams ---

static CudaError create(CudaStream **stream, unsigned flags, int priority) {
  static unsigned long long number;
  CudaStream *made = malloc(sizeof *made);
  if (!made)
    return cudaErrorMemoryAllocation;
  if (priority > LEAST_PRIORITY)
    priority = LEAST_PRIORITY;
  if (priority < MOST_PRIORITY)
    priority = MOST_PRIORITY;
  *made = (CudaStream){.sign = STREAM_SIGN,
                       .flags = flags,
                       .priority = priority,
                       .number = ++number,
                       .next = streams};
  streams = made;
  *stream = made;
  return cudaSuccess;
}

CALL(cudaStreamCreate, CudaStream **stream) { ANSWER(create(stream, 0, 0)); }

CALL(cudaStreamCreateWithFlags, CudaStream **stream, unsigned flags) {
  ANSWER(create(stream, flags, 0));
}

CALL(cudaStreamCreateWithPriority, CudaStream **stream, unsigned flags,
     int priority) {
  ANSWER(create(stream, flags, priority));
}

static void forget(const CudaStream *stream) {
  for (CudaStream **at = &streams; *at; at = &(*at)->next)
    if (*at == stream) {
      *at = stream->next;
      return;
    }
}

CALL(cudaStreamDestroy, CudaStream *stream) {
  CudaError error = cuda_begin();
  if (!error && (is_default(stream) || stream_check(stream)))
    error = cudaErrorInvalidResourceHandle;
  if (!error) {
    forget(stream);
    stream->sign = 0;
    free(stream);
  }
  return cuda_end(error);
}

// Of a captured stream there is nothing to wait for yet, and what was captured
// is lost.
static CudaError wait(const CudaStream *stream) {
  CudaError error = stream_check(stream);
  if (error || !cuda_is_captured(stream))
    return error;
  stream->capture.graph->is_invalid = true;
  return cudaErrorStreamCaptureUnsupported;
}

STREAM_CALL(cudaStreamSynchronize, CudaStream *stream) { ANSWER(wait(stream)); }
STREAM_CALL(cudaStreamQuery, CudaStream *stream) { ANSWER(wait(stream)); }

STREAM_CALL(cudaStreamWaitEvent, CudaStream *stream, CudaEvent *event,
            unsigned flags) {
  (void)flags;
  CudaError error = cuda_begin();
  if (!error)
    error = event_check(event) ? event_check(event) : stream_check(stream);
  if (!error)
    capture_wait(stream, event, &error);
  return cuda_end(error);
}

STREAM_CALL(cudaStreamGetPriority, CudaStream *stream, int *priority) {
  *priority = is_default(stream) ? 0 : stream->priority;
  ANSWER(stream_check(stream));
}

STREAM_CALL(cudaStreamGetFlags, CudaStream *stream, unsigned *flags) {
  *flags = is_default(stream) ? 0 : stream->flags;
  ANSWER(stream_check(stream));
}

STREAM_CALL(cudaStreamGetId, CudaStream *stream, unsigned long long *number) {
  *number = is_default(stream) ? 0 : stream->number;
  ANSWER(stream_check(stream));
}

STREAM_CALL(cudaStreamGetDevice, CudaStream *stream, int *device) {
  *device = 0;
  ANSWER(stream_check(stream));
}

CALL(cudaDeviceGetStreamPriorityRange, int *least, int *most) {
  if (least)
    *least = LEAST_PRIORITY;
  if (most)
    *most = MOST_PRIORITY;
  ANSWER(cudaSuccess);
}

STREAM_CALL(cudaStreamAttachMemAsync, CudaStream *stream, void *at,
            size_t bytes, unsigned flags) {
  (void)at, (void)bytes, (void)flags;
  ANSWER(stream_check(stream));
}

STREAM_CALL(cudaStreamSetAttribute, CudaStream *stream, int attribute,
            const void *value) {
  (void)attribute, (void)value;
  ANSWER(stream_check(stream));
}

// Of the program's: the lock is not held while they run.
STREAM_CALL(cudaStreamAddCallback, CudaStream *stream,
            void (*call)(CudaStream *, CudaError, void *), void *data,
            unsigned flags) {
  UNCAPTURED(stream);
  CudaError error = cuda_begin();
  (void)flags;
  if (!error)
    error = stream_check(stream);
  error = cuda_end(error);
  if (!error)
    call(stream, cudaSuccess, data);
  return error;
}

STREAM_CALL(cudaLaunchHostFunc, CudaStream *stream, void (*call)(void *),
            void *data) {
  GraphNode node = {.kind = NODE_HOST, .host = {call, data}};
  return cuda_submit(stream, &node);
}

// ---------------------------------------------------------------- events ---

static CudaError create_event(CudaEvent **event, unsigned flags) {
  CudaEvent *made = calloc(1, sizeof *made);
  if (!made)
    return cudaErrorMemoryAllocation;
  *made = (CudaEvent){.sign = EVENT_SIGN, .flags = flags};
  *event = made;
  return cudaSuccess;
}

CALL(cudaEventCreate, CudaEvent **event) { ANSWER(create_event(event, 0)); }

CALL(cudaEventCreateWithFlags, CudaEvent **event, unsigned flags) {
  ANSWER(create_event(event, flags));
}

CALL(cudaEventDestroy, CudaEvent *event) {
  CudaError error = cuda_begin();
  if (!error)
    error = event_check(event);
  if (!error) {
    event->sign = 0;
    free(event);
  }
  return cuda_end(error);
}

void event_happens(CudaEvent *event) {
  event->time = clock_seconds();
  event->capture = (Capture){0};
}

static CudaError record(CudaEvent *event, CudaStream *stream) {
  CudaError error = event_check(event);
  if (!error)
    error = stream_check(stream);
  if (!error && !capture_record(stream, event))
    event_happens(event);
  return error;
}

STREAM_CALL(cudaEventRecord, CudaEvent *event, CudaStream *stream) {
  ANSWER(record(event, stream));
}

STREAM_CALL(cudaEventRecordWithFlags, CudaEvent *event, CudaStream *stream,
            unsigned flags) {
  (void)flags;
  ANSWER(record(event, stream));
}

CALL(cudaEventSynchronize, CudaEvent *event) { ANSWER(event_check(event)); }
CALL(cudaEventQuery, CudaEvent *event) { ANSWER(event_check(event)); }

static CudaError elapsed(float *milliseconds, const CudaEvent *start,
                         const CudaEvent *end) {
  if (event_check(start) || event_check(end) || start->time == 0 ||
      end->time == 0 || (start->flags | end->flags) & EVENT_WITHOUT_TIME)
    return cudaErrorInvalidResourceHandle;
  *milliseconds = (float)((end->time - start->time) * 1000);
  return cudaSuccess;
}

CALL(cudaEventElapsedTime, float *milliseconds, CudaEvent *start,
     CudaEvent *end) {
  ANSWER(elapsed(milliseconds, start, end));
}

CALL(cudaEventElapsedTime_v2, float *milliseconds, CudaEvent *start,
     CudaEvent *end) {
  ANSWER(elapsed(milliseconds, start, end));
}
