// Starts worker processes. Each has its own session and process group and a link. It has no input; only the end of its
// standard error is kept.
import { errorMessage } from '../../shared/domain/base/error-message.js';
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

/** After the end of a process the pipes may still hold its last output; they are read for this long. */
const outputDrainMs = 100;

export interface SpawnDependencies {
  readonly log: Logger;
  readonly accounts: Accounts;
  /** Only root changes the account of workers. */
  readonly asRoot: boolean;
}

/** The launcher of a real supervisor. */
export function processLauncher(deps: SpawnDependencies): LaunchProcess {
  /** Warned about once: workers restart. */
  const missing = new Set<string>();
  const identityOf = (order: ProcessOrder): Account | null => {
    if (order.user === null || !deps.asRoot) return null;
    const account = deps.accounts.get(order.user);
    if (account !== undefined) return account;
    if (!missing.has(order.user))
      deps.log.warning(
        `the user ${order.user} does not exist: ${order.name} runs as root without capabilities; run systemd-sysusers or the scripts of the package to create it`,
      );
    missing.add(order.user);
    return null;
  };
  return (order) => launch(order, identityOf(order), deps);
}

function launch(
  order: ProcessOrder,
  account: Account | null,
  { log, asRoot }: SpawnDependencies,
): WorkerInstance {
  // The worker's disk may have died: it is then restarted while that disk does not answer.
  const { file, args } = launchCommand(
    workerCommandLine({
      entry: order.entry,
      heapLimitMb: order.heapLimitMb,
      account,
      nodePath: process.execPath,
      writesAsRoot: order.writesAsRoot && asRoot,
    }),
  );
  try {
    const child = spawn(file, args, {
      cwd: '/',
      env: workerEnvironment(process.env, process.pid),
      // A session of its own: Ctrl-C in a terminal does not reach it, and a signal to its group reaches all its
      // children.
      detached: true,
      stdio: ['ignore', 'ignore', order.inheritStderr ? 'inherit' : 'pipe', 'pipe'],
    });
    return new WorkerProcess(order.name, child, log);
  } catch (error) {
    // ENOMEM and similar are thrown, ENOENT and similar come as 'error': the machine cannot start a process now.
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
    // A process that could not be started, for lack of file descriptors, has no pipes.
    const began = child.pid !== undefined;
    this.#tail = began && child.stderr !== null ? new StderrTail(child.stderr) : null;
    const stream = began ? child.stdio[linkFileDescriptor] : null;
    this.port = stream instanceof Duplex ? pipePort(stream) : closedPort();
    child.once('error', (error) => {
      // 'error' also reports a signal that could not be sent; only a process that was not started has no pid.
      if (this.pid === null) this.#end({ reason: 'not-started', message: error.message, fault: 'own' });
    });
    child.once('exit', (code, signal) => {
      // Children that it left behind end with it.
      this.#killGroup();
      this.#exited = true;
      const message = signal === null ? `it ended with code ${String(code)}` : `it was ended by ${signal}`;
      const end = (): void => this.#end({ reason: 'ended', message, fault: 'own' });
      const overdue = setTimeout(end, outputDrainMs);
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
    if (words !== '') this.#log.warning(`last output of ${this.#name}: ${words}`);
    this.#listener(end);
    this.port.close();
  }

  #killGroup(): void {
    if (this.pid === null) return;
    try {
      process.kill(-this.pid, 'SIGKILL');
    } catch (error) {
      // ESRCH: the group is empty. EPERM cannot occur: all its processes are ours.
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
    }
  }
}

/** The port of a process that could not be started. */
const closedPort = (): Port => new EmitterPort({ postMessage: () => undefined });

function failedInstance(message: string): WorkerInstance {
  return {
    port: closedPort(),
    pid: null,
    kill: () => undefined,
    onEnd: (listener) => {
      setImmediate(() => listener({ reason: 'not-started', message, fault: 'own' }));
    },
  };
}
