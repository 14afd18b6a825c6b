// The banner: the one thing that matters now and what happens next. Its title is read out by screen readers, so it
// holds nothing that ticks; what ticks stands in the lines below it.
import type { UpsRow } from '../shared/domain/status-model.js';
import {
  capitalised,
  detailInWords,
  durationInWords,
  headlineOf,
  onBattery,
  prospectOf,
  triggerInWords,
} from '../shared/domain/wording.js';
import type { Knowledge } from './daemon.js';
import { arrange, byId, make, say, setClass } from './dom.js';
import { phaseInWords } from './view-plan.js';

interface Alert {
  readonly tone: 'danger' | 'warning' | 'rehearsal' | 'note';
  readonly title: string;
  readonly lines: readonly string[];
}

export class AlertView {
  readonly #root = byId('alert');
  readonly #title = make('p', 'alert-title');
  readonly #lines = make('div', 'alert-lines');

  constructor() {
    this.#title.setAttribute('aria-live', 'assertive');
    this.#root.append(this.#title, this.#lines);
  }

  /** `silentSeconds`: since the daemon last answered. */
  show(known: Knowledge, silentSeconds: number): void {
    const alert = alertOf(known, silentSeconds);
    this.#root.hidden = alert === null;
    if (alert === null) {
      say(this.#title, '');
      return;
    }
    setClass(this.#root, `alert ${alert.tone}`);
    say(this.#title, alert.title);
    const lines = alert.lines.map((text, index) => {
      const line = this.#lines.children[index] ?? make('p');
      say(line, text);
      return line;
    });
    arrange(this.#lines, lines);
  }
}

function alertOf(known: Knowledge, silentSeconds: number): Alert | null {
  if (known.trouble !== null)
    return {
      tone: 'danger',
      title: known.answeredMs === null ? 'The daemon cannot be reached' : 'Contact with the daemon is lost',
      lines: [
        known.answeredMs === null
          ? 'Nothing is known about your UPSes.'
          : `Everything below is what was known ${durationInWords(silentSeconds)} ago, and may be wrong now.`,
        'On its machine, "ridethrough status" and "systemctl status ridethrough" say whether it runs.',
      ],
    };
  return sequenceAlert(known) ?? outageAlert(known) ?? readinessAlert(known);
}

/** A sequence that runs, or that has ended in an outage that goes on. */
function sequenceAlert({ sequence, status }: Knowledge): Alert | null {
  if (!('group' in sequence)) return null;
  const cause = status?.ups.find(({ groupId }) => groupId === sequence.group);
  if (!sequence.active && cause?.triggerActive !== true) return null;
  const count = (...states: readonly string[]) =>
    sequence.steps.filter(({ state }) => states.includes(state)).length;
  const failed = count('failed');
  const progress = [
    cause === undefined ? '' : `${cause.label}: ${reasonOf(cause)}.`,
    sequence.active ? `Now: ${phaseInWords(sequence.phase)}.` : '',
    `${String(sequence.steps.length - count('pending', 'running'))} of ${String(sequence.steps.length)} steps have ended${failed > 0 ? `, ${String(failed)} of them failed` : ''}.`,
  ]
    .filter((part) => part !== '')
    .join(' ');
  if (sequence.dryRun)
    return {
      tone: 'rehearsal',
      title: sequence.active
        ? 'Rehearsal: this is a dry run, nothing is shut down'
        : 'Rehearsal over: in earnest, everything in the plan would be off now',
      lines: [progress, 'Every step was only recorded. Set behavior.dry_run to false to mean it.'],
    };
  if (!sequence.active)
    return { tone: 'danger', title: 'The shutdown sequence has ended', lines: [progress] };
  return {
    tone: 'danger',
    title: 'Shutting down',
    lines: [
      progress,
      sequence.pointOfNoReturn
        ? `It can no longer be cancelled${sequence.powerBack ? ', although the power is back' : ''}.`
        : 'It is still cancelled if the power returns now.',
    ],
  };
}

function reasonOf(row: UpsRow): string {
  const headline = headlineOf(row).text.toLowerCase();
  return row.triggerReason === '' ? headline : `${headline}, ${triggerInWords(row.triggerReason)}`;
}

function outageAlert({ status, explanations }: Knowledge): Alert | null {
  const rows = status?.ups ?? [];
  const concerned = rows.filter((row) => onBattery(row) || row.triggerActive);
  const unseen = rows.filter((row) => row.connectionState === 'FAILED');
  if (concerned.length > 0) {
    const critical = concerned.some((row) => row.triggerActive || headlineOf(row).tone === 'danger');
    return {
      tone: critical ? 'danger' : 'warning',
      title: concerned.every(onBattery)
        ? `${names(concerned)} ${concerned.length === 1 ? 'is' : 'are'} on battery`
        : `${names(concerned)}: a shutdown trigger is met`,
      lines: [
        ...concerned.flatMap((row) =>
          nextOf(row, explanations.get(row.groupId)?.text).map((line) => `${prefix(row, concerned)}${line}`),
        ),
        ...unseen.map((row) => `${row.label} cannot be seen: ${detailInWords(row.connectionDetail)}.`),
      ],
    };
  }
  if (unseen.length === 0) return null;
  return {
    tone: 'danger',
    title: `${names(unseen)} cannot be seen`,
    lines: unseen.map((row) => `${prefix(row, unseen)}${capitalised(detailInWords(row.connectionDetail))}.`),
  };
}

function readinessAlert({ ready }: Knowledge): Alert | null {
  if (ready === null || ready.ready) return null;
  return { tone: 'note', title: 'Not everything is ready', lines: ready.reasons };
}

function nextOf(row: UpsRow, text: string | undefined): readonly string[] {
  const since = row.timeOnBattery > 0 ? [`For ${durationInWords(row.timeOnBattery)}.`] : [];
  return [...since, ...(text === undefined ? [] : prospectOf(text))];
}

function prefix(row: UpsRow, all: readonly UpsRow[]): string {
  return all.length === 1 ? '' : `${row.label}: `;
}

function names(rows: readonly UpsRow[]): string {
  return rows.map(({ label }) => label).join(', ');
}
