// Parses a transcript of an outage: what the UPSes answer and when, and the expected effects of policy.
// The format is described in test/scenarios/README.md.
import type { RuntimeEstimate } from '../../shared/domain/ups/battery/health.js';
import type { TriggerSettings } from '../../shared/domain/triggers/table.js';
import type { ForcedShutdownState, GroupSettings, UpsSettings } from '../../supervisor/policy/base/inputs.js';
import type { PollFailure } from '../../shared/domain/status/states.js';
import { PollFailure as FailureCodec } from '../../shared/domain/status/states.js';
import { parseDuration } from './duration.js';
import { settingsOf } from '../../shared/domain/base/keys.js';
import { policyKeys } from '../../supervisor/policy/base/ups-keys.js';
import { triggersFrom } from './trigger-words.js';

/** The answer of a UPS to every poll until the next command. */
export type Answer =
  | {
      readonly kind: 'reading';
      readonly words: readonly string[];
      readonly values: Readonly<Record<string, number>>;
      /** NUT variables by their name. */
      readonly variables: Readonly<Record<string, string>>;
      /** Percentage points of charge lost per minute. */
      readonly drain: number;
    }
  | { readonly kind: 'failed'; readonly detail: PollFailure }
  /** The poller is dead: nothing comes. */
  | { readonly kind: 'silent' };

export type Command =
  | { readonly kind: 'answer'; readonly ups: string; readonly answer: Answer; readonly once: boolean }
  | { readonly kind: 'ended'; readonly group: string; readonly cancelled: boolean }
  /** Storage has assessed the battery: how long it lasts when full. */
  | { readonly kind: 'assessed'; readonly ups: string; readonly estimate: RuntimeEstimate }
  /** Earlier boots have read a charge above 0 from the UPS. */
  | { readonly kind: 'recalled'; readonly ups: string }
  | { readonly kind: 'tested'; readonly ups: string; readonly running: boolean }
  | { readonly kind: 'forced'; readonly ups: string; readonly state: ForcedShutdownState }
  /** The daemon is down for a while and restarts from its snapshot. */
  | { readonly kind: 'restart'; readonly downMs: number }
  /** The daemon stands still for a while and goes on: a suspend, a stopped process. */
  | { readonly kind: 'stall'; readonly downMs: number }
  /** The row of a UPS or group at this moment becomes a line. */
  | { readonly kind: 'show'; readonly groupId: string }
  | { readonly kind: 'end' };

export interface Timed {
  readonly atMs: number;
  readonly command: Command;
  readonly line: string;
}

export interface Transcript {
  readonly ups: readonly UpsSettings[];
  readonly groups: readonly GroupSettings[];
  readonly commands: readonly Timed[];
  /** The lines after `=`, in order, without remarks; none for `= nothing`. */
  readonly expected: readonly string[];
}

