// Polls as the supervisor gets them: a reading as its difference to the one that was sent before.
import type { PollReport, UpsPolled } from '../../../shared/protocol/poller.js';
import type { NumberedReading } from '../../../shared/protocol/reading-change.js';
import { changeOf } from '../../../shared/protocol/reading-change.js';

export class PollReports {
  /** The link delivers in order and loses nothing. */
  #sent: NumberedReading | null = null;
  #readings = 0;

  /** Called for each poll that is sent, in order. */
  of({ outcome, ...times }: UpsPolled): PollReport {
    if (outcome.kind === 'failed') return { ...times, outcome };
    const { reading, variables } = outcome;
    const next = { number: (this.#readings += 1), reading, variables };
    const change = changeOf(this.#sent, next);
    this.#sent = next;
    return { ...times, outcome: { kind: 'reading', change } };
  }

  /** The next reading is sent whole. */
  restart(): void {
    this.#sent = null;
  }
}
