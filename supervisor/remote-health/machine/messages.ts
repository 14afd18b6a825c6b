// The texts of events and messages about probes. A message says what happened, what it means and what to do. step.ts
// decides.
import { formatSeconds } from '../../../shared/domain/base/duration.js';
import type { EventType } from '../../../shared/domain/status/events.js';
import type { Health, HealthEffect, ProbedServer, ServerHealth } from './state.js';

/** The events of a probe that changed `before` into `after`. */
export function recordFinding(before: ServerHealth, after: ServerHealth): readonly HealthEffect[] {
  const { server, health } = after;
  const { name, group: source } = server;
  const event = (type: EventType, detail: string): HealthEffect => ({
    kind: 'recordEvent',
    source,
    server: name,
    type,
    detail: `${name}: ${detail}`,
  });
  const changed = before.health.kind !== health.kind;
  const earlier =
    before.failed?.isOlder === true && before.health.kind !== 'FAILED'
      ? '; it was FAILED before the daemon was restarted'
      : '';
  const transition = `${before.health.kind} -> ${health.kind}`;
  switch (health.kind) {
    case 'DISABLED':
    case 'UNKNOWN':
      return [];
    case 'HEALTHY': {
      const times = probes(failuresOf(before.health));
      const after =
        before.health.kind === 'UNKNOWN' ? 'its first probe is good' : `good again after ${times}`;
      const wasSlow = before.health.kind === 'HEALTHY' && before.health.slow;
      return [
        ...(changed ? [event('REMOTE_HEALTH_HEALTHY', `${transition}: ${after}${earlier}`)] : []),
        ...(health.slow && !wasSlow
          ? [
              event(
                'REMOTE_SSH_SLOW_RESPONSE',
                `the probe took ${formatSeconds(health.latencyMs / 1000)}, more than half of its connect_timeout (${formatSeconds(server.connectTimeoutMs / 1000)})`,
              ),
            ]
          : []),
      ];
    }
    case 'DEGRADED':
      return changed ? [event('REMOTE_HEALTH_DEGRADED', `${transition}: ${health.error}`)] : [];
    case 'FAILED': {
      return changed ? [event('REMOTE_HEALTH_FAILED', `${transition}: ${health.error}${earlier}`)] : [];
    }
  }
}

/** The message when a server has FAILED. */
export function failureMessage({ server, health }: ServerHealth): HealthEffect {
  const why = 'failures' in health ? `${probes(health.failures)} (${health.error})` : 'its probes fail';
  const meaning = 'In an outage its shutdown is still tried, but it may lose power while it runs.';
  const todo = 'Check that it is up, that its sshd runs, and that it accepts the key.';
  const text = `${nameOf(server)} could not be shut down now: ${why}. ${meaning} ${todo}`;
  return { kind: 'notify', source: server.group, type: 'REMOTE_HEALTH_FAILED', text };
}

/** The one message for all servers to which this host has no network. */
export function networkDownMessage({ server, health }: ServerHealth): HealthEffect {
  const why = 'failures' in health ? health.error : 'this machine has no network';
  const text =
    `${nameOf(server)} and all behind the same network could not be shut down now: ${why}. ` +
    'In an outage their shutdown is still tried, but they may lose power while they run. ' +
    'Check the cable, the switch and the addresses of this machine. Servers with this cause are not reported one by one.';
  return { kind: 'notify', source: server.group, type: 'REMOTE_HEALTH_FAILED', text };
}

/** The one message when the first of them is back. */
export function networkUpMessage({ server }: ServerHealth): HealthEffect {
  const text =
    `This machine has its network again: ${nameOf(server)} can be logged in to. ` +
    'Nothing needs to be done; a server that still cannot be logged in to is reported by itself.';
  return { kind: 'notify', source: server.group, type: 'REMOTE_HEALTH_HEALTHY', text };
}

/** The message when it is back; `health` is the state before. */
export function recoveryMessage({ server, health }: ServerHealth): HealthEffect {
  const since =
    health.kind === 'FAILED'
      ? `again, after ${probes(health.failures)}.`
      : 'again. It was FAILED before the daemon was restarted.';
  const text = `${nameOf(server)} can be logged in to ${since} Nothing needs to be done.`;
  return { kind: 'notify', source: server.group, type: 'REMOTE_HEALTH_HEALTHY', text };
}

const nameOf = ({ name, user, host }: ProbedServer): string => `The remote server ${name} (${user}@${host})`;

function failuresOf(health: Health): number {
  return 'failures' in health ? health.failures : 0;
}

function probes(failures: number): string {
  return failures === 1 ? '1 failed probe' : `${String(failures)} failed probes in a row`;
}
