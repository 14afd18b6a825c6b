import { expect } from 'chai';
import { generateScenario } from '../generator/scenario.js';
import { compare } from './compare.js';
import type { History, Start } from './history.js';

const scenario = generateScenario(1, 0);
const group = scenario.site.ups[0]?.policy.groupId ?? '';

const start = (atMs: number, more: Partial<Start> = {}): Start => ({
  group,
  atMs,
  boot: 1,
  cause: 'LOW_BATTERY',
  isRuled: true,
  isAnew: false,
  ...more,
});

/** An outage from 100 s to 300 s. */
function history(of: Partial<History>): History {
  const troubles = new Map([[group, [{ fromMs: 100_000, toMs: 300_000 }]]]);
  const none = {
    starts: [],
    backs: [],
    advised: [],
    restored: [],
    restarts: [],
    ordered: [],
    armed: [],
    downs: [],
  };
  return { ...none, troubles, outages: 1, thrown: 1, escaped: [], ...of };
}

const off = (atMs: number) => [{ atMs, why: 'power-off' as const }];
const blackout = (atMs: number) => [{ atMs, why: 'blackout' as const }];
const brokenBy = (healthy: Partial<History>, faulty: Partial<History>) =>
  compare(scenario, history(healthy), history(faulty)).broken?.rule ?? null;

describe('a daemon whose policy throws, compared with one whose policy works', () => {
  it('keeps its promises when it does the same, or the same later', () => {
    const healthy = { starts: [start(150_000)], downs: off(180_000) };
    expect(brokenBy(healthy, healthy)).to.equal(null);
    const later = history({ starts: [start(160_000)], downs: off(190_000) });
    const { broken, met, lateMs } = compare(scenario, history(healthy), later);
    expect([broken, met, lateMs]).to.deep.equal([null, 1, [10_000]]);
  });

  it('must be off when its battery ends, where the other is and a rule has decided it', () => {
    const rule = 'a host is on when its battery ends';
    const healthy = { starts: [start(150_000)], downs: off(180_000) };
    expect(brokenBy(healthy, { downs: blackout(250_000) })).to.equal(rule);
    expect(brokenBy({ downs: blackout(250_000) }, { downs: blackout(250_000) })).to.equal(null);
    const unruled = { starts: [start(150_000, { isRuled: false })], downs: off(180_000) };
    expect(brokenBy(unruled, { downs: blackout(250_000) })).to.equal(null);
    const orderedAt = (atMs: number) =>
      brokenBy({ ...healthy, ordered: [170_000] }, { downs: blackout(250_000), ordered: [atMs] });
    expect(orderedAt(170_000), 'a command in time that failed').to.equal(null);
    expect(orderedAt(171_000)).to.equal(rule);
  });

  it('must start no sequence in an outage in which the other starts none', () => {
    const rule = 'a sequence that a healthy policy does not start';
    expect(brokenBy({}, { starts: [start(150_000)] })).to.equal(rule);
    const backs = [{ group: 'a', atMs: 400_000 }];
    const twice = { starts: [start(150_000), start(600_000)] };
    expect(brokenBy({ starts: [start(150_000)], backs }, twice)).to.equal(rule);
    expect(brokenBy({ starts: [start(150_000)] }, twice), 'power was never back').to.equal(null);
    expect(brokenBy({ starts: [start(290_000)] }, { starts: [start(150_000)] })).to.equal(null);
    const advised = [{ group, atMs: 160_000 }];
    expect(brokenBy({ advised }, { starts: [start(150_000)] }), 'where one of before runs').to.equal(null);
    expect(brokenBy({ advised }, { starts: [start(600_000)] })).to.equal(rule);
  });

  it('may start what the other starts in no outage, but not much earlier', () => {
    const healthy = { starts: [start(600_000)] };
    expect(brokenBy(healthy, { starts: [start(601_000)] })).to.equal(null);
    expect(brokenBy(healthy, { starts: [start(520_000)] }), 'its daemon may have been away').to.equal(null);
    expect(brokenBy(healthy, { starts: [start(400_000)] })).to.equal(
      'a sequence that a healthy policy does not start',
    );
    const killed = (atMs: number, more: Partial<Start> = {}) =>
      brokenBy({}, { starts: [start(atMs, { cause: 'EXTENDED_TIME', ...more })], restarts: [200_000] });
    expect(killed(292_000), 'a second of readings went with the daemon').to.equal(null);
    for (const other of [killed(280_000), killed(292_000, { cause: 'LOW_BATTERY' })])
      expect(other).to.equal('a sequence that a healthy policy does not start');
  });

  it('must not start two in one outage, but where power was back between them, nor let an exception escape', () => {
    const healthy = { starts: [start(150_000)] };
    expect(brokenBy(healthy, { starts: [start(150_000), start(200_000)] })).to.equal(
      'two sequences in one outage',
    );
    const twice = { starts: [start(150_000), start(200_000)] };
    expect(brokenBy({ ...healthy, downs: off(180_000) }, twice), 'the other is off').to.equal(null);
    const anew = start(200_000, { isAnew: true });
    expect(brokenBy(healthy, { starts: [start(150_000), anew] })).to.equal(null);
    const armed = (atMs: number) => ({ ...healthy, armed: [{ group, atMs }] });
    expect(brokenBy(armed(170_000), twice), 'the other was armed again').to.equal(null);
    expect(brokenBy(armed(210_000), twice), 'later').to.equal('two sequences in one outage');
    const restored = (isRuled: boolean) =>
      brokenBy(healthy, {
        starts: [start(150_000, { isRuled }), start(200_000)],
        restored: [{ group, atMs: 170_000 }],
      });
    expect(restored(false), 'silent members are back').to.equal(null);
    expect(restored(true)).to.equal('two sequences in one outage');
    const second = start(200_000);
    const both = { starts: [start(150_000), second] };
    expect(brokenBy(both, { starts: [...both.starts, start(230_000, { isAnew: true })] })).to.equal(null);
    expect(brokenBy(healthy, { ...healthy, escaped: ['Error: no'] })).to.equal('an exception escapes');
  });
});
