// The state of all UPSes in one sentence. Pure.
import { countText } from '../../../shared/domain/base/format.js';
import type { UpsRow } from '../../../shared/domain/status/status-model.js';
import type { Tone } from '../../../shared/domain/status/wording.js';
import { durationInWords } from '../../../shared/domain/base/duration.js';
import { headlineOf, onBattery, quantity } from '../../../shared/domain/status/wording.js';
import type { ClientState } from '../../daemon/client-state.js';
import { isDisconnected } from '../../daemon/client-state.js';

export interface FleetSummary {
  readonly tone: Tone;
  readonly text: string;
  readonly detail: string;
}

export function fleetSummary(clientState: ClientState): FleetSummary {
  const rows = clientState.status?.ups ?? [];
  if (clientState.status === null) return { tone: 'unknown', text: 'No state received yet', detail: '' };
  if (isDisconnected(clientState))
    return { tone: 'unknown', text: 'State unknown', detail: 'The values below are old.' };
  if (rows.length === 0)
    return { tone: 'unknown', text: 'No UPS is configured', detail: 'This daemon monitors nothing.' };
  const detail = detailOf(rows);
  const tones = rows.map((row) => headlineOf(row).tone);
  const healthy = tones.filter((tone) => tone === 'good').length;
  const [only] = rows;
  if (rows.length === 1 && only !== undefined) {
    const { tone, text } = headlineOf(only);
    return { tone, text: `${only.label}: ${text.charAt(0).toLowerCase()}${text.slice(1)}`, detail };
  }
  if (healthy === rows.length)
    return { tone: 'good', text: `All ${String(rows.length)} UPSes are on line power`, detail };
  const battery = rows.filter((row) => row.connectionState !== 'FAILED' && onBattery(row)).length;
  const disconnected = rows.filter(({ connectionState }) => connectionState === 'FAILED').length;
  const notPolled = rows.filter(({ connectionState }) => connectionState === 'UNKNOWN').length;
  const other = rows.length - healthy - battery - disconnected - notPolled;
  const parts = [
    battery > 0 ? `${String(battery)} on battery` : '',
    disconnected > 0 ? `${String(disconnected)} not connected` : '',
    notPolled > 0 ? `${String(notPolled)} without data yet` : '',
    other > 0 ? `${countText(other, 'needs', 'need')} attention` : '',
  ].filter((part) => part !== '');
  const tone = (['danger', 'warning', 'unknown'] as const).find((one) => tones.includes(one)) ?? 'good';
  return {
    tone,
    text: `${parts.join(', ')}; ${String(healthy)} of ${String(rows.length)} on line power`,
    detail,
  };
}

/** The lowest known values, with the number of UPSes whose value is unknown. */
function detailOf(rows: readonly UpsRow[]): string {
  const many = rows.length > 1;
  return [
    lowest(
      rows,
      'charge',
      ({ batteryCharge }) => batteryCharge,
      (value) => quantity(value, '%'),
      many,
    ),
    lowest(rows, 'runtime', ({ runtime }) => runtime, durationInWords, many),
    watts(rows, many),
  ]
    .filter((part) => part !== '')
    .join(' · ');
}

function lowest(
  rows: readonly UpsRow[],
  what: string,
  of: (row: UpsRow) => number | null,
  words: (value: number) => string,
  many: boolean,
): string {
  const values = rows.map(of).filter((value) => value !== null);
  if (values.length === 0) return `${what} unknown`;
  const text = `${many ? 'lowest ' : ''}${what} ${words(Math.min(...values))}`;
  const missing = rows.length - values.length;
  return missing === 0 ? text : `${text} (${String(missing)} unknown)`;
}

function watts(rows: readonly UpsRow[], many: boolean): string {
  const values = rows.map(({ realPower }) => realPower).filter((value) => value !== null);
  if (values.length === 0) return '';
  const sum = values.reduce((total, value) => total + value, 0);
  const text = sum >= 10_000 ? quantity(sum / 1000, 'kW') : quantity(sum, 'W');
  const missing = rows.length - values.length;
  return `load ${text}${many ? ' in total' : ''}${missing === 0 ? '' : ` (${String(missing)} unknown)`}`;
}
