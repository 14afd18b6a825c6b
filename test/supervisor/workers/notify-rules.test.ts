import { expect } from 'chai';
import type { EventType } from '../../../shared/domain/status/events.js';
import { settled } from '../../fixtures/fake-time.js';
import { configurationFrom, office, withGroup } from '../config/loading.js';
import { Parts, services, urls } from './notify-parts.js';

describe('the rules of notification services in the supervisor', () => {
  const rule = (lines: string): string =>
    `[[notifications.services]]\nurl = "ntfys://ntfy.example/two"\n${lines}\n`;
  const sentTypes = async (lines: string, ...events: readonly [EventType, string][]): Promise<string[]> => {
    const given = configurationFrom(`${office}[[ups]]\nname = "rack@localhost"\n${rule(lines)}`);
    const parts = new Parts(given);
    parts.ready();
    for (const [type, source] of events) parts.notifications.notify({ source, type, detail: 'x' });
    await settled();
    return parts.worker.waiting.map(
      ({ task: { notification } }) => `${notification.source} ${notification.type}`,
    );
  };
  const all: readonly [EventType, string][] = [
    ['ON_BATTERY', 'rack-localhost'],
    ['BATTERY_REPLACE', 'rack-localhost'],
    ['VOLTAGE_NORMALIZED', 'office-127.0.0.1-3493'],
    ['DAEMON_RECOVERED', 'daemon'],
    ['SHUTDOWN_TRIGGERED', 'rack-localhost'],
  ];
  const safety = ['rack-localhost ON_BATTERY', 'rack-localhost SHUTDOWN_TRIGGERED'];

  it('sends a service what its verbosity shows', async () => {
    expect(await sentTypes('verbosity = 0', ...all)).to.have.members([
      ...safety,
      'rack-localhost BATTERY_REPLACE',
    ]);
    expect(await sentTypes('verbosity = 1', ...all)).to.have.length(4);
    expect(await sentTypes('', ...all)).to.have.length(5);
  });

  it('sends it the events and the UPSes that it names, and every safety event', async () => {
    expect(await sentTypes('events = ["VOLTAGE_NORMALIZED"]', ...all)).to.have.members([
      ...safety,
      'office-127.0.0.1-3493 VOLTAGE_NORMALIZED',
    ]);
    expect(await sentTypes('ups = ["office@127.0.0.1"]', ...all)).to.have.members([
      ...safety,
      'office-127.0.0.1-3493 VOLTAGE_NORMALIZED',
      'daemon DAEMON_RECOVERED',
    ]);
  });

  it('sends a service with "after" the return of power too: without it every brief outage would be reported', async () => {
    const blip: readonly [EventType, string][] = [
      ['ON_BATTERY', 'rack-localhost'],
      ['POWER_RESTORED', 'rack-localhost'],
    ];
    const chosen = 'events = ["UPS_ALARM"]';
    expect(await sentTypes(chosen, ...blip)).to.deep.equal(['rack-localhost ON_BATTERY']);
    expect(await sentTypes(`${chosen}\nafter = 30`, ...blip)).to.deep.equal([
      'rack-localhost ON_BATTERY',
      'rack-localhost POWER_RESTORED',
    ]);
  });

  it('sends a service that names UPSes the end of a safety event of another one, too', async () => {
    const pairs = [
      ['ON_BATTERY', 'POWER_RESTORED'],
      ['CONNECTION_LOST', 'CONNECTION_RESTORED'],
      ['BROWNOUT_DETECTED', 'VOLTAGE_NORMALIZED'],
    ] as const;
    for (const pair of pairs) {
      const both = pair.map((type): [EventType, string] => [type, 'rack-localhost']);
      const sent = pair.map((type) => `rack-localhost ${type}`);
      expect(await sentTypes('ups = ["office@127.0.0.1"]', ...both)).to.deep.equal(sent);
    }
  });

  it('sends it the reports that it wants', () => {
    const report = { text: 'x', html: 'y' };
    const recordOf = (lines: string) =>
      new Parts(configurationFrom(`${office}${rule(lines)}`)).notifications.recordOf('WEEKLY_REPORT', report);
    expect(recordOf('')).to.not.equal(null);
    expect(recordOf('events = ["WEEKLY_REPORT"]')).to.not.equal(null);
    expect(recordOf('events = ["DAILY_REPORT"]')).to.equal(null);
    expect(recordOf('verbosity = 0')).to.equal(null);
  });

  it('repeats to it alone what stays open', async () => {
    const parts = new Parts(configurationFrom(`${office}[notifications]\n${urls}\n${rule('repeat = 60')}`));
    parts.ready();
    parts.open = [
      {
        type: 'OVERLOAD_ACTIVE',
        source: 'office',
        subject: 'office',
        text: 'it is overloaded',
        seconds: null,
      },
    ];
    await parts.pass(62_000);
    const [only, ...more] = parts.worker.waiting.map(({ task: { notification } }) => notification);
    expect(more).to.deep.equal([]);
    expect(only).to.include({ type: 'REMINDER', urgent: true });
  });

  it('repeats no failed probe where notify_on_failure is off', async () => {
    const off = '[remote_health]\nnotify_on_failure = false\n';
    for (const [more, count] of [
      ['', 1],
      [off, 0],
    ] as const) {
      const parts = new Parts(configurationFrom(`${office}${more}${rule('repeat = 60')}`));
      parts.ready();
      const [type, source] = ['REMOTE_HEALTH_FAILED', 'office'] as const;
      parts.open = [{ type, source, subject: 'nas', text: 'it fails its probe', seconds: null }];
      await parts.pass(62_000);
      expect(parts.worker.waiting).to.have.length(count);
    }
  });

  it('names a redundancy group as the file does', async () => {
    const parts = new Parts(configurationFrom(`${withGroup}${rule('')}`));
    parts.ready();
    parts.notifications.recorded({ source: 'redundancy-rack-1', type: 'SHUTDOWN_RESUMED', detail: 'FSD' });
    await settled();
    const [message] = parts.worker.waiting.map(({ task: { notification } }) => notification.text);
    expect(message).to.match(/^The shutdown of rack-1 continues/);
  });

  it('tells the others, and only them, that a service fails', async () => {
    const parts = new Parts();
    parts.ready();
    const [first = '', second = ''] = services;
    const failing = { id: first, pending: 4, failures: 3, fault: 'its server refuses the connection' };
    parts.worker.report({
      summaries: [],
      deliveries: [],
      services: [failing, { id: second, pending: 0, failures: 0, fault: '' }],
    });
    await settled();
    expect(parts.worker.waiting.map(({ service, task }) => [service, task.notification.text])).to.deep.equal([
      [
        second,
        'Messages are not delivered through notifications.urls[0] (ntfy): its server refuses the connection. 4 wait; the daemon tries again.',
      ],
    ]);
  });
});
