// The pages that no one writes: every key of the configuration and every command, from the program. Pure.
import { catalogue } from '../../commands/catalogue.js';
import { helpOf } from '../../commands/help.js';
import { describedTables } from '../../manual/configuration-keys.js';
import type { PageSource } from '../page.js';

/** `reference` is the text of docs/config.reference.toml. */
export function referencePages(reference: string): readonly PageSource[] {
  return [
    { path: 'reference/configuration.md', text: configuration(reference) },
    { path: 'reference/commands.md', text: commands() },
  ];
}

function configuration(reference: string): string {
  const tables = describedTables(reference).map(({ header, text, keys }) => {
    const rows = keys.map(({ name, expected, text: meaning }) => row([`\`${name}\``, expected, meaning]));
    const table =
      rows.length === 0 ? '' : `| Key | Expected | Default and meaning |\n|---|---|---|\n${rows.join('')}`;
    return `## \`${header}\`\n\n${cell(text)}\n\n${table}`;
  });
  return `# Every key of the configuration

Made from the program: what each key expects, its default, and what it means. Durations are in seconds unless the name of the key has
another unit. The same as one file with comments is [config.reference.toml](../docs/config.reference.toml), the rules are in
[Configuration](../docs/specification/configuration.md).

${tables.join('\n')}`;
}

function commands(): string {
  const sections = catalogue.map(
    (entry) => `## ${entry.name}\n\n${cell(entry.summary)}\n\n\`\`\`text\n${helpOf(entry)}\`\`\`\n`,
  );
  return `# Every command

The help of each command, as \`ridethrough COMMAND --help\` and the manual pages show it. The rules are in
[Command line](../docs/specification/command-line.md).

${sections.join('\n')}`;
}

const row = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |\n`;
/** Markdown would take a bar for the end of a cell, and brackets and angles for its own. */
const cell = (text: string): string => (text.startsWith('`') ? text : text.replace(/[|[\]<>*]/g, '\\$&'));
