#include "harness/output_files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <ostream>
#include <streambuf>
#include <string>
#include <utility>
#include <vector>

#include "common/messages.hpp"
#include "harness/files.hpp"

namespace harness {

namespace {

using detail::fail;

// The one temporary file that is being written, or "": for exit() and for signals, which unwind
// nothing.
char temporary_file[PATH_MAX] = "";

void remove_temporary_file() {
    if (temporary_file[0] != '\0') {
        static_cast<void>(::unlink(temporary_file));
        temporary_file[0] = '\0';
    }
}

void remove_temporary_file_and_end(int signal) {
    remove_temporary_file();
    std::signal(signal, SIG_DFL);
    std::raise(signal);  // ends the program when this handler returns
}

// While it lives, a signal that ends the program removes the temporary file first. A signal that
// is ignored, as SIGHUP under nohup, stays so.
class RemovedBySignals {
  public:
    RemovedBySignals() {
        for (std::size_t i = 0; i < signals.size(); ++i) {
            ::sigaction(signals[i], nullptr, &old_actions_[i]);
            if (old_actions_[i].sa_handler == SIG_DFL) {
                std::signal(signals[i], remove_temporary_file_and_end);
            }
        }
    }
    ~RemovedBySignals() {
        for (std::size_t i = 0; i < signals.size(); ++i) {
            ::sigaction(signals[i], &old_actions_[i], nullptr);
        }
    }
    RemovedBySignals(const RemovedBySignals&) = delete;
    RemovedBySignals& operator=(const RemovedBySignals&) = delete;

  private:
    static constexpr std::array<int, 8> signals{SIGHUP,  SIGINT,  SIGQUIT, SIGABRT,
                                                SIGPIPE, SIGTERM, SIGXCPU, SIGXFSZ};
    std::array<struct sigaction, signals.size()> old_actions_{};
};

// A new file beside `place`, removed at the end unless it has taken that place.
class TemporaryFile {
  public:
    TemporaryFile(const std::string& path, const Place& place) : path_(path), place_(place) {
        static const bool removed_at_exit = std::atexit(remove_temporary_file) == 0 &&
                                            std::at_quick_exit(remove_temporary_file) == 0;
        static_cast<void>(removed_at_exit);
        const std::filesystem::path file(place.file);
        if (file.filename().empty()) {
            fail(path, "names a directory, expected a file");
        }
        // A name has at most 255 bytes, so that of the temporary file may not be the longer one.
        const std::string name = file.filename().string().substr(0, 100) + ".partial-XXXXXX";
        const std::string whole_name = (file.parent_path() / name).string();
        if (whole_name.size() >= sizeof temporary_file) {
            fail(path, "cannot be created", ENAMETOOLONG);
        }
        std::copy_n(whole_name.c_str(), whole_name.size() + 1, temporary_file);
        descriptor_ = ::mkostemp(temporary_file, O_CLOEXEC);
        if (descriptor_ < 0) {
            const int error = errno;
            temporary_file[0] = '\0';
            fail(path, "cannot be created", error);
        }
    }
    ~TemporaryFile() {
        if (descriptor_ >= 0) {
            ::close(descriptor_);
        }
        remove_temporary_file();
    }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    int descriptor() const { return descriptor_; }

    // Takes the place, with the mode and, where that is allowed, the owner of the old file.
    void replace() {
        const mode_t mask = ::umask(0);
        ::umask(mask);
        mode_t mode = 0666 & ~mask;
        if (place_.exists) {
            mode = place_.status.st_mode & 07777;
            if (::fchown(descriptor_, place_.status.st_uid, place_.status.st_gid) != 0) {
                mode &= 0777;  // the owner is another one: no set-user-ID for that
            }
        }
        const bool written = ::fchmod(descriptor_, mode) == 0;
        if (::close(std::exchange(descriptor_, -1)) != 0 || !written) {
            fail(path_, "cannot be written", errno);
        }
        if (std::rename(temporary_file, place_.file.c_str()) != 0) {
            fail(path_, "cannot be replaced", errno);
        }
        temporary_file[0] = '\0';
    }

  private:
    std::string path_;
    Place place_;
    RemovedBySignals removed_by_signals_;
    int descriptor_ = -1;
};

// Writes to a descriptor; an error is a FileError that names `path`.
class OutputBuffer : public std::streambuf {
  public:
    OutputBuffer(const std::string& path, int descriptor) : path_(path), descriptor_(descriptor) {
        setp(buffer_.data(), buffer_.data() + buffer_.size());
    }

  protected:
    int_type overflow(int_type next) override {
        sync();
        if (next != traits_type::eof()) {
            *pptr() = traits_type::to_char_type(next);
            pbump(1);
        }
        return traits_type::not_eof(next);
    }
    int sync() override {
        for (const char* rest = pbase(); rest < pptr();) {
            const ssize_t written =
                ::write(descriptor_, rest, static_cast<std::size_t>(pptr() - rest));
            if (written < 0 && errno != EINTR) {
                fail(path_, "cannot be written", errno);
            }
            rest += std::max<ssize_t>(written, 0);
        }
        setp(buffer_.data(), buffer_.data() + buffer_.size());
        return 0;
    }

  private:
    std::string path_;
    int descriptor_;
    std::vector<char> buffer_ = std::vector<char>(1 << 16);
};

void write_to(int descriptor, const std::string& path,
              const std::function<void(std::ostream&)>& write) {
    OutputBuffer buffer(path, descriptor);
    std::ostream out(&buffer);
    out.exceptions(std::ios::badbit);  // pass on what the buffer throws
    write(out);
    out.flush();
}

}  // namespace

Place check_can_create(const std::string& path) {
    const Place place = place_of(path);
    const mode_t mode = place.status.st_mode;
    if (place.exists && S_ISDIR(mode)) {
        detail::fail(path, "is a directory, expected a file");
    }
    if (place.descriptor >= 0) {
        if ((::fcntl(place.descriptor, F_GETFL) & O_ACCMODE) == O_RDONLY) {
            detail::fail(path, "cannot be written", EBADF);
        }
        return place;
    }
    if (place.exists && !S_ISREG(mode) && !S_ISCHR(mode) && !S_ISFIFO(mode)) {
        detail::fail(path, "is a socket or a disk, expected a file");
    }
    if (place.exists && S_ISREG(mode) && (mode & 0222) == 0) {  // root may write, so access() is 0
        detail::fail(path, "is read-only; expected a file that may be replaced");
    }
    if (place.exists && ::access(place.file.c_str(), W_OK) != 0) {
        detail::fail(path, "cannot be written", errno);
    }
    if (place.replaced()) {
        const TemporaryFile trial(path, place);
    }
    return place;
}

void write_file(const std::string& path, const std::function<void(std::ostream&)>& write) {
    const Place place = check_can_create(path);
    if (place.descriptor >= 0 || !place.replaced()) {
        std::fflush(stdout);
        const detail::Descriptor file(place.descriptor >= 0
                                          ? ::fcntl(place.descriptor, F_DUPFD_CLOEXEC, 0)
                                          : ::open(place.file.c_str(), O_WRONLY | O_CLOEXEC));
        if (file.number() < 0) {
            detail::fail(path, "cannot be opened", errno);
        }
        write_to(file.number(), path, write);
        return;
    }
    TemporaryFile temporary(path, place);
    write_to(temporary.descriptor(), path, write);
    temporary.replace();
    if (place.exists && place.status.st_nlink > 1) {
        std::fprintf(stderr, "note: %s had other names (hard links); they keep the old content\n",
                     common::visible(path).c_str());
    }
}

}  // namespace harness
