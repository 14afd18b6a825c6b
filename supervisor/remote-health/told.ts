// The words for what probes find: event rows and messages. Every message says what happened, what it means and what to
// do. Decisions are made in step.ts.
import type { EventType } from '../../shared/domain/events.js';
import type { Health, HealthEffect, HealthSettings, ServerHealth } from './state.js';

/** What is recorded and told when a probe has turned `before` into `after`. */
export function tellFinding(
  before: ServerHealth,
  after: ServerHealth,
  settings: HealthSettings,
): readonly HealthEffect[] {
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
  const transition = `${before.health.kind} -> ${health.kind}`;
  const who = `The remote server ${name} (${server.user}@${server.host})`;
  switch (health.kind) {
    case 'DISABLED':
    case 'UNKNOWN':
      return [];
    case 'HEALTHY': {
      const times = probes(failuresOf(before.health));
      const after =
        before.health.kind === 'UNKNOWN' ? 'its first probe is good' : `good again after ${times}`;
      const wasSlow = before.health.kind === 'HEALTHY' && before.health.slow;
      const text = `${who} can be logged in to again, after ${times}. Nothing needs to be done.`;
      return [
        ...(changed ? [event('REMOTE_HEALTH_HEALTHY', `${transition}: ${after}`)] : []),
        ...(before.health.kind === 'FAILED' && settings.notifyOnRecovery
          ? [{ kind: 'notify', source, type: 'REMOTE_HEALTH_HEALTHY', text } as const]
          : []),
        ...(health.slow && !wasSlow
          ? [
              event(
                'REMOTE_SSH_SLOW_RESPONSE',
                `the probe took ${seconds(health.latencyMs)}, more than half of its connect_timeout (${seconds(server.connectTimeoutMs)})`,
              ),
            ]
          : []),
      ];
    }
    case 'DEGRADED':
      return changed ? [event('REMOTE_HEALTH_DEGRADED', `${transition}: ${health.error}`)] : [];
    case 'FAILED': {
      if (!changed) return [];
      const meaning =
        'In an outage its shutdown is tried all the same, but it may lose its power while it runs.';
      const todo = 'See whether it is up, whether its sshd runs, and whether it takes our key.';
      const text = `${who} could not be shut down now: ${probes(health.failures)} (${health.error}). ${meaning} ${todo}`;
      return [
        event('REMOTE_HEALTH_FAILED', `${transition}: ${health.error}`),
        ...(settings.notifyOnFailure
          ? [{ kind: 'notify', source, type: 'REMOTE_HEALTH_FAILED', text } as const]
          : []),
      ];
    }
  }
}

function failuresOf(health: Health): number {
  return 'failures' in health ? health.failures : 0;
}

function probes(failures: number): string {
  return failures === 1 ? '1 failed probe' : `${String(failures)} failed probes in a row`;
}

function seconds(ms: number): string {
  return `${String(Math.round(ms / 100) / 10)} s`;
}
