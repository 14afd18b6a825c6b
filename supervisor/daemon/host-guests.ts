// The guests and containers of this host that a shutdown has stopped: when they may be started again, and what is shown of them.
import type { RecordedGuest } from '../../shared/domain/recovery/guest.js';
import { guestKey } from '../../shared/domain/recovery/guest.js';
import type { RecoveryRecord } from '../../shared/domain/recovery/record.js';
import { countText } from '../../shared/domain/base/format.js';
import type { Logger } from '../../shared/runtime/log.js';
import type { Configuration } from '../config/configuration/configuration.js';
import { hostDelegation } from '../config/derive/host-delegate.js';
import { plansOf } from '../config/derive/plans.js';
import type { ShutdownEngine } from '../engine/engine.js';
import type { RecordedEvent } from '../events/event-recorder.js';
import type { Guard } from '../guard/guard.js';
import { groupsOnBattery, isSeen, powerIsBack } from '../policy/decision/power.js';
import type { Hold, StartSettings } from '../recovery/guests/guest-starts.js';
import { GuestStarts } from '../recovery/guests/guest-starts.js';
import { wordsOf } from '../recovery/guests/words.js';
import type { GuestEnd } from '../recovery/recorded-guests.js';
import { foundOn, guestsAfter } from '../recovery/recorded-guests.js';
import type { DaemonEnvironment } from './environment.js';

export interface HostGuestsDependencies extends Pick<
  DaemonEnvironment,
  'clock' | 'run' | 'setTimer' | 'host'
> {
  readonly log: Logger;
  readonly guard: Guard;
  readonly configuration: () => Configuration;
  readonly engine: () => Pick<ShutdownEngine, 'state' | 'journal'>;
  readonly record: (event: RecordedEvent) => void;
  /** Empty while recovery is off. */
  readonly records: () => ReadonlyMap<string, RecoveryRecord>;
  /** The record lacks something. */
  readonly soon: () => void;
}

/** The power of a UPS that is read every few seconds is known. */
const freshMs = 60_000;
const tickMs = 1_000;
/** A power-off whose command succeeded, with the power back: a host that runs so much longer stays up. */
const powerOffMs = 900_000;

export class HostGuests {
  readonly #deps: HostGuestsDependencies;
  readonly #starts: GuestStarts;
  #notice = '';
  #tickedMs = -Infinity;
  /** With a power-off under way and the power back, monotonic ms; null: without one of them. */
  #stillUpSinceMs: number | null = null;

  constructor(deps: HostGuestsDependencies) {
    this.#deps = deps;
    this.#starts = new GuestStarts({
      ...deps,
      guests: () => this.#stopped(),
      heldBy: () => this.#heldBy(),
      settings: () => this.#settings(),
      uris: () => this.#uris(),
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

  endOf(guest: RecordedGuest): GuestEnd {
    return this.#starts.endOf(guest);
  }

  /** What does not run and why, or what is waited for; empty: everything that ran runs. */
  get notice(): string {
    return this.#notice;
  }

  #noticeNow(): string {
    const stopped = this.#stopped();
    if (stopped.length === 0) return '';
    const off = stopped.flatMap((guest) => {
      const why = this.#starts.endOf(guest)?.reason ?? guest.reason;
      return why === '' ? [] : [{ guest, why }];
    });
    const count = (n: number): string => `${countText(n, 'guest')} of this host`;
    const waiting = stopped.length - off.length;
    const waits = this.#starts.waitsFor;
    return [
      ...(off.length === 0 ? [] : [`${count(off.length)} stopped by a shutdown and off: ${wordsOf(off)}`]),
      ...(waiting === 0 ? [] : [`${count(waiting)} to be looked at${waits === '' ? '' : `: ${waits}`}`]),
    ].join('; ');
  }

  /** Of groups that shut this host down here; a delegate of a container stops the guests of its host itself. */
  #groups(): readonly string[] {
    const configuration = this.#deps.configuration();
    if (configuration.dryRun || hostDelegation(configuration) !== null) return [];
    const { ups, redundancyGroups } = configuration;
    return [...ups, ...redundancyGroups].flatMap(({ policy }) => (policy.isLocal ? [policy.groupId] : []));
  }

  /** Without a record those of the journal: a boot forgets them. */
  #stopped(): readonly RecordedGuest[] {
    const { configuration, engine, records } = this.#deps;
    const isEnabled = configuration().recovery.enabled;
    const endOf = (guest: RecordedGuest): GuestEnd => this.#starts.endOf(guest);
    const all = this.#groups().flatMap((group) =>
      isEnabled
        ? (records()
            .get(group)
            ?.targets.find(({ server }) => server === null)?.guests ?? [])
        : guestsAfter([], { found: foundOn(engine().journal.of(group), null), endOf }),
    );
    if (all.length === 0) return all;
    const newest = new Map<string, RecordedGuest>();
    for (const guest of all)
      if (guest.foundUnixSeconds >= (newest.get(guestKey(guest))?.foundUnixSeconds ?? -Infinity))
        newest.set(guestKey(guest), guest);
    return [...newest.values()].filter((guest) => (endOf(guest) ?? guest).state === 'stopped');
  }

  #heldBy(): Hold | null {
    const { engine, clock } = this.#deps;
    const { powerOff } = engine().journal;
    const outage = (why: string): Hold => ({ why, isOutage: true });
    const byPower = this.#heldByPower();
    const isGoingDown = powerOff.askedBy.size > 0 && !powerOff.givenUp;
    if (!isGoingDown || byPower !== null) this.#stillUpSinceMs = null;
    if (byPower !== null || !isGoingDown) return byPower;
    // A service manager that powers off ends this daemon first.
    this.#stillUpSinceMs ??= clock.monotonicMs();
    const isFailed = clock.monotonicMs() - this.#stillUpSinceMs >= powerOffMs;
    return isFailed ? null : outage('this host is being powered off');
  }

  #heldByPower(): Hold | null {
    const { engine, clock } = this.#deps;
    const { state, journal } = engine();
    const outage = (why: string): Hold => ({ why, isOutage: true });
    const onBattery = groupsOnBattery(state);
    const freshFromMs = clock.monotonicMs() - freshMs;
    for (const group of this.#groups()) {
      if (journal.of(group)?.over === null) return outage(`the shutdown of ${group} runs`);
      if (onBattery.has(group)) return outage(`${group} is on battery`);
      if (!powerIsBack(state, group) || !isSeen(state, group, freshFromMs))
        return { why: `it is not known whether ${group} is on line power`, isOutage: false };
    }
    return null;
  }

  #settings(): StartSettings {
    const { enabled, guests, bootTimeoutMs, atOnce } = this.#deps.configuration().recovery;
    const left = enabled ? 'recovery.guests is "leave"' : 'recovery.enabled is false';
    return { left: enabled && guests === 'as_before' ? null : left, bootTimeoutMs, atOnce };
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
