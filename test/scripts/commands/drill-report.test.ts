import { expect } from 'chai';
import { drillReport, stepLine } from '../../../scripts/commands/drill/report.js';
import type { StepOutcome } from '../../../supervisor/sequence/outcome.js';
import { planPhase, planStep, planWith, remoteWork } from '../../fixtures/plans.js';

describe('the report of a drill', () => {
  const nothing = {
    steps: [],
    seconds: 1,
    cancelled: null,
    batteries: [],
    measured: [],
    thresholdSeconds: null,
  };

  it('counts servers, not the phases that run on a delegate', () => {
    const on = (server: string, final: string | null) =>
      planStep(server, { action: { kind: 'remote', work: { ...remoteWork(server), final } } });
    const phase = planPhase('remote_servers', [on('host', null), on('nas', 'poweroff')]);
    const steps = phase.steps.map((step) => ({ step, outcome: { kind: 'done' } as const, seconds: 1 }));
    const report = drillReport({ ...nothing, plan: { ...planWith([phase]), dryRun: true }, steps });
    expect(report.split('\n')[0]).to.equal('1 of 1 servers could be shut down.');
  });

  it('counts the servers whose commands could not be checked, in its last line', () => {
    const remote = (server: string) =>
      planStep(server, { action: { kind: 'remote', work: remoteWork(server) } });
    const phase = planPhase('remote_servers', [remote('fish'), remote('nas'), remote('gone')]);
    const outcomes = [
      { kind: 'skipped', reason: 'logged in; not checked: the login shell is not POSIX' },
      { kind: 'done' },
      { kind: 'failed', how: 'unreachable', reason: 'connect: connection refused' },
    ] as const;
    const reportOf = (count: number): readonly string[] => {
      const steps = phase.steps
        .slice(0, count)
        .map((step, place) => ({ step, outcome: outcomes[place] ?? outcomes[1], seconds: 1 }));
      const plan = { ...planWith([phase]), dryRun: true };
      return drillReport({ ...nothing, plan, steps }).split('\n');
    };
    expect(reportOf(1)[0]).to.contain('No step failed');
    expect(reportOf(1).at(-1)).to.equal('1 of 1 could log in, 0 checked.');
    expect(reportOf(3).at(-1)).to.equal('2 of 3 could log in, 1 checked.');
  });

  it('counts the host of a container as a server', () => {
    const work = remoteWork('host');
    const step = planStep('host', { action: { kind: 'poweroffDelegate', work, fallback: null } });
    const plan = { ...planWith([planPhase('local_poweroff', [step])]), dryRun: true };
    const linesWith = (outcome: StepOutcome) =>
      drillReport({ ...nothing, plan, steps: [{ step, outcome, seconds: 1 }] }).split('\n');
    expect(linesWith({ kind: 'done' })[0]).to.equal('1 of 1 servers could be shut down.');
    const unchecked = linesWith({ kind: 'skipped', reason: 'logged in; not checked: not POSIX' });
    expect(unchecked[0]).to.contain('No step failed');
    expect(unchecked.at(-1)).to.equal('1 of 1 could log in, 0 checked.');
  });

  it('has a column for the longest step that is no name of a server', () => {
    const again = planStep('servers/again', { target: 'servers without their command' });
    const lines = [again, planStep('nas')].map((step) =>
      stepLine({ step, outcome: { kind: 'skipped', reason: 'tries once' }, seconds: 1 }),
    );
    expect(new Set(lines.map((line) => line.indexOf(' skipped'))).size).to.equal(1);
  });

  it('names each step that failed', () => {
    const outcome = { kind: 'failed', how: 'failed', reason: 'no' } as const;
    const steps = [{ step: planStep('sync'), outcome, seconds: 1 }];
    const report = drillReport({ ...nothing, plan: planWith([]), steps });
    expect(report).to.contain('1 of 1 steps failed: sync. Correct the causes');
  });

  it('says which battery and which threshold leave less time than the plan may take', () => {
    const plan = { ...planWith([]), boundSeconds: 600 };
    const batteries = [
      { label: 'Office', read: true, runtimeSeconds: 600 },
      { label: 'Rack', read: true, runtimeSeconds: 599 },
    ];
    const report = drillReport({ ...nothing, plan, batteries, thresholdSeconds: 599 }).split('\n');
    expect(report.slice(1).map((line) => line.replace(/.*: /, ''))).to.deep.equal([
      'NOT ENOUGH in the worst case.',
      'enough.',
      'NOT ENOUGH in the worst case.',
    ]);
    expect(drillReport({ ...nothing, plan, thresholdSeconds: 600 })).to.contain(': enough.');
  });
});
