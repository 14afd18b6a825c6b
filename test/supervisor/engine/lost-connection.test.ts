import { expect } from 'chai';
import fc from 'fast-check';
import { afterLostTick } from '../../../supervisor/engine/lost-reading.js';
import type { PollOutcome } from '../../../supervisor/policy/base/inputs.js';
import { reading, settingsOf, Stepper } from '../policy/stream.js';

const full = { chargePercent: 100, runtimeSeconds: 3_000 };
const stale: PollOutcome = { kind: 'failed', detail: 'DATA_STALE', message: 'stale' };

/** A policy that works, and one that has lost every tick since the first three readings. */
class Twins {
  readonly healthy: Stepper;
  readonly struck: Stepper;

  constructor(settings: string) {
    [this.healthy, this.struck] = [settings, settings].map((one) =>
      new Stepper(settingsOf(one)).polls('a', reading('OL', full), 3),
    ) as [Stepper, Stepper];
  }

  /** The last of `seconds` brings `outcome`; null: the poller sends nothing. */
  passes(seconds: number, outcome: PollOutcome | null): this {
    for (let tick = 0; tick < seconds * 4; tick += 1) {
      this.healthy.wait(250);
      const input = { kind: 'ticked', at: this.healthy.at } as const;
      this.struck.nowMs += 250;
      this.struck.state = afterLostTick(this.struck.state, input, () => false, null);
    }
    if (outcome !== null) for (const policy of [this.healthy, this.struck]) policy.poll('a', outcome);
    return this;
  }

  /** With `status`: when its grace period began, a failed poll before the first tick. */
  get both(): readonly object[] {
    return [this.healthy, this.struck].map(({ state }) => {
      const [ups] = state.ups;
      const { status, detail, failedPolls, onlyStale } = ups?.connection ?? {};
      return { status, detail, failedPolls, onlyStale, lastReport: ups?.lastReport };
    });
  }
}

describe('the connection of a UPS whose ticks policy has lost', () => {
  it('goes through its grace period where the poller is silent, or the driver has no data', () => {
    for (const outcome of [null, reading('WAIT', {})]) {
      const twins = new Twins('ups a grace-duration=10s tolerance=2');
      const kinds = new Set<unknown>();
      for (let second = 0; second < 60; second += 1) {
        const [healthy, struck] = twins.passes(1, outcome).both;
        expect(struck).to.deep.equal(healthy);
        kinds.add((struck as { status: { kind: string } }).status.kind);
      }
      expect([...kinds]).to.deep.equal(['ok', 'grace', 'failed']);
    }
  });

  it('fails at once without a grace period', () => {
    const twins = new Twins('ups a grace=off tolerance=1').passes(7, null);
    const [healthy, struck] = twins.both;
    expect(struck)
      .to.deep.equal(healthy)
      .and.deep.include({ status: { kind: 'failed' } });
  });

  it('does not begin a grace period on battery, where the failsafe decides', () => {
    const twins = new Twins('ups a grace-duration=10s delay=5m failsafe=5m').passes(1, reading('OB', full));
    const [, struck] = twins.passes(1, reading('OB', full)).passes(9, null).both;
    expect(struck).to.deep.include({ status: { kind: 'ok' } });
  });

  it('is that of a policy that has all of them', () => {
    const anyOutcome = fc.constantFrom(null, null, stale, reading('WAIT', {}), reading('OL', full));
    const anyPasses = fc.array(fc.tuple(fc.integer({ min: 1, max: 12 }), anyOutcome), { maxLength: 8 });
    const anyKeys = fc.constantFrom('grace=off', 'grace-duration=3s', 'grace-duration=20s tolerance=2');
    fc.assert(
      fc.property(anyKeys, anyPasses, (keys, passes) => {
        const twins = new Twins(`ups a ${keys}`);
        for (const [seconds, outcome] of passes) {
          const [healthy, struck] = twins.passes(seconds, outcome).both;
          expect(struck).to.deep.equal(healthy);
        }
      }),
    );
  });

  it('costs no group its quorum while a policy that works waits', () => {
    const settings = 'ups a grace-duration=60s\nups b\ngroup rack members=a,b min=1';
    const twins = new Twins(settings).passes(30, null);
    const healths = [twins.healthy, twins.struck].map((policy) => {
      policy.wait(1_000);
      return policy.state.groups[0]?.members[0]?.health;
    });
    expect(healths).to.deep.equal(['DEGRADED', 'DEGRADED']);
  });
});
