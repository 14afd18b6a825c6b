// The changes of all variables of all UPSes in the last minutes, in memory: the evidence of an outage that nobody foresaw.
// A minute of a UPS is deflated JSON that begins with the complete reading, so that the oldest minute can be dropped.
import { deflateRawSync } from 'node:zlib';
import { evidenceMarginSeconds } from '../../../shared/domain/outage.js';
import { powerSource, statusWords } from '../../../shared/domain/status-words.js';
import type { ChangeRecord } from '../../../shared/protocol/storage.js';
import { maxChangedVariables } from '../../../shared/protocol/storage.js';

/** Of all UPSes together. */
const usualMaxBytes = 64 * 1024 * 1024;
/** Of one minute before it is deflated: 60 readings that change a few hundred variables each. The rest of it is lost. */
const maxMinuteBytes = 1024 * 1024;
/** The list, and the strings and numbers of an entry, as V8 keeps them. */
const entryOverhead = 64;
const keptMs = (evidenceMarginSeconds + 60) * 1000;

/** Deflated JSON: a list of [Unix ms, variables by name], null for one that is gone; the first has every variable. */
export interface Minute {
  readonly fromMs: number;
  readonly untilMs: number;
  readonly changes: Buffer;
  /** It is in the database. */
  written: boolean;
}

interface Recording {
  variables: Map<string, string>;
  entries: string[];
  entryBytes: number;
  fromMs: number;
  untilMs: number;
  minutes: Minute[];
}

export class ChangesRing {
  readonly #maxBytes: number;
  readonly #byUps = new Map<string, Recording>();
  #bytes = 0;

  constructor(maxBytes = usualMaxBytes) {
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  add({ groupId, at, isWhole, variables }: ChangeRecord): void {
    const recording = this.#byUps.get(groupId) ?? begun();
    // A difference to a reading that is not here: the supervisor sends a complete one after a restart.
    if (recording.variables.size === 0 && !isWhole) return;
    this.#byUps.set(groupId, recording);
    const changes = isWhole ? { ...goneFrom(recording.variables, variables), ...variables } : variables;
    for (const [name, value] of Object.entries(changes)) {
      if (value === null) recording.variables.delete(name);
      else if (recording.variables.has(name) || recording.variables.size < maxChangedVariables)
        recording.variables.set(name, value);
    }
    const atMs = Math.floor(at * 1000);
    const isFirst = recording.entries.length === 0;
    const entry = JSON.stringify([atMs, isFirst ? Object.fromEntries(recording.variables) : changes]);
    if (recording.entryBytes + entry.length > maxMinuteBytes && !isFirst) return;
    // The clock may be set back within the minute.
    recording.fromMs = isFirst ? atMs : Math.min(recording.fromMs, atMs);
    recording.untilMs = isFirst ? atMs : Math.max(recording.untilMs, atMs);
    recording.entries.push(entry);
    recording.entryBytes += entry.length + entryOverhead;
    this.#bytes += entry.length + entryOverhead;
    while (this.#bytes > this.#maxBytes) this.#dropFromLargest();
  }

  /** Ends the minute under way of one UPS. */
  seal(groupId: string): void {
    const recording = this.#byUps.get(groupId);
    if (recording === undefined || recording.entries.length === 0) return;
    const { fromMs, untilMs, entries } = recording;
    const changes = deflateRawSync(`[${entries.join()}]`);
    this.#forgetEntries(recording);
    recording.minutes.push({ fromMs, untilMs, changes, written: false });
    this.#bytes += changes.length;
  }

  /** Ends the minute under way of every UPS, and drops what is too old. */
  sealAll(nowMs: number): void {
    for (const [groupId, recording] of this.#byUps) {
      this.seal(groupId);
      const isOld = ({ untilMs }: Minute): boolean => untilMs < nowMs - keptMs;
      for (const { changes } of recording.minutes.filter(isOld)) this.#bytes -= changes.length;
      recording.minutes = recording.minutes.filter((one) => !isOld(one));
      // A UPS that is no longer configured.
      if (recording.minutes.length === 0 && recording.untilMs < nowMs - keptMs) this.#byUps.delete(groupId);
    }
  }

  /** The complete minutes that overlap a time and are not in the database. */
  unwritten(groupId: string, fromMs: number, untilMs: number): readonly Minute[] {
    const { minutes = [] } = this.#byUps.get(groupId) ?? {};
    return minutes.filter((one) => !one.written && one.untilMs >= fromMs && one.fromMs <= untilMs);
  }

  /** Whether the last reading has line power; undefined without a reading, or when it says neither. */
  isOnLine(groupId: string): boolean | undefined {
    const status = this.#byUps.get(groupId)?.variables.get('ups.status');
    const source = status === undefined ? 'neither' : powerSource(statusWords(status));
    return source === 'neither' ? undefined : source === 'line';
  }

  #dropFromLargest(): void {
    let largest: Recording | undefined;
    let most = -1;
    for (const recording of this.#byUps.values()) {
      const size = recording.minutes.reduce((sum, { changes }) => sum + changes.length, recording.entryBytes);
      if (size > most) [largest, most] = [recording, size];
    }
    const oldest = largest?.minutes.shift();
    if (oldest !== undefined) this.#bytes -= oldest.changes.length;
    else if (largest !== undefined) this.#forgetEntries(largest);
  }

  #forgetEntries(recording: Recording): void {
    this.#bytes -= recording.entryBytes;
    recording.entries = [];
    recording.entryBytes = 0;
  }
}

function begun(): Recording {
  return { variables: new Map(), entries: [], entryBytes: 0, fromMs: 0, untilMs: 0, minutes: [] };
}

function goneFrom(
  before: ReadonlyMap<string, string>,
  after: ChangeRecord['variables'],
): Readonly<Record<string, null>> {
  return Object.fromEntries(
    [...before.keys()].filter((name) => !Object.hasOwn(after, name)).map((name) => [name, null]),
  );
}
