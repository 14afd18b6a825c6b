import { expect } from 'chai';
import type { PreviousState } from '../../../supervisor/engine/previous-state.js';
import type { Standby } from '../../../supervisor/engine/standby.js';
import type { PolicyState } from '../../../supervisor/policy/state/state.js';
import { initialState } from '../../../supervisor/policy/state/state.js';
import type { GroupRecord } from '../../../supervisor/sequence/journal/fold.js';
import { reading, settingsOf } from '../policy/stream.js';
import { ThrowingSite } from '../throwing-engine.js';
import { at, standbyWith } from './bare-standby.js';
import { full, hostOf, low, nearlyLow } from './unreadable-settings.js';

const upsOf = ({ decisions }: ThrowingSite) => decisions.state.ups[0]?.policy.groupId ?? '';

describe('after a restart with a file of the reserve from before the end of a sequence', () => {
  const cause = { trigger: 'EXTENDED_TIME', why: '', firedAtUnixSeconds: 5 } as const;
  const next = { group: 'a', cause: { ...cause, firedAtUnixSeconds: 30 } };
  const restarted = (
    previous: Partial<PreviousState>,
    course = (before: Standby) => before.started([{ group: 'a', cause }]),
  ) => {
    const started: string[] = [];
    let memory: unknown = null;
    const write = (written: unknown) => {
      memory = JSON.parse(JSON.stringify(written));
      return true;
    };
    const settings = settingsOf('ups a delay=0s');
    const before = standbyWith([], { read: () => null, write }, next.cause.firedAtUnixSeconds);
    before.configure(settings);
    course(before);
    const standby = standbyWith(started, { read: () => memory, write });
    const ended = { over: { cancelled: null }, cause, lastMs: 10_000 } as unknown as GroupRecord;
    const state = { state: initialState, takenMs: 20_000, isForgotten: false };
    standby.adopt({ ...state, ...previous }, { of: () => ended });
    standby.configure(settings);
    return { standby, started };
  };

  it('lets policy start the next one where policy has armed the UPS since', () => {
    expect(restarted({}).standby.withoutFired([next])).to.deep.equal([next]);
  });

  it('starts no second one where the snapshot is from before it too', () => {
    expect(restarted({ takenMs: 10_000 }).standby.withoutFired([next])).to.deep.equal([]);
    expect(restarted({ isForgotten: true }).standby.withoutFired([next])).to.deep.equal([]);
  });

  it('knows from policy that it has ended, so that the reserve can start the next', () => {
    const { trigger, why, firedAtUnixSeconds: sinceUnixSeconds } = cause;
    const shutdown = { kind: 'fired', trigger, why, sinceUnixSeconds, sequenceOver: true };
    const ups = [{ policy: { groupId: 'a' }, shutdown }] as unknown as PolicyState['ups'];
    const { standby, started } = restarted({ state: { ...initialState, ups } });
    const poll = (second: number, words: string, isUndecided: boolean) => {
      const instant = { monotonicMs: second * 1_000, unixSeconds: second };
      const input = { kind: 'polled', groupId: 'a', at: instant, outcome: reading(words, low) } as const;
      standby.received(input);
      standby.handled(input, [], isUndecided);
    };
    for (let second = 21; second < 30; second += 1) poll(second, 'OL', false);
    for (let second = 30; second < 50; second += 1) poll(second, 'OB LB', true);
    expect(started).to.deep.equal(['a']);
  });

  describe('and policy has decided the next', () => {
    const { trigger, why } = cause;
    const shutdown = { kind: 'fired', trigger, why, sinceUnixSeconds: 30, sequenceOver: false };
    const ups = [{ policy: { groupId: 'a' }, shutdown }] as unknown as PolicyState['ups'];
    const state = { ...initialState, ups };

    it('knows that one, by a snapshot that is newer', () => {
      expect(restarted({ state }).standby.firedAt('a')).to.equal(30);
    });

    it('knows the first, by a snapshot that is older than the file', () => {
      expect(restarted({ state, takenMs: -1 }).standby.firedAt('a')).to.equal(5);
    });

    it('knows the first where the reserve had begun it and policy has decided the same later', () => {
      const { standby } = restarted({ state }, (before) => {
        before.received({
          kind: 'openSequenceFound',
          groupId: 'a',
          at: at(0),
          request: { trigger, why },
          sinceUnixSeconds: 5,
        });
        before.withoutFired([next]);
      });
      expect(standby.firedAt('a')).to.equal(5);
    });
  });

  it('resumes a decision of which the journal has nothing and the file an earlier one', async () => {
    let isDead = false;
    const fated = (_: number, name: string) => isDead && /^(journals|reserve|performers)\./.test(name);
    const site = new ThrowingSite(hostOf('[behavior]\ndry_run = true\n'), 'before', fated);
    const count = (sought: string) => site.events.filter((type) => type === sought).length;
    await site.pass(2, 'OL', full);
    await site.pass(4, 'OB', nearlyLow);
    await site.pass(20, 'OB', low);
    await site.pass(8, 'OL', full);
    await site.pass(4, 'OB', nearlyLow);
    expect([count('SHUTDOWN_TRIGGERED'), count('SHUTDOWN_SEQUENCE_COMPLETE')]).to.deep.equal([1, 1]);
    isDead = true;
    while (count('SHUTDOWN_TRIGGERED') < 2) site.report(upsOf(site), 'OB', low);
    site.restart();
    isDead = false;
    await site.pass(20, 'OB', low);
    expect([count('SHUTDOWN_RESUMED'), count('SHUTDOWN_TRIGGERED')]).to.deep.equal([1, 2]);
  });
});
