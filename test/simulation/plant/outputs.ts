// The outputs of the UPSes as their pollers cut them at the end of a plan, and as mains that are back restore them.
import type { CutOutput } from '../../../supervisor/sequence/phases/ups-output.js';
import type { PlantClock } from './plant-clock.js';
import type { OutputSpec } from './plant.js';

/** upsd answers at once. */
const answerMs = 20;

interface Told {
  asked(ups: string): void;
  /** It has taken the command, and acts so much later. It needs nobody for it. */
  cuts(ups: string, delayMs: number): void;
}

export function cuttingOutputs(around: PlantClock, outputs: readonly OutputSpec[], told: Told): CutOutput {
  return (ups, deadlineMs) =>
    new Promise((resolve) => {
      told.asked(ups);
      const output = outputs.find((one) => one.ups === ups);
      if (output === undefined || output.behaviour === 'hangs') {
        around.after(deadlineMs, () =>
          resolve({ ok: false, error: { code: 'DEADLINE_EXCEEDED', message: 'no answer' } }),
        );
        return;
      }
      around.after(answerMs, () => {
        if (output.behaviour === 'refuses') {
          resolve({ ok: false, error: { code: 'UNAVAILABLE', message: 'refused' } });
          return;
        }
        told.cuts(ups, output.offDelaySeconds * 1000);
        resolve({ ok: true, value: { output: 'ok' } });
      });
    });
}
