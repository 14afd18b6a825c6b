import { expect } from 'chai';
import { redactor } from '../../../workers/log/redaction.js';
import { jsonLine } from '../../../workers/log/json.js';
import { textLine } from '../../../workers/log/text.js';
import { processorMs } from '../../fixtures/in-time.js';
import { record } from './record.js';

const fields = ['logger', 'message', 'category', 'event_type', 'group', 'ups', 'server'] as const;

describe('the redaction of secrets', () => {
  for (const field of fields) {
    it(`removes a secret from ${field}, in both formats`, () => {
      const redact = redactor(['s3cret"pass\\word']);
      const clean = redact(record({ [field]: 'before s3cret"pass\\word after' }));
      for (const line of [textLine(clean), jsonLine(clean)]) expect(line).not.to.contain('s3cret');
      expect(jsonLine(clean)).to.contain('before [redacted] after');
    });
  }

  it('finds a secret inside a URL, inside JSON and inside a Basic credential', () => {
    const secret = 'p@ss "word" 42';
    const redact = redactor([secret]);
    for (const spelling of [
      encodeURIComponent(secret),
      JSON.stringify(secret),
      Buffer.from(secret).toString('base64'),
    ]) {
      expect(redact(record({ message: `x ${spelling} y` })).message).to.contain('[redacted]');
      expect(redact(record({ message: `x ${spelling} y` })).message).not.to.contain(spelling);
    }
  });

  it('removes the longer secret first when one is a prefix of another', () => {
    expect(redactor(['abc', 'abcdef'])(record({ message: 'abcdef abc' })).message).to.equal(
      '[redacted] [redacted]',
    );
  });

  it('matches a secret literally, not as a pattern', () => {
    expect(redactor(['a.c(', '[x'])(record({ message: 'a.c( abc [x' })).message).to.equal(
      '[redacted] abc [redacted]',
    );
  });

  it('ignores an empty secret', () => {
    expect(redactor([''])(record()).message).to.equal('on line power');
  });

  it('removes the part of a secret at the cut of a long message', () => {
    const clean = redactor(['hunter2hunter2'])(record({ message: 'password hunter2h [cut]' }));
    expect(clean.message).to.equal('password [redacted] [cut]');
  });

  it('accepts a secret with half a surrogate pair', () => {
    expect(redactor(['\ud800abc'])(record()).message).to.equal('on line power');
  });

  const credentials: [string, string][] = [
    ['mqtt://user:pa@ss@broker:1883/x', 'mqtt://[redacted]@broker:1883/x'],
    ['see https://token@ntfy.example/topic now', 'see https://[redacted]@ntfy.example/topic now'],
    ['Authorization: Bearer abc.DEF-123~x', 'Authorization: Bearer [redacted]'],
    ['authorization: basic dXNlcjpwYXNz', 'authorization: basic [redacted]'],
    [`key rt_${'a'.repeat(43)} used`, 'key [redacted] used'],
    [`session rs_${'a'.repeat(43)} used`, 'session [redacted] used'],
  ];
  for (const [message, expected] of credentials) {
    it(`recognises a credential that is not configured: ${expected}`, () => {
      expect(redactor([])(record({ message })).message).to.equal(expected);
    });
  }

  it('keeps addresses without credentials', () => {
    const message = 'http://127.0.0.1:9191/api?mail=a@b and ups@host:3493, bearer of news';
    expect(redactor([])(record({ message })).message).to.equal(message);
  });

  it('stays fast on a message designed to be slow', () => {
    const redact = redactor(['secret']);
    const tookMs = processorMs(() => {
      redact(record({ message: 'a://'.repeat(1000) + 'x'.repeat(50) }));
      redact(record({ message: `a://${'x:'.repeat(2000)}` }));
      redact(record({ message: 'Bearer '.repeat(500) }));
    });
    expect(tookMs).to.be.below(500);
  });
});
