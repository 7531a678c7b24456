# Race mode: the runtime that runs one step at a time and checks every access. The kernels are
# instrumented by the compiler as for ThreadSanitizer, but calls.cpp answers the calls, and the
# sanitizer's own library is never linked.
function(cpu_device_race_mode target)
  target_sources(${target} PRIVATE
    ${CPU_DEVICE_DIR}/race/advice.cpp
    ${CPU_DEVICE_DIR}/race/barriers.cpp
    ${CPU_DEVICE_DIR}/race/blocks.cpp
    ${CPU_DEVICE_DIR}/race/calls.cpp
    ${CPU_DEVICE_DIR}/race/checker.cpp
    ${CPU_DEVICE_DIR}/race/clock.cpp
    ${CPU_DEVICE_DIR}/race/conditions.cpp
    ${CPU_DEVICE_DIR}/race/confinement.cpp
    ${CPU_DEVICE_DIR}/race/copies.cpp
    ${CPU_DEVICE_DIR}/race/counts.cpp
    ${CPU_DEVICE_DIR}/race/entry_points.cpp
    ${CPU_DEVICE_DIR}/race/frames.cpp
    ${CPU_DEVICE_DIR}/race/heap.cpp
    ${CPU_DEVICE_DIR}/race/interleavings.cpp
    ${CPU_DEVICE_DIR}/race/launch.cpp
    ${CPU_DEVICE_DIR}/race/launch_trace.cpp
    ${CPU_DEVICE_DIR}/race/memory.cpp
    ${CPU_DEVICE_DIR}/race/old_values.cpp
    ${CPU_DEVICE_DIR}/race/order.cpp
    ${CPU_DEVICE_DIR}/race/parameters.cpp
    ${CPU_DEVICE_DIR}/race/outcomes.cpp
    ${CPU_DEVICE_DIR}/race/places.cpp
    ${CPU_DEVICE_DIR}/race/record.cpp
    ${CPU_DEVICE_DIR}/race/report.cpp
    ${CPU_DEVICE_DIR}/race/report_log.cpp
    ${CPU_DEVICE_DIR}/race/report_memory.cpp
    ${CPU_DEVICE_DIR}/race/report_streams.cpp
    ${CPU_DEVICE_DIR}/race/run.cpp
    ${CPU_DEVICE_DIR}/race/run_trace.cpp
    ${CPU_DEVICE_DIR}/race/schedule.cpp
    ${CPU_DEVICE_DIR}/race/sentences.cpp
    ${CPU_DEVICE_DIR}/race/shared_reads.cpp
    ${CPU_DEVICE_DIR}/race/story.cpp
    ${CPU_DEVICE_DIR}/race/streams.cpp
    ${CPU_DEVICE_DIR}/race/stuck.cpp
    ${CPU_DEVICE_DIR}/race/test_hooks.cpp
    ${CPU_DEVICE_DIR}/race/threads.cpp
    ${CPU_DEVICE_DIR}/race/trace.cpp
    ${CPU_DEVICE_DIR}/race/trace_words.cpp
    ${CPU_DEVICE_DIR}/race/tracing.cpp
    ${CPU_DEVICE_DIR}/race/tree_trace.cpp
    ${CPU_DEVICE_DIR}/race/uses.cpp
    ${CPU_DEVICE_DIR}/race/views.cpp
    ${CPU_DEVICE_DIR}/race/warp_functions.cpp
    ${CPU_DEVICE_DIR}/race/wild_pointers.cpp
    ${CPU_DEVICE_DIR}/race/word_history.cpp
    ${CPU_DEVICE_DIR}/race/words.cpp)
  target_include_directories(${target} PUBLIC ${CPU_DEVICE_DIR}/race/include
    PRIVATE ${CPU_DEVICE_DIR})
  target_compile_definitions(${target} PUBLIC CPU_DEVICE_RACE=1)
  # -O3: joins of clocks as vectors; kernels are -O0. -g1: lines, and no more that has to be read.
  target_compile_options(${target} PRIVATE -O3 -g1)
endfunction()
