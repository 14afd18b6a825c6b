import { expect } from 'chai';
import { serviceAddress } from '../../../../shared/domain/services/service-address.js';
import { processorMs } from '../../../fixtures/in-time.js';

const read = (url: string): unknown => {
  const parsed = serviceAddress(url);
  return parsed.ok ? parsed.address : null;
};

describe('the address of a service', () => {
  const good: readonly (readonly [string, object])[] = [
    ['discord://123/to-ken_1', { kind: 'discord', url: 'https://discord.com/api/webhooks/123/to-ken_1' }],
    [
      'discord://discord.com/api/webhooks/123/abc?thread_id=5',
      { kind: 'discord', url: 'https://discord.com/api/webhooks/123/abc?thread_id=5' },
    ],
    ['slack://T0/B0/xyz', { kind: 'slack', url: 'https://hooks.slack.com/services/T0/B0/xyz' }],
    [
      'slack://hooks.slack.com/services/T0/B0/xyz',
      { kind: 'slack', url: 'https://hooks.slack.com/services/T0/B0/xyz' },
    ],
    [
      'telegram://123:AbC-d_e/-100200',
      {
        kind: 'telegram',
        url: 'https://api.telegram.org/bot123:AbC-d_e/sendMessage',
        chat: '-100200',
        topic: null,
        silent: false,
      },
    ],
    [
      'tgram://123:AbC/@channel',
      {
        kind: 'telegram',
        url: 'https://api.telegram.org/bot123:AbC/sendMessage',
        chat: '@channel',
        topic: null,
        silent: false,
      },
    ],
    [
      'telegram://bots.example:8443/bot123:AbC/5',
      {
        kind: 'telegram',
        url: 'https://bots.example:8443/bot123:AbC/sendMessage',
        chat: '5',
        topic: null,
        silent: false,
      },
    ],
    [
      'ntfy://ntfy.lan/ups',
      {
        kind: 'ntfy',
        url: 'http://ntfy.lan/',
        topic: 'ups',
        credentials: null,
        priorities: { normal: 3, urgent: 5 },
      },
    ],
    [
      'NTFYS://t0ken@ntfy.lan:8443/ups/',
      {
        kind: 'ntfy',
        url: 'https://ntfy.lan:8443/',
        topic: 'ups',
        credentials: { user: 't0ken', password: null },
        priorities: { normal: 3, urgent: 5 },
      },
    ],
    [
      'ntfy://my-topic',
      {
        kind: 'ntfy',
        url: 'https://ntfy.sh/',
        topic: 'my-topic',
        credentials: null,
        priorities: { normal: 3, urgent: 5 },
      },
    ],
    [
      'gotify://10.0.0.2:8080/A.b-c',
      {
        kind: 'gotify',
        url: 'http://10.0.0.2:8080/message',
        token: 'A.b-c',
        priorities: { normal: 4, urgent: 8 },
      },
    ],
    [
      'gotify://push.example:443/sub/path/Abc',
      {
        kind: 'gotify',
        url: 'https://push.example:443/sub/path/message',
        token: 'Abc',
        priorities: { normal: 4, urgent: 8 },
      },
    ],
    [
      'gotifys://[::1]:8443/Abc',
      {
        kind: 'gotify',
        url: 'https://[::1]:8443/message',
        token: 'Abc',
        priorities: { normal: 4, urgent: 8 },
      },
    ],
    [
      'webhook+https://u:p%3Aw@x.example/y?z=1',
      {
        kind: 'webhook',
        url: 'https://x.example/y?z=1',
        credentials: { user: 'u', password: 'p:w' },
      },
    ],
    [
      `pushover://${'u'.repeat(30)}/${'t'.repeat(30)}/phone`,
      {
        kind: 'pushover',
        url: 'https://api.pushover.net/1/messages.json',
        user: 'u'.repeat(30),
        token: 't'.repeat(30),
        device: 'phone',
        priorities: { normal: 0, urgent: 1 },
      },
    ],
    [
      'matrixs://syt_t0ken@matrix.example:8448/!abc:matrix.example',
      {
        kind: 'matrix',
        url: 'https://matrix.example:8448/_matrix/client/v3/rooms/!abc%3Amatrix.example/send/m.room.message',
        token: 'syt_t0ken',
      },
    ],
    [
      'teams://prod-1.logic.azure.com:443/workflows/ab/triggers/manual/paths/invoke?api-version=1&sig=x-Y_z',
      {
        kind: 'teams',
        url: 'https://prod-1.logic.azure.com:443/workflows/ab/triggers/manual/paths/invoke?api-version=1&sig=x-Y_z',
      },
    ],
    [
      'signal://10.0.0.2:8080/+491700000001/+491700000002/group.ckRz%2Bb%3D%3D',
      {
        kind: 'signal',
        url: 'http://10.0.0.2:8080/v2/send',
        from: '+491700000001',
        to: ['+491700000002', 'group.ckRz+b=='],
        credentials: null,
      },
    ],
    [
      'nctalks://ups:app-pass@cloud.example/nextcloud/a1b2c3',
      {
        kind: 'nextcloud',
        url: 'https://cloud.example/nextcloud/ocs/v2.php/apps/spreed/api/v1/chat/a1b2c3',
        credentials: { user: 'ups', password: 'app-pass' },
      },
    ],
    [
      'apprise+http://10.0.0.2:8000/notify/home?tag=ops',
      { kind: 'apprise', url: 'http://10.0.0.2:8000/notify/home', tag: 'ops', credentials: null },
    ],
    ['webhook+http://127.0.0.1:1/', { kind: 'webhook', url: 'http://127.0.0.1:1/', credentials: null }],
    [
      'mailto://localhost?to=a@b.example',
      {
        kind: 'mail',
        host: 'localhost',
        port: 25,
        security: 'opportunistic',
        login: null,
        from: null,
        to: ['a@b.example'],
      },
    ],
    [
      'mailto://me:s%40cret@example.org',
      {
        kind: 'mail',
        host: 'example.org',
        port: 587,
        security: 'opportunistic',
        login: { user: 'me', password: 's@cret' },
        from: 'me@example.org',
        to: ['me@example.org'],
      },
    ],
    [
      'mailtos://me@example.org:pass@smtp.example.org?to=a@b.example,c@d.example&from=ups@example.org',
      {
        kind: 'mail',
        host: 'smtp.example.org',
        port: 465,
        security: 'tls',
        login: { user: 'me@example.org', password: 'pass' },
        from: 'ups@example.org',
        to: ['a@b.example', 'c@d.example'],
      },
    ],
    [
      'mailtos://me:pass@example.org:587?smtp=mail.example.org',
      {
        kind: 'mail',
        host: 'mail.example.org',
        port: 465,
        security: 'tls',
        login: { user: 'me', password: 'pass' },
        from: 'me@example.org',
        to: ['me@example.org'],
      },
    ],
  ];
  for (const [url, address] of good)
    it(`${url} is accepted`, () => {
      expect(read(url)).to.deep.equal(address);
    });

  it('of mailtos on a port that starts in plain text means STARTTLS', () => {
    expect(read('mailtos://m.example:587?to=a@b.example')).to.include({ security: 'starttls', port: 587 });
    expect(read('mailtos://m.example?to=a@b.example&mode=starttls')).to.include({ port: 587 });
    expect(read('mailto://m.example?to=a@b.example&mode=ssl')).to.include({ security: 'tls', port: 465 });
  });

  const bad: readonly string[] = [
    '',
    'ntfy.example/topic',
    'http://x.example/',
    'constructor://x/y',
    'discord://123',
    'discord://123/abc/def',
    'discord://discord.com',
    'slack://T0/B0',
    'telegram://123/5',
    'telegram://123:abc',
    'telegram://123:abc/5/6',
    'telegram://123:abc/no chat',
    'ntfy://ntfy.example',
    'ntfy://ntfy.example/a/b',
    'ntfy://ntfy.example/to.pic',
    'ntfy://ntfy.example:99999/topic',
    'ntfy://-x.example/topic',
    'ntfy://a b/topic',
    'ntfy://x.example/t%zz',
    'gotify://push.example',
    'gotify://push.example/to%0aken',
    'mailto://m.example',
    'mailto://m.example?to=nobody',
    'mailto://m.example?to=a@b.example>%0d%0aDATA',
    'mailto://m.example?to=a@b.example&from=x',
    'mailto://m.example?to=a@b.example&mode=insecure',
    'mailto://m.example?to=a@b.example&subject=x',
    'mailto://m.example/path?to=a@b.example',
    'mailto://me@m.example?to=a@b.example',
    `pushover://${'u'.repeat(29)}/${'t'.repeat(30)}`,
    `pushover://${'u'.repeat(30)}`,
    'matrixs://matrix.example/!abc:matrix.example',
    'matrixs://t@matrix.example/%23room:matrix.example',
    'matrixs://t%0d%0aX:@matrix.example/!abc:m.example',
    'matrixs://t@matrix.example/!a%2Fb',
    'teams://workflow',
    'signal://10.0.0.2/+491700000001',
    'signal://10.0.0.2/491700000001/+491700000002',
    'signal://10.0.0.2/+491700000001/%22x',
    'nctalks://cloud.example/a1b2c3',
    'nctalks://ups:pw@cloud.example/a1..b2',
    'apprise+http://10.0.0.2:8000',
    'apprise+http://10.0.0.2:8000/notify/home?tags=ops',
    'webhook+ftp://x.example/',
    'webhook+https://x..example:0/',
    'webhook+https://x.example/#part',
  ];
  for (const url of bad)
    it(`${JSON.stringify(url)} is refused without repeating it in the message`, () => {
      const parsed = serviceAddress(url);
      if (parsed.ok) throw new Error(JSON.stringify(parsed.address));
      expect(parsed.expected).to.match(/:\/\//);
      expect(parsed.expected).to.not.contain('example/').and.not.contain('discord.com');
    });

  it('is parsed in bounded time for any text', () => {
    const tookMs = processorMs(() => {
      for (const text of ['@'.repeat(4000), 'a@'.repeat(2000), ':'.repeat(4000), 'a.'.repeat(2000)])
        for (const scheme of [
          'ntfy',
          'mailto',
          'discord',
          'telegram',
          'webhook+https',
          'matrix',
          'signal',
          'nctalk',
          'apprise+http',
        ])
          serviceAddress(`${scheme}://${text}/${text}?to=${text}`);
    });
    expect(tookMs).to.be.lessThan(1000);
  });
});
