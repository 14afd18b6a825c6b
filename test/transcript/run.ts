// Runs a transcript through the real policy: polls, ticks and restarts on a fake clock.
import type { Variables } from '../../shared/domain/ups/reading.js';
import type { RedundancyRow, UpsRow } from '../../shared/domain/status/status-model.js';
import type { Effect } from '../../supervisor/policy/base/effects.js';
import type { Input, PolicySettings, PollOutcome } from '../../supervisor/policy/base/inputs.js';
import { restored, snapshotOf } from '../../supervisor/policy/snapshot.js';
import type { PolicyState } from '../../supervisor/policy/state/state.js';
import { initialState } from '../../supervisor/policy/state/state.js';
import { redundancyRow, upsRow } from '../../supervisor/policy/view/view.js';
import type { Answer, Command, Transcript } from './parse.js';
import { formatDuration } from './duration.js';
import { soundStep } from './sound-step.js';

/** As in the supervisor. */
const tickMs = 250;
/** On a real machine the clocks do not start at 0 either. */
const monotonicAtStart = 5_000_000;
const unixAtStart = 1_700_000_000;

export interface Happened {
  readonly atMs: number;
  readonly effect: Effect;
  /** As a line of a transcript, without the leading `=`; null for effects that transcripts omit. */
  readonly line: string | null;
  readonly remark: string;
}

interface Ups {
  readonly name: string;
  readonly intervalMs: number;
  readonly deadlineMs: number;
  answer: Answer;
  since: number;
  once: Answer | null;
  dueMs: number;
}

export class TranscriptRun {
  readonly happened: Happened[] = [];
  state: PolicyState = initialState;
  #nowMs = 0;
  #nextTick = 0;
  readonly #ups: Ups[];
  readonly #settings: PolicySettings;
  readonly #seen: ((input: Input) => void) | undefined;

