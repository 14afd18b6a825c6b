import { expect } from 'chai';
import type { Look } from '../../../shared/protocol/remote.js';
import type { Round, TargetLooks } from '../../../supervisor/recovery/before.js';
import {
  beginOutage,
  endOutage,
  isInOutage,
  judgeRound,
  maxGapMs,
  notLookedAt,
} from '../../../supervisor/recovery/before.js';

const bootTimeoutMs = 300_000;
const instant = (monotonicMs: number) => ({ monotonicMs, unixSeconds: 1_700_000_000 + monotonicMs / 1000 });

type Looks = Readonly<
  Record<string, Look['end'] | { readonly end: Look['end']; readonly link: string | null }>
>;

/** A round that took a second; by default each target is reached over eth0, whose gateway answers. */
const round = (atMs: number, looks: Looks, gateways: Round['gateways'] = witness): Round => ({
  began: instant(atMs),
  endedMs: atMs + 1_000,
  looks: Object.entries(looks).map(([server, look]) =>
    typeof look === 'string' ? { server, end: look, link: 'eth0' } : { server, ...look },
  ),
  gateways,
});
const witness: Round['gateways'] = [{ link: 'eth0', answered: true }];
const noWitness: Round['gateways'] = [{ link: 'eth0', answered: false }];

/** The state of `nas` after the rounds; the others in them are asked too. */
function after(rounds: readonly Round[], from: TargetLooks = notLookedAt): TargetLooks {
  let states = new Map([['nas', from]]);
  for (const given of rounds) {
    const names = ['nas', 'san'];
    const targets = names.map((server) => ({
      server,
      bootTimeoutMs,
      state: states.get(server) ?? notLookedAt,
    }));
    const judged = judgeRound(given, targets);
    states = new Map(names.map((name, index) => [name, judged[index] ?? notLookedAt]));
  }
  return states.get('nas') ?? notLookedAt;
}

/** A look every minute up to `lastMs`, and one then. */
const minutely = (lastMs: number, looks: Looks, gateways = witness): readonly Round[] => [
  ...Array.from({ length: Math.ceil(lastMs / 60_000) }, (_, minute) =>
    round(minute * 60_000, looks, gateways),
  ),
  round(lastMs, looks, gateways),
];
/** The first silent look ended after a second. */
const stillUnknownMs = bootTimeoutMs + 1_000;

describe('a target by its looks', () => {
  it('is unknown before the first', () => {
    expect(notLookedAt.answer).to.deep.equal({ before: 'unknown', at: null });
  });

  it('is up when the last was answered, whatever was before, with the time of that look', () => {
    const { answer } = after([...minutely(400_000, { nas: 'silence' }), round(460_000, { nas: 'answer' })]);
    expect(answer).to.deep.equal({ before: 'up', at: instant(460_000) });
  });

  it('is off when all were silent for longer than its boot, and not one millisecond before', () => {
    const silent = (lastMs: number) => after(minutely(lastMs, { nas: 'silence' })).answer;
    expect(silent(stillUnknownMs)).to.deep.equal({ before: 'unknown', at: instant(stillUnknownMs) });
    expect(silent(stillUnknownMs + 1)).to.deep.equal({ before: 'off', at: instant(stillUnknownMs + 1) });
  });

  it('is unknown with one silence after an answer', () => {
    const { answer } = after([round(0, { nas: 'answer' }), round(60_000, { nas: 'silence' })]);
    expect(answer).to.deep.equal({ before: 'unknown', at: instant(60_000) });
  });

  for (const [what, broken] of [
    ['a fault', round(150_000, { nas: 'fault' })],
    ['a silence without a witness', round(150_000, { nas: 'silence' }, noWitness)],
    ['a round in which it is missing', round(150_000, {})],
  ] as const)
    it(`is not off by a silence with ${what} in it, but by as much silence after it`, () => {
      const begins = [round(0, { nas: 'silence' }), round(90_000, { nas: 'silence' }), broken];
      const rest = (lastMs: number) =>
        minutely(lastMs, { nas: 'silence' }).map((one) => ({
          ...one,
          began: instant(one.began.monotonicMs + 200_000),
          endedMs: one.endedMs + 200_000,
        }));
      expect(after(begins).answer).to.deep.equal({ before: 'unknown', at: instant(150_000) });
      expect(after([...begins, ...rest(stillUnknownMs)]).answer.before).to.equal('unknown');
      expect(after([...begins, ...rest(stillUnknownMs + 1)]).answer.before).to.equal('off');
    });

  it('is unknown again with a fault after it was off', () => {
    const rounds = [...minutely(400_000, { nas: 'silence' }), round(460_000, { nas: 'fault' })];
    expect(after(rounds).answer).to.deep.equal({ before: 'unknown', at: instant(460_000) });
  });

  it('is off by silence with a longest pause in it, and not when it was longer', () => {
    const silent = (pauseMs: number) => {
      const endsMs = 61_000;
      const later = endsMs + pauseMs;
      const atMs = [0, 60_000, later, later + 100_000, later + 200_000];
      return after(atMs.map((at) => round(at, { nas: 'silence' }))).answer.before;
    };
    expect(silent(maxGapMs)).to.equal('off');
    expect(silent(maxGapMs + 1)).to.equal('unknown');
  });
});

