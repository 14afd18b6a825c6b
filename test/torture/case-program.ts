// The program of one case, started by namespaces.ts: runs the case and prints the result as one line of JSON. On SIGTERM
// it heals its faults first.
import { inspect } from 'node:util';
import type { Case } from './fault.js';
import { runCase } from './case-run.js';
import { faultNamed } from './faults/catalogue.js';
import { Testbed } from './testbed.js';
import type { CaseResult } from './checker.js';
import { checkCase } from './checker.js';
import { FaultSet } from './fault-set.js';

const of = JSON.parse(process.argv[2] ?? '') as Case;
const keepsLog = process.argv.includes('--log');
const faults = of.faults.map(faultNamed);
const faultSet = FaultSet.of(of);
// The first process of a PID namespace only gets signals that it handles.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => void faultSet.healImmediately().then(() => process.exit(1)));
const needs = new Set(faults.flatMap(({ needs }) => needs ?? []));
const hits = faults.flatMap(({ allowance }) => allowance.targets ?? []);
const testbed = await Testbed.build({ needs, hits, patience: of.patience ?? 1 }).catch((error: unknown) => {
  process.stderr.write(`${inspect(error)}\n`);
  process.exit(1);
});
const left: string[] = [];
const result = await runAndCheck();
process.stdout.write(`${JSON.stringify({ ...result, broken: [...result.broken, ...left] })}\n`);
process.exit(0);

async function runAndCheck(): Promise<CaseResult> {
  try {
    const observation = await runCase(testbed, of, faultSet);
    if (keepsLog) process.stderr.write(`${observation.log}\n${JSON.stringify(observation.commandLog)}\n`);
    return checkCase(of, faults, observation, testbed.polls, testbed.health);
  } finally {
    await testbed.stop().catch((error: unknown) => {
      left.push(`it did not end and leave nothing: ${String(error)}`);
    });
  }
}
