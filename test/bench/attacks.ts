// How long an outage takes to become a command while the API worker is hostile, against the same with one that is not.
import type { Attack } from '../integration/security/attacks.js';
import { fatalAttacks, mildAttacks } from '../integration/security/attacks.js';
import { HostileSite } from '../integration/security/hijacked-api-daemon.js';
import { privateAccountsProblem } from '../fixtures/private-accounts.js';
import type { Figure } from './table.js';

export async function attacks(): Promise<readonly Figure[]> {
  const refusal = privateAccountsProblem();
  if (refusal !== null) return [{ what: 'not measured', value: refusal }];
  const figures = [await figure('no attack', null)];
  for (const { name, act } of [...mildAttacks, ...fatalAttacks]) figures.push(await figure(name, act));
  return figures;
}

async function figure(what: string, act: Attack['act'] | null): Promise<Figure> {
  const site = await HostileSite.start();
  try {
    const { seenMs, commandMs } = await site.outage(act);
    return {
      what,
      value: `${seenMs.toFixed(0)} ms from the driver's file (goal: below 4000)`,
      against: `${commandMs.toFixed(0)} ms from the decision (goal: below 1000)`,
    };
  } finally {
    await site.stop();
  }
}
