import { expect } from 'chai';
import { maxAnswers, maxAnswerText } from '../../../shared/protocol/remote.js';
import { answersTo } from '../../../workers/remote/guest-sessions.js';

const disk = (text: string) => `mark\tdisk\t0\t${text}`;

describe('the answers of a server about its guests', () => {
  it('are none more after the first that does not fit, so that no list seems whole', () => {
    const long = disk('x'.repeat(maxAnswerText));
    const fitting = Math.floor(1_048_576 / maxAnswerText);
    for (const [line, most] of [
      [disk('file disk vda /a'), maxAnswers],
      [long, fitting],
    ] as const) {
      const { answers, take } = answersTo(1);
      for (let number = 0; number <= most; number += 1) take(line);
      take('mark\tlisted\t0\t');
      expect(answers).to.have.lengthOf(most);
      expect(answers.at(-1)?.kind).to.equal('disk');
    }
  });
});
