// The first of the simulated outages: what everybody runs before a commit.
import { violatesNoInvariant } from './promises.js';

describe('a sample of simulated outages', () => {
  violatesNoInvariant(500);
});
