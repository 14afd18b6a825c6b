// An outage as lines in the order of time: for CSV, the page, the command line and the dashboard.
import type { ShutdownRecord } from './outage.js';

export interface OutageMoments {
  /** Unix seconds. */
  readonly start: number;
  readonly end: number | null;
  readonly endSeen: boolean;
  readonly label: string;
  /** As they were recorded: where the clock was set back, a later one has an earlier date. */
  readonly events: readonly {
    readonly ts: number;
    readonly eventType: string;
    readonly label: string;
    readonly detail: string;
  }[];
  readonly shutdowns: readonly ShutdownRecord[];
}

export interface TimelineEntry {
  /** Unix seconds. */
  readonly ts: number;
  /** `event`: its type; `step`: the phase; `shutdown`: the group. */
  readonly kind: 'outage' | 'event' | 'shutdown' | 'step';
  readonly subject: string;
  readonly detail: string;
}

const phases: ReadonlySet<string> = new Set(['SHUTDOWN_PHASE_STARTED', 'SHUTDOWN_PHASE_FINISHED']);

export function timelineOf(outage: OutageMoments): readonly TimelineEntry[] {
  const { start, end, endSeen, label, events, shutdowns } = outage;
  const has = (type: string): boolean => events.some(({ eventType }) => eventType === type);
  const ended = { ts: end ?? 0, kind: 'outage', subject: label, detail: endText(endSeen) } as const;
  // The steps say when a phase was; events may have been deleted.
  const shown = shutdowns.length === 0 ? events : events.filter(({ eventType }) => !phases.has(eventType));
  const ofEvents = shown.map(({ ts, eventType, label: of, detail }) => ({
    ts,
    kind: 'event' as const,
    subject: eventType,
    detail: detail === '' ? of : `${of}: ${detail}`,
  }));
  const places = new Map<TimelineEntry, number>();
  let later = Infinity;
  for (const entry of [...ofEvents].reverse()) {
    later = Math.min(later, entry.ts);
    places.set(entry, later);
  }
  const entries: TimelineEntry[] = [
    ...(has('ON_BATTERY')
      ? []
      : [{ ts: start, kind: 'outage', subject: label, detail: 'on battery' } as const]),
    ...(end === null || has('POWER_RESTORED') ? [] : [ended]),
    ...ofEvents,
    ...shutdowns.flatMap(({ label: group, startedAt, why, dryRun, steps }) => [
      {
        ts: startedAt,
        kind: 'shutdown' as const,
        subject: group,
        detail: `${why}${dryRun ? ' (dry run)' : ''}`,
      },
      ...steps.flatMap(({ phase, target, startedAt: begun, endedAt, state, reason }) => [
        ...(begun === null ? [] : [step(begun, phase, `${target}: begun`)]),
        ...(endedAt === null
          ? []
          : [step(endedAt, phase, `${target}: ${state}${reason === '' ? '' : `: ${reason}`}`)]),
      ]),
    ]),
  ];
  return entries.sort((a, b) => (places.get(a) ?? a.ts) - (places.get(b) ?? b.ts));
}

function step(ts: number, subject: string, detail: string): TimelineEntry {
  return { ts, kind: 'step', subject, detail };
}

function endText(endSeen: boolean): string {
  return endSeen ? 'on line power' : 'the last reading on battery: nobody saw the power return';
}