describe('the witness of a silent look', () => {
  const answerWith = (looks: Looks, gateways: Round['gateways']) =>
    after(minutely(400_000, looks, gateways)).answer.before;

  it('is another target over the same interface, also where the gateway is silent or there is none', () => {
    expect(answerWith({ nas: 'silence', san: 'answer' }, noWitness)).to.equal('off');
    expect(answerWith({ nas: 'silence', san: 'answer' }, [])).to.equal('off');
  });

  it('is no target or gateway over another interface', () => {
    const san = { end: 'answer', link: 'eth1' } as const;
    expect(answerWith({ nas: 'silence', san }, [{ link: 'eth1', answered: true }])).to.equal('unknown');
    expect(answerWith({ nas: 'silence', san: { end: 'answer', link: null } }, [])).to.equal('unknown');
  });

  it('is no target that was silent too, or could not be asked', () => {
    expect(answerWith({ nas: 'silence', san: 'silence' }, noWitness)).to.equal('unknown');
    expect(answerWith({ nas: 'silence', san: 'fault' }, [])).to.equal('unknown');
  });

  it('is no server that was not asked', () => {
    expect(answerWith({ nas: 'silence', invented: 'answer' }, [])).to.equal('unknown');
  });

  it('cannot be for a target whose interface is not known', () => {
    expect(answerWith({ nas: { end: 'silence', link: null }, san: 'answer' }, witness)).to.equal('unknown');
  });

  it('is any of the gateways of the interface', () => {
    expect(answerWith({ nas: 'silence' }, [...noWitness, ...witness])).to.equal('off');
  });
});

