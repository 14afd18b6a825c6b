import { expect } from 'chai';
import type { TryEnd } from '../../../workers/remote/off/attempt.js';
import type { Peer, PeerState } from '../../../workers/remote/off/silence.js';
import { initialPeer, isOff, judgePeers } from '../../../workers/remote/off/silence.js';

const settleMs = 10_000;

interface Named {
  readonly order: string;
  readonly link?: string;
  readonly answered?: boolean;
}

/** One round a second. `course` of each peer: a try a round, a for answer, s silence, f fault, - not asked. */
function after(
  courses: Readonly<Record<string, Named & { readonly course: string }>>,
  round: {
    readonly late?: (number: number) => boolean;
    readonly links?: (number: number) => readonly string[];
  } = {},
): Readonly<Record<string, PeerState & { readonly off: boolean }>> {
  const ends: Readonly<Record<string, TryEnd | undefined>> = { a: 'answer', s: 'silence', f: 'fault' };
  const names = Object.keys(courses);
  let states = names.map((name) => initialPeer(courses[name]?.answered ?? true));
  let nowMs = 0;
  const rounds = Math.max(...names.map((name) => courses[name]?.course.length ?? 0));
  for (let number = 0; number < rounds; number += 1) {
    nowMs += 1_000;
    const peers = names.map((name, index): Peer => {
      const { order = '', link = 'eth0', course = '' } = courses[name] ?? {};
      return { order, link, state: states[index] ?? initialPeer(true), end: ends[course[number] ?? '-'] };
    });
    const links = new Set(round.links?.(number) ?? ['eth0', 'eth1']);
    states = [...judgePeers({ number, nowMs, isLate: round.late?.(number) ?? false, links }, peers)];
  }
  return Object.fromEntries(
    names.map((name, index) => {
      const state = states[index] ?? initialPeer(true);
      return [name, { ...state, off: isOff(state, settleMs, nowMs) }];
    }),
  );
}

const silent = (seconds: number): string => 's'.repeat(seconds);

describe('silence', () => {
  it('is off after three tries without an answer and the time to settle, not before', () => {
    expect(after({ nas: { order: '1', course: `aa${silent(12)}` } })['nas']?.off).to.equal(false);
    expect(after({ nas: { order: '1', course: `aa${silent(13)}` } })['nas']?.off).to.equal(true);
  });

  it('begins again with an answer during the time to settle', () => {
    const { nas } = after({ nas: { order: '1', course: `a${silent(8)}a${silent(8)}` } });
    expect(nas).to.include({ off: false });
    expect(after({ nas: { order: '1', course: `a${silent(8)}a${silent(13)}` } })['nas']?.off).to.equal(true);
  });

  it('of a server that has not answered this check before proves nothing', () => {
    const { nas } = after({ nas: { order: '1', answered: false, course: silent(30) } });
    expect(nas).to.include({ off: false, reason: 'it has not answered this check since the shutdown began' });
  });

  it('proves nothing when another order fell silent in the same second', () => {
    const states = after({
      nas: { order: '1', course: `aa${silent(30)}` },
      db: { order: '2', course: `aaa${silent(29)}` },
    });
    expect(states['nas']).to.include({ off: false, reason: 'the network fell silent with it' });
    expect(states['db']?.off).to.equal(false);
  });

  it('of several servers of one order in the same second is off', () => {
    const states = after({
      nas: { order: '1', course: `aa${silent(13)}` },
      san: { order: '1', course: `aa${silent(13)}` },
    });
    expect([states['nas']?.off, states['san']?.off]).to.deep.equal([true, true]);
  });

  it('counts when the other order fell silent seconds before or after', () => {
    const states = after({
      nas: { order: '1', course: `aa${silent(20)}` },
      db: { order: '2', course: `aaaaaaa${silent(15)}` },
    });
    expect([states['nas']?.off, states['db']?.off]).to.deep.equal([true, true]);
  });

  it('counts when the other order is on another network', () => {
    const states = after({
      nas: { order: '1', course: `aa${silent(13)}` },
      db: { order: '2', link: 'eth1', course: `aa${silent(13)}` },
    });
    expect(states['nas']?.off).to.equal(true);
  });

  it('counts from the moment when the network answers again', () => {
    const course = `aa${silent(30)}`;
    const back = (seconds: number) =>
      after({
        nas: { order: '1', course: course.slice(0, 2 + 15 + seconds) },
        db: { order: '2', course: `aa${silent(15)}${'a'.repeat(seconds)}` },
      })['nas']?.off;
    expect(back(12)).to.equal(false);
    expect(back(13)).to.equal(true);
  });

  it('proves nothing without the own carrier or a route, and counts again after it', () => {
    const lost = (number: number) => (number < 12 ? [] : ['eth0']);
    const cut = (rounds: number) =>
      after({ nas: { order: '1', course: `aa${silent(rounds)}` } }, { links: lost })['nas'];
    expect(cut(22)?.off).to.equal(false);
    expect(cut(23)?.off).to.equal(true);
    expect(cut(5)).to.include({ reason: 'the own interface has lost its carrier' });
    const faults = after({ nas: { order: '1', course: `aa${silent(5)}f${silent(12)}` } })['nas'];
    expect(faults?.off).to.equal(false);
  });

  it('of a try that was late by the own doing does not count, an answer does', () => {
    const late = (number: number) => number % 2 === 0;
    const course = { nas: { order: '1', course: `aa${silent(6)}` } };
    expect(after(course)['nas']?.counted).to.equal(6);
    expect(after(course, { late })['nas']?.counted).to.equal(3);
    const answered = after({ nas: { order: '1', course: `${silent(4)}a` } }, { late: () => true })['nas'];
    expect(answered).to.include({ silentFrom: null, reason: 'it still answers' });
  });
});
