import { expect } from 'chai';
import type { Observation } from './case-run.js';
import type { Allowance } from './allowance.js';
import type { Fault, Moment } from './fault.js';
import type { CaseResult } from './checker.js';
import { checkCase } from './checker.js';
import type { CommandRecord } from './command-log.js';
import type { Ups } from './site.js';

const note = (atMs: number, what: CommandRecord['what'], target: CommandRecord['target']): CommandRecord => ({
  atMs,
  what,
  target,
});

/** A sequence that starts at 1,000 and keeps every promise. */
const commandLog: readonly CommandRecord[] = [
  note(1_200, 'works', 'alpha'),
  note(1_200, 'works', 'gamma'),
  note(2_300, 'goes-down', 'gamma'),
  note(3_300, 'goes-down', 'alpha'),
  note(3_400, 'works', 'beta'),
  note(4_500, 'goes-down', 'beta'),
  note(4_600, 'power-off', 'host'),
];
const sequence = {
  startedMs: 1_000,
  boundMs: 78_000,
  deadlinesMs: { alpha: 24_000, beta: 48_000, gamma: 8_000 },
};
const good: Observation = {
  injectedMs: 500,
  healedMs: 5_000,
  recoveredMs: 6_000,
  unhealthy: '',
  lowBatteryMs: 700,
  commandLog,
  sequences: [sequence],
  span: { fromMs: 500, toMs: 6_000 },
  log: 'lost the worker remote (ended): it was ended by SIGKILL',
  ended: false,
};

interface Seen {
  readonly moment?: Moment;
  readonly allowance?: Allowance;
  readonly gapsMs?: Partial<Record<Ups, number>>;
  readonly awayMs?: number;
}

function checked(
  change: Partial<Observation>,
  { moment = 'outage', allowance = {}, gapsMs = {}, awayMs = 100 }: Seen = {},
): CaseResult {
  const fault: Fault = {
    name: 'the remote worker is killed',
    part: 'remote',
    allowance,
    lastsMs: 0,
    persists: false,
    expectedLoss: 'remote',
    inject: () => Promise.reject(new Error('nothing is inflicted here')),
  };
  return checkCase(
    { faults: [fault.name], moment, seed: 1 },
    [fault],
    { ...good, ...change },
    { longestGapMs: (ups) => gapsMs[ups] ?? 500 },
    { within: () => ({ slowestMs: 5, awayMs }) },
  );
}

const without = (target: CommandRecord['target']): readonly CommandRecord[] =>
  commandLog.filter((one) => one.target !== target || one.what === 'works');

