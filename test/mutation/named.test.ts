// The named mutants of what carries decisions out: workers, supervision, commands. Those of decisions have a file of their own.
import { catchesEachOf } from './caught.js';

describe('a named mutant', () => {
  catchesEachOf('workers', 100);
  catchesEachOf('supervision', 80);
  catchesEachOf('commands', 35);
});
