// The forms of addresses that people try, and what is said of those that are none.
import { expect } from 'chai';
import { serviceAddress } from '../../../../shared/domain/services/service-address.js';

describe('the form of an address', () => {
  for (const [url, form, why] of [
    ['slack://T0/B0/abc/#general', 'slack://T000', 'without "#"'],
    ['webhook+https://x.example/#part', 'webhook+https://[USER', 'without "#"'],
    ['mailtos://m.example?to=UPS <a@b.example>', 'mailto://[USER', 'without spaces'],
    ['NTFYS://ntfy.example/tópic', 'ntfys://[TOKEN', 'letters outside ASCII'],
    ['gotify://', 'gotify://HOST', ''],
    ['discord://1/%zz', 'discord://WEBHOOK_ID', ''],
    ['mailto://m.example?to=a@b.example&from=c@d.example&from=e@f.example', 'mailto://[USER', '"from" once'],
    ['apprise+https://a.example/notify/k?tag=a&tag=b', 'apprise+https://[USER', '"tag" once'],
    ['nosuch://1/#x', 'discord://, slack://', ''],
  ] as const)
    it(`${url} is refused with the form of its service`, () => {
      const parsed = serviceAddress(url);
      expect(parsed.ok ? '' : parsed.expected).to.satisfy((text: string) => text.startsWith(form));
      expect(parsed.ok ? '' : parsed.expected).to.contain(why);
    });

  it('of a mailbox has its plus, each recipient, and a login that is no mailbox', () => {
    for (const [url, to, from, user] of [
      ['mailto://me:pw@gmail.com?to=me+ups@gmail.com', ['me+ups@gmail.com'], 'me@gmail.com', 'me@gmail.com'],
      [
        'mailto://u:pw@m.example?to=a@b.example&to=c+d@e.example,f%2Bg@h.example&from=nas+1@b.example',
        ['a@b.example', 'c+d@e.example', 'f+g@h.example'],
        'nas+1@b.example',
        'u',
      ],
      ['mailtos://CORP%5Cups:pw@m.example?to=a@b.example', ['a@b.example'], null, 'CORP\\ups'],
    ] as const) {
      const parsed = serviceAddress(url);
      const address = parsed.ok && parsed.address.kind === 'mail' ? parsed.address : undefined;
      expect([address?.to, address?.from, address?.login?.user], url).to.deep.equal([to, from, user]);
    }
  });

  it('of a Nextcloud room may be that of its page', () => {
    for (const [path, base] of [
      ['call/a1b2c3', ''],
      ['index.php/call/a1b2c3', ''],
      ['nextcloud/index.php/call/a1b2c3', '/nextcloud'],
      ['nextcloud/call/a1b2c3', '/nextcloud'],
      ['recall/a1b2c3', '/recall'],
    ] as const) {
      const parsed = serviceAddress(`nctalks://ups:pw@cloud.example/${path}`);
      expect(parsed.ok && 'url' in parsed.address ? parsed.address.url : '').to.equal(
        `https://cloud.example${base}/ocs/v2.php/apps/spreed/api/v1/chat/a1b2c3`,
      );
    }
  });

  it('of a mailbox of a large provider means the mail server of that provider', () => {
    for (const [url, host, port, security, user] of [
      ['mailto://me:pw@gmail.com', 'smtp.gmail.com', 587, 'opportunistic', 'me@gmail.com'],
      ['mailtos://me:pw@GMX.de?to=a@b.example', 'mail.gmx.net', 465, 'tls', 'me@GMX.de'],
      ['mailtos://me:pw@hotmail.com', 'smtp-mail.outlook.com', 587, 'starttls', 'me@hotmail.com'],
      ['mailto://me:pw@gmail.com?smtp=relay.example', 'relay.example', 587, 'opportunistic', 'me'],
      ['mailto://me:pw@smtp.gmail.com', 'smtp.gmail.com', 587, 'opportunistic', 'me'],
    ] as const) {
      const parsed = serviceAddress(url);
      const login = { user, password: 'pw' };
      expect(parsed.ok ? parsed.address : null, url).to.deep.include({ host, port, security, login });
    }
  });
});
