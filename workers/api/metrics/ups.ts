// The text of the metrics of all UPSes. Formats its text itself and keeps it: a fleet has a hundred thousand samples, and
// prom-client formats each one at each scrape.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PublishedUps } from '../../../shared/protocol/api.js';
import { labelText } from './label-text.js';
import type { TextFormat } from './text-format.js';
import { headOf } from './text-format.js';
import type { Family } from './ups-families.js';
import { upsFamilies } from './ups-families.js';

/** The kept text of one UPS: for each family the key it was made from, and the samples. */
interface Kept {
  readonly name: string;
  readonly label: string;
  readonly labels: string;
  readonly keys: (string | number | null | undefined)[];
  readonly texts: string[];
  of: PublishedUps | undefined;
}

/** Work between two turns of the event loop: about 1 ms. */
const rowsAtOnce = 20;
const bytesAtOnce = 64 * 1024;

export class UpsTexts {
  readonly #families: readonly Family[];
  #kept: ReadonlyMap<string, Kept> = new Map();
  #lastBytes = 0;

  constructor(prefix: string) {
    this.#families = upsFamilies(prefix);
  }

  /** `before`, the text of all UPSes, and `after`. Other requests are answered meanwhile. One call at a time. */
  async text(
    {
      before,
      after,
      format,
    }: { readonly before: string; readonly after: string; readonly format: TextFormat },
    published: readonly PublishedUps[],
  ): Promise<Buffer> {
    const kept = new Map<string, Kept>();
    for (const ups of published) {
      kept.set(ups.row.groupId, this.#current(ups));
      if (kept.size % rowsAtOnce === 0) await nextTurn();
    }
    this.#kept = kept;
    const rows = [...kept.values()];
    // Written where it is sent from: strings joined to 6 MB are copied three times.
    let buffer = Buffer.allocUnsafe(this.#lastBytes + bytesAtOnce);
    let used = 0;
    let nextPause = bytesAtOnce;
    const append = (text: string): void => {
      const most = used + 3 * text.length;
      if (most > buffer.length) buffer = Buffer.concat([buffer.subarray(0, used)], 2 * most);
      used += buffer.write(text, used);
    };
    append(before);
    for (const [place, { name, help, type }] of this.#families.entries()) {
      append(headOf({ name, help, type }, format));
      for (const { texts } of rows) {
        append(texts[place] ?? '');
        if (used < nextPause) continue;
        nextPause = used + bytesAtOnce;
        await nextTurn();
      }
    }
    append(after);
    this.#lastBytes = used;
    return buffer.subarray(0, used);
  }

  #current(ups: PublishedUps): Kept {
    const { groupId, name, label } = ups.row;
    const old = this.#kept.get(groupId);
    const kept =
      old?.name === name && old.label === label
        ? old
        : { name, label, labels: labelText({ ups: name, label }), keys: [], texts: [], of: undefined };
    if (kept.of === ups) return kept;
    for (const [place, family] of this.#families.entries()) {
      const key = family.key(ups);
      if (kept.keys[place] === key) continue;
      kept.keys[place] = key;
      // Joined: a concatenated string would keep the tree of its parts.
      kept.texts[place] = family.lines(ups, kept.labels).join('');
    }
    kept.of = ups;
    return kept;
  }
}
