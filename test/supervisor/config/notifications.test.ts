import { expect } from 'chai';
import { configurationFrom, office, problemsOf, warningsFrom } from './loading.js';

const section = (urls: string, more = ''): string => `${office}[notifications]\nurls = [${urls}]\n${more}`;

describe('the notification settings', () => {
  it('are in the units of the program, with defaults applied', () => {
    expect(configurationFrom(office).notifications).to.deep.equal({
      services: [],
      title: null,
      mailHostName: null,
      proxies: { http: null, https: null, except: '', includePrivate: false },
      timeoutMs: 10_000,
      retryIntervalMs: 5000,
      retryBackoffMaxMs: 300_000,
      maxAttempts: 0,
      maxAgeSeconds: 30 * 86_400,
      maxPending: 10_000,
      retentionSeconds: 7 * 86_400,
      suppress: [],
    });
    const more = 'title = "Rack"\nmax_age_days = 2\nmax_attempts = 3\nsuppress = ["POWER_RESTORED"]\n';
    expect(configurationFrom(section('', more)).notifications).to.deep.include({
      title: 'Rack',
      maxAgeSeconds: 2 * 86_400,
      maxAttempts: 3,
      suppress: ['POWER_RESTORED'],
    });
  });

  it('name each service by its place, with an id that does not depend on the place', () => {
    const [ntfy, mail] = ['"ntfys://ntfy.example/topic"', '"mailto://localhost?to=a@b.example"'];
    const { services } = configurationFrom(section(`${ntfy}, ${mail}`)).notifications;
    expect(services.map(({ name }) => name)).to.deep.equal([
      'notifications.urls[0] (ntfy)',
      'notifications.urls[1] (mail)',
    ]);
    expect(services[0]?.url).to.equal('ntfys://ntfy.example/topic');
    const turned = configurationFrom(section(`${mail}, ${ntfy}`)).notifications.services;
    expect(turned.map(({ id }) => id)).to.deep.equal(services.map(({ id }) => id).reverse());
    expect(services[0]?.id).to.match(/^[0-9a-f]{16}$/);
  });

  it('contain a service once that is listed twice', () => {
    const address = '"ntfys://ntfy.example/topic"';
    expect(configurationFrom(section(`${address}, ${address}`)).notifications.services).to.have.length(1);
  });

  it('refuse an invalid address with the expected form and without the address', () => {
    expect(problemsOf(section('"ntfys://ntfy.example/topic", "discord://S3CRET"'))).to.deep.equal([
      {
        path: 'notifications.urls[1]',
        message:
          'expected the address of a service: discord://WEBHOOK_ID/TOKEN, or the address of the webhook with discord:// in place of https:// (what was found is not shown)',
      },
    ]);
    const [problem] = problemsOf(section('"htp://S3CRET"'));
    expect(problem?.message).to.match(/expected the address of a service: discord:\/\/, slack:\/\/, /);
    expect(problem?.message).to.not.contain('S3CRET');
  });

  it('name what a service does not get of its address, and no value of it', () => {
    const urls = '"telegram://123:S3CRET/5?format=html", "gotifys://me:S3CRET@h.example/A?priority=S3CRET"';
    const rules = '[[notifications.services]]\nurl = "ntfys://ntfy.example/a?tags=S3CRET"\n';
    const of = warningsFrom(section(urls, rules)).filter((warning) => warning.startsWith('notifications'));
    expect(of).to.deep.equal([
      'notifications.urls[0]: the parameter "format" (it has topic, thread, silent): telegram gets nothing of this; correct or remove it',
      'notifications.urls[1]: the user or password in front of the host and the value of "priority": gotify gets nothing of this; correct or remove it',
      'notifications.services[0].url: the parameter "tags" (it has priority, urgent): ntfy gets nothing of this; correct or remove it',
    ]);
  });

  it('have the proxies of the environment, whose passwords are redacted', () => {
    const environment = { https_proxy: 'http://me:S3CRET@proxy.example:3128', NO_PROXY: '.lan' };
    const { notifications, secrets } = configurationFrom(section('', 'proxy_private = true\n'), environment);
    expect(notifications.proxies).to.deep.equal({
      http: null,
      https: environment.https_proxy,
      except: '.lan',
      includePrivate: true,
    });
    expect(secrets).to.include('S3CRET');
    expect(configurationFrom(office, { HTTP_PROXY: 'socks5://me:S3CRET@x' }).warnings).to.include(
      'notifications: HTTP_PROXY in the environment is not http://[USER:PASSWORD@]HOST[:PORT] and is not used (what was found is not shown)',
    );
  });

  it('say that ALL_PROXY alone is not used', () => {
    const warning =
      'notifications: ALL_PROXY in the environment is not used: requests go directly; for a proxy set HTTPS_PROXY and HTTP_PROXY';
    const all = { all_proxy: 'http://proxy.example:3128' };
    expect(configurationFrom(office, all).warnings).to.include(warning);
    expect(configurationFrom(office, { ...all, HTTPS_PROXY: all.all_proxy }).warnings).to.not.include(
      warning,
    );
  });

  it('redact keys and not common words', () => {
    const urls = [
      'telegram://123456:ABC-DEF/-100200300400',
      'slack://hooks.slack.com/services/T00000000/B00000000/aBcdefghijk',
      'gotify://push.example/gotify/A.Token_1',
      `pover://${'u'.repeat(30)}@${'t'.repeat(30)}`,
      'mailtos://me:pass-word@mail.example?to=ops@example.org&mode=starttls',
      'webhook+https://hooks.example/services/0123456789abcdef?key=secret-key-1',
    ];
    const { secrets } = configurationFrom(section(urls.map((url) => `"${url}"`).join(', ')));
    expect(secrets).to.include.members([
      ...urls,
      '123456:ABC-DEF',
      'aBcdefghijk',
      'pass-word',
      'u'.repeat(30),
      't'.repeat(30),
      '0123456789abcdef',
      'secret-key-1',
    ]);
    for (const word of ['gotify', 'services', 'starttls', 'mail.example', 'push.example'])
      expect(secrets).to.not.include(word);
  });
});
