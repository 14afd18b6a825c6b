// The changes of all variables of all UPSes in the last minutes, in memory: the evidence of what preceded an outage.
// A minute of a UPS is deflated JSON that begins with the complete reading, so that the oldest minute can be dropped.
import { deflateRawSync } from 'node:zlib';
import { evidenceMarginSeconds } from '../../../shared/domain/outage/outage.js';
import { powerSource, statusWords } from '../../../shared/domain/ups/status-words.js';
import type { ChangeRecord } from '../../../shared/protocol/storage.js';
import { maxChangedVariables } from '../../../shared/protocol/storage.js';
import { slewMs } from './clocks.js';

/** Of all UPSes together. */
const usualMaxBytes = 64 * 1024 * 1024;
/** Of one minute before it is deflated: 60 readings that change a few hundred variables each. The rest of it is lost. */
const maxMinuteBytes = 1024 * 1024;
/** Of a text, a variable or a minute in memory, besides its characters, as V8 keeps them. */
const overhead = 64;
const minuteOverhead = 400;
/** A minute is ended each minute: only a clock that was set is further ahead than this. */
const setAheadMs = 120_000;
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
  variableBytes: number;
  entries: string[];
  entryBytes: number;
  fromMs: number;
  untilMs: number;
  minutes: Minute[];
  minuteBytes: number;
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

  /** False for a difference to a reading that is not here: the next one must be complete. */
  add({ groupId, at, isWhole, variables }: ChangeRecord): boolean {
    const recording = this.#byUps.get(groupId) ?? begun();
    if (recording.variables.size === 0 && !isWhole) return false;
    this.#byUps.set(groupId, recording);
    const changes = isWhole ? { ...goneFrom(recording.variables, variables), ...variables } : variables;
    for (const [name, value] of Object.entries(changes)) this.#set(recording, name, value);
    const atMs = Math.floor(at * 1000);
    // The clock was set: a minute is found by its dates, which are those of one clock.
    const { untilMs } = recording;
    if (atMs < untilMs - slewMs || atMs > untilMs + setAheadMs) this.seal(groupId);
    const isFirst = recording.entries.length === 0;
    const entry = JSON.stringify([atMs, isFirst ? Object.fromEntries(recording.variables) : changes]);
    if (recording.entryBytes + bytesOf(entry) > maxMinuteBytes && !isFirst) return true;
    recording.fromMs = isFirst ? atMs : Math.min(recording.fromMs, atMs);
    recording.untilMs = isFirst ? atMs : Math.max(recording.untilMs, atMs);
    recording.entries.push(entry);
    recording.entryBytes += bytesOf(entry);
    this.#bytes += bytesOf(entry);
    while (this.#bytes > this.#maxBytes) this.#dropFromLargest();
    return true;
  }

  #set(recording: Recording, name: string, value: string | null): void {
    const { variables } = recording;
    const before = variables.get(name);
    if (before === undefined && variables.size >= maxChangedVariables) return;
    if (value === null) variables.delete(name);
    else variables.set(name, value);
    const size = (text: string | null | undefined): number =>
      text === null || text === undefined ? 0 : bytesOf(name) + bytesOf(text);
    const grown = size(value) - size(before);
    recording.variableBytes += grown;
    this.#bytes += grown;
  }

  /** Ends the minute under way of one UPS. */
  seal(groupId: string): void {
    const recording = this.#byUps.get(groupId);
    if (recording === undefined || recording.entries.length === 0) return;
    const { fromMs, untilMs, entries } = recording;
    const deflated = deflateRawSync(`[${entries.join()}]`);
    // A copy of its size: zlib returns a part of a chunk of 16 kB, which would stay in memory with it.
    const changes = Buffer.alloc(deflated.length);
    deflated.copy(changes);
    this.#forgetEntries(recording);
    const minute = { fromMs, untilMs, changes, written: false };
    recording.minutes.push(minute);
    this.#addMinuteBytes(recording, sizeOf(minute));
  }

  /** Ends the minute under way of every UPS, and drops what is too old: but not the last reading, which may stay for months. */
  sealAll(nowMs: number): void {
    for (const [groupId, recording] of this.#byUps) {
      this.seal(groupId);
      const isOld = ({ untilMs }: Minute): boolean => untilMs < nowMs - keptMs;
      for (const minute of recording.minutes.filter(isOld)) this.#addMinuteBytes(recording, -sizeOf(minute));
      recording.minutes = recording.minutes.filter((one) => !isOld(one));
    }
  }

  /** The complete minutes that overlap one of these times and are not in the database, in the order in which they were read. */
  unwritten(
    groupId: string,
    ...times: readonly (readonly [fromMs: number, untilMs: number])[]
  ): readonly Minute[] {
    const { minutes = [] } = this.#byUps.get(groupId) ?? {};
    return minutes.filter(
      (minute) =>
        !minute.written &&
        times.some(([fromMs, untilMs]) => minute.untilMs >= fromMs && minute.fromMs <= untilMs),
    );
  }

  /** Whether the last reading has line power; undefined without a reading, or when it names no source. */
  isOnLine(groupId: string): boolean | undefined {
    const status = this.#byUps.get(groupId)?.variables.get('ups.status');
    const source = status === undefined ? 'neither' : powerSource(statusWords(status));
    return source === 'line' || source === 'battery' ? source === 'line' : undefined;
  }

  /** The oldest minute of the UPS that uses most; without one the UPS itself, until its next complete reading. */
  #dropFromLargest(): void {
    let largest: [string, Recording] | undefined;
    let most = -1;
    for (const [groupId, recording] of this.#byUps) {
      const size = recording.variableBytes + recording.entryBytes + recording.minuteBytes;
      if (size > most) [largest, most] = [[groupId, recording], size];
    }
    if (largest === undefined) return;
    const [groupId, recording] = largest;
    const oldest = recording.minutes.shift();
    if (oldest !== undefined) this.#addMinuteBytes(recording, -sizeOf(oldest));
    else if (recording.entries.length > 0) this.#forgetEntries(recording);
    else this.#forget(groupId);
  }

  #forget(groupId: string): void {
    const recording = this.#byUps.get(groupId);
    if (recording === undefined) return;
    this.#forgetEntries(recording);
    this.#bytes -= recording.variableBytes + recording.minuteBytes;
    this.#byUps.delete(groupId);
  }

  #addMinuteBytes(recording: Recording, bytes: number): void {
    recording.minuteBytes += bytes;
    this.#bytes += bytes;
  }

  #forgetEntries(recording: Recording): void {
    this.#bytes -= recording.entryBytes;
    recording.entries = [];
    recording.entryBytes = 0;
  }
}

/** Two bytes a character, as V8 keeps any text with one beyond Latin-1. */
function bytesOf(text: string): number {
  return 2 * text.length + overhead;
}

function sizeOf({ changes }: Minute): number {
  return changes.length + minuteOverhead;
}

function begun(): Recording {
  return {
    variables: new Map(),
    variableBytes: 0,
    entries: [],
    entryBytes: 0,
    fromMs: 0,
    untilMs: 0,
    minutes: [],
    minuteBytes: 0,
  };
}

function goneFrom(
  before: ReadonlyMap<string, string>,
  after: ChangeRecord['variables'],
): Readonly<Record<string, null>> {
  return Object.fromEntries(
    [...before.keys()].filter((name) => !Object.hasOwn(after, name)).map((name) => [name, null]),
  );
}
