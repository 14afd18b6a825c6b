// ridethrough.toml(5), from the schema of the configuration and the comments of the reference file.
import type { Page } from './command-pages.js';
import { describedTables } from './configuration-keys.js';
import { bold, escapeRoff, item, prose, section } from './roff.js';

export function configurationPage(reference: string): Page {
  const tables = describedTables(reference).map(
    ({ header, text, keys }) =>
      `.SS ${escapeRoff(header)}\n` +
      (text === '' ? '' : prose(text)) +
      keys.map((key) => item(bold(key.name), `${key.expected}. ${key.text}`)).join(''),
  );
  return {
    name: 'ridethrough.toml',
    number: 5,
    summary: 'configuration of the UPS daemon ridethrough',
    body: [
      section('Description'),
      prose(
        'The file is TOML, in UTF-8, by default /etc/ridethrough/config.toml. At least one [[ups]] is required; all other ' +
          'keys have a default unless they are marked as required. An unknown key and a number out of range are errors. ' +
          '"ridethrough validate" lists all of them and says what the daemon does with the file; "ridethrough reload" ' +
          'applies a changed file completely, or keeps the current one if the new one is invalid.',
      ),
      '.PP\n',
      prose(
        'Durations are in seconds, unless the name of the key has another unit. A password or an address that is a secret ' +
          'may be { file = "PATH" } or { env = "NAME" } in the place of its text. Paths are absolute. Commands are run ' +
          'without a shell.',
      ),
      section('Keys'),
      ...tables,
      section('Files'),
      item('\\fI/etc/ridethrough/config.toml\\fR', 'The default path of this file.'),
      section('See also'),
      '.BR ridethrough (8),\n.BR ridethrough\\-validate (8)\n',
    ].join(''),
  };
}
