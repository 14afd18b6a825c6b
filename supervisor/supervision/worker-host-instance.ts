// One instance of a worker host, with the workers that run in it, its members. The loss of the process is the loss of all.
import { activeMember, workerHostContract } from '../../shared/protocol/worker-host.js';
import { listNames } from '../../shared/domain/base/list-names.js';
import type { Logger } from '../../shared/runtime/log.js';
import type { Port } from '../../shared/runtime/port.js';
import type { ChildDependencies, InstanceLoss } from './child.js';
import { WorkerChild } from './child.js';
import type { End, Fault, WorkerInstance, LaunchProcess } from './worker-instance.js';
import { PortDemultiplexer } from './port-demultiplexer.js';
import type { SupervisionObserver, WorkerSpec } from './worker-spec.js';

/** The limit of its members (specification/nut.md#worker-limits). */
const silenceMs = 2000;
/** A process without members starts within 0.1 s; the rest is for a machine that swaps or starts everything together. */
const startDeadlineMs = 10_000;
/** The process is never drained: its members are, one by one. */
const stopDeadlineMs = 1000;
/** The memory that each further member may add to the process. A connection and its last answer take 0.3 MB. */
const furtherMemberMb = 2;
/** Enough for the largest number of members. The supervisor checks the memory of the process by their actual number. */
const hostHeapMb = 480;

export interface WorkerHostDependencies extends ChildDependencies {
  readonly log: Logger;
  readonly observer: SupervisionObserver;
  readonly launch: LaunchProcess;
  /** Numbers that are unique in this supervisor. */
  readonly nextMember: () => number;
}

export interface MemberOrder {
  /** The program of the process. */
  readonly entry: string;
  readonly user: string | null;
  readonly memoryLimitMb: number;
}

/** What caused the loss of the process: the member with this number, no member, or not known. */
type Culprit = number | 'none' | 'unknown';

interface Member {
  readonly name: string;
  readonly ended: (end: End) => void;
}

export class WorkerHostInstance {
  readonly #name: string;
  readonly #deps: WorkerHostDependencies;
  readonly #demultiplexer: PortDemultiplexer;
  readonly #child: WorkerChild<typeof workerHostContract>;
  readonly #members = new Map<number, Member>();
  readonly #onGone: () => void;
  readonly #memoryLimitMb: number;
  #over = false;
  /** Set before the process ends because of a member. */
  #culprit: Culprit = 'unknown';

