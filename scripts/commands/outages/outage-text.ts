// Outages as text: a table of all, or the facts, the steps and the timeline of one.
import { durationInWords } from '../../../shared/domain/duration.js';
import type { OutageBody, OutageRow } from '../../../shared/http/outage-bodies.js';
import { timelineOf } from '../../../shared/domain/outage-timeline.js';
import { columns } from '../terminal/table.js';
import { localTime } from '../../../shared/domain/local-calendar.js';

const none = 'No outage matches. (With statistics.enabled = false the daemon stores no outages.)\n';

export function outageList(outages: readonly OutageRow[]): string {
  if (outages.length === 0) return none;
  return columns([
    ['NUMBER', 'UPS', 'BEGIN', 'DURATION', 'LOWEST', 'CAUSE', 'SHUTDOWN'],
    ...outages.map((one) => [
      String(one.id),
      one.label,
      localTime(one.start),
      one.durationSeconds === null ? 'it lasts' : durationInWords(one.durationSeconds),
      one.lowestCharge === null ? '' : `${String(one.lowestCharge)} %`,
      one.cause,
      one.shutdowns.map(({ why, dryRun }) => `${why}${dryRun ? ' (dry run)' : ''}`).join('; '),
    ]),
  ]);
}

export function outageText(outage: OutageBody): string {
  const { id, label, start, end, endSeen, lowestCharge, lowestRuntimeSeconds, energyWh } = outage;
  const facts = [
    `Outage ${String(id)} of ${label}: ${localTime(start)} to ${end === null ? 'now' : localTime(end)}`,
    end === null ? '' : `, ${durationInWords(end - start)}`,
    endSeen || end === null ? '' : ' (nobody saw the power return: the last reading on battery)',
    '\n',
    lowestCharge === null ? '' : `Lowest charge ${String(lowestCharge)} %. `,
    lowestRuntimeSeconds === null ? '' : `Lowest runtime ${durationInWords(lowestRuntimeSeconds)}. `,
    energyWh === null
      ? ''
      : `${energyWh.toFixed(1)} Wh from the battery${outage.energyEstimated ? ', estimated from the load' : ''}.`,
  ];
  const steps = outage.shutdowns.map(
    (one) =>
      `\nShutdown of ${one.label}${one.dryRun ? ' (dry run)' : ''}: expected ${durationInWords(one.estimateSeconds)}, at most ${durationInWords(one.boundSeconds)}\n` +
      columns([
        ['PHASE', 'TARGET', 'TOOK', 'EXPECTED', 'AT MOST', 'RESULT'],
        ...one.steps.map((step) => [
          step.phase,
          step.target,
          step.startedAt === null || step.endedAt === null
            ? ''
            : `${(step.endedAt - step.startedAt).toFixed(1)} s`,
          `${step.estimateSeconds.toFixed(1)} s`,
          `${step.budgetSeconds.toFixed(1)} s`,
          step.reason === '' ? step.state : `${step.state}: ${step.reason}`,
        ]),
      ]),
  );
  const timeline = timelineOf(outage).map(({ ts, subject, detail }) => [localTime(ts), subject, detail]);
  return `${facts.join('').trimEnd()}\n${steps.join('')}\n${columns([['TIME', 'WHAT', 'DETAIL'], ...timeline])}`;
}
