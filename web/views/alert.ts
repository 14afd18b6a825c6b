// The text of the banner: the most important fact. Decides nothing, draws nothing.
import { countText } from '../../shared/domain/base/format.js';
import { shortList } from '../../shared/domain/base/list-names.js';
import type { RedundancyRow, SequenceRun, UpsRow } from '../../shared/domain/status/status-model.js';
import { durationInWords } from '../../shared/domain/base/duration.js';
import {
  capitalise,
  detailInWords,
  headlineOf,
  labelOf,
  onBattery,
  plainTriggers,
  forecastLines,
  runsOf,
  triggerInWords,
  wasCancelled,
} from '../../shared/domain/status/wording.js';
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
    guestsAlert(clientState) ??
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
      clientState.atProxyLogin
        ? 'A proxy in front of the daemon asks for its own login: reload this page to log in there.'
        : 'To check it, run "ridethrough status" or "systemctl status ridethrough" on its machine.',
    ],
  };
}

/** The sequences that run, or that have ended in this outage. */
function sequenceAlert(clientState: ClientState, paceWarnings: ReadonlyMap<string, string>): Alert | null {
  const runs = runsOf(clientState.sequence).filter((run) => run.active || isStillTriggered(run, clientState));
  const [main, ...others] = runs;
  if (main === undefined) return null;
  // What comes next elsewhere is as important as what runs.
  const elsewhere = [
    ...others.map((run) => `${subjectOf(run, clientState) || `${run.group}: `}${stateOf(run)}`),
    ...outageLines(clientState, paceWarnings, new Set(runs.map(({ group }) => group))),
  ];
  const line = `${subjectOf(main, clientState)}${progressOf(main)}`;
  if (wasCancelled(main))
    return {
      tone: 'danger',
      title: main.dryRun ? 'The dry run was cancelled' : 'The shutdown was cancelled',
      lines: shownOf([line, ...elsewhere]),
    };
  if (main.dryRun)
    return {
      tone: 'dry-run',
      title: main.active
        ? 'Dry run in progress: nothing is shut down'
        : 'Dry run ended: a real shutdown would have stopped everything in the plan',
      lines: shownOf([
        line,
        'Every step was only recorded. To shut down for real, set behavior.dry_run to false.',
        ...elsewhere,
      ]),
    };
  if (!main.active)
    return { tone: 'danger', title: 'The shutdown sequence has ended', lines: shownOf([line, ...elsewhere]) };
  const back = main.powerBack ? ', although the power is back' : '';
  const active = runs.filter((run) => run.active).map(({ group }) => labelOf(group, clientState.status));
  return {
    tone: 'danger',
    title: elsewhere.length === 0 ? 'Shutting down' : `Shutting down: ${shortList(active, 3, 2)}`,
    lines: shownOf([
      line,
      main.pointOfNoReturn
        ? `It can no longer be cancelled${back}.`
        : 'It is cancelled if the power returns now.',
      ...elsewhere,
    ]),
  };
}

function rowsOf({ group }: SequenceRun, { status }: ClientState) {
  return {
    cause: status?.ups.find(({ groupId }) => groupId === group),
    redundancyGroup: status?.redundancyGroups.find(({ groupId }) => groupId === group),
  };
}

function isStillTriggered(run: SequenceRun, clientState: ClientState): boolean {
  const { cause, redundancyGroup } = rowsOf(run, clientState);
  return cause?.triggerActive === true || redundancyGroup?.quorumLost === true;
}

/** Why the group is shut down; empty when it is no longer configured. */
function subjectOf(run: SequenceRun, clientState: ClientState): string {
  const { cause, redundancyGroup } = rowsOf(run, clientState);
  return [
    cause === undefined ? '' : `${cause.label}: ${reasonOf(cause)}. `,
    redundancyGroup === undefined ? '' : `${redundancyGroup.name}: the quorum is lost. `,
  ].join('');
}

/** What the banner says of its main sequence. */
function progressOf(run: SequenceRun): string {
  if (wasCancelled(run)) return 'The daemon starts no other one for it before the power is back.';
  return `${run.active ? `Now: ${phaseInWords(run.phase)}. ` : ''}${stepsOf(run)}.`;
}

/** What it says of another sequence. */
function stateOf(run: SequenceRun): string {
  const what = run.dryRun ? 'Its dry run' : 'Its shutdown';
  if (wasCancelled(run)) return `${what} was cancelled.`;
  return run.active ? `${what} is in progress. ${progressOf(run)}` : `${what} has ended: ${stepsOf(run)}.`;
}

function stepsOf({ steps }: SequenceRun): string {
  const ended = steps.filter(({ state }) => state !== 'pending' && state !== 'running').length;
  const failed = steps.filter(({ state }) => state === 'failed').length;
  return `${String(ended)} of ${countText(steps.length, 'step')} ended${failed > 0 ? `, ${String(failed)} failed` : ''}`;
}

function reasonOf(row: UpsRow): string {
  const headline = headlineOf(row).text.toLowerCase();
  return row.triggerReason === '' ? headline : `${headline}, ${triggerInWords(row.triggerReason)}`;
}

/** The prospects of all but the groups `except` and the UPSes that only count for them. */
function outageLines(
  clientState: ClientState,
  paceWarnings: ReadonlyMap<string, string>,
  except: ReadonlySet<string> = new Set(),
): readonly string[] {
  const { status } = clientState;
  const all = status?.ups ?? [];
  const rows = all.filter((row) => !except.has(groupOf(clientState, row)));
  const lost = status?.redundancyGroups.filter(
    ({ quorumLost, groupId }) => quorumLost && !except.has(groupId),
  );
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
  const why = `${capitalise(detailInWords(disconnected[0]?.connectionDetail ?? 'NEVER_POLLED'))}.`;
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

/** What a shutdown has stopped on the host of the daemon and on servers: what does not run again, or waits. */
function guestsAlert({ ready }: ClientState): Alert | null {
  const off = ready?.capabilities?.find(({ id }) => id === 'recovery/guests');
  if (off === undefined) return null;
  return { tone: 'note', title: 'Guests stopped by a shutdown', lines: [off.reason] };
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
          .slice(0, 2)
          .filter((line) => !isArmedNotice(line))
          .map(plainTriggers);
  const line = [...since, ...next, paceWarning].filter((part) => part !== '').join(' ');
  return line === '' ? [] : [line.replace(/^on/, 'On')];
}

function isArmedNotice(line: string): boolean {
  return line.startsWith('The shutdown sequence is armed');
}

function names(rows: readonly (UpsRow | RedundancyRow)[]): string {
  return shortList(
    rows.map((row) => ('label' in row ? row.label : row.name)),
    3,
    2,
  );
}
