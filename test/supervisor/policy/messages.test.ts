// The messages of an outage, word for word: for each file of `test/messages/` the scenario of that name, with the
// detail of every event and the text of every message.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Effect } from '../../../supervisor/policy/base/effects.js';
import { formatDuration } from '../../transcript/duration.js';
import { parseTranscript } from '../../transcript/parse.js';
import { TranscriptRun } from '../../transcript/run.js';

const tests = join(import.meta.dirname, '../../../../test');

function messageOf(effect: Effect): string | null {
  switch (effect.kind) {
    case 'recordEvent':
      return `event ${effect.source} ${effect.type}: ${effect.detail}`;
    case 'notify':
      return `message ${effect.source} ${effect.type}: ${effect.text}`;
    case 'startSequence':
      return `start ${effect.groupId} ${effect.trigger}: ${effect.why}`;
    case 'powerReturned':
    case 'prepare':
    case 'publish':
    case 'saveSnapshot':
      return null;
  }
}

/** One line each, after its time. */
function messages(scenario: string): string {
  const transcript = parseTranscript(readFileSync(join(tests, 'scenarios', scenario), 'utf8'));
  const lines = new TranscriptRun(transcript).happened.flatMap(({ atMs, effect }) => {
    const text = messageOf(effect);
    return text === null ? [] : [`${formatDuration(atMs)} ${text}\n`];
  });
  return lines.join('');
}

describe('the messages of an outage', () => {
  for (const file of readdirSync(join(tests, 'messages')).filter((name) => name.endsWith('.txt'))) {
    it(`match their file: ${file.replace('.txt', '').replaceAll('-', ' ')}`, () => {
      expect(messages(file)).to.equal(readFileSync(join(tests, 'messages', file), 'utf8'));
    });
  }
});
