// What race mode reads in a program's text of the members of structs, and of kernels' parameters.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <type_traits>
#include <vector>

#include "race/members.hpp"
#include "race/parameters.hpp"
#include "race/shared_names.hpp"

namespace {

using cpu_device::race::Argument;
using cpu_device::race::Declarations;
using cpu_device::race::dynamic_shared_in;
using cpu_device::race::Element;
using cpu_device::race::Member;
using cpu_device::race::name_members;
using cpu_device::race::name_parameters;

class Members : public testing::Test {
  protected:
    // CTest runs several cases at a time, each in a process of its own.
    const std::filesystem::path folder_ =
        testing::TempDir() + "members_test." + std::to_string(getpid());
    const std::string file_ = folder_ / "kernel.cu";
    Members() { std::filesystem::create_directories(folder_); }
    ~Members() override { std::filesystem::remove_all(folder_); }

    static std::string names(const std::vector<Member>& members) {
        std::string all;
        for (const Member& member : members) {
            all += (all.empty() ? "" : " ") + member.name;
        }
        return all;
    }
    // The members' names of a variable's element of so many bytes.
    std::string of_variable(const std::string& text, std::size_t bytes) {
        std::ofstream(file_) << text << "\n";
        return names(Declarations(file_).members_of("v", bytes));
    }
    // The name and the type of the kernel's first parameter.
    std::string first_of(const std::string& kernel, const std::string& text) {
        std::ofstream(file_) << text << "\n";
        std::vector<Argument> arguments{{0, 1, "", 0, "", {}, 0}};
        name_parameters(arguments, kernel, file_);
        return arguments[0].name + ":" + arguments[0].type;
    }
};

TEST_F(Members, OfAVariable) {
    EXPECT_EQ(of_variable("struct Bin { int count; float sum; };\n__shared__ Bin v[2];", 8),
              "count sum");
    EXPECT_EQ(of_variable("struct Bin { int count; float sum; };\n__shared__ Bin v;", 12), "");
    EXPECT_EQ(of_variable("struct Base { int a, b; };\nstruct More : Base {};\nBase v;", 8), "a b");
}

TEST_F(Members, OfVectors) {
    EXPECT_EQ(of_variable("float3 v;", 12), "x y z");
    EXPECT_EQ(of_variable("longlong2 v;", 16), "x y");
    EXPECT_EQ(of_variable("ulonglong4 v;", 32), "x y z w");
    EXPECT_EQ(of_variable("bool2 v;", 2), "");
}

TEST_F(Members, HaveTheSignOfTheCompiler) {
    std::ofstream(file_) << "struct Text { char c; signed char s; };\nText v;\nchar2 w;\n";
    const Declarations declarations(file_);
    const std::vector<Member> members = declarations.members_of("v", 2);
    ASSERT_EQ(members.size(), 2u);
    EXPECT_EQ(members[0].kind, std::is_signed_v<char> ? Element::with_sign : Element::without_sign);
    EXPECT_EQ(members[1].kind, Element::with_sign);
    ASSERT_EQ(declarations.members_of("w", 2).size(), 2u);
    EXPECT_EQ(declarations.members_of("w", 2)[0].kind, Element::with_sign);
}

// One of the declarations may be the one that counts, so all must say the same.
TEST_F(Members, NeedEqualDeclarations) {
    const std::string node =
        "struct Node { int key, count; __device__ int sum() const { return key + count; } };\n";
    EXPECT_EQ(of_variable(node + "__shared__ Node v;\nfloat2 v;", 8), "");
    EXPECT_EQ(of_variable("float2 v;\nint2 v;", 8), "");
    EXPECT_EQ(of_variable("class Lock {};\nfloat2 v;\nLock v;", 8), "");
    EXPECT_EQ(of_variable("struct alignas(8) Node { int a, b; };\nfloat2 v;\nNode v;", 8), "");
    EXPECT_EQ(of_variable("typedef struct { int a, b; } Node;\nfloat2 v;\nNode v;", 8), "");
    EXPECT_EQ(of_variable("using Node = int2;\nfloat2 v;\nNode v;", 8), "");
    EXPECT_EQ(of_variable("float2 v;\nfloat2 v;\nint v;\nint2* v;", 8), "x y");
}

TEST_F(Members, NeedEqualDefinitions) {
    const std::string one = "namespace a { struct Pair { int key, count; }; }\n";
    EXPECT_EQ(of_variable(one + "namespace b { struct Pair { int k, c; }; }\nPair v;", 8), "");
    EXPECT_EQ(of_variable(one + "#if 0\nclass Pair { int key, count; };\n#endif\nPair v;", 8), "");
    EXPECT_EQ(of_variable(one + "struct Pair;\n" + one + "Pair v;", 8), "key count");
}

TEST_F(Members, AreNotGuessedFromWhatIsNotUnderstood) {
    EXPECT_EQ(of_variable("struct Box { int a[2] = {1, 2}; int b; };\nBox v;", 12), "");
    EXPECT_EQ(of_variable("struct Box { int a = 1, 2; };\nBox v;", 8), "");
    EXPECT_EQ(of_variable("struct Box { int a, b; int f() { return 1; } };\nBox v;", 8), "");
    EXPECT_EQ(of_variable("template <int N> struct Box { int a, b; };\nBox v;", 8), "");
}

TEST_F(Members, AreReadBesideStringsAndComments) {
    const std::string pair = "struct Pair { int a, b; };\n";
    EXPECT_EQ(of_variable("const char* s = \"/*\";\n" + pair + "Pair v;", 8), "a b");
    EXPECT_EQ(of_variable("f(\"http://\"); " + pair + "Pair v;", 8), "a b");
    EXPECT_EQ(of_variable("char c = '\"'; int n = 1'000; " + pair + "Pair v;", 8), "a b");
    EXPECT_EQ(of_variable(pair + "f(\"float2 v\", R\"(int2 \" v)\");\nPair v; // int2 v", 8),
              "a b");
}

TEST_F(Members, AreReadInIncludes) {
    std::filesystem::create_directories(folder_ / "folder");
    std::ofstream(folder_ / "pair.cuh") << "struct Pair { int a, b; };\n";
    EXPECT_EQ(of_variable("#include \"folder\"\n#include \"..\"\n#include \"none\"\n"
                          " # include \"folder/../pair.cuh\"\nPair v;",
                          8),
              "a b");
    EXPECT_EQ(names(Declarations(folder_).members_of("v", 8)), "");
    std::ofstream(folder_ / "folder" / "kernel.cu") << "#include \"folder/../pair.cuh\"\nPair v;";
    EXPECT_EQ(names(Declarations(folder_ / "folder" / "kernel.cu").members_of("v", 8)), "a b");
}

// In little time: each is read once, and no more of them than 1 MB.
TEST_F(Members, AreReadInManyIncludes) {
    std::string all;
    for (int i = 0; i < 40; ++i) {
        all += "#include \"" + std::to_string(i) + ".cuh\"\n";
    }
    for (int i = 0; i < 40; ++i) {
        std::ofstream(folder_ / (std::to_string(i) + ".cuh")) << all << "int i" << i << ";\n";
    }
    EXPECT_EQ(of_variable(all + "float2 v;\n", 8), "x y");
    std::ofstream(folder_ / "0.cuh") << "int2 v;\n" << std::string(2 << 20, ' ');
    EXPECT_EQ(of_variable("#include \"0.cuh\"\nfloat2 v;\n", 8), "x y");
}

TEST_F(Members, AreReadOnce) {
    std::ofstream(file_) << "float2 v;\n";
    const Declarations& declarations = Declarations::of(file_);
    EXPECT_EQ(&declarations, &Declarations::of(file_));
    const std::vector<Member>& members = declarations.members_of("v", 8);
    std::ofstream(file_) << "int4 v, w;\n";
    EXPECT_EQ(&members, &declarations.members_of("v", 8));
    EXPECT_TRUE(declarations.members_of("w", 16).empty());
}

TEST_F(Members, OfWhatAParameterPointsTo) {
    const std::string text =
        "struct Node { int key, count; int sum() { return key; } };\n"
        "__global__ void first(const Node* __restrict__ d_x, int n) {}\n"
        "__global__ void second(float2 const* /* pairs */ d_x) {}\n";
    EXPECT_EQ(first_of("first", text), "d_x:Node");
    EXPECT_EQ(first_of("second", text), "d_x:float2");
    const Declarations declarations(file_);
    EXPECT_EQ(names(declarations.members_of_type("Node", 8)), "");
    EXPECT_EQ(names(declarations.members_of_type("float2", 8)), "x y");
    EXPECT_EQ(names(declarations.members_of_type("float2", 4)), "");
    EXPECT_EQ(first_of("k", "__global__ void k(float2** d_x) {}"), "d_x:");
    EXPECT_EQ(first_of("k", "__global__ void k(float2* d_x) {}\n__global__ void k(int2* d_x) {}"),
              "d_x:");
}

// A kernel takes `Table table`, which has so many pointers behind each other: how each is named.
TEST_F(Members, OfAnObjectThatAKernelTakes) {
    const auto named = [&](const std::string& text, std::size_t count) {
        std::ofstream(file_) << text << "\n__global__ void k(int n, ns::Table table) {}\n";
        std::vector<Argument> arguments{{0, 1, "n", 0, "int", {}, 0}};
        for (std::size_t i = 0; i < count; ++i) {
            arguments.push_back({0, 2, "", 0, "", 8 * i, 8 * count});
        }
        name_parameters(arguments, "k", file_);
        name_members(arguments, Declarations(file_));
        std::string all;
        for (const Argument& argument : arguments) {
            all += " " + argument.name + ":" + argument.type;
        }
        return all;
    };
    const std::string entry = "struct Entry { unsigned key, next; };\n";
    EXPECT_EQ(named(entry + "struct Table { unsigned* d_heads; const Entry* __restrict__ d_pool; "
                            "Entry** d_all; unsigned long n; };",
                    4),
              " n:int table.d_heads:unsigned table.d_pool:Entry : :");
    EXPECT_EQ(named(entry + "struct Table : Base { unsigned* d_heads; };", 1), " n:int :");
    EXPECT_EQ(named(entry + "struct Table { int a, b; Entry* d_pool; };", 2),
              " n:int : table.d_pool:Entry");
    EXPECT_EQ(named(entry + "struct Table { int a, b; Entry* d_pool; int n[4]; };", 2),
              " n:int : :");  // it has another size: it is laid out otherwise
}

// What the kernel `k` calls its dynamic shared memory, and of which type.
std::string dynamic_of(const std::string& text) {
    const cpu_device::race::DynamicShared found = dynamic_shared_in(text, "ns::k<int>");
    return found.name + ":" + found.type;
}

const std::string other = "__global__ void other(int* p) { extern __shared__ int s_other[]; }\n";

TEST(DynamicShared, HasTheNameOfItsKernel) {
    EXPECT_EQ(dynamic_of(other + "__global__ void __launch_bounds__(64) k(int n) {\n"
                                 "    extern __shared__ float tile[];\n}"),
              "tile:float");
    EXPECT_EQ(dynamic_of("__global__ void k() { if (a) { "
                         "extern __shared__ __align__(16) unsigned long long s_x[][4]; } }"),
              "s_x:unsigned long long");
    EXPECT_EQ(dynamic_of("extern __shared__ float2 s_x[];\n" + other + "__global__ void k() {}"),
              "s_x:float2");
    EXPECT_EQ(dynamic_of("__device__ void f() { extern __shared__ T s_x[]; }\n" + other +
                         "template <typename T> __global__ void k() { f(); }"),
              "s_x:T");
}

TEST(DynamicShared, OfBytesHasTheNameOfThePointerToIt) {
    const std::string bytes = "extern __shared__ unsigned char raw[];";
    const std::string cast = "float* const s_x = reinterpret_cast<float*>(raw);";
    EXPECT_EQ(dynamic_of("__global__ void k() { " + bytes + cast + " }"), "s_x:float");
    EXPECT_EQ(dynamic_of("__global__ void k() { " + bytes + " int* s_x = (int*)raw; }"), "s_x:int");
    EXPECT_EQ(dynamic_of("__global__ void k() { " + bytes + " }"), "raw:unsigned char");
    EXPECT_EQ(dynamic_of("__global__ void k() { " + bytes + cast +
                         "float* s_y = reinterpret_cast<float*>(raw + 64); }"),
              "s_x:float");
    EXPECT_EQ(dynamic_of("__global__ void k() { " + bytes + cast +
                         "int* s_y = reinterpret_cast<int*>(raw); }"),
              "raw:unsigned char");
    const std::string function = "template <class T> __device__ T* memory() { " + bytes +
                                 " return reinterpret_cast<T*>(raw); }\n";
    const std::string pointer = "{ T* s_x = ns::memory<T>(); }\n";
    EXPECT_EQ(dynamic_of(function + other + "__global__ void k(T* d_x) " + pointer), "s_x:T");
    EXPECT_EQ(dynamic_of(function + other + "__device__ T sum() " + pointer +
                         "__global__ void k(T* d_x) { sum(); }"),
              "s_x:T");
}

// Else an int would be told as a float.
TEST(DynamicShared, HasNoTypeWhereCastsGiveItTwo) {
    const auto in_kernel = [](const std::string& body) {
        return dynamic_of("__global__ void k() { extern __shared__ float s_x[]; " + body + " }");
    };
    EXPECT_EQ(in_kernel("int* s_y = (int*)&s_x[64];"), "s_x:");
    EXPECT_EQ(in_kernel("float* a = s_x; int* s_y = reinterpret_cast<int *>(a + 64);"), "s_x:");
    EXPECT_EQ(in_kernel("int* s_y = (int*)((char*)s_x + 64);"), "s_x:");
    EXPECT_EQ(in_kernel("float4 v = reinterpret_cast<float4*>(s_x)[0];"), "s_x:float");
    EXPECT_EQ(in_kernel("float* s_y = (float*)(s_x + 64); int* y = (int*)d_x;"), "s_x:float");
    EXPECT_EQ(dynamic_of("__global__ void k() { extern __shared__ char raw[]; float* s_x = "
                         "(float*)raw; int* s_y = (int*)(s_x + 64); }"),
              "s_x:");
    EXPECT_EQ(dynamic_of("template <class T> struct Shared { __device__ operator T*() { "
                         "extern __shared__ int memory[]; return (T*)memory; } };\n"
                         "template <class T> __global__ void k() { T* s_x = Shared<T>(); }"),
              "memory:");
}

// The kernel has two names for it, or none of its own while functions have two.
TEST(DynamicShared, HasNoNameWhereTheTextLeavesItInDoubt) {
    EXPECT_EQ(dynamic_of("__global__ void k() { extern __shared__ int a[]; }\n"
                         "__global__ void k(int n) { extern __shared__ int b[]; }"),
              ":");
    EXPECT_EQ(dynamic_of("__global__ void k() { extern __shared__ int a[]; }\n"
                         "__global__ void k(int n) { extern __shared__ float a[]; }"),
              "a:");
    EXPECT_EQ(dynamic_of("__device__ void f() { extern __shared__ int a[]; }\n"
                         "__device__ void g() { extern __shared__ int b[]; }\n"
                         "__global__ void k() { f(); }"),
              ":");
    EXPECT_EQ(dynamic_of(other + "__global__ void k() { __shared__ int a[4]; }"), ":");
    EXPECT_EQ(dynamic_of("}{ )( __global__ void k("), ":");
}

}  // namespace
