# Race mode: the runtime that runs one step at a time and checks every access. The kernels are
# instrumented by the compiler as for ThreadSanitizer, but calls.cpp answers the calls, and the
# sanitizer's own library is never linked.
set(CPU_DEVICE_RACE_SOURCES
  race/across_devices.cpp race/advice.cpp race/barriers.cpp race/blocks.cpp race/calls.cpp
  race/checker.cpp race/clock.cpp race/conditions.cpp race/confinement.cpp race/copies.cpp
  race/counts.cpp race/entry_points.cpp race/frames.cpp race/freeing.cpp race/heap.cpp race/interleavings.cpp
  race/launch.cpp race/launch_trace.cpp race/lost_updates.cpp race/members.cpp race/memory.cpp
  race/missing.cpp race/old_values.cpp race/order.cpp race/outcome_plan.cpp race/outcomes.cpp
  race/parameters.cpp race/places.cpp race/record.cpp race/report.cpp race/report_log.cpp
  race/report_memory.cpp race/report_streams.cpp race/run.cpp race/run_trace.cpp race/schedule.cpp
  race/sentences.cpp race/sentences_of_races.cpp race/sentences_of_runs.cpp race/shared_names.cpp
  race/shared_reads.cpp race/source_text.cpp race/spin_watch.cpp race/stale_values.cpp
  race/statements.cpp race/story.cpp race/story_text.cpp race/stream_calls.cpp race/streams.cpp
  race/stuck.cpp race/test_hooks.cpp race/threads.cpp race/trace.cpp race/trace_roles.cpp
  race/trace_words.cpp race/tracing.cpp race/tree_path.cpp race/tree_trace.cpp race/turns.cpp
  race/uses.cpp race/views.cpp race/warp_functions.cpp race/wild_pointers.cpp race/word_history.cpp
  race/words.cpp)

function(cpu_device_race_mode target)
  target_include_directories(${target} PUBLIC ${CPU_DEVICE_DIR}/race/include
    PRIVATE ${CPU_DEVICE_DIR})
  target_compile_definitions(${target} PUBLIC CPU_DEVICE_RACE=1)
  # A little more than -O1: programs run as fast with it as with -O3, within a few percent, since
  # kernels are -O0, and it takes a quarter less time to compile. No -g: a report names lines of the
  # program alone, and each program would carry the runtime's lines, which take longer to link and
  # to read.
  target_compile_options(${target} PRIVATE
    -O1 -finline-small-functions -findirect-inlining -fexpensive-optimizations
    ${CPU_DEVICE_HOST_OPTIONS_race})
endfunction()
