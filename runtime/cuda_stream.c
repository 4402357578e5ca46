// Streams and events.  All work is done when it is asked for, so a stream has
// nothing but what the program says of it, and an event is a time.

#include "runtime/cuda.h"

#include <stdlib.h>

enum { STREAM_SIGN = 0x5742, EVENT_SIGN = 0x4556 };

struct CudaStream {
  unsigned sign, flags;
  int priority;
  unsigned long long number;
};

struct CudaEvent {
  unsigned sign, flags;
  double time; // 0: not recorded
};

enum { EVENT_WITHOUT_TIME = 2, LEAST_PRIORITY = 0, MOST_PRIORITY = -5 };

// The null stream, and the two that have numbers for names.
static bool is_default(const CudaStream *stream) {
  return (uintptr_t)stream <= 2;
}

static CudaError valid(const CudaStream *stream) {
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
  *made = (CudaStream){STREAM_SIGN, flags, priority, ++number};
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

CALL(cudaStreamDestroy, CudaStream *stream) {
  CudaError error = cuda_begin();
  if (!error && (is_default(stream) || valid(stream)))
    error = cudaErrorInvalidResourceHandle;
  if (!error) {
    stream->sign = 0;
    free(stream);
  }
  return cuda_end(error);
}

STREAM_CALL(cudaStreamSynchronize, CudaStream *stream) {
  ANSWER(valid(stream));
}

STREAM_CALL(cudaStreamQuery, CudaStream *stream) { ANSWER(valid(stream)); }

STREAM_CALL(cudaStreamWaitEvent, CudaStream *stream, CudaEvent *event,
            unsigned flags) {
  (void)flags;
  ANSWER(event ? valid(stream) : cudaErrorInvalidResourceHandle);
}

STREAM_CALL(cudaStreamGetPriority, CudaStream *stream, int *priority) {
  *priority = is_default(stream) ? 0 : stream->priority;
  ANSWER(valid(stream));
}

STREAM_CALL(cudaStreamGetFlags, CudaStream *stream, unsigned *flags) {
  *flags = is_default(stream) ? 0 : stream->flags;
  ANSWER(valid(stream));
}

STREAM_CALL(cudaStreamGetId, CudaStream *stream, unsigned long long *number) {
  *number = is_default(stream) ? 0 : stream->number;
  ANSWER(valid(stream));
}

STREAM_CALL(cudaStreamGetDevice, CudaStream *stream, int *device) {
  *device = 0;
  ANSWER(valid(stream));
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
  ANSWER(valid(stream));
}

STREAM_CALL(cudaStreamSetAttribute, CudaStream *stream, int attribute,
            const void *value) {
  (void)attribute, (void)value;
  ANSWER(valid(stream));
}

STREAM_CALL(cudaStreamIsCapturing, CudaStream *stream, int *status) {
  *status = 0;
  ANSWER(valid(stream));
}

// Of the program's: the lock is not held while they run.
STREAM_CALL(cudaStreamAddCallback, CudaStream *stream,
            void (*call)(CudaStream *, CudaError, void *), void *data,
            unsigned flags) {
  CudaError error = cuda_begin();
  (void)flags;
  if (!error)
    error = valid(stream);
  error = cuda_end(error);
  if (!error)
    call(stream, cudaSuccess, data);
  return error;
}

STREAM_CALL(cudaLaunchHostFunc, CudaStream *stream, void (*call)(void *),
            void *data) {
  CudaError error = cuda_begin();
  if (!error)
    error = valid(stream);
  error = cuda_end(error);
  if (!error)
    call(data);
  return error;
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

static CudaError valid_event(const CudaEvent *event) {
  return event && event->sign == EVENT_SIGN ? cudaSuccess
                                            : cudaErrorInvalidResourceHandle;
}

CALL(cudaEventCreate, CudaEvent **event) { ANSWER(create_event(event, 0)); }

CALL(cudaEventCreateWithFlags, CudaEvent **event, unsigned flags) {
  ANSWER(create_event(event, flags));
}

CALL(cudaEventDestroy, CudaEvent *event) {
  CudaError error = cuda_begin();
  if (!error)
    error = valid_event(event);
  if (!error) {
    event->sign = 0;
    free(event);
  }
  return cuda_end(error);
}

static CudaError record(CudaEvent *event, CudaStream *stream) {
  CudaError error = valid_event(event);
  if (!error)
    error = valid(stream);
  if (!error)
    event->time = clock_seconds();
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

CALL(cudaEventSynchronize, CudaEvent *event) { ANSWER(valid_event(event)); }
CALL(cudaEventQuery, CudaEvent *event) { ANSWER(valid_event(event)); }

static CudaError elapsed(float *milliseconds, const CudaEvent *start,
                         const CudaEvent *end) {
  if (valid_event(start) || valid_event(end) || start->time == 0 ||
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
