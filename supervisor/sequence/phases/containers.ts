// Stops all running containers, concurrently: of podman, of docker and, if configured, of every user's rootless podman.
import { engines } from '../../../shared/domain/actions/containers.js';
import type { ActionOf } from '../../../shared/domain/actions/table.js';
import type { Performer } from '../actuator.js';
import type { StepOutcome } from '../outcome.js';
import { failureOf } from '../outcome.js';
import type { EngineEnd } from './container-engine.js';
import { stopContainers } from './container-engine.js';
import type { Engine } from './engine.js';
import type { LocalDependencies } from './local-calls.js';
import { StepTime } from './local-calls.js';

/** No host has more login users; each costs a podman process of 40 MB. */
const maxUsers = 64;

export function containerPerformer(deps: LocalDependencies): Performer<'stopContainers'> {
  return async (action, { budgetSeconds }, signal, found) => {
    const time = new StepTime(deps.clock, budgetSeconds);
    const stop = (engine: Engine) =>
      stopContainers(engine, deps, action.stopTimeoutSeconds, time, signal, found);
    const loginUsers = action.includeUserContainers ? rootless(deps) : [];
    const [ofRoot, ofUsers] = await Promise.all([
      Promise.all(enginesOf(action, deps).map(stop)),
      Promise.all(
        loginUsers.map(async ({ engine, hasContainers }) => ({ end: await stop(engine), hasContainers })),
      ),
    ]);
    return outcomeOf(ofRoot, ofUsers);
  };
}

export function enginesOf(
  { runtime }: Pick<ActionOf<'stopContainers'>, 'runtime'>,
  { host }: Pick<LocalDependencies, 'host'>,
): readonly Engine[] {
  return engines[runtime].map((kind) => ({
    kind,
    user: null,
    label: kind,
    command: [...host.mountsPrefix, kind],
  }));
}

interface Rootless {
  readonly engine: Engine;
  /** A container of the user runs; then a failure of this podman fails the step. */
  readonly hasContainers: boolean;
}

/** The podman of every user; users with running containers come first. */
export function rootless({ host, log }: Pick<LocalDependencies, 'host' | 'log'>): readonly Rootless[] {
  const { withRuntimeDirectory, withContainers } = host.usersPresent();
  const users = [...host.users].sort(
    ([, a], [, b]) => Number(withContainers.has(b.uid)) - Number(withContainers.has(a.uid)),
  );
  if (users.length > maxUsers)
    log.warning(
      `containers of ${String(users.length - maxUsers)} users are not stopped: only those of ${String(maxUsers)} are`,
    );
  return users.slice(0, maxUsers).map(([name, { uid, gid }]) => {
    const runtime = `/run/user/${String(uid)}`;
    const session = withRuntimeDirectory.has(uid)
      ? [`XDG_RUNTIME_DIR=${runtime}`, `DBUS_SESSION_BUS_ADDRESS=unix:path=${runtime}/bus`]
      : [];
    const becoming = [
      'setpriv',
      `--reuid=${String(uid)}`,
      `--regid=${String(gid)}`,
      '--init-groups',
      '--reset-env',
    ];
    const command = [...host.mountsPrefix, ...becoming, 'env', `PATH=${host.path}`, ...session, 'podman'];
    return {
      engine: { kind: 'podman', user: name, label: `podman of ${name}`, command },
      hasContainers: withContainers.has(uid),
    };
  });
}

function outcomeOf(
  ofRoot: readonly EngineEnd[],
  ofUsers: readonly { readonly end: EngineEnd; readonly hasContainers: boolean }[],
): StepOutcome {
  if (ofRoot.every(({ kind }) => kind === 'absent') && ofUsers.every(({ end }) => end.kind === 'absent'))
    return failureOf('no container engine is installed, or none runs');
  // A user without containers may have no working podman.
  const ends = [
    ...ofRoot,
    ...ofUsers
      .filter(({ end, hasContainers }) => hasContainers || end.kind !== 'unlisted')
      .map(({ end }) => end),
  ];
  const reasons = ends.flatMap((end) => ('reason' in end ? [end.reason] : []));
  return reasons.length === 0 ? { kind: 'done' } : failureOf(reasons.join('; '));
}
