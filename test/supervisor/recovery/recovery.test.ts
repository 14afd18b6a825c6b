import { expect } from 'chai';
import { plansOf } from '../../../supervisor/config/derive/plans.js';
import type { GroupFacts, Identity } from '../../../supervisor/recovery/group-record.js';
import { Recovery } from '../../../supervisor/recovery/recovery.js';
import type { Look } from '../../../supervisor/recovery/target-record.js';
import type { JournalEntry } from '../../../supervisor/sequence/journal/entries.js';
import { foldOf } from '../../../supervisor/sequence/journal/record.js';
import { noPowerOff } from '../../../supervisor/sequence/journal/fold.js';
import { RecoveryRecord } from '../../../shared/domain/recovery/record.js';
import type { Outcome } from '../../../shared/protocol/contract.js';
import { FakeTime, settled } from '../../fixtures/fake-time.js';
import { configurationFrom, office } from '../config/loading.js';

const [plan] = plansOf(
  configurationFrom(`${office}[[ups.remote_servers]]\nname = "nas"\nhost = "nas.example"\nuser = "root"\n`),
);
const up: Look = { before: 'up', answers: true, unixSeconds: 10 };
const noAnswer: Look = { before: 'unknown', answers: false, unixSeconds: 20 };
const gone: Outcome<never> = { ok: false, error: { code: 'WORKER_GONE', message: 'it is gone' } };

/** What survives: the copy of a boot, and the disk. */
class Machine {
  copy: unknown = null;
  disk = new Map<string, string>();
  locked = true;
  isDown = false;
  readonly keeps: string[] = [];
  readonly warnings: string[] = [];
  bootId = 'boot 1';
  identity: Partial<Identity> = {};
  onBattery = false;
  look = up;
  entries: JournalEntry[] = [];
  readonly time = new FakeTime(0);

  starts(): Recovery {
    return new Recovery({
      clock: this.time,
      log: {
        debug: () => undefined,
        info: () => undefined,
        error: () => undefined,
        warning: (text) => this.warnings.push(text),
      },
      identity: () => ({
        machineId: 'm',
        configFile: '/c.toml',
        configHash: 'h',
        bootId: this.bootId,
        ...this.identity,
      }),
      file: {
        read: () => this.copy,
        write: (content) => {
          this.copy = JSON.parse(JSON.stringify(content));
          return true;
        },
      },
      recorder: {
        keep: (group, text) => {
          this.keeps.push(text);
          if (this.isDown) return Promise.resolve(gone);
          this.disk.set(group, text);
          return Promise.resolve({ ok: true, value: {} });
        },
        recall: () =>
          Promise.resolve(
            this.isDown
              ? gone
              : {
                  ok: true,
                  value: {
                    records: [...this.disk].map(([group, text]) => ({ group, text })),
                    locked: this.locked,
                    reason: this.locked ? null : 'another daemon has it',
                  },
                },
          ),
      },
      facts: () => [this.#facts],
    });
  }

  boots(): Recovery {
    this.copy = null;
    this.bootId = `${this.bootId}+`;
    this.entries = [];
    this.onBattery = false;
    return this.starts();
  }

  get #facts(): GroupFacts {
    const group = plan?.group ?? '';
    return {
      ...{
        group,
        servers: [{ name: 'nas', haltTimeoutMs: 60_000, isLookedAt: true }],
        feedsHost: false,
      },
      ...{
        onBattery: this.onBattery,
        sequence: foldOf(this.entries).groups.get(group),
        powerOff: noPowerOff,
      },
      ...{
        lookAt: () => this.look,
        isOutputOff: () => false,
        guestEnd: () => null,
        nowMs: this.time.monotonicMs(),
      },
      nowUnixSeconds: this.time.monotonicMs() / 1000,
    };
  }
}

async function passes(machine: Machine, recovery: Recovery, seconds = 3): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    machine.time.advance(1_000);
    recovery.tick();
    await settled();
  }
}

/** A sequence in which the server is being commanded. */
function sequenceOf({ time }: Machine): JournalEntry[] {
  if (plan === undefined) throw new Error('no plan');
  const at = { group: plan.group, atMs: time.monotonicMs(), unixSeconds: 0 };
  const cause = { trigger: 'LOW_BATTERY', why: '', firedAtUnixSeconds: 1 } as const;
  return [
    { kind: 'decided', cause, plan, ...at },
    { kind: 'stepBegan', step: 'remote_servers/nas', ...at },
  ];
}

const nasOf = (recovery: Recovery) => recovery.records.get(plan?.group ?? '')?.targets[0];

