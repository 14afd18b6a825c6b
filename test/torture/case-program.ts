// The program of one case, started by nest.ts in namespaces of its own: plays it and writes the verdict as one line. Told to
// end, it heals what it has inflicted first.
import { inspect } from 'node:util';
import type { Case } from './fault.js';
import { play } from './course.js';
import { faultNamed } from './faults/catalogue.js';
import { Ground } from './ground.js';
import type { Verdict } from './judge.js';
import { judge } from './judge.js';
import { notLaidOut } from './limits.js';
import { FaultSet } from './plight.js';
import type { Need } from './site.js';

const of = JSON.parse(process.argv[2] ?? '') as Case;
const keepsLog = process.argv.includes('--log');
const faults = of.faults.map(faultNamed);
const needs = new Set<Need>(faults.flatMap(({ needs }) => needs ?? []));
const plight = FaultSet.of(of);
// The first process of its namespace gets no signal that it does not handle.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => void plight.healAtOnce().then(() => process.exit(1)));
const ground = await Ground.build(needs).catch((error: unknown) => {
  process.stderr.write(`${inspect(error)}\n`);
  process.exit(notLaidOut);
});
const left: string[] = [];
const verdict = await judged().finally(() =>
  ground.stop().catch((error: unknown) => left.push(`it did not end and leave nothing: ${String(error)}`)),
);
process.stdout.write(`${JSON.stringify({ ...verdict, broken: [...verdict.broken, ...left] })}\n`);
process.exit(0);

async function judged(): Promise<Verdict> {
  const sight = await play(ground, of, plight);
  if (keepsLog) process.stderr.write(`${sight.log}\n${JSON.stringify(sight.notes)}\n`);
  return judge(of, faults, sight, ground.polls, ground.health);
}
