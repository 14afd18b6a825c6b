// What the banner says: the worst thing that is so, in words. Decides nothing, draws nothing.
import type { RedundancyRow, UpsRow } from '../../shared/domain/status-model.js';
import {
  capitalised,
  detailInWords,
  durationInWords,
  headlineOf,
  onBattery,
  plainTriggers,
  prospectOf,
  triggerInWords,
} from '../../shared/domain/wording.js';
import type { Knowledge } from '../daemon/knowledge.js';
import { accountOf, silentSeconds } from '../daemon/knowledge.js';
import { counted, phaseInWords } from '../ui/phrases.js';

export interface Alert {
  readonly tone: 'danger' | 'warning' | 'rehearsal' | 'note';
  readonly title: string;
  readonly lines: readonly string[];
}

/** More lines than that are a list, and lists are below. */
const mostLines = 6;

export function alertOf(known: Knowledge): Alert | null {
  return contactAlert(known) ?? sequenceAlert(known) ?? outageAlert(known) ?? readinessAlert(known);
}

function contactAlert(known: Knowledge): Alert | null {
  if (known.contact === 'locked')
    return {
      tone: 'note',
      title: 'This daemon shows itself only to who is signed in',
      lines: known.status === null ? [] : ['Everything below is what was known before the session ended.'],
    };
  if (known.contact !== 'lost') return null;
  const never = known.answeredMs === null;
  return {
    tone: 'danger',
    title: never ? 'The daemon cannot be reached' : 'Contact with the daemon is lost',
    lines: [
      never
        ? 'Nothing is known about your UPSes.'
        : `Everything below is what was known ${durationInWords(silentSeconds(known))} ago, and may be wrong now.`,
      'On its machine, "ridethrough status" and "systemctl status ridethrough" say whether it runs.',
    ],
  };
}

/** A sequence that runs, or that has ended in an outage that goes on. */
function sequenceAlert({ sequence, status }: Knowledge): Alert | null {
  if (!('group' in sequence)) return null;
  const cause = status?.ups.find(({ groupId }) => groupId === sequence.group);
  const group = status?.redundancyGroups.find(({ groupId }) => groupId === sequence.group);
  const goesOn = cause?.triggerActive === true || group?.quorumLost === true;
  if (!sequence.active && !goesOn) return null;
  const ended = sequence.steps.filter(({ state }) => state !== 'pending' && state !== 'running').length;
  const failed = sequence.steps.filter(({ state }) => state === 'failed').length;
  const progress = [
    cause === undefined ? '' : `${cause.label}: ${reasonOf(cause)}.`,
    group === undefined ? '' : `${group.name}: the quorum is lost.`,
    sequence.active ? `Now: ${phaseInWords(sequence.phase)}.` : '',
    `${String(ended)} of ${counted(sequence.steps.length, 'step')} ended${failed > 0 ? `, ${String(failed)} failed` : ''}.`,
  ];
  const line = progress.filter((part) => part !== '').join(' ');
  if (sequence.dryRun)
    return {
      tone: 'rehearsal',
      title: sequence.active
        ? 'Rehearsal: this is a dry run, nothing is shut down'
        : 'Rehearsal over: in earnest, everything in the plan would be off now',
      lines: [line, 'Every step was only recorded. Set behavior.dry_run to false to mean it.'],
    };
  if (!sequence.active) return { tone: 'danger', title: 'The shutdown sequence has ended', lines: [line] };
  const back = sequence.powerBack ? ', although the power is back' : '';
  return {
    tone: 'danger',
    title: 'Shutting down',
    lines: [
      line,
      sequence.pointOfNoReturn
        ? `It can no longer be cancelled${back}.`
        : 'It is still cancelled if the power returns now.',
    ],
  };
}

function reasonOf(row: UpsRow): string {
  const headline = headlineOf(row).text.toLowerCase();
  return row.triggerReason === '' ? headline : `${headline}, ${triggerInWords(row.triggerReason)}`;
}

function outageAlert(known: Knowledge): Alert | null {
  const { status } = known;
  const rows = status?.ups ?? [];
  const lost = status?.redundancyGroups.filter(({ quorumLost }) => quorumLost) ?? [];
  const concerned = rows.filter((row) => onBattery(row) || row.triggerActive);
  const unseen = rows.filter((row) => row.connectionState === 'FAILED');
  // Also of one that cannot be seen, until a trigger is met: it says when the failsafe acts.
  const told = concerned.filter((row) => row.connectionState !== 'FAILED' || !row.triggerActive);
  const lines = [
    ...lost.flatMap((group) => prospectLines(group, known, `${group.name}: `)),
    ...told.flatMap((row) => prospectLines(row, known, rows.length === 1 ? '' : `${row.label}: `)),
    ...unseen.map((row) => `${row.label} cannot be seen: ${detailInWords(row.connectionDetail)}.`),
  ];
  const shown =
    lines.length <= mostLines ? lines : [...lines.slice(0, mostLines - 1), 'And more, see below.'];
  if (lost.length > 0) return { tone: 'danger', title: `${names(lost)}: the quorum is lost`, lines: shown };
  if (concerned.length > 0) {
    const critical = concerned.some((row) => row.triggerActive || headlineOf(row).tone === 'danger');
    const verb = concerned.length === 1 ? 'is' : 'are';
    return {
      tone: critical ? 'danger' : 'warning',
      title: concerned.every(onBattery)
        ? `${names(concerned)} ${verb} on battery`
        : `${names(concerned)}: a shutdown trigger is met`,
      lines: shown,
    };
  }
  if (unseen.length === 0) return null;
  const why = `${capitalised(detailInWords(unseen[0]?.connectionDetail ?? 'NEVER_POLLED'))}.`;
  return {
    tone: 'danger',
    title: `${names(unseen)} cannot be seen`,
    lines: unseen.length === 1 ? [why] : shown,
  };
}

function readinessAlert({ ready }: Knowledge): Alert | null {
  if (ready === null || ready.ready || ready.reasons === undefined) return null;
  return { tone: 'note', title: 'Not everything is ready', lines: ready.reasons.slice(0, mostLines) };
}

/** What comes next and when, with how long it has lasted. */
function prospectLines(row: UpsRow | RedundancyRow, known: Knowledge, prefix: string): readonly string[] {
  const since =
    'timeOnBattery' in row && row.timeOnBattery > 0
      ? [`${prefix}on battery for ${durationInWords(row.timeOnBattery)}.`]
      : [];
  const text = accountOf(known, row);
  const next =
    text === undefined
      ? []
      : prospectOf(text)
          .filter((line) => !isUsual(line))
          .map(plainTriggers);
  const outlook = known.outlooks.get(row.groupId);
  const sooner = outlook === undefined ? [] : [`${outlook}.`];
  return [[...since, ...next, ...sooner].join(' ').replace(/^on/, 'On')].filter((line) => line !== '');
}

function isUsual(line: string): boolean {
  return line.startsWith('The shutdown sequence is armed');
}

function names(rows: readonly (UpsRow | RedundancyRow)[]): string {
  const all = rows.map((row) => ('label' in row ? row.label : row.name));
  return all.length <= 3
    ? all.join(', ')
    : `${all.slice(0, 2).join(', ')} and ${String(all.length - 2)} more`;
}
