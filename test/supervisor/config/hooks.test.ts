import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { eventTypes } from '../../../shared/domain/status/events.js';
import { notifyTypeOf } from '../../../supervisor/hooks/notify-types.js';
import { hookUserWarnings } from '../../../supervisor/config/programs/hook-user.js';
import { configurationFrom, office, problemsOf, warningsFrom } from './loading.js';

const hook = (lines: string): string => `${office}[[hooks]]\n${lines}\n`;
const messages = (lines: string): readonly string[] => problemsOf(hook(lines)).map(({ message }) => message);

describe('the settings of hooks', () => {
  it('are in the units of the program, with defaults applied', () => {
    const [plain] = configurationFrom(hook('on = ["ON_BATTERY"]\ncommand = "/bin/true a"')).hooks;
    expect(plain).to.deep.include({
      label: 'hooks[0]',
      on: ['ON_BATTERY'],
      sources: [],
      afterMs: 0,
      cancelOn: [],
      command: ['/bin/true', 'a'],
      timeoutMs: 60_000,
      inDryRun: false,
    });
  });

  it('are as docs/hooks.md and docs/coming-from-upsmon.md show them', () => {
    const examples = ['hooks', 'coming-from-upsmon'].flatMap((page) =>
      [...readFileSync(`docs/${page}.md`, 'utf8').matchAll(/```toml\n([^`]+)```/g)].map(
        ([, text = '']) => text,
      ),
    );
    expect(examples).to.have.length(4);
    for (const example of examples) {
      const { hooks, ups } = configurationFrom(`${office}${example}`);
      expect(hooks.length > 0 || ups[0]?.policy.triggers.extendedTime.thresholdMs === 300_000).to.equal(true);
    }
  });

  it('give scripts the names of upsmon that docs/coming-from-upsmon.md lists', () => {
    const rows = [
      ...readFileSync('docs/coming-from-upsmon.md', 'utf8').matchAll(
        /^\| ([A-Z, ]+?) +\| ([A-Z_, ]+?) +\|$/gm,
      ),
    ];
    const pairs = rows.flatMap(([, theirs = '', ours = '']) => {
      const names = ours.split(', ');
      return theirs.split(', ').map((name, index) => [names[index] ?? '', name]);
    });
    const known = eventTypes.flatMap((type) =>
      notifyTypeOf(type) === '' ? [] : [[type, notifyTypeOf(type)]],
    );
    expect(pairs.sort()).to.deep.equal(known.sort());
  });

  it('refuse what cannot be meant', () => {
    const command = 'command = ["/bin/true"]\n';
    expect(messages(`${command}on = []`)[0]).to.match(/names no event/);
    expect(messages(`${command}on = ["ONBATT"]`)[0]).to.match(/no event has this name/);
    expect(messages(`${command}on = ["ON_BATTERY"]\ncancel_on = ["POWER_RESTORED"]`)[0]).to.match(
      /cancels nothing/,
    );
    expect(messages(`${command}on = ["ON_BATTERY"]\nups = ["rack"]`)[0]).to.match(
      /no UPS and no redundancy group/,
    );
    expect(messages('on = ["ON_BATTERY"]\ncommand = "echo $UPS"')[0]).to.match(/shell character/);
    expect(messages('on = ["ON_BATTERY"]\ncommand = "./x"')[0]).to.match(/absolute path/);
    expect(messages(`${command}on = ["ON_BATTERY"]\nafter = -1`)).to.have.length(1);
    expect(messages('on = ["ON_BATTERY"]')).to.have.length(1);
  });

  it('warn of an event at which none runs', () => {
    const warned = (on: string): readonly string[] =>
      warningsFrom(hook(`on = [${on}]\ncommand = "true"`)).filter((text) => text.startsWith('hooks[0].on'));
    expect(warned('"DAEMON_START", "DAEMON_STOP"')).to.deep.equal([
      'hooks[0].on: no hook runs for DAEMON_STOP: it is recorded when the daemon has ended',
    ]);
    expect(warned('"DAEMON_START"')).to.deep.equal([]);
  });

  it('warn of a user that does not exist', () => {
    const configuration = configurationFrom(hook('on = ["ON_BATTERY"]\ncommand = "true"'));
    expect(hookUserWarnings(configuration, true, new Map())[0]).to.match(
      /the user ridethrough-hook does not exist/,
    );
    const account = { uid: 1, gid: 1, groups: [] };
    expect(hookUserWarnings(configuration, true, new Map([['ridethrough-hook', account]]))).to.deep.equal([]);
    expect(hookUserWarnings(configurationFrom(office), true, new Map())).to.deep.equal([]);
    expect(hookUserWarnings(configuration, false)).to.deep.equal([]);
  });
});
