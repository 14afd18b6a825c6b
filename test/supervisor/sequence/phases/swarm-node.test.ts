import { expect } from 'chai';
import { containerPerformer } from '../../../../supervisor/sequence/phases/containers.js';
import { containerRemarks } from '../../../../supervisor/sequence/phases/kept-off.js';
import { DrainedNode } from '../../../../supervisor/sequence/phases/swarm-node.js';
import { fails, LocalRig, ok } from './local-rig.js';

const action = {
  kind: 'stopContainers',
  runtime: 'docker',
  includeUserContainers: false,
  stopTimeoutSeconds: 60,
} as const;
const node = 'wpneh5oxq8oi';
/** The words of Docker 20.10. */
const isWorker =
  "Error response from daemon: This node is not a swarm manager. Worker nodes can't be used to view or modify cluster state.";
const noLabel = "key ridethrough.drained doesn't exist in node's labels";
const noLeader =
  'Error response from daemon: rpc error: code = Unknown desc = The swarm does not have a leader.';

/** A docker with a container and a task, which the swarm replaces 5 s after its stop while its node is active. */
class Swarm {
  availability: string;
  labels = new Set<string>();
  /** What the commands on nodes answer in the place of their work. */
  refusal: string | null = null;
  hangs = false;
  readonly rig: LocalRig = new LocalRig((command) => this.#docker(command));
  #task: { readonly id: string; readonly runsFromMs: number } | null = { id: 'b'.repeat(64), runsFromMs: 0 };
  #plain = true;

  constructor(availability = 'active') {
    this.availability = availability;
  }

  stop(budgetSeconds = 60) {
    return this.rig.perform(containerPerformer, action, budgetSeconds);
  }

  ran(word: string): readonly string[] {
    return this.rig.ran.filter((line) => line.includes(word));
  }

  #docker(command: readonly string[]) {
    const nowMs = this.rig.time.monotonicMs();
    switch (command[1] ?? '') {
      case 'info':
        return ok(`${node}\n`);
      case 'ps': {
        const task =
          this.#task !== null && this.#task.runsFromMs <= nowMs ? `${this.#task.id} web.1.y\n` : '';
        return ok(`${this.#plain ? `${'a'.repeat(64)} db\n` : ''}${task}`);
      }
      case 'stop': {
        this.#plain = false;
        const isBack = this.availability === 'active';
        if (this.#task !== null && command.includes(this.#task.id))
          this.#task = isBack ? { id: 'c'.repeat(64), runsFromMs: nowMs + 5_000 } : null;
        return ok();
      }
      default:
        if (this.hangs) return 'hangs';
        return this.refusal === null ? this.#node(command) : fails(this.refusal);
    }
  }

  #node(command: readonly string[]) {
    if (command.includes('inspect')) return ok(`${this.availability}\n`);
    if (command.includes('--label-rm') && !this.labels.delete('ridethrough.drained')) return fails(noLabel);
    if (command.includes('--label-add')) this.labels.add('ridethrough.drained');
    this.availability = command[command.indexOf('--availability') + 1] ?? '';
    return ok(`${node}\n`);
  }
}

