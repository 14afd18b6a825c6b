// One thread of a campaign, in a copy of the program whose policy can throw: plays each scenario with a policy that works, and with
// faults.
import { readFileSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import type { Block } from '../campaign.js';
import { playWithFaults } from './plays.js';

const places = JSON.parse(
  readFileSync(new URL('./places.json', import.meta.url), 'utf8'),
) as readonly string[];

parentPort?.on('message', (block: Block) => {
  void playWithFaults(block, places).then((figures) => parentPort?.postMessage(figures));
});
