// What was stopped on a server is named, looked at and started over a real sshd, with tools that work, hang or are old.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { RecordedGuest, StoppedGuest } from '../../../shared/domain/recovery/guest.js';
import { guestKey } from '../../../shared/domain/recovery/guest.js';
import type { RemoteTarget } from '../../../shared/protocol/remote.js';
import { verdictsOf } from '../../../supervisor/recovery/guests/server-verdicts.js';
import { preShutdown } from '../../fixtures/plans.js';
import { PrivateSshd } from '../../fixtures/private-sshd.js';
import { until } from '../../fixtures/until.js';
import { accessTo, budgetOf, createTargets, workOn } from './remote-parts.js';

const order = (guests: readonly StoppedGuest[], budgetMs = 30_000) => ({
  ...{ guests, useSudo: false, uri: null, budgetMs },
});

const loginsTo = ({ log }: PrivateSshd): number => log.split('Accepted publickey').length - 1;

describe('the guests of a server', () => {
  let sshd: PrivateSshd;
  beforeEach(async () => {
    sshd = await PrivateSshd.start();
    mkdirSync(join(sshd.folder, 'running'));
  });
  afterEach(() => sshd.stop());
  const state = (id: string): string => join(sshd.folder, 'running', id);
  const run = (id: string): void => writeFileSync(state(id), '');
  /** `qm` and `pct` with guests as files. `hangs` and `old` as the tools of a broken and of an old node. */
  const proxmox = (tool: 'qm' | 'pct', how: 'works' | 'hangs' | 'old'): void => {
    // As the real ones: also those that are stopped.
    const list =
      tool === 'qm'
        ? `echo 'VMID NAME STATUS MEM BOOTDISK PID'; for id in 101 102; do if [ -e "$id" ]; then echo "$id vm$id running 512 8.00 77"; else echo "$id vm$id stopped 512 8.00 0"; fi; done`
        : `echo 'VMID Status Lock Name'; for id in 201; do if [ -e "$id" ]; then echo "$id running ct$id"; else echo "$id stopped ct$id"; fi; done`;
    // An old one has no `--timeout` and no `--verbose`.
    const refuse =
      how === 'old' ? `case "$*" in (*--*) echo "400 unable to parse option" >&2; exit 255 ;; esac` : ':';
    sshd.tool(
      tool,
      `echo "${tool} $*" >> ${sshd.notes}
cd ${sshd.folder}/running
case $1 in
list) ${list} ;;
shutdown | stop) ${refuse}; rm -f "$2" ;;
status) ${how === 'hangs' ? 'exec sleep 600' : ':'}; ${refuse}; case $2 in (?99) echo "Configuration file 'nodes/a/$2.conf' does not exist" >&2; exit 2 ;; esac
  if [ -e "$2" ]; then echo 'status: running'; else echo 'status: stopped'; fi ;;
start) [ ! -e "$2" ] || { echo "VM $2 already running" >&2; exit 255; }; : > "$2" ;;
esac`,
    );
  };
  const open = (change: Partial<RemoteTarget> = {}) => createTargets([accessTo(sshd, change)]).targets;
  const stop = async (targets: ReturnType<typeof open>) => {
    const found = new Map<string, StoppedGuest>();
    const actions = (['stop_proxmox_vms', 'stop_proxmox_cts'] as const).map((name) =>
      preShutdown(name, { timeoutSeconds: 20 }),
    );
    const work = workOn({ actions, final: null });
    const outcome = await targets.shutDown(work, budgetOf(work), (guests) => {
      for (const guest of guests) found.set(guestKey(guest), guest);
    });
    await until(() => existsSync(sshd.knownHosts));
    return { outcome, found: [...found.values()] };
  };
  const look = async (
    targets: ReturnType<typeof open>,
    guests: readonly StoppedGuest[],
    budgetMs?: number,
  ) => {
    const asked = Date.now() / 1000;
    const answers = await targets.lookAtGuests('nas', order(guests, budgetMs));
    if (!answers.ok) throw new Error(answers.error.message);
    const recorded = guests.map((guest): RecordedGuest => ({
      ...guest,
      ...{ foundMs: 1, foundUnixSeconds: 1, state: 'stopped', reason: '' },
    }));
    const verdicts = verdictsOf(recorded, answers.value, { asked, answered: Date.now() / 1000 });
    return guests.map((guest) => `${guest.id} ${verdicts.get(guestKey(guest))?.kind ?? '-'}`);
  };

  it('are named by their stop, looked at and started over one login, and run', async () => {
    for (const tool of ['qm', 'pct'] as const) proxmox(tool, 'works');
    for (const id of ['101', '102', '201']) run(id);
    const targets = open();
    const { outcome, found } = await stop(targets);
    expect(outcome.result, outcome.detail).to.equal('ok');
    expect(found.map(({ id, name }) => `${id} ${name}`)).to.deep.equal([
      '101 vm101',
      '102 vm102',
      '201 ct201',
    ]);
    expect(['101', '102', '201'].some((id) => existsSync(state(id)))).to.equal(false);
    // Somebody else has started one.
    run('102');
    const gone: StoppedGuest = { engine: 'proxmox_vm', id: '199', name: 'x', user: null };
    const logins = loginsTo(sshd);
    expect(await look(targets, [...found, gone])).to.deep.equal([
      '101 start',
      '102 runs',
      '201 start',
      '199 gone',
    ]);
    const started = await targets.startGuests('nas', order(found));
    expect(
      started.ok && started.value.map(({ kind, place }) => `${String(place)} ${kind}`).sort(),
    ).to.deep.equal(['0 started', '1 refusal', '2 started']);
    expect(await look(targets, found)).to.deep.equal(['101 runs', '102 runs', '201 runs']);
    expect(loginsTo(sshd) - logins).to.equal(1);
    targets.endGuests(['nas']);
    expect(await targets.startGuests('nas', order(found))).to.deep.include({ ok: false });
    targets.end();
  });

  it('of a tool that hangs stay as they are, and the others are looked at and started', async () => {
    proxmox('qm', 'hangs');
    proxmox('pct', 'works');
    const guests: StoppedGuest[] = [
      { engine: 'proxmox_vm', id: '101', name: 'web', user: null },
      { engine: 'proxmox_ct', id: '201', name: 'db', user: null },
    ];
    const targets = open();
    await stop(targets);
    expect(await look(targets, guests, 8_000)).to.deep.equal(['101 stays', '201 start']);
    targets.end();
  });

  it('are looked at and started with the tools of an old node', async () => {
    for (const tool of ['qm', 'pct'] as const) proxmox(tool, 'old');
    const guest: StoppedGuest = { engine: 'proxmox_vm', id: '101', name: 'web', user: null };
    const targets = open();
    await stop(targets);
    expect(await look(targets, [guest])).to.deep.equal(['101 start']);
    await targets.startGuests('nas', order([guest]));
    expect(existsSync(state('101'))).to.equal(true);
    targets.end();
  });

  it('never store a host key, whatever the policy: a machine in its initramfs has another', async () => {
    proxmox('qm', 'works');
    const guest: StoppedGuest = { engine: 'proxmox_vm', id: '101', name: 'web', user: null };
    const targets = open({ hostKeyPolicy: 'accept-new' });
    const answers = await targets.lookAtGuests('nas', order([guest]));
    expect(answers).to.have.nested.property('error.code', 'UNREACHED');
    expect(existsSync(sshd.knownHosts)).to.equal(false);
    expect(sshd.noted()).to.deep.equal([]);
    targets.end();
  });

  it('share one login where several engines are asked at once, and none is left when they are let go', async () => {
    for (const tool of ['qm', 'pct'] as const) proxmox(tool, 'works');
    const targets = open();
    await stop(targets);
    const logins = loginsTo(sshd);
    const guests = [
      { engine: 'proxmox_vm', id: '101', name: 'web', user: null },
      { engine: 'proxmox_ct', id: '201', name: 'db', user: null },
    ] as const;
    await Promise.all(guests.map((guest) => look(targets, [guest])));
    expect(loginsTo(sshd) - logins).to.equal(1);
    const asked = targets.lookAtGuests('nas', order(guests));
    targets.endGuests(['nas']);
    await asked;
    targets.end();
  });
});
