// One thread of a campaign: plays blocks of runs and returns their figures.
import { parentPort } from 'node:worker_threads';
import type { Block } from './campaign.js';
import { play } from './play.js';
import { generateScenario } from './generator/scenario.js';
import { blankTally, count } from './tally.js';

parentPort?.on('message', (block: Block) => {
  void playBlock(block);
});

async function playBlock({ seed, from, to }: Block): Promise<void> {
  const tally = blankTally();
  for (let run = from; run < to; run += 1) count(tally, run, await play(generateScenario(seed, run)));
  parentPort?.postMessage(tally);
}
