// Whether a container that a shutdown has stopped is to be started again, by what its engine says of it. Pure.
import { maxStopSeconds } from '../../../shared/domain/actions/containers.js';
import type { Container } from '../../../shared/domain/commands/container-state.js';
import type { RecordedGuest } from '../../../shared/domain/recovery/guest.js';
import type { Verdict } from './verdict.js';

const running = new Set(['running', 'paused', 'restarting', 'stopping']);
/** Between the report that it runs and its start by anybody else. */
const startSlackSeconds = 2;
/** The longest stop, after which the engine kills. */
const stopSeconds = maxStopSeconds + 60;
/** The clock was set by more than any engine needs to write both dates (moby#45445). */
const setSeconds = 60;

/** Without the order of compose, which `afterOf` has. */
export function verdictOf(guest: RecordedGuest, found: Container | undefined, sameName: boolean): Verdict {
  if (found === undefined)
    return sameName ? { kind: 'over', why: 'another container has its name by now' } : { kind: 'gone' };
  if (running.has(found.status)) return { kind: 'runs' };
  if (found.keeper?.kind === 'swarm') return { kind: 'over', why: 'the swarm starts its tasks' };
  if (found.keeper?.kind === 'kubernetes') return { kind: 'over', why: 'Kubernetes starts its pods' };
  const since = wasStartedSince(guest.foundUnixSeconds, found);
  if (since === 'yes') return { kind: 'over', why: 'it was started since, and has ended again' };
  if (since === 'unknown')
    return {
      kind: 'stays',
      why: 'the clock was set, so it is not known whether it was started since its stop',
    };
  if (found.keeper?.kind === 'systemd')
    return { kind: 'stays', why: `the systemd unit ${found.keeper.name} starts it` };
  return { kind: 'start', after: [] };
}

/**
 * By the dates of the engine, whose clock is that of this host. The clock may have been wrong when the container was started or stopped: an
 * end at the time of the stop is the end by that stop.
 */
function wasStartedSince(
  stopped: number,
  { started, finished }: Pick<Container, 'started' | 'finished'>,
): 'yes' | 'no' | 'unknown' {
  const endsByStop = finished !== null && Math.abs(finished - stopped) <= stopSeconds;
  if (started === null || started <= stopped + startSlackSeconds) {
    // It ran at the stop, and so cannot have ended before. An end before its start is of the run before: power was lost in the stop.
    const isOfRun = finished !== null && finished >= (started ?? -Infinity);
    return isOfRun && finished < stopped - setSeconds ? 'unknown' : 'no';
  }
  return endsByStop && started - finished > setSeconds ? 'no' : 'yes';
}

/** Labels are the text of whoever created the container, and each look reads them: a thousand that name each other must cost little. */
const maxAfter = 64;

/** Of each container, by id, which others of the list start before it. */
export function afterOf(containers: readonly Container[]): ReadonlyMap<string, readonly string[]> {
  const services = new Map<string, string[]>();
  for (const { id, project, service } of containers) {
    const known = services.get(serviceKey(project, service));
    if (known === undefined) services.set(serviceKey(project, service), [id]);
    else known.push(id);
  }
  return new Map(
    containers.map(({ id, project, dependsOn }) => {
      if (project === '') return [id, []];
      const after: string[] = [];
      for (const service of dependsOn.slice(0, maxAfter)) {
        const others = services.get(serviceKey(project, service)) ?? [];
        after.push(...others.slice(0, maxAfter - after.length));
      }
      return [id, after];
    }),
  );
}

const serviceKey = (project: string, service: string): string => `${project}\n${service}`;
