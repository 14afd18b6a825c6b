// Stops all containers that still run: of podman, of docker, and where asked of every user's rootless podman, side by side.
import type { ActionOf, Performer } from '../actuator.js';
import type { StepOutcome } from '../outcome.js';
import { failed } from '../outcome.js';
import type { Engine, EngineEnd } from './container-engine.js';
import { stopAllOf } from './container-engine.js';
import type { LocalDependencies } from './local-calls.js';
import { StepTime } from './local-calls.js';

/** More people than this share no host; each costs a podman of 40 MB for a moment. */
const mostUsers = 64;

export function containerPerformer(tools: LocalDependencies): Performer<'stopContainers'> {
  return async (action, { budgetSeconds }, signal) => {
    const time = new StepTime(tools.clock, budgetSeconds);
    const stop = (engine: Engine) => stopAllOf(engine, tools, action.stopTimeoutSeconds, time, signal);
    const loginUsers = action.includeUserContainers ? rootless(tools) : [];
    const [own, theirs] = await Promise.all([
      Promise.all(enginesOf(action, tools).map(stop)),
      Promise.all(
        loginUsers.map(async ({ engine, hasContainers }) => ({ end: await stop(engine), hasContainers })),
      ),
    ]);
    return outcomeOf(own, theirs);
  };
}

function enginesOf({ runtime }: ActionOf<'stopContainers'>, { host }: LocalDependencies): readonly Engine[] {
  const kinds = runtime === 'auto' ? (['podman', 'docker'] as const) : [runtime];
  return kinds.map((kind) => ({ kind, label: kind, command: [...host.mountsPrefix, kind] }));
}

interface Rootless {
  readonly engine: Engine;
  /** Some container of theirs runs: a podman of theirs that fails is a failure. */
  readonly hasContainers: boolean;
}

/** Every user's podman, those first who certainly have containers. */
function rootless({ host, log }: LocalDependencies): readonly Rootless[] {
  const { withRuntimeDirectory, withContainers } = host.present();
  const users = [...host.users].sort(
    ([, a], [, b]) => Number(withContainers.has(b.uid)) - Number(withContainers.has(a.uid)),
  );
  if (users.length > mostUsers)
    log.warning(
      `containers of ${String(users.length - mostUsers)} users are not stopped: only those of ${String(mostUsers)} are`,
    );
  return users.slice(0, mostUsers).map(([name, { uid, gid }]) => {
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
      engine: { kind: 'podman', label: `podman of ${name}`, command },
      hasContainers: withContainers.has(uid),
    };
  });
}

function outcomeOf(
  own: readonly EngineEnd[],
  theirs: readonly { readonly end: EngineEnd; readonly hasContainers: boolean }[],
): StepOutcome {
  if (own.every(({ kind }) => kind === 'absent') && theirs.every(({ end }) => end.kind === 'absent'))
    return failed('no container engine is installed, or none runs');
  // A user who has never had a container may well have no working podman either.
  const ends = [
    ...own,
    ...theirs
      .filter(({ end, hasContainers }) => hasContainers || end.kind !== 'silent')
      .map(({ end }) => end),
  ];
  const reasons = ends.flatMap((end) => ('reason' in end ? [end.reason] : []));
  return reasons.length === 0 ? { kind: 'done' } : failed(reasons.join('; '));
}
