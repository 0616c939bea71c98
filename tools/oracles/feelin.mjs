// Answers a grid with feelin. Usage: node feelin.mjs FOLDER < grid.json, where FOLDER holds node_modules.
// The grid: {values: [text], tests: [text], expressions: [text]}. The answer: {version, cells: [[mark]], expressions: [value]};
// a mark is 1 (the cell matches), 0, or ! (refused); a value is {t: type, v: text or parts}.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const require = createRequire(join(resolve(process.argv[2]), 'package.json'));
const entry = require.resolve('feelin');
const { evaluate, unaryTest } = await import(pathToFileURL(entry).href);
const { version } = JSON.parse(readFileSync(join(dirname(dirname(entry)), 'package.json'), 'utf8'));

const TEMPORAL = { FeelDate: 'date', FeelTime: 'time', FeelDateTime: 'date and time', FeelDuration: 'duration' };

function typed(value) {
  if (value === null || value === undefined) return { t: 'null' };
  if (typeof value === 'boolean' || typeof value === 'string') return { t: typeof value, v: value };
  if (typeof value === 'number') return Number.isFinite(value) ? { t: 'number', v: String(value) } : { t: 'null' };
  if (Array.isArray(value)) return { t: 'list', v: value.map(typed) };
  const kind = value.constructor?.name;
  if (kind in TEMPORAL) return { t: 'temporal', v: String(value) };
  if (kind === 'FeelRange') return { t: 'range' };
  if (typeof value === 'function' || kind === 'FeelFunction') return { t: 'function' };
  return { t: 'context', v: Object.fromEntries(Object.entries(value).map(([ key, part ]) => [ key, typed(part) ])) };
}

function guarded(run, refused) {
  try {
    return run();
  } catch {
    return refused;
  }
}

const grid = JSON.parse(readFileSync(0, 'utf8'));
const values = grid.values.map((text) => evaluate(text, {}).value);
const mark = (test, value) => guarded(() => (unaryTest(test, { '?': value }).value === true ? '1' : '0'), '!');
const answer = (text) => guarded(() => typed(evaluate(text, {}).value), { t: 'null' });
process.stdout.write(JSON.stringify({
  version,
  cells: grid.tests.map((test) => values.map((value) => mark(test, value)).join('')),
  expressions: grid.expressions.map(answer),
}));