export function parseTranscript(text: string): Transcript {
  const ups: UpsSettings[] = [];
  const groups: GroupSettings[] = [];
  const commands: Timed[] = [];
  const expected: string[] = [];
  text.split('\n').forEach((raw, index) => {
    const line = raw.replace(/#.*$/, '').trim();
    if (line === '') return;
    try {
      const [first = '', ...words] = line.split(/\s+/);
      if (first === '=') expected.push(...(words[0] === 'nothing' ? [] : [words.join(' ')]));
      else if (first === 'ups') ups.push(parseUps(words));
      else if (first === 'group') groups.push(parseGroup(words));
      else if (first === 'at') commands.push(parseCommand(words, line));
      else throw new Error(`a line begins with ups, group, at, = or #, not "${first}"`);
    } catch (error) {
      throw new Error(`line ${String(index + 1)}: ${error instanceof Error ? error.message : ''}`, {
        cause: error,
      });
    }
  });
  const placed = ups.map((one) => {
    const own = groups.filter(({ members }) => members.includes(one.groupId)).map(({ name }) => name);
    return { ...one, groups: own, advisory: own.length > 0 && one.advisory && !one.isLocal };
  });
  return { ups: placed, groups, commands, expected };
}

function parseUps([name = '', ...words]: readonly string[]): UpsSettings {
  const { options, triggers } = settings(words);
  const checkIntervalMs = options.duration('interval', 1_000);
  return {
    ...settingsOf(policyKeys),
    groupId: name,
    name,
    label: name,
    isLocal: options.text('local', 'no') === 'yes',
    transport: 'network',
    checkIntervalMs,
    pollDeadlineMs: Math.min(10_000, Math.max(2 * checkIntervalMs, 5_000)),
    maxStaleDataTolerance: options.number('tolerance', 3),
    grace: {
      enabled: options.text('grace', 'on') !== 'off',
      durationMs: options.duration('grace-duration', 60_000),
      flapThreshold: options.number('flaps', 5),
    },
    triggers,
    trustsCharge: options.text('trust', 'status') === 'charge',
    holds: { valueMs: options.durationOrNone('hold'), statusMs: options.durationOrNone('status-hold') },
    groups: [],
    advisory: options.text('owns', '') === '',
  };
}

function parseGroup([name = '', ...words]: readonly string[]): GroupSettings {
  const { options, triggers } = settings(words);
  return {
    groupId: `redundancy-${name}`,
    name,
    isLocal: options.text('local', 'no') === 'yes',
    members: options.text('members', '').split(','),
    minHealthy: options.number('min', 1),
    degradedCountsAs: options.text('degraded', 'healthy') as GroupSettings['degradedCountsAs'],
    unknownCountsAs: options.text('unknown', 'critical') as GroupSettings['unknownCountsAs'],
    triggers,
  };
}

function settings(words: readonly string[]): { options: Options; triggers: TriggerSettings } {
  const given = new Map(words.map((word) => word.split('=', 2) as [string, string]));
  return { options: new Options(given), triggers: triggersFrom(given) };
}

function parseCommand([at = '', verb = '', ...rest]: readonly string[], line: string): Timed {
  return { atMs: parseDuration(at), command: commandOf(verb, rest), line };
}

function commandOf(verb: string, rest: readonly string[]): Command {
  const [first = '', second = ''] = rest;
  switch (verb) {
    case 'end':
      return { kind: 'end' };
    case 'restart':
    case 'stall':
      return { kind: verb, downMs: parseDuration(first) };
    case 'show':
      return { kind: 'show', groupId: first };
    case 'ended':
      return { kind: 'ended', group: first, cancelled: second === 'cancelled' };
    case 'estimate':
      return { kind: 'assessed', ups: first, estimate: estimateOf(rest.slice(1)) };
    case 'recall':
      return { kind: 'recalled', ups: first };
    case 'test':
      return { kind: 'tested', ups: first, running: second === 'on' };
    case 'fsd':
      return { kind: 'forced', ups: first, state: second as ForcedShutdownState };
    case 'once':
      return { kind: 'answer', ups: first, answer: parseAnswer(rest.slice(1)), once: true };
    default:
      return { kind: 'answer', ups: verb, answer: parseAnswer(rest), once: false };
  }
}

function estimateOf(words: readonly string[]): RuntimeEstimate {
  const options = new Options(new Map(words.map((word) => word.split('=', 2) as [string, string])));
  return {
    fullSeconds: options.duration('full', 0) / 1000,
    errorSeconds: options.duration('error', 0) / 1000,
    loadPercent: options.number('load', 100),
    discharges: 3,
  };
}

function parseAnswer(words: readonly string[]): Answer {
  const [first = '', detail] = words;
  if (first === 'silent') return { kind: 'silent' };
  if (first === 'failed') {
    const failure = detail ?? 'SERVER_DOWN';
    if (!FailureCodec.is(failure)) throw new Error(`"${failure}" is no way in which a poll fails`);
    return { kind: 'failed', detail: failure };
  }
  const values: Record<string, number> = {};
  const variables: Record<string, string> = {};
  let drain = 0;
  for (const word of words.filter((one) => one.includes('='))) {
    const [key = '', value = ''] = word.split('=');
    if (key === 'drain') drain = Number(value);
    else if (key.includes('.')) variables[key] = value;
    else values[key] = Number(value);
  }
  return { kind: 'reading', words: words.filter((one) => !one.includes('=')), values, variables, drain };
}

/** key=value words, with defaults. */
class Options {
  readonly #given: ReadonlyMap<string, string>;

  constructor(given: ReadonlyMap<string, string>) {
    this.#given = given;
  }

  text(key: string, otherwise: string): string {
    return this.#given.get(key) ?? otherwise;
  }

  number(key: string, otherwise: number): number {
    const given = this.#given.get(key);
    return given === undefined ? otherwise : Number(given);
  }

  duration(key: string, otherwise: number): number {
    return this.durationOrNone(key) ?? otherwise;
  }

  durationOrNone(key: string): number | null {
    const given = this.#given.get(key);
    return given === undefined ? null : parseDuration(given);
  }
}
