// The mixed topology of docs/topologies.md on the real daemon, in a dry run: a server and this host on A and B, the switch on A
// alone.
import { expect } from 'chai';
import type { ExplainBody, PlanBody } from '../../../shared/http/bodies.js';
import type { Site } from '../../fixtures/dry-run-daemon.js';
import { startSite } from '../../fixtures/dry-run-daemon.js';
import { until } from '../../fixtures/until.js';

const server = (owner: string, name: string, host: string) =>
  `[[${owner}.remote_servers]]\nname = "${name}"\nhost = "${host}"\nuser = "root"\nssh_key_path = "{directory}/id_ed25519"\n`;

interface RecordedEvent {
  readonly source: string;
  readonly eventType: string;
  readonly detail: string;
}

describe('the daemon with a mixed topology', () => {
  let site: Site;

  before(async () => {
    site = await startSite({
      ups: [{ name: 'rack-a', more: server('ups', 'switch', '127.0.0.8') }, { name: 'rack-b' }],
      group: ['rack-a', 'rack-b'],
      groupToml: `is_local = true\n${server('redundancy_groups', 'nas', '127.0.0.9')}`,
      stabilizationDelay: 0,
      toml: '[remote_health]\nenabled = false\n',
    });
    await site.daemon.seesAll();
    await until(
      () => site.daemon.status(),
      ({ redundancyGroups: [rack] }) => rack?.quorumDeferred === false && rack.healthyCount === 2,
    );
  });
  after(() => site.stop());

  const fetched = async <T>(path: string): Promise<T> =>
    (await (await fetch(`${site.url}api/v1/${path}`)).json()) as T;
  const idOf = (ups: string) => `${ups}-127.0.0.1-${String(site.upsd.port)}`;
  const events = async (): Promise<readonly RecordedEvent[]> =>
    ((await site.daemon.control('events?verbosity=2&limit=1000')) as { events: readonly RecordedEvent[] })
      .events;
  const toldOf = async (type: string) => (await events()).filter(({ eventType }) => eventType === type);
  const summaries = async () => (await toldOf('REMOTE_SHUTDOWN_SUMMARY')).map(({ detail }) => detail).sort();
  const fail = (ups: string) => site.upsd.ups(ups).set({ mainsVolts: 0, chargePercent: 5 });
  const completed = (group: string) =>
    until(
      () => toldOf('SHUTDOWN_SEQUENCE_COMPLETE'),
      (told) => told.some(({ source }) => source === group),
    );

  it('has a plan for the member and one for the group', async () => {
    const planOf = async (path: string) => (await fetched<PlanBody>(path)).plan;
    const own = await planOf(`ups/${idOf('rack-a')}/shutdown-plan`);
    expect(own.phases.flatMap(({ steps }) => steps).map(({ target }) => target)).to.deep.equal(['switch']);
    // A member that owns nothing shows the plan of its group.
    const group = await planOf(`ups/${idOf('rack-b')}/shutdown-plan`);
    expect(group.group).to.equal('redundancy-rack-1');
    expect(group.phases.flatMap(({ steps }) => steps).map(({ target }) => target)).to.include.members([
      'nas',
      'this host',
    ]);
  });

  it('shuts down the switch alone when A fails', async () => {
    fail('rack-a');
    await completed(idOf('rack-a'));
    expect(await summaries()).to.deep.equal(['rack-a (dry run): no server was called: switch']);
    expect((await toldOf('SHUTDOWN_TRIGGERED')).map(({ source }) => source)).to.deep.equal([idOf('rack-a')]);
    // The group is evaluated once a second.
    const { redundancyGroups, ups } = await until(
      () => site.daemon.status(),
      ({ redundancyGroups: [rack] }) => rack?.healthyCount === 1,
    );
    expect(redundancyGroups[0]?.quorumLost).to.equal(false);
    expect(ups[0]?.triggerActive).to.equal(true);
  });

  it('shuts down the server and this host when B fails too', async () => {
    fail('rack-b');
    await completed('redundancy-rack-1');
    expect(await summaries()).to.deep.equal([
      'rack-1 (dry run): no server was called: nas',
      'rack-a (dry run): no server was called: switch',
    ]);
    const fired = (await toldOf('SHUTDOWN_TRIGGERED')).map(({ source }) => source).sort();
    expect(fired).to.deep.equal([idOf('rack-a'), 'redundancy-rack-1'].sort());
    expect((await toldOf('TRIGGER_ADVISORY')).map(({ source }) => source)).to.deep.equal([idOf('rack-b')]);
    await site.daemon.logged(/dry run: would .*power/i);
  });

  it('is armed again when both are back', async () => {
    for (const ups of ['rack-a', 'rack-b']) site.upsd.ups(ups).set({ mainsVolts: 230, chargePercent: 100 });
    await until(
      () => site.daemon.status(),
      ({ redundancyGroups: [rack], ups }) =>
        rack?.quorumLost === false && ups.every(({ triggerActive }) => !triggerActive),
    );
    const { text } = await fetched<ExplainBody>(`ups/${idOf('rack-a')}/explain`);
    expect(text).to.contain(
      'is armed, as a dry run: nothing is commanded. That is the sequence of what it alone feeds',
    );
  });
});