  constructor(name: string, order: MemberOrder, deps: WorkerHostDependencies, onGone: () => void) {
    this.#name = `host:${name}`;
    this.#deps = deps;
    this.#onGone = onGone;
    this.#memoryLimitMb = order.memoryLimitMb;
    const { entry, user } = order;
    const process = deps.launch({
      name: this.#name,
      entry,
      user,
      heapLimitMb: hostHeapMb,
      inheritStderr: false,
      writesAsRoot: false,
    });
    this.#demultiplexer = new PortDemultiplexer(process.port, deps.clock, () =>
      this.#child.lose('flood', 'its workers exceed the frame limit'),
    );
    this.#child = new WorkerChild(this.#spec(order), {}, withPort(process, this.#demultiplexer.own), deps, {
      ready: () => {
        for (const number of this.#members.keys()) this.#start(number);
      },
      lost: (loss) => this.#lost(loss),
      gone: () => this.#onGone(),
      log: (record) => deps.observer.log(record),
      warn: (message) => deps.log.warning(message),
      bug: (message) => deps.log.error(message),
    });
  }

  /** True when it takes no more members. */
  get over(): boolean {
    return this.#over;
  }

  get isQuiet(): boolean {
    return !this.#over && !this.empty && this.#child.isQuiet;
  }

  get empty(): boolean {
    return this.#members.size === 0;
  }

  /** For the memory watch; null once it has ended. */
  get footprint(): { readonly pid: number; readonly memoryLimitMb: number } | null {
    const { pid } = this.#child;
    if (this.#over || pid === null) return null;
    const furtherMb = Math.max(0, this.#members.size - 1) * furtherMemberMb;
    return { pid, memoryLimitMb: this.#memoryLimitMb + furtherMb };
  }

  launch(name: string): WorkerInstance {
    const number = this.#deps.nextMember();
    let listener: (end: End) => void = () => undefined;
    this.#members.set(number, { name, ended: (end) => listener(end) });
    if (this.#child.phase === 'ready') this.#start(number);
    return {
      port: this.#demultiplexer.portOf(number),
      pid: this.#child.pid,
      kill: (how) => this.#endMember(number, how?.finishedByItself ?? false),
      onEnd: (onEnd) => {
        listener = onEnd;
      },
    };
  }

  /** Ends the process by order. */
  end(): void {
    this.#child.kill();
  }

  outgrown(message: string): void {
    this.#child.lose('memory', message);
  }

  tick(stalledMs: number): void {
    if (stalledMs > 0) this.#demultiplexer.allowForStall(stalledMs);
    this.#child.tick(stalledMs);
    if (!this.#over && this.empty) this.end();
  }

  #spec({ entry, user }: MemberOrder): WorkerSpec<typeof workerHostContract> {
    return {
      name: this.#name,
      contract: workerHostContract,
      entry,
      hosting: { kind: 'process', user },
      silenceMs,
      startDeadlineMs,
      stopDeadlineMs,
      memoryLimitMb: this.#memoryLimitMb,
      settings: {},
      onEvent: {
        'member.failed': ({ member, message }) =>
          this.#endWith(member, { reason: 'ended', message, fault: 'own' }, 'one of its workers threw'),
        'member.left': ({ member }) =>
          this.#finish(member, { reason: 'ended', message: 'it closed its link', fault: 'own' }),
      },
      asks: {},
    };
  }

  #start(number: number): void {
    void this.#child.request('member.start', { member: number }, startDeadlineMs).then((outcome) => {
      if (!outcome.ok)
        this.#finish(number, { reason: 'not-started', message: outcome.error.message, fault: 'own' });
    });
  }

  /** A member that has not finished by itself may block the others, so the process ends with it. */
  #endMember(number: number, finishedByItself: boolean): void {
    if (this.#over || !this.#members.has(number)) return;
    const end: End = { reason: 'ended', message: 'it was ordered to end', fault: 'none' };
    const isLast = this.#members.size === 1;
    if (!finishedByItself || isLast)
      this.#endWith(number, end, isLast ? null : 'another of its workers was ended');
    else {
      this.#finish(number, end);
      void this.#child.request('member.end', { member: number }, stopDeadlineMs);
    }
  }

  /** Ends the process because of a member. `message`: for the others, if there are any. */
  #endWith(number: number, end: End, message: string | null): void {
    // Before #finish: its listener starts the member again, which must not happen in this process.
    this.#over = true;
    this.#culprit = number;
    this.#finish(number, end);
    if (message === null) this.end();
    else this.#child.lose('ended', message);
  }

  #finish(number: number, end: End): void {
    const member = this.#members.get(number);
    this.#members.delete(number);
    member?.ended(end);
  }

  #lost(loss: InstanceLoss | null): void {
    // As in #endWith.
    this.#over = true;
    const message = loss === null ? 'it was ended' : loss.message;
    const culprit = loss === null ? 'none' : this.#culpritOf(loss);
    const unknown: Fault = this.#members.size === 1 ? 'own' : 'possible';
    const faultOf = (number: number): Fault =>
      culprit === 'unknown' ? unknown : number === culprit ? 'own' : 'none';
    const members = [...this.#members];
    if (loss !== null)
      this.#report(
        loss,
        members.filter(([number]) => faultOf(number) !== 'own').map(([, { name }]) => name),
      );
    for (const [number] of members) {
      const reason = number === culprit && loss?.reason === 'silent' ? 'silent' : 'host-lost';
      this.#finish(number, { reason, message: `${this.#name}: ${message}`, fault: faultOf(number) });
    }
  }

  /** One warning and one event for all `names`; a member at fault has its own. */
  #report({ reason, message }: InstanceLoss, names: readonly string[]): void {
    if (names.length === 0) return;
    const then = `its workers restart in a new process: ${listNames(names)}`;
    this.#deps.log.warning(`lost the process ${this.#name} (${reason}): ${message}; ${then}`);
    this.#deps.observer.processLost(`${this.#name}: ${reason}: ${message}; ${then}`);
  }

  /** A silent process names its active member; the cause of any other loss is not known. */
  #culpritOf({ reason }: InstanceLoss): Culprit {
    const { pid } = this.#child;
    if (reason !== 'silent' || pid === null) return this.#culprit;
    const active = activeMember.of(this.#deps.processes.threadName(pid) ?? '');
    return active !== null && this.#members.has(active) ? active : this.#culprit;
  }
}

function withPort(process: WorkerInstance, port: Port): WorkerInstance {
  return { port, pid: process.pid, kill: () => process.kill(), onEnd: (listener) => process.onEnd(listener) };
}
