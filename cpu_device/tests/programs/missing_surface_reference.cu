// expect: does not compile "missing_surface_reference.cu:2: error: surface belongs to surface"
surface<void, 2> image;

__global__ void k() {
    surf2Dwrite(1.0f, image, threadIdx.x * 4, 0);
}

int main() {}
