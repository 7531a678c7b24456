#include "race/tree_path.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <type_traits>
#include <utility>

#include "race/places.hpp"

namespace cpu_device::race {
namespace {

// Writes values one after another, or reads them: one list of fields serves both.
class Archive {
  public:
    Archive() = default;
    explicit Archive(std::string bytes) : bytes_(std::move(bytes)), reads_(true) {}

    const std::string& bytes() const { return bytes_; }

    template <typename... Values>
    void all(Values&... values) {
        (one(values), ...);
    }
    template <typename Value, typename Member>
    void list(std::vector<Value>& values, Member member) {
        std::size_t size = values.size();
        one(size);
        values.resize(size);
        for (Value& value : values) {
            member(value);
        }
    }
    void names(std::map<const void*, std::string>& known) {
        std::vector<std::pair<const void*, std::string>> list_of(known.begin(), known.end());
        list(list_of, [this](auto& entry) { all(entry.first, entry.second); });
        known.insert(list_of.begin(), list_of.end());
    }

  private:
    template <typename Value, std::enable_if_t<std::is_trivially_copyable_v<Value>, int> = 0>
    void one(Value& value) {
        if (reads_) {
            std::memcpy(&value, bytes_.data() + at_, sizeof value);
            at_ += sizeof value;
        } else {
            bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
        }
    }
    void one(std::string& text) {
        std::size_t size = text.size();
        one(size);
        if (reads_) {
            text = bytes_.substr(at_, size);
            at_ += size;
        } else {
            bytes_ += text;
        }
    }
    void one(const char*& text) {  // which lives as long as the program
        static std::set<std::string>& kept = *new std::set<std::string>;
        bool is_there = text != nullptr;
        one(is_there);
        std::string copy = is_there && !reads_ ? text : "";
        one(copy);
        text = is_there ? kept.insert(copy).first->c_str() : nullptr;
    }

    std::string bytes_;
    std::size_t at_ = 0;
    bool reads_ = false;
};

void exchange(Archive& archive, TreePath& path) {
    archive.list(path.lists.launches, [&](TraceLaunch& launch) {
        archive.all(launch.kernel, launch.place, launch.grid, launch.block);
    });
    archive.list(path.lists.threads, [&](TraceThread& thread) {
        archive.all(thread.kind, thread.name, thread.launch, thread.block, thread.thread);
    });
    archive.list(path.lists.words, [&](TraceWord& word) {
        archive.all(word.name, word.what, word.memory, word.bytes, word.type, word.begin,
                    word.owner);
    });
    archive.list(path.steps, [&](TraceStep& step) {
        archive.all(step.thread, step.kind, step.place, step.called_from, step.function, step.order,
                    step.scope, step.is_volatile, step.word, step.reads, step.is_stale, step.fault,
                    step.meeting, step.launch, step.count, step.times, step.id, step.found,
                    step.left, step.earlier, step.first_byte, step.bytes);
        archive.list(step.edges, [&](TraceEdge& edge) { archive.all(edge.from, edge.kind); });
    });
    archive.list(path.waiting, [&](std::size_t& thread) { archive.all(thread); });
    archive.names(known_lines());
    archive.names(known_variables());
}

}  // namespace

void hand_over(int file, TreePath path) {
    Archive archive;
    exchange(archive, path);
    const std::string& bytes = archive.bytes();
    if (ftruncate(file, 0) != 0 ||
        pwrite(file, bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
        _exit(1);
    }
}

bool take_over(int file, TreePath& path) {
    struct stat state {};
    std::string bytes;
    if (fstat(file, &state) == 0) {
        bytes.resize(static_cast<std::size_t>(state.st_size));
    }
    if (bytes.empty() ||
        pread(file, bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
        return false;
    }
    Archive archive(std::move(bytes));
    path = {};
    exchange(archive, path);
    return ftruncate(file, 0) == 0;
}

}  // namespace cpu_device::race