  constructor(transcript: Transcript, seen?: (input: Input) => void) {
    this.#seen = seen;
    this.#settings = {
      ups: transcript.ups,
      redundancyGroups: transcript.groups,
      voltageHysteresisMs: 30_000,
    };
    this.#ups = transcript.ups.map((ups) => ({
      name: ups.groupId,
      intervalMs: ups.checkIntervalMs,
      deadlineMs: ups.pollDeadlineMs,
      answer: { kind: 'silent' },
      since: 0,
      once: null,
      dueMs: 0,
    }));
    this.#step({ kind: 'configured', at: this.#at(), settings: this.#settings });
    for (const { atMs, command } of transcript.commands) {
      this.#until(atMs);
      this.#command(command);
    }
  }

  get lines(): readonly string[] {
    return this.happened.flatMap(({ line }) => (line === null ? [] : [line]));
  }

  /** Runs polls and ticks due before `ms`; those due at `ms` run after the commands of that time. */
  #until(ms: number): void {
    for (;;) {
      const ups = this.#ups.reduce<Ups | null>((a, b) => (a !== null && a.dueMs <= b.dueMs ? a : b), null);
      const next = Math.min(ups?.dueMs ?? Infinity, this.#nextTick);
      if (next >= ms) break;
      this.#nowMs = next;
      if (ups !== null && ups.dueMs === next) this.#poll(ups);
      else {
        this.#nextTick = next + tickMs;
        this.#step({ kind: 'ticked', at: this.#at() });
      }
    }
    this.#nowMs = ms;
  }

  #command(command: Command): void {
    switch (command.kind) {
      case 'answer': {
        const ups = this.#ups.find(({ name }) => name === command.ups);
        if (ups === undefined) throw new Error(`no ups ${command.ups}`);
        if (command.once) ups.once = command.answer;
        else [ups.answer, ups.since] = [command.answer, this.#nowMs];
        ups.dueMs = Math.min(ups.dueMs, Math.ceil(this.#nowMs / ups.intervalMs) * ups.intervalMs);
        return;
      }
      case 'ended':
        this.#step({
          kind: 'sequenceEnded',
          at: this.#at(),
          groupId: command.group,
          cancelled: command.cancelled,
        });
        return;
      case 'assessed':
        this.#step({ kind: 'assessed', at: this.#at(), groupId: command.ups, estimate: command.estimate });
        return;
      case 'recalled':
        this.#step({
          kind: 'gaugesRecalled',
          at: this.#at(),
          groupId: command.ups,
          read: { charge: true, runtime: true },
        });
        return;
      case 'tested':
        this.#step({ kind: 'tested', at: this.#at(), groupId: command.ups, running: command.running });
        return;
      case 'forced':
        this.#step({ kind: 'forcedShutdown', at: this.#at(), groupId: command.ups, state: command.state });
        return;
      case 'restart': {
        const kept: unknown = JSON.parse(JSON.stringify(snapshotOf(this.state)));
        this.#skip(command.downMs);
        const back = restored(kept, this.#settings, this.#at());
        if (!back.ok) throw new Error(JSON.stringify(back.problems));
        this.state = back.value;
        return;
      }
      case 'stall':
        this.#skip(command.downMs);
        return;
      case 'show':
        this.#show(command.groupId);
        return;
      case 'end':
        this.#until(this.#nowMs + 1);
    }
  }

  #show(groupId: string): void {
    const isUps = this.#ups.some(({ name }) => name === groupId);
    const shown = isUps
      ? shownUps(upsRow(this.state, groupId))
      : shownGroup(redundancyRow(this.state, groupId));
    const line = `${formatDuration(this.#nowMs)} show ${groupId} ${shown}`;
    this.happened.push({ atMs: this.#nowMs, effect: { kind: 'publish', groupId }, line, remark: '' });
  }

  #skip(ms: number): void {
    this.#nowMs += ms;
    this.#nextTick = this.#nowMs;
    for (const ups of this.#ups) ups.dueMs = Math.ceil(this.#nowMs / ups.intervalMs) * ups.intervalMs;
  }

  #poll(ups: Ups): void {
    const answer = ups.once ?? ups.answer;
    ups.once = null;
    ups.dueMs += ups.intervalMs;
    if (answer.kind === 'silent') return;
    const outcome = outcomeOf(answer, this.#nowMs - ups.since);
    this.#step({ kind: 'polled', at: this.#at(), groupId: ups.name, outcome });
  }

  #step(input: Input): void {
    this.#seen?.(input);
    const { state, effects } = soundStep(this.state, input);
    this.state = state;
    effects.forEach((effect, index) => {
      const line = lineOf(effect, effects[index - 1], effects[index + 1]);
      const shown = line === null ? null : `${formatDuration(this.#nowMs)} ${line}`;
      this.happened.push({ atMs: this.#nowMs, effect, line: shown, remark: remarkOf(effect) });
    });
  }

  #at(): Input['at'] {
    return { monotonicMs: monotonicAtStart + this.#nowMs, unixSeconds: unixAtStart + this.#nowMs / 1000 };
  }
}

function shownUps({ connectionState, connectionDetail, staleSince }: UpsRow): string {
  const since = staleSince === null ? '' : ` since ${formatDuration((staleSince - unixAtStart) * 1000)}`;
  return `${connectionState} ${connectionDetail}${since}`;
}

function shownGroup({ quorumLost, members }: RedundancyRow): string {
  const health = members.map((member) => `${member.name}=${member.health}`).join(' ');
  return `${quorumLost ? 'quorum lost' : 'quorum'} ${health}`;
}

function outcomeOf(answer: Exclude<Answer, { kind: 'silent' }>, sinceMs: number): PollOutcome {
  if (answer.kind === 'failed') return { kind: 'failed', detail: answer.detail, message: answer.detail };
  const { words, values, variables: named, drain } = answer;
  const value = (key: string) => values[key] ?? null;
  const charge = value('charge');
  const reading = {
    status: words,
    chargePercent: charge === null ? null : Math.max(0, Math.floor(charge - (drain * sinceMs) / 60_000)),
    runtimeSeconds: value('runtime'),
    loadPercent: value('load'),
    inputVolts: value('volts'),
    outputVolts: null,
    batteryVolts: null,
    inputHertz: null,
    outputHertz: null,
    temperatureCelsius: null,
    nominalVolts: value('nominal'),
    realPowerWatts: null,
  };
  const variables: Variables = { 'ups.status': words.join(' '), ...named };
  return { kind: 'reading', reading, variables };
}

/** An event whose message follows is one line, `alert`. */
function lineOf(effect: Effect, before: Effect | undefined, after: Effect | undefined): string | null {
  switch (effect.kind) {
    case 'startSequence':
      return `start ${effect.groupId} ${effect.trigger}`;
    case 'powerReturned':
      return `power-returned ${effect.groupId}`;
    case 'recordEvent':
      return `${isMessage(after, effect.type) ? 'alert' : 'event'} ${effect.source} ${effect.type}`;
    case 'notify':
      if (before?.kind === 'recordEvent' && before.type === effect.type) return null;
      return `notify ${effect.source} ${effect.type}`;
    case 'prepare':
      return `prepare ${effect.groupId}`;
    case 'publish':
    case 'saveSnapshot':
      return null;
  }
}

function isMessage(effect: Effect | undefined, type: string): boolean {
  return effect?.kind === 'notify' && effect.type === type;
}

function remarkOf(effect: Effect): string {
  switch (effect.kind) {
    case 'startSequence':
      return effect.why;
    case 'recordEvent':
      return effect.detail;
    case 'notify':
      return effect.text;
    case 'powerReturned':
    case 'prepare':
    case 'publish':
    case 'saveSnapshot':
      return '';
  }
}
