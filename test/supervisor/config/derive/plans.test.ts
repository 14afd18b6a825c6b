import { expect } from 'chai';
import type { Plan, PlanStep } from '../../../../shared/domain/outage/plan.js';
import type { Configuration } from '../../../../supervisor/config/configuration/configuration.js';
import { plansOf } from '../../../../supervisor/config/derive/plans.js';
import { configurationFrom, office, withServer } from '../loading.js';

const local = `${office}is_local = true\n`;

function planOf(text: string, change: Partial<Configuration> = {}): Plan {
  const [plan] = plansOf({ ...configurationFrom(text), inContainer: false, ...change });
  if (plan === undefined) throw new Error('no plan');
  return plan;
}

/** `lane/rank: id budget`, phase by phase. */
function shown(plan: Plan): readonly string[] {
  return plan.phases.flatMap(({ name, beginsAfterSeconds, budgetSeconds, steps }) => [
    `${name} from ${String(beginsAfterSeconds)} for ${String(budgetSeconds)}`,
    ...steps.map(
      ({ lane, rank, id, budgetSeconds: budget, begins }) =>
        `  ${lane}/${String(rank)}: ${id} ${String(budget)}${begins === 'with_sequence' ? ' early' : ''}`,
    ),
  ]);
}

function stepOf(plan: Plan, id: string): PlanStep {
  const found = plan.phases.flatMap(({ steps }) => steps).find((step) => step.id === id);
  if (found === undefined) throw new Error(`no step ${id}`);
  return found;
}

const server = (name: string, more = '') =>
  `[[ups.remote_servers]]\nname = "${name}"\nhost = "${name}.test"\nuser = "root"\n${more}`;

