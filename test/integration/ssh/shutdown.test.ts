import { expect } from 'chai';
import { PrivateSshd } from '../../fixtures/private-sshd.js';
import { includes, until } from '../../fixtures/until.js';
import { accessTo, budgetOf, commandAction, createTargets, shutDown, workOn } from './remote-parts.js';

describe('the shutdown of a server over a real sshd', () => {
  let sshd: PrivateSshd;
  beforeEach(async () => {
    sshd = await PrivateSshd.start();
  });
  afterEach(() => sshd.stop());

  it('logs in, runs the actions in their order and then the final command, over one connection', async () => {
    const actions = [commandAction(`echo one >> ${sshd.notes}`), commandAction(`echo two >> ${sshd.notes}`)];
    const outcome = await shutDown(accessTo(sshd), workOn({ actions }));
    expect(outcome).to.deep.include({ result: 'ok', detail: '', delivered: true });
    expect(outcome.steps.map(({ what, result }) => `${what}: ${result}`)).to.deep.equal([
      'connect: ok',
      `command echo one >> ${sshd.notes}: ok`,
      `command echo two >> ${sshd.notes}: ok`,
      'final command: ok',
    ]);
    expect(sshd.noted().map((line) => line.replace(/^[\d.]+ /, ''))).to.deep.equal([
      'one',
      'two',
      'shutdown -h now',
    ]);
    expect(sshd.log.match(/Accepted publickey/g)).to.have.length(1);
  });

  for (const [when, actions] of [
    ['logs in', []],
    ['runs an action', [commandAction('sleep 600', 600)]],
  ] as const)
    it(`replaces one of the same server that still ${when}: one final command at a time`, async () => {
      const { targets } = createTargets([accessTo(sshd)]);
      const older = targets.shutDown(workOn({ actions }), 60_000);
      if (actions.length > 0) await until(() => sshd.log, includes('Accepted publickey'));
      expect(await targets.shutDown(workOn(), budgetOf(workOn()))).to.include({
        result: 'ok',
        delivered: true,
      });
      expect(await older).to.include({ delivered: false, sent: false });
      expect(sshd.noted()).to.have.length(1);
      targets.end();
    });
});
