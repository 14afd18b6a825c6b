import { expect } from 'chai';
import type { ActionKind, ActionOf } from '../../../../shared/domain/actions/table.js';
import { actionKinds, kindOf, StepAction } from '../../../../shared/domain/actions/table.js';
import { remoteWork } from '../../../fixtures/plans.js';

const work = remoteWork('nas');
const containers = { runtime: 'auto', stopTimeoutSeconds: 5 } as const;
const examples: { readonly [K in ActionKind]: ActionOf<K> } = {
  wall: { kind: 'wall', message: 'going down' },
  stopVirtualMachines: { kind: 'stopVirtualMachines', uri: null, maxWaitSeconds: 5 },
  stopCompose: { kind: 'stopCompose', path: '/srv/a.yaml', ...containers },
  stopContainers: { kind: 'stopContainers', includeUserContainers: false, ...containers },
  sync: { kind: 'sync' },
  unmount: { kind: 'unmount', path: '/mnt', options: '' },
  remote: { kind: 'remote', work },
  awaitOff: { kind: 'awaitOff', server: 'nas', commandedBy: 'x', timeoutSeconds: 60, followsSeconds: 0 },
  commandAgain: { kind: 'commandAgain', works: [work] },
  keepRecord: { kind: 'keepRecord' },
  forceShutdown: { kind: 'forceShutdown', ups: 'office', hostsyncSeconds: 15 },
  powerdownFlag: { kind: 'powerdownFlag', path: '/etc/killpower' },
  upsOutputOff: { kind: 'upsOutputOff', ups: 'office', command: 'shutdown.return', offDelaySeconds: 60 },
  poweroff: { kind: 'poweroff', command: ['poweroff'], fallback: null },
  poweroffDelegate: { kind: 'poweroffDelegate', work, fallback: null },
};

/** A kind that says nothing of it cuts nothing and keeps nothing: here each one says it. */
const ends: Readonly<Record<ActionKind, readonly [what: string | null, leastSeconds: number]>> = {
  wall: [null, 0],
  stopVirtualMachines: [null, 0],
  stopCompose: [null, 0],
  stopContainers: [null, 0],
  sync: [null, 0],
  unmount: [null, 0],
  remote: ['server nas', 40],
  awaitOff: [null, 1],
  commandAgain: [null, 77],
  keepRecord: [null, 0],
  forceShutdown: [null, 5],
  powerdownFlag: [null, 1],
  upsOutputOff: ['output office', 5],
  poweroff: ['this host', 77],
  poweroffDelegate: ['this host', 77],
};

describe('the kinds of action', () => {
  it('say what each ends, and the least budget that it keeps', () => {
    const found = actionKinds.map((kind) => {
      const action: StepAction = examples[kind];
      const { powersOffHost, serverOf, outputOf, leastSeconds } = kindOf(action);
      const [server, output] = [serverOf(action), outputOf(action)];
      const what = [
        ...(powersOffHost ? ['this host'] : []),
        ...(server === null ? [] : [`server ${server}`]),
        ...(output === null ? [] : [`output ${output}`]),
      ];
      return [kind, [what.length === 0 ? null : what.join(), leastSeconds(action, 77)]];
    });
    expect(Object.fromEntries(found)).to.deep.equal(ends);
  });

  it('shut no server down by a step of the host delegate without a final command', () => {
    const action: StepAction = { kind: 'remote', work: { ...work, final: null } };
    expect(kindOf(action).serverOf(action)).to.equal(null);
    expect(kindOf(action).leastSeconds(action, 77)).to.equal(0);
  });

  it('say in which way else this host goes down, of its own commands and of those of its delegate', () => {
    const outlookOf = (action: StepAction) => kindOf(action).outlook(action, 'words');
    const wait =
      'if power is back: wait until the count of restarts is on the disk, at most 2 s, then restart instead';
    expect(
      outlookOf({ ...examples.poweroff, fallback: ['halt', '-p'], restart: ['reboot'] }).slice(1),
    ).to.deep.equal(['after three failures: halt -p', `${wait}: reboot`]);
    const delegate = { ...examples.poweroffDelegate, work: { ...work, useSudo: true } };
    expect(outlookOf({ ...delegate, fallback: 'halt -p', restart: 'reboot' })).to.deep.equal([
      'words',
      'after three failures: sudo -n halt -p',
      `${wait}: sudo -n reboot`,
    ]);
    expect(outlookOf(delegate)).to.deep.equal(['words']);
  });

  it('are read back from the journal, and nothing else is', () => {
    for (const kind of actionKinds) expect(StepAction.is(examples[kind]), kind).to.equal(true);
    expect(StepAction.is({ kind: 'exec', command: ['poweroff'] })).to.equal(false);
    expect(StepAction.is({ kind: 'unmount', path: '/mnt' })).to.equal(false);
  });
});
