// What kind of a program a variant is, and where it belongs.
#pragma once

namespace harness {

enum class Kind {
    right,           // every check must hold
    library,         // as right; the code is a library's, for comparison
    wrong_result,    // wrong on every run: its check must fail
    race,            // wrong by a data race: may look right on any run
    unsynchronized,  // as race: accesses that nothing puts in order (a missing fence or barrier)
    deadlock,        // wrong: its threads never end, so it runs only where that is noticed
    no_access,       // wrong: its kernel fails, as it uses memory that its GPU may not use
};

inline bool is_right(Kind kind) {
    return kind == Kind::right || kind == Kind::library;
}

inline const char* name_of(Kind kind) {
    switch (kind) {
        case Kind::right:
            return "right";
        case Kind::library:
            return "library";
        case Kind::wrong_result:
            return "wrong_result";
        case Kind::race:
            return "race";
        case Kind::unsynchronized:
            return "unsynchronized";
        case Kind::deadlock:
            return "deadlock";
        case Kind::no_access:
            return "no_access";
    }
    return "";
}

// Where a variant belongs: to the lesson, which every run shows, or to the record of what makes it
// fast (the chapter's folder fast/, or more/), which --all shows too.
enum class Level { lesson, record };

inline const char* name_of(Level level) {
    return level == Level::lesson ? "lesson" : "record";
}

}  // namespace harness