describe('a target in an outage', () => {
  const up = after([round(0, { nas: 'answer' })]);
  const off = after(minutely(400_000, { nas: 'silence' }));
  const atMs = 500_000;

  it('keeps the answer from the beginning, whatever the later looks say', () => {
    const frozen = beginOutage(up, null);
    expect(isInOutage(frozen)).to.equal(true);
    const { answer, outage } = after(
      [round(10_000, { nas: 'fault' }), round(15_000, { nas: 'silence' }), round(20_000, { nas: 'answer' })],
      frozen,
    );
    expect(answer).to.deep.equal({ before: 'up', at: instant(20_000) });
    expect(outage?.answer).to.deep.equal({ before: 'up', at: instant(0) });
  });

  for (const [what, from] of [
    ['off', off],
    ['unknown', notLookedAt],
  ] as const)
    it(`was up when it was ${what} and answers the look at ON_BATTERY`, () => {
      const { outage } = after([round(atMs, { nas: 'answer' })], beginOutage(from, null));
      expect(outage?.answer).to.deep.equal({ before: 'up', at: instant(atMs) });
    });

  it('was up when the look at ON_BATTERY failed and it answers the next one', () => {
    const rounds = [round(atMs, {}), round(atMs + 5_000, { nas: 'answer' })];
    expect(after(rounds, beginOutage(notLookedAt, null)).outage?.answer.before).to.equal('up');
  });

  it('stays what it was when it answers only after the first look that found it silent', () => {
    const rounds = [round(atMs, { nas: 'silence' }), round(atMs + 5_000, { nas: 'answer' })];
    const { outage } = after(rounds, beginOutage(off, null));
    expect(outage?.answer.before).to.equal('off');
    expect(outage).to.include({ hasAnswered: true, wentOffAt: null });
  });

  it('does not become off by silence that is long enough only in the outage', () => {
    const silent = after(minutely(240_000, { nas: 'silence' }));
    const rounds = [round(300_000, { nas: 'silence' }), round(360_000, { nas: 'silence' })];
    const { answer, outage } = after(rounds, beginOutage(silent, null));
    expect([answer.before, outage?.answer.before]).to.deep.equal(['off', 'unknown']);
  });

  it('went off in it when it was up and is silent with a witness, since the first such look', () => {
    const silent = [10_000, 15_000].map((ms) => round(ms, { nas: 'silence' }));
    expect(after(silent, beginOutage(up, null)).outage?.wentOffAt).to.deep.equal(instant(10_000));
    const unwitnessed = [round(10_000, { nas: 'silence' }, noWitness), round(15_000, { nas: 'fault' })];
    expect(after(unwitnessed, beginOutage(up, null)).outage?.wentOffAt).to.equal(null);
    const back = [...silent, round(20_000, { nas: 'answer' })];
    expect(after(back, beginOutage(up, null)).outage?.wentOffAt).to.equal(null);
  });

  it('went off in it also when it was off before and has answered in it', () => {
    const ends = ['silence', 'answer', 'silence'] as const;
    const rounds = ends.map((nas, index) => round(atMs + index * 5_000, { nas }));
    const { outage } = after(rounds, beginOutage(off, null));
    expect(outage?.answer.before).to.equal('off');
    expect(outage?.wentOffAt).to.deep.equal(instant(atMs + 10_000));
  });

  it('did not go off in it when it was never up', () => {
    for (const from of [off, notLookedAt]) {
      const { outage } = after([round(atMs, { nas: 'silence' })], beginOutage(from, null));
      expect(outage?.wentOffAt).to.equal(null);
    }
  });

  it('keeps what it was after the end, and then is what the looks say in the next one', () => {
    const over = endOutage(beginOutage(up, null));
    expect(isInOutage(over)).to.equal(false);
    const later = after(
      minutely(400_000, { nas: 'silence' }).map((one) => ({
        ...one,
        began: instant(one.began.monotonicMs + atMs),
        endedMs: one.endedMs + atMs,
      })),
      over,
    );
    expect(later.outage).to.deep.include({ stage: 'over', answer: up.answer, wentOffAt: null });
    expect(beginOutage(later, null).outage).to.deep.include({ stage: 'beginning', answer: later.answer });
    expect(later.answer.before).to.equal('off');
  });

  it('keeps what it was before the first when it is still to be brought back in a second one', () => {
    const kept = { before: 'up', at: instant(0) } as const;
    const second = beginOutage({ ...off, outage: endOutage(beginOutage(up, null)).outage }, kept);
    const { outage } = after([round(atMs, { nas: 'silence' })], second);
    expect(outage).to.deep.equal({ stage: 'under way', answer: kept, hasAnswered: false, wentOffAt: null });
    const wentOff = after([round(10_000, { nas: 'silence' })], beginOutage(up, null));
    expect(beginOutage(endOutage(wentOff), kept).outage?.wentOffAt).to.deep.equal(instant(10_000));
    const answers = after([round(atMs, { nas: 'answer' })], beginOutage(off, { before: 'off', at: null }));
    expect(answers.outage?.answer).to.deep.equal({ before: 'off', at: null });
  });

  it('ends none that has not begun', () => {
    expect(endOutage(notLookedAt)).to.equal(notLookedAt);
  });
});
