// The figures of many worlds of a host that may restart.
import type { RestartResult } from './play.js';

export interface RestartFigures {
  runs: number;
  readonly broken: { readonly run: number; readonly rule: string; readonly text: string }[];
  restarts: number;
  powerOffs: number;
  staysUp: number;
  cutsAfterAll: number;
  kills: number;
}

export const blankFigures = (): RestartFigures => ({
  ...{ runs: 0, broken: [], restarts: 0, powerOffs: 0, staysUp: 0, cutsAfterAll: 0, kills: 0 },
});

const counted = ['restarts', 'powerOffs', 'staysUp', 'cutsAfterAll', 'kills'] as const;

export function countRun(into: RestartFigures, run: number, { broken, figures }: RestartResult): void {
  into.runs += 1;
  for (const name of counted) into[name] += figures[name];
  if (broken !== null)
    into.broken.push({ run, rule: broken.rule, text: `${String(broken.atMs)} ms: ${broken.text}` });
}

export function addFigures(into: RestartFigures, part: RestartFigures): void {
  into.runs += part.runs;
  for (const name of counted) into[name] += part[name];
  into.broken.push(...part.broken);
}

/** For a campaign (campaign.ts). */
export const ofRestarts = {
  entry: new URL('./thread.js', import.meta.url),
  blank: blankFigures,
  add: addFigures,
};

export function inWords({ runs, restarts, powerOffs, staysUp, cutsAfterAll, kills }: RestartFigures): string {
  return (
    `${String(runs)} worlds: ${String(restarts)} restarts, ${String(powerOffs)} commands to power off, ${String(staysUp)} hosts that ` +
    `stayed up, ${String(cutsAfterAll)} cuts at the last step, ${String(kills)} ends of a daemon`
  );
}
