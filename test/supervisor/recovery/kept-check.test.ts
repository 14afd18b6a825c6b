import { join } from 'node:path';
import { expect } from 'chai';
import { DrillFile } from '../../../supervisor/recovery/drill-file.js';
import { KeptCheck } from '../../../supervisor/recovery/kept-check.js';
import { FakeTime } from '../../fixtures/fake-time.js';
import { idleLog } from '../../fixtures/idle-parts.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';
import { configurationFrom, withServer } from '../config/loading.js';

const withWake = `${withServer}[ups.remote_servers.wake]\nmac = "00-00-5E-00-53-01"\n`;
const kinds = ({ check }: KeptCheck) => check.machines.at(-1)?.findings.map(({ kind }) => kind);

describe('the check of the recovery, of a daemon', () => {
  it('is computed again after five seconds, and with a new configuration at once', () => {
    const clock = new FakeTime();
    const drills = new DrillFile({ path: join(temporaryFolder(), 'drills.json'), bootId: 'b', log: idleLog });
    let configuration = configurationFrom(withWake);
    const kept = new KeptCheck({
      ...{ clock, drills, configuration: () => configuration },
      ...{ recovery: () => undefined, variablesOf: () => ({}) },
    });
    expect(kinds(kept)).to.include('not_asked');
    expect(kept.check, 'whoever asks all the time').to.equal(kept.check);
    drills.add({ machines: [{ server: 'nas', unixSeconds: 1, findings: [] }], outputs: [] });
    clock.advance(4_000);
    expect(kinds(kept)).to.include('not_asked');
    clock.advance(1_000);
    expect(kinds(kept)).not.to.include('not_asked');
    expect([...kept.reasons], 'recovery is off').to.deep.equal([]);
    configuration = configurationFrom(`${withWake}[recovery]\nenabled = true\n`);
    expect([...kept.reasons.keys()]).to.deep.equal([
      'office-127.0.0.1-3493/way_back/this_host',
      'office-127.0.0.1-3493/way_back/nas',
    ]);
    expect(kept.check.reason).to.equal('');
  });
});
