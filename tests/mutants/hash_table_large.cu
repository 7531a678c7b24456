// Those of hash_table that need many keys, for scripts/mutate: see probe.cuh. The splices have
// blocks of 1024 threads with four keys each, and a part of the table in parts takes 20,000 pairs.
#include <string>

#include "hash_table/hash_table_variants.cuh"
#include "tests/mutants/probe.cuh"

namespace {

std::vector<Variant<HashProblem>> whose_name_has(const std::string& text) {
    std::vector<Variant<HashProblem>> found;
    for (const Variant<HashProblem>& variant : hash_variants()) {
        if (variant.name.find(text) != std::string::npos) {
            found.push_back(variant);
        }
    }
    return found;
}

}  // namespace

int main() {
    probe(whose_name_has("splice"), {{4 * splice_block_size + 51, 64}}, [](ProbeSize size) {
        return HashProblem(random_keys(size.n, 1000, 1), 7, size.block_size, {}, 0);
    });
    probe(whose_name_has("parts"), {{34000, 64}}, [](ProbeSize size) {
        return HashProblem(random_keys(size.n, 0, 1), 7, size.block_size, random_keys(20000, 0, 2),
                           0);
    });
}
