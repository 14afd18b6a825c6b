// The remote health machine on a fake clock: started probes, given answers, and their effects.
import type { FailedServer } from '../../../shared/protocol/storage.js';
import type {
  Finding,
  HealthEffect,
  HealthInput,
  HealthSettings,
  HealthState,
  ProbedServer,
} from '../../../supervisor/remote-health/machine/state.js';
import { nothingProbed } from '../../../supervisor/remote-health/machine/state.js';
import { step } from '../../../supervisor/remote-health/machine/step.js';
import { rowOf } from '../../../supervisor/remote-health/machine/rows.js';

export const good: Finding = { ok: true, latencyMs: 120, unchecked: '' };
export const refused: Finding = {
  ok: false,
  reason: 'connection refused',
  obstacle: null,
  ownNetwork: false,
};

export const server = (name: string, other: Partial<ProbedServer> = {}): ProbedServer => ({
  name,
  host: '192.0.2.9',
  user: 'root',
  group: 'office',
  groupKind: 'ups',
  probed: true,
  place: `root@${name}:22`,
  access: 'key',
  connectTimeoutMs: 10_000,
  ...other,
});

const settingsWith = (other: Partial<HealthSettings> = {}): HealthSettings => ({
  servers: [server('nas')],
  startupCheck: true,
  intervalMs: 60_000,
  failureThreshold: 2,
  notifyOnFailure: true,
  notifyOnRecovery: true,
  seed: 'seed',
  ...other,
});

export class Machine {
  state: HealthState = nothingProbed;
  nowMs: number;
  readonly effects: HealthEffect[] = [];

  /** `kept`: what the previous daemon stored; null: not known yet. */
  constructor(
    settings: Partial<HealthSettings> = {},
    kept: readonly FailedServer[] | null = [],
    startMs = 1_000_000,
  ) {
    this.nowMs = startMs;
    this.configure(settings);
    if (kept !== null) this.take({ kind: 'recalled', failed: kept });
  }

  configure(settings: Partial<HealthSettings>): void {
    this.take({ kind: 'configured', at: this.at, settings: settingsWith(settings) });
  }

  /** Advances by `ms` and ticks; returns the servers whose probe starts. */
  tick(
    ms = 0,
    {
      isProberReady = true,
      sequenceRuns = false,
      onBattery = [] as readonly string[],
      down = [] as readonly string[],
    } = {},
  ): string[] {
    this.nowMs += ms;
    return this.take({
      kind: 'ticked',
      at: this.at,
      isProberReady,
      sequenceRuns,
      onBattery: new Set(onBattery),
      down: new Set(down),
    }).flatMap((effect) => (effect.kind === 'probe' ? [effect.server.name] : []));
  }

  /** The running probe of `name` ends with this result. */
  answer(finding: Finding, name = 'nas'): readonly HealthEffect[] {
    return this.take({ kind: 'probed', at: this.at, probe: this.running(name), finding });
  }

  interrupt(name = 'nas'): void {
    this.take({ kind: 'interrupted', at: this.at, probe: this.running(name) });
  }

  /** Waits the longest possible time for the next probe, and answers it. */
  next(finding: Finding, name = 'nas'): readonly HealthEffect[] {
    this.tick(66_000);
    return this.answer(finding, name);
  }

  running(name = 'nas'): number {
    const probe = this.state.servers.find((one) => one.server.name === name)?.probe ?? null;
    if (probe === null) throw new Error(`no probe of ${name} runs`);
    return probe;
  }

  get row() {
    const [one] = this.state.servers;
    if (one === undefined) throw new Error('no server is configured');
    return rowOf(one);
  }

  /** Events and messages so far, without their text: `event REMOTE_HEALTH_FAILED`. */
  get outputLines(): readonly string[] {
    return this.effects.flatMap((effect) => {
      if (effect.kind === 'recordEvent') return [`event ${effect.type}`];
      return effect.kind === 'notify' ? [`message ${effect.type}`] : [];
    });
  }

  get at() {
    return { monotonicMs: this.nowMs, unixSeconds: 1_700_000_000 + this.nowMs / 1000 };
  }

  take(input: HealthInput): readonly HealthEffect[] {
    const { state, effects } = step(this.state, input);
    this.state = state;
    this.effects.push(...effects);
    return effects;
  }
}
