// The engines of a server that start what a shutdown has stopped there, over SSH. The remote worker has the login; what its tools say is
// judged here.
import type { RecordedGuest, StoppedGuest } from '../../../shared/domain/recovery/guest.js';
import { singleLine } from '../../../shared/domain/base/single-line.js';
import type { Outcome } from '../../../shared/protocol/contract.js';
import type { GuestAnswer, GuestOrder } from '../../../shared/protocol/remote.js';
import type { Clock } from '../../../shared/runtime/clock.js';
import type { StartingEngine } from './engines.js';
import { verdictsOf } from './server-verdicts.js';
import type { Looked } from './verdict.js';

export interface ServerEngineDependencies {
  readonly clock: Pick<Clock, 'wallSeconds'>;
  readonly server: string;
  readonly useSudo: boolean;
  /** Of libvirt; null: what the login finds. */
  readonly uri: string | null;
  /** `guests.look` and `guests.start` of the remote worker. They settle within the time of the order and its margin. */
  readonly look: (server: string, order: GuestOrder) => Promise<Outcome<readonly GuestAnswer[]>>;
  readonly start: (server: string, order: GuestOrder) => Promise<Outcome<readonly GuestAnswer[]>>;
  /** Closes the login: an outage. */
  readonly end: (server: string) => void;
}

/** With the login. A thousand containers are asked for one by one. */
const lookMs = 120_000;
/** Images are there; a start waits for volumes, networks and the storage of a guest. */
const startMs = 150_000;

export class ServerEngine implements StartingEngine {
  readonly label: string;
  readonly #deps: ServerEngineDependencies;

  constructor(engine: RecordedGuest['engine'], deps: ServerEngineDependencies) {
    this.#deps = deps;
    this.label = `${engine.replace(/_.*/, '')} on ${deps.server}`;
  }

  async look(guests: readonly RecordedGuest[], signal: AbortSignal): Promise<Looked> {
    const { clock, server, look, end } = this.#deps;
    signal.addEventListener('abort', () => end(server), { once: true });
    const asked = clock.wallSeconds();
    const outcome = await look(server, this.#order(guests, lookMs));
    if (!outcome.ok) return { ok: false, fault: singleLine(outcome.error.message) };
    return {
      ok: true,
      verdicts: verdictsOf(guests, outcome.value, { asked, answered: clock.wallSeconds() }),
    };
  }

  async start(guest: RecordedGuest): Promise<string | undefined> {
    const { server, start } = this.#deps;
    const outcome = await start(server, this.#order([guest], startMs));
    if (!outcome.ok) return singleLine(outcome.error.message);
    const [answer] = outcome.value;
    if (answer === undefined) return 'the server did not say in time whether it was started';
    return answer.kind === 'started' || isRunning.test(answer.text)
      ? undefined
      : singleLine(answer.text) || 'its tool gives no reason';
  }

  #order(guests: readonly RecordedGuest[], budgetMs: number): GuestOrder {
    const { useSudo, uri } = this.#deps;
    return { guests: guests.map(stoppedOf), useSudo, uri, budgetMs };
  }
}

/** It was started in between: virsh, qm, pct. */
const isRunning = /domain is already active|already running/i;

const stoppedOf = ({ engine, id, name, user }: RecordedGuest): StoppedGuest => ({ engine, id, name, user });
