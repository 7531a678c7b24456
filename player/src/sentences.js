// Every sentence and word that the page shows of its own, by key. {name} is a place to fill. The
// file words.LANGUAGE.json has those of another language. What a trace says itself, such as the
// text of a report, comes with it.

export const sentences = {
  en: {
    'page.title.run': 'Watch it happen: {program}',
    'page.title.levels': 'You are the scheduler',
    'page.intro.run': 'A recorded run. Columns are threads, and time runs down. The line of the ' +
        'last step is lit in the source.',
    'page.intro.tree': 'All orders in which these threads can make their steps were recorded. ' +
        'You choose who goes next.',
    'page.intro.levels': 'You choose which thread goes next. Reach the aim of each level, or say ' +
        'that it cannot be done.',
    'page.no_data': 'This page holds no trace: {why}.',
    'page.skip': 'Skip to the steps',
    'page.keys': 'Keys: \u2192 and \u2190 go a step on or back, Home and End to the start and ' +
        'the end, n to the next step of this thread, x to the next report, space plays.',
    'page.keys.tree': 'Keys: a digit lets that thread (or block) go next. q, w, e, ... let ' +
        '1, 2, 3, ... read an old value; p is for 0. \u2192 and \u2190 go on and back, r begins ' +
        'again.',
    'page.touch': 'On a touch screen, swipe over the sentence to go on or back.',
    'page.about_orders': 'Orders differ only in the steps on words that the threads share. No ' +
        'other thread can see what a thread does between two such steps.',

    'choose.trace': 'Run',
    'choose.order': 'Watch an order:',
    'choose.order.own': 'none, you choose',
    'choose.trace.seed': '{number}. {program}, seed {seed}: {kind}',
    'choose.trace.seed.same': '{number}. seed {seed}: {kind}',
    'choose.trace.clean': 'no report',
    'choose.trace.tree': '{number}. {name}',
    'choose.order.one': 'order {number}: {threads} - {outcome}',
    'choose.order.old': '{thread} (old value)',
    'choose.level': 'Level',
    'choose.level.one': '{number}. {name}{done}',
    'choose.level.done': ' (done)',

    'level.previous': 'Previous level',
    'level.next': 'Next level',
    'level.count': '{done} of {all} levels done',
    'level.count.wrong': '{done} of {all} levels done, wrong answers: {wrong}',
    'level.aim': 'Your aim:',
    'level.no_aim': 'There is no aim here: choose the order, and see where it leads.',
    'level.won': 'Done: you have reached the aim.',
    'level.shown': 'Done: you have seen all {all} orders, and none reaches the aim.',
    'level.claimed': 'Done: you are right. There are {all} orders, and none reaches the aim.',
    'level.not_so': 'Wrong: it can be done. Some order reaches the aim, so go on looking. Wrong ' +
        'answers in this level: {count}.',
    'level.other_reason': 'It cannot be done, but this is not the reason. Look at the steps ' +
        'again. Wrong answers in this level: {count}.',
    'level.part_of_reason': 'True, but this is only a part of the reason: a level that can be ' +
        'done has it, too. What else is there?',
    'level.unknown': 'Not all orders are in this page, so it cannot tell.',
    'level.missed': 'This order does not reach the aim. Go back and choose another way, or say ' +
        'that it cannot be done.',
    'level.missed.again': 'This order does not reach the aim.',
    'level.lost': 'A dead end: from here no order reaches the aim any more.',
    'level.back': 'Back to the last choice',
    'level.back.open': 'Back to where it can still be done',
    'level.sure': 'From here on every order reaches the aim. Choose on, or press End.',
    'level.claim': 'It cannot be done',
    'level.why': 'Why can it not be done? Choose the reason. A wrong answer is counted.',
    'reason.one_step': 'Reading and writing are one step: no other thread can come between.',
    'reason.retry': 'A thread that comes too late writes nothing, and tries again.',
    'reason.wait': 'A thread that finds the lock taken must wait.',
    'reason.order': 'A thread that sees the flag, the count or the free lock also sees all that ' +
        'was written before it.',
    'reason.seldom': 'It is so improbable that it never happens.',
    'level.all': 'This was the last level, and all {all} are done.',
    'level.left': 'This was the last level. Not done yet: {numbers}.',
    'level.clear': 'Forget which levels are done',
    'level.clear.sure': 'Press again to forget them',

    'seen': 'You have seen {seen} of {all} orders.',
    'seen.incomplete': 'You have seen {seen} of the {all} orders in this page. There are more.',

    'go.start': 'Start',
    'go.back': 'Back',
    'go.forward': 'Forward',
    'go.end': 'End',
    'go.play': 'Play',
    'go.pause': 'Pause',
    'go.thread': 'Same thread',
    'go.thread.long': 'To the next step of this thread',
    'go.report': 'To the report',
    'go.position': 'step {position} of {length}',
    'go.position.open': 'step {position}',
    'go.position.label': 'Position in the run',
    'go.choose': 'Who goes next?',
    'go.choose.one': 'Only one can go:',
    'go.choose.value': 'Which value does the read get?',
    'go.choose.none': 'No choice here: the step counts, but no other thread can tell when it is ' +
        'made.',
    'go.not.ended': '{thread} has ended.',
    'go.not.waits': '{thread} waits, and cannot go.',
    'go.not.later': '{thread} has its turn later: it cannot tell when the step that comes is made.',
    'go.waits': 'waits',
    'go.later': 'has its turn later',
    'go.ended': 'has ended',

    'part.steps': 'Steps',
    'part.words': 'Memory',
    'part.source': 'Source',
    'part.report': 'Report',
    'part.outcome': 'Outcome',
    'part.all_steps': 'All steps as text',
    'part.legend': 'What the signs mean',
    'part.left_out': 'Left out',
    'part.terms': 'What the words mean: {terms}',

    'words.word': 'word',
    'words.value': 'value',
    'words.last': 'written by',
    'words.first': 'first value',
    'words.nobody': 'nobody yet',
    'words.nothing': 'These steps use no word of memory.',
    'words.more': '{count} more words',
    'words.unknown': '?',
    'words.role.lock': 'lock',
    'words.role.flag': 'flag',
    'words.role.counter': 'counter',
    'words.role.data': 'data',
    'words.holder': 'held by {thread}',
    'words.free': 'free',
    'words.others': 'other threads',
    'words.not_shown': 'a step that is not shown',
    'words.legend': 'The lit row is the word of the last step. A bold value was changed by that ' +
        'step.',
    'words.read': '{thread} has read {word} = {got}',
    'words.read.outdated': '{thread} has read {word} = {got}. Now it is {now}.',

    'source.at': '{place}',
    'source.inside': 'inside {place}: {line}',
    'source.unknown': 'The line of this step is not known.',
    'source.end': 'A thread that ends has no line.',
    'source.others': 'The lines of threads that are not shown are not recorded.',
    'source.begin': 'No step has been made yet.',
    'source.legend': 'The lit line is that of the last step. A full sign is where a thread has ' +
        'been last, an empty one where it goes on.',

    'step.begin': 'Nothing has happened yet.',
    'step.begin.of': '{name}: nothing has happened yet.',
    'step.load': '{thread} reads {word} and gets {got}.',
    'step.store': '{thread} writes {word}: {before} becomes {after}.',
    'step.atomic': '{thread} updates {word} in one step: {before} becomes {after}.',
    'step.atomic.named': '{thread} calls {function} on {word}: {before} becomes {after}, in ' +
        'one step.',
    'step.atomic.same': '{thread} calls {function} on {word}: it finds {before} and leaves it.',
    'step.failed': '{thread} tries {function} on {word}: it finds {before}, not the value that ' +
        'it expects, and writes nothing.',
    'step.times': 'It has done this {times} times in a row, and has found the same value each ' +
        'time.',
    'step.waits': '{thread} finds the lock {word} taken, and must wait.',
    'step.waits.lock': '{thread} finds the lock taken, and must wait.',
    'step.takes': '{thread} takes the lock {word}.',
    'step.takes.lock': '{thread} takes the lock.',
    'step.frees': '{thread} gives the lock {word} back.',
    'step.frees.lock': '{thread} gives the lock back.',
    'step.fence': '{thread} makes a fence for its {scope}.',
    'step.fence.plain': '{thread} makes a fence.',
    'step.barrier': '{thread} comes to the barrier, and waits there for the others.',
    'step.barrier.last': '{thread} comes to the barrier as the last one. All go on.',
    'step.warp': '{thread} meets the other lanes of its warp at {function}.',
    'step.warp.plain': '{thread} meets the other lanes of its warp.',
    'step.copy': '{thread} makes the copy {function}.',
    'step.copy.plain': '{thread} makes a copy.',
    'step.copy.word': '{thread} copies into {word}: {before} becomes {after}.',
    'step.launch': '{thread} launches {kernel}.',
    'step.launch.plain': '{thread} launches a kernel.',
    'step.host': '{thread} calls {function}.',
    'step.host.plain': '{thread} calls a function of CUDA.',
    'step.wait': '{thread} waits for what came before.',
    'step.end': '{thread} ends.',
    'step.others': 'Other threads change {word} {count} times: {before} becomes {after}.',
    'step.others.once': 'Another thread changes {word}: {before} becomes {after}.',
    'step.others.between': 'Before the next launch {word} changes, by a step that is not ' +
        'shown: {before} becomes {after}.',
    'step.fault': '{thread} makes a step that is a fault.',
    'step.order': 'Its memory order is {order}, and its scope is {scope}.',
    'step.order.plain': 'Its memory order is {order}.',
    'step.order.fence': 'The memory order of the fence is {order}.',
    'order.relaxed': 'relaxed',
    'order.acquire': 'acquire',
    'order.release': 'release',
    'order.acq_rel': 'acq_rel',
    'order.seq_cst': 'seq_cst',
    'scope.thread': 'thread',
    'scope.block': 'block',
    'scope.device': 'device',
    'scope.system': 'system',
    'step.saw': 'It sees the write of {thread} (step {step}).',
    'step.stale': 'It gets an old value: the one that {thread} wrote in step {step}.',
    'step.stale.first': 'It gets an old value: the first one.',
    'step.stale.newer': 'It did not see the newer write of {thread} (step {step}).',
    'step.edge.release-acquire': 'From here on it sees what {thread} did up to step {step}.',
    'step.edge.barrier': 'Once all have come, it sees what {thread} did up to step {step}.',
    'step.edge.launch': 'Its kernel was launched by {thread} in step {step}.',
    'step.edge.stream': 'The streams put what {thread} did up to step {step} before this.',
    'step.edge.copy': 'The wait puts the copy of step {step} before this.',

    'box.load': 'reads {word}',
    'box.store': 'writes {word}',
    'box.atomic': 'updates {word}',
    'box.atomic.named': '{function} {word}',
    'box.failed': 'tries {word}',
    'box.takes': 'takes {word}',
    'box.frees': 'frees {word}',
    'box.fence': 'fence',
    'box.barrier': 'barrier',
    'box.warp': '{function}',
    'box.warp.plain': 'warp',
    'box.copy': 'copy {word}',
    'box.launch': 'launch',
    'box.host': '{function}',
    'box.host.plain': 'call',
    'box.wait': 'waits',
    'box.end': 'end',
    'box.others': 'others: {word} {before} \u2192 {after}',
    'box.others.between': 'before the launch: {word} {before} \u2192 {after}',
    'box.fault': 'fault',
    'box.change': '{before} \u2192 {after}',
    'box.found': 'finds {before}',
    'box.again': 'finds {got} again',
    'box.times': '{times} times',
    'box.old': '{got}, old!',
    'box.holds': 'holds {word}',

    'missing.now': '{kind}: nothing orders this step and step {step} of {thread}.',
    'report.now': 'Race mode reports: {kind}.',
    'missing.label': 'nothing orders these two',
    'missing.cure': 'What would order them: {cure}',
    'report.here': '{kind}',
    'report.later': '{count} more reports in this run.',
    'report.later.one': 'One more report in this run.',
    'report.ahead': 'This run has {count} reports. The first comes later.',
    'report.ahead.one': 'This run has one report. It comes later.',
    'report.none': 'Race mode reports nothing in this run.',
    'report.all': 'The whole report',

    'outcome.right': 'The result is right.',
    'outcome.wrong': 'The result is wrong.',
    'outcome.unknown': 'Whether the result is right is not recorded.',
    'outcome.stuck': 'All threads wait without end.',
    'outcome.stale': 'If each read got the newest value, no order would give this result: here ' +
        'a read has got an old value.',
    'outcome.times': 'Orders that end like this: {times} of {all}.',
    'outcome.status': 'The program ends with status {status}.',
    'outcome.status.reports': 'The program ends with status 66: race mode has reported ' +
        'something.',
    'outcome.part': 'This is what the whole run has printed. Steps of the run are left out ' +
        'here, so the memory may hold other values.',
    'outcome.line.both_inside': 'two threads were in the critical section at once',
    'outcome.line.both_done': 'both are done',
    'outcome.lines': '{lines}.',
    'outcome.short.right': 'right',
    'outcome.short.wrong': 'wrong',
    'outcome.short.stuck': 'all wait',

    'name.host': 'the host',
    'name.thread': 'thread {thread}',
    'name.block': 'block {block}',
    'name.both': 'block {block}, thread {thread}',

    'legend.boxes': 'What a step does',
    'legend.now': 'Where the run stands',
    'legend.arrows': 'Arrows',
    'legend.reports': 'What race mode reports',
    'legend.threads': 'Who makes the steps',
    'legend.memory': 'In the memory',
    'sign.load': 'a read',
    'sign.store': 'a write',
    'sign.atomic': 'an atomic update: it reads and writes in one step',
    'sign.failed': 'a try that finds another value and writes nothing',
    'sign.old': 'a read that gets an old value',
    'sign.fence': 'a fence: it puts the thread\'s accesses before it and after it in order',
    'sign.now': 'the last step; its arrows are thick',
    'sign.ahead': 'a step that is still to come',
    'sign.unordered': 'a step of a report',
    'sign.outdated': 'a read whose value has changed before its thread writes',
    'sign.saw': 'from a write to the read that saw it',
    'sign.edge': 'order: all that was done before its start is seen after its end',
    'sign.stale': 'from an old write to the read that still got it',
    'sign.missing': 'nothing orders these two steps',
    'sign.barrier': 'a barrier: each thread waits there until all have come',
    'sign.lock': 'a thread holds a lock',
    'sign.number': 'a digit: the thread, or the block, of this number',
    'sign.letter': 'a small letter: only the name of a column, where a number alone is not clear',
    'sign.host': 'the host',
    'sign.unknown': 'a value that was never written, or is not known',
    'sign.counter': 'a word that atomics change',
    'sign.flag': 'a word that some threads set and others wait for',
    'sign.lock_word': 'a word that a thread takes and gives back',
    'term.critical_section': 'critical section',
    'term.critical_section.is': 'The steps from taking a lock to giving it back. Only one thread ' +
        'at a time should be in it.',
    'term.barrier': 'barrier',
    'term.barrier.is': 'A point in the program where each thread waits until all have come.',
    'term.tree': 'tree',
    'term.tree.is': 'A way to add many numbers: in each level, each thread adds two of them, and ' +
        'half as many are left for the next level, until one is left.',
    'term.atomicExch': 'atomicExch',
    'term.atomicExch.is': 'It writes a value and returns the one that was there, in one step.',
    'term.atomicCAS': 'atomicCAS',
    'term.atomicCAS.is': 'Compare and swap: in one step it compares the word with an expected ' +
        'value, and writes the new one only if they are equal. It returns what it has found.',
    'term.atomic_ref': 'cuda::atomic_ref',
    'term.atomic_ref.is': 'It makes each load and store of a plain word atomic: no thread sees ' +
        'half of it. thread_scope_device: for all threads of the GPU.',
    'term.relaxed': 'memory_order_relaxed',
    'term.relaxed.is': 'The access is atomic, and says nothing about other words. atomicAdd, ' +
        'atomicCAS and atomicExch are relaxed too.',
    'term.release': 'memory_order_release',
    'term.release.is': 'All that the thread did before this store comes before it, for a ' +
        'thread that reads the stored value with acquire.',
    'term.acquire': 'memory_order_acquire',
    'term.acquire.is': 'Of a load that reads the value that a release has stored: what the ' +
        'thread does after this load sees all that the other thread did before that release.',
    'term.seed': 'seed',
    'term.seed.is': 'A number. Race mode draws from it which thread goes next. The same seed ' +
        'gives the same run.',
    'term.numbers': 'block 2, thread 16',
    'term.numbers.is': 'The threads of a kernel stand in blocks. Both are counted from 0: ' +
        'blockIdx.x and threadIdx.x.',
    'term.prefixes': 'd_, s_',
    'term.prefixes.is': 'The beginning of a name. d_ is memory of the device, which is the ' +
        'GPU: all threads share it. s_ is shared memory: the threads of one block share it.',
    'term.scope': 'scope',
    'term.scope.is': 'The threads for which an atomic access or a fence holds: those of one ' +
        'block, of the device (one GPU), or of the system (all GPUs and the host).',
    'term.kernel': 'kernel',
    'term.kernel.is': 'A function with __global__ before it. The host, which is the CPU, ' +
        'launches it, and many threads of the GPU run it.',
    'term.word': 'word',
    'term.word.is': 'A place in memory for one number, here of 4 bytes: an int.',
    'term.block': 'block',
    'term.block.is': 'A group of threads that the GPU runs together. In this level each block ' +
        'has one thread. Threads of different blocks share the global memory only.',
    'term.fence': '__threadfence',
    'term.fence.is': 'A memory fence. One thread has a fence before an atomic, and another one a ' +
        'fence behind an atomic on the same word, which finds what the first has written. Then ' +
        'all that the first thread did before its fence comes before all that the second one ' +
        'does behind its own.',
    'term.nanosleep': '__nanosleep',
    'term.nanosleep.is': 'The thread rests for a moment, and then goes on.',

    'level.lost_update': 'The lost update',
    'level.lost_update.before': 'Two threads add 1 to the same word x. Each does it in two ' +
        'steps: it reads x, and then it writes what it has read plus 1.',
    'level.lost_update.aim': 'Let an update be lost: x shall end as 1.',
    'level.lost_update.after': 'Both threads had read x before the other one wrote it. So ' +
        'both wrote 1, and one addition is lost. This happens in four of the six orders.',
    'level.three_threads': 'Two lost updates',
    'level.three_threads.before': 'Three threads do the same. Three additions should make 3.',
    'level.three_threads.aim': 'Lose two of the three updates: x shall end as 1.',
    'level.three_threads.after': 'The last write is all that counts. It came from a thread ' +
        'that had read 0, so whatever the others wrote is gone. The more threads meet, the ' +
        'more can be lost.',
    'level.atomic_add': 'An atomic addition',
    'level.atomic_add.before': 'Now each thread calls atomicAdd. It reads x, adds 1 and writes ' +
        'x, all in one step.',
    'level.atomic_add.aim': 'Let an update be lost: x shall end as less than 3.',
    'level.atomic_add.after': 'An update is lost only when another thread writes between a ' +
        'read and its write. Here there is no such moment, and all six orders end with 3.',
    'level.cas_no_retry': 'Compare and swap, without a second try',
    'level.cas_no_retry.before': 'atomicCAS writes only if the word still holds the value ' +
        'that the thread has read. Here each thread tries it once.',
    'level.cas_no_retry.aim': 'Let an update be lost: x shall end as 1.',
    'level.cas_no_retry.after': 'The atomicCAS that came too late found another value, and ' +
        'wrote nothing. Nothing was overwritten, but its addition is lost all the same: the ' +
        'thread must look whether it failed, and try again.',
    'level.cas_loop': 'Compare and swap, in a loop',
    'level.cas_loop.before': 'The same atomicCAS in a loop: a thread that comes too late ' +
        'takes the value that it found, and tries again with it.',
    'level.cas_loop.aim': 'Let an update be lost: x shall end as 1.',
    'level.cas_loop.after': 'A thread leaves the loop only when its atomicCAS has written, ' +
        'and then no other write came after its read. So each addition is there at the end, ' +
        'in every order.',
    'level.use_then_add': 'Use a place, then count it',
    'level.use_then_add.before': 'Two threads write into a list: thread 0 writes 1, and thread ' +
        '1 writes 2. Each reads how many places are taken, writes into the next one, and ' +
        'then adds 1 to the count by atomicAdd.',
    'level.use_then_add.aim': 'Let an entry be lost: one thread shall overwrite the other.',
    'level.use_then_add.after': 'Both threads had read the same count, so both wrote into the ' +
        'same place. The atomicAdd came too late: it helps only where a thread uses the value ' +
        'that it returns.',
    'level.old_values': 'The value that an atomic returns',
    'level.old_values.before': 'Each of three threads calls atomicAdd first, and writes into ' +
        'the place whose number it returns: the old value. Thread 0 writes 1, thread 1 ' +
        'writes 2, thread 2 writes 3.',
    'level.old_values.aim': 'Let an entry be lost: two threads shall get the same place.',
    'level.old_values.after': 'Each atomicAdd finds another value, so each thread has a place ' +
        'of its own. The order of the entries differs from run to run, but none is lost.',
    'level.tree_without_barrier': 'The tree without its barrier',
    'level.tree_without_barrier.before': 'Two threads add four numbers, 1 to 4, in a tree. ' +
        'First thread 0 adds s[2] to s[0], and thread 1 adds s[3] to s[1]. Then thread 0 adds ' +
        's[1] to s[0]. Between the two a barrier is missing: a point where each thread waits ' +
        'until all have come.',
    'level.tree_without_barrier.aim': 'Let the sum in s[0] be wrong: anything but 10.',
    'level.tree_without_barrier.after': 'Thread 0 read s[1] before thread 1 had added to it. ' +
        'With a __syncthreads() between the two additions, no thread begins the second before ' +
        'both have made the first.',
    'level.message': 'Half a message',
    'level.message.before': 'Block 0 writes the two digits of 42 and then sets a flag. Block ' +
        '1 waits for the flag and reads the digits. Nothing puts the flag in order with the ' +
        'digits, so a read may get an old value although a newer one was written.',
    'level.message.aim': 'Let block 1 receive half of the message: 40.',
    'level.message.after': 'The flag was set, and block 1 saw it. The second digit was written ' +
        'before the flag, and block 1 still read the old one: a relaxed flag says nothing ' +
        'about other words. If each read got the newest value, no order would give this ' +
        'result, but a GPU may do it.',
    'level.message_released': 'A message with release and acquire',
    'level.message_released.before': 'The same message. Now the flag is stored with release ' +
        'and loaded with acquire.',
    'level.message_released.aim': 'Let block 1 receive anything but 42.',
    'level.message_released.after': 'A load with acquire that reads what a store with release ' +
        'has written sees all that was written before it. So after the flag both digits are ' +
        'there.',
    'level.last_block': 'The last block adds up',
    'level.last_block.before': 'Block 0 writes the partial sum 40, and block 1 writes 2. Then ' +
        'each block counts itself as done. The block that finds the other one done adds up ' +
        'both. A block has no fence between the write of its partial sum and the atomicAdd that ' +
        'counts it.',
    'level.last_block.aim': 'Let the sum be wrong.',
    'level.last_block.after': 'The last block saw the count of the other block, but not yet ' +
        'its partial sum. The count orders nothing but itself.',
    'level.last_block_fenced': 'The last block, with its fences',
    'level.last_block_fenced.before': 'The same, with a __threadfence() before the atomicAdd ' +
        'and another one after it.',
    'level.last_block_fenced.aim': 'Let the sum be wrong.',
    'level.last_block_fenced.after': 'The first fence puts the partial sum before the count, ' +
        'and the second one puts the reads after it. So a block that sees the count sees the ' +
        'partial sum too.',
    'level.lock_in_two_steps': 'A lock in two steps',
    'level.lock_in_two_steps.before': 'A thread waits until the lock is free, and then takes ' +
        'it: a read, and a write. While it holds the lock, it adds 1 to x. The steps from taking ' +
        'the lock to giving it back are the critical section: one thread at a time should be in ' +
        'it. In this level each read gets the newest value.',
    'level.lock_in_two_steps.aim': 'Let both threads be in the critical section at once.',
    'level.lock_in_two_steps.after': 'Both threads found the lock free before the other one ' +
        'took it. It is the lost update once more: to look and to take must be one step.',
    'level.lock_without_fence': 'A lock without a fence',
    'level.lock_without_fence.before': 'atomicCAS takes the lock in one step. So one thread at ' +
        'a time is in the critical section. But there is no fence, so the next thread may ' +
        'read an old value of what the last one has written there.',
    'level.lock_without_fence.aim': 'Let an update be lost although no two threads are in the ' +
        'critical section at once: x shall end as 1.',
    'level.lock_without_fence.after': 'The lock was held by one thread at a time, and the ' +
        'second one still read the old x. A lock has a second duty beside keeping others out: ' +
        'its next holder must see all that the last one did.',
    'level.mutex': 'A mutex with two fences',
    'level.mutex.before': 'atomicCAS takes the lock, a fence follows it, and another fence ' +
        'stands before the lock is given back.',
    'level.mutex.aim': 'Let x end as 1, or let both threads be in the critical section at once.',
    'level.mutex.after': 'A thread that finds the lock taken must wait. When it has the lock, ' +
        'the two fences let it see all that the last holder did. So no order loses an update, ' +
        'and no read is old.',
    'level.two_locks': 'Two locks in two orders',
    'level.two_locks.before': 'Each thread needs both locks. Thread 0 takes a and then b. ' +
        'Thread 1 takes b and then a.',
    'level.two_locks.aim': 'Let both threads wait without end.',
    'level.two_locks.after': 'Each thread holds the lock that the other one waits for: a ' +
        'deadlock. If all threads take the locks in the same order, it cannot happen.',
    'level.barrier_twice': 'A barrier that is used twice',
    'level.barrier_twice.before': 'Two blocks meet at a barrier, twice: neither may go on ' +
        'before the other has come. Each adds 1 to the count. The last to come sets it back to ' +
        '0, and the other one waits until it is 0.',
    'level.barrier_twice.aim': 'Let both blocks wait without end.',
    'level.barrier_twice.after': 'The last block set the count to 0, went on, and came to the ' +
        'next meeting before the first block had looked. The first block never saw the 0. So ' +
        'each round needs a sign of its own, such as a number that only grows.',
  },
};

let language = 'en';

// The name of the table whose language is `asked`, such as zh-CN for zh or zh-Hans-CN; else 'en'.
export function languageFor(asked, tables) {
  const base = (name) => name.split('-')[0].toLowerCase();
  return Object.keys(tables).find((name) => base(name) === base(asked)) ?? 'en';
}

// From now on, say() speaks `name`, with the sentences of `table`.
export function speak(name, table = sentences.en) {
  sentences[name] = table;
  language = name;
}

// The sentence of a key, with its places filled; in English, where the language has none. Throws
// for a key that is in neither table.
export function say(key, values = {}) {
  const sentence = sentences[language][key] ?? sentences.en[key];
  if (sentence === undefined) throw new Error(`no sentence for the key ${key}`);
  const filled = sentence.replace(/\{(\w+)\}/g, (_, name) => {
    if (values[name] === undefined) throw new Error(`the sentence ${key} needs ${name}`);
    return values[name];
  });
  // Chinese puts no blank between its own characters, but one beside a letter or a digit.
  return filled.replace(/([\u3000-\u9fff\uff00-\uffef]) (?=[\u4e00-\u9fff])/g, '$1');
}

export function hasSentence(key) {
  return sentences[language][key] !== undefined;
}
