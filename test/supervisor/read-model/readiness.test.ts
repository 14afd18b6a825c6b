import { expect } from 'chai';
import type { RemoteStatus } from '../../../shared/domain/status/states.js';
import type { RemoteHealthRow } from '../../../shared/domain/status/status-model.js';
import type { Obstacle } from '../../../shared/protocol/remote.js';
import { leftBehind } from '../../../supervisor/config/derive/feeds.js';
import { hostDelegation } from '../../../supervisor/config/derive/host-delegate.js';
import { needsOfUps } from '../../../supervisor/config/programs/programs.js';
import { plansOf } from '../../../supervisor/config/derive/plans.js';
import { readiness } from '../../../supervisor/read-model/readiness.js';
import { unprobedRows } from '../../../supervisor/remote-health/machine/rows.js';
import { upsRow } from '../../../supervisor/policy/view/view.js';
import type { UpsRow } from '../../../shared/domain/status/status-model.js';
import { configurationFrom, office, withServer } from '../config/loading.js';
import { settingsOf, Stepper } from '../policy/stream.js';

interface Circumstances {
  readonly guestsOff?: string;
  readonly rows?: readonly UpsRow[];
  readonly inContainer?: boolean;
  readonly missing?: readonly string[];
  readonly health?: RemoteHealthRow['status'];
  readonly lastError?: string;
  readonly trouble?: string | null | undefined;
  readonly obstacle?: Obstacle;
  readonly startupCheck?: boolean;
  readonly resting?: readonly string[];
  readonly down?: Readonly<Record<string, string>>;
  readonly offCheckTrouble?: string;
  readonly unchecked?: string;
  readonly outputWarnings?: Readonly<Record<string, string>>;
  readonly wayBack?: Readonly<Record<string, string>>;
  readonly copyWarnings?: Readonly<Record<string, string>>;
  readonly missingStatus?: Readonly<Record<string, string>>;
}

/** Readiness of a daemon whose UPSes are all good by default. */
function readyWith(text: string, circumstances: Circumstances) {
  const { ready, reasons } = ofAll(text, circumstances);
  return { ready, reasons };
}

function ofAll(
  text: string,
  { rows = [], inContainer = false, missing = [], health, lastError, ...known }: Circumstances,
) {
  const configuration = { ...configurationFrom(text), inContainer };
  return readiness({
    rows,
    plans: plansOf(configuration),
    workers: [],
    missingPrograms: missing,
    toolNeeds: new Map(configuration.ups.map((ups) => [ups.policy.groupId, needsOfUps(ups)])),
    servers: new Map('trouble' in known ? [['nas', known.trouble]] : []),
    offCheckTrouble: known.offCheckTrouble ?? null,
    loginTrouble: new Map(),
    remoteHealth: unprobedRows(configuration).map((row) => {
      return { ...row, status: health ?? row.status, lastError: lastError ?? null };
    }),
    obstacles: new Map(known.obstacle === undefined ? [] : [['nas', known.obstacle]]),
    unchecked: new Map(known.unchecked === undefined ? [] : [['nas', known.unchecked]]),
    paused: new Set(known.resting ?? []),
    down: new Map(Object.entries(known.down ?? {})),
    guestsOff: known.guestsOff ?? '',
    startupCheck: known.startupCheck ?? false,
    delegation: hostDelegation(configuration),
    leftBehind: leftBehind(configuration),
    services: [],
    outputWarnings: new Map(Object.entries(known.outputWarnings ?? {})),
    wayBack: new Map(Object.entries(known.wayBack ?? {})),
    copyWarnings: new Map(Object.entries(known.copyWarnings ?? {})),
    missingStatus: new Map(Object.entries(known.missingStatus ?? {})),
    policyTrouble: null,
  });
}

const local = `${office}is_local = true\n`;
const delegated = `${withServer}host_delegate = true\n`;
const statuses: readonly RemoteStatus[] = ['HEALTHY', 'DEGRADED', 'FAILED', 'UNKNOWN', 'DISABLED'];

