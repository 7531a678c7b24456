// A place in the source: a file and a line, or (line 0) the address of an instruction.
#pragma once

namespace cpu_device::race {

struct Where {
    const void* at;
    int line;
    bool operator==(const Where& other) const { return at == other.at && line == other.line; }
};

}  // namespace cpu_device::race
