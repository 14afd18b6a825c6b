import { expect } from 'chai';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';
import { configurationFrom, office, problemsOf, warningsFrom } from './loading.js';

const url = 'url = "ntfys://ntfy.example/topic"\n';
const service = (more: string): string => `${office}[[notifications.services]]\n${more}\n`;
const messages = (more: string): readonly string[] => problemsOf(service(more)).map(({ message }) => message);

describe('the services with rules', () => {
  it('are in the units of the program, with defaults applied', () => {
    const [plain] = configurationFrom(service(url)).notifications.services;
    expect(plain).to.deep.include({
      name: 'notifications.services[0] (ntfy)',
      afterMs: 0,
      digestMs: 0,
      quiet: null,
      headers: [],
      filter: { verbosity: 2, events: [], sources: [] },
      repeatMs: 0,
    });
    const token = join(temporaryFolder(), 'token');
    writeFileSync(token, 'S3cret-T0ken\n', { mode: 0o600 });
    const rules = `${url}verbosity = 0\nevents = ["POWER_RESTORED", "WEEKLY_REPORT"]\nups = ["office@127.0.0.1"]\nafter = 30
digest = 3600\nquiet = "23:00-06:30"\nrepeat = 600\ntitle = "{host}"\nbody = "a\\n{text}"\nheaders = { X-Tags = "ups", X-Token = { file = "${token}" } }`;
    const { notifications, secrets, summary, settings } = configurationFrom(service(rules));
    expect(notifications.services[0]).to.deep.include({
      afterMs: 30_000,
      digestMs: 3_600_000,
      quiet: { from: 1380, to: 390 },
      repeatMs: 600_000,
      title: '{host}',
      body: 'a\n{text}',
      headers: [
        { name: 'X-Tags', value: 'ups' },
        { name: 'X-Token', value: 'S3cret-T0ken' },
      ],
      filter: {
        verbosity: 0,
        events: ['POWER_RESTORED', 'WEEKLY_REPORT'],
        sources: ['office-127.0.0.1-3493'],
      },
    });
    expect(secrets).to.include('S3cret-T0ken').and.not.include('ups');
    expect(summary.notifications).to.deep.equal({ enabled: true, serviceCount: 1 });
    expect(JSON.stringify(settings)).to.not.match(/S3cret|ntfy\.example/);
  });

  it('are as docs/notifications.md shows them', () => {
    const examples = [...readFileSync('docs/notifications.md', 'utf8').matchAll(/```toml\n([^`]+)```/g)];
    expect(examples.length).to.be.greaterThan(0);
    for (const [, example = ''] of examples) {
      const folder = temporaryFolder();
      for (const [index, name] of [...example.matchAll(/ridethrough\/([\w.]+)"/g)].entries())
        writeFileSync(join(folder, name[1] ?? ''), `ntfys://ntfy.example/t${String(index)}\n`, {
          mode: 0o600,
        });
      const text = example.replaceAll('/etc/ridethrough/', `${folder}/`);
      expect(configurationFrom(`${office}${text}`).notifications.services).to.have.length(2);
    }
  });

  it('have the id of the same address in notifications.urls, so that what waits for it is delivered', () => {
    const listed = configurationFrom(`${office}[notifications]\nurls = ["ntfys://ntfy.example/topic"]\n`);
    const ruled = configurationFrom(service(url));
    expect(ruled.notifications.services[0]?.id).to.equal(listed.notifications.services[0]?.id);
  });

  it('refuse values that cannot be meant', () => {
    expect(messages(`${url}after = 301`)[0]).to.match(/300/);
    expect(messages(`${url}repeat = 59`)[0]).to.match(/0, or 60 to 604800 seconds/);
    expect(messages(`${url}quiet = "23-6"`)[0]).to.match(/a span of the day such as "23:00-06:30"/);
    expect(messages(`${url}verbosity = 3`)).to.have.length(1);
    expect(messages(`${url}title = "{nam}"`)[0]).to.match(/placeholders \{host\}/);
    expect(messages(`${url}title = "a\\nb"`)).to.have.length(1);
    expect(messages(`${url}events = ["LOGIN_FAILURE"]`)[0]).to.equal('no message is sent for LOGIN_FAILURE');
    expect(messages(`${url}events = ["ON_BATERY"]`)[0]).to.match(/did you mean "ON_BATTERY"/);
    expect(messages(`${url}ups = ["offize@127.0.0.1:3493"]`)[0]).to.match(
      /no UPS and no redundancy group; did you mean "office@127/,
    );
    expect(messages(`${url}digest = 60`)[0]).to.match(/give "after" too/);
    expect(messages('after = 3')).to.have.length(1);
  });

  it('warn of "after" without the return of power, for which it waits', () => {
    const warned = (suppress: string, more: string): readonly string[] =>
      warningsFrom(
        `${office}[notifications]\n${suppress}\n[[notifications.services]]\n${url}${more}\n`,
      ).filter((text) => text.startsWith('notifications'));
    const suppress = 'suppress = ["POWER_RESTORED"]';
    expect(warned(suppress, 'after = 30')).to.deep.equal([
      'notifications.services[0].after: waits for POWER_RESTORED, which notifications.suppress suppresses: a brief outage would be reported without its end',
    ]);
    expect(warned('', 'after = 30')).to.deep.equal([]);
    expect(warned(suppress, '')).to.deep.equal([]);
  });

  it('refuse an address that is there twice, without showing it', () => {
    const twice = `${office}[notifications]\nurls = ["ntfys://ntfy.example/topic"]\n[[notifications.services]]\n${url}`;
    expect(problemsOf(twice)).to.deep.equal([
      {
        path: 'notifications.services[0].url',
        message: 'is the address of notifications.urls[0] too; keep one of the two',
      },
    ]);
  });

  it('refuse headers that would break the request', () => {
    expect(messages(`${url}headers = { "A B" = "x" }`)[0]).to.equal('the name of a header is not valid');
    expect(messages(`${url}headers = { Content-Length = "1" }`)[0]).to.match(/set by the daemon/);
    expect(messages(`${url}headers = { X = "a\\nb" }`)[0]).to.match(/X: the secret holds a line break/);
    expect(messages(`${url}headers = { X = "\u2713" }`)[0]).to.match(/an HTTP header may not contain/);
    expect(messages('url = "mailto://localhost?to=a@b.example"\nheaders = { X = "a" }')[0]).to.match(
      /a mail takes no/,
    );
  });
});
