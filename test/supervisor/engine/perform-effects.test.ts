import { expect } from 'chai';
import { Guard } from '../../../supervisor/guard/guard.js';
import type { EffectHandlers } from '../../../supervisor/engine/perform-effects.js';
import { performEffects } from '../../../supervisor/engine/perform-effects.js';
import type { Effect } from '../../../supervisor/policy/base/effects.js';
import { EventHold } from '../../../supervisor/engine/event-hold.js';
import { FakeTime } from '../../fixtures/fake-time.js';
import { idleLog } from '../../fixtures/idle-parts.js';

const source = 'office';
/** One effect of every kind, with the start of a sequence in the middle. */
const effects: readonly Effect[] = [
  { kind: 'recordEvent', source, type: 'LOW_BATTERY_FLAG', detail: '' },
  { kind: 'notify', source, type: 'LOW_BATTERY_FLAG', text: '' },
  { kind: 'startSequence', groupId: source, trigger: 'LOW_BATTERY', why: 'charge 5 %' },
  { kind: 'startSequence', groupId: 'lab', trigger: 'FSD', why: 'FSD' },
  { kind: 'powerReturned', groupId: 'rack' },
  { kind: 'prepare', groupId: source },
  { kind: 'publish', groupId: source },
  { kind: 'saveSnapshot', first: true },
];
const inOrder = [
  'commit',
  'startSequences office lab',
  'record',
  'notify',
  'powerReturned',
  'prepare',
  'publish',
  'saveSoon',
];

/** The calls that were made; `throwing` throws after its call. */
function done(throwing: string | null): readonly string[] {
  const acts: string[] = [];
  const act = (name: string, about = ''): void => {
    acts.push(`${name} ${about}`.trim());
    if (name === throwing) throw new Error(`${name} fails`);
  };
  const time = new FakeTime();
  const hands: EffectHandlers = {
    commit: () => act('commit'),
    saveSoon: () => act('saveSoon'),
    eventHold: new EventHold({ clock: time, setTimer: time.setTimer, commit: () => undefined }),
    startSequences: (requests) => act('startSequences', requests.map(({ group }) => group).join(' ')),
    powerReturned: () => act('powerReturned'),
    record: () => act('record'),
    notify: () => act('notify'),
    publish: () => act('publish'),
    prepare: () => act('prepare'),
  };
  performEffects(effects, hands, new Guard(idleLog));
  return acts;
}

describe('the effects of a policy step', () => {
  it('are performed in order, after the commit and the commands', () => {
    expect(done(null)).to.deep.equal(inOrder);
  });

  for (const name of inOrder.map((act) => act.split(' ')[0] ?? ''))
    it(`are all performed, in the same order, when ${name} throws`, () => {
      expect(done(name)).to.deep.equal(inOrder);
    });
});
