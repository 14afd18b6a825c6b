// The recorder keeps the recovery records on disk. Nothing but the step `record` of a plan and the restart in place of a power-off waits
// for it. Started when recovery is first enabled.
import { join } from 'node:path';
import type { Outcome } from '../../shared/protocol/contract.js';
import { failureOf, linkFailure } from '../../shared/protocol/contract.js';
import type { KeptRecord, SetAside, UnusedRecord } from '../../shared/protocol/recorder.js';
import { maxUnused, recordDirectoryName, recorderContract } from '../../shared/protocol/recorder.js';
import type { Clock } from '../../shared/runtime/clock.js';
import type { Logger } from '../../shared/runtime/log.js';
import type { Configuration } from '../config/configuration/configuration.js';
import type { Recalled } from '../recovery/record-disk.js';
import type { Supervision } from '../supervision/supervision.js';
import { SingleWorker, workerSpec } from './managed-worker.js';

/** A disk that spins up, or that others keep busy, takes seconds. */
const keepMs = 10_000;
/** All parts together, with the start of the worker. */
const recallMs = 10_000;

interface AllParts extends Recalled {
  /** Files that are not used. */
  readonly setAside: readonly SetAside[];
}

export interface RecorderDependencies {
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly log: Logger;
}

interface WaitingForReady {
  readonly untilMs: number;
  readonly settle: () => void;
}

export class RecorderWorker extends SingleWorker<typeof recorderContract> {
  readonly #deps: RecorderDependencies;
  #directory = '';
  #waiting: readonly WaitingForReady[] = [];
  /** Why a record is not on disk, as logged; empty while all are. */
  #lastFailure = '';
  /** Whether the last recall was answered, and what stood in its way. */
  #lastRecall = '';
  #isNetworkLogged = false;

  constructor(supervision: Pick<Supervision, 'start'>, deps: RecorderDependencies) {
    super(recorderContract, supervision);
    this.#deps = deps;
  }

  /** While recovery is off, a started worker stays idle. */
  apply({ recovery, statistics }: Configuration): void {
    this.#directory = join(statistics.dbDirectory, recordDirectoryName);
    const spec = workerSpec(recorderContract, {
      hosting: { kind: 'process', user: null, writesAsRoot: true },
      settings: { directory: this.#directory },
      onEvent: { 'network.kept': () => this.#logNetwork() },
      asks: {},
    });
    this.configure(spec, recovery.enabled);
  }

  workerReady(): void {
    this.#settleWaiting(() => true);
  }

  tick(): void {
    const nowMs = this.#deps.clock.monotonicMs();
    this.#settleWaiting(({ untilMs }) => nowMs >= untilMs);
  }

  /** Settles once the record, or a newer one of its group, is on disk, or with why it is not. Never rejects. */
  async keep(group: string, text: string): Promise<Outcome<object>> {
    const outcome = this.#inWords(await this.request('record.keep', { group, text }, keepMs), keepMs);
    this.#logChange(outcome.ok ? '' : outcome.error.message);
    return outcome;
  }

  /** All records of an earlier boot; waits for a worker that starts. Never rejects. */
  async recall(): Promise<Outcome<Recalled>> {
    const untilMs = this.#deps.clock.monotonicMs() + recallMs;
    const recalled = this.#inWords(await this.#recallUntil(untilMs), recallMs, 'it is read again');
    // It is asked again until it has answered: what stands in the way is logged once.
    const answer = JSON.stringify(
      recalled.ok ? [recalled.value.locked, recalled.value.reason] : recalled.error,
    );
    const isNew = answer !== this.#lastRecall;
    this.#lastRecall = answer;
    if (recalled.ok && (isNew || recalled.value.locked)) this.#logRecalled(recalled.value);
    else if (!recalled.ok && isNew)
      this.#deps.log.warning(`the recovery records are not read: ${recalled.error.message}`);
    return recalled;
  }

  /** Settles once the files of these records are renamed, or with why they are not. Never rejects. */
  async setAside(unused: readonly UnusedRecord[]): Promise<Outcome<object>> {
    for (let begun = 0; begun < unused.length; begun += maxUnused) {
      const records = unused
        .slice(begun, begun + maxUnused)
        .map(({ group, reason }) => ({ group, reason: reason.slice(0, 1024) }));
      const outcome = this.#inWords(await this.request('record.setAside', { records }, keepMs), keepMs);
      if (!outcome.ok) {
        const { code, message } = outcome.error;
        const text = `what lies in its place is not used (${records[0]?.reason ?? ''}) and not set aside: ${message}`;
        this.#logChange(text);
        return failureOf(code, text);
      }
      this.#logUnused(outcome.value.setAside);
    }
    return { ok: true, value: {} };
  }

  async #recallUntil(untilMs: number): Promise<Outcome<AllParts>> {
    await this.#ready(untilMs);
    const records: KeptRecord[] = [];
    const setAside: SetAside[] = [];
    for (let after = ''; ;) {
      const remainingMs = untilMs - this.#deps.clock.monotonicMs();
      const part = await this.request('record.recall', { after }, remainingMs);
      if (!part.ok) return part;
      records.push(...part.value.records);
      setAside.push(...part.value.setAside);
      const { locked, reason, next } = part.value;
      if (next === null || !locked) return { ok: true, value: { records, setAside, locked, reason } };
      if (next <= after)
        return failureOf(linkFailure.broken, `the recorder returned the part after ${after} twice`);
      after = next;
    }
  }

  #ready(untilMs: number): Promise<void> {
    if (this.isReady || !this.isStarted) return Promise.resolve();
    return new Promise((settle) => {
      this.#waiting = [...this.#waiting, { untilMs, settle }];
    });
  }

