import { expect } from 'chai';
import { PrivateSshd } from '../../fixtures/private-sshd.js';
import { accessTo, commandAction, shutDown, workOn } from './remote-parts.js';

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
});
