// The reserve counts until the last answer was asked for, as policy does: the daemon may stand still before it handles one.
import { expect } from 'chai';
import type { Reading } from '../../../shared/domain/ups/reading.js';
import { reading, settingsOf } from '../policy/stream.js';
import { Site } from './site.js';

const full = { chargePercent: 90, runtimeSeconds: 3_000 };

/** After a transfer nothing is handled for `stallSeconds`; then two answers, the last asked for `askedMs` after the transfer. */
function afterTransfer(
  words: string,
  values: Partial<Reading>,
  stallSeconds: number,
  configuration = '',
): (askedMs: number) => readonly string[] {
  const shown = reading(words, values);
  return (askedMs) => {
    const lateMs = stallSeconds * 1_000 - askedMs;
    const site = new Site(settingsOf(`ups a ${configuration}\n`)).reads('OL', full, 3).reads(words, values);
    return site
      .stall(stallSeconds)
      .poll(shown, 'a', lateMs + 1)
      .poll(shown, 'a', lateMs).decided;
  };
}

describe('the reserve, after the daemon stood still on battery', () => {
  it('waits for the stabilization delay', () => {
    const until = afterTransfer('OB', { chargePercent: 15, runtimeSeconds: 500 }, 60, 'value-hold=0s');
    expect([until(29_999), until(30_000)]).to.deep.equal([[], ['a LOW_BATTERY']]);
  });

  it('knows what the battery gave until an answer was asked for', () => {
    const until = afterTransfer('OB', full, 1_000);
    expect([until(900_001), until(900_002)]).to.deep.equal([[], ['a EXTENDED_TIME']]);
  });

  it('waits for a test', () => {
    const low = { chargePercent: 90, runtimeSeconds: 500 };
    const until = afterTransfer('OB TEST', low, 1_000, 'extended=off value-hold=0s');
    expect([until(899_999), until(900_000)]).to.deep.equal([[], ['a CRITICAL_RUNTIME']]);
  });

  it('knows its own FSD by answers that were asked for before the server had it', () => {
    const fsd = (askedMs: number) => {
      const site = new Site(settingsOf('ups a\n')).reads('OL', full, 3).reads('OB', full, 10);
      site.tell({ kind: 'forcedShutdown', state: 'asked' }).stall(100);
      return site.poll(reading('OB', full), 'a', 100_000 - askedMs).watch.of('a').fsd;
    };
    expect([fsd(30_000), fsd(30_001)]).to.deep.equal(['own', 'absent']);
  });

  it('waits for BYPASS with mains to end an outage', () => {
    const isOut = (askedMs: number) => {
      const site = new Site(settingsOf('ups a\n')).reads('OL', full, 3).reads('OB', full, 10);
      site
        .reads('BYPASS', full)
        .stall(200)
        .poll(reading('BYPASS', full), 'a', 200_000 - askedMs);
      return site.watch.of('a').outageMs !== null;
    };
    expect([isOut(59_999), isOut(60_000)]).to.deep.equal([true, false]);
  });

  it('waits for a minute of LB in a calibration', () => {
    const until = afterTransfer('OB CAL LB', full, 70, 'extended=off flag-delay=0s');
    expect([until(59_999), until(60_000)]).to.deep.equal([[], ['a LOW_BATTERY_FLAG']]);
  });
});
