import { expect } from 'chai';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { configurationFor } from '../../fixtures/one-ups.js';
import { privateAccounts, privateAccountsProblem } from '../../fixtures/private-accounts.js';
import { processes, signal } from '../../fixtures/processes.js';
import { RealUpsd, nearlyEmpty, onBattery, onLine } from '../../fixtures/real-upsd.js';
import type { RunningDaemon } from '../../fixtures/running-daemon.js';
import { startDaemon } from '../../fixtures/running-daemon.js';
import { skipFor } from '../../fixtures/skip.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';
import { includes, isEmpty, until } from '../../fixtures/until.js';

/** The blocks of a kind in a document. */
const blocksOf = (name: string, kind: string): readonly string[] =>
  [...readFileSync(`docs/${name}`, 'utf8').matchAll(new RegExp(`\`\`\`${kind}\\n([^\`]+)\`\`\``, 'g'))].map(
    ([, text = '']) => text,
  );

describe('the hooks of a daemon', () => {
  let upsd: RealUpsd;
  let folder: string;
  let daemon: RunningDaemon | undefined;

  beforeEach(async () => {
    upsd = await RealUpsd.start({ ups: { office: onLine } });
    folder = temporaryFolder();
    chmodSync(folder, 0o755);
    daemon = undefined;
  });
  afterEach(async () => {
    await daemon?.stop();
    await upsd.stop();
  });

  const script = (name: string, text: string): string => {
    const path = join(folder, name);
    writeFileSync(path, text.startsWith('#!') ? text : `#!/bin/sh\n${text}`);
    chmodSync(path, 0o755);
    return path;
  };
  const hook = (on: string, path: string, more = ''): string =>
    `[[hooks]]\non = ["${on}"]\ncommand = ["${path}"]\n${more}\n`;
  /** Another account than root's, which every machine has. */
  const asNobody = '[supervisor.worker_users]\nhook = "nobody"\n';
  const toml = (more: string, users = asNobody): string =>
    configurationFor({ port: upsd.port, checkInterval: 0.2, more: `${users}${more}` });
  const log = (): string => daemon?.log() ?? '';

  it('are those of docs/hooks.md', async () => {
    const [example = ''] = blocksOf('hooks.md', 'toml');
    for (const text of blocksOf('hooks.md', 'sh')) script(/ups\/([\w-]+):/.exec(text)?.[1] ?? '', text);
    const here = example
      .replaceAll('/usr/local/lib/ups', folder)
      .replaceAll('office@127.0.0.1:3493', `office@127.0.0.1:${String(upsd.port)}`)
      .replace('after = 120', 'after = 1');
    daemon = await startDaemon({ toml: toml(here) });
    await daemon.seesAll();
    await upsd.rewrite('office', onBattery);
    await daemon.logged('stopping the downloads of office@127.0.0.1');
    await upsd.rewrite('office', onLine);
    await daemon.logged(`rack: office@127.0.0.1:${String(upsd.port)} has power`);
    await daemon.logged(
      /hooks\[0\] for ON_BATTERY of office@.* ended after .* s: rack: office@.* is on battery: /,
    );
  });

  it('cost nothing but themselves: one that hangs, one that floods, one that cannot be started, in a shutdown', async () => {
    const hooks = [
      hook('ON_BATTERY', script('hang', 'exec sleep 600'), 'timeout = 1'),
      hook('ON_BATTERY', script('flood', 'exec yes flood'), 'timeout = 2'),
      hook('ON_BATTERY', join(folder, 'absent')),
      hook('SHUTDOWN_TRIGGERED', script('late', 'exec sleep 600')),
    ];
    daemon = await startDaemon({ toml: toml(hooks.join('')) });
    await daemon.seesAll();
    await upsd.rewrite('office', nearlyEmpty);
    await daemon.poweredOff();
    await daemon.logged(/hooks\[0\] for ON_BATTERY of \S+ was killed after [\d.]+ s/);
    await daemon.logged(/hooks\[1\] for ON_BATTERY of \S+ was killed after [\d.]+ s: .*flood/);
    await daemon.logged(
      /hooks\[2\] for ON_BATTERY of \S+ (could not be started|failed after .* with exit status 127)/,
    );
    expect(daemon.powerOffs()).to.have.length(1);
  });

  it('run after a restart when their wait began before it', async () => {
    const directory = temporaryFolder();
    mkdirSync(join(directory, 'lib'));
    const text = toml(hook('ON_BATTERY', script('waited', 'echo it was $EVENT'), 'after = 3'));
    const first = await startDaemon({ toml: text, directory });
    daemon = first;
    await daemon.seesAll();
    await upsd.rewrite('office', onBattery);
    await daemon.logged('ON_BATTERY');
    await until(() => {
      try {
        return readFileSync(join(directory, 'run/supervisor/hooks.json'), 'utf8');
      } catch {
        return '';
      }
    }, includes('ON_BATTERY'));
    await first.kill();
    daemon = await startDaemon({ toml: text, directory });
    await daemon.logged('it was ON_BATTERY');
    expect(log().match(/it was ON_BATTERY/g)).to.have.length(1);
  });

  describe('of a daemon that is root', () => {
    before(function () {
      skipFor(this, privateAccountsProblem());
    });

    it('that fork without end fail, and the daemon does not', async () => {
      const accounts = privateAccounts();
      // Bounded: the processes end by themselves, later than a busy machine has started as many as the limit allows.
      const seconds = `300.${String(process.pid)}`;
      const forks = script('forks', `for i in $(seq 400); do sleep ${seconds} & done; wait`);
      daemon = await startDaemon({
        toml: toml(hook('ON_BATTERY', forks, 'timeout = 300'), ''),
        directory: accounts.directory,
        prefix: accounts.launcher(),
      });
      await daemon.seesAll();
      await upsd.rewrite('office', onBattery);
      await daemon.logged('hooks[0] for ON_BATTERY');
      expect(log()).to.match(/hooks\[0\] for ON_BATTERY .* with exit status \d+: .*[Cc]annot fork/);
      await upsd.rewrite('office', nearlyEmpty);
      await daemon.poweredOff();
      // The next test has the same user and its limit of processes.
      const sleeping = () => processes().filter(({ command }) => command === `sleep ${seconds}`);
      signal(
        sleeping().map(({ pid }) => pid),
        'SIGKILL',
      );
      await until(sleeping, isEmpty);
    });

    it('run as their own user, without privileges, limited and last in line', async () => {
      const accounts = privateAccounts();
      const facts = script(
        'facts',
        `id -un
grep -h -e CapEff -e NoNewPrivs /proc/self/status | tr -d '\\t'
cat /proc/self/oom_score_adj
nice
grep 'Max processes' /proc/self/limits | tr -s ' '
env | cut -d= -f1 | sort | tr '\\n' ' '
`,
      );
      daemon = await startDaemon({
        toml: toml(hook('ON_BATTERY', facts), ''),
        directory: accounts.directory,
        prefix: accounts.launcher(),
      });
      await daemon.seesAll();
      await upsd.rewrite('office', onBattery);
      await daemon.logged('hooks[0] for ON_BATTERY');
      const [line = ''] = /hooks\[0\] for ON_BATTERY.*/.exec(log()) ?? [];
      expect(line).to.match(/: ridethrough-hook \| /);
      expect(line).to.match(/CapEff:0+ \| NoNewPrivs:1 \| 1000 \| 19 \| Max processes 128 /);
      expect(line).to.not.match(/NOTIFY_SOCKET|WATCHDOG|RIDETHROUGH/);
    });
  });
});
