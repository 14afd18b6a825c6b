import { expect } from 'chai';
import { planOfGroup, planOfServer, noPlanReason } from '../../../scripts/commands/drill/selection.js';
import { configurationFrom, withGroup } from '../../supervisor/config/loading.js';

const server = (name: string, more = ''): string =>
  `[[ups.remote_servers]]\nname = "${name}"\nhost = "${name}.example"\nuser = "root"\n${more}`;
const file =
  '[[ups]]\nname = "office"\nis_local = true\n' +
  server('host', 'host_delegate = true\n') +
  server('old', 'enabled = false\n') +
  server('nas');

describe('the plan that a drill runs', () => {
  it('is found by every spelling of its UPS', () => {
    for (const name of ['office', 'office@localhost', 'office@localhost:3493', 'office-localhost'])
      expect(planOfGroup(configurationFrom(file), name), name).to.have.nested.property(
        'plan.group',
        'office',
      );
    expect(planOfGroup(configurationFrom(file), 'office@localhost:3494').ok).to.equal(false);
  });

  it('belongs to the UPS with this name, not with this alias', () => {
    const two = configurationFrom(`${file}[[ups]]\nname = "office-localhost"\n`);
    expect(planOfGroup(two, 'office-localhost')).to.have.nested.property('plan.group', 'office-localhost');
    expect(planOfGroup(two, 'office@localhost')).to.have.nested.property('plan.group', 'office');
  });

  it("is that of the server's own group, also if the local group shuts the server down too", () => {
    const drained = configurationFrom(
      '[[ups]]\nname = "hall"\nis_local = true\n[[ups]]\nname = "lab"\n' +
        `${server('nas')}[local_shutdown]\ndrain_on_local_shutdown = true\n`,
    );
    expect(planOfServer(drained, 'nas')).to.have.nested.property('plan.group', 'lab');
  });

  it('is missing with a reason for a server without a plan', () => {
    const why = (name: string) => planOfServer(configurationFrom(file), name);
    expect(why('nas').ok).to.equal(true);
    expect(why('old')).to.have.property('message').that.contains('enabled = false');
    expect(why('host')).to.have.property('message').that.contains('is the host delegate');
    // Also when the phases of this machine run on it.
    const contained = { ...configurationFrom(file), inContainer: true };
    expect(planOfServer(contained, 'host')).to.have.property('message').that.contains('is the host delegate');
    expect(why('none')).to.have.property('message').that.contains('There are: host, nas');
  });
});

describe('the plan of a member of a redundancy group', () => {
  const configuration = (group: string) =>
    configurationFrom(withGroup.replace('name = "rack-1"', `name = ${JSON.stringify(group)}`));

  it('is missing, and the error names the group and the command', () => {
    for (const name of ['rack-a@nut1', 'rack-a-nut1', 'rack-a@nut1:3493', 'rack-a-nut1-3493'])
      expect(planOfGroup(configuration('rack-1'), name), name).to.deep.equal({
        ok: false,
        message:
          'rack-a@nut1 is a member of rack-1 and has no plan of its own. ' +
          'Use: ridethrough shutdown group --group rack-1',
      });
    expect(noPlanReason(configuration('rack-1'), 'rack-b@nut1', 'ridethrough plan')).to.contain(
      'Use: ridethrough plan rack-1',
    );
  });

  it('is named in quotes when the shell needs them', () => {
    expect(noPlanReason(configuration("rack one's"), 'rack-a@nut1', 'ridethrough plan')).to.contain(
      "Use: ridethrough plan 'rack one'\\''s'",
    );
  });
});
