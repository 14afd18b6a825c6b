// Stops the virtual machines of this host with virsh: requests a shutdown of all, waits for all, destroys those that
// still run. Every call has its own deadline: a libvirt daemon that hangs fails calls, never the step.
import { listNames } from '../../../shared/domain/base/list-names.js';
import type { Performer, ReportFound } from '../actuator.js';
import type { StepOutcome } from '../outcome.js';
import { failureOf } from '../outcome.js';
import type { GuestState } from './guest-state.js';
import { guestState } from './guest-state.js';
import type { LocalDependencies } from './local-calls.js';
import { call, faultOf, pause, StepTime } from './local-calls.js';

/** Under load libvirt answers a listing within a second; after ten it hangs. */
const listSeconds = 10;
/** libvirt uses the guest's agent where there is one, and stops waiting for it after five seconds. */
const requestSeconds = 10;
/** libvirt waits up to 15 s for the process of a guest to end; one that is blocked by a dead disk never ends. */
const destroySeconds = 15;
const checkSeconds = 5;
/** The interval of the checks whether guests have ended. */
const pollMs = 1_000;
/** Between two requests to a guest that refused the first. */
const askAgainMs = 5_000;
/** The part of the budget for the destroy and the last listing; at most a third. */
const reserveSeconds = 8;

interface Guest {
  /** virsh gets the UUID: a name may look like an option or a number. */
  readonly uuid: string;
  readonly name: string;
}

export function virtualMachinePerformer(deps: LocalDependencies): Performer<'stopVirtualMachines'> {
  return async ({ uri, maxWaitSeconds }, { budgetSeconds }, signal, found) => {
    const end = new AbortController();
    const both = AbortSignal.any([signal, end.signal]);
    try {
      return await new Guests(deps, uri, new StepTime(deps.clock, budgetSeconds), both).stop(
        maxWaitSeconds,
        found,
      );
    } finally {
      // Kills a request that still hangs.
      end.abort();
    }
  };
}

class Guests {
  readonly #deps: LocalDependencies;
  readonly #virsh: readonly string[];
  readonly #time: StepTime;
  readonly #signal: AbortSignal;
  /** By UUID: why a guest did not take its request. */
  readonly #refused = new Map<string, string>();
  /** By UUID: what keeps a guest paused that must not be resumed, nor destroyed. */
  readonly #held = new Map<string, string>();
  /** The guests that are waited for. */
  #awaited: ReadonlySet<string> = new Set();

  constructor(deps: LocalDependencies, uri: string | null, time: StepTime, signal: AbortSignal) {
    this.#deps = deps;
    this.#virsh = uri === null ? ['virsh'] : ['virsh', '-c', uri];
    this.#time = time;
    this.#signal = signal;
  }