describe('the record of who was up', () => {
  it('is on the disk soon after each change, and once for each', async () => {
    const machine = new Machine();
    const recovery = machine.starts();
    await passes(machine, recovery);
    expect(machine.keeps).to.have.length(1);
    expect(recovery.isSynced).to.equal(true);
    machine.onBattery = true;
    recovery.update();
    let isWaiting = true;
    void recovery.untilSynced().then(() => (isWaiting = false));
    expect([isWaiting, recovery.isSynced], 'handed over, not on the disk').to.deep.equal([true, false]);
    await passes(machine, recovery);
    expect(isWaiting).to.equal(false);
    await recovery.untilSynced();
    expect(machine.keeps).to.have.length(2);
    expect(recovery.isSynced).to.equal(true);
  });

  it('is read from the copy of this boot after a restart, never from the disk', async () => {
    const machine = new Machine();
    const first = machine.starts();
    await passes(machine, first);
    machine.entries = sequenceOf(machine);
    await passes(machine, first);
    machine.disk.set(plan?.group ?? '', 'of another time');
    machine.look = noAnswer;
    const restarted = machine.starts();
    await passes(machine, restarted);
    expect(nasOf(restarted)).to.include({ before: 'up', command: 'maybe' });
    expect(machine.warnings).to.deep.equal([]);
  });

  it('has on the next boot what was up and on battery as maybe commanded, until it is up again', async () => {
    const machine = new Machine();
    await passes(machine, machine.starts());
    machine.onBattery = true;
    await passes(machine, machine.starts());
    machine.look = noAnswer;
    const booted = machine.boots();
    await passes(machine, booted);
    expect(nasOf(booted)).to.include({ before: 'up', command: 'maybe', isOff: true });
    machine.look = up;
    await passes(machine, booted);
    expect(nasOf(booted)).to.include({ before: 'up', command: 'none', isOff: false });
  });

  it('has on the next boot nothing to bring back of a night on line power', async () => {
    const machine = new Machine();
    await passes(machine, machine.starts());
    machine.look = noAnswer;
    const booted = machine.boots();
    await passes(machine, booted);
    expect(nasOf(booted)).to.include({ before: 'unknown', command: 'none' });
  });

  it('is not replaced on the disk before it was read', async () => {
    const machine = new Machine();
    machine.onBattery = true;
    await passes(machine, machine.starts());
    const before = machine.disk.get(plan?.group ?? '');
    machine.isDown = true;
    machine.look = noAnswer;
    const booted = machine.boots();
    await passes(machine, booted, 5);
    expect(machine.disk.get(plan?.group ?? '')).to.equal(before);
    expect(booted.trouble).to.match(/cannot be read: it is gone/);
    const again = machine.starts();
    machine.isDown = false;
    await passes(machine, again, 5);
    expect(nasOf(again), 'a restart in between has not lost it').to.include({ command: 'maybe' });
    expect(again.trouble).to.equal('');
  });

  it('numbers grow over boots', async () => {
    const machine = new Machine();
    machine.onBattery = true;
    await passes(machine, machine.starts());
    const number = () => (JSON.parse(machine.disk.get(plan?.group ?? '') ?? '{}') as RecoveryRecord).number;
    const first = number();
    await passes(machine, machine.boots());
    expect(number()).to.be.greaterThan(first);
  });

  for (const [what, identity, why] of [
    ['another machine', { machineId: 'n' }, 'it is of another machine'],
    ['another file', { configFile: '/d.toml' }, 'it is of /c.toml'],
  ] as const)
    it(`of ${what} is not used, and said`, async () => {
      const machine = new Machine();
      machine.onBattery = true;
      await passes(machine, machine.starts());
      machine.identity = identity;
      machine.look = noAnswer;
      const booted = machine.boots();
      await passes(machine, booted);
      expect(nasOf(booted)).to.include({ command: 'none' });
      expect(machine.warnings.join()).to.contain(why);
    });

  it('that is no record is not used, whatever it is', async () => {
    for (const text of ['', '{', 'null', '[]', '{"version":1}', '{"version":2}', '7']) {
      const machine = new Machine();
      machine.disk.set(plan?.group ?? '', text);
      const recovery = machine.starts();
      await passes(machine, recovery);
      expect(nasOf(recovery), text).to.include({ command: 'none' });
      expect(machine.warnings, text).to.have.length(1);
    }
  });

  it('is neither read nor written while another daemon has it', async () => {
    const machine = new Machine();
    machine.locked = false;
    const recovery = machine.starts();
    await passes(machine, recovery, 5);
    expect(machine.keeps).to.deep.equal([]);
    expect(recovery.trouble).to.equal('nothing is recorded: another daemon has it');
  });

  it('is on the disk for whoever waits also where nothing was to be written but the disk to be read', async () => {
    const machine = new Machine();
    machine.isDown = true;
    const recovery = machine.starts();
    await passes(machine, recovery);
    let isWaiting = true;
    void recovery.untilSynced().then(() => (isWaiting = false));
    machine.isDown = false;
    await passes(machine, recovery);
    expect([isWaiting, recovery.trouble]).to.deep.equal([false, '']);
  });

  it('says why it is not on the disk, until it is', async () => {
    const machine = new Machine();
    const recovery = machine.starts();
    await passes(machine, recovery);
    machine.isDown = true;
    machine.onBattery = true;
    await passes(machine, recovery, 6);
    expect(recovery.trouble).to.match(/is not on the disk: it is gone/);
    machine.isDown = false;
    await passes(machine, recovery, 3);
    expect(recovery.trouble).to.equal('');
  });

  it('is one that it reads again', async () => {
    const machine = new Machine();
    await passes(machine, machine.starts());
    for (const text of machine.keeps) expect(RecoveryRecord.is(JSON.parse(text))).to.equal(true);
  });
});
