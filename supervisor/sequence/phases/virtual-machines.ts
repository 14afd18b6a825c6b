// Stops the virtual machines of this host with virsh: asks all, waits for them together, destroys what still runs.
// Every call has a deadline of its own: a libvirt daemon that hangs costs calls, never the step.
import type { Performer } from '../actuator.js';
import type { StepOutcome } from '../outcome.js';
import { failed } from '../outcome.js';
import type { LocalDependencies } from './local-calls.js';
import { call, faultOf, named, pause, StepTime } from './local-calls.js';

/** Under load libvirt answers a listing within a second; one that takes ten hangs. */
const listSeconds = 10;
/** Asking goes through the guest's agent where it has one, which libvirt gives up on after five seconds. */
const askSeconds = 10;
/** Libvirt itself waits up to 15 s for a guest's process to die; one held by a dead disk never does. */
const destroySeconds = 15;
const checkSeconds = 5;
/** A guest that has ended is noticed this much later. */
const pollMs = 1_000;
/** Kept at the end for destroying and looking once more, but never more than a third of a short budget. */
const reserveSeconds = 8;

interface Guest {
  /** Guests are named to virsh by it: a name may be anything, also an option or a number. */
  readonly uuid: string;
  readonly name: string;
}

export function virtualMachinePerformer(tools: LocalDependencies): Performer<'stopVirtualMachines'> {
  return async ({ uri, maxWaitSeconds }, { budgetSeconds }, signal) => {
    const over = new AbortController();
    const both = AbortSignal.any([signal, over.signal]);
    try {
      return await new Guests(tools, uri, new StepTime(tools.clock, budgetSeconds), both).stop(
        maxWaitSeconds,
      );
    } finally {
      // A request that still hangs is not left behind.
      over.abort();
    }
  };
}

class Guests {
  readonly #tools: LocalDependencies;
  readonly #virsh: readonly string[];
  readonly #time: StepTime;
  readonly #signal: AbortSignal;

  constructor(tools: LocalDependencies, uri: string | null, time: StepTime, signal: AbortSignal) {
    this.#tools = tools;
    this.#virsh = uri === null ? ['virsh'] : ['virsh', '-c', uri];
    this.#time = time;
    this.#signal = signal;
  }

  async stop(maxWaitSeconds: number): Promise<StepOutcome> {
    const reserve = Math.min(reserveSeconds, this.#time.leftSeconds / 3);
    const listed = await this.#running(Math.min(listSeconds, this.#time.leftSeconds / 3));
    if (!listed.ok) return failed(`could not list the virtual machines that run: ${listed.fault}`);
    if (listed.guests.length === 0) return { kind: 'done' };
    const asked = this.#askAll(listed.guests);
    const waitSeconds = Math.min(maxWaitSeconds, this.#time.leftSeconds - reserve);
    const still = await this.#waited(listed.guests, waitSeconds);
    const refused = await Promise.race([asked, pause(this.#tools, this.#signal, 0).then(() => [])]);
    if (refused.length > 0)
      this.#tools.log.warning(`virtual machines that could not be asked: ${refused.join('; ')}`);
    return still.length === 0 ? { kind: 'done' } : this.#destroy(still, waitSeconds);
  }

  /** All at once; the faults of those that could not be asked, which are destroyed later like all that ignore it. */
  async #askAll(guests: readonly Guest[]): Promise<readonly string[]> {
    // One that is paused hears nothing: it is let run again, so that it can end in order.
    const paused = await this.#call(checkSeconds, 'list', '--uuid', '--state-paused');
    const resumable = new Set(paused.kind === 'exited' ? paused.output.split(/\s+/) : []);
    const faults = await Promise.all(
      guests.map(async ({ uuid, name }) => {
        if (resumable.has(uuid)) await this.#call(askSeconds, 'resume', uuid);
        const fault = faultOf(await this.#call(askSeconds, 'shutdown', uuid));
        return fault === undefined ? undefined : `${named([name])}: ${fault}`;
      }),
    );
    return faults.filter((fault) => fault !== undefined);
  }

  /** Those that still run after `seconds`; fewer when all have ended before. A listing that fails changes nothing. */
  async #waited(guests: readonly Guest[], seconds: number): Promise<readonly Guest[]> {
    const { clock } = this.#tools;
    const endMs = clock.monotonicMs() + seconds * 1000;
    let still = guests;
    while (still.length > 0 && !this.#signal.aborted) {
      const leftMs = endMs - clock.monotonicMs();
      if (leftMs <= 0) break;
      await pause(this.#tools, this.#signal, Math.min(pollMs, leftMs));
      const listed = await this.#running(checkSeconds);
      if (listed.ok) still = listed.guests;
    }
    return still;
  }

  async #destroy(guests: readonly Guest[], waitedSeconds: number): Promise<StepOutcome> {
    const seconds = Math.min(destroySeconds, this.#time.leftSeconds * 0.75);
    const faults = await Promise.all(
      guests.map(async ({ uuid }) => [uuid, faultOf(await this.#call(seconds, 'destroy', uuid))] as const),
    );
    const listed = await this.#running(Math.min(checkSeconds, this.#time.leftSeconds * 0.75));
    const failures = new Map(faults);
    // Nobody to ask any more: what could not be destroyed counts as running.
    const left = listed.ok ? listed.guests : guests.filter(({ uuid }) => failures.get(uuid) !== undefined);
    const gone = guests.filter(({ uuid }) => !left.some((guest) => guest.uuid === uuid));
    if (gone.length > 0) {
      const waited = `${String(Math.round(waitedSeconds))} s`;
      this.#tools.log.warning(
        `virtual machines that did not end within ${waited} were destroyed: ${namesOf(gone)}`,
      );
    }
    if (left.length === 0) return { kind: 'done' };
    const why = left.map(({ uuid }) => failures.get(uuid)).find((fault) => fault !== undefined);
    return failed(`still running: ${namesOf(left)}${why === undefined ? '' : ` (${why})`}`);
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
    return call(this.#tools, this.#signal, seconds, [...this.#virsh, ...words], 'listing');
  }
}

/** Lines of `virsh list --uuid --name`: the UUID, one blank, the name with whatever it holds. */
function guestsOf(listing: string): readonly Guest[] {
  return listing.split('\n').flatMap((line) => {
    const [, uuid, name] = /^\s*([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\s?(.*)$/i.exec(line) ?? [];
    return uuid === undefined ? [] : [{ uuid, name: name?.trim() || uuid }];
  });
}

const namesOf = (guests: readonly Guest[]): string => named(guests.map(({ name }) => name));
