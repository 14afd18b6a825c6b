import { expect } from 'chai';
import { planOfGroup, planOfServer } from '../../../scripts/commands/drill/selection.js';
import { configurationFrom } from '../../supervisor/config/loading.js';

const server = (name: string, more = ''): string =>
  `[[ups.remote_servers]]\nname = "${name}"\nhost = "${name}.example"\nuser = "root"\n${more}`;
const file =
  '[[ups]]\nname = "office"\nis_local = true\n' +
  server('host', 'host_delegate = true\n') +
  server('old', 'enabled = false\n') +
  server('nas');

describe('the plan a drill runs', () => {
  it('is found by every spelling of its UPS', () => {
    for (const name of ['office', 'office@localhost', 'office@localhost:3493'])
      expect(planOfGroup(configurationFrom(file), name), name).to.have.nested.property(
        'plan.group',
        'office',
      );
    expect(planOfGroup(configurationFrom(file), 'office@localhost:3494').ok).to.equal(false);
  });

  it('says why a server is in none', () => {
    const why = (name: string) => planOfServer(configurationFrom(file), name);
    expect(why('nas').ok).to.equal(true);
    expect(why('old')).to.have.property('message').that.contains('enabled = false');
    expect(why('host')).to.have.property('message').that.contains('is the host delegate');
    expect(why('none')).to.have.property('message').that.contains('There are: host, nas');
  });
});
