import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { RecordedTarget } from '../../../shared/domain/recovery/record.js';
import { recordVersion } from '../../../shared/domain/recovery/record.js';
import type { RecoveryPartDependencies } from '../../../supervisor/daemon/recovery-part.js';
import { RecoveryPart } from '../../../supervisor/daemon/recovery-part.js';
import { Guard } from '../../../supervisor/guard/guard.js';
import { noPowerOff } from '../../../supervisor/sequence/journal/power-off-record.js';
import { newTarget } from '../../../supervisor/recovery/target-record.js';
import { FakeTime } from '../../fixtures/fake-time.js';
import { idleLog } from '../../fixtures/idle-parts.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';
import { configurationFrom, office } from '../config/loading.js';

const server = '[[ups.remote_servers]]\nname = "nas"\nhost = "nas.example"\nuser = "root"\n';
const group = 'office-127.0.0.1-3493';

/** After a restart on the same boot, with this record of each group. */
function partWith(
  targets: Readonly<Record<string, Partial<RecordedTarget>>>,
  enabled = true,
  servers = server,
): RecoveryPart {
  const path = join(temporaryFolder(), 'recovery.json');
  const about = {
    version: recordVersion,
    machineId: 'm',
    configFile: '/c.toml',
    configHash: 'h',
    bootId: 'b',
  };
  const records = Object.entries(targets).map(([of, target], number) => ({
    ...{ ...about, number, group: of, inOutage: false, outputs: [] },
    targets: [{ ...newTarget('nas'), ...target }],
  }));
  const copy = { machineId: 'm', configFile: '/c.toml', isRecalled: true, records };
  writeFileSync(path, JSON.stringify({ bootId: 'b', recovery: copy }));
  const configuration = configurationFrom(`${office}${servers}[recovery]\nenabled = ${String(enabled)}\n`);
  const part = new RecoveryPart(
    { start: () => ({ state: 'starting' }) } as never,
    {
      ...{ clock: new FakeTime(), bootId: 'b', machineId: 'm', configFile: '/c.toml', log: idleLog },
      ...{ directory: { recovery: path }, guard: new Guard(idleLog), configuration: () => configuration },
    } as unknown as RecoveryPartDependencies,
  );
  part.apply(configuration);
  return part;
}

const isDown = { before: 'up', command: 'given', isOff: true } as const;

describe('the recovery of a daemon', () => {
  it('has a server as down that was commanded and found off', () => {
    expect([...partWith({ [group]: isDown }).down]).to.deep.equal([['nas', 'was shut down']]);
    const maybe = partWith({ [group]: { ...isDown, command: 'maybe' } }).down;
    expect(maybe.get('nas')).to.equal('may have been shut down, and was found off');
    expect([...partWith({ [group]: { ...isDown, isOff: false } }).down]).to.deep.equal([]);
    expect([...partWith({ [group]: { ...isDown, command: 'none' } }).down]).to.deep.equal([]);
    expect([...partWith({ [group]: isDown }, false).down], 'it is off').to.deep.equal([]);
  });

  it('has a server as down that was shut down by hand, from then on, where a look can end it', () => {
    const byHand = { before: 'up', byHandUnixSeconds: 1 } as const;
    expect([...partWith({ [group]: byHand }).down]).to.deep.equal([['nas', 'was shut down by hand']]);
    expect([...partWith({ [group]: byHand }, false).down], 'it is off').to.deep.equal([]);
    const never = `${server}off_check = "none"\n`;
    expect([...partWith({ [group]: byHand }, true, never).down], 'no look').to.deep.equal([]);
  });

  it('knows nothing of a server that a reload has made one that nothing looks at', async () => {
    const time = new FakeTime();
    const asked: string[] = [];
    const answer = (name: string) => ({ server: name, end: 'answer', link: 'eth0' });
    const look = (names: readonly string[]) => {
      asked.push(...names);
      return Promise.resolve({ ok: true, value: { looks: names.map(answer), gateways: [] } });
    };
    let configuration = configurationFrom(`${office}${server}[recovery]\nenabled = true\n`);
    const part = new RecoveryPart(
      { start: () => ({ state: 'starting' }) } as never,
      {
        ...{ clock: time, bootId: 'b', machineId: 'm', configFile: '/c.toml', log: idleLog },
        ...{ directory: { recovery: join(temporaryFolder(), 'recovery.json') }, guard: new Guard(idleLog) },
        ...{ configuration: () => configuration, remote: { look }, changed: () => undefined },
        engine: () => ({
          state: { groups: [], ups: [], upsIndex: new Map() },
          journal: { of: () => undefined, powerOff: noPowerOff, restart: null },
        }),
      } as unknown as RecoveryPartDependencies,
    );
    part.apply(configuration);
    part.tick();
    await time.pass(1);
    expect(part.status.targets[0]).to.include({ state: 'up', level: 'reachable', before: 'unknown' });
    part.tick();
    expect(part.status.targets[0], 'with the next tick').to.include({ before: 'up' });
    const never = `${server}off_check = "none"\n`;
    configuration = configurationFrom(`${office}${never}[recovery]\nenabled = true\n`);
    part.apply(configuration);
    expect(part.status.targets[0]).to.include({ state: 'skipped', level: 'unknown' });
    await time.pass(120_000);
    part.tick();
    expect(part.status.targets[0]).to.include({ before: 'unknown' });
    expect(asked).to.deep.equal(['nas']);
  });

  it('does not leave a server out of probes for ever that has moved to another group', () => {
    expect([...partWith({ 'rack-of-before': isDown, [group]: {} }).down]).to.deep.equal([]);
  });

  it('finds the servers that are down once for each change of a record, not at each tick', () => {
    const part = partWith({ [group]: isDown });
    const { down } = part;
    expect(part.down, 'the same object').to.equal(down);
  });

  it('shows the record, and that it is off', () => {
    const { state, targets } = partWith({ [group]: isDown }).status;
    expect([state, targets.map(({ name, before }) => [name, before])]).to.deep.equal([
      'idle',
      [['nas', 'up']],
    ]);
    expect(partWith({ [group]: isDown }, false).status.state).to.equal('off');
  });
});
