// The base of the invariants. Each watches the record of what the daemon was given, did and said, and the truth of the
// world, and states one promise of docs/verification.md. None knows how policy decides.
import type { Facts } from './facts.js';

export abstract class Invariant {
  protected readonly facts: Facts;

  constructor(facts: Facts) {
    this.facts = facts;
  }
}