const unread = upsRow(new Stepper(settingsOf('ups a')).state, 'a');

describe('readiness', () => {
  it('needs a reading of every UPS, so that a grace period before the first reading does not suffice', () => {
    const grace: UpsRow = { ...unread, connectionState: 'GRACE_PERIOD', connectionDetail: 'SERVER_DOWN' };
    const read: UpsRow = { ...grace, staleSince: 1_790_000_000 };
    expect(readyWith(office, { rows: [read] })).to.deep.equal({ ready: true, reasons: [] });
    expect(readyWith(office, { rows: [read, grace] })).to.deep.equal({
      ready: false,
      reasons: ['UPS a has not been read yet (SERVER_DOWN)'],
    });
    const waiting: UpsRow = { ...grace, status: 'WAIT', connectionDetail: 'DATA_STALE' };
    expect(readyWith(office, { rows: [waiting] }).reasons).to.deep.equal([
      'UPS a has not been read yet (DATA_STALE)',
    ]);
    expect(readyWith(office, { rows: [unread] }).reasons).to.deep.equal(['UPS a is UNKNOWN (NEVER_POLLED)']);
    const missingStatus = { a: 'it is a PDU' };
    expect(readyWith(office, { rows: [waiting], missingStatus }).reasons).to.deep.equal([
      'UPS a has not been read yet (DATA_STALE): it is a PDU',
    ]);
  });

  it('needs a word of NUT in the status, since without one no outage is seen', () => {
    const reasons = (status: string, timeOnBattery = 0) =>
      readyWith(office, { rows: [{ ...unread, connectionState: 'OK', status, timeOnBattery }] }).reasons;
    expect(reasons('ONLINE CHARGED')).to.deep.equal([
      'UPS a shows ups.status "ONLINE CHARGED", which has no word of NUT: an outage would not be seen',
    ]);
    expect(reasons('ol')).to.deep.equal([]);
    expect(reasons('ONLINE ALARM')).to.deep.equal([]);
    expect(reasons('ONBATT', 5)).to.deep.equal([]);
  });

  it('needs the program of every step, and one of them when there is a choice', () => {
    const text = `${local}[ups.virtual_machines]\nenabled = true\n[ups.containers]\nenabled = true\n`;
    expect(readyWith(text, { missing: ['docker', 'podman-compose'] })).to.deep.equal({
      ready: true,
      reasons: [],
    });
    expect(readyWith(text, { missing: ['virsh', 'podman', 'docker'] }).reasons).to.deep.equal([
      'office-127.0.0.1-3493/virtual_machines/guests: the program virsh is not installed or may not be run',
      'office-127.0.0.1-3493/containers/remaining: the program podman or docker is not installed or may not be run',
    ]);
  });

  it('needs the programs of NUT that the transport "tools" runs, and no others', () => {
    const control = '[nut_control]\nenabled = true\nusername = "u"\npassword = "p"\n';
    const needed = (more: string) =>
      readyWith(`${office}transport = "tools"\n${more}`, {
        missing: ['upsc', 'upscmd', 'upsrw'],
      }).reasons.map((reason) => /nut_tools\/(\w+): the program/.exec(reason)?.[1]);
    expect(readyWith(office + control, { missing: ['upsc', 'upscmd', 'upsrw'] }).ready).to.equal(true);
    expect(needed('')).to.deep.equal(['upsc']);
    expect(needed(`${control}allowed_commands = ["beeper.mute"]\nallowed_variables = []\n`)).to.deep.equal([
      'upsc',
      'upscmd',
    ]);
    expect(needed(`${control}allowed_commands = []\nallowed_variables = ["ups.id"]\n`)).to.deep.equal([
      'upsc',
      'upsrw',
    ]);
    const output = '[nut_control]\nusername = "u"\npassword = "p"\n[ups_output]\noff_after_shutdown = true\n';
    expect(needed(`is_local = true\n${output}`)).to.deep.equal(['upsc', 'upscmd', 'upsrw']);
  });

  for (const status of statuses)
    it(`is ${status === 'FAILED' ? 'lost' : 'kept'} while a remote server is ${status}`, () => {
      expect(readyWith(withServer, { health: status })).to.deep.equal(
        status === 'FAILED'
          ? { ready: false, reasons: ['office-127.0.0.1-3493/remote_servers/nas: the server nas is FAILED'] }
          : { ready: true, reasons: [] },
      );
    });

  const step = 'office-127.0.0.1-3493/remote_servers/nas';

  it('states that the first probe of a server is paused in an outage', () => {
    const { reasons } = readyWith(withServer, { health: 'UNKNOWN', startupCheck: true, resting: ['nas'] });
    expect(reasons[0]).to.match(/has not ended yet: it waits until power is back and no shutdown runs$/);
    const { ready } = readyWith(withServer, { health: 'HEALTHY', startupCheck: true, resting: ['nas'] });
    expect(ready).to.equal(true);
  });

  it('expects nothing of a server that is down by the record, whatever its health is', () => {
    for (const health of ['UNKNOWN', 'FAILED', 'HEALTHY'] as const) {
      const known = { health, startupCheck: true, down: { nas: 'may have been shut down' } };
      const { ready, capabilities } = ofAll(withServer, known);
      expect(ready, health).to.equal(true);
      const reason = 'the server nas may have been shut down, and is not up again';
      expect(capabilities).to.deep.include({ id: step, achievable: true, reason });
    }
  });

  it('waits for the first probe of a server when the start-up check is on', () => {
    expect(readyWith(withServer, { health: 'UNKNOWN', startupCheck: true }).reasons).to.deep.equal([
      `${step}: the first probe of the server nas has not ended yet`,
    ]);
    expect(readyWith(withServer, { health: 'DISABLED', startupCheck: true }).ready).to.equal(true);
  });

  it('is lost where it cannot be found out whether a server is off', () => {
    const offCheckTrouble = 'there is no program ping';
    const { ready, reasons } = readyWith(withServer, { offCheckTrouble });
    expect({ ready, reasons }).to.deep.equal({
      ready: false,
      reasons: [`shutdown/off_check: ${offCheckTrouble}`],
    });
  });

  it('includes a DEGRADED server, with the reason of its state', () => {
    const { ready, capabilities } = ofAll(withServer, { health: 'DEGRADED', lastError: 'refused' });
    expect(ready).to.equal(true);
    expect(capabilities).to.deep.include({
      id: step,
      achievable: true,
      reason: 'the server nas is DEGRADED: refused',
    });
  });

  it('includes a HEALTHY server whose commands could not be checked, with the reason', () => {
    const { ready, capabilities } = ofAll(withServer, { health: 'HEALTHY', unchecked: 'not checked: why' });
    expect(ready).to.equal(true);
    const server = capabilities.find(({ id }) => id.endsWith('remote_servers/nas'));
    expect(server).to.include({ achievable: true, reason: 'not checked: why' });
  });

  for (const status of ['UNKNOWN', 'DEGRADED', 'DISABLED', 'HEALTHY'] as const)
    it(`is lost immediately for a ${status} server without a key or an address`, () => {
      expect(readyWith(withServer, { health: status, trouble: 'no key' }).reasons).to.deep.equal([
        `${step}: the daemon cannot log in to the server nas: no key`,
      ]);
    });

  it('is lost immediately when a probe has found a host key that is refused', () => {
    const met = { health: 'DEGRADED', obstacle: 'hostKey', lastError: 'CHANGED' } as const;
    for (const trouble of [null, undefined])
      expect(readyWith(withServer, { ...met, trouble }).reasons).to.deep.equal([
        `${step}: the daemon cannot log in to the server nas: CHANGED`,
      ]);
  });

  it('depends on the probe for the name of a server until the worker that shuts down resolves it, and then on that worker', () => {
    const met = { health: 'DEGRADED', obstacle: 'name', lastError: 'no address' } as const;
    expect(readyWith(withServer, met).ready).to.equal(false);
    expect(readyWith(withServer, { ...met, trouble: null }).ready).to.equal(true);
  });

  it('names the servers that this host would leave running, and is kept', () => {
    const text =
      `${local}[[ups]]\nname = "b"\n[[redundancy_groups]]\nname = "rack"\nups_sources = ["b"]\n` +
      '[[redundancy_groups.remote_servers]]\nname = "nas"\nhost = "192.0.2.9"\nuser = "root"\n';
    const { ready, capabilities } = ofAll(text, { trouble: null });
    expect(ready).to.equal(true);
    const named = capabilities.find(({ id }) => id === 'redundancy-rack/before_this_host');
    expect(named?.achievable).to.equal(true);
    expect(named?.reason).to.contain('nas only when b fails');
  });

  it('names the triggers that a UPS has no data for, and is kept', () => {
    const row: UpsRow = { ...unread, connectionState: 'OK', unavailableTriggers: ['CRITICAL_RUNTIME'] };
    const { ready, capabilities } = ofAll(office, { rows: [row] });
    expect(ready).to.equal(true);
    expect(capabilities.find(({ id }) => id === 'a/triggers')?.reason).to.equal(
      'a does not report what these triggers need, so they cannot fire: short runtime',
    );
  });

  it('names the output that may not come back, and is kept', () => {
    const { ready, capabilities } = ofAll(office, { outputWarnings: { a: 'ups.start.auto reads no' } });
    expect(ready).to.equal(true);
    expect(capabilities).to.deep.include({
      id: 'a/output_return',
      achievable: true,
      reason: 'the output may not come back: ups.start.auto reads no',
    });
  });

  it('names a UPS that another server copies, and is kept', () => {
    const { ready, capabilities } = ofAll(office, { copyWarnings: { a: 'dummy-ups copies it' } });
    expect(ready).to.equal(true);
    expect(capabilities).to.deep.include({ id: 'a/copy', achievable: true, reason: 'dummy-ups copies it' });
  });

  it('in a container needs a delegate that can power the host off', () => {
    expect(readyWith(local, { inContainer: true })).to.deep.equal({
      ready: false,
      reasons: [
        'office-127.0.0.1-3493/host_delegate: this daemon runs in a container, and no remote server of this group is ' +
          'the host_delegate that can power its host off',
      ],
    });
  });

  for (const status of statuses)
    it(`in a container is ${status === 'HEALTHY' ? 'kept' : 'lost'} while the delegate is ${status}`, () => {
      const { ready, reasons } = readyWith(delegated, { inContainer: true, health: status });
      expect(ready).to.equal(status === 'HEALTHY');
      if (status !== 'HEALTHY')
        expect(reasons).to.include(
          `office-127.0.0.1-3493/host_delegate: the host delegate nas is ${status}, not HEALTHY`,
        );
    });

  it('in a container needs no delegate when no step acts on the host', () => {
    expect(readyWith(office, { inContainer: true }).reasons).to.deep.equal([]);
    const idle = `${local}[ups.filesystems]\nsync_enabled = false\n[local_shutdown]\nenabled = false\n`;
    expect(readyWith(idle, { inContainer: true }).reasons).to.deep.equal([]);
  });

  it('is ready while a guest that a shutdown has stopped stays off, and names it', () => {
    const { ready, capabilities } = ofAll(office, { guestsOff: 'web is off' });
    expect(ready).to.equal(true);
    expect(capabilities).to.deep.include({ id: 'recovery/guests', achievable: true, reason: 'web is off' });
  });
});
