import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Transcript } from '../../transcript/parse.js';
import { parseTranscript } from '../../transcript/parse.js';
import { TranscriptRun } from '../../transcript/run.js';

const folder = join(import.meta.dirname, '../../../../test/scenarios');

/** The short ones first, so that a search for the first failure is fast. */
const scenarios = readdirSync(folder)
  .filter((name) => name.endsWith('.txt'))
  .map((file) => {
    const text = readFileSync(join(folder, file), 'utf8');
    return { file, text, transcript: parseTranscript(text) };
  })
  .sort((a, b) => lengthOf(a.transcript) - lengthOf(b.transcript));

function lengthOf({ commands }: Transcript): number {
  return Math.max(...commands.map(({ atMs }) => atMs));
}

describe('an outage scenario', () => {
  // Some play hours of polls; a busy machine needs longer.

  for (const { file, text, transcript } of scenarios) {
    it(`runs as expected: ${file.replace('.txt', '').replaceAll('-', ' ')}`, () => {
      expect(text, 'says what it expects').to.match(/^\s*= /m);
      expect(new TranscriptRun(transcript).lines).to.deep.equal(transcript.expected);
    });
  }
});