  #settleWaiting(isDue: (waiting: WaitingForReady) => boolean): void {
    if (this.#waiting.length === 0) return;
    const due = this.#waiting.filter(isDue);
    this.#waiting = this.#waiting.filter((waiting) => !due.includes(waiting));
    for (const { settle } of due) settle();
  }

  /** What a missing answer means. */
  #inWords<T>(outcome: Outcome<T>, withinMs: number, next = 'the next change is written again'): Outcome<T> {
    if (outcome.ok || outcome.error.code !== linkFailure.deadline) return outcome;
    return failureOf(
      linkFailure.deadline,
      `${this.#directory} does not answer within ${String(withinMs / 1000)} s. Shutdowns happen as configured and wait for no disk. ` +
        `Check that disk (dmesg); ${next}.`,
    );
  }

  /** Each change once, not each record. */
  #logChange(failure: string): void {
    if (failure === this.#lastFailure) return;
    const { log } = this.#deps;
    if (failure !== '') log.warning(`the recovery record is not on disk: ${failure}`);
    else log.info('the recovery record is on disk again');
    this.#lastFailure = failure;
  }

  #logRecalled({ setAside, locked, reason }: AllParts): void {
    const { log } = this.#deps;
    if (!locked)
      log.warning(`there is no recovery after an outage: ${reason ?? 'the records are not locked'}`);
    this.#logUnused(setAside);
  }

  #logUnused(setAside: readonly SetAside[]): void {
    for (const { file, reason } of setAside)
      this.#deps.log.warning(
        `the recovery record ${join(this.#directory, file)} is not used: ${reason}. What it had recorded is not started again; start it yourself`,
      );
  }

  #logNetwork(): void {
    if (this.#isNetworkLogged) return;
    this.#isNetworkLogged = true;
    this.#deps.log.warning(
      'the recorder, which runs as root, keeps the network: unshare --net does not work here (no CAP_SYS_ADMIN, or no util-linux). ' +
        'It opens no connection; give the daemon that capability to have the kernel ensure it',
    );
  }
}
