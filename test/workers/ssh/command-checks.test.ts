// The checks of a drill for a final command: sudo is asked for exactly the configured words.
import { expect } from 'chai';
import { ActionHost } from '../../fixtures/action-host.js';
import { preShutdown, remoteWork } from '../../fixtures/plans.js';
import { haGuestsIn, haGuestsText, isInSwarm } from '../../../shared/domain/commands/kept-off.js';
import { commandChecks } from '../../../workers/ssh/command-checks.js';

describe('the checks of a drill', () => {
  let host: ActionHost;
  beforeEach(() => {
    host = new ActionHost();
    host.tool(
      'sudo',
      `for word in "$@"; do printf '<%s>' "$word"; done >> ${host.notes}; echo >> ${host.notes}`,
    );
    host.tool('off', 'exit 9');
  });
  afterEach(() => host.remove());
  const ask = async (final: string) => {
    const [last] = commandChecks({ ...remoteWork('nas'), final });
    return host.sh(last?.lines ?? []);
  };

  for (const [final, asked] of [
    ['sudo -n off -h now', '<-n><-l><off><-h><now>'],
    ["sudo -n off -h 'UPS critical, going down'", '<-n><-l><off><-h><UPS critical, going down>'],
    ["sudo -n off 'it'\\''s' '' '$(x); `y` *'", "<-n><-l><off><it's><><$(x); `y` *>"],
    // The first of several commands, without its redirections.
    ['sudo -n off; echo done', '<-n><-l><off>'],
    ['sudo -n off -h now & sleep 1', '<-n><-l><off><-h><now>'],
    ["sudo -n off 'now; really' 2>/dev/null || true", '<-n><-l><off><now; really>'],
    // Not plain words: the result of the shell is unknown here, and sudo may have a rule for exactly that.
    ['sudo -n off "$(date)"', undefined],
    ["sudo -n off 'unclosed", undefined],
    ['(sleep 5; off) &', undefined],
    ['sudo -u ops off', undefined],
    ['off now; nothing else', undefined],
    ['off "$(date)"', undefined],
  ] as const)
    it(`run ${asked ?? 'a lookup of the program'} for ${final}`, async () => {
      expect(await ask(final)).to.deep.equal({ status: 0, outputLines: [] });
      expect(host.noted()).to.deep.equal(asked === undefined ? [] : [asked]);
    });

  it('report missing programs and rejections of sudo, with the exact command', async () => {
    expect(await ask("'/nowhere/to be/found' now")).to.deep.equal({
      status: 1,
      outputLines: ['/nowhere/to be/found was not found'],
    });
    host.tool('sudo', 'exit 1');
    expect(await ask("sudo -n off 'going down'")).to.deep.equal({
      status: 1,
      outputLines: ['sudo does not let this user run "off going down" without a password'],
    });
  });

  /** As sudo 1.9.13 prints it for a user of the group sudo with a rule of their own. */
  const listed = (...rules: readonly string[]): string =>
    [
      'Matching Defaults entries for ops on nas:',
      '    env_reset, mail_badpass, secure_path=/usr/sbin\\:/usr/bin\\:/sbin\\:/bin, use_pty',
      '',
      'User ops may run the following commands on nas:',
      ...rules.map((rule) => `    ${rule}`),
    ].join('\n');
  const all = '(ALL : ALL) ALL';
  for (const [rules, refused] of [
    [[all, '(root) NOPASSWD: /sbin/off -h now'], true],
    [['(root) NOPASSWD: /sbin/off', all], true],
    [['(ALL) NOPASSWD: ALL', all], true],
    [['(postgres) NOPASSWD: ALL', all], true],
    [[all, '(root) NOPASSWD: /bin/sync, /sbin/off'], false],
    [[all, '(root) SETENV: NOPASSWD: /sbin/off -P *, PASSWD: /bin/sync'], false],
    [[all, '(ALL : ALL) NOPASSWD: ALL'], false],
    [[all, '(root) NOPASSWD: /usr/sbin/'], false],
    [['(root) NOPASSWD: /sbin/off -P now'], false],
    [[], false],
  ] as const)
    it(`${refused ? 'refuse' : 'accept'} a command with the rules ${rules.join('; ')}`, async () => {
      host.tool('id', 'echo 1000');
      host.tool(
        'sudo',
        `if [ $# -gt 2 ]; then echo '/usr/sbin/off -P now'; else cat <<'EOF'\n${listed(...rules)}\nEOF\nfi`,
      );
      const outputLines = [
        'sudo does not let this user run "off -P now" without a password: the last rule that matches has no NOPASSWD (sudo -l)',
      ];
      expect(await ask('sudo -n off -P now')).to.deep.equal(
        refused ? { status: 1, outputLines } : { status: 0, outputLines: [] },
      );
    });

  it('accept a sudo that knows no list, as the one that calls doas', async () => {
    host.tool(
      'sudo',
      `echo "sudo: unrecognized option: l" >&2; echo "Please report bugs at <https://github.com/jirutka/doas-sudo-shim/issues>." >&2; exit 1`,
    );
    expect(await ask('sudo -n off -P now')).to.deep.equal({ status: 0, outputLines: [] });
  });

  it('print the restart policies of the containers that an action would stop, and whether they are in a swarm', async () => {
    const node = 'wpneh5oxq8oi';
    host.tool(
      'docker',
      `case "$1 $*" in (ps*label*) echo b ;; (ps*) echo a; echo b ;; (inspect*) shift 3; for id in "$@"; do echo "/$id unless-stopped"; done ;; (info*) echo "swarm node: ${node}" ;; esac`,
    );
    host.tool('podman', 'exit 125');
    const stop = (action: 'stop_containers' | 'stop_compose') => ({
      action,
      command: null,
      projects: [],
      mounts: [],
      runtime: null,
      uri: null,
      timeoutSeconds: 60,
    });
    const actions = [stop('stop_containers'), stop('stop_compose')];
    const [all, projects] = commandChecks({ ...remoteWork('nas'), useSudo: false, actions });
    const outputLines = ['/a unless-stopped', '/b unless-stopped', `swarm node: ${node}`];
    expect(await host.sh(all?.policies ?? [])).to.deep.equal({ status: 0, outputLines });
    expect(isInSwarm(outputLines.join('\n'))).to.equal(true);
    expect(isInSwarm('swarm node:'), 'in no swarm').to.equal(false);
    expect(await host.sh(projects?.policies ?? [])).to.deep.equal({
      status: 0,
      outputLines: ['/b unless-stopped'],
    });
  });

  it('print the guests of Proxmox that HA was requested to keep started, without asking HA for anything', async () => {
    host.highAvailability(
      'vm: 101\n\tstate started\n\nvm: 102\n\tstate stopped\n\nct: 200\n\nvm: 103\n\tstate ignored\n\n',
    );
    host.tool('ha-manager', `echo "$*" >> ${host.notes}`);
    const actions = [preShutdown('stop_proxmox_vms'), preShutdown('stop_proxmox_cts')];
    const [vms, cts] = commandChecks({ ...remoteWork('pve'), useSudo: false, actions });
    expect((await host.sh(vms?.policies ?? [])).outputLines).to.deep.equal(['ha guest vm:101']);
    expect((await host.sh(cts?.policies ?? [])).outputLines).to.deep.equal(['ha guest ct:200']);
    expect(host.noted()).to.deep.equal([]);
    expect(
      haGuestsIn('ha guest vm:101\nha guest ct:200\nha guest vm:x\nha guest\n/ha unless-stopped'),
    ).to.deep.equal(['vm:101', 'ct:200']);
    expect(haGuestsText(['vm:101'])).to.match(/so they stay off: vm:101$/);
    expect(haGuestsText([])).to.equal('');
  });

  it('print nothing of a Proxmox without HA', async () => {
    const [vms] = commandChecks({ ...remoteWork('pve'), actions: [preShutdown('stop_proxmox_vms')] });
    expect(await host.sh(vms?.policies ?? [])).to.deep.equal({ status: 0, outputLines: [] });
  });
});
