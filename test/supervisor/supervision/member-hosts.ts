// Simulated processes with members, which behave as those of worker-host.ts until the test says otherwise.
import type { Simulation, SimulatedProcess } from './simulated.js';

interface Received {
  readonly kind?: string;
  readonly name?: string;
  readonly id?: number;
  readonly params?: { readonly member: number };
  readonly member?: number;
  readonly frame?: { readonly kind: string; readonly settings: { readonly label: string } };
}

export class MemberHosts {
  /** Sends nothing any more. */
  hangs: SimulatedProcess | null = null;
  readonly #simulation: Simulation;
  readonly #greeted = new Set<SimulatedProcess>();
  /** By process: the members by name. */
  readonly #members = new Map<SimulatedProcess, Map<string, number>>();

  constructor(simulation: Simulation) {
    this.#simulation = simulation;
  }

  /** Called before each tick. */
  serve(): void {
    for (const process of this.#living) {
      if (process === this.hangs) continue;
      if (!this.#greeted.has(process)) process.hello();
      else if (this.#members.has(process)) process.send({ kind: 'heartbeat' });
      this.#greeted.add(process);
      for (const frame of process.received.splice(0)) this.#answer(process, frame);
    }
  }

  /** The names of the members of each process, sorted. */
  places(): readonly string[] {
    return this.#living.map((process) => [...this.#membersOf(process).keys()].sort().join(' ')).sort();
  }

  neighbours(name: string): number {
    return this.#membersOf(this.#processOf(name)).size - 1;
  }

  numberOf(name: string): number {
    return this.#membersOf(this.#processOf(name)).get(name) ?? NaN;
  }

  say(name: string, frame: object): void {
    this.#processOf(name).send({ member: this.numberOf(name), frame });
  }

  /** A member throws: the process reports it and ends. */
  fail(name: string): void {
    const process = this.#processOf(name);
    const body = { member: this.numberOf(name), message: 'thrown on purpose' };
    process.send({ kind: 'event', id: 1, name: 'member.failed', body });
    process.end('it was ended by SIGKILL');
  }

  /** The process of this member ends, and nobody knows why. */
  kill(name: string): void {
    this.#processOf(name).end('it was ended by SIGKILL');
  }

  get #living(): readonly SimulatedProcess[] {
    return this.#simulation.processes.filter(({ mortal }) => mortal);
  }

  #membersOf(process: SimulatedProcess): Map<string, number> {
    return this.#members.get(process) ?? new Map<string, number>();
  }

  #processOf(name: string): SimulatedProcess {
    const process = this.#living.find((one) => this.#membersOf(one).has(name));
    if (process === undefined) throw new Error(`${name} runs nowhere`);
    return process;
  }

  #answer(process: SimulatedProcess, { kind, name, id, params, member, frame }: Received): void {
    const members = this.#membersOf(process);
    if (frame !== undefined && member !== undefined) {
      if (frame.kind === 'configure') {
        this.#members.set(process, members.set(frame.settings.label, member));
        process.send({ member, frame: { kind: 'ready' } });
      }
      if (frame.kind === 'drain') process.send({ member, frame: { kind: 'drained' } });
    } else if (kind === 'configure') process.send({ kind: 'ready' });
    else if (kind === 'request' && params !== undefined) {
      process.send({ kind: 'answer', id, result: {} });
      if (name === 'member.start') process.send({ member: params.member, frame: process.helloFrame });
      else for (const [label, number] of members) if (number === params.member) members.delete(label);
    }
  }
}
