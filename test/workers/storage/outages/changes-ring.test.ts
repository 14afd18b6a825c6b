import { randomBytes } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { expect } from 'chai';
import fc from 'fast-check';
import { changedVariables } from '../../../../shared/protocol/reading-change.js';
import type { ChangeRecord } from '../../../../shared/protocol/storage.js';
import { ChangesRing } from '../../../../workers/storage/outages/changes-ring.js';

const start = 1_700_000_000;
type Entry = [number, Record<string, string | null>];

function whole(groupId: string, at: number, variables: Record<string, string>): ChangeRecord {
  return { groupId, at, isWhole: true, variables };
}

function change(groupId: string, at: number, variables: Record<string, string | null>): ChangeRecord {
  return { groupId, at, isWhole: false, variables };
}

function entriesOf(ring: ChangesRing, groupId: string): readonly Entry[] {
  return ring
    .unwritten(groupId, [0, Infinity])
    .flatMap(({ changes }) => JSON.parse(inflateRawSync(changes).toString()) as Entry[]);
}

describe('the ring of changes', () => {
  it('begins every minute with the complete reading', () => {
    const ring = new ChangesRing();
    ring.add(whole('office', start, { 'ups.status': 'OL', 'ups.load': '20' }));
    ring.add(change('office', start + 1, { 'ups.load': '21' }));
    ring.sealAll((start + 60) * 1000);
    ring.add(change('office', start + 61, { 'ups.status': 'OB', 'ups.load': null }));
    ring.sealAll((start + 120) * 1000);
    expect(entriesOf(ring, 'office')).to.deep.equal([
      [start * 1000, { 'ups.status': 'OL', 'ups.load': '20' }],
      [(start + 1) * 1000, { 'ups.load': '21' }],
      [(start + 61) * 1000, { 'ups.status': 'OB' }],
    ]);
  });

  for (const set of [-3600, 3600])
    it(`ends a minute where the clock is set by ${String(set)} s: each has the dates of one clock`, () => {
      const ring = new ChangesRing();
      ring.add(whole('office', start, { 'ups.status': 'OL' }));
      ring.add(change('office', start + 1, { 'ups.status': 'OB' }));
      ring.add(change('office', start + set + 2, { 'ups.load': '20' }));
      ring.seal('office');
      const minutes = ring.unwritten('office', [0, Infinity]);
      expect(minutes.map(({ fromMs, untilMs }) => [fromMs, untilMs])).to.deep.equal([
        [start * 1000, (start + 1) * 1000],
        [(start + set + 2) * 1000, (start + set + 2) * 1000],
      ]);
      expect(entriesOf(ring, 'office').at(-1)?.[1]).to.deep.equal({ 'ups.status': 'OB', 'ups.load': '20' });
    });

  it('knows the power source by the last reading', () => {
    const ring = new ChangesRing();
    expect(ring.isOnLine('office')).to.equal(undefined);
    ring.add(whole('office', start, { 'ups.status': 'OL CHRG' }));
    expect(ring.isOnLine('office')).to.equal(true);
    ring.add(change('office', start + 1, { 'ups.status': 'OB DISCHRG' }));
    expect(ring.isOnLine('office')).to.equal(false);
    ring.add(change('office', start + 2, { 'ups.status': 'OFF' }));
    expect(ring.isOnLine('office')).to.equal(undefined);
  });

  it('ignores a difference to a reading that it does not have', () => {
    const ring = new ChangesRing();
    expect(ring.add(change('office', start, { 'ups.status': 'OB' }))).to.equal(false);
    ring.sealAll(start * 1000);
    expect(entriesOf(ring, 'office')).to.deep.equal([]);
  });

  it('drops minutes older than the margin, and keeps the last reading, which may not change for months', () => {
    const ring = new ChangesRing();
    ring.add(whole('office', start, { 'ups.status': 'OL' }));
    ring.sealAll(start * 1000);
    const before = ring.bytes;
    ring.sealAll((start + 661) * 1000);
    expect(entriesOf(ring, 'office')).to.deep.equal([]);
    expect(ring.bytes).to.be.below(before);
    expect(ring.isOnLine('office')).to.equal(true);
    const months = 8_000_000;
    ring.sealAll((start + months) * 1000);
    expect(ring.add(change('office', start + months, { 'ups.status': 'OB' }))).to.equal(true);
    expect(ring.isOnLine('office')).to.equal(false);
  });

  it('takes room from the UPS that uses most, and keeps the others', () => {
    const ring = new ChangesRing(200_000);
    ring.add(whole('quiet', start, { 'ups.status': 'OL' }));
    ring.seal('quiet');
    ring.add(whole('noisy', start, { 'ups.status': 'OL' }));
    for (let second = 1; second < 2_000; second += 1) {
      ring.add(change('noisy', start + second, { noise: randomBytes(500).toString('base64') }));
      if (second % 60 === 0) ring.seal('noisy');
      expect(ring.bytes).to.be.at.most(200_000);
    }
    expect(entriesOf(ring, 'quiet')).to.have.length(1);
    expect(entriesOf(ring, 'noisy').length).to.be.above(60);
  });

  it('counts what it holds of a thousand UPSes, and stays below its bound whatever they publish', () => {
    const maxBytes = 4_000_000;
    const ring = new ChangesRing(maxBytes);
    const wide = Object.fromEntries(
      Array.from({ length: 1_000 }, (_, name) => [`v${String(name)}`, 'x'.repeat(1_000)]),
    );
    ring.add(whole('quiet', start, { 'ups.status': 'OL' }));
    for (let ups = 0; ups < 50; ups += 1) {
      ring.add(whole(`wide-${String(ups)}`, start, wide));
      expect(ring.bytes).to.be.within(1, maxBytes);
    }
    expect(ring.isOnLine('quiet')).to.equal(true);
    ring.sealAll((start + 60) * 1000);
    ring.sealAll((start + 2_000) * 1000);
    // The last readings: of one wide UPS, each text with its overhead, and of the quiet one.
    expect(ring.bytes).to.be.below(1_000 * (2 * 1_004 + 128) + 500);
  });

  it('keeps no more memory of a minute than its size', () => {
    const ring = new ChangesRing();
    ring.add(whole('office', start, { 'ups.status': 'OL' }));
    ring.seal('office');
    const [minute] = ring.unwritten('office', [0, Infinity]);
    expect(minute?.changes.buffer.byteLength).to.equal(minute?.changes.length);
  });

  it('gives back every reading from its minutes', () => {
    const Variables = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'ups.status'), fc.string(), {
      noNullPrototype: true,
    });
    fc.assert(
      fc.property(fc.array(fc.tuple(Variables, fc.boolean()), { minLength: 1 }), (readings) => {
        const ring = new ChangesRing();
        let before: Record<string, string> | undefined;
        const expected: [number, Record<string, string>][] = [];
        readings.forEach(([raw, seal], second) => {
          const variables = { ...raw, 'ups.status': `OL ${String(second)}` };
          ring.add({
            groupId: 'office',
            at: start + second,
            isWhole: before === undefined,
            variables: before === undefined ? variables : changedVariables(before, variables),
          });
          before = variables;
          expected.push([(start + second) * 1000, variables]);
          if (seal) ring.seal('office');
        });
        ring.seal('office');
        const rebuilt = ring.unwritten('office', [0, Infinity]).flatMap(({ changes }) => {
          const known = new Map<string, string>();
          return (JSON.parse(inflateRawSync(changes).toString()) as Entry[]).map(([at, changed]) => {
            for (const [name, value] of Object.entries(changed))
              if (value === null) known.delete(name);
              else known.set(name, value);
            return [at, Object.fromEntries(known)];
          });
        });
        expect(rebuilt).to.deep.equal(expected);
      }),
      { numRuns: 100 },
    );
  });
});