describe('the plan of a configuration', () => {
  it('is built once', () => {
    const configuration = configurationFrom(local);
    expect(plansOf(configuration)).to.equal(plansOf(configuration));
    expect(plansOf({ ...configuration, dryRun: true })).not.to.equal(plansOf(configuration));
  });

  it('syncs and powers off when nothing else is configured', () => {
    expect(shown(planOf(local))).to.deep.equal([
      'filesystem_sync from 0 for 30',
      '  sync/0: filesystem_sync/sync 30',
      'local_poweroff from 30 for 30',
      '  host/0: local_poweroff/host 30',
    ]);
  });

  it('contains every phase in order, with its budgets', () => {
    const plan = planOf(
      `${local}[ups.virtual_machines]\nenabled = true\nmax_wait = 45\n` +
        '[ups.containers]\nenabled = true\nstop_timeout = 40\ncompose_files = ["/srv/a.yml", { path = "/srv/b.yml", stop_timeout = 90 }]\n' +
        '[ups.filesystems]\nunmount = { enabled = true, mounts = ["/mnt/a", "/mnt/b"] }\n' +
        '[ups.ups_output]\noff_after_shutdown = true\n[ups.nut_control]\npassword = "a secret"\n' +
        `${server('nas')}[local_shutdown]\nwall = true\n`,
    );
    expect(shown(plan)).to.deep.equal([
      'virtual_machines from 0 for 55',
      '  users/wall/0: virtual_machines/users/wall 5',
      '  guests/0: virtual_machines/guests 55',
      'containers from 55 for 130',
      '  containers/0: containers//srv/a.yml 40',
      '  containers/0: containers//srv/b.yml 90',
      '  containers/1: containers/remaining 40',
      'filesystem_sync from 185 for 30',
      '  sync/0: filesystem_sync/sync 30',
      'filesystem_unmount from 215 for 15',
      '  /mnt/a/0: filesystem_unmount//mnt/a 15',
      '  /mnt/b/0: filesystem_unmount//mnt/b 15',
      'remote_servers from 230 for 220',
      '  office-127.0.0.1-3493/2: remote_servers/nas 100',
      '  office-127.0.0.1-3493/3: remote_servers/nas/off 120',
      'final_sync from 450 for 30',
      '  sync/0: final_sync/sync 30',
      '  servers/again/0: final_sync/servers/again 30',
      'ups_output_off from 480 for 10',
      '  office-127.0.0.1-3493/0: ups_output_off/office-127.0.0.1-3493 10',
      '  servers/again/0: ups_output_off/servers/again 10',
      'local_poweroff from 490 for 30',
      '  host/0: local_poweroff/host 30',
      '  servers/again/0: local_poweroff/servers/again 30',
    ]);
    expect(plan.boundSeconds).to.equal(520);
    expect(plan.estimateSeconds).to.be.lessThan(plan.boundSeconds);
  });

  it('gives every step an id of its own, whatever servers and UPSes are named', () => {
    const names = ['wall', 'again', 'nas', 'nas/off', 'users', 'users/wall', 'servers/again'];
    const servers = names.map(
      (name, index) =>
        `[[ups.remote_servers]]\nname = "${name}"\nhost = "h${String(index)}"\nuser = "root"\nshutdown_order = ${String(index + 1)}\n`,
    );
    const ups = (name: string) =>
      `[[ups]]\nname = "${name}"\nnut_role = "primary"\n[ups.ups_output]\noff_after_shutdown = true\n`;
    const all = `${ups('again')}${ups('wall')}${ups('flag')}${ups('host')}`;
    const group =
      '[[redundancy_groups]]\nname = "g"\nups_sources = ["again", "wall", "flag", "host"]\nis_local = true\n';
    const text = `${all}${group}${servers.join('').replaceAll('[[ups.', '[[redundancy_groups.')}[local_shutdown]\nwall = true\n[nut]\nusername = "x"\npassword = "secret"\n[nut_control]\nusername = "x"\npassword = "secret"\n`;
    const plan = plansOf(configurationFrom(text)).find(({ group: id }) => id === 'redundancy-g');
    const ids = plan?.phases.flatMap(({ steps }) => steps.map(({ id }) => id)) ?? [];
    expect(ids).to.have.length.above(25);
    expect(new Set(ids).size).to.equal(ids.length);
  });

  it('marks the destructive steps', () => {
    const plan = planOf(`${local}[ups.virtual_machines]\nenabled = true\n[local_shutdown]\nwall = true\n`);
    const harmless = plan.phases.flatMap(({ steps }) => steps).filter(({ destructive }) => !destructive);
    expect(harmless.map(({ id }) => id)).to.deep.equal([
      'virtual_machines/users/wall',
      'filesystem_sync/sync',
    ]);
  });

  it('unmounts a nested mount before its parent', () => {
    const mounts = '["/mnt/a", "/mnt/a/b/c/", "/mnt/a/b", "/mnt/ab", "/mnt/a"]';
    const plan = planOf(`${local}[ups.filesystems.unmount]\nenabled = true\nmounts = ${mounts}\n`);
    const steps = plan.phases.find(({ name }) => name === 'filesystem_unmount');
    expect(steps?.steps.map(({ target, lane, rank }) => [target, lane, rank])).to.deep.equal([
      ['/mnt/a', '/mnt/a', 2],
      ['/mnt/a/b/c', '/mnt/a', 0],
      ['/mnt/a/b', '/mnt/a', 1],
      ['/mnt/ab', '/mnt/ab', 0],
    ]);
    expect(steps?.budgetSeconds).to.equal(45);
  });

  it('gives a server the time for the connection, every action, the final command and the margin', () => {
    const action = (name: string, timeout: string) =>
      `[[ups.remote_servers.pre_shutdown_commands]]\naction = "${name}"\n${timeout}`;
    const plan = planOf(
      `${local}${server('nas', 'connect_timeout = 7\ncommand_timeout = 20\nshutdown_safety_margin = 3\n')}` +
        action('stop_vms', 'timeout = 180\n') +
        action('sync', ''),
    );
    expect(stepOf(plan, 'remote_servers/nas').budgetSeconds).to.equal(7 + 180 + 20 + 20 + 3);
  });

  it('adds the budgets of different shutdown orders and takes the longest of equal ones', () => {
    const plan = planOf(
      local +
        server('a', 'command_timeout = 10\nshutdown_order = 2\n') +
        server('b', 'command_timeout = 50\nshutdown_order = 2\n') +
        server('c', 'shutdown_order = 1\nshutdown_safety_margin = 0\n') +
        server('off', 'enabled = false\n'),
    );
    const phase = plan.phases.find(({ name }) => name === 'remote_servers');
    expect(phase?.steps.map(({ target, rank }) => [target, rank])).to.deep.equal([
      ['a', 4],
      ['b', 4],
      ['c', 2],
      ['c off', 3],
    ]);
    expect(phase?.budgetSeconds).to.equal(40 + 120 + 120);
  });

  it('counts steps that start with the sequence from its start', () => {
    const early = server('a', 'when = "with_local"\nshutdown_safety_margin = 200\n');
    const plan = planOf(`${local}${early}${server('b', 'shutdown_safety_margin = 10\n')}`);
    expect(stepOf(plan, 'remote_servers/a')).to.include({ begins: 'with_sequence', budgetSeconds: 240 });
    // filesystem_sync 30, then the longer of: 240 from the start, 50 from here.
    expect(plan.phases.find(({ name }) => name === 'remote_servers')).to.include({
      beginsAfterSeconds: 30,
      budgetSeconds: 210,
    });
  });

  it('syncs once when no step is in between, and not at all when it is disabled', () => {
    const phases = (text: string) => planOf(text).phases.map(({ name }) => name);
    expect(phases(local)).not.to.include('final_sync');
    expect(phases(`${local}${server('nas')}`)).to.include('final_sync');
    expect(phases(`${local}[ups.filesystems]\nsync_enabled = false\n${server('nas')}`)).to.deep.equal([
      'remote_servers',
      'local_poweroff',
    ]);
    expect(phases(`${local}[local_shutdown]\nenabled = false\n`)).to.deep.equal([]);
  });

  it('does not cut the output of the UPS while local shutdown is disabled', () => {
    const text = `${local}[ups.ups_output]\noff_after_shutdown = true\noff_delay = 90\n[ups.nut_control]\npassword = "a secret"\n`;
    const off = planOf(`${text}[local_shutdown]\nenabled = false\n`);
    expect(off.phases.map(({ name }) => name)).not.to.include('ups_output_off');
    expect(stepOf(planOf(text), 'ups_output_off/office-127.0.0.1-3493').action).to.deep.equal({
      kind: 'upsOutputOff',
      ups: 'office-127.0.0.1-3493',
      command: 'shutdown.return',
      offDelaySeconds: 90,
    });
  });

  it('drains the other groups concurrently with its own servers, each in its own order', () => {
    const other = '[[ups]]\nname = "lab@nut1"\n' + server('lab-1', 'shutdown_order = 5\n');
    const drain = '[local_shutdown]\ndrain_on_local_shutdown = true\n';
    const text = `${withServer}${other}`;
    const drained = planOf(`${text}${drain}`).phases.find(({ name }) => name === 'remote_servers');
    expect(drained?.steps.map(({ target, lane, rank }) => [target, lane, rank])).to.deep.equal([
      ['nas', 'office-127.0.0.1-3493', 2],
      ['lab-1', 'lab-nut1', 10],
    ]);
    expect(planOf(text).phases.find(({ name }) => name === 'remote_servers')?.steps).to.have.length(1);
  });

  it('never shuts the host delegate down as a server, in a container or not', () => {
    const text = `${local}${server('host', 'host_delegate = true\n')}${server('nas')}`;
    for (const inContainer of [true, false]) {
      const plan = planOf(text, { inContainer });
      const remote = plan.phases.find(({ name }) => name === 'remote_servers');
      expect(remote?.steps.map(({ target }) => target)).to.deep.equal(['nas']);
    }
    expect(stepOf(planOf(text), 'local_poweroff/host').action.kind).to.equal('poweroff');
  });

  it('runs the local phases on the host delegate when in a container', () => {
    const text =
      `${local}[ups.virtual_machines]\nenabled = true\n` +
      '[ups.containers]\nenabled = true\ncompose_files = ["/srv/a.yml"]\ninclude_user_containers = true\n' +
      `[ups.filesystems.unmount]\nenabled = true\nmounts = ["/mnt/a"]\n${server('host', 'host_delegate = true\n')}`;
    const plan = planOf(text, { inContainer: true });
    const work = plan.phases
      .flatMap(({ steps }) => steps)
      .map(({ phase, action }) => {
        if (action.kind !== 'remote' && action.kind !== 'poweroffDelegate') throw new Error(action.kind);
        return [phase, ...action.work.actions.map(({ action: name }) => name), action.work.final];
      });
    expect(work).to.deep.equal([
      ['virtual_machines', 'stop_vms', null],
      ['containers', 'stop_compose', null],
      ['containers', 'stop_containers', null],
      ['containers', 'stop_containers_rootless', null],
      ['filesystem_sync', 'sync', null],
      ['filesystem_unmount', 'unmount_filesystems', null],
      ['final_sync', 'sync', null],
      ['local_poweroff', "shutdown -h now 'UPS battery critical, shutting down'"],
    ]);
  });

  it('has the same fallback command on the host delegate as on a host', () => {
    const text = `${local}${server('host', 'host_delegate = true\n')}[local_shutdown]\nfallback_command = ["/sbin/poweroff", "-f x"]\n`;
    const { action } = stepOf(planOf(text, { inContainer: true }), 'local_poweroff/host');
    expect(action).to.have.property('fallback', "/sbin/poweroff '-f x'");
  });

  it('causes a warning when it may take longer than the runtime at which it starts', () => {
    const warnings = (threshold: number) =>
      configurationFrom(
        `${local}${server('nas')}[triggers]\ncritical_runtime_threshold = ${String(threshold)}\n`,
      ).warnings.filter((text) => text.includes('critical_runtime_threshold'));
    expect(planOf(`${local}${server('nas')}`).boundSeconds).to.equal(190);
    expect(warnings(190)).to.deep.equal([]);
    expect(warnings(0)).to.deep.equal([]);
    expect(warnings(189)).to.have.length(1);
  });

  it('powers this host off for a member only where it is local, and with trigger_on for groups and UPSes in none', () => {
    const members = (first: string) =>
      `[[ups]]\nname = "a"\n${first}[[ups]]\nname = "b"\n${server('switch')}[[ups]]\nname = "c"\n` +
      '[[redundancy_groups]]\nname = "rack"\nups_sources = ["a", "b"]\n';
    const powersOff = (text: string) =>
      plansOf(configurationFrom(text))
        .filter(({ phases }) => phases.some(({ name }) => name === 'local_poweroff'))
        .map(({ group }) => group);
    expect(powersOff(members(''))).to.deep.equal(['c', 'redundancy-rack']);
    expect(powersOff(members('is_local = true\n'))).to.deep.equal(['a']);
    expect(powersOff(`${members('')}[local_shutdown]\ntrigger_on = "none"\n`)).to.deep.equal([]);
  });

  it('exists for a member that owns something', () => {
    const text =
      `[[ups]]\nname = "a"\n${server('switch')}[[ups]]\nname = "b"\n` +
      '[[redundancy_groups]]\nname = "rack"\nups_sources = ["a", "b"]\nis_local = true\n';
    expect(plansOf(configurationFrom(text)).map(({ group, fedBy }) => [group, fedBy])).to.deep.equal([
      ['a', ['a']],
      ['redundancy-rack', ['a', 'b']],
    ]);
  });

  it('names the UPSes that feed it', () => {
    const group = '[[redundancy_groups]]\nname = "rack"\nups_sources = ["a@nut1", "b@nut1"]\n';
    const plans = plansOf(configurationFrom(`[[ups]]\nname = "a@nut1"\n[[ups]]\nname = "b@nut1"\n${group}`));
    expect(plans.map(({ group: id, fedBy }) => [id, fedBy])).to.deep.equal([
      ['redundancy-rack', ['a-nut1', 'b-nut1']],
    ]);
  });
});
