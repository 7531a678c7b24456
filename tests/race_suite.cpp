// The suite of race mode, the same for all examples: every right variant is clean and right for
// many orders of turns, and every wrong one is found out for each of some. Which lines race says
// the source itself: they end with the comment `// race: NAME`.
//
// Environment: a case takes 8 seeds, with THOROUGH=1 up to 40. RACE_SUITE_SEEDS=N takes N seeds
// for all right ones.
#include "tests/race_suite.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <set>
#include <source_dir.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "cpu_device/race.h"

namespace race = cpu_device::race;

std::ostream& operator<<(std::ostream& out, const RaceCase& one) {
    return out << one.example << " " << one.variant << " " << one.precision;
}

std::vector<RaceCase> operator+(std::vector<RaceCase> a, const std::vector<RaceCase>& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

int seeds_or(int thorough, int quick) {
    if (const char* const text = std::getenv("RACE_SUITE_SEEDS")) {
        return std::max(1, std::atoi(text));
    }
    return std::getenv("THOROUGH") != nullptr ? thorough : std::min(thorough, quick);
}

namespace {

bool is_unordered(harness::Kind kind) {
    return kind == harness::Kind::race || kind == harness::Kind::unsynchronized;
}

// The lines of a wrong variant's file that are marked so, as "FILE:LINE".
std::set<std::string> marked_lines(const std::string& example, const std::string& name,
                                   const std::string& mark) {
    std::ifstream source(PROJECT_SOURCE_DIR_STRING "/" + example + "/" + name);
    EXPECT_TRUE(source.good()) << name;
    std::set<std::string> places;
    std::string line;
    for (int number = 1; std::getline(source, line); ++number) {
        if (line.size() > mark.size() &&
            line.compare(line.size() - mark.size(), mark.size(), mark) == 0) {
            places.insert(name + ":" + std::to_string(number));
        }
    }
    return places;
}

// What a report says of its two accesses: the lines "  PLACE: block B, thread T ...".
struct Accesses {
    std::string report;
    std::vector<std::string> places;
};
std::vector<Accesses> accesses_in(const std::string& text) {
    std::vector<Accesses> all;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (line.find(" in kernel ") != std::string::npos && line[0] != ' ') {
            all.push_back({line, {}});
        }
        const std::size_t colon = line.find(": block ");
        if (!all.empty() && line.rfind("  ", 0) == 0 && colon != std::string::npos) {
            const std::string place = line.substr(2, colon - 2);
            const std::string name = place.substr(place.rfind('/') + 1);
            if (name.find(' ') == std::string::npos) {  // else a sentence, no place
                all.back().places.push_back(name);
            }
        }
    }
    return all;
}

class RaceSuite : public testing::TestWithParam<RaceCase> {
  protected:
    void SetUp() override {
        const std::string reason = GetParam().unavailable();
        if (reason.rfind("needs clusters", 0) == 0) {  // which no CPU device has
            GTEST_SKIP() << reason;
        }
        ASSERT_EQ(reason, "") << "does not run here";
        race::be_quiet(true);
    }
    // The figures are printed in lines that scripts/test adds up. The reports are no reason for the
    // program to end with 66.
    void TearDown() override {
        race::forget();
        race::be_quiet(false);
        if (!HasFailure() && !IsSkipped()) {
            std::printf("[race suite] %s %d\n", label_, seeds_);
        }
    }

    // Runs the case with each seed, and calls judge(verdict) while its reports are there.
    template <typename Judge>
    void with_each_seed(const char* label, int seeds, Judge judge) {
        label_ = label;
        seeds_ = seeds;
        for (int seed = 1; seed <= seeds; ++seed) {
            SCOPED_TRACE("seed " + std::to_string(seed));
            race::forget();
            race::set_seed(seed);
            judge(GetParam().run());
            if (HasFailure()) {
                return;
            }
        }
    }

  private:
    const char* label_ = "";
    int seeds_ = 0;
};

class RightVariant : public RaceSuite {};
TEST_P(RightVariant, IsRightAndCleanForEachSeed) {
    with_each_seed("right", seeds_or(40), [](const harness::Verdict& verdict) {
        EXPECT_EQ(verdict.outcome, harness::Outcome::ok) << verdict.detail;
        EXPECT_EQ(race::reports(), 0u) << race::reports_text();
    });
}

class RacyVariant : public RaceSuite {};
TEST_P(RacyVariant, IsReportedAtAMarkedLineForEachSeed) {
    const std::set<std::string> marked =
        marked_lines(GetParam().example, GetParam().source, "// race: " + GetParam().variant);
    ASSERT_FALSE(marked.empty()) << "no line is marked '// race: " << GetParam().variant << "'";
    std::set<std::string> named;
    with_each_seed(
        "wrong", std::min(seeds_or(20), 20),  // with some more, the turns happen to be in order
        [&](const harness::Verdict&) {        // its result may be right
            EXPECT_GE(race::reports(), 1u);
            const std::vector<Accesses> reports = accesses_in(race::reports_text());
            EXPECT_FALSE(reports.empty()) << race::reports_text();
            for (const Accesses& one : reports) {
                EXPECT_EQ(one.places.size(), 2u) << one.report;
                EXPECT_TRUE(std::any_of(one.places.begin(), one.places.end(),
                                        [&](const auto& place) { return marked.count(place) > 0; }))
                    << "neither access is at a marked line" << race::reports_text();
                named.insert(one.places.begin(), one.places.end());
            }
        });
    for (const std::string& place : marked) {
        EXPECT_EQ(named.count(place), 1u) << place << " is marked, and was never reported";
    }
}

class NoAccess : public RaceSuite {};
TEST_P(NoAccess, IsReportedForTheMarkedLaunchForEachSeed) {
    const std::set<std::string> marked =
        marked_lines(GetParam().example, GetParam().source, "// race: " + GetParam().variant);
    ASSERT_EQ(marked.size(), 1u) << "one launch is marked '// race: " << GetParam().variant << "'";
    const std::string launch = GetParam().example + "/" + *marked.begin();
    with_each_seed("wrong", seeds_or(20), [&](const harness::Verdict&) {  // here it may be right
        EXPECT_GE(race::reports(), 1u);
        for (const Accesses& one : accesses_in(race::reports_text())) {
            EXPECT_EQ(one.report.rfind("PEER ACCESS NOT ENABLED in kernel ", 0), 0u) << one.report;
            EXPECT_EQ(one.report.substr(one.report.size() - launch.size()), launch);
        }
    });
}

class WrongResult : public RaceSuite {};
TEST_P(WrongResult, FailsItsCheckForEachSeed) {
    with_each_seed("result", seeds_or(20), [](const harness::Verdict& verdict) {
        EXPECT_EQ(verdict.outcome, harness::Outcome::wrong) << verdict.detail;
    });
}

template <typename Condition>
std::vector<RaceCase> cases_where(Condition condition) {
    std::vector<RaceCase> chosen;
    for (const RaceCase& one : example_cases()) {
        if (condition(one.kind)) {
            chosen.push_back(one);
        }
    }
    return chosen;
}
std::string name_of_case(const testing::TestParamInfo<RaceCase>& info) {
    const RaceCase& one = info.param;
    return one.variant + (one.precision.empty() ? "" : "_" + one.precision);
}

INSTANTIATE_TEST_SUITE_P(Race, RightVariant, testing::ValuesIn(cases_where([](harness::Kind k) {
                             return k == harness::Kind::right;
                         })),
                         name_of_case);
INSTANTIATE_TEST_SUITE_P(Race, RacyVariant, testing::ValuesIn(cases_where(is_unordered)),
                         name_of_case);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(NoAccess);
INSTANTIATE_TEST_SUITE_P(Race, NoAccess, testing::ValuesIn(cases_where([](harness::Kind k) {
                             return k == harness::Kind::no_access;
                         })),
                         name_of_case);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(WrongResult);
INSTANTIATE_TEST_SUITE_P(Race, WrongResult, testing::ValuesIn(cases_where([](harness::Kind k) {
                             return k == harness::Kind::wrong_result;
                         })),
                         name_of_case);

// Every wrong variant says which right one to take instead, and marks its lines; every mark belongs
// to a variant.
TEST(RaceTable, WrongVariantsNameTheirRightCounterpartsAndLines) {
    std::set<std::string> right;
    std::size_t marks_of_variants = 0;
    std::string example;
    std::set<std::string> seen;
    for (const RaceCase& one : example_cases()) {
        example = one.example;
        if (one.kind == harness::Kind::right) {
            right.insert(one.variant);
        }
    }
    for (const RaceCase& one : example_cases()) {
        if (harness::is_right(one.kind)) {
            EXPECT_EQ(one.instead, "") << one.variant << " is right itself";
        } else if (seen.insert(one.variant).second) {
            EXPECT_EQ(right.count(one.instead), 1u)
                << one.variant << " names '" << one.instead << "' as its right counterpart";
            const char* const mark = is_unordered(one.kind) || one.kind == harness::Kind::no_access
                                         ? "// race: "
                                         : "// wrong: ";
            const std::size_t marks = marked_lines(example, one.source, mark + one.variant).size();
            EXPECT_GE(marks, 1u) << "no line is marked '" << mark << one.variant << "'";
            marks_of_variants += marks;
        }
    }
    std::set<std::string> files;
    for (const RaceCase& one : example_cases()) {
        files.insert(one.source);
    }
    std::size_t marks = 0;
    for (const std::string& file : files) {
        std::ifstream source(PROJECT_SOURCE_DIR_STRING "/" + example + "/" + file);
        EXPECT_TRUE(source.good()) << file << " is named in the table, and is not there";
        for (std::string line; std::getline(source, line);) {
            marks += line.find("// race: ") != std::string::npos ||
                     line.find("// wrong: ") != std::string::npos;
        }
    }
    EXPECT_EQ(marks, marks_of_variants) << "a mark names no variant, or one of the other kind";
}

}  // namespace
