// The outputs of the UPSes, which the pollers turn off at the end of a plan.
import type { CutOutput } from '../../../supervisor/sequence/phases/ups-output.js';
import type { PlantClock } from './plant-clock.js';
import type { OutputSpec } from './plant.js';

/** upsd answers immediately. */
const answerMs = 20;

interface Told {
  asked(ups: string): void;
  /** The UPS has accepted the command and acts after the delay by itself. */
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
        resolve({ ok: true, value: { warning: '' } });
      });
    });
}