describe('a node of a Docker swarm', () => {
  it('is drained, with a label that records it, and what the swarm started meanwhile is stopped again', async () => {
    const swarm = new Swarm();
    expect(await swarm.stop()).to.deep.equal({ kind: 'done' });
    expect(swarm.ran('update')).to.deep.equal([
      `docker node update --availability drain --label-add ridethrough.drained=true ${node}`,
    ]);
    expect(swarm.ran(' stop ')).to.have.lengthOf(2);
  });

  it('is looked at for 7 s after the stop, within the budget', async () => {
    for (const [budget, least, most] of [
      [60, 7, 8],
      [5, 0, 5],
    ] as const) {
      const swarm = new Swarm();
      const beganMs = swarm.rig.time.monotonicMs();
      expect(await swarm.stop(budget)).to.deep.equal({ kind: 'done' });
      expect((swarm.rig.time.monotonicMs() - beganMs) / 1000).to.be.within(least, most);
    }
  });

  it('that a person has drained or paused stays as it is', async () => {
    for (const closed of ['drain', 'pause']) {
      const swarm = new Swarm(closed);
      expect(await swarm.stop()).to.deep.equal({ kind: 'done' });
      expect(swarm.ran('update')).to.deep.equal([]);
    }
  });

  it('that is a worker cannot be drained: its tasks are reported as running, with the words of Docker', async () => {
    const swarm = new Swarm();
    swarm.refusal = isWorker;
    const outcome = await swarm.stop();
    expect(outcome)
      .to.have.property('reason')
      .that.matches(
        /^docker: still running: web.1.y \(started again by a swarm after its stop, and this node could not be drained: .*not a swarm manager/,
      );
  });

  it('does not delay the stop where its swarm hangs', async () => {
    const swarm = new Swarm();
    swarm.hangs = true;
    expect(await swarm.stop(30))
      .to.have.property('reason')
      .that.contains('web.1.y');
    const [stop, ask] = [' stop ', ' node '].map((word) =>
      swarm.rig.ran.findIndex((line) => line.includes(word)),
    );
    expect(stop).to.be.below(ask ?? 0);
  });

  it('is named before a shutdown', async () => {
    const swarm = new Swarm();
    expect(await containerRemarks(action, swarm.rig.tools)).to.match(
      /^this host is a manager of a Docker swarm/,
    );
    swarm.refusal = isWorker;
    expect(await containerRemarks(action, swarm.rig.tools)).to.match(
      /^this host is a node of a Docker swarm, and no manager/,
    );
    expect(swarm.availability, 'nothing is changed').to.equal('active');
  });
});

describe('a node of a swarm after an outage', () => {
  /** Ticks for `seconds`, each second. */
  async function ticks(swarm: Swarm, part: DrainedNode, seconds: number, isOutage = false): Promise<void> {
    for (let n = 0; n < seconds; n++) {
      part.tick(() => ({ kind: 'docker', user: null, label: 'docker', command: ['docker'] }), isOutage);
      await swarm.rig.time.pass(1_000);
    }
  }
  const lines: string[] = [];
  const partOf = (swarm: Swarm) => {
    lines.length = 0;
    const write = (text: string) => void lines.push(text);
    return new DrainedNode({ ...swarm.rig.tools, log: { info: write, warning: write, error: write } });
  };
  const drained = () => {
    const swarm = new Swarm('drain');
    swarm.labels.add('ridethrough.drained');
    return swarm;
  };

  it('is set active at the start of the daemon, once', async () => {
    const swarm = drained();
    await ticks(swarm, partOf(swarm), 60);
    expect(swarm.availability).to.equal('active');
    expect([...swarm.labels]).to.deep.equal([]);
    expect(swarm.ran('update')).to.have.lengthOf(1);
    expect(lines).to.deep.equal(['this node of the swarm, drained in the outage, is active again']);
  });

  it('stays drained during an outage, and is set active after it', async () => {
    const swarm = drained();
    const part = partOf(swarm);
    await ticks(swarm, part, 60, true);
    expect(swarm.ran('docker')).to.deep.equal([]);
    await ticks(swarm, part, 16);
    expect(swarm.availability).to.equal('active');
  });

  it('that a person has drained is left alone', async () => {
    const swarm = new Swarm('drain');
    await ticks(swarm, partOf(swarm), 60);
    expect(swarm.availability).to.equal('drain');
    expect(swarm.ran('update')).to.have.lengthOf(1);
    expect(lines).to.deep.equal([]);
  });

  it('is tried again while the swarm has no leader, and named with the command after an hour', async () => {
    const swarm = drained();
    swarm.refusal = noLeader;
    const part = partOf(swarm);
    await ticks(swarm, part, 3_500);
    expect(lines).to.deep.equal([]);
    const before = swarm.ran('update').length;
    expect(before).to.be.within(200, 240);
    await ticks(swarm, part, 300);
    expect(lines).to.have.lengthOf(1);
    expect(lines[0]).to.contain(
      `"docker node update --availability active --label-rm ridethrough.drained ${node}"`,
    );
    const after = swarm.ran('update').length;
    await ticks(swarm, part, 60);
    expect(swarm.ran('update')).to.have.lengthOf(after);
  });
});
