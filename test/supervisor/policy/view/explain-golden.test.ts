// Explanations word for word: a transcript, and what policy explains at its end. `test/explain-golden/*.txt`; behind `=
// NAME TRIGGER...` stands the explanation of that UPS or group, with `all` triggers or those named.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { TriggerExplanation } from '../../../../shared/domain/status/status-model.js';
import { explain } from '../../../../supervisor/policy/view/explain.js';
import { parseTranscript } from '../../../transcript/parse.js';
import { TranscriptRun } from '../../../transcript/run.js';

const folder = join(import.meta.dirname, '../../../../../test/explain-golden');

/** The text without the triggers that are not requested, then the numbers of the API. */
function written({ text, triggers }: ReturnType<typeof explain>, asked: readonly string[]): string {
  const isAsked = (name: string) => asked.includes('all') || asked.includes(name);
  const lines = text.split('\n').filter((line) => {
    const trigger = triggers.find(({ name }) => line.startsWith(`  ${name}: `));
    return trigger === undefined || isAsked(trigger.name);
  });
  return [...lines, ...triggers.filter(({ name }) => isAsked(name)).map(figures)].join('\n');
}

function figures({ name, text, ...rest }: TriggerExplanation): string {
  void text;
  return `  ${name} ${Object.entries(rest)
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .join(' ')}`;
}

describe('a golden explanation', () => {
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.txt'))) {
    it(`matches policy: ${file.replace('.txt', '').replaceAll('-', ' ')}`, () => {
      const [transcript = '', ...accounts] = readFileSync(join(folder, file), 'utf8').split(/^= /m);
      const { state } = new TranscriptRun(parseTranscript(transcript));
      expect(accounts).to.not.have.length(0);
      for (const account of accounts) {
        const [head = ''] = account.split('\n', 1);
        const [name = '', ...asked] = head.split(' ');
        expect(asked, 'the triggers it is about').to.not.have.length(0);
        expect(`${head}\n${written(explain(state, name), asked)}`).to.equal(account.trimEnd());
      }
    });
  }
});
