import { expect } from 'chai';
import type { Loss } from '../../../supervisor/policy/base/loss.js';
import type { Effect } from '../../../supervisor/policy/base/effects.js';
import type { Input, PolicySettings, PollOutcome } from '../../../supervisor/policy/base/inputs.js';
import { initialState } from '../../../supervisor/policy/state/state.js';
import { step } from '../../../supervisor/policy/step.js';
import { reading, settingsOf } from './stream.js';

/** `settings` of which a field cannot be read, which is a bug of the code that reads it. */
function without<T extends object>(settings: T, field: keyof T): T {
  return Object.defineProperty({ ...settings }, field, {
    get: () => {
      throw new Error(`no ${String(field)}`);
    },
  });
}

class Site {
  #state = initialState;
  #nowMs = 1_000_000;
  readonly effects: Effect[] = [];
  readonly lost: Loss[] = [];

  constructor(settings: PolicySettings) {
    this.#step({ kind: 'configured', at: this.#at, settings });
  }

  get #at(): Input['at'] {
    return { monotonicMs: this.#nowMs, unixSeconds: this.#nowMs / 1000 };
  }

  get starts(): readonly string[] {
    return this.effects.flatMap((effect) => (effect.kind === 'startSequence' ? [effect.groupId] : []));
  }

  get state(): typeof initialState {
    return this.#state;
  }

  pass(seconds: number, outcomes: Readonly<Record<string, PollOutcome>>): this {
    for (let second = 0; second < seconds; second += 1) {
      this.#nowMs += 1_000;
      for (const [groupId, outcome] of Object.entries(outcomes))
        this.#step({ kind: 'polled', at: this.#at, groupId, outcome });
      this.#step({ kind: 'ticked', at: this.#at });
    }
    return this;
  }

  #step(input: Input): void {
    const { state, effects, lost } = step(this.#state, input);
    this.#state = state;
    this.effects.push(...effects);
    this.lost.push(...lost);
  }
}

const full = reading('OL', { chargePercent: 100, runtimeSeconds: 3_000 });
const low = reading('OB', { chargePercent: 5, runtimeSeconds: 60 });
const failed: PollOutcome = { kind: 'failed', detail: 'SERVER_DOWN', message: 'down' };

describe('a step of policy of which a part throws', () => {
  it('decides although no row and no text can be made', () => {
    const settings = settingsOf('ups office\n');
    const site = new Site({ ...settings, ups: settings.ups.map((ups) => ({ ...ups })) });
    const [ups] = site.state.ups;
    if (ups === undefined) throw new Error('a UPS is configured');
    Object.assign(ups, { policy: without(ups.policy, 'label') });
    site.pass(1, { office: full }).pass(40, { office: low });
    expect(site.starts).to.deep.equal(['office']);
    expect(site.state.ups[0]?.met?.trigger).to.equal('LOW_BATTERY');
    expect(site.lost.map(({ place }) => place)).to.include.members([
      'the row of a UPS',
      'the report of a transfer',
      'the report of a trigger',
    ]);
    expect(site.lost.every(({ undecided }) => undecided === null)).to.equal(true);
    expect(site.effects.some(({ kind }) => kind === 'saveSnapshot')).to.equal(true);
  });

  it('loses a report alone, and gives the others', () => {
    const settings = settingsOf('ups office\n');
    const site = new Site({ ...settings, ups: settings.ups.map((ups) => without(ups, 'groups')) });
    site.pass(1, { office: full }).pass(40, { office: low });
    expect(site.starts).to.deep.equal(['office']);
    expect(site.lost.map(({ place }) => place)).to.include('the report of a transfer');
    expect(site.state.ups[0]?.row.status).to.equal('OB');
  });

  it('saves what may have changed where the search for a change throws', () => {
    const site = new Site(settingsOf('ups a\n')).pass(5, { a: low });
    const [a] = site.state.ups;
    if (a === undefined) throw new Error('a UPS is configured');
    Object.assign(a, { policy: without(a.policy, 'maxStaleDataTolerance') });
    const kept = () => site.effects.splice(0).filter(({ kind }) => kind === 'saveSnapshot').length;
    kept();
    site.pass(1, { a: low });
    expect(site.lost.map(({ place }) => place)).to.include('the search for a change');
    expect(kept()).to.equal(1);
  });

  it('decides at a tick about every UPS but the one whose part throws', () => {
    const settings = settingsOf('ups a\nups b\n');
    const site = new Site(settings);
    site.pass(2, { a: low, b: low });
    const [a] = site.state.ups;
    if (a === undefined) throw new Error('a UPS is configured');
    Object.assign(a, { policy: without(a.policy, 'checkIntervalMs') });
    site.pass(30, { b: failed });
    expect(site.starts).to.deep.equal(['b']);
    expect(new Set(site.lost.map(({ undecided }) => undecided))).to.deep.equal(new Set(['a']));
    expect(site.lost[0]?.place).to.equal('a tick of a');
  });

  it('decides about every group but the one whose part throws, and of that one nothing', () => {
    const settings = settingsOf('ups a group=rack\nups b\ngroup rack members=a\n');
    const site = new Site(settings);
    site.pass(2, { a: full, b: full });
    const [group] = site.state.groups;
    if (group === undefined) throw new Error('a group is configured');
    const { groupId } = group.policy;
    Object.assign(group, { policy: without(group.policy, 'minHealthy') });
    site.pass(40, { a: low, b: low });
    expect(site.starts).to.deep.equal(['b']);
    expect(
      site.lost.filter(({ undecided }) => undecided !== null).map(({ undecided }) => undecided),
    ).to.include(groupId);
    expect(
      site.effects.filter((effect) => effect.kind === 'recordEvent' && effect.source === groupId),
    ).to.deep.equal([]);
  });
});
