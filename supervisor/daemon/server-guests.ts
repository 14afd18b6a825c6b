// The guests and containers of servers that a shutdown has stopped: when they may be started again over SSH, and what is shown of them.
import type { RecordedGuest } from '../../shared/domain/recovery/guest.js';
import { formatSeconds } from '../../shared/domain/base/duration.js';
import type { Clock } from '../../shared/runtime/clock.js';
import type { Logger } from '../../shared/runtime/log.js';
import type { RemoteServerConfiguration } from '../config/configuration/configuration.js';
import { hostDelegation } from '../config/derive/host-delegate.js';
import { plansOf } from '../config/derive/plans.js';
import type { RecordedEvent } from '../events/event-recorder.js';
import type { Guard } from '../guard/guard.js';
import { GuestStarts } from '../recovery/guests/guest-starts.js';
import type { Hold } from '../recovery/guests/power-hold.js';
import { PowerHold } from '../recovery/guests/power-hold.js';
import { ServerEngine } from '../recovery/guests/server-engine.js';
import { noticeOf } from '../recovery/guests/words.js';
import type { GuestEnd, GuestTarget } from '../recovery/recorded-guests.js';
import { isStopped } from '../recovery/recorded-guests.js';
import type { RemoteWorker } from '../workers/remote.js';
import type { GuestSources } from './stopped-guests.js';
import { guestTargets, startSettings } from './stopped-guests.js';

export interface ServerGuestsDependencies extends GuestSources {
  readonly clock: Clock;
  readonly log: Logger;
  readonly guard: Guard;
  readonly remote: Pick<RemoteWorker, 'lookAtGuests' | 'startGuests' | 'endGuests'>;
  readonly record: (event: RecordedEvent) => void;
  /** By the last look; null: it proved nothing. */
  readonly answers: (server: string) => boolean | null;
  /** The record lacks something. */
  readonly soon: () => void;
}

/** Looks are due by the second. */
const tickMs = 1_000;
/** Each look is a login: `ufw limit` refuses the sixth in 30 s, and a person reads them in the log of the server. */
const retryMs = 60_000;
const restMs = 3_600_000;

const notLookedAt = 'nothing tells whether the server is up: its off_check is "none"';

const notSeen = 'no look has shown whether the server is up';

interface Machine {
  readonly server: RemoteServerConfiguration;
  readonly group: string;
}

/** It answers, and nothing says that it is shutting down or was shut down: since when, monotonic ms. */
type Up = { readonly isUp: true; readonly sinceMs: number } | { readonly isUp: false; readonly why: string };

interface Known {
  machine: Machine;
  readonly starts: GuestStarts;
  readonly power: PowerHold;
  up: Up;
}

export class ServerGuests {
  readonly #deps: ServerGuestsDependencies;
  readonly #known = new Map<string, Known>();
  /** By server, at the last tick. */
  #targets: ReadonlyMap<string, readonly GuestTarget[]> = new Map();
  #notices: ReadonlyMap<string, string> = new Map();
  #tickedMs = -Infinity;

  constructor(deps: ServerGuestsDependencies) {
    this.#deps = deps;
  }

