import { expect } from 'chai';
import type { TargetOutcome } from '../../../shared/protocol/remote.js';
import type { RemoteWork } from '../../../shared/domain/actions/remote-work.js';
import { FakeGuests } from '../../fixtures/fake-guests.js';
import { preShutdown } from '../../fixtures/plans.js';
import { PrivateSshd } from '../../fixtures/private-sshd.js';
import { accessTo, budgetOf, commandAction, createTargets, workOn } from './remote-parts.js';

describe('the check of a remote server', () => {
  let sshd: PrivateSshd;
  beforeEach(async () => {
    sshd = await PrivateSshd.start();
  });
  afterEach(() => sshd.stop());
  const check = (work: Partial<RemoteWork>): Promise<TargetOutcome> =>
    createTargets([accessTo(sshd)]).targets.check(workOn(work), budgetOf(workOn(work)), null);
  const vms = preShutdown('stop_vms');

  it('finds every command where it would run, and runs none', async () => {
    const guests = new FakeGuests(sshd);
    guests.add('a', 'web');
    const actions = [vms, commandAction(`echo done >> ${sshd.notes}`)];
    const outcome = await check({ actions });
    expect(outcome).to.deep.include({ result: 'ok', detail: '', delivered: false });
    expect(outcome.steps.map(({ what, result }) => [what.split(' ')[0], result])).to.deep.equal([
      ['connect', 'ok'],
      ['stop_vms', 'ok'],
      ['command', 'ok'],
      ['final', 'ok'],
    ]);
    expect(sshd.noted()).to.deep.equal([]);
  });

  it('reports missing commands', async () => {
    const actions = [preShutdown('stop_proxmox_vms'), commandAction('/opt/stop all')];
    const outcome = await check({ actions, final: 'no-such-shutdown now' });
    expect(outcome.result).to.equal('failed');
    expect(outcome.detail).to.equal(
      'stop_proxmox_vms: qm was not found; command /opt/stop all: /opt/stop was not found; final command: no-such-shutdown was not found',
    );
  });

  it('says what of its way back it could not ask, instead of nothing', async () => {
    const { targets } = createTargets([accessTo(sshd)]);
    const wayBack = async (action: 'stop_proxmox_vms' | 'stop_containers', budgetMs = budgetOf(workOn())) =>
      (await targets.check(workOn({ actions: [preShutdown(action)] }), budgetMs, null)).wayBack;
    const notAsked = (action: string) => [
      { kind: 'not_asked', text: `the drill could not ask it what stays off after ${action}` },
    ];
    expect(await wayBack('stop_proxmox_vms'), 'qm is missing').to.deep.equal(notAsked('stop_proxmox_vms'));
    sshd.tool('qm', 'exit 0');
    expect(await wayBack('stop_proxmox_vms')).to.deep.equal([]);
    for (const tool of ['docker', 'podman']) sshd.tool(tool, 'sleep 20');
    expect(await wayBack('stop_containers', 4_000), 'it hangs').to.deep.equal(notAsked('stop_containers'));
  });

  it('asks sudo for exactly the configured words', async () => {
    sshd.tool(
      'sudo',
      `echo "sudo $*" >> ${sshd.notes}; case "$*" in "-n -l shutdown -h now") exit 0 ;; *) exit 1 ;; esac`,
    );
    expect((await check({ final: 'sudo -n shutdown -h now' })).result).to.equal('ok');
    expect((await check({ final: 'shutdown -h now', useSudo: true })).result).to.equal('ok');
    const refused = await check({ final: 'shutdown -P now', useSudo: true });
    expect(refused.detail).to.equal(
      'final command: sudo does not let this user run "shutdown -P now" without a password',
    );
    expect(new Set(sshd.noted())).to.deep.equal(
      new Set(['sudo -n -l shutdown -h now', 'sudo -n -l shutdown -P now']),
    );
  });

  it('says with the words of sudo why it lets nothing run, but for those of a password', async () => {
    const refusal = async (words: string) => {
      sshd.tool('sudo', `echo "${words}" >&2; exit 1`);
      return (await check({ final: 'sudo -n shutdown -h now' })).detail;
    };
    const text = 'final command: sudo does not let this user run "shutdown -h now" without a password';
    expect(await refusal('sudo: sorry, you must have a tty to run sudo')).to.equal(
      `${text}: sudo: sorry, you must have a tty to run sudo`,
    );
    expect(await refusal('sudo: a password is required')).to.equal(text);
  });

  it('reports that it cannot tell without a POSIX shell', async () => {
    await sshd.stop();
    sshd = await PrivateSshd.start({ shell: '/bin/false' });
    const outcome = await check({});
    expect(outcome.result).to.equal('ok');
    expect(outcome.unchecked).to.match(/^not checked: the login shell is not POSIX .* it printed nothing\)/);
    expect(outcome.steps[1]?.detail).to.equal(outcome.unchecked);
  });

  it('fails where the server runs no commands', async () => {
    await sshd.stop();
    sshd = await PrivateSshd.start({ config: 'MaxSessions 0' });
    const outcome = await check({});
    expect(outcome).to.include({ result: 'failed', unchecked: '' });
    expect(outcome.detail).to.match(/^login shell: the server refused to run it/);
  });

  it('reports that it cannot tell what only the shell knows', async () => {
    const outcome = await check({ final: '(sleep 5; shutdown now) &' });
    expect(outcome).to.deep.include({ result: 'ok' });
    expect(outcome.unchecked).to.match(/^not checked: which program the final command runs/);
  });
});
