// expect: does not compile "missing_header_windows.cu:4: error: windows.h: a header of Windows; the
//     CPU device is for Linux"

#include <windows.h>

int main() {}
