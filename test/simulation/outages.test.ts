// Ten thousand outages against the real engine; `npm run simulate` plays any number.
import { violatesNoInvariant } from './promises.js';

describe('a simulated outage', () => {
  // Some runs have no outage: this many include 10,000 with one.
  violatesNoInvariant(11_000);
});