  tick(): void {
    const nowMs = this.#deps.clock.monotonicMs();
    if (nowMs - this.#tickedMs < tickMs) return;
    this.#tickedMs = nowMs;
    this.#deps.guard.run('the guests of servers', () => this.#tick(nowMs));
  }

  /** By server: what does not run and why, or what is waited for. It changes only where a text does. */
  get notices(): ReadonlyMap<string, string> {
    return this.#notices;
  }

  /** `server`: null is this host, which a delegate shuts down where there is one. */
  endOf(server: string | null, guest: RecordedGuest): GuestEnd {
    const name = server ?? hostDelegation(this.#deps.configuration())?.server ?? null;
    return name === null ? null : (this.#known.get(name)?.starts.endOf(guest) ?? null);
  }

  #tick(nowMs: number): void {
    const machines = this.#machines();
    this.#targets = this.#targetsOf(machines);
    const names = new Set(machines.map(({ server }) => server.name));
    for (const name of this.#known.keys()) if (!names.has(name)) this.#forget(name);
    const notices = new Map<string, string>();
    for (const machine of machines) {
      const { name } = machine.server;
      const known = this.#knownOf(machine);
      const why = this.#whyNotUp(machine);
      if (why !== null) known.up = { isUp: false, why };
      else if (!known.up.isUp) known.up = { isUp: true, sinceMs: nowMs };
      known.starts.tick();
      const notice = noticeOf(`the server ${name}`, this.#stopped(machine), known.starts);
      if (notice !== '') notices.set(name, notice);
    }
    const isSame =
      notices.size === this.#notices.size &&
      [...notices].every(([name, notice]) => this.#notices.get(name) === notice);
    if (!isSame) this.#notices = notices;
  }

  /** It is not configured any more, a journal has forgotten its guests, or the daemon is in a dry run: what is under way is given up. */
  #forget(name: string): void {
    this.#known.delete(name);
    this.#deps.remote.endGuests(name);
  }

  #machines(): readonly Machine[] {
    const { ups, redundancyGroups, dryRun, recovery } = this.#deps.configuration();
    if (dryRun) return [];
    const known = [...ups, ...redundancyGroups].filter(
      ({ policy }) => recovery.enabled || guestTargets(policy.groupId, this.#deps).size > 0,
    );
    return known.flatMap(({ policy, resources }) =>
      resources.remoteServers
        .filter(({ enabled }) => enabled)
        .map((server) => ({ server, group: policy.groupId })),
    );
  }

  #knownOf(machine: Machine): Known {
    const { name } = machine.server;
    const before = this.#known.get(name);
    if (before !== undefined) {
      before.machine = machine;
      return before;
    }
    const { clock, log, guard, configuration, record, soon } = this.#deps;
    const own = (): Machine => this.#known.get(name)?.machine ?? machine;
    const known: Known = {
      machine,
      up: { isUp: false, why: notSeen },
      power: new PowerHold(),
      starts: new GuestStarts({
        ...{ clock, log, guard, retryMs, restMs, place: `the server ${name}`, changed: soon },
        guests: () => this.#stopped(own()),
        heldBy: () => this.#heldBy(own(), known),
        settings: () => startSettings(configuration()),
        waitsFor: () => Promise.resolve(''),
        engineOf: (guest) => this.#engineOf(own(), guest),
        staysOff: (detail) => record({ source: 'daemon', type: 'GUESTS_STAY_OFF', detail }),
      }),
    };
    this.#known.set(name, known);
    return known;
  }

  #engineOf({ server }: Machine, { engine }: RecordedGuest): ServerEngine {
    const { clock, remote } = this.#deps;
    return new ServerEngine(engine, {
      ...{ clock, server: server.name, useSudo: server.useSudo, uri: this.#uriOf(server.name) },
      look: (name, order) => remote.lookAtGuests(name, order),
      start: (name, order) => remote.startGuests(name, order),
      end: (name) => remote.endGuests(name),
    });
  }

  /** Of libvirt, where the plan has one for it. */
  #uriOf(server: string): string | null {
    const steps = plansOf(this.#deps.configuration()).flatMap(({ phases }) =>
      phases.flatMap((phase) => phase.steps),
    );
    const uris = steps.flatMap(({ action }) =>
      action.kind === 'remote' && action.work.server === server
        ? action.work.actions.map(({ uri }) => uri)
        : [],
    );
    return uris.find((uri) => uri !== null) ?? null;
  }

  /** The delegate of a container is the host of this daemon: what its steps have stopped is recorded of this host. */
  #targetsOf(machines: readonly Machine[]): ReadonlyMap<string, readonly GuestTarget[]> {
    const delegation = hostDelegation(this.#deps.configuration());
    const groups = new Map<string, ReturnType<typeof guestTargets>>();
    for (const { group } of machines)
      if (!groups.has(group)) groups.set(group, guestTargets(group, this.#deps));
    return new Map(
      machines.map(({ server: { name }, group }) => {
        const of = groups.get(group);
        const isHost = delegation?.group === group && delegation.server === name;
        const own = [of?.get(name), isHost ? of?.get(null) : undefined];
        return [name, own.filter((target) => target !== undefined)];
      }),
    );
  }

  /** A dry run has stopped nothing. */
  #stopped({ server: { name } }: Machine): readonly RecordedGuest[] {
    return (this.#targets.get(name) ?? []).flatMap(({ guests, isDryRun, server }) =>
      isDryRun ? [] : guests.filter((guest) => isStopped(guest, this.endOf(server, guest))),
    );
  }

  /** Null: it is up. */
  #whyNotUp({ server: { name } }: Machine): string | null {
    for (const { server, command, byHandUnixSeconds } of this.#targets.get(name) ?? []) {
      if (server === null) continue;
      if (byHandUnixSeconds !== null) return 'the server was shut down by hand, and is not up again';
      if (command === 'given') return 'the server was shut down, and is not up again';
      if (command === 'maybe') return 'the server may have been shut down, and is not up again';
    }
    const answers = this.#deps.answers(name);
    if (answers === null) return notSeen;
    return answers ? null : 'the server does not answer';
  }

  #heldBy({ server, group }: Machine, { power, up }: Known): Hold | null {
    const { engine, clock } = this.#deps;
    const { state, journal } = engine();
    const nowMs = clock.monotonicMs();
    const hold = power.of([group], { state, journal, nowMs });
    if (hold !== null) return hold;
    if (server.offCheck === 'none') return { why: notLookedAt, kind: 'lasting' };
    if (!up.isUp) return { why: up.why, kind: 'wait' };
    const leftMs = up.sinceMs + server.bootTimeoutSeconds * 1000 - nowMs;
    if (leftMs <= 0) return null;
    // Not a second less each second: a text that changes is shown again to everybody.
    const left = formatSeconds(Math.ceil(leftMs / 60_000) * 60);
    return { why: `what starts by itself has up to ${left} more (boot_timeout)`, kind: 'wait' };
  }
}
