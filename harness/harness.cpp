// The parts of the harness that need no device, as one source: most of the time to compile them is
// that of the same headers.
// NOLINTBEGIN(bugprone-suspicious-include)
#include "harness/arguments.cpp"
#include "harness/command_line.cpp"
#include "harness/json.cpp"
#include "harness/output_files.cpp"
#include "harness/place.cpp"
// NOLINTEND(bugprone-suspicious-include)
