// Tells the daemon which servers a manual shutdown has shut down: a file for each, of which it answers the reading. No command of the
// shutdown waits for it.
import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as waitMs } from 'node:timers/promises';
import { decode } from '../../../shared/domain/base/decode.js';
import { errorMessage } from '../../../shared/domain/base/error-message.js';
import type { BegunRequest, ByHandRequest } from '../../../shared/domain/recovery/by-hand.js';
import {
  answerOf,
  ByHandAnswer,
  maxRequestBytes,
  requestEnd,
} from '../../../shared/domain/recovery/by-hand.js';
import { systemClock } from '../../../shared/runtime/clock.js';
import type { Configuration } from '../../../supervisor/config/configuration/configuration.js';
import { readBootId } from '../../../supervisor/host/boot-file.js';
import { requestsIn } from '../../../supervisor/host/runtime-directory.js';
import { readSmallFile } from '../../../supervisor/host/small-file.js';
import { commandBy } from '../../../supervisor/recovery/target-record.js';
import type { ActionKind } from '../../../shared/domain/actions/table.js';
import { kindOf } from '../../../shared/domain/actions/table.js';
import type { Plan } from '../../../shared/domain/outage/plan.js';
import { parseJson } from '../control/control-socket.js';
import type { DrilledStep } from './report.js';

/** The daemon looks each second. */
const answerWithinMs = 4_000;
const askEveryMs = 100;

/** As often as not the second of the daemon is half over. */
const beginWithinMs = 2_000;

/** What became of it. */
export interface Told {
  /** The daemon has recorded them. */
  readonly recorded: readonly string[];
  /** Why others are not recorded, or not yet. */
  readonly problems: readonly string[];
}

/** Where the file for the daemon is, or why there is none. */
type Left = { readonly path: string } | { readonly problem: string };

interface End {
  readonly server: string;
  /** Empty: it is recorded. */
  readonly problem: string;
}

export class ByHand {
  readonly #folder: string;
  readonly #isOn: boolean;
  readonly #left: { readonly server: string; readonly left: Promise<Left> }[] = [];

  constructor({ recovery, supervisor }: Configuration, isDryRun: boolean) {
    this.#folder = requestsIn(supervisor.runtimeDirectory);
    this.#isOn = recovery.enabled && !isDryRun;
  }

  /**
   * Before the first step, where a daemon runs: it starts nothing again on these machines. Of a guest that was off before, or that it has
   * not seen to run since, it could not tell that the shutdown has stopped it. Settles within 2 s.
   */
  async begins(plan: Plan): Promise<void> {
    if (!this.#isOn) return;
    const untilMs = performance.now() + beginWithinMs;
    const asked = machinesOf(plan).map((server) => problemOf(this.#leave(begunOf(server)), true, untilMs));
    await Promise.race([Promise.all(asked), waitMs(beginWithinMs, undefined, { ref: false })]);
  }

  /** A step of the shutdown has ended. */
  ended({ step: { action }, outcome }: DrilledStep): void {
    const server = action.kind === 'remote' ? kindOf(action).serverOf(action) : null;
    if (!this.#isOn || server === null || commandBy(outcome) === 'none') return;
    this.#left.push({ server, left: this.#leave(endedOf(server)) });
  }

  /** Settles within some seconds. `runs`: a daemon does. */
  async told(runs: boolean): Promise<Told> {
    const untilMs = performance.now() + answerWithinMs;
    const ends = await Promise.all(
      this.#left.map(async ({ server, left }) => ({ server, problem: await problemOf(left, runs, untilMs) })),
    );
    const recorded = ends.flatMap(({ server, problem }) => (problem === '' ? [server] : []));
    return { recorded, problems: problemsOf(ends) };
  }

  async #leave(requestNow: () => ByHandRequest | BegunRequest): Promise<Left> {
    const folder = this.#folder;
    const name = join(folder, randomUUID());
    const path = `${name}${requestEnd}`;
    try {
      const request = requestNow();
      // Its parent must stay open to the users of the workers.
      await mkdir(dirname(dirname(folder)), { recursive: true, mode: 0o755 });
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeFile(`${name}.next`, JSON.stringify(request), { flag: 'wx', mode: 0o600 });
      await rename(`${name}.next`, path);
      return { path };
    } catch (error) {
      const isDenied = ['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '');
      return { problem: notLeft(`${errorMessage(error)}${isDenied ? '; run it as root' : ''}`) };
    }
  }
}

const endedOf = (server: string) => (): ByHandRequest => ({
  ...{ bootId: readBootId(), server, unixSeconds: systemClock.wallSeconds() },
});
const begunOf = (server: string | null) => (): BegunRequest => ({
  ...{ bootId: readBootId(), server, begunUnixSeconds: systemClock.wallSeconds() },
});

/** On which the plan stops guests or shuts down; null is this host. */
function machinesOf({ phases }: Plan): readonly (string | null)[] {
  const actions = phases.flatMap(({ steps }) => steps.map(({ action }) => action));
  const stops = actions.filter(({ kind }) => stopping.has(kind));
  return [...new Set(stops.map((action) => kindOf(action).serverOf(action)))];
}

const stopping: ReadonlySet<string> = new Set<ActionKind>([
  ...([
    'remote',
    'stopVirtualMachines',
    'stopContainers',
    'stopCompose',
    'poweroff',
    'poweroffDelegate',
  ] as const),
]);

/** Empty: the daemon has recorded it. */
async function problemOf(leaving: Promise<Left>, runs: boolean, untilMs: number): Promise<string> {
  const late: Left = { problem: notLeft('the runtime directory does not answer') };
  const left = await Promise.race([leaving, waitMs(answerWithinMs, late, { ref: false })]);
  if ('problem' in left) return left.problem;
  if (!runs) return later('no daemon runs', left.path);
  const answer = answerOf(left.path);
  for (; performance.now() < untilMs; await waitMs(askEveryMs)) {
    const file = readSmallFile(answer, maxRequestBytes, process.getuid?.() ?? 0);
    const decoded = decode(ByHandAnswer, file.ok ? parseJson(file.text) : undefined);
    if (!decoded.ok) continue;
    await rm(answer, { force: true }).catch(() => undefined);
    const { isRecorded, reason } = decoded.value;
    return isRecorded ? '' : `not recorded as shut down by hand: ${reason}`;
  }
  return later('the daemon has not answered', left.path);
}

const later = (why: string, path: string): string =>
  `not recorded as shut down by hand, since ${why}; until the next boot its next start reads it (${dirname(path)})`;

const notLeft = (why: string): string =>
  `not recorded as shut down by hand (${why}): the daemon takes it for a server that has failed`;

/** One line for each cause: of a hundred servers it is the same. */
function problemsOf(ends: readonly End[]): readonly string[] {
  const servers = new Map<string, string[]>();
  for (const { server, problem } of ends)
    if (problem !== '') servers.set(problem, [...(servers.get(problem) ?? []), server]);
  return [...servers].map(([problem, names]) => `${names.join(', ')}: ${problem}`);
}
