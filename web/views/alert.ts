// The text of the banner: the most important fact. Decides nothing, draws nothing.
import { countText } from '../../shared/domain/format.js';
import type { RedundancyRow, UpsRow } from '../../shared/domain/status-model.js';
import { durationInWords } from '../../shared/domain/duration.js';
import {
  capitalised,
  detailInWords,
  headlineOf,
  onBattery,
  plainTriggers,
  forecastLines,
  triggerInWords,
  wasCancelled,
} from '../../shared/domain/wording.js';
import type { ClientState } from '../daemon/client-state.js';
import { explanationText, groupOf, secondsSinceAnswer } from '../daemon/client-state.js';
import { phaseInWords } from '../ui/phrases.js';

export interface Alert {
  readonly tone: 'danger' | 'warning' | 'dry-run' | 'note';
  readonly title: string;
  readonly lines: readonly string[];
}

/** The views below have the complete lists. */
const maxLines = 6;

/** `paceWarnings`: by groupId, the page's own forecast where the runtime falls faster than the UPS reports. */
export function alertOf(clientState: ClientState, paceWarnings: ReadonlyMap<string, string>): Alert | null {
  return (
    connectionAlert(clientState) ??
    sequenceAlert(clientState, paceWarnings) ??
    outageAlert(clientState, paceWarnings) ??
    readinessAlert(clientState) ??
    serviceAlert(clientState)
  );
}

function connectionAlert(clientState: ClientState): Alert | null {
  if (clientState.connection === 'locked')
    return {
      tone: 'note',
      title: 'Sign in to see this daemon',
      lines: clientState.status === null ? [] : ['Everything below is from before the session ended.'],
    };
  if (clientState.connection !== 'lost') return null;
  const never = clientState.lastAnswer === null;
  return {
    tone: 'danger',
    title: never ? 'The daemon cannot be reached' : 'Connection to the daemon lost',
    lines: [
      never
        ? 'The state of the UPSes is unknown.'
        : `Everything below is ${durationInWords(secondsSinceAnswer(clientState))} old and may be wrong now.`,
      'To check it, run "ridethrough status" or "systemctl status ridethrough" on its machine.',
    ],
  };
}

/** The running sequence, or the one that has ended in this outage. */
function sequenceAlert(clientState: ClientState, paceWarnings: ReadonlyMap<string, string>): Alert | null {
  const { sequence, status } = clientState;
  if (!('group' in sequence)) return null;
  const cause = status?.ups.find(({ groupId }) => groupId === sequence.group);
  const group = status?.redundancyGroups.find(({ groupId }) => groupId === sequence.group);
  const stillTriggered = cause?.triggerActive === true || group?.quorumLost === true;
  if (!sequence.active && !stillTriggered) return null;
  const ended = sequence.steps.filter(({ state }) => state !== 'pending' && state !== 'running').length;
  const failed = sequence.steps.filter(({ state }) => state === 'failed').length;
  const cancelled = wasCancelled(sequence);
  const progress = [
    cause === undefined ? '' : `${cause.label}: ${reasonOf(cause)}.`,
    group === undefined ? '' : `${group.name}: the quorum is lost.`,
    cancelled ? 'The daemon starts no other one for it before the power is back.' : '',
    sequence.active ? `Now: ${phaseInWords(sequence.phase)}.` : '',
    cancelled
      ? ''
      : `${String(ended)} of ${countText(sequence.steps.length, 'step')} ended${failed > 0 ? `, ${String(failed)} failed` : ''}.`,
  ];
  const line = progress.filter((part) => part !== '').join(' ');
  // The model has one sequence; what comes next elsewhere is as important.
  const others = outageLines(clientState, paceWarnings, sequence.group);
  if (cancelled)
    return {
      tone: 'danger',
      title: sequence.dryRun ? 'The dry run was cancelled' : 'The shutdown was cancelled',
      lines: shownOf([line, ...others]),
    };
  if (sequence.dryRun)
    return {
      tone: 'dry-run',
      title: sequence.active
        ? 'Dry run in progress: nothing is shut down'
        : 'Dry run ended: a real shutdown would have stopped everything in the plan',
      lines: shownOf([
        line,
        'Every step was only recorded. To shut down for real, set behavior.dry_run to false.',
        ...others,
      ]),
    };
  if (!sequence.active)
    return { tone: 'danger', title: 'The shutdown sequence has ended', lines: shownOf([line, ...others]) };
  const back = sequence.powerBack ? ', although the power is back' : '';
  return {
    tone: 'danger',
    title:
      others.length === 0
        ? 'Shutting down'
        : `Shutting down: ${cause?.label ?? group?.name ?? sequence.group}`,
    lines: shownOf([
      line,
      sequence.pointOfNoReturn
        ? `It can no longer be cancelled${back}.`
        : 'It is cancelled if the power returns now.',
      ...others,
    ]),
  };
}

