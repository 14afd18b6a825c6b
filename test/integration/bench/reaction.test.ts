// `npm run bench -- reaction` with few runs, beside nothing else: the program is not several times slower than it was.
import { expect } from 'chai';
import { reactions } from '../../bench/reaction.js';
import { percentile } from '../../bench/table.js';

/** In ms: half a poll interval of 1 s on average, a whole one more for the second reading of the battery, and 30 ms for the rest. */
const committed = { battery: 1_530, fsd: 530 };
const worst = 3;
const runs = 5;

describe('the time from a change at upsd to the power-off command', () => {
  it('is below three times its committed figure', async () => {
    const { battery, fsd } = await reactions(runs);
    process.stdout.write(
      `    ms: battery ${battery.map(Math.round).join(' ')}; FSD ${fsd.map(Math.round).join(' ')}\n`,
    );
    expect(percentile(battery, 0.5)).to.be.below(worst * committed.battery);
    expect(percentile(fsd, 0.5)).to.be.below(worst * committed.fsd);
  });
});
