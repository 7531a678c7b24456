// What race mode reads in a program's text: is a value that is stored computed from one that was
// read?
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <string>

#include "race/statements.hpp"

namespace {

using cpu_device::race::is_computed_from;

class Statements : public testing::Test {
  protected:
    // CTest runs several cases at a time, each in a process of its own.
    const std::string file_ =
        testing::TempDir() + "statements_test." + std::to_string(getpid()) + ".txt";
    ~Statements() override { std::remove(file_.c_str()); }

    // The load is in this line of the text, and the store in that one.
    bool is_computed(const std::string& text, int read, int write) {
        std::ofstream(file_) << text << "\n";
        return is_computed_from(file_ + ":" + std::to_string(read),
                                file_ + ":" + std::to_string(write));
    }
};

TEST_F(Statements, AreUpdates) {
    for (const char* const text :
         {"*x = *x + 1;", "++*x;", "count++;", "*x += v;", "*x <<= 2;", "if (*x < 9) *x = *x + 1;",
          "s[i] = s[i] + s[i + 8];", "x.store(x.load(a) + 1, r);", "*x = *x == 0 ? 1 : 2;",
          "while (f()) { *x = *x + 1; }"}) {
        EXPECT_TRUE(is_computed(text, 1, 1)) << text;
    }
    EXPECT_TRUE(is_computed("s[i] = f(\n    s[i],\n    3);", 2, 1));
}

TEST_F(Statements, OnlyTest) {
    for (const char* const text : {"if (*x == 0) *x = 7;", "if (*x == 0) { *x = i; }",
                                   "for (int i = 0; i < n; ++i) if (*x == 0) *x = i;"}) {
        EXPECT_FALSE(is_computed(text, 1, 1)) << text;
    }
    EXPECT_FALSE(is_computed("if (*x == 0) {\n    *x = 7;\n}", 1, 2));
    EXPECT_FALSE(is_computed("while (x.load(a) != 0) {}\nx.store(1, r);", 1, 2));
}

TEST_F(Statements, PassAValueOn) {
    EXPECT_TRUE(is_computed("int old = *x;\n*x = old + 1;", 1, 2));
    EXPECT_FALSE(is_computed("int old = *x;\n*x = older + 1;", 1, 2));
    EXPECT_FALSE(is_computed("old = *x;  // y = old\n*x = 3;  // old", 1, 2));
    EXPECT_TRUE(is_computed("auto v = p->load();\np->store(v | 4);", 1, 2));
    const char* const longer =
        "int old = *x;\nint next = old;\nif (a) { next += 2; }\nx.store(next,\n  relaxed);";
    EXPECT_TRUE(is_computed(longer, 1, 4));
    const char* const turn =
        "while (*x != me) {\n}\nf();\nconst int sum = *y;\n*y = sum + 1;\n*x = 1 - me;";
    EXPECT_TRUE(is_computed(turn, 4, 5));
    EXPECT_FALSE(is_computed(turn, 1, 6));
}

TEST_F(Statements, ThatCannotBeRead) {
    EXPECT_FALSE(is_computed("*x = *x + 1;", 7, 7));
    EXPECT_FALSE(is_computed_from("no file:1", "no file:1"));
    EXPECT_FALSE(is_computed_from("0x1234", "0x1234"));
}

}  // namespace
