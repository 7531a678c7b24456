// expect: does not compile "missing_graphs.cu:4: error: cudaGraph_t belongs to CUDA graphs, which"

int main() {
    cudaGraph_t graph;
    return cudaGraphCreate(&graph, 0);
}
