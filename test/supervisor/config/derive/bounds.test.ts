import { expect } from 'chai';
import { office, warningsFrom } from '../loading.js';

const server = (name: string, order: number) => `[[ups.remote_servers]]
name = "${name}"
host = "${name}.test"
user = "root"
shutdown_order = ${String(order)}
`;
const ofBounds = (threshold: number) =>
  warningsFrom(
    `${office}is_local = true\n${server('db', 1)}${server('nas', 2)}[triggers]\ncritical_runtime_threshold = ${String(threshold)}\n`,
  ).filter((warning) => warning.includes('its shutdown may take'));

describe('the bound of a plan', () => {
  it('is a warning above the threshold, with the bound without waits and what a wait costs', () => {
    // sync 30, db 100, its wait 120, nas 100, sync 30, power-off 30.
    expect(ofBounds(410)).to.deep.equal([]);
    const [pushed = ''] = ofBounds(409);
    expect(pushed).to.include('up to 410 s, 290 s of it without the waits');
    expect(pushed).to.include('a wait ends early when the battery needs it');
    expect(ofBounds(289).join()).to.include('raise the threshold above the bound, or shorten timeouts');
  });

  it('is a warning beside the HOSTSYNC of the primary that this host is a secondary of', () => {
    const role = 'is_local = true\nnut_role = "secondary"\n';
    const login = '[nut]\nusername = "a"\npassword = "b"\n';
    const warnings = warningsFrom(`${office}${role}${login}`).join();
    expect(warnings).to.match(
      /up to 60 s, and after FSD the primary of office@\S+ waits .* \(15 s by default\)/,
    );
    expect(warningsFrom(`${office}is_local = true\n${login}`).join()).to.not.include('HOSTSYNC');
  });
});

describe('the powerdown flag', () => {
  it('is a warning where it cannot be written', () => {
    const flag = (path: string) =>
      warningsFrom(`${office}is_local = true\n[local_shutdown]\npowerdown_flag = "${path}"\n`).join();
    expect(flag('/nowhere/at/all')).to.match(
      /powerdown_flag: \/nowhere\/at\/all cannot be written \(.*no such/,
    );
    expect(flag('/tmp/killpower')).to.not.include('powerdown_flag');
  });
});
