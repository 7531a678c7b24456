// The words that a page explains: those of its sentences, and those of CUDA in its source.

// What stands in a source, by the term that explains it.
export const termsInSource = {
  kernel: /__global__/, atomicExch: /atomicExch/, atomicCAS: /atomicCAS/, atomic_ref: /atomic_ref/,
  relaxed: /memory_order_relaxed/, release: /memory_order_release/,
  acquire: /memory_order_acquire/, fence: /__threadfence/, nanosleep: /__nanosleep/,
};

export const termsOfRuns = ['seed', 'word', 'numbers', 'prefixes', 'scope'];

function inSources(sources) {
  const text = sources.flatMap((source) => source.ranges).flatMap((range) => range.lines)
      .join('\n');
  return Object.keys(termsInSource).filter((name) => termsInSource[name].test(text));
}

// Of a tree, with those that its level's sentences need.
export function termsOfTree(sources, ofLevel = []) {
  return [...new Set([...ofLevel, ...inSources(sources)])];
}

// Of a recorded run.
export function termsOfRun(run, trace) {
  const stands = {
    seed: trace.seed !== undefined,
    word: run.words.length > 0,
    numbers: run.threads.some((_, thread) => /\d\D+\d/.test(run.nameOf(thread))),
    prefixes: run.words.some((word) => /\b[ds]_/.test(word.name)),
    scope: run.steps.some((step) => step.kind === 'fence' ||
        ![undefined, 'device'].includes(step.scope)),
  };
  return [...termsOfRuns.filter((name) => stands[name]), ...inSources(run.sources)];
}
