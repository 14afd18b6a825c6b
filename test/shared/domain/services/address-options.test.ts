import { expect } from 'chai';
import { serviceAddress } from '../../../../shared/domain/services/service-address.js';

const read = (url: string): { address: object; unread: readonly string[] } => {
  const parsed = serviceAddress(url);
  if (!parsed.ok) throw new Error(`refused: ${parsed.expected}`);
  return parsed;
};
const keys = `${'u'.repeat(30)}/${'t'.repeat(30)}`;

describe('a part of an address', () => {
  const taken: readonly (readonly [string, object])[] = [
    ['telegram://1:A/-100?topic=12', { topic: 12, silent: false }],
    ['telegram://1:A/-100?thread=12&silent=yes', { topic: 12, silent: true }],
    ['tgram://bot1:A/-100:12?silent=yes', { topic: 12, silent: true }],
    ['tgram://1:A/-100%3A12?topic=13', { topic: 12, silent: false }],
    ['tgram://1:A/channel:7', { chat: '@channel', topic: 7 }],
    ['ntfys://ntfy.example/a?priority=min', { priorities: { normal: 1, urgent: 5 } }],
    ['ntfys://a?priority=2&urgent=high', { priorities: { normal: 2, urgent: 4 } }],
    ['gotifys://h.example/A?priority=0&urgent=Emergency', { priorities: { normal: 0, urgent: 10 } }],
    [`pushover://${keys}?priority=-2&urgent=emergency`, { priorities: { normal: -2, urgent: 2 } }],
    [
      `pover://${keys.replace('/', '@')}/phone?priority=high`,
      { user: 'u'.repeat(30), token: 't'.repeat(30), device: 'phone', priorities: { normal: 1, urgent: 1 } },
    ],
    ['discord://123/abc?thread_id=5', { url: 'https://discord.com/api/webhooks/123/abc?thread_id=5' }],
    ['slack://chat.example/hooks/x?a=b', { url: 'https://chat.example/hooks/x?a=b' }],
  ];
  for (const [url, options] of taken)
    it(`reaches the service: ${url.replace(/:\/\/.*\?/, '://…?')}`, () => {
      const { address, unread } = read(url);
      expect(unread).to.deep.equal([]);
      expect(address).to.deep.include(options);
    });

  const left: readonly (readonly [string, string])[] = [
    ['telegram://1:A/-100?format=html', 'the parameter "format" (it has topic, thread, silent)'],
    ['telegram://1:A/-100?topic=general', 'the value of "topic"'],
    ['telegram://bot@1:A/-100', 'the user or password in front of the host'],
    ['ntfys://ntfy.example/a?tags=x', 'the parameter "tags" (it has priority, urgent)'],
    ['ntfys://ntfy.example/a?priority=6', 'the value of "priority"'],
    ['gotifys://user:word@h.example/A', 'the user or password in front of the host'],
    ['gotify://h.example/A?priority=11', 'the value of "priority"'],
    [`pushover://${keys}?sound=siren`, 'the parameter "sound" (it has priority, urgent)'],
    [`pushover://me@${keys}`, 'the user or password in front of the host'],
    ['matrixs://t@m.example/!a:m.example?msgtype=notice', 'the parameter "msgtype" (it has none)'],
    [
      'signal://10.0.0.2/+491700000001/+491700000002?text_mode=styled',
      'the parameter "text_mode" (it has none)',
    ],
    ['nctalks://u:p@c.example/a1?silent=yes', 'the parameter "silent" (it has none)'],
    ['slack://T0/B0/x?footer=no', 'the parameter "footer" (it has none)'],
    ['discord://bot@123/abc', 'the user or password in front of the host'],
    ['discord://123/abc?tts=yes', 'the parameter "tts" (it has thread_id, wait, with_components)'],
    ['ntfys://ntfy.example/a?priority=1&priority=5', 'the parameter "priority" the second time'],
    ['teams://u:p@h.example/x', 'the user or password in front of the host'],
    ['ntfys://ntfy.example/a?tk_3f9a8b7c6d5e4f3a=', 'a parameter (it has priority, urgent)'],
    ['ntfys://ntfy.example/a?constructor=1', 'the parameter "constructor" (it has priority, urgent)'],
  ];
  for (const [url, words] of left)
    it(`is named where the service does not get it: ${words}`, () => {
      expect(read(url).unread).to.deep.equal([words]);
    });

  it('is refused where Pushover in the form of Apprise has no key, a password, or two devices', () => {
    for (const rest of [keys, keys.replace('/', ':x@'), `${keys.replace('/', '@')}/a/b`])
      expect(serviceAddress(`pover://${rest}`), rest)
        .to.have.property('expected')
        .that.includes('or pover://');
  });

  it('is refused by name in a mail and for an Apprise server', () => {
    const mail = serviceAddress('mailto://h.example?to=a@b.example&name=UPS');
    expect(mail).to.have.property('expected').that.includes('without the parameter "name"');
    const apprise = serviceAddress('apprise+http://h.example/notify/x?type=info');
    expect(apprise).to.have.property('expected').that.includes('without the parameter "type"');
  });
});