describe('the checker of torture cases', () => {
  it('accepts a sequence that keeps every promise, and computes its figures', () => {
    expect(checked({})).to.deep.include({
      broken: [],
      firstCommandMs: 500,
      pollGapMs: 500,
      recoveryMs: 1_000,
      sequence: { tookMs: 3_600, boundMs: 78_000, commanded: 3, reachable: 3 },
    });
  });

  it('accepts line power without any command', () => {
    const calm = { commandLog: [], sequences: [], lowBatteryMs: null };
    expect(checked(calm, { moment: 'mains' }).broken).to.deep.equal([]);
  });

  const breaches: readonly (readonly [string, Partial<Observation>, Seen, RegExp])[] = [
    ['a command on line power', {}, { moment: 'mains' }, /on line power there ran/],
    [
      'a sequence on line power',
      { commandLog: [] },
      { moment: 'mains' },
      /a sequence has begun on line power/,
    ],
    ['no sequence at all', { commandLog: [], sequences: [] }, {}, /no sequence that came to its end/],
    ['no power-off', { commandLog: without('host') }, {}, /no sequence that came to its end/],
    ['a second sequence', { sequences: [sequence, sequence] }, {}, /2 sequences in one outage/],
    [
      'a second power-off',
      { commandLog: [...commandLog, note(5_000, 'power-off', 'host')] },
      {},
      /2 power-off commands/,
    ],
    ['a target without its command', { commandLog: without('beta') }, {}, /beta never had its command/],
    [
      'a target that was commanded twice',
      { commandLog: [...commandLog, note(4_550, 'goes-down', 'alpha')] },
      {},
      /alpha was commanded 2 times/,
    ],
    [
      'a target past its deadline',
      { commandLog: [...without('gamma'), note(9_100, 'goes-down', 'gamma')] },
      {},
      /gamma without its command for 8.10 s/,
    ],
    [
      'a power-off past the bound',
      { commandLog: [...without('host'), note(80_000, 'power-off', 'host')] },
      {},
      /no power-off since the sequence began for 79.0 s/,
    ],
    [
      'a target after the power-off',
      { commandLog: [...without('beta'), note(4_700, 'goes-down', 'beta')] },
      {},
      /after the power-off/,
    ],
    [
      'a first command that comes late',
      { lowBatteryMs: -4_000 },
      {},
      /no command after the trigger for 5.20 s/,
    ],
    [
      'a command before the battery was low',
      { lowBatteryMs: 1_500 },
      {},
      /a command before the battery was low/,
    ],
    [
      'an untouched UPS that is not polled',
      {},
      { gapsMs: { hall: 3_500 } },
      /no poll of an untouched UPS for 3.50 s/,
    ],
    ['an API that was not hit and is away', {}, { awayMs: 4_000 }, /no answer of the API for 4.00 s/],
    [
      'a daemon that does not recover',
      { recoveredMs: null, unhealthy: 'not ready: api' },
      {},
      /not well again .* not ready: api/,
    ],
    ['a daemon that recovers too late', { recoveredMs: 25_500 }, {}, /not well again for 20.5 s/],
    [
      'an untouched UPS that is not polled, where only commands may be late',
      {},
      { gapsMs: { hall: 3_500 }, allowance: { lateMs: 8_000 } },
      /no poll of an untouched UPS for 3.50 s/,
    ],
    [
      'an API that is away, where only commands may be late',
      {},
      { awayMs: 4_000, allowance: { lateMs: 8_000 } },
      /no answer of the API for 4.00 s/,
    ],
    ['a fault without a trace in the log', { log: '' }, {}, /did not take hold/],
    ['a supervisor that has ended', { ended: true }, {}, /the supervisor has ended/],
    [
      'a bug that the daemon logs',
      { log: `${good.log}\nerror supervisor: bug: please report this` },
      {},
      /a bug of its own/,
    ],
  ];
  for (const [what, change, seen, words] of breaches) {
    it(`reports ${what}`, () => {
      expect(checked(change, seen).broken.join('\n')).to.match(words);
    });
  }

  const allowances: readonly (readonly [string, Partial<Observation>, Seen])[] = [
    ['the polls of the UPS that is hit', {}, { gapsMs: { rack: 9_000 }, allowance: { polls: ['rack'] } }],
    [
      'the target that cannot be reached',
      { commandLog: without('gamma') },
      { allowance: { targets: ['gamma'] } },
    ],
    ['the API that is hit', {}, { awayMs: 9_000, allowance: { api: true } }],
    [
      'a command that a dead worker may have to give again',
      { commandLog: [...commandLog, note(4_550, 'goes-down', 'alpha')] },
      { allowance: { again: true } },
    ],
    ['a command that has to wait for its worker', { lowBatteryMs: -4_000 }, { allowance: { lateMs: 3_000 } }],
    [
      'a delay while the daemon was stopped',
      { lowBatteryMs: -4_000 },
      { gapsMs: { hall: 5_000 }, awayMs: 5_000, allowance: { stoppedMs: 3_000 } },
    ],
    [
      'the failsafe of a host that cannot see its UPS',
      { lowBatteryMs: -15_000 },
      { allowance: { blind: true } },
    ],
  ];
  for (const [what, change, seen] of allowances) {
    it(`allows ${what}`, () => {
      expect(checked(change, seen).broken).to.deep.equal([]);
    });
  }

  it('allows only one repetition of a command', () => {
    const thrice = [...commandLog, note(4_550, 'goes-down', 'alpha'), note(4_560, 'goes-down', 'alpha')];
    expect(checked({ commandLog: thrice }, { allowance: { again: true } }).broken.join()).to.match(
      /alpha was commanded 3 times/,
    );
  });
});
