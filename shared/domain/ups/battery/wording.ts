// A battery's health in words, for the page, the command line and the events. Pure.
import type { BatteryHealth, BatteryReplacement, TermName } from './health.js';

export const termTitles: Readonly<Record<TermName, string>> = {
  capacity: 'Capacity',
  runtime: 'Runtime',
  selfTest: 'Self test',
  anomalies: 'Anomalies',
  age: 'Age',
};

/** `about 2027-03-01, between 2027-01-10 and 2027-05-02`. */
export function replacementInWords({ state, date, earliest, latest }: BatteryReplacement): string {
  switch (state) {
    case 'unknown':
      return 'not known yet';
    case 'none':
      return 'not within ten years as it goes now';
    case 'due':
      return 'due now';
    case 'predicted': {
      const band =
        latest === null ? `not before ${earliest ?? ''}` : `between ${earliest ?? ''} and ${latest}`;
      return `about ${date ?? ''}, ${earliest === latest ? 'by its age alone' : band}`;
    }
  }
}

export function scoreInWords({ score, confidence }: Pick<BatteryHealth, 'score' | 'confidence'>): string {
  return score === null
    ? `unknown (confidence ${percent(confidence)})`
    : `${String(Math.round(score))} of 100 (confidence ${percent(confidence)})`;
}

export function percent(share: number): string {
  return `${String(Math.round(share * 100))} %`;
}
