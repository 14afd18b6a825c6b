// ups.conf: where the low thresholds of a UPS are set for the driver, they are the operator's numbers.
import { join } from 'node:path';
import type { DraftTable } from '../../../../shared/domain/setup/config-draft.js';
import { parseUpsName } from '../../../../shared/domain/ups/ups-name.js';
import { isLoopback } from '../../../../shared/runtime/loopback.js';
import { nutWords } from '../../../../supervisor/config/read/upsmon.js';
import { triggerKeys } from '../../../../shared/domain/triggers/table.js';
import { carry, linesOf, readSource } from './source.js';
import type { Supply } from './upsmon-supplies.js';

/** Each with the variable of NUT that the driver compares it with, if ignorelb says so. */
const marks = [
  { variable: 'battery.charge.low', key: 'low_battery_threshold' },
  { variable: 'battery.runtime.low', key: 'critical_runtime_threshold' },
] as const;

const onlyShown =
  'without ignorelb it changes what the variable shows and no more: upsmon goes down at the LB of the UPS, as here';

/** Of the UPS itself or its driver. */
const leftOut: Readonly<Record<string, string>> = {
  offdelay: 'ups_output.off_delay, which the daemon writes and reads back before it cuts the output',
  ondelay: 'stays a setting of the driver; the daemon does not write it',
  usd: 'stays a setting of the driver; ups_output.off_delay is its counterpart',
  sdcommands: 'ups_output.command',
  lowbatt: 'stays a setting of the driver: LB comes at that charge',
};

export function addUpsConf({
  directory,
  supplies,
  upses,
}: {
  readonly directory: string;
  readonly supplies: readonly Supply[];
  readonly upses: ReadonlyMap<string, DraftTable>;
}): void {
  const source = readSource(join(directory, 'ups.conf'));
  if (!source.ok) return;
  let [row, settings]: [DraftTable | undefined, Setting[]] = [undefined, []];
  const close = (): void => {
    if (row !== undefined) addSection(row, settings);
    settings = [];
  };
  for (const { number, text } of linesOf(source.text)) {
    const head = /^\s*\[([^\]]*)\]/.exec(text)?.[1];
    if (head === undefined) {
      const [key = '', value = ''] = keyAndValue(text);
      // The drivers compare names without case.
      settings.push({ key: key.toLowerCase(), value, what: `ups.conf line ${String(number)}, ${key}` });
      continue;
    }
    close();
    const own = supplies.find(({ name }) => {
      const address = parseUpsName(name);
      return address !== undefined && isLoopback(address.host) && address.ups === head;
    });
    row = own === undefined ? undefined : upses.get(own.name);
  }
  close();
}

interface Setting {
  readonly key: string;
  readonly value: string;
  readonly what: string;
}

/** The settings of one UPS. The last of a name counts, and `override` before `default`, which counts where the UPS has no value. */
function addSection(row: DraftTable, settings: readonly Setting[]): void {
  const ignoresLb = settings.some(({ key }) => key === 'ignorelb');
  for (const { variable, key } of marks) {
    const given = ['override', 'default'].flatMap(
      (kind) => settings.findLast((setting) => setting.key === `${kind}.${variable}`) ?? [],
    );
    const [first] = given;
    if (first === undefined) continue;
    if (!ignoresLb) {
      for (const { what } of given) row.leavesOut(what, onlyShown);
      continue;
    }
    const value = Number(first.value.trim() === '' ? NaN : first.value);
    // Nothing is below a negative mark.
    const mark = value < 0 ? 0 : value;
    const comment = `${first.key}, by ignorelb${first.key.startsWith('default') ? ', where the UPS shows no other' : ''}`;
    carry(row.table('triggers'), key, triggerKeys[key].codec, mark, { what: first.what, comment });
  }
  for (const { key, what } of settings) if (leftOut[key] !== undefined) row.leavesOut(what, leftOut[key]);
}

/** `key = value`, `key=value`, or a flag. */
function keyAndValue(text: string): readonly string[] {
  const at = text.indexOf('=');
  if (at < 0) return nutWords(text).slice(0, 1);
  return [nutWords(text.slice(0, at))[0] ?? '', nutWords(text.slice(at + 1))[0] ?? ''];
}
