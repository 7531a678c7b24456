#include "race/places.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <map>
#include <vector>

namespace cpu_device::race {

// Names files from the directory that the program runs in.
std::string relative(std::string text) {
    char directory[4096];
    if (getcwd(directory, sizeof directory) != nullptr) {
        const std::string prefix = std::string(directory) + "/";
        for (std::size_t at = 0; (at = text.find(prefix, at)) != std::string::npos;) {
            text.erase(at, prefix.size());
        }
    }
    return text;
}

std::map<const void*, std::string>& known_lines() {
    static std::map<const void*, std::string>& known = *new std::map<const void*, std::string>;
    return known;
}

std::map<const void*, std::string>& known_variables() {
    static std::map<const void*, std::string>& known = *new std::map<const void*, std::string>;
    return known;
}

namespace {

// This program's file for another process, whatever its path. (/proc/PID/exe would be the
// emulator's file under qemu-user.)
std::string program_file() {
    static const int program = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    return "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(program);
}

// Asks a tool of the compiler's about this program's file, which the shell calls $1. Nothing comes
// if there is no such tool.
template <typename Line>
void ask(const std::string& command, Line line) {
    const std::string name = "set -- " + program_file() + "; ";
    if (std::FILE* const pipe = popen((name + command + " 2>/dev/null").c_str(), "r")) {
        char text[5000];
        while (std::fgets(text, sizeof text, pipe) != nullptr) {
            line(text);
        }
        pclose(pipe);
    }
}

// An address as the program's file knows it; 0 if it is that of a library.
std::size_t address_in_file(const void* address) {
    Dl_info object{}, program{};
    dladdr(reinterpret_cast<const void*>(&address_in_file), &program);
    if (dladdr(address, &object) == 0 || object.dli_fbase != program.dli_fbase) {
        return 0;
    }
    return static_cast<std::size_t>(static_cast<const char*>(address) -
                                    static_cast<const char*>(object.dli_fbase));
}

// addr2line takes longer to start than to answer. So one serves the whole program: it reads
// addresses and answers each with a line, until this end of the connection is closed. It is no
// child of this process, which may wait for all of its own to end. A process that has been forked
// starts one for itself.
class LineServer {
  public:
    // Calls line(text) for each of the addresses, or for fewer where there is no such tool.
    template <typename Line>
    void ask(const std::string& addresses, std::size_t count, Line line) {
        if (process_ != getpid()) {
            start();
        }
        if (answers_ == nullptr) {
            return;
        }
        bool is_whole = send(fileno(answers_), addresses.data(), addresses.size(), MSG_NOSIGNAL) ==
                        static_cast<ssize_t>(addresses.size());
        char text[5000];
        for (; is_whole && count > 0; --count) {
            is_whole = std::fgets(text, sizeof text, answers_) != nullptr &&
                       std::strchr(text, '\n') != nullptr;
            if (is_whole) {
                line(text);
            }
        }
        if (!is_whole) {  // no later question may get what is left of this answer
            process_ = 0;
        }
    }

  private:
    void start() {
        if (answers_ != nullptr) {
            std::fclose(answers_);
            answers_ = nullptr;
        }
        process_ = getpid();
        int ends[2];
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
            return;
        }
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
#if __GLIBC_PREREQ(2, 34)  // else a pipe of the program would stay open
        posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
#endif
        // What a shell starts with & reads nothing, unless it is told to. It goes on without it.
        std::string arguments[] = {"sh", "-c", "exec 3<&0; addr2line -e \"$1\" <&3 3<&- &", "sh",
                                   program_file()};
        char* words[] = {arguments[0].data(), arguments[1].data(), arguments[2].data(),
                         arguments[3].data(), arguments[4].data(), nullptr};
        pid_t shell = 0;
        if (posix_spawn(&shell, "/bin/sh", &actions, nullptr, words, environ) == 0) {
            waitpid(shell, nullptr, 0);
        }
        posix_spawn_file_actions_destroy(&actions);
        close(ends[1]);
        answers_ = fdopen(ends[0], "r");
    }

    pid_t process_ = 0;
    std::FILE* answers_ = nullptr;
};

// The lines of some instructions; the address where the line is not known. They are asked for
// together.
std::vector<std::string> lines_of(const void* const* code, int codes) {
    std::map<const void*, std::string>& known = known_lines();
    std::string addresses;
    std::vector<std::string*> asked;
    for (int i = 0; i < codes; ++i) {
        char address[32];
        std::snprintf(address, sizeof address, "%p", code[i]);
        const auto [place, is_new] = known.emplace(code[i], address);
        if (is_new) {
            // The address is that after the call, which may belong to the next line.
            std::snprintf(address, sizeof address, "0x%zx\n",
                          address_in_file(static_cast<const char*>(code[i]) - 1));
            addresses += address;
            asked.push_back(&place->second);
        }
    }
    if (!asked.empty()) {
        static LineServer& server = *new LineServer;
        auto place = asked.begin();
        server.ask(addresses, asked.size(), [&](const char* line) {
            if (std::strchr(line, '?') == nullptr && std::strchr(line, ':') != nullptr) {
                const std::string found(line, std::strcspn(line, "\n"));
                **place = relative(found.substr(0, found.find(" (discriminator")));
            }
            ++place;
        });
    }
    std::vector<std::string> lines;
    std::transform(code, code + codes, std::back_inserter(lines),
                   [&](const void* one) { return known[one]; });
    return lines;
}

}  // namespace

