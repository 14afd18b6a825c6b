// The text of the metrics of all UPSes, of which a fleet has a hundred thousand samples. Other requests are answered meanwhile.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PublishedUps } from '../../../shared/protocol/api.js';
import type { Family } from './family.js';
import { headOf, labelText, linesOf } from './family.js';
import type { TextFormat } from './text-format.js';

/** UPSes whose samples of a family are written between two turns of the event loop: less than 1 ms. */
const atOnce = 100;

/** The bytes of each family: the 6 MB of a fleet as one string would be copied three times. */
export async function upsText(
  families: readonly Family<PublishedUps>[],
  published: readonly PublishedUps[],
  format: TextFormat,
): Promise<readonly Buffer[]> {
  const rows = published.map((ups) => ({
    ups,
    labels: labelText({ ups: ups.row.name, label: ups.row.label }),
  }));
  const texts: Buffer[] = [];
  let written = 0;
  for (const family of families) {
    let text = headOf(family, format);
    for (const { ups, labels } of rows) {
      text += linesOf(family.name, family.samples(ups), labels);
      if ((written += 1) % atOnce === 0) await nextTurn();
    }
    texts.push(Buffer.from(text));
  }
  return texts;
}
