// docs/troubleshooting.md: each message as the program writes it, and each event that somebody is told of.
import { expect } from 'chai';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { tierOf } from '../../shared/domain/status/event-names.js';
import { categoryOf, eventTypes, isSent } from '../../shared/domain/status/events.js';

const project = fileURLToPath(new URL('../../../', import.meta.url));
const page = readFileSync(join(project, 'docs/troubleshooting.md'), 'utf8');
const sources = ['supervisor', 'workers', 'shared', 'scripts']
  .flatMap((folder) =>
    readdirSync(join(project, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readFileSync(join(project, folder, name), 'utf8')),
  )
  .join('\n')
  // A literal that goes on in the next line.
  .replace(/['`] \+\n\s*['`]/g, '');

/** The cells of the first column that are one message in backquotes. */
const messages = page
  .split('\n')
  .map((line) => /^\| `([^`]+)` \|/.exec(line)?.[1] ?? '')
  .filter((text) => text !== '');

/** What stands between the places that differ. */
const parts = (message: string): readonly string[] =>
  message
    .split('…')
    .map((part) => part.trim())
    .filter((part) => /\w{2}/.test(part));
const isWritten = (message: string): boolean => parts(message).every((part) => sources.includes(part));

describe('docs/troubleshooting.md', () => {
  it('has each message as the program writes it', () => {
    expect(messages).to.have.length.above(40);
    expect(messages.filter((message) => !isWritten(message))).to.deep.equal([]);
  });

  it('would notice a message that the program does not write', () => {
    expect(isWritten('The daemon is not running: nothing listens on …')).to.equal(true);
    expect(isWritten('The daemon is not there: nothing listens on …')).to.equal(false);
  });

  it('says what to do after every event that sends a message', () => {
    const told = eventTypes.filter((type) => tierOf(categoryOf(type)) === 0 || isSent(type));
    expect(told.filter((type) => !page.includes(`\`${type}\``))).to.deep.equal([]);
  });
});
