// The named mutants of policy, plans, sequences and the engine: what everybody runs before a commit.
import { catchesEachOf } from './caught.js';

describe('a named mutant', () => {
  catchesEachOf('decisions', 270);
});
