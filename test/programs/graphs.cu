// Graphs: captured from two streams, made by hand with the edges last, changed
// after they were made ready, one in another; memory that a graph takes.
//
// args:     --detect=races
// prints:   graphs: 0 wrong
// verdict:  passed
// bug 1:    out-of-bounds   memory of a graph is used after the graph gave it
// bug 2:    racy            a kernel of a graph races

#include <stdio.h>

__global__ void add(int *data, int by) { data[threadIdx.x] += by; }
__global__ void multiply(int *data, int by) { data[threadIdx.x] *= by; }
__global__ void sum(int *to, const int *from) {
  if (BUG == 2)
    *to += from[threadIdx.x]; // says 2: race
  else
    atomicAdd(to, from[threadIdx.x]);
}
__global__ void put(int *to, int value) { to[threadIdx.x] = value; } // says 1: write

static int wrong, calls;

static void expect(const char *what, int got, int wanted) {
  if (got == wanted)
    return;
  printf("%s: %d, not %d\n", what, got, wanted);
  wrong++;
}

static void called(void *data) { calls += *(int *)data; }

static void check_captured(int *data, int *total) {
  static int three = 3;
  cudaStream_t first, second;
  cudaEvent_t fork, join;
  cudaGraph_t graph;
  cudaGraphExec_t ready;
  size_t count = 0;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  cudaEventCreate(&fork);
  cudaEventCreate(&join);
  cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal);
  cudaMemsetAsync(data, 0, 32 * sizeof *data, first);
  cudaEventRecord(fork, first);
  cudaStreamWaitEvent(second, fork, 0);
  for (int by = 1; by <= 2; by++)
    add<<<1, 32, 0, second>>>(data, by); // each with its own argument
  cudaEventRecord(join, second);
  cudaStreamWaitEvent(first, join, 0);
  sum<<<1, 32, 0, first>>>(total, data);
  cudaLaunchHostFunc(first, called, &three);
  cudaStreamEndCapture(first, &graph);
  expect("before", *total + calls, 0);
  cudaGraphGetNodes(graph, 0, &count);
  expect("nodes", count, 5);
  cudaGraphInstantiate(&ready, graph, 0);
  cudaGraphDestroy(graph);
  for (int i = 0; i < 2; i++)
    cudaGraphLaunch(ready, first);
  cudaStreamSynchronize(first);
  expect("calls", calls, 6);
  expect("captured", *total, BUG == 2 ? *total : 2 * 32 * 3);
  cudaGraphExecDestroy(ready);
}

static void check_waited_for() {
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaStreamCreate(&stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  expect("waiting", cudaStreamSynchronize(stream), 900);
  expect("lost", cudaStreamEndCapture(stream, &graph), 901);
  expect("no graph", graph == 0, 1);
  cudaGetLastError();
}

static void check_unjoined(int *data) {
  cudaStream_t first, second;
  cudaEvent_t fork;
  cudaGraph_t graph;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  cudaEventCreate(&fork);
  cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal);
  cudaEventRecord(fork, first);
  cudaStreamWaitEvent(second, fork, 0);
  add<<<1, 32, 0, second>>>(data, 1);
  expect("unjoined", cudaStreamEndCapture(first, &graph), 904);
  cudaGetLastError();
}

static cudaGraphNode_t kernel_node(cudaGraph_t graph, void *kernel, int *data,
                                   int *by) {
  cudaGraphNode_t node;
  void *arguments[] = {&data, by};
  cudaKernelNodeParams what = {kernel, dim3(1), dim3(32), 0, arguments, 0};
  cudaGraphAddKernelNode(&node, graph, 0, 0, &what);
  return node;
}

static void check_made(int *data) {
  int two = 2, five = 5, seven = 7, back[32];
  cudaGraph_t graph, outer;
  cudaGraphExec_t ready;
  cudaGraphNode_t clear, child, from[2], to[2], copy;
  cudaMemsetParams zero = {data, 0, 0x01020304, 4, 32, 1};
  cudaGraphCreate(&graph, 0);
  // The order of making is not that of doing.
  to[1] = kernel_node(graph, (void *)multiply, data, &two);
  from[1] = kernel_node(graph, (void *)add, data, &five);
  cudaGraphAddMemsetNode(&clear, graph, 0, 0, &zero);
  from[0] = clear;
  to[0] = from[1];
#if CUDART_VERSION >= 13000
  cudaGraphAddDependencies(graph, from, to, 0, 2);
#else
  cudaGraphAddDependencies(graph, from, to, 2);
#endif
  cudaGraphCreate(&outer, 0);
  cudaGraphAddChildGraphNode(&child, outer, 0, 0, graph);
  cudaGraphAddMemcpyNode1D(&copy, outer, &child, 1, back, data, sizeof back,
                           cudaMemcpyDeviceToHost);
  cudaGraphInstantiate(&ready, outer, 0);
  cudaGraphLaunch(ready, 0);
  expect("made", back[31], 2 * (0x01020304 + 5));
  cudaGraphInstantiate(&ready, graph, 0);
  void *arguments[] = {&data, &seven};
  cudaKernelNodeParams what = {(void *)add, dim3(1), dim3(16), 0, arguments, 0};
  cudaGraphExecKernelNodeSetParams(ready, from[1], &what);
  cudaGraphLaunch(ready, 0);
  cudaDeviceSynchronize();
  expect("changed", data[15], 2 * (0x01020304 + 7));
  expect("not changed", data[16], 2 * 0x01020304);
}

static void check_memory(int *data) {
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t ready;
  int *memory = 0;
  cudaStreamCreate(&stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  cudaMallocAsync((void **)&memory, 32 * sizeof *memory, stream);
  put<<<1, 32, 0, stream>>>(memory, 9);
  cudaMemcpyAsync(data, memory, 32 * sizeof *data, cudaMemcpyDefault, stream);
  cudaFreeAsync(memory, stream);
  if (BUG == 1)
    put<<<1, 32, 0, stream>>>(memory, 9);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&ready, graph, 0);
  for (int i = 0; i < 2; i++) {
    data[31] = 0;
    cudaGraphLaunch(ready, stream);
    cudaStreamSynchronize(stream);
    expect("memory", data[31], 9);
  }
}

int main() {
  int *data, *total;
  cudaMallocManaged((void **)&data, 32 * sizeof *data);
  cudaMallocManaged((void **)&total, sizeof *total);
  check_captured(data, total);
  check_waited_for();
  check_unjoined(data);
  check_made(data);
  check_memory(data);
  printf("graphs: %d wrong\n", wrong);
  return 0;
}
