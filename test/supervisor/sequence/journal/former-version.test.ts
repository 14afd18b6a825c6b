import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { JournalFiles } from '../../../../supervisor/sequence/journal/journal.js';
import { ShutdownRecord } from '../../../../supervisor/sequence/journal/record.js';
import { previousShutdown } from '../../../../supervisor/sequence/journal/summary.js';
import { idleLog } from '../../../fixtures/idle-parts.js';
import { planPhase, planStep, planWith, remoteWork } from '../../../fixtures/plans.js';
import { temporaryFolder } from '../../../fixtures/temporary-folder.js';

const cause = { trigger: 'FSD', why: 'the UPS demands it', firedAtUnixSeconds: 1_700_000_000.5 };
const nas = planStep('remote_servers/nas', {
  phase: 'remote_servers',
  action: { kind: 'remote', work: remoteWork('nas') },
});
const off = planStep('local_poweroff/host', {
  action: { kind: 'poweroff', command: ['off'], fallback: null },
});
const planOf = (group: string) =>
  planWith([planPhase('remote_servers', [nas]), planPhase('local_poweroff', [off])], group);
const at = (atMs: number) => ({ atMs, unixSeconds: atMs / 1000 });
const headerOf = (group: string, company: string, startedMs: number) => ({
  kind: 'sequence',
  group,
  cause,
  company,
  plan: planOf(group),
  startedMs,
  startedUnixSeconds: startedMs / 1000,
});
const done = { kind: 'done' };

describe('the journals of version 0.1.0', () => {
  let directory: string;
  const files = (bootId = 'boot-a') => new JournalFiles(directory, bootId, idleLog);
  /** As that version wrote them. */
  const write = (name: string, header: object, ...records: readonly object[]) => {
    const lines = [{ bootId: 'boot-a', name, header }, ...records].map((line) => JSON.stringify(line));
    writeFileSync(join(directory, `${name}.journal`), `${lines.join('\n')}\n`);
  };
  beforeEach(() => {
    directory = temporaryFolder();
    write(
      'sequence-old',
      headerOf('old', 'old at 1', 1_000),
      { kind: 'stepBegan', step: nas.id, ...at(1_100) },
      { kind: 'over', cancelled: null, ...at(1_200) },
    );
    write(
      'sequence-office',
      headerOf('office', 'lab at 5000', 5_000),
      { kind: 'stepBegan', step: nas.id, ...at(5_100) },
      { kind: 'stepEnded', step: nas.id, outcome: done, ...at(5_300) },
      { kind: 'phaseEnded', phase: 'remote_servers', ...at(5_300) },
      { kind: 'stepBegan', step: off.id, ...at(5_400) },
    );
    write('sequence-lab', headerOf('lab', 'lab at 5000', 5_000), { kind: 'torn' });
    write(
      'power-off',
      { kind: 'powerOff', company: 'lab at 5000', step: off },
      { kind: 'asked', group: 'office' },
      { kind: 'tryBegan', number: 1 },
      { kind: 'tryEnded', number: 1, outcome: { kind: 'failed', how: 'failed', reason: 'exit 1' } },
      { kind: 'tryBegan', number: 2 },
    );
  });

  it('continue as the record of the shutdown', () => {
    const { open, shared, powerOff } = new ShutdownRecord(files());
    expect(open.map(({ group }) => group)).to.have.members(['office', 'lab']);
    const office = open.find(({ group }) => group === 'office');
    expect(office?.cause).to.deep.equal(cause);
    expect([office?.startedMs, [...(office?.steps.keys() ?? [])]]).to.deep.equal([5_000, [nas.id, off.id]]);
    expect([...(office?.phasesEnded ?? [])]).to.deep.equal(['remote_servers']);
    expect(shared.get('server nas')).to.deep.include({ beganMs: 5_100 });
    expect(shared.get('server nas')?.ended?.outcome).to.deep.equal(done);
    expect(powerOff).to.deep.include({ attempts: 2, last: null, givenUp: false, step: off });
    expect([...powerOff.askedBy]).to.deep.equal(['office']);
  });

  it('are one journal of today after the next entry', () => {
    const record = new ShutdownRecord(files());
    record.write({
      kind: 'stepEnded',
      group: 'office',
      step: off.id,
      outcome: { kind: 'done' },
      ...at(6_000),
    });
    writeFileSync(join(directory, 'sequence-office.journal'), 'gone');
    const next = new ShutdownRecord(files());
    expect(next.of('office')?.steps.get(off.id)?.ended?.outcome).to.deep.equal(done);
    expect(next.open).to.have.length(2);
  });

  it('of another boot are summarized, without a power-off that another one replaced', () => {
    expect(previousShutdown(files('boot-b'))).to.match(
      /office: remote_servers\/nas done, local_poweroff\/host running/,
    );
    write(
      'power-off',
      { kind: 'powerOff', company: 'lab at 5000', step: off },
      { kind: 'asked', group: 'office' },
      { kind: 'tryBegan', number: 1 },
      { kind: 'gaveWay' },
    );
    expect(new ShutdownRecord(files()).powerOff.attempts).to.equal(0);
  });

  it('with arbitrary first lines say nothing', () => {
    for (const content of [
      '{}',
      '[]',
      '{"bootId":"boot-a","name":"sequence-office","header":{"kind":"sequence"}}',
    ])
      writeFileSync(join(directory, 'sequence-office.journal'), `${content}\n`);
    expect(new ShutdownRecord(files()).open.map(({ group }) => group)).to.deep.equal(['lab']);
    expect(readFileSync(join(directory, 'sequence-lab.journal'), 'utf8')).to.include('torn');
  });
});
