import { readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { DrillFile } from '../../../supervisor/recovery/drill-file.js';
import { loggerTo } from '../../../shared/runtime/log.js';
import { FakeTime } from '../../fixtures/fake-time.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';

const nas = { server: 'nas', unixSeconds: 1, findings: [{ kind: 'wake', text: 'Wake-on: d' }] } as const;
const web = { server: 'web', unixSeconds: 2, findings: [] };
const output = { ups: 'office', command: 'shutdown.return', verdict: 'returns', reason: 'why' } as const;

describe('what drills have found', () => {
  function rig() {
    const path = join(temporaryFolder(), 'drills.json');
    const lines: string[] = [];
    const log = loggerTo('test', new FakeTime(), ({ message }) => lines.push(message));
    return { path, lines, file: (bootId = 'this') => new DrillFile({ path, bootId, log }) };
  }

  it('is read by the daemon of the same boot, and by no other', () => {
    const { file } = rig();
    const daemon = file();
    expect(daemon.drilled).to.deep.equal({ machines: [], outputs: [] });
    file().add({ machines: [nas], outputs: [output] });
    expect(daemon.drilled).to.deep.equal({ machines: [nas], outputs: [output] });
    expect(daemon.drilled, 'the same object').to.equal(daemon.drilled);
    expect(file('next').drilled.machines).to.deep.equal([]);
  });

  it('keeps of each machine and output the last drill', () => {
    const { file } = rig();
    file().add({ machines: [nas, web], outputs: [output] });
    const later = { ...nas, unixSeconds: 3, findings: [] };
    file().add({ machines: [later], outputs: [{ ...output, verdict: 'unknown' }] });
    expect(file().drilled).to.deep.equal({
      machines: [web, later],
      outputs: [{ ...output, verdict: 'unknown' }],
    });
  });

  it('is nothing where the file is none of ours, said once for each file', () => {
    const { path, lines, file } = rig();
    const daemon = file();
    // More than a drill finds would be in every reading of /ready.
    const many = { ...nas, findings: Array.from({ length: 9 }, () => nas.findings[0]) };
    const tooMany = JSON.stringify({ bootId: 'this', drilled: { machines: [many], outputs: [] } });
    for (const content of ['', '{', 'null', '{"bootId":"this","drilled":{"machines":[{}]}}', tooMany]) {
      writeFileSync(path, content);
      for (let times = 0; times < 3; times += 1)
        expect(daemon.drilled, content).to.deep.equal({ machines: [], outputs: [] });
    }
    expect(lines.filter((line) => line.includes('cannot be used')).length).to.equal(3);
    daemon.add({ machines: [nas], outputs: [] });
    expect(daemon.drilled.machines).to.deep.equal([nas]);
    expect(readdirSync(dirname(path))).to.deep.equal(['drills.json']);
  });

  it('is lost where it cannot be written, and the drill goes on', () => {
    const lines: string[] = [];
    const log = loggerTo('test', new FakeTime(), ({ message }) => lines.push(message));
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    const path = join(file, 'supervisor', 'drills.json');
    new DrillFile({ path, bootId: 'this', log }).add({
      machines: [nas],
      outputs: [],
    });
    expect(lines.join()).to.match(/cannot be written .*does not show what this drill has found/);
  });
});
