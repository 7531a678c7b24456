#!/usr/bin/env bash
# What a learner types first, one of each: a file of one's own by scripts/run and scripts/race, an
# exercise by scripts/learn. The verdict and the status must be those of the program; the thorough
# tests go further.
source "$(dirname "${BASH_SOURCE[0]}")/expect.sh" "$(dirname "${BASH_SOURCE[0]}")/../scripts/run"
unset PRESET

cat >own.cu <<'END_OF_SOURCE'
#include <cstdio>
#include <cstdlib>
#include <vector>
__global__ void add_one(int* d_sum) { *d_sum += 1; }
__global__ void put(int* d_x) { d_x[0] = blockIdx.x; }
__global__ void add_atomically(int* d_sum) { atomicAdd(d_sum, 1); }
int main(int count, char** arguments) {
    int* d_sum;
    int sum = 0;
    cudaMalloc(&d_sum, sizeof(int));
    cudaMemcpy(d_sum, &sum, sizeof(int), cudaMemcpyHostToDevice);
    switch (count > 1 ? arguments[1][0] : ' ') {
        case 'r': add_one<<<2, 32>>>(d_sum); break;
        case 'w': put<<<2, 1>>>(d_sum); break;
        default: add_atomically<<<2, 32>>>(d_sum);
    }
    cudaMemcpy(&sum, d_sum, sizeof(int), cudaMemcpyDeviceToHost);
    do {
        std::printf("sum %d\n", sum);
    } while (count > 3);  // without end
    return count > 2 ? std::atoi(arguments[2]) : 0;
}
END_OF_SOURCE
expect 0 '^sum 64$' --cpu own.cu
expect 7 '^sum 64$' --cpu own.cu a 7
timeout 60 "$program" --cpu own.cu a 0 on 2>/dev/null | head -n 1 >output
[ "${PIPESTATUS[0]} $(cat output)" = "141 sum 64" ] ||
    fail "a program in a pipe that head closes does not end by SIGPIPE: $(cat output)"
printf 'int main() { return nothing; }\n' >broken.cu
expect 1 "broken.cu:1:.*nothing" --cpu broken.cu

program=$root/scripts/race
expect 0 'no race in 3 runs' --seeds 3 own.cu
expect 66 'Reading, changing and writing the word are three steps' --seeds 3 own.cu r
expect 66 'DATA RACE in kernel put' --seeds 3 own.cu w
for words in "Both write, so in any order one value is lost: if both are wanted, the index is at fault" \
    "If one is wanted, let one thread write."; do
    tr -s '\n ' ' ' <output | grep -qF "$words" || fail "no '$words': $(cat output)"
done

# An exercise: what is given fails, a wrong answer fails for its reason, ours is right, and a file
# that ends the check is none.
program=$root/scripts/learn
learn() { expect "$1" "$2" --in mine check 1; }
exercise=$(cd "$root/exercises" && echo 01_*)
solution=$root/exercises/$exercise/solution.cu file=mine/$exercise.cu
learn 1 'The hole ____ is still there'
sed 's/blockIdx.x \* blockDim.x + threadIdx.x/n - 1 - &/' "$solution" >"$file"
learn 1 'NO$'
grep -q 'Solved' output && fail "a wrong answer is called solved"
sed 's/^void launch_.*/&\n    std::exit(0);/; 1i #include <cstdlib>' "$solution" >"$file"
learn 1 'NO$'
grep -q 'Solved' output && fail "a file that ends the check is called solved"
expect 0 '^0 of' --in mine list
cp "$solution" "$file"
learn 0 'Solved\. \('
expect 0 '^1 of' --in mine list
say_and_exit
