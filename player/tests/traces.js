// What the tests play: the levels' trees, and two runs that hold what a run can hold.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

export const player = dirname(dirname(fileURLToPath(import.meta.url)));

export function levelsData() {
  return JSON.parse(readFileSync(`${player}/levels/levels.json`, 'utf8'));
}

// A trace for each program of the levels.
export function treesOfLevels() {
  const program = 'import json; from levels import programs; ' +
      'print(json.dumps([programs.trace_of(one) for one in programs.PROGRAMS]))';
  return JSON.parse(execFileSync('python3', ['-c', program],
      { cwd: player, encoding: 'utf8', maxBuffer: 1 << 26 }));
}

const base = { format: 'race-trace', version: 1, kind: 'run', program: 'example' };
const kernelThread = (block, thread) => ({
  kind: 'kernel', name: `block ${block}, thread ${thread}`, launch: 0, block, thread,
  warp: Math.floor(thread / 32), lane: thread % 32,
});
const word = (name, first, role = 'data') => ({
  name, what: `the int ${name}`, memory: 'global', bytes: 4, type: 'int', role, first,
});
const at = (line) => ({ source: 0, line });

// Two threads add 1 to d_x[0], and one update is lost.
export function lostUpdateRun(seed = 1) {
  return {
    ...base,
    seed,
    sources: [{ file: 'example.cu', ranges: [{ first: 3, lines: [
      '__global__ void add(int* d_x) {', '    const int old = d_x[0];', '    d_x[0] = old + 1;',
      '}',
    ] }, { first: 20, lines: ['    add<<<1, 2>>>(d_x);'] }] }],
    launches: [{ kernel: 'add', place: at(20), grid: [1, 1, 1], block: [2, 1, 1], stream: 0 }],
    threads: [{ kind: 'host', name: 'the host' }, kernelThread(0, 0), kernelThread(0, 1)],
    words: [word('d_x[0]', '0')],
    steps: [
      { thread: 0, kind: 'launch', place: at(20), launch: 0 },
      { thread: 1, kind: 'load', place: at(4), word: 0, before: '0', after: '0', got: '0',
        reads: null, edges: [{ from: 0, kind: 'launch' }] },
      { thread: 2, kind: 'load', place: at(4), word: 0, before: '0', after: '0', got: '0',
        reads: null, edges: [{ from: 0, kind: 'launch' }] },
      { thread: 1, kind: 'store', place: at(5), word: 0, before: '0', after: '1' },
      { thread: 2, kind: 'store', place: at(5), word: 0, before: '1', after: '1' },
      { thread: 1, kind: 'end', place: null },
      { thread: 2, kind: 'end', place: null },
    ],
    reports: [{
      kind: 'DATA RACE', where: 'kernel add, launched at example.cu:20', text: 'the whole report',
      sentences: [{ key: 'race.unordered', text: 'Nothing orders the two.' }],
      steps: [3, 4],
      missing: { from: 3, to: 4, cures: [{ key: 'cure', text: 'One atomic operation.' }] },
    }],
    outcome: { status: 66, lines: ['x = 1'], right: false },
    left_out: { steps: 0, threads: 0, reports: 0, text: '' },
  };
}

// A tree as `scripts/race --outcomes` writes it: block 0 writes d_x[0] twice, and block 1, which
// goes second here, reads it; it may get each of the three values. Nobody says what is right.
export function executionsOfReader() {
  const store = (before, after, line) => ({ thread: 0, kind: 'store', place: at(line), word: 0,
    before, after, volatile: true });
  const load = (got, reads, stale) => ({ thread: 1, kind: 'load', place: at(6), word: 0,
    before: '2', after: '2', got, reads, volatile: true, ...(stale ? { stale } : {}) });
  return {
    ...base,
    kind: 'trees',
    sources: [{ file: 'example.cu', ranges: [{ first: 3, lines: [
      '__global__ void kernel(volatile int* d_x) {', '    d_x[0] = 1;', '    d_x[0] = 2;',
      '    const int seen = d_x[0];', '}', '    kernel<<<2, 1>>>(d_x);',
    ] }] }],
    trees: [{
      name: 'example',
      launches: [{ kernel: 'kernel', place: at(8), grid: [2, 1, 1], block: [1, 1, 1] }],
      threads: [kernelThread(0, 0), kernelThread(1, 0)],
      words: [word('d_x[0]', '0')],
      nodes: [
        { next: [1] },
        { step: store('0', '1', 4), next: [2] },
        { step: store('1', '2', 5), next: [4, 3, 5] },
        { step: load('2', 2, false), next: [], outcome: 0 },
        { step: load('1', 1, true), next: [], outcome: 1 },
        { step: load('0', null, true), next: [], outcome: 2 },
      ],
      outcomes: [
        { lines: ['seen 2'], right: null, times: 1 },
        { lines: ['seen 1'], right: null, times: 1, only_stale: true },
        { lines: ['seen 0'], right: null, times: 1, only_stale: true },
      ],
      orders: 3,
      complete: true,
    }],
  };
}

