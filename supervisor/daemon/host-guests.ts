// The guests and containers of this host that a shutdown has stopped: when they may be started again, and what is shown of them.
import type { RecordedGuest } from '../../shared/domain/recovery/guest.js';
import type { Logger } from '../../shared/runtime/log.js';
import { hostDelegation } from '../config/derive/host-delegate.js';
import { plansOf } from '../config/derive/plans.js';
import type { RecordedEvent } from '../events/event-recorder.js';
import type { Guard } from '../guard/guard.js';
import type { StartSettings } from '../recovery/guests/guest-starts.js';
import { GuestStarts } from '../recovery/guests/guest-starts.js';
import { hostWaitsFor } from '../recovery/guests/ready-target.js';
import { startingEngine } from '../recovery/guests/engines.js';
import type { Hold } from '../recovery/guests/power-hold.js';
import { PowerHold } from '../recovery/guests/power-hold.js';
import { noticeOf } from '../recovery/guests/words.js';
import type { GuestEnd } from '../recovery/recorded-guests.js';
import { isStopped, newestStops } from '../recovery/recorded-guests.js';
import type { DaemonEnvironment } from './environment.js';
import type { GuestSources } from './stopped-guests.js';
import { guestTargets, startSettings } from './stopped-guests.js';

export interface HostGuestsDependencies
  extends GuestSources, Pick<DaemonEnvironment, 'clock' | 'run' | 'setTimer' | 'host'> {
  readonly log: Logger;
  readonly guard: Guard;
  readonly record: (event: RecordedEvent) => void;
  /** The record lacks something. */
  readonly soon: () => void;
}

/** Looks are due by the second. */
const tickMs = 1_000;
/** An engine starts with the host. */
const retryMs = 15_000;
/** A look may be some hundred calls of virsh, and what stays off may do so for months. */
const restMs = 300_000;

export class HostGuests {
  readonly #deps: HostGuestsDependencies;
  readonly #starts: GuestStarts;
  #notice = '';
  #tickedMs = -Infinity;
  readonly #power = new PowerHold();
  #isEnding = false;

  constructor(deps: HostGuestsDependencies) {
    this.#deps = deps;
    this.#starts = new GuestStarts({
      ...deps,
      guests: () => this.#stopped(),
      heldBy: () => this.#heldBy(),
      settings: () => this.#settings(),
      waitsFor: (signal) => this.#waitsFor(signal),
      engineOf: (guest) => startingEngine(guest, deps, this.#uris()),
      ...{ place: 'this host', retryMs, restMs },
      staysOff: (detail) => deps.record({ source: 'daemon', type: 'GUESTS_STAY_OFF', detail }),
      changed: deps.soon,
    });
  }

  tick(): void {
    const nowMs = this.#deps.clock.monotonicMs();
    if (nowMs - this.#tickedMs < tickMs) return;
    this.#tickedMs = nowMs;
    this.#deps.guard.run('the guests of this host', () => {
      this.#starts.tick();
      this.#notice = this.#noticeNow();
    });
  }

  /** The daemon was told to end, as it is when somebody shuts this host down: nothing is started any more. */
  end(): void {
    this.#isEnding = true;
    this.#deps.guard.run('the guests of this host', () => this.#starts.tick());
  }

  endOf(guest: RecordedGuest): GuestEnd {
    return this.#starts.endOf(guest);
  }

  /** What does not run and why, or what is waited for; empty: everything that ran runs. */
  get notice(): string {
    return this.#notice;
  }

  #noticeNow(): string {
    return noticeOf('this host', this.#stopped(), this.#starts);
  }

  /** Of groups that shut this host down here; a delegate of a container stops the guests of its host itself. */
  #groups(): readonly string[] {
    const configuration = this.#deps.configuration();
    const delegate = hostDelegation(configuration)?.server ?? null;
    if (configuration.dryRun || delegate !== null) return [];
    const { ups, redundancyGroups } = configuration;
    return [...ups, ...redundancyGroups].flatMap(({ policy }) => (policy.isLocal ? [policy.groupId] : []));
  }

  #stopped(): readonly RecordedGuest[] {
    const endOf = (guest: RecordedGuest): GuestEnd => this.#starts.endOf(guest);
    const all = this.#groups().flatMap((group) => guestTargets(group, this.#deps).get(null)?.guests ?? []);
    return newestStops(all).filter((guest) => isStopped(guest, endOf(guest)));
  }

  #heldBy(): Hold | null {
    const { engine, clock } = this.#deps;
    const { state, journal } = engine();
    if (this.#isEnding) return { why: 'the daemon ends', kind: 'wait' };
    return this.#power.of(this.#groups(), { state, journal, nowMs: clock.monotonicMs() });
  }

  #waitsFor(signal: AbortSignal): Promise<string> {
    const { bootTimeoutMs } = this.#deps.configuration().recovery;
    return hostWaitsFor(this.#deps, { bootTimeoutMs, left: this.#settings().left }, signal);
  }

  #settings(): StartSettings {
    return startSettings(this.#deps.configuration());
  }

  #uris(): readonly (string | null)[] {
    const groups = new Set(this.#groups());
    const plans = plansOf(this.#deps.configuration()).filter(({ group }) => groups.has(group));
    const actions = plans.flatMap(({ phases }) =>
      phases.flatMap(({ steps }) => steps.map(({ action }) => action)),
    );
    const uris = actions.flatMap((action) => (action.kind === 'stopVirtualMachines' ? [action.uri] : []));
    return [...new Set(uris)];
  }
}