// Is this place in the program, and not in the runtime or in a library? The runtime is what lies in
// the folder above this file's, but for its tests.
bool is_of_the_program(const std::string& place) {
    static const std::string& runtime = *new std::string([] {
        const std::string file = relative(__FILE__);
        return file.substr(0, file.rfind('/', file.rfind('/') - 1) + 1);
    }());
    const bool of_the_runtime = place.compare(0, runtime.size(), runtime) == 0 &&
                                place.compare(runtime.size(), std::strlen("tests/"), "tests/") != 0;
    const bool is_known =
        place.find(':') != std::string::npos;  // else an address: built without -g
    const bool of_a_library =
        place.compare(0, 5, "/usr/") == 0 || place.find("/include/c++/") != std::string::npos;
    return is_known && !of_the_runtime && !of_a_library;
}

std::vector<std::string> lines_in_program(const void* const* code, unsigned depth) {
    std::vector<std::string> lines = lines_of(code, static_cast<int>(depth));
    lines.erase(std::remove_if(lines.begin(), lines.end(),
                               [](const std::string& line) { return !is_of_the_program(line); }),
                lines.end());
    return lines;
}

void look_up(const std::vector<const void*>& code) {
    constexpr std::size_t at_once = 500;  // as many as a connection holds, and their answers
    for (std::size_t begin = 0; begin < code.size(); begin += at_once) {
        lines_of(code.data() + begin, static_cast<int>(std::min(at_once, code.size() - begin)));
    }
}

std::string place_of(const Where& where) {
    return where.line != 0
               ? relative(static_cast<const char*>(where.at)) + ":" + std::to_string(where.line)
               : lines_of(&where.at, 1).front();
}

// Where the program was: its innermost call, and the call that led there from another file. If the
// innermost one is that of a helper (of a class that owns memory, say), the other says more.
std::string place_of(const Calls& calls) {
    std::string place;
    for (const std::string& caller : lines_of(calls.code, calls.depth)) {
        if (!is_of_the_program(caller)) {
            continue;
        }
        if (place.empty()) {
            place = caller;
        } else if (caller.find(':') != std::string::npos &&
                   place.compare(0, place.rfind(':'), caller, 0, caller.rfind(':')) != 0) {
            return place + ", called from " + caller;
        }
    }
    return place.empty() ? "an unknown place" : place;
}

// The linker names the two ends of a section, where a variable may begin, too.
bool is_end_of_section(const char* name) {
    return std::strncmp(name, "__start_", 8) == 0 || std::strncmp(name, "__stop_", 7) == 0;
}

// The program's variable that holds this address.
std::string variable_at(const void* address) {
    std::string& name = known_variables()[address];
    if (!name.empty()) {
        return name;
    }
    name = "a variable of the program";
    std::size_t nearest = 0;
    const std::size_t wanted = address_in_file(address);
    ask("nm -C $1", [&](const char* line) {
        std::size_t begin = 0;
        int name_at = 0;
        if (std::sscanf(line, "%zx %*c %n", &begin, &name_at) == 1 && name_at > 0 &&
            begin <= wanted && begin > nearest && !is_end_of_section(line + name_at)) {
            nearest = begin;
            name = std::string("the variable ") + (line + name_at);
            name.erase(name.find_last_not_of('\n') + 1);
            if (name == "the variable cooperative_groups::details::grid_rounds") {
                name = barrier_of_grid;
            }
        }
    });
    return name;
}

// The line itself, with its bar; nothing if it cannot be read.
std::string source_line(const std::string& place) {
    const std::size_t colon = place.rfind(':');
    if (colon == std::string::npos) {
        return "";
    }
    std::string line;
    if (std::FILE* const file = std::fopen(place.substr(0, colon).c_str(), "r")) {
        int left = std::atoi(place.c_str() + colon + 1);
        for (int c = std::fgetc(file); c != EOF && left > 0; c = std::fgetc(file)) {
            if (left == 1 && c != '\n' && c != '\r') {
                line += static_cast<char>(c == '\t' ? ' ' : c);
            }
            left -= c == '\n';
        }
        std::fclose(file);
    }
    line.erase(0, line.find_first_not_of(' '));
    return line.empty() ? "" : "      | " + line + "\n";
}

}  // namespace cpu_device::race