// A step of each kind, a stale read, a fault, a lock, edges of each kind, a line in a library.
export function everyKindOfStep() {
  return {
    ...base,
    program: 'every_kind',
    seed: 7,
    sources: [
      { file: 'example.cu', ranges: [{ first: 1, lines:
        Array.from({ length: 40 }, (_, index) => `    line ${index + 1} <b>&amp;</b>`) }] },
      { file: 'common/lock.cuh', ranges: [{ first: 30, lines: ['void lock() {', '    cas'] }] },
    ],
    launches: [{ kernel: 'work', place: at(30), grid: [2, 1, 1], block: [1, 1, 1], stream: 0 }],
    threads: [{ kind: 'host', name: 'the host' }, { kind: 'stream', name: 'stream 1', stream: 1 },
      kernelThread(0, 0), kernelThread(1, 0), { kind: 'copy', name: 'the copy of block 0' }],
    words: [word('x', null), word('lock', '0', 'lock'), word('flag', '0', 'flag'),
      word('count', '0', 'counter')],
    steps: [
      { thread: 0, kind: 'host', place: at(28), function: 'cudaMalloc' },
      { thread: 0, kind: 'launch', place: at(30), launch: 0 },
      { thread: 1, kind: 'copy', place: at(29), function: 'cudaMemcpyAsync', word: 0, before: null,
        after: '5', edges: [{ from: 1, kind: 'stream' }] },
      { thread: 2, kind: 'atomic', place: { source: 1, line: 31 }, called_from: at(5),
        function: 'atomicCAS', word: 1, before: '0', after: '1', got: '0', reads: null,
        order: 'relaxed', scope: 'device', edges: [{ from: 1, kind: 'launch' }] },
      { thread: 2, kind: 'fence', place: at(6), function: '__threadfence', order: 'seq_cst',
        scope: 'device' },
      { thread: 3, kind: 'atomic', place: { source: 1, line: 31 }, called_from: at(5),
        function: 'atomicCAS', word: 1, before: '1', after: '1', got: '1', reads: 3,
        order: 'relaxed', scope: 'device' },
      { thread: 2, kind: 'load', place: at(7), word: 0, before: '5', after: '5', got: '5',
        reads: 2 },
      { thread: 2, kind: 'store', place: at(8), word: 0, before: '5', after: '6' },
      { thread: 2, kind: 'store', place: at(9), word: 2, before: '0', after: '1', order: 'release',
        scope: 'device' },
      { thread: 3, kind: 'load', place: at(10), word: 2, before: '1', after: '1', got: '1',
        reads: 8, order: 'acquire', scope: 'device',
        edges: [{ from: 8, kind: 'release-acquire' }] },
      { thread: 3, kind: 'load', place: at(11), word: 0, before: '6', after: '6', got: '5',
        reads: 2, stale: true },
      { thread: 4, kind: 'copy', place: at(12), function: 'memcpy_async' },
      { thread: 2, kind: 'wait', place: at(13), edges: [{ from: 11, kind: 'copy' }] },
      { thread: null, kind: 'others', place: null, word: 3, before: '0', after: '7', count: 7 },
      { thread: 2, kind: 'atomic', place: at(14), function: 'atomicAdd', word: 3, before: '7',
        after: '8', got: '7', reads: 13, order: 'relaxed', scope: 'block' },
      { thread: 2, kind: 'warp', place: at(15), function: '__shfl_sync', meeting: 0 },
      { thread: 2, kind: 'barrier', place: at(16), meeting: 1 },
      { thread: 3, kind: 'barrier', place: at(16), meeting: 1,
        edges: [{ from: 16, kind: 'barrier' }] },
      { thread: 2, kind: 'atomic', place: at(17), word: 1, before: '1', after: '0',
        function: 'atomicExch', got: '1', reads: 3 },
      { thread: 3, kind: 'store', place: at(18), fault: true, word: 0, before: null, after: null },
      { thread: 2, kind: 'end', place: null },
      { thread: 0, kind: 'wait', place: at(31) },
    ],
    reports: [
      { kind: 'STALE VALUE', where: 'kernel work', text: 'the old value', sentences: [],
        steps: [10], missing: null },
      { kind: 'OUT OF BOUNDS', where: 'kernel work', text: 'outside', sentences: [
        { key: 'bounds', text: 'The address is outside.' }], steps: [19], missing: null },
    ],
    outcome: { status: 66, lines: null, right: null },
    left_out: { steps: 12, threads: 3, reports: 0, text: '12 steps of 3 threads are left out.' },
  };
}
