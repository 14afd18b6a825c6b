// The whole fleet in one sentence: what a person reads first, and when all is well the only thing. Pure.
import type { UpsRow } from '../../../shared/domain/status-model.js';
import type { Tone } from '../../../shared/domain/wording.js';
import { durationInWords, headlineOf, onBattery, quantity } from '../../../shared/domain/wording.js';
import type { Knowledge } from '../../daemon/knowledge.js';
import { cutOff } from '../../daemon/knowledge.js';
import { counted } from '../../ui/phrases.js';

export interface FleetSentence {
  readonly tone: Tone;
  readonly text: string;
  readonly detail: string;
}

export function fleetSentence(known: Knowledge): FleetSentence {
  const rows = known.status?.ups ?? [];
  if (known.status === null) return { tone: 'unknown', text: 'Nothing is known yet', detail: '' };
  if (cutOff(known)) return { tone: 'unknown', text: 'State unknown', detail: 'What is shown below is old.' };
  if (rows.length === 0)
    return { tone: 'unknown', text: 'No UPS is configured', detail: 'Nothing is watched by this daemon.' };
  const detail = detailOf(rows);
  const tones = rows.map((row) => headlineOf(row).tone);
  const fine = tones.filter((tone) => tone === 'good').length;
  const [only] = rows;
  if (rows.length === 1 && only !== undefined) {
    const { tone, text } = headlineOf(only);
    return { tone, text: `${only.label}: ${text.charAt(0).toLowerCase()}${text.slice(1)}`, detail };
  }
  if (fine === rows.length)
    return { tone: 'good', text: `All ${String(rows.length)} UPSes are on line power`, detail };
  const battery = rows.filter((row) => row.connectionState !== 'FAILED' && onBattery(row)).length;
  const unseen = rows.filter(({ connectionState }) => connectionState === 'FAILED').length;
  const unheard = rows.filter(({ connectionState }) => connectionState === 'UNKNOWN').length;
  const other = rows.length - fine - battery - unseen - unheard;
  const parts = [
    battery > 0 ? `${String(battery)} on battery` : '',
    unseen > 0 ? `${String(unseen)} not connected` : '',
    unheard > 0 ? `${String(unheard)} without data yet` : '',
    other > 0 ? `${counted(other, 'needs', 'need')} attention` : '',
  ].filter((part) => part !== '');
  const tone = (['danger', 'warning', 'unknown'] as const).find((one) => tones.includes(one)) ?? 'good';
  return {
    tone,
    text: `${parts.join(', ')}; ${String(fine)} of ${String(rows.length)} on line power`,
    detail,
  };
}

/** The weakest of what is known, and how many say nothing: a missing value is no reassurance. */
function detailOf(rows: readonly UpsRow[]): string {
  const many = rows.length > 1;
  return [
    least(
      rows,
      'charge',
      ({ batteryCharge }) => batteryCharge,
      (value) => quantity(value, '%'),
      many,
    ),
    least(rows, 'runtime', ({ runtime }) => runtime, durationInWords, many),
    watts(rows, many),
  ]
    .filter((part) => part !== '')
    .join(' · ');
}

function least(
  rows: readonly UpsRow[],
  what: string,
  of: (row: UpsRow) => number | null,
  words: (value: number) => string,
  many: boolean,
): string {
  const values = rows.map(of).filter((value) => value !== null);
  if (values.length === 0) return `${what} unknown`;
  const text = `${many ? 'least ' : ''}${what} ${words(Math.min(...values))}`;
  const missing = rows.length - values.length;
  return missing === 0 ? text : `${text} (${String(missing)} unknown)`;
}

function watts(rows: readonly UpsRow[], many: boolean): string {
  const values = rows.map(({ realPower }) => realPower).filter((value) => value !== null);
  if (values.length === 0) return '';
  const sum = values.reduce((total, value) => total + value, 0);
  const text = sum >= 10_000 ? quantity(sum / 1000, 'kW') : quantity(sum, 'W');
  const missing = rows.length - values.length;
  return `load ${text}${many ? ' in all' : ''}${missing === 0 ? '' : ` (${String(missing)} unknown)`}`;
}
