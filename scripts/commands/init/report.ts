// What `ridethrough init` says after it has written: the files, what was not carried, what the UPSes must report, the next step.
import { batteryTriggers } from '../../../shared/domain/triggers/table.js';
import { triggerInWords } from '../../../shared/domain/status/wording.js';
import type { Configuration } from '../../../supervisor/config/configuration/configuration.js';
import { defaultConfigPath } from '../usage.js';
import type { Delivered, Draft } from './delivery.js';

export function report(
  { configuration, table, written }: Extract<Delivered, { ok: true }>,
  { secrets, unread }: Omit<Draft, 'compose'>,
): string {
  const [file = '', ...secretFiles] = written;
  const left = table.allLeftOut();
  const config = file === '' || file === defaultConfigPath ? '' : ` --config ${file}`;
  return [
    file === ''
      ? 'The configuration above is valid. It is a dry run.'
      : `${file} is written and valid. It is a dry run: nothing is shut down.`,
    ...unread.map((name) => `${name} could not be read: whether it exists, and what it reports, is unknown.`),
    ...secrets.map(({ name, of }, index) =>
      file === ''
        ? `Write ${of} into the file ${name} that it names, readable by root only.`
        : `${secretFiles[index] ?? name} holds ${of}.`,
    ),
    ...section(
      'Not carried, and why',
      left.map(({ what, why }) => `${what}: ${why}`),
    ),
    ...section('Warnings', configuration.warnings),
    ...section('What the UPSes must report', needs(configuration)),
    '',
    'Next:',
    `  ridethrough validate${config}    what the daemon does with it`,
    ...(file === ''
      ? []
      : [
          config === ''
            ? '  systemctl enable --now ridethrough (without systemd: ridethrough run)    then pull the plug: a dry run'
            : `  ridethrough run${config}    then pull the plug: a dry run`,
        ]),
    '',
  ].join('\n');
}

function needs({ ups }: Configuration): readonly string[] {
  return ups.flatMap(({ policy: { name, triggers, advisory } }) => {
    const rules = batteryTriggers.filter((rule) => rule.quantity !== null && rule.isOn(triggers));
    const quantities = new Set(rules.flatMap(({ quantity }) => quantity ?? []));
    if (advisory && quantities.size === 0) return [];
    const parts = [...quantities].map((quantity) => {
      const words = rules
        .filter((rule) => rule.quantity === quantity)
        .map((rule) => triggerInWords(rule.name));
      return `${quantity.variable} (${words.join(', ')})`;
    });
    return [`${name}: ${['ups.status', ...parts].join(', ')}; see: upsc ${name}`];
  });
}

const section = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : ['', `${title}:`, ...lines.map((line) => `  ${line}`)];
