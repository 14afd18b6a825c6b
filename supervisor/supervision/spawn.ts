// Starts worker processes. Each has its own session and process group, a link, no input and no output but its last words.
import { errorMessage } from '../../shared/domain/error-message.js';
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { Duplex } from 'node:stream';
import { EmitterPort } from '../../shared/runtime/emitter-port.js';
import type { Logger } from '../../shared/runtime/log.js';
import type { Port } from '../../shared/runtime/port.js';
import { linkFileDescriptor } from '../../shared/runtime/worker-runtime.js';
import { pipePort } from '../../shared/runtime/pipe-port.js';
import { launchCommand } from '../host/launcher.js';
import type { Account, Accounts } from '../host/accounts.js';
import { workerCommandLine, workerEnvironment } from './worker-command.js';
import type { End, WorkerInstance, LaunchProcess, ProcessOrder } from './worker-instance.js';
import { StderrTail } from './stderr-tail.js';

/** What a process wrote before its end is still in the pipes when the end is told; this long it is waited for. */
const lastWordsMs = 100;

export interface SpawnDependencies {
  readonly log: Logger;
  readonly accounts: Accounts;
  /** Root drops workers to their accounts; anybody else keeps its own. */
  readonly asRoot: boolean;
}

/** The launcher of a real supervisor. */
export function processLauncher(deps: SpawnDependencies): LaunchProcess {
  /** Users already warned about: once is enough, workers restart. */
  const missing = new Set<string>();
  const identityOf = (order: ProcessOrder): Account | null => {
    if (order.user === null || !deps.asRoot) return null;
    const account = deps.accounts.get(order.user);
    if (account !== undefined) return account;
    if (!missing.has(order.user))
      deps.log.warning(
        `there is no user ${order.user}: ${order.name} and its like run as root, without capabilities; run systemd-sysusers or scripts of the package to create it`,
      );
    missing.add(order.user);
    return null;
  };
  return (order) => launch(order, identityOf(order), deps.log);
}

function launch(order: ProcessOrder, account: Account | null, log: Logger): WorkerInstance {
  // A worker dies where its disk does, and is started anew while that disk does not answer.
  const { file, args } = launchCommand(
    workerCommandLine({
      entry: order.entry,
      heapLimitMb: order.heapLimitMb,
      account,
      nodePath: process.execPath,
    }),
  );
  try {
    const child = spawn(file, args, {
      cwd: '/',
      env: workerEnvironment(process.env, process.pid),
      // A session of its own: a terminal's Ctrl-C must not reach it, and a signal to its group reaches all it started.
      detached: true,
      stdio: ['ignore', 'ignore', order.inheritStderr ? 'inherit' : 'pipe', 'pipe'],
    });
    return new WorkerProcess(order.name, child, log);
  } catch (error) {
    // ENOMEM and its like are thrown, ENOENT and its like told by 'error': the machine has no room for it just now.
    return failedInstance(errorMessage(error));
  }
}

class WorkerProcess implements WorkerInstance {
  readonly port: Port;
  readonly pid: number | null;
  readonly #name: string;
  readonly #log: Logger;
  readonly #tail: StderrTail | null;
  #listener: (end: End) => void = () => undefined;
  #exited = false;
  #ended = false;

  constructor(name: string, child: ChildProcess, log: Logger) {
    this.#name = name;
    this.#log = log;
    this.pid = child.pid ?? null;
    // A process that never began, for want of file descriptors, has no pipes either.
    const began = child.pid !== undefined;
    this.#tail = began && child.stderr !== null ? new StderrTail(child.stderr) : null;
    const stream = began ? child.stdio[linkFileDescriptor] : null;
    this.port = stream instanceof Duplex ? pipePort(stream) : nowhere();
    child.once('error', (error) => {
      // Also told when a signal could not be sent; only a process that never began has no number.
      if (this.pid === null) this.#end({ reason: 'not-started', message: error.message, notAtFault: false });
    });
    child.once('exit', (code, signal) => {
      // What it started and left behind goes with it.
      this.#killGroup();
      this.#exited = true;
      const message = signal === null ? `it ended with code ${String(code)}` : `it was ended by ${signal}`;
      const end = (): void => this.#end({ reason: 'ended', message, notAtFault: false });
      const overdue = setTimeout(end, lastWordsMs);
      child.once('close', () => {
        clearTimeout(overdue);
        end();
      });
    });
  }

  kill(): void {
    if (!this.#exited) this.#killGroup();
  }

  onEnd(listener: (end: End) => void): void {
    this.#listener = listener;
  }

  #end(end: End): void {
    if (this.#ended) return;
    this.#ended = true;
    const words = this.#tail?.end() ?? '';
    if (words !== '') this.#log.warning(`last words of ${this.#name}: ${words}`);
    this.#listener(end);
    this.port.close();
  }

  #killGroup(): void {
    if (this.pid === null) return;
    try {
      process.kill(-this.pid, 'SIGKILL');
    } catch (error) {
      // ESRCH: nobody is left in the group, which is what was wanted. EPERM cannot be: they are all ours.
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
    }
  }
}

/** The port of a process that never began. */
const nowhere = (): Port => new EmitterPort({ postMessage: () => undefined });

function failedInstance(message: string): WorkerInstance {
  return {
    port: nowhere(),
    pid: null,
    kill: () => undefined,
    onEnd: (listener) => {
      setImmediate(() => listener({ reason: 'not-started', message, notAtFault: false }));
    },
  };
}
