import { execFileSync } from 'node:child_process';
import { expect } from 'chai';
import type { ActionOrder } from '../../../shared/domain/actions/server-action.js';
import { serverActions } from '../../../shared/domain/actions/on-servers.js';
import { isOfLibrary } from '../../../workers/ssh/library-errors.js';
import { finalOf, stepOf } from '../../../workers/ssh/outcome.js';
import { ownContainer } from '../../../workers/remote/own-container.js';
import { OutputTail, oneLine, withoutControls } from '../../../workers/ssh/output-tail.js';
import type { CommandEnd, CommandResult } from '../../../workers/ssh/session.js';
import { beginsWithSudo, withSudo } from '../../../shared/domain/commands/with-sudo.js';
import { guardCommand, lastWords, script, scriptReport } from '../../../workers/ssh/shell.js';
import { quoteWord } from '../../../shared/domain/commands/shell-words.js';

describe('the script of a command', () => {
  it('is valid in every POSIX shell, for every action', () => {
    const order: ActionOrder = {
      projects: [{ path: `/srv/it's $(x) "here"/compose.yaml`, timeoutSeconds: 30 }],
      mounts: [{ path: `/mnt/a b'c`, options: '-l -f' }],
      runtime: 'podman',
      uri: `qemu:///it's "here"?$(x)`,
      useSudo: true,
      seconds: 30,
      ownContainer: null,
      ranMark: 'mark',
    };
    for (const action of Object.values(serverActions)) {
      const text = script(action.lines(order), 30_000);
      execFileSync('sh', ['-n'], { input: text });
    }
    execFileSync('sh', ['-n'], { input: guardCommand('echo hi # comment', 1_000) });
  });

  it('quotes any word as one word', () => {
    for (const word of ['', `it's`, '$(reboot)', '`x`', '"', '\\', '-l', 'a  b', '*'])
      expect(execFileSync('sh', ['-c', `printf %s ${quoteWord(word)}`], { encoding: 'utf8' })).to.equal(word);
  });

  it('starts with sudo as a word, not as a prefix', () => {
    expect(withSudo('shutdown -h now', true)).to.equal('sudo -n shutdown -h now');
    expect(withSudo('shutdown -h now', false)).to.equal('shutdown -h now');
    for (const text of ['sudo -n halt', ' sudo halt', 'sudo\thalt'])
      expect(beginsWithSudo(text)).to.equal(true);
    for (const text of ['sudoku', 'echo sudo', '/usr/bin/sudo-like'])
      expect(beginsWithSudo(text)).to.equal(false);
  });
});

describe('the output of a command', () => {
  it('is limited to its end', () => {
    const tail = new OutputTail();
    for (let i = 0; i < 10_000; i += 1) tail.add(Buffer.from(`line ${String(i)}\n`));
    expect(tail.text.length).to.be.at.most(8_192);
    expect(tail.text).to.match(/line 9999\n$/);
  });

  it('ends with the answer, whatever comes after it', () => {
    const tail = new OutputTail(lastWords);
    const motd = Buffer.from('motd\n'.repeat(5_000));
    tail.add(motd);
    tail.add(Buffer.from('ridethrough-begin-ridethrough\nstill running: web\nridethrough-e'));
    tail.add(Buffer.concat([Buffer.from('nd-ridethrough\n'), motd]));
    tail.add(motd);
    expect(scriptReport(tail.text)).to.equal('\nstill running: web\n');
  });

  it('is shown without control characters', () => {
    expect(withoutControls('\u001b[31mred\u001b[0m\u0007 a\r\nb\u0000')).to.equal('red  a\nb ');
    expect(oneLine('first\n\n second \n', 100)).to.equal('first; second');
    expect(oneLine('x'.repeat(50), 10)).to.equal(`...${'x'.repeat(7)}`);
  });
});

describe('the result of a command', () => {
  const of = (end: CommandEnd, stderr = ''): CommandResult => ({ end, stdout: '', stderr, durationMs: 1 });

  it('counts as delivered when the server or connection ends during the final command', () => {
    for (const end of [
      { kind: 'exited', code: 0 },
      { kind: 'signalled', signal: 'SIGTERM' },
      { kind: 'unknown' },
      { kind: 'lost', begun: 'yes' },
    ] as const)
      expect(finalOf(of(end), 1_000)).to.include({ result: 'ok', delivered: true });
    for (const end of [
      { kind: 'exited', code: 1 },
      { kind: 'refused', reason: 'no' },
      { kind: 'lost', begun: 'no' },
      { kind: 'timeout', begun: 'yes' },
    ] as const)
      expect(finalOf(of(end), 1_000)).to.include({ delivered: false, maybeSent: false });
  });

  it('may have been obeyed when a signal ended it and its shell goes on', () => {
    for (const code of [129, 137, 143])
      expect(finalOf(of({ kind: 'exited', code }), 1_000)).to.include({
        ...{ result: 'failed', delivered: false, sent: true, maybeSent: true },
      });
  });

  it('is otherwise success only with exit status 0', () => {
    expect(stepOf(of({ kind: 'lost', begun: 'yes' }), 1_000).result).to.equal('failed');
    expect(stepOf(of({ kind: 'unknown' }), 1_000).result).to.equal('failed');
    expect(stepOf(of({ kind: 'exited', code: 127 }, 'sh: x: not found\n'), 1_000)).to.deep.equal({
      result: 'failed',
      detail: 'exit status 127 (no such command): sh: x: not found',
    });
  });
});

describe('an uncaught exception', () => {
  it('is attributed to the SSH library when the library threw it, and to this program otherwise', () => {
    const library =
      'Error: x\n    at node:events:1:1\n    at Protocol.parse (/a/node_modules/ssh2/lib/protocol/Protocol.js:1:1)';
    expect(isOfLibrary(library)).to.equal(true);
    expect(isOfLibrary(`TypeError: y\n    at run (/a/dist/workers/ssh/session.js:1:1)\n${library}`)).to.equal(
      false,
    );
    expect(isOfLibrary('RangeError: z')).to.equal(false);
  });
});

describe('the container of the daemon', () => {
  it('is detected by the files that its engine mounts over /etc', () => {
    const id = '0123456789abcdef'.repeat(4);
    const line = (path: string): string =>
      `612 580 8:1 ${path} /etc/hostname rw,relatime - ext4 /dev/sda1 rw\n`;
    expect(ownContainer(line(`/var/lib/docker/containers/${id}/hostname`))).to.equal(id);
    expect(
      ownContainer(line(`/var/lib/containers/storage/overlay-containers/${id}/userdata/hostname`)),
    ).to.equal(id);
    expect(ownContainer(line('/etc/hostname'))).to.equal(null);
  });
});
