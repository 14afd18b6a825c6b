// What a search found, as text: for the terminal, and as comments of the configuration.
import { formatSetting } from '../../../shared/domain/base/duration.js';
import { triggersOnByDefault } from '../../../shared/domain/triggers/table.js';
import { triggerInWords } from '../../../shared/domain/status/wording.js';
import type { FoundUps, Look, Searched, Server } from './search.js';

/** One block for each server; the UPSes are numbered through all of them, from 1. */
export function searchedText(searched: readonly Searched[]): string {
  let number = 0;
  return searched
    .map(({ server, upses, skipped }) => {
      const place = placeOf(server);
      if (!upses.ok) return `${startingWith(place, upses.failure.message)}\n`;
      const found = upses.value.map((ups) => `  ${String((number += 1))}  ${upsText(ups)}\n`);
      const more =
        skipped === 0
          ? ''
          : `  and ${String(skipped)} that a configuration cannot name or that are too many\n`;
      return found.length === 0 && skipped === 0
        ? `${place}: this NUT server has no UPS; see ups.conf(5)\n`
        : `${place}:\n${found.join('')}${more}`;
    })
    .join('');
}

/** Failures to connect name the server already. */
const startingWith = (place: string, message: string): string =>
  message.startsWith(place) ? message : `${place}: ${message}`;

export const placeOf = ({ host, port }: Server): string => `${host} port ${String(port)}`;

function upsText({ name, description, look }: FoundUps): string {
  const head = description === '' ? name : `${name} (${description})`;
  const lines = look.ok ? lookLines(look.value) : [`cannot be read: ${look.failure.message}`];
  return [head, ...lines].join('\n       ');
}

/** As comments: a server's own words do not get into the file. */
export const notesOf = (found: FoundUps | undefined): readonly string[] =>
  found?.look.ok === true ? lookLines(found.look.value) : ['It could not be read when this was written.'];

function lookLines({ reading, fed, unfed }: Look): readonly string[] {
  const { status, chargePercent, runtimeSeconds, loadPercent } = reading;
  const values = [
    ...(chargePercent === null ? [] : [`charge ${String(chargePercent)} %`]),
    ...(runtimeSeconds === null ? [] : [`runtime ${formatSetting(runtimeSeconds)}`]),
    ...(loadPercent === null ? [] : [`load ${String(loadPercent)} %`]),
  ];
  const words = status.filter((word) => /^[A-Z]{1,12}$/.test(word)).join(' ');
  const waiting = triggersOnByDefault.filter(({ sources }) => !sources.includes('unknown'));
  const names = (rules: Look['fed']): string => rules.map(({ name }) => triggerInWords(name)).join(', ');
  return [
    `It reported status ${words === '' ? 'unknown' : words}${values.map((value) => `, ${value}`).join('')}.`,
    `It reports what these triggers need: ${names(fed)}.`,
    ...(status.includes('OL') && status.includes('OB')
      ? [
          `Its source of power is unknown, since the status has both OL and OB. Until OB stands alone, or charge or runtime falls, these do not act: ${names(waiting)}, ${triggerInWords('FAILSAFE')}.`,
        ]
      : []),
    ...(unfed.length === 0 ? [] : [`It does not report what these need: ${names(unfed)}.`]),
  ];
}
