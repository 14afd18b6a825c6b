import { expect } from 'chai';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import { status } from '../../../../scripts/commands/status/status.js';
import { version } from '../../../../scripts/commands/daemon/version.js';
import type { TriggerExplanation } from '../../../../shared/domain/status/status-model.js';
import type { ApiUnderTest } from '../../../workers/api/fixture.js';
import { modelChange, publishedUps, startedApi } from '../../../workers/api/fixture.js';
import { run } from '../run.js';
import { temporaryFolder } from '../../../fixtures/temporary-folder.js';

const lowBattery: TriggerExplanation = {
  name: 'CRITICAL_RUNTIME',
  armed: true,
  active: false,
  threshold: 600,
  reading: 840,
  readingAge: 1,
  refused: [],
  margin: 240,
  delay: 0,
  text: '',
};

describe('ridethrough status', () => {
  let api: ApiUnderTest;
  beforeEach(async () => {
    api = await startedApi({
      ask: () =>
        Promise.resolve({
          ok: true,
          value: { triggers: [lowBattery], text: 'Shutdown below 20 %, in about 6 min.' },
        }),
    });
  });
  afterEach(() => api.end());

  const told = async (...args: string[]) => {
    const { code, out, err } = await run(() => status(['--socket', api.socket, ...args]));
    return { code, out: out.replace(/\d+ (days|h \d+ min) ago/, '1 s ago'), err };
  };

  it('prints a table on line power', async () => {
    await api.publish({ ups: [publishedUps({ runtime: 2700 })] });
    expect(await told()).to.deep.equal({
      code: 0,
      err: '',
      out: `UPS      STATE           CHARGE   RUNTIME   LOAD     LAST READING
Office   On line power   87 %     45 min    23.5 %   1 s ago

Office: charging.
`,
    });
  });

  it('gives what is no word of ups.status no such name', async () => {
    const valuesInDoubt = [{ value: 'charge' as const, seconds: 32 }];
    await api.publish({ ups: [publishedUps({ status: 'OL DISCHRG', valuesInDoubt })] });
    const { out } = await told();
    expect(out).to.contain('\nOffice: the charge has jumped: it counts once').and.contain('discharging.\n');
  });

  it('states what happens next in an outage', async () => {
    await api.publish({
      ups: [publishedUps({ status: 'OB DISCHRG', timeOnBattery: 125, batteryCharge: 43 })],
    });
    const { out } = await told();
    expect(out).to.contain('On battery');
    expect(out).to.contain('Office: on battery for 2 min 05 s.');
    expect(out).to.contain('Office: Shutdown below 20 %, in about 6 min.');
  });

  it('prints no number for a missing value', async () => {
    const unseen = publishedUps({
      status: '',
      batteryCharge: null,
      runtime: null,
      load: null,
      connectionState: 'FAILED',
      connectionDetail: 'SERVER_DOWN',
    });
    await api.publish({ ups: [{ ...unseen, telemetry: { ...unseen.telemetry, lastUpdateTime: null } }] });
    const { out } = await told();
    expect(out).to.match(/^Office +Connection lost +unknown +unknown +unknown +never$/m);
    expect(out).to.contain('Office: the NUT server cannot be reached.');
  });

  it('marks a dry run, and lists its failed steps', async () => {
    const step = { phase: 'remote_servers', startedAt: 1, budgetSeconds: 5, detail: null } as const;
    await api.publish({
      sequence: {
        active: true,
        group: 'office-127.0.0.1',
        startedAt: 1,
        phase: 'remote_servers',
        pointOfNoReturn: false,
        powerBack: false,
        dryRun: true,
        others: [],
        steps: [
          { ...step, id: 'a', target: 'nas', state: 'failed', endedAt: 2, error: 'refused the key' },
          { ...step, id: 'b', target: 'hv', state: 'running', endedAt: null, error: null },
        ],
      },
    });
    const { out } = await told();
    expect(out).to.contain(
      `The dry run (nothing is shut down) of Office began at ${new Date(1000).toLocaleString('sv-SE')} and is RUNNING`,
    );
    expect(out).to.contain('1 of 2 steps').and.to.contain('failed: nas: refused the key');
  });

  it('says that a shutdown was cancelled, and how another one went', async () => {
    const ended = {
      active: false,
      startedAt: 1,
      phase: '',
      pointOfNoReturn: true,
      powerBack: false,
      dryRun: false,
      steps: [],
    };
    await api.publish({
      sequence: {
        active: false,
        group: 'office-127.0.0.1',
        startedAt: 1,
        phase: '',
        pointOfNoReturn: false,
        powerBack: false,
        dryRun: false,
        steps: [],
        others: [{ ...ended, group: 'lab-127.0.0.1' }],
      },
    });
    const { out } = await told();
    expect(out).to.match(/^The shutdown of Office began at .+ and was cancelled\.$/m);
    expect(out).to.match(
      /^The shutdown of lab-127\.0\.0\.1 began at .+ and has ended: 0 of 0 steps have ended\.$/m,
    );
  });

  it('warns when a full battery lasts less than the threshold', async () => {
    await api.publish({ ups: [publishedUps({ batteryCharge: 100, runtime: 540, status: 'OL' })] });
    expect((await told()).out).to.contain('Warning: Office would last 9 min on a full battery');
  });

  it('lists why the daemon is not ready', async () => {
    await api.publish({ ready: { ...modelChange().ready, ready: false, reasons: ['no power-off program'] } });
    expect((await told()).out).to.contain('not ready for an outage:\n  no power-off program');
  });

  it('removes control characters of devices', async () => {
    await api.publish({ ups: [publishedUps({ status: 'OL \u001b[2J', label: 'a\u009bb' })] });
    expect((await told()).out.replaceAll('\n', '')).not.to.match(/\p{Cc}/u);
  });

  it('prints the body unchanged with --json', async () => {
    await api.publish();
    const { code, out } = await told('--json');
    expect(code).to.equal(0);
    expect(JSON.parse(out)).to.have.all.keys('generatedAt', 'ups', 'redundancyGroups');
  });

  it('fails while the daemon has no status yet', async () => {
    const { code, out, err } = await told();
    expect([code, out]).to.deep.equal([1, '']);
    expect(err).to.contain('not published its state');
  });

  it('reports that the daemon is not running and how to start it', async () => {
    for (const socket of ['/nonexistent/control.sock', api.socket.replace('control', 'other')]) {
      const { code, err } = await run(() => status(['--socket', socket, '--json']));
      expect(code).to.equal(1);
      expect(err).to.contain('not running').and.to.contain('systemctl start ridethrough');
    }
  });

  it('rejects another program on the socket', async () => {
    const folder = temporaryFolder();
    const other = createServer((_request, response) => void response.end('<html>')).listen(join(folder, 's'));
    await new Promise((resolve) => other.once('listening', resolve));
    const { code, err } = await run(() => status(['--socket', join(folder, 's')]));
    expect(code).to.equal(1);
    expect(err).to.contain('does not understand');
    other.close();
  });

  it('finds the socket in the configuration, and exits 78 for an invalid one', async () => {
    await api.publish();
    const folder = api.socket.replace('/control.sock', '');
    const file = join(folder, 'config.toml');
    writeFileSync(
      file,
      `[[ups]]\nname = "office@127.0.0.1"\n[supervisor]\nruntime_directory = "${folder}"\n`,
    );
    expect(await run(() => status(['--config', file]))).to.include({ code: 0, err: '' });
    writeFileSync(file, 'nonsense = true\n');
    const refused = await run(() => status(['--config', file]));
    expect(refused.code).to.equal(78);
    expect(refused.err).to.contain('nonsense');
  });
});

describe('ridethrough version', () => {
  it('prints the version', async () => {
    expect((await run(() => version([]))).out).to.match(/^ridethrough \d+\.\d+\.\d+\n$/);
    expect(JSON.parse((await run(() => version(['--json']))).out)).to.have.all.keys('version');
  });
});
