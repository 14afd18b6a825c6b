// One thread of a campaign of hosts that may restart.
import { parentPort } from 'node:worker_threads';
import type { Block } from '../campaign.js';
import { blankFigures, countRun } from './figures.js';
import { generateRestartScenario } from './generator.js';
import { playRestart } from './play.js';

parentPort?.on('message', (block: Block) => {
  void playBlock(block);
});

async function playBlock({ seed, from, to }: Block): Promise<void> {
  const figures = blankFigures();
  for (let run = from; run < to; run += 1)
    countRun(figures, run, await playRestart(generateRestartScenario(seed, run)));
  parentPort?.postMessage(figures);
}
