import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';

const command = 'dist/scripts/ridethrough.js';

describe('ridethrough validate', () => {
  let directory: string;
  let file: string;
  const validate = (...args: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [command, 'validate', ...args], {
      encoding: 'utf8',
      timeout: 60_000,
    });
    return { status, stdout, stderr };
  };
  const judged = (text: string, ...args: readonly string[]) => {
    writeFileSync(file, text, { mode: 0o600 });
    return validate('--config', file, ...args);
  };

  beforeEach(() => {
    directory = temporaryFolder();
    file = join(directory, 'config.toml');
  });

  it('describes what the daemon will do with a minimal file', () => {
    const text = readFileSync('test/supervisor/config/minimal.toml', 'utf8');
    const { status, stdout, stderr } = judged(text);
    expect(stderr).to.equal('');
    // The line about upsmon depends on this machine, and on who may read /etc/nut.
    expect(stdout.replace(/^ {2}upsmon .*\n/m, '')).to.equal(
      `${file} is valid. The daemon does this with it:

Office (office@127.0.0.1:3493), which powers this machine
  polled      every 1 s over the network, with TLS if the server offers it
  doubts      a value that jumps as long as its NUT driver may show one sample, 60 s at most (value_hold); LB and what decides in a group as long as its NUT driver may show a status, 60 s at most, LB for 5 s at most (status_hold)
  shuts down  immediately:
                forced shutdown   FSD in the status, also on line power
                connection lost   3 failed polls and 15 s without a reading, while on battery; with DATA-STALE and a good battery 0.02 of the last runtime, up to 60 s (failsafe_share)
              on battery for 30 s or more, if one of these is true in 2 readings in a row:
                charge            below 20 %
                runtime           below 10 min
                charge falls      faster than 15 % a minute, after 90 s on battery; two falls alone 2 min later, where the runtime contradicts them (depletion.runtime_hold)
                time on battery   more than 15 min, with that of outages before (extended_time.threshold)
                low-battery flag  LB; waits 5 s at most, 15 s where charge and runtime contradict it
                output off        OFF without OB for 30 s (output_off_delay), without the waits above; a test or calibration inhibits it
  power back  after line power in 2 readings in a row, or BYPASS with mains for 60 s (bypass_end_delay)
  then runs   write all file systems out to their disks
              /bin/true -h now
              bound of the plan: 60 s
  feeds       this machine

What goes down when
  this host  Office fails

The daemon
  API         off
  log         standard error (text, from level info)
  notifies    nothing: notifications.urls is empty

Warnings
  local_shutdown.command: true does not power the machine off; this command has to power it off
`,
    );
    expect(status).to.equal(0);
  });

  it('lists every problem of an invalid file and exits with 78', () => {
    const { status, stdout, stderr } = judged(
      '[triggers]\nconfirmations = 0\n[[ups]]\nname = "a"\nis_locl = true',
    );
    expect(stdout).to.equal('');
    expect(stderr).to.equal(
      `${file} is not valid (2 problems); the daemon does not start with it:\n\n` +
        '  ups[a].is_locl: unknown key; did you mean "is_local"?\n' +
        '  triggers.confirmations: expected a whole number from 1 to 100, found 0\n',
    );
    expect(status).to.equal(78);
  });

  it('exits with 78 when the file is missing', () => {
    const { status, stderr } = validate('--config', join(directory, 'nowhere.toml'));
    expect(stderr).to.include('nowhere.toml does not exist');
    expect(status).to.equal(78);
  });

  it('exits with 2 for wrong arguments', () => {
    for (const args of [['--config'], ['--nonsense'], ['a-file.toml']]) {
      expect(validate(...args).status, args.join(' ')).to.equal(2);
    }
  });

  it('warns that a dry run executes nothing, and lists what it would execute', () => {
    const { stdout } = judged(
      '[[ups]]\nname = "a"\n[behavior]\ndry_run = true\n[local_shutdown]\n' +
        'command = ["/bin/true", "two words"]\nfallback_command = "/bin/false -x"\nwall = true\n',
    );
    expect(stdout).to.include('DRY RUN (behavior.dry_run = true): every step is logged, none is run.');
    expect(stdout).to.match(
      /would run {3}a message to all logged-in users.*\n +\/bin\/true "two words"\n +after three failures: \/bin\/false -x\n/,
    );
    expect(stdout).to.include('since no UPS is marked is_local and trigger_on = "any"');
  });

  for (const [more, reason] of [
    ['[local_shutdown]\nenabled = false', 'nothing on this machine: local_shutdown.enabled = false'],
    [
      '[local_shutdown]\ntrigger_on = "none"',
      'nothing on this machine: nothing powers it (is_local) and local_shutdown.trigger_on = "none"',
    ],
    ['[[ups]]\nname = "b"\nis_local = true', 'nothing on this machine, which b powers'],
  ] as const) {
    it(`explains why a UPS starts no shutdown: ${reason}`, () => {
      expect(judged(`[[ups]]\nname = "a"\n${more}`).stdout).to.include(`then runs   ${reason}`);
    });
  }

  it('names keys that this version does not support, and probable mistakes', () => {
    const { stdout, status } = judged(
      '[[ups]]\nname = "a"\n[triggers]\nconfirmations = 20\n[recovery]\nenabled = true',
    );
    expect(stdout).to.include(
      'Configured, but not part of this version\n  recovery: who was up is recorded, but this version starts no server again yet\n',
    );
    expect(stdout).to.include('Warnings\n  ups[a]: confirmations x check_interval is 20 x 1 s = 20 s;');
    expect(status).to.equal(0);
  });

  it('says which reports are sent, and when', () => {
    const reports = '[reports]\nenabled = true\nmonthly = true\ntime = "06:30"\nweekly_day = "friday"\n';
    const service = '[notifications]\nurls = ["gotify://127.0.0.1/token"]\n';
    expect(judged(`[[ups]]\nname = "a"\n${service}${reports}`).stdout).to.include(
      'reports     at 06:30: each Friday on the seven days before, on day 1 of a month on the month before\n',
    );
    expect(judged(`[[ups]]\nname = "a"\n${reports}`).stdout).to.include(
      'reports     nothing: notifications.urls is empty\n',
    );
  });

  it('explains what members of a redundancy group shut down, and what must fail for each target', () => {
    const server = (owner: string, name: string) =>
      `[[${owner}.remote_servers]]\nname = "${name}"\nhost = "192.0.2.9"\nuser = "${name}"\n`;
    const { stdout } = judged(
      `[[ups]]\nname = "a"\n${server('ups', 'switch')}[[ups]]\nname = "b"\n` +
        `[[redundancy_groups]]\nname = "r"\nups_sources = ["a", "b"]\nis_local = true\n${server('redundancy_groups', 'nas')}`,
    );
    expect(stdout).to.include('that is what it alone feeds; it is a member of r too');
    expect(stdout).to.include('nothing by itself: it is a member of r');
    expect(stdout).to.include(
      'r, redundancy group of a, b, which powers this machine\n  shuts down  when fewer than 1 of 2 members are healthy, ',
    );
    expect(stdout).to.include(
      'What goes down when\n  this host  a and b fail\n  switch     a fails\n  nas        a and b fail\n',
    );
  });

  it('prints JSON on request, for a valid and an invalid file', () => {
    const good: unknown = JSON.parse(judged('[[ups]]\nname = "a"\n', '--json').stdout);
    expect(good).to.include({ ok: true, file, dryRun: false });
    expect(good).to.have.nested.property('ups[0].triggers.lowBatteryPercent', 20);
    expect(good).to.have.nested.property('plans[0].phases[0].steps[0].action.command[0]', 'shutdown');
    const bad = judged('[api]\nport = 0\n', '--json');
    expect(JSON.parse(bad.stdout)).to.deep.include({ ok: false, file });
    expect(bad.stderr).to.equal('');
    expect(bad.status).to.equal(78);
  });

  it('prints no secret, neither as text nor as JSON', () => {
    const text =
      '[[ups]]\nname = "a"\n[ups.nut_control]\npassword = "PLANTED-1"\n[api.auth]\nenabled = true\n[nut_control]\nenabled = true\n' +
      'password = "PLANTED-2"\n[mqtt]\nenabled = true\nbroker = "mqtts://me:PLANTED-3@broker.example"\n' +
      '[notifications]\nurls = ["ntfys://PLANTED-4@ntfy.example/x"]\n';
    for (const args of [[], ['--json']]) {
      const { status, stdout, stderr } = judged(text, ...args);
      expect(status).to.equal(0);
      expect(stdout + stderr).to.not.include('PLANTED');
    }
  });

  it('prints where the status is published', () => {
    const { stdout } = judged(
      '[[ups]]\nname = "a"\n[mqtt]\nenabled = true\nbroker = "mqtts://me:x@broker.example"',
    );
    expect(stdout).to.contain(
      '  MQTT        svc/status to mqtts://broker.example:8883 at every change and every 10 s\n',
    );
  });

  it('prints no control characters', () => {
    const { stdout, stderr } = judged(
      '[[ups]]\nname = "a"\ndisplay_name = "\\u001b[2J\\u009b2J"\n"\\u001b]0;x" = 1',
    );
    // oxlint-disable-next-line no-control-regex -- none of them may be left
    expect(stdout + stderr).to.not.match(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  });
});
