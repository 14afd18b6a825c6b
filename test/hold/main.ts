// `npm run test:hold`: plays the tests of a tree that scripts/test.sh has installed and built in every condition of the matrix, or
// with `--runs N` again and again by the clock of this machine.
import { parseArgs } from 'node:util';
import { errorMessage } from '../../shared/domain/base/error-message.js';
import type { Condition, Level } from './conditions.js';
import { repeated, unitConditions, wholeConditions } from './conditions.js';
import type { Result } from './ledger.js';
import { Ledger } from './ledger.js';
import { play } from './play.js';
import { table } from './table.js';

const usage = `usage: npm run test:hold -- [--ledger FILE] [--only WORDS] [--list]
       npm run test:hold -- --runs N [--all | --units] [--beside LOOPS] [--ledger FILE]
--ledger FILE  keeps the results in FILE; what passed in it is not played again
--only WORDS   plays the conditions whose name contains WORDS`;

const { conditions, file, list } = readArguments();
if (list) {
  process.stdout.write(conditions.map(({ name }) => `${name}\n`).join(''));
  process.exit(0);
}
const stopped = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => stopped.abort(signal));

const ledger = new Ledger(file);
const results: Result[] = [];
const left: string[] = [];
for (const condition of conditions) {
  const earlier = ledger.passed(condition.name);
  const result = earlier ?? (stopped.signal.aborted ? null : await playOne(condition));
  if (result === null) left.push(condition.name);
  else results.push(result);
}
process.stdout.write(`${table(results)}\n`);
const failed = results.filter((result) => result.failed > 0).length;
process.stdout.write(
  `${String(results.length)} conditions played, ${String(failed)} failed, ${String(left.length)} not played${left.map((name) => `\n  ${name}`).join('')}\n`,
);
process.exitCode = failed + left.length === 0 ? 0 : 1;

async function playOne(condition: Condition): Promise<Result | null> {
  process.stderr.write(`${condition.name}\n`);
  const result = await play(condition, stopped.signal, (text) => process.stderr.write(`  ${text}\n`));
  // A run that was stopped tells nothing.
  if (result === null || stopped.signal.aborted) return null;
  ledger.add(result);
  process.stderr.write(
    `  ${String(result.passed)} passed, ${String(result.failed)} failed in ${result.seconds.toFixed(0)} s\n`,
  );
  return result;
}

function readArguments(): { conditions: readonly Condition[]; file: string | undefined; list: boolean } {
  try {
    const [flag, text] = [{ type: 'boolean', default: false } as const, { type: 'string' } as const];
    const options = {
      all: flag,
      beside: text,
      ledger: text,
      list: flag,
      only: text,
      runs: text,
      units: flag,
    };
    const { values } = parseArgs({ options });
    const level: Level = values.all ? 'all' : values.units ? 'units' : 'default';
    const all =
      values.runs === undefined
        ? [...unitConditions, ...wholeConditions]
        : repeated(level, count(values.runs), count(values.beside ?? '0'));
    const conditions = all.filter(({ name }) => name.includes(values.only ?? ''));
    if (conditions.length === 0) throw new Error('there is no such condition: --list prints all');
    return { conditions, file: values.ledger, list: values.list };
  } catch (error) {
    process.stderr.write(`${errorMessage(error)}\n${usage}\n`);
    return process.exit(2);
  }
}

function count(text: string): number {
  if (!/^\d{1,3}$/.test(text)) throw new Error(`${text} is no number of runs or loops`);
  return Number(text);
}
