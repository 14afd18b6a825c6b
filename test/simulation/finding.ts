// A run that breaks a promise, as it is shown: its seed, the promise, and a transcript to make a scenario of.
import { play } from './play.js';
import { shrunk } from './shrink.js';
import type { Story } from './site.js';
import { Scribe } from './transcript.js';
import { withEffects } from '../transcript/print.js';
import type { Violation } from './oracle/court.js';
import type { Observer } from './witness.js';

export interface Finding {
  readonly violation: Violation;
  readonly text: string;
}

/** Plays `story` again and writes down what it comes to; null when it breaks nothing. */
export async function findingOf(story: Story): Promise<Finding | null> {
  const { violation } = await play(story);
  if (violation === null) return null;
  const short = await shrunk(story, violation.rule);
  let scribe: Scribe | undefined;
  const verdict = await play(short, (oracle: Observer, world) => (scribe = new Scribe(oracle, world)));
  const last = verdict.violation ?? violation;
  const acts = short.acts.map(({ atMs, act }) => `#   ${String(atMs)} ms ${JSON.stringify(act)}`);
  const heading = [
    `# Broken: ${last.rule}`,
    `# ${last.text}`,
    `# after ${String(Math.round(last.atMs))} ms of a world in which this happened:`,
    ...acts,
  ];
  return { violation: last, text: [...heading, withEffects(scribe?.text ?? '')].join('\n') };
}
