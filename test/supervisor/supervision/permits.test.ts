import { expect } from 'chai';
import type { UpFrame } from '../../../shared/protocol/frame.js';
import type { Phase } from '../../../supervisor/supervision/permits.js';
import { Numbering, isPermitted } from '../../../supervisor/supervision/permits.js';

type Kind = UpFrame['kind'];

const phases: readonly Phase[] = ['handshake', 'configuring', 'ready', 'draining'];

/** For every kind of frame: the phases in which it is allowed. Complete by its type. */
const expected: Readonly<Record<Kind, readonly Phase[]>> = {
  hello: ['handshake'],
  ready: ['configuring'],
  heartbeat: ['configuring', 'ready', 'draining'],
  event: ['configuring', 'ready', 'draining'],
  ask: ['configuring', 'ready', 'draining'],
  log: ['configuring', 'ready', 'draining'],
  answer: ['ready', 'draining'],
  failure: ['ready', 'draining'],
  drained: ['draining'],
};

describe('The table of permits', () => {
  for (const [kind, permitted] of Object.entries(expected) as [Kind, readonly Phase[]][]) {
    it(`allows a worker the frame ${kind} while it is ${permitted.join(' or ')}, and at no other time`, () => {
      expect(phases.filter((phase) => isPermitted(phase, kind))).to.deep.equal(permitted);
    });
  }

  it('accepts each number once, and only growing ones', () => {
    const numbering = new Numbering();
    expect([1, 2, 5, 5, 4, 6, 0, 6, 7].map((id) => numbering.advance(id))).to.deep.equal([
      true,
      true,
      true,
      false,
      false,
      true,
      false,
      false,
      true,
    ]);
  });
});
