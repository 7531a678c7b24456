// expect: does not compile "missing_surfaces.cu:2: error: cudaSurfaceObject_t belongs to surfaces"
__global__ void k(cudaSurfaceObject_t surface) {
    surf2Dwrite(1.0f, surface, threadIdx.x * 4, 0);
}

int main() {}
