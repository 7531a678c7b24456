#include "harness/place.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <filesystem>
#include <string>
#include <system_error>

#include "common/numbers.hpp"
#include "harness/files.hpp"

namespace harness {

namespace {

// The number of the program's own descriptor that `path` names, or -1.
int own_descriptor(const std::filesystem::path& path) {
    std::error_code error;
    const std::filesystem::path folder = std::filesystem::canonical(path.parent_path(), error);
    if (error || folder != "/proc/" + std::to_string(::getpid()) + "/fd") {
        return -1;
    }
    const auto number = common::whole_number(path.filename().string());
    return number && *number < INT_MAX ? static_cast<int>(*number) : -1;
}

}  // namespace

Place place_of(const std::string& path) {
    Place place;
    std::filesystem::path file = path;
    for (int links = 0; links < 40; ++links) {
        place.descriptor = own_descriptor(file);
        if (place.descriptor >= 0) {
            place.exists = ::fstat(place.descriptor, &place.status) == 0;
            if (!place.exists) {
                detail::fail(path, "cannot be opened", errno);
            }
            return place;
        }
        place.exists = ::lstat(file.c_str(), &place.status) == 0;
        if (!place.exists && errno != ENOENT) {
            detail::fail(path, "cannot be created", errno);
        }
        if (!place.exists || !S_ISLNK(place.status.st_mode)) {
            place.file = file.string();
            return place;
        }
        std::error_code error;
        const std::filesystem::path target = std::filesystem::read_symlink(file, error);
        if (error) {
            detail::fail(path, "cannot be read", error.value());
        }
        file = target.is_absolute() ? target : file.parent_path() / target;
    }
    detail::fail(path, "cannot be created", ELOOP);
}

bool same_file(const std::string& path, const std::string& other) {
    struct stat status {};
    struct stat other_status {};
    const bool exists = ::stat(path.c_str(), &status) == 0;
    if (exists != (::stat(other.c_str(), &other_status) == 0)) {
        return false;
    }
    if (exists) {
        return S_ISREG(status.st_mode) && status.st_dev == other_status.st_dev &&
               status.st_ino == other_status.st_ino;
    }
    const auto whole_name = [](const std::string& name) -> std::filesystem::path {
        try {
            std::error_code error;
            const std::filesystem::path file = std::filesystem::absolute(place_of(name).file);
            return std::filesystem::weakly_canonical(file, error);
        } catch (const FileError&) {
            return {};  // no file can have this name
        }
    };
    const std::filesystem::path name = whole_name(path);
    return !name.empty() && name == whole_name(other);
}

}  // namespace harness
