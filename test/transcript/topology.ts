// The topologies of docs/topologies.md under the same failures: what policy does, and which targets of the plans go down.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Configuration } from '../../supervisor/config/configuration/configuration.js';
import { plansOf } from '../../supervisor/config/derive/plans.js';
import { policySettings } from '../../supervisor/config/derive/policy-settings.js';
import { loadText } from '../../supervisor/config/load/load.js';
import { parseTranscript } from './parse.js';
import { TranscriptRun } from './run.js';

export const page = readFileSync(join(import.meta.dirname, '../../../docs/topologies.md'), 'utf8');

export interface Topology {
  readonly name: string;
  readonly configuration: Configuration;
}

/** Every section of the page with a configuration. */
export const topologies: readonly Topology[] = page.split(/^## /m).flatMap((section) => {
  const [name = ''] = section.split('\n', 1);
  const [, text] = /```toml\n([^`]*)```/.exec(section) ?? [];
  if (text === undefined) return [];
  const loaded = loadText(text, { HOME: '/nonexistent' });
  if (!loaded.ok) throw new Error(`${name}: ${JSON.stringify(loaded.problems)}`);
  return [{ name, configuration: loaded.configuration }];
});

const lost = (ups: string) => [`at 5s ${ups} OB charge=15`];

/** What happens after 5 s on line power, until 60 s. */
export const failures: Readonly<Record<string, readonly string[]>> = {
  'A fails': lost('a'),
  'B fails': lost('b'),
  'A and B fail': [...lost('a'), ...lost('b')],
  'A unseen on battery': ['at 5s a OB charge=90', 'at 10s a failed SERVER_DOWN'],
  'FSD on A': ['at 5s a OL FSD'],
  'LB on A': ['at 5s a OB LB charge=90'],
  'A in a self test': ['at 5s a OB TEST charge=5', 'at 40s a OL charge=60'],
  'A and B fail, and return': [
    ...lost('a'),
    ...lost('b'),
    'at 50s a OL charge=20',
    'at 50s b OL charge=20',
    'at 60s ended a',
    'at 60s ended b',
    'at 60s ended redundancy-rack',
    'at 60s ended redundancy-behind-the-transfer-switch',
  ],
};

export interface Played {
  readonly lines: readonly string[];
  /** Targets of the plans that began, in the order of the configuration; `all` for every one. */
  readonly down: string;
  /** Every group can start a sequence again. */
  readonly isArmed: boolean;
}

/** Null where the failure is of a UPS that the topology does not have. */
export function playFailure({ configuration }: Topology, failure: string): Played | null {
  const { ups, redundancyGroups: groups } = policySettings(configuration);
  const names = ups.map(({ groupId }) => groupId);
  const given = failures[failure] ?? [];
  const known = given.filter(
    (line) => names.some((name) => line.includes(` ${name} `)) || line.includes('ended'),
  );
  if (known.length === 0) return null;
  const calm = names.map((name) => `at 0s ${name} OL charge=100`);
  const { commands } = parseTranscript([...calm, ...known, 'at 1m10s end'].join('\n'));
  const run = new TranscriptRun({ ups, groups, commands, expected: [] });
  const began = run.happened.flatMap(({ effect }) =>
    effect.kind === 'startSequence' ? [effect.groupId] : [],
  );
  const { state } = run;
  return {
    lines: run.happened.flatMap(({ line, remark }) =>
      line === null || / (prepare|event) /.test(line)
        ? []
        : [`${line}${remark === '' ? '' : `  # ${remark}`}`],
    ),
    down: targetsOf(configuration, began),
    isArmed: [...state.ups, ...state.groups].every(({ shutdown }) => shutdown.kind === 'armed'),
  };
}

function targetsOf(configuration: Configuration, began: readonly string[]): string {
  const plans = plansOf(configuration);
  const of = (groups: readonly string[]) => {
    const steps = plans.filter(({ group }) => groups.includes(group)).flatMap(({ phases }) => phases);
    const ends = steps.flatMap((phase) => phase.steps).filter(({ action }) => endsMachine.has(action.kind));
    return [...new Set(ends.map(({ target }) => target))];
  };
  const down = of(began);
  const all = of(plans.map(({ group }) => group));
  if (down.length === 0) return 'nothing';
  return down.length === all.length ? 'all' : down.join(', ');
}

const endsMachine = new Set(['remote', 'poweroff']);

/** The file test/topologies/NAME.txt. */
export function transcriptOf(topology: Topology): string {
  const parts = Object.keys(failures).flatMap((failure) => {
    const played = playFailure(topology, failure);
    if (played === null) return [];
    const lines = played.lines.map((line) => `    = ${line}`);
    const end = played.isArmed ? ', and everything is armed' : '';
    return [`${failure}\n${[...lines, `    goes down: ${played.down}${end}`].join('\n')}\n`];
  });
  return [`# ${topology.name}: docs/topologies.md\n`, ...parts].join('\n');
}

export const fileOf = ({ name }: Topology): string => `${name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}.txt`;
