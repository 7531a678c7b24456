// A step in words: whole sentences for people who read or hear them, and the two short lines of its
// box.
import { Run } from './model.js';
import { say } from './sentences.js';

export function valueText(value) {
  return value ?? say('words.unknown');
}

function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const orders = {
  relaxed: 'order.relaxed',
  acquire: 'order.acquire',
  release: 'order.release',
  acq_rel: 'order.acq_rel',
  seq_cst: 'order.seq_cst',
};
const scopes = {
  thread: 'scope.thread', block: 'scope.block', device: 'scope.device', system: 'scope.system',
};

function scopeOf(step) {
  return step.scope ? say(scopes[step.scope]) : '';
}

// `takes` and `frees` say what an access does to a lock.
export function lockRole(run, step) {
  if (step.word === undefined || step.fault || run.words[step.word].role !== 'lock') return null;
  if (Run.failed(step)) return 'fails';
  if (!Run.writes(step) || step.thread === null) return null;
  return step.after === run.words[step.word].first ? 'frees' : 'takes';
}

function mainSentence(run, index) {
  const step = run.steps[index];
  const values = {
    thread: step.thread === null ? '' : run.nameOf(step.thread),
    word: step.word === undefined ? '' : run.words[step.word].name,
    before: valueText(step.before),
    after: valueText(step.after),
    got: valueText(step.got),
    function: step.function ?? '',
    scope: scopeOf(step),
    count: step.count ?? 1,
    times: step.times ?? 1,
  };
  if (step.fault) return say('step.fault', values);
  const role = lockRole(run, step);
  const key = values.word === 'lock' ? '.lock' : '';  // such a word needs no other name
  if (role === 'fails') return say(`step.waits${key}`, values);
  if (role !== null && step.kind !== 'load') return say(`step.${role}${key}`, values);
  switch (step.kind) {
    case 'atomic':
      if (Run.failed(step)) return say('step.failed', values);
      if (step.function === undefined) return say('step.atomic', values);
      return say(step.before === step.after ? 'step.atomic.same' : 'step.atomic.named', values);
    case 'fence':
      return say(step.scope ? 'step.fence' : 'step.fence.plain', values);
    case 'barrier': {
      const meeting = run.meetings.get(step.meeting) ?? [];
      const last = meeting.length > 1 && meeting[meeting.length - 1] === index;
      return say(last ? 'step.barrier.last' : 'step.barrier', values);
    }
    case 'launch': {
      const launch = run.launches[step.launch];
      return launch ? say('step.launch', { ...values, kernel: launch.kernel })
                    : say('step.launch.plain', values);
    }
    case 'copy':
      if (step.word !== undefined) return say('step.copy.word', values);
      return say(step.function ? 'step.copy' : 'step.copy.plain', values);
    case 'warp':
    case 'host':
      return say(step.function ? `step.${step.kind}` : `step.${step.kind}.plain`, values);
    case 'others':
      if (step.count === undefined) return say('step.others.between', values);
      return say(step.count > 1 ? 'step.others' : 'step.others.once', values);
    default:
      return say(`step.${step.kind}`, values);
  }
}

// All that is to say of the step with this index, as a list of sentences.
export function sentencesOf(run, index) {
  const step = run.steps[index];
  const all = [capital(mainSentence(run, index))];
  if (step.times > 1) all.push(say('step.times', { times: step.times }));
  if (step.stale) {
    all.push(typeof step.reads === 'number'
        ? say('step.stale', { thread: writerOf(run, step.reads), step: step.reads + 1 })
        : say('step.stale.first'));
    const newer = run.lastWrite(step.word, index);
    if (newer >= 0) {
      all.push(say('step.stale.newer', { thread: writerOf(run, newer), step: newer + 1 }));
    }
  } else if (typeof step.reads === 'number' && run.steps[step.reads].thread !== step.thread) {
    all.push(say('step.saw', { thread: writerOf(run, step.reads), step: step.reads + 1 }));
  }
  // Of many edges of one kind, such as a barrier's, the last one says it.
  const kinds = new Map((step.edges ?? []).map((edge) => [edge.kind, edge]));
  for (const [kind, edge] of kinds) {
    all.push(say(`step.edge.${kind}`, { thread: writerOf(run, edge.from), step: edge.from + 1 }));
  }
  // A relaxed access of device scope orders nothing, and a fence is one of both kinds.
  const isPlain = step.kind === 'fence' ? step.order === 'seq_cst'
      : step.order === 'relaxed' && ['device', 'system', undefined].includes(step.scope);
  if (step.order && !isPlain) {
    const order = say(orders[step.order]);
    if (step.kind === 'fence') all.push(say('step.order.fence', { order }));
    else if (!step.scope) all.push(say('step.order.plain', { order }));
    else all.push(say('step.order', { order, scope: scopeOf(step) }));
  }
  return all;
}

// What a report says of its last step, in one sentence.
export function reportSentence(run, report) {
  if (report.missing) {
    const other = Math.min(report.missing.from, report.missing.to);
    return say('missing.now', { kind: report.kind, thread: writerOf(run, other), step: other + 1 });
  }
  return say('report.now', { kind: report.kind });
}

function writerOf(run, index) {
  const thread = run.steps[index].thread;
  return thread === null ? say('words.others') : run.nameOf(thread);
}

// The same of a step that can be chosen. Whether a compare-and-swap will fail is not told before:
// only a lock shows that it is taken.
export function choiceOf(run, step) {
  if (!Run.failed(step) || lockRole(run, step) === 'fails') return boxOf(run, step);
  const values = { word: run.words[step.word].name, function: functionOf(step) };
  return [say(step.function ? 'box.atomic.named' : 'box.atomic', values), ''];
}

// Without its namespace or object.
function functionOf(step) {
  return (step.function ?? '').replace(/^.*::/, '');
}

// The two lines of a step's box.
export function boxOf(run, step) {
  const word = step.word === undefined ? '' : run.words[step.word].name;
  const values = {
    word,
    before: valueText(step.before),
    after: valueText(step.after),
    got: valueText(step.got),
    function: functionOf(step),
  };
  if (step.fault) return [say('box.fault'), word];
  const change = say('box.change', values);
  if (step.times > 1) return [say('box.again', values), say('box.times', { times: step.times })];
  const role = lockRole(run, step);
  if (role === 'fails') return [say('box.failed', values), say('box.found', values)];
  if (role !== null && step.kind !== 'load') return [say(`box.${role}`, values), change];
  switch (step.kind) {
    case 'load':
      return [say('box.load', values), step.stale ? say('box.old', values) : values.got];
    case 'store':
      return [say('box.store', values), change];
    case 'atomic':
      if (Run.failed(step)) return [say('box.failed', values), say('box.found', values)];
      return [say(step.function ? 'box.atomic.named' : 'box.atomic', values), change];
    case 'fence':
      return [say('box.fence'), scopeOf(step)];
    case 'copy':
      return [say('box.copy', values), word ? change : values.function];
    case 'launch': {
      const launch = run.launches[step.launch];
      return [say('box.launch'), launch ? launch.kernel : ''];
    }
    case 'warp':
    case 'host':
      return [say(step.function ? `box.${step.kind}` : `box.${step.kind}.plain`, values), ''];
    case 'others':
      return [say(step.count === undefined ? 'box.others.between' : 'box.others', values), ''];
    default:
      return [say(`box.${step.kind}`, values), ''];
  }
}
