// What Home Assistant makes of the templates, by its template language.
import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import type { UpsRow } from '../../../shared/domain/status/status-model.js';
import { Discovery } from '../../../workers/mqtt/discovery.js';
import { skipFor } from '../../fixtures/skip.js';
import { phases } from '../../fixtures/phases.js';
import { row } from '../../workers/api/fixture.js';

const renders = `
import json, sys, jinja2
given = json.load(sys.stdin)
render = lambda text: jinja2.Environment().from_string(text).render(value_json=given['status'])
print(json.dumps({entity: render(text) for entity, text in given['templates'].items()}))
`;
/** Debian's own, for which the package is; else the first in PATH. */
const python = ['/usr/bin/python3', 'python3'].find(
  (one) => spawnSync(one, ['-c', 'import jinja2']).status === 0,
);

/** The states of the entities that `shown` has, while the status has `published`. */
function states(shown: UpsRow, ...published: readonly UpsRow[]): Record<string, string> {
  const settings = { topicPrefix: 'svc', publishIntervalMs: 10_000, availability: true };
  const device = { manufacturer: '', model: '', firmware: '' };
  const documents = new Discovery('nas.example').documents(
    [{ row: shown, totalKwh: null, device }],
    settings,
  );
  const templates: unknown = Object.fromEntries(
    [...documents].map(([topic, text]) => [
      topic.split('/')[3],
      (JSON.parse(text) as { value_template: string }).value_template,
    ]),
  );
  const input = JSON.stringify({ templates, status: { ups: published } });
  const { stdout, stderr } = spawnSync(python ?? '', ['-c', renders], { input, encoding: 'utf8' });
  expect(stderr).to.equal('');
  return JSON.parse(stdout) as Record<string, string>;
}

describe('a UPS in Home Assistant', () => {
  const battery = { batteryHealth: { score: 66.1, replacementDue: false } };
  const other = row({ groupId: 'other', status: 'OB LB', batteryCharge: 3 });
  before(function () {
    skipFor(this, python === undefined && 'there is no jinja2 (Debian package python3-jinja2)');
  });

  it('has its readings while it is read', () =>
    expect(states(row(battery), other, row({ ...battery, status: 'OB DISCHRG' }))).to.deep.include({
      ...{ status: 'OB DISCHRG', battery_charge: '87', runtime: '1830', input_voltage: '229.8' },
      ...{ on_battery: 'ON', low_battery: 'OFF', connection: 'OK', shutdown_trigger: 'OFF' },
    }));

  it('has the values of each phase, and whether one is lost', () => {
    const shown = states(row({ phases }), row({ phases }));
    expect(shown).to.deep.include({ input_voltage_l1: '231', input_voltage_l2: '0', load_l2: '32' });
    expect(shown).to.include({ real_power_l1: '3100', phase_lost: 'ON' });
    expect(shown).not.to.have.any.keys('real_power_l2', 'load_l3');
    expect(states(row({ phases }), row({ phases: phases.slice(0, 1) }))).to.include({
      ...{ load_l1: '31', load_l2: 'None', phase_lost: 'OFF' },
    });
    expect(states(row())).not.to.have.any.keys('load_l1', 'phase_lost');
  });

  it('has only what the daemon itself knows while the connection is lost', () => {
    const lost = row({ ...battery, status: 'OB', connectionState: 'FAILED', triggerActive: true });
    const { connection, shutdown_trigger, battery_health, ...readings } = states(lost, other, lost);
    expect({ connection, shutdown_trigger, battery_health }).to.deep.equal({
      connection: 'FAILED',
      shutdown_trigger: 'ON',
      battery_health: '66.1',
    });
    expect(readings).to.include.keys('status', 'battery_charge', 'on_battery', 'time_on_battery');
    expect(new Set(Object.values(readings))).to.deep.equal(new Set(['None']));
  });

  it('has nothing once a reading or the UPS is missing', () => {
    expect(states(row(), row({ batteryCharge: null }))).to.include({ battery_charge: 'None' });
    expect(new Set(Object.values(states(row(), other)))).to.deep.equal(new Set(['None']));
  });

  it('has no number where the UPS reports text: Home Assistant would keep the last one', () => {
    const { powerQuality } = row();
    for (const inputVoltage of ['N/A', '25,3', 'nan', 'inf', ''])
      expect(
        states(row(), row({ powerQuality: { ...powerQuality, inputVoltage } })),
        inputVoltage,
      ).to.include({
        input_voltage: 'None',
      });
  });
});
