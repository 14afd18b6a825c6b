// The metrics of nut_exporter, `network_ups_tools_*`, for dashboards and alerts that exist (specification/metrics.md#names-of-nut_exporter).
// Every numeric variable of each UPS is one; the variables are asked of the supervisor.
import { hiddenValue } from '../../../shared/domain/ups/secret-variables.js';
import { statusWords } from '../../../shared/domain/ups/status-words.js';
import type { PublishedUps } from '../../../shared/protocol/api.js';
import { ApiProblem } from '../http/problem.js';
import { labelText } from './family.js';

type Readings = (group: string) => Promise<{ readonly readings: Readonly<Record<string, string>> }>;

/** Questions to the supervisor at a time: it has more important work. */
const atOnce = 4;

/** The flags that nut_exporter always has by default, and SD, which NUT never shows. */
const flags = 'OL OB LB HB RB CHRG DISCHRG BYPASS CAL OFF OVER TRIM BOOST FSD SD'.split(' ');
const deviceLabels = [
  'model',
  'mfr',
  'serial',
  'type',
  'description',
  'contact',
  'location',
  'part',
  'macaddr',
];

/** Numbers that measure nothing, and settings of the driver. */
const noMeasure =
  /^driver\.|(?:^|\.)(?:serial|id|date|time|firmware|mfr|model|type|part|version|vendorid|productid|macaddr|contact|location|description)(?:\.|$)/;

/** A server may send any name; these can stand in a help text. */
const plainName = /^[a-z][\w.-]{0,100}$/i;

/** No sample of a UPS whose connection is lost, or whose variables the supervisor does not give. */
export async function nutExporterText(
  published: readonly PublishedUps[],
  readingsOf: Readings,
): Promise<string> {
  const families = new Map<string, { readonly variable: string; readonly lines: string[] }>();
  const add = (variable: string, labels: string, value: number): void => {
    const name = `network_ups_tools_${variable.replaceAll(/[^A-Za-z0-9_]/g, '_')}`;
    let family = families.get(name);
    if (family === undefined) families.set(name, (family = { variable, lines: [] }));
    // Two variables of one name would be one series twice.
    if (family.variable === variable) family.lines.push(`${name}{${labels}} ${String(value)}\n`);
  };
  const connected = published.filter(
    ({ row: { connectionState } }) => connectionState === 'OK' || connectionState === 'GRACE_PERIOD',
  );
  for (let first = 0; first < connected.length; first += atOnce) {
    const some = connected.slice(first, first + atOnce);
    const answers = await Promise.all(some.map(({ row }) => variablesOf(row.groupId, readingsOf)));
    for (const [place, { row }] of some.entries()) addUps(row.name, answers[place] ?? {}, add);
  }
  return [...families]
    .map(
      ([name, { variable, lines }]) =>
        `# HELP ${name} ${helpOf(variable)}\n# TYPE ${name} gauge\n${lines.join('')}`,
    )
    .join('');
}

async function variablesOf(group: string, readingsOf: Readings): Promise<Readonly<Record<string, string>>> {
  try {
    return (await readingsOf(group)).readings;
  } catch (error) {
    if (!(error instanceof ApiProblem)) throw error;
    return {};
  }
}

function addUps(
  name: string,
  variables: Readonly<Record<string, string>>,
  add: (variable: string, labels: string, value: number) => void,
): void {
  const ups = labelText({ ups: name });
  for (const [variable, text] of Object.entries(variables)) {
    const value = numberOf(text);
    if (value !== null && plainName.test(variable) && !noMeasure.test(variable)) add(variable, ups, value);
  }
  const status = variables['ups.status'];
  if (status === undefined) return;
  const words = statusWords(status);
  for (const flag of new Set([...flags, ...words]))
    add('ups.status', `${ups},${labelText({ flag })}`, Number(words.includes(flag)));
  const device = deviceLabels.map((label) => [label, shown(variables[`device.${label}`])] as const);
  add('device.info', `${ups},${labelText(Object.fromEntries(device))}`, 1);
}

function helpOf(variable: string): string {
  if (variable === 'device.info') return 'Identity that the UPS reports; always 1.';
  if (variable === 'ups.status') return 'Flags of ups.status: 1 while the UPS reports the flag.';
  return `The variable ${variable} of NUT.`;
}

/** As nut_exporter reads a value: a number, or a switch. */
function numberOf(text: string): number | null {
  const word = text.trim();
  if (/^[+-]?\d{1,15}(?:\.\d{1,15})?$/.test(word)) return Number(word);
  return ({ enabled: 1, disabled: 0 } as Readonly<Record<string, number>>)[word.toLowerCase()] ?? null;
}

function shown(value = ''): string {
  return value === hiddenValue ? '' : value;
}
