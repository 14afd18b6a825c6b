// A simulated process of pollers: implements the host's contract on the worker's end of a link, relays the frames of its
// members, and dies, hangs or never gets ready on command.
import { activeMember, workerHostContract, relayedFrame } from '../../../shared/protocol/worker-host.js';
import { WorkerLink } from '../../../shared/runtime/worker-link.js';
import { EmitterPort } from '../../../shared/runtime/emitter-port.js';
import type { Port } from '../../../shared/runtime/port.js';
import type { ThreadTimes } from '../../../supervisor/host/process-facts.js';
import type { End, WorkerInstance } from '../../../supervisor/supervision/worker-instance.js';
import { Member } from './member.js';
import type { MemberOptions } from './member.js';
import type { Wire } from './wire.js';

const bootMs = 60;
/** As in worker-main.ts. */
const beatMs = 1_000;
const starvesMs = 4_000;
/** From a signal to the report of the end. */
const deathMs = 5;

export class HostProcess implements WorkerInstance {
  readonly port: Port;
  readonly pid: number;
  readonly members = new Map<number, Member>();
  /** As `/proc/PID/comm`. */
  threadName = 'node';
  /** Of the machine: also runs when this process does not. */
  readonly #after: MemberOptions['after'];
  readonly #options: MemberOptions;
  readonly #wire: Wire;
  readonly #link: WorkerLink<typeof workerHostContract>;
  readonly #ports = new Map<number, EmitterPort>();
  #told: (end: End) => void = () => undefined;
  #dead = false;
  #hangs: 'no' | 'spins' | 'stopped' = 'no';
  /** What it will do when it has a processor again; null while it has one. */
  #missed: (() => void)[] | null = null;
  #waitedMs = 0;
  #configured = false;

  /** `comesUp`: false for a process that starts and never sends a frame. */
  constructor(pid: number, options: MemberOptions, wire: Wire, comesUp: boolean) {
    this.pid = pid;
    this.#after = options.after;
    this.#options = { ...options, after: (ms, run) => options.after(ms, () => this.#whileItTurns(run)) };
    this.#wire = wire;
    this.port = wire.supervisor;
    const own = new EmitterPort({ postMessage: (frame) => this.#post(this.#withPid(frame)) });
    wire.worker.on('message', (frame) =>
      this.#whileItTurns(() => {
        const relayed = relayedFrame(frame);
        if (relayed === undefined) own.arrive(frame);
        else this.#ports.get(relayed.member)?.arrive(relayed.frame);
      }),
    );
    this.#link = new WorkerLink(workerHostContract, own);
    this.#serve();
    if (!comesUp) return;
    this.#options.after(bootMs, () => this.#link.hello());
    this.#beat();
  }

  onEnd(listener: (end: End) => void): void {
    this.#told = listener;
  }

  kill(): void {
    this.die('SIGKILL');
  }

  /** Ends with all its members. */
  die(message: string): void {
    if (this.#dead) return;
    this.#stop();
    this.#after(deathMs, () => this.#told({ reason: 'ended', message, fault: 'own' }));
  }

  /** A member does not return; without one, the process was stopped from outside. */
  hang(member?: number): void {
    this.#hangs = member === undefined ? 'stopped' : 'spins';
    if (member !== undefined) this.threadName = activeMember.name(member);
  }

  get hangs(): boolean {
    return this.#hangs !== 'no';
  }

  get ended(): boolean {
    return this.#dead;
  }

  /** It has no processor for a while. */
  starve(): void {
    if (this.#missed !== null) return;
    this.#missed = [];
    this.#after(starvesMs, () => {
      const missed = this.#missed ?? [];
      this.#missed = null;
      this.#waitedMs += starvesMs;
      for (const run of missed) this.#whileItTurns(run);
    });
  }

  /** As the kernel counts them: it runs all the time, waits for a processor, or was stopped. */
  get threads(): ReadonlyMap<number, ThreadTimes> {
    const isRunnable = this.#missed !== null || this.#hangs === 'spins';
    const ranMs = this.#missed === null ? this.#options.monotonicMs() : 0;
    return new Map([[this.pid, { isRunnable, ranMs, waitedMs: this.#waitedMs }]]);
  }

  /** A member throws: the process reports it and ends. */
  fail(member: number): void {
    this.#link.emit('member.failed', { member, message: 'uncaught error' });
    this.die('SIGKILL');
  }

  /** The supervisor has died: no frame arrives any more. */
  cut(): void {
    this.#stop();
    this.#wire.cut();
  }

  #stop(): void {
    this.#dead = true;
    for (const member of this.members.values()) member.end();
    // No fault reaches a dead process.
    this.members.clear();
  }

  #serve(): void {
    this.#link.serve({
      configure: () => {
        if (!this.#configured) this.#link.ready();
        this.#configured = true;
      },
      request: {
        'member.start': ({ member }) => {
          const port = new EmitterPort({
            postMessage: (frame) => this.#post({ member, frame: this.#withPid(frame) }),
          });
          this.#ports.set(member, port);
          this.members.set(member, new Member(this.#options, port));
          return Promise.resolve({ ok: true, value: {} });
        },
        'member.end': ({ member }) => {
          this.members.get(member)?.end();
          this.members.delete(member);
          this.#ports.delete(member);
          return Promise.resolve({ ok: true, value: {} });
        },
      },
      drain: () => this.#link.drained(),
      lost: () => this.die('its supervisor is gone'),
    });
  }

  /** The link reports the PID of the real process that it runs in. */
  #withPid(frame: unknown): unknown {
    return typeof frame === 'object' && frame !== null && 'pid' in frame
      ? { ...frame, pid: this.pid }
      : frame;
  }

  #post(frame: unknown): void {
    this.#whileItTurns(() => this.#wire.worker.postMessage(frame));
  }

  #beat(): void {
    this.#options.after(beatMs, () => {
      if (this.#configured) this.#link.heartbeat();
      this.#beat();
    });
  }

  #whileItTurns(run: () => void): void {
    if (this.hangs || this.#dead) return;
    if (this.#missed === null) run();
    else this.#missed.push(run);
  }
}
