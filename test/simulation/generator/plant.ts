// Draws what a site shuts down other than the host, and the behaviour of each resource.
import type { GroupSettings } from '../../../supervisor/policy/base/inputs.js';
import type { OutputSpec, Plant, ProgramBehaviour, ServerBehaviour, ServerSpec } from '../plant/plant.js';
import { noPlant } from '../plant/plant.js';
import type { Random } from '../random.js';
import type { Site } from '../scenario.js';

/** Share of sites with more than the host; the others test decisions and are cheaper. */
const plantShare = { ofOneGroup: 0.25, ofSeveral: 0.6 };
/** Of those with a local group, in a container. */
const delegateShare = 0.15;

export function generatePlant(random: Random, { ups, groups }: Pick<Site, 'ups' | 'groups'>): Plant {
  const owners = [
    ...ups.flatMap(({ policy }) => (policy.advisory ? [] : [policy.groupId])),
    ...groups.map(({ groupId }: GroupSettings) => groupId),
  ];
  if (!random.chance(owners.length > 1 ? plantShare.ofSeveral : plantShare.ofOneGroup)) return noPlant;
  return {
    servers: random.chance(0.85) ? servers(random, owners) : [],
    delegate: null,
    machines: random.chance(0.3)
      ? {
          maxWaitSeconds: random.integer(2, 20),
          guests: Array.from({ length: random.integer(0, 3) }, () =>
            random.chance(0.7) ? random.integer(0, 25_000) : null,
          ),
          virsh: program(random),
        }
      : null,
    containers: random.chance(0.3)
      ? {
          stopSeconds: random.integer(5, 15),
          projects: Array.from({ length: random.integer(0, 2) }, (_, number) => ({
            path: `/srv/project-${String(number)}.yml`,
            stopSeconds: random.integer(5, 15),
          })),
          remaining: random.chance(0.7),
          compose: program(random),
          engine: program(random),
        }
      : null,
    sync: random.chance(0.5) ? program(random) : null,
    unmounts: random.chance(0.3)
      ? {
          timeoutSeconds: random.integer(2, 15),
          paths: ['/mnt/a', '/mnt/b', '/mnt/c'].slice(0, random.integer(1, 3)),
          umount: program(random),
        }
      : null,
    outputs: random.chance(0.3) ? outputs(random, ups) : [],
    wall: random.chance(0.3) ? program(random) : null,
    drain: random.chance(0.4),
    ...interruptions(random),
    journalsStay: random.chance(0.3),
  };
}

function servers(random: Random, owners: readonly string[]): readonly ServerSpec[] {
  const count = random.pick([1, 2, 3, 4, 5, 6, 20]);
  const orders = random.integer(1, 3);
  return Array.from({ length: count }, (_, number) =>
    server(random, {
      name: `s${String(number)}`,
      owner: random.pick(owners),
      order: random.integer(1, orders) * 10,
      when: random.chance(0.2) ? 'with_local' : 'after_local',
    }),
  );
}

function server(random: Random, place: Pick<ServerSpec, 'name' | 'owner' | 'order' | 'when'>): ServerSpec {
  return {
    ...place,
    connectSeconds: random.integer(1, 5),
    commandSeconds: random.integer(1, 5),
    marginSeconds: random.pick([0, 2, 10, 20]),
    actionSeconds: Array.from({ length: random.pick([0, 0, 1, 2]) }, () => random.integer(1, 10)),
    behaviour: serverBehaviour(random),
    offMs: random.chance(0.8) ? random.integer(3_000, 40_000) * (random.chance(0.2) ? 4 : 1) : null,
    haltSeconds: random.chance(0.6) ? random.pick([5, 30, 200]) : null,
  };
}

function serverBehaviour(random: Random): ServerBehaviour {
  const kind = random.weighted({
    obeys: 60,
    fails: 6,
    drops: 8,
    'hangs-in-final': 6,
    refuses: 8,
    'hangs-in-connect': 6,
    'never-ends': 6,
  });
  switch (kind) {
    case 'obeys':
    case 'fails':
    case 'drops':
    case 'hangs-in-final':
      return {
        kind,
        connectMs: random.chance(0.9) ? random.integer(5, 400) : random.integer(400, 5_500),
        actionMs: random.chance(0.8) ? random.integer(10, 3_000) : random.integer(3_000, 15_000),
        finalMs: random.integer(10, 800),
      };
    case 'refuses':
      return { kind, connectMs: random.integer(1, 300) };
    case 'hangs-in-connect':
    case 'never-ends':
      return { kind };
  }
}

function program(random: Random): ProgramBehaviour {
  if (random.chance(0.1)) return { afterMs: null, code: 0 };
  return { afterMs: random.pick([5, 50, 500, 4_000]), code: random.chance(0.12) ? 1 : 0 };
}

function outputs(random: Random, ups: Site['ups']): readonly OutputSpec[] {
  return ups
    .filter(() => random.chance(0.7))
    .map(({ policy }) => ({
      ups: policy.groupId,
      offDelaySeconds: random.pick([60, 60, 120]),
      behaviour: random.weighted({ cuts: 80, refuses: 10, hangs: 10 }),
    }));
}

/** Puts the daemon of some sites into a container of its host. */
export function generateDelegate(
  random: Random,
  { ups, groups }: Pick<Site, 'ups' | 'groups'>,
): ServerSpec | null {
  const local = [...ups.map(({ policy }) => policy), ...groups].find(({ isLocal }) => isLocal);
  if (local === undefined || !random.chance(delegateShare)) return null;
  return server(random, { name: 'host', owner: local.groupId, order: 10, when: 'after_local' });
}

/** Mostly at the first records: a plan of n steps writes a little more than 2n. */
function interruptions(random: Random): Pick<Plant, 'kills' | 'mainsBackAtRecord'> {
  const first = random.integer(1, random.pick([6, 15, 40]));
  const kill = (record: number) => ({
    record,
    after: random.chance(0.5),
    downMs: random.pick([200, 200, 1_000, 5_000, 20_000]),
  });
  const kills = random.weighted({ none: 50, one: 35, two: 15 });
  return {
    kills:
      kills === 'none'
        ? []
        : kills === 'one'
          ? [kill(first)]
          : [kill(first), kill(first + random.integer(1, 6))],
    // Shortly before a kill: the next daemon finds the power restored.
    mainsBackAtRecord: random.chance(0.25) ? Math.max(1, first - random.integer(0, 4)) : null,
  };
}
