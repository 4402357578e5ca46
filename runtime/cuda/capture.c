// Capture: what is submitted to a stream becomes a graph instead of being done.
//
// A captured stream knows the last nodes that it has submitted; the next comes
// after them.  An event that is recorded in it stands for them, and a stream
// that waits for the event goes on from there and is captured, too, until the
// first one's capture ends.

#include "runtime/cuda/cuda.h"

#include <stdlib.h>

static bool is_named(const CudaStream *stream) { return (uintptr_t)stream > 2; }

bool cuda_is_captured(const CudaStream *stream) {
  return is_named(stream) && !stream_check(stream) && stream->capture.graph;
}

// ------------------------------------------------------------------ submit ---

static CudaError capture(CudaStream *stream, const GraphNode *node) {
  Capture *at = &stream->capture;
  GraphNode *made = NULL;
  CudaError error =
      work_add(at->graph, node, at->last.at, at->last.count, &made);
  if (error)
    return error;
  at->last = (GraphNodes){0};
  push(&at->graph->arena, &at->last, made);
  return cudaSuccess;
}

CudaError cuda_submit(CudaStream *stream, const GraphNode *node) {
  CudaError error = cuda_begin();
  bool is_captured = !error && cuda_is_captured(stream);
  if (!error)
    error = stream_check(stream);
  if (!error && is_captured)
    error = stream->capture.graph->is_invalid
                ? cudaErrorStreamCaptureInvalidated
                : capture(stream, node);
  cuda_end(error);
  return error || is_captured ? error : work_execute(node);
}

// ------------------------------------------------------------------ events ---

static void add_last(Capture *to, const Capture *from) {
  for (size_t i = 0; i < from->last.count; i++)
    push(&to->graph->arena, &to->last, from->last.at[i]);
}

bool capture_record(CudaStream *stream, CudaEvent *event) {
  if (!cuda_is_captured(stream))
    return false;
  event->capture = (Capture){.graph = stream->capture.graph};
  add_last(&event->capture, &stream->capture);
  return true;
}

bool capture_wait(CudaStream *stream, CudaEvent *event, CudaError *error) {
  const Capture *from = &event->capture;
  if (!from->graph) {
    if (cuda_is_captured(stream))
      *error = cudaErrorStreamCaptureIsolation;
    return false;
  }
  if (!is_named(stream)) {
    *error = cudaErrorStreamCaptureImplicit;
    return false;
  }
  if (!stream->capture.graph)
    stream->capture = (Capture){.graph = from->graph};
  if (stream->capture.graph == from->graph)
    add_last(&stream->capture, from);
  else
    *error = cudaErrorStreamCaptureMerge;
  return true;
}

// --------------------------------------------------------------- begin, end
// ---

static CudaError begin(CudaStream *stream) {
  CudaError error = stream_check(stream);
  if (error)
    return error;
  if (!is_named(stream))
    return cudaErrorStreamCaptureUnsupported;
  if (stream->capture.graph)
    return cudaErrorIllegalState;
  stream->capture = (Capture){.graph = work_new(), .is_origin = true};
  return stream->capture.graph ? cudaSuccess : cudaErrorMemoryAllocation;
}

static void mark(GraphNode *node) {
  if (node->is_marked)
    return;
  node->is_marked = true;
  for (size_t i = 0; i < node->before.count; i++)
    mark(node->before.at[i]);
}

// Has the stream waited for all that others have been given?
static bool is_joined(const CudaStream *stream) {
  const CudaGraph *graph = stream->capture.graph;
  bool is_whole = true;
  for (size_t i = 0; i < graph->nodes.count; i++)
    graph->nodes.at[i]->is_marked = false;
  for (size_t i = 0; i < stream->capture.last.count; i++)
    mark(stream->capture.last.at[i]);
  for (size_t i = 0; i < graph->nodes.count; i++)
    is_whole &= graph->nodes.at[i]->is_marked;
  return is_whole;
}

static CudaError end(CudaStream *stream, CudaGraph **graph) {
  CudaGraph *made = cuda_is_captured(stream) ? stream->capture.graph : NULL;
  if (!made)
    return cudaErrorIllegalState;
  if (!stream->capture.is_origin)
    return cudaErrorStreamCaptureUnmatched;
  CudaError error = made->is_invalid    ? cudaErrorStreamCaptureInvalidated
                    : is_joined(stream) ? cudaSuccess
                                        : cudaErrorStreamCaptureUnjoined;
  for (CudaStream *s = streams; s; s = s->next)
    if (s->capture.graph == made)
      s->capture = (Capture){0};
  *graph = error ? NULL : made;
  return error;
}

STREAM_CALL(cudaStreamBeginCapture, CudaStream *stream, int mode) {
  (void)mode;
  ANSWER(begin(stream));
}

STREAM_CALL(cudaStreamEndCapture, CudaStream *stream, CudaGraph **graph) {
  ANSWER(end(stream, graph));
}

STREAM_CALL(cudaStreamIsCapturing, CudaStream *stream, int *status) {
  *status = cuda_is_captured(stream);
  ANSWER(stream_check(stream));
}

// What stands behind the graph differs between versions, and is left alone.
STREAM_CALL(cudaStreamGetCaptureInfo, CudaStream *stream, int *status,
            unsigned long long *number, CudaGraph **graph) {
  bool is_captured = cuda_is_captured(stream);
  *status = is_captured;
  if (is_captured && number)
    *number = stream->capture.graph->number;
  if (is_captured && graph)
    *graph = stream->capture.graph;
  ANSWER(stream_check(stream));
}

// Ours are all of the mode that forbids least.
CALL(cudaThreadExchangeStreamCaptureMode, int *mode) {
  static _Thread_local int current;
  int before = current;
  current = *mode;
  *mode = before;
  ANSWER(cudaSuccess);
}
