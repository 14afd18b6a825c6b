// The report of a run that broke a promise: the seed, the promise, and a transcript for test/scenarios.
import { play } from './play.js';
import { shrunk } from './shrink.js';
import type { Scenario } from './scenario.js';
import { TranscriptWriter } from './transcript.js';
import { withEffects } from '../transcript/print.js';
import type { Violation } from './invariants/moment.js';
import type { Observer } from './observer.js';

export interface Finding {
  readonly violation: Violation;
  readonly text: string;
}

/** Plays `scenario` again and writes a transcript; null if it keeps every promise. */
export async function findingOf(scenario: Scenario): Promise<Finding | null> {
  const { violation } = await play(scenario);
  if (violation === null) return null;
  const short = await shrunk(scenario, violation.rule);
  let writer: TranscriptWriter | undefined;
  const result = await play(short, (judge: Observer, world) => (writer = new TranscriptWriter(judge, world)));
  const last = result.violation ?? violation;
  const worldEvents = short.worldEvents.map(
    ({ atMs, worldEvent }) => `#   ${String(atMs)} ms ${JSON.stringify(worldEvent)}`,
  );
  const heading = [
    `# Broken: ${last.rule}`,
    `# ${last.text}`,
    `# after ${String(Math.round(last.atMs))} ms of a world in which this happened:`,
    ...worldEvents,
    `#   each death costs ${JSON.stringify(short.site.losses)}`,
  ];
  return { violation: last, text: [...heading, withEffects(writer?.text ?? '')].join('\n') };
}