  async stop(maxWaitSeconds: number, found: ReportFound): Promise<StepOutcome> {
    const reserve = Math.min(reserveSeconds, this.#time.leftSeconds / 3);
    const listed = await this.#running(Math.min(listSeconds, this.#time.leftSeconds / 3));
    if (!listed.ok) return failureOf(`could not list the virtual machines that run: ${listed.fault}`);
    if (listed.guests.length === 0) return { kind: 'done' };
    found(listed.guests.map(({ uuid, name }) => ({ engine: 'libvirt', id: uuid, name, user: null })));
    this.#awaited = new Set(listed.guests.map(({ uuid }) => uuid));
    void this.#requestShutdown(listed.guests);
    const waitSeconds = Math.min(maxWaitSeconds, this.#time.leftSeconds - reserve);
    const running = await this.#waitForEnd(listed.guests, waitSeconds);
    this.#awaited = new Set();
    const refused = [...this.#refused.values()];
    if (refused.length > 0)
      this.#deps.log.warning(`virtual machines that refused the shutdown request: ${refused.join('; ')}`);
    await this.#lookAgain(running);
    const held = running.filter(({ uuid }) => this.#held.has(uuid));
    const others = running.filter(({ uuid }) => !this.#held.has(uuid));
    const end = others.length === 0 ? done : await this.#destroy(others, waitSeconds);
    if (held.length === 0) return end;
    const why = held.map(({ uuid, name }) => `${listNames([name])} (${this.#held.get(uuid) ?? ''})`);
    const kept = `neither resumed nor destroyed: ${why.join(', ')}`;
    const before = end.kind === 'done' ? end.detail : end.reason;
    return failureOf(before === undefined ? kept : `${before}; ${kept}`);
  }

  /** Requests the shutdown of all guests concurrently. A guest that ignores the request is destroyed later. */
  async #requestShutdown(guests: readonly Guest[]): Promise<void> {
    // A guest that is paused or asleep cannot react.
    const still = await this.#call(checkSeconds, 'list', '--uuid', '--state-paused', '--state-other');
    const isStill = new Set(still.kind === 'exited' ? still.output.split(/\s+/) : []);
    await Promise.all(guests.map((guest) => this.#request(guest, isStill.has(guest.uuid))));
  }

  /** Again after a refusal: a job of the guest, such as a backup, or a busy libvirt may end in time. */
  async #request(guest: Guest, looksFirst: boolean): Promise<void> {
    const { uuid } = guest;
    let looks = looksFirst;
    let requests = 1;
    while (this.#awaited.has(uuid) && !this.#signal.aborted) {
      const state = looks ? await this.#stateOf(uuid) : ({ kind: 'runs' } as const);
      // One that has just been woken may miss its first request.
      if (state.kind === 'paused' || state.kind === 'asleep') requests = 2;
      if (state.kind === 'held') this.#held.set(uuid, state.why);
      else {
        this.#held.delete(uuid);
        if (await this.#shutDown(guest, state)) requests -= 1;
        if (requests === 0) return;
      }
      looks = true;
      await pause(this.#deps, this.#signal, askAgainMs);
    }
  }

  /** False when libvirt refuses. */
  async #shutDown({ uuid, name }: Guest, { kind }: GuestState): Promise<boolean> {
    const before = kind === 'paused' ? 'resume' : kind === 'asleep' ? 'dompmwakeup' : null;
    const roused = before === null ? undefined : faultOf(await this.#call(requestSeconds, before, uuid));
    const fault = roused ?? faultOf(await this.#call(requestSeconds, 'shutdown', uuid));
    if (fault === undefined) this.#refused.delete(uuid);
    else if (this.#awaited.has(uuid)) this.#refused.set(uuid, `${listNames([name])}: ${fault}`);
    return fault === undefined;
  }

  /** One that took its request may have been paused since, by a migration, a save or a snapshot. Takes a part of the reserve. */
  async #lookAgain(running: readonly Guest[]): Promise<void> {
    const seconds = Math.min(checkSeconds, this.#time.leftSeconds / 4);
    const unheld = running.filter(({ uuid }) => !this.#held.has(uuid));
    await Promise.all(
      unheld.map(async ({ uuid }) => {
        const state = await this.#stateOf(uuid, seconds);
        if (state.kind === 'held') this.#held.set(uuid, state.why);
      }),
    );
  }

  /** Not known, it counts as running: a request does no harm. */
  async #stateOf(uuid: string, seconds = checkSeconds): Promise<GuestState> {
    const words = ['env', 'LC_ALL=C', ...this.#virsh, 'domstate', uuid, '--reason'];
    const outcome = await call(this.#deps, this.#signal, seconds, words, 'listing');
    return guestState(outcome.kind === 'exited' && outcome.code === 0 ? outcome.output : '');
  }

  /** The guests that still run after `seconds`, or sooner when all have ended. A failed listing changes nothing. */
  async #waitForEnd(guests: readonly Guest[], seconds: number): Promise<readonly Guest[]> {
    const { clock } = this.#deps;
    const endMs = clock.monotonicMs() + seconds * 1000;
    let running = guests;
    while (running.length > 0 && !this.#signal.aborted) {
      const leftMs = endMs - clock.monotonicMs();
      if (leftMs <= 0) break;
      await pause(this.#deps, this.#signal, Math.min(pollMs, leftMs));
      const listed = await this.#running(checkSeconds);
      if (listed.ok) running = listed.guests;
      this.#awaited = new Set(running.map(({ uuid }) => uuid));
    }
    return running;
  }

  async #destroy(guests: readonly Guest[], waitedSeconds: number): Promise<StepOutcome> {
    const seconds = Math.min(destroySeconds, this.#time.leftSeconds * 0.75);
    const faults = await Promise.all(
      guests.map(async ({ uuid }) => [uuid, faultOf(await this.#call(seconds, 'destroy', uuid))] as const),
    );
    const listed = await this.#running(Math.min(checkSeconds, this.#time.leftSeconds * 0.75));
    const failures = new Map(faults);
    // Without a listing, a guest that could not be destroyed counts as running.
    const asked = new Set(guests.map(({ uuid }) => uuid));
    const left = listed.ok
      ? listed.guests.filter(({ uuid }) => asked.has(uuid))
      : guests.filter(({ uuid }) => failures.get(uuid) !== undefined);
    const gone = guests.filter(({ uuid }) => !left.some((guest) => guest.uuid === uuid));
    const waited = `${String(Math.round(waitedSeconds))} s`;
    if (gone.length > 0)
      this.#deps.log.warning(
        `virtual machines that did not end within ${waited} were destroyed: ${namesOf(gone)}`,
      );
    if (left.length === 0) {
      const why = gone.flatMap(({ uuid }) => this.#refused.get(uuid) ?? []);
      const reasons = why.length === 0 ? '' : ` (${why.join('; ')})`;
      return {
        kind: 'done',
        detail: `did not end within ${waited} and were destroyed: ${namesOf(gone)}${reasons}`,
      };
    }
    const why = left
      .map(({ uuid }) => failures.get(uuid) ?? this.#refused.get(uuid))
      .find((fault) => fault !== undefined);
    return failureOf(`still running: ${namesOf(left)}${why === undefined ? '' : ` (${why})`}`);
  }

  async #running(
    seconds: number,
  ): Promise<
    { readonly ok: true; readonly guests: readonly Guest[] } | { readonly ok: false; readonly fault: string }
  > {
    const outcome = await this.#call(seconds, 'list', '--uuid', '--name');
    const fault = faultOf(outcome);
    if (fault !== undefined || outcome.kind !== 'exited') return { ok: false, fault: fault ?? outcome.kind };
    return { ok: true, guests: guestsOf(outcome.output) };
  }

  #call(seconds: number, ...words: readonly string[]): ReturnType<typeof call> {
    return call(this.#deps, this.#signal, seconds, [...this.#virsh, ...words], 'listing');
  }
}

/** Lines of `virsh list --uuid --name`: the UUID, one blank, the name of any characters. */
function guestsOf(listing: string): readonly Guest[] {
  return listing.split('\n').flatMap((line) => {
    const [, uuid, name] = /^\s*([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\s?(.*)$/i.exec(line) ?? [];
    return uuid === undefined ? [] : [{ uuid, name: name?.trim() || uuid }];
  });
}

const done: StepOutcome = { kind: 'done' };

const namesOf = (guests: readonly Guest[]): string => listNames(guests.map(({ name }) => name));