function reasonOf(row: UpsRow): string {
  const headline = headlineOf(row).text.toLowerCase();
  return row.triggerReason === '' ? headline : `${headline}, ${triggerInWords(row.triggerReason)}`;
}

/** The prospects of all but the group `except` and the UPSes that only count for it. */
function outageLines(
  clientState: ClientState,
  paceWarnings: ReadonlyMap<string, string>,
  except = '',
): readonly string[] {
  const { status } = clientState;
  const all = status?.ups ?? [];
  const rows = all.filter((row) => groupOf(clientState, row) !== except);
  const lost = status?.redundancyGroups.filter(({ quorumLost, groupId }) => quorumLost && groupId !== except);
  // Also for a UPS without a connection, until a trigger is met: the explanation says when the failsafe fires.
  const explained = rows
    .filter(isConcerned)
    .filter((row) => row.connectionState !== 'FAILED' || !row.triggerActive);
  return [
    ...(lost ?? []).flatMap((group) => prospectLines(group, clientState, `${group.name}: `)),
    ...explained.flatMap((row) =>
      prospectLines(
        row,
        clientState,
        all.length === 1 ? '' : `${row.label}: `,
        paceWarnings.get(row.groupId),
      ),
    ),
    ...rows
      .filter(({ connectionState }) => connectionState === 'FAILED')
      .map((row) => `${row.label} has no connection: ${detailInWords(row.connectionDetail)}.`),
  ];
}

function isConcerned(row: UpsRow): boolean {
  return onBattery(row) || row.triggerActive;
}

function shownOf(lines: readonly string[]): readonly string[] {
  return lines.length <= maxLines ? lines : [...lines.slice(0, maxLines - 1), 'More below.'];
}

function outageAlert(clientState: ClientState, paceWarnings: ReadonlyMap<string, string>): Alert | null {
  const { status } = clientState;
  const rows = status?.ups ?? [];
  const lost = status?.redundancyGroups.filter(({ quorumLost }) => quorumLost) ?? [];
  const concerned = rows.filter(isConcerned);
  const disconnected = rows.filter((row) => row.connectionState === 'FAILED');
  const shown = shownOf(outageLines(clientState, paceWarnings));
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
  if (disconnected.length === 0) return null;
  const why = `${capitalised(detailInWords(disconnected[0]?.connectionDetail ?? 'NEVER_POLLED'))}.`;
  return {
    tone: 'danger',
    title: `${names(disconnected)}: connection lost`,
    lines: disconnected.length === 1 ? [why] : shown,
  };
}

function readinessAlert({ ready }: ClientState): Alert | null {
  if (ready === null || ready.ready || ready.reasons === undefined) return null;
  return { tone: 'note', title: 'The daemon is not ready', lines: ready.reasons.slice(0, maxLines) };
}

/** Services through which no message comes: `/ready` lists them beside what a shutdown needs. */
function serviceAlert({ ready }: ClientState): Alert | null {
  const failing = (ready?.capabilities ?? []).filter(
    ({ id, reason }) => id.startsWith('notifications.') && reason !== '',
  );
  if (failing.length === 0) return null;
  const title = countText(failing.length, 'notification service fails', 'notification services fail');
  return {
    tone: 'note',
    title,
    lines: failing.slice(0, maxLines).map(({ id, reason }) => `${id}: ${reason}`),
  };
}

/** The next step and its time, and the time on battery so far. */
function prospectLines(
  row: UpsRow | RedundancyRow,
  clientState: ClientState,
  prefix: string,
  paceWarning = '',
): readonly string[] {
  const since =
    'timeOnBattery' in row && row.timeOnBattery > 0
      ? [`${prefix}on battery for ${durationInWords(row.timeOnBattery)}.`]
      : [];
  const text = explanationText(clientState, row);
  const next =
    text === undefined
      ? []
      : forecastLines(text)
          .filter((line) => !isArmedNotice(line))
          .map(plainTriggers);
  const line = [...since, ...next, paceWarning].filter((part) => part !== '').join(' ');
  return line === '' ? [] : [line.replace(/^on/, 'On')];
}

function isArmedNotice(line: string): boolean {
  return line.startsWith('The shutdown sequence is armed');
}

function names(rows: readonly (UpsRow | RedundancyRow)[]): string {
  const all = rows.map((row) => ('label' in row ? row.label : row.name));
  return all.length <= 3
    ? all.join(', ')
    : `${all.slice(0, 2).join(', ')} and ${String(all.length - 2)} more`;
}
