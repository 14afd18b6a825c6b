// Every outage of test/scenarios, as written.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parseTranscript } from '../../../scripts/transcript/parse.js';
import { TranscriptRun } from '../../../scripts/transcript/run.js';

const folder = join(import.meta.dirname, '../../../../test/scenarios');

describe('an outage as written down', function () {
  // Hours of polls pass in some of them; a busy machine may need a while.
  this.timeout(20_000);

  for (const file of readdirSync(folder).filter((name) => name.endsWith('.txt'))) {
    it(`goes as expected: ${file.replace('.txt', '').replaceAll('-', ' ')}`, () => {
      const text = readFileSync(join(folder, file), 'utf8');
      expect(text, 'says what it expects').to.match(/^\s*= /m);
      const transcript = parseTranscript(text);
      expect(new TranscriptRun(transcript).lines).to.deep.equal(transcript.expected);
    });
  }
});
