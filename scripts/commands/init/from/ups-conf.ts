// ups.conf: where the low thresholds of a UPS are set for the driver, they are the operator's numbers.
import { join } from 'node:path';
import type { Table } from '../../../../shared/domain/config-draft.js';
import { parseUpsName } from '../../../../shared/domain/ups-name.js';
import { isLoopback } from '../../../../shared/runtime/loopback.js';
import { nutWords } from '../../../../supervisor/config/read/upsmon.js';
import { triggerKeys } from '../../../../supervisor/config/schema/triggers.js';
import { carry, linesOf, readSource } from './source.js';
import type { Supply } from './upsmon-supplies.js';

const marks = {
  'override.battery.charge.low': 'low_battery_threshold',
  'override.battery.runtime.low': 'critical_runtime_threshold',
} as const;

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
  readonly upses: ReadonlyMap<string, Table>;
}): void {
  const source = readSource(join(directory, 'ups.conf'));
  if (!source.ok) return;
  let row: Table | undefined;
  for (const { number, text } of linesOf(source.text)) {
    const head = /^\s*\[([^\]]*)\]/.exec(text)?.[1];
    if (head !== undefined) {
      const own = supplies.find(({ name }) => {
        const address = parseUpsName(name);
        return address !== undefined && isLoopback(address.host) && address.ups === head;
      });
      row = own === undefined ? undefined : upses.get(own.name);
      continue;
    }
    const [key = '', value = ''] = keyAndValue(text);
    const what = `ups.conf line ${String(number)}, ${key}`;
    const mark = Object.entries(marks).find(([name]) => name === key)?.[1];
    if (row === undefined) continue;
    if (mark !== undefined)
      carry(row.table('triggers'), mark, triggerKeys[mark].codec, Number(value.trim() === '' ? NaN : value), {
        what,
        comment: key,
      });
    else if (leftOut[key] !== undefined) row.leavesOut(what, leftOut[key]);
  }
}

/** `key = value`, `key=value`, or a flag. */
function keyAndValue(text: string): readonly string[] {
  const at = text.indexOf('=');
  if (at < 0) return nutWords(text).slice(0, 1);
  return [nutWords(text.slice(0, at))[0] ?? '', nutWords(text.slice(at + 1))[0] ?? ''];
}
