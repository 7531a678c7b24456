"""The programs of the commands scripts/run, scripts/race, scripts/learn, scripts/annotate and
scripts/grade.

    sources     what the words of a command line are: files, options, arguments
    device      the project's folder, and the CPU device that programs are built for
    build       compiles the sources of a program, and keeps what has not changed
    processes   runs programs with limits; none goes on when the command has ended
    run  race  learn  annotate  the commands
    tour        scripts/race --tour
    player      the page that plays a run
    command     how a command begins and ends
    grade       the command; grade_report  its tables; similarity  answers that are alike
    sandbox     where a stranger's file is compiled and run
    refused     what of such a file is refused
    check       the check of one exercise, without a terminal: for learn and for graders
    exercises   the list of exercises, their texts, and a learner's progress
    host_or_device   what a kernel uses that only the host has
    nvcc        what nvcc says of a file, where it is installed
    glossary    the terms of basics/glossary.md
    messages    all sentences of the commands, by key; words.zh-CN.json has them in Chinese
    overlay     the comments of an exercise in another language

Only the standard library of Python 3.10 is used. What an unchanged program needs to start imports
little, so that it starts at once.
"""
