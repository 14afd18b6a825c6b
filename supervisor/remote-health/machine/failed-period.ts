// The messages of a failed period: one when it starts and one when it ends. Servers to which this host itself has no network
// share both. Pure.
import { failureMessage, networkDownMessage, networkUpMessage, recoveryMessage } from './messages.js';
import type { FailedPeriod, Health, HealthEffect, HealthState, ServerHealth } from './state.js';

type Periods = Pick<ServerHealth, 'failed' | 'notified'> & { readonly messages: readonly HealthEffect[] };

/** What follows from `health`, the state after a probe. `ownNetwork`: it failed without a route or link of this host. */
export function messagesOf(
  before: ServerHealth,
  health: Health,
  ownNetwork: boolean,
  { settings, memory, servers }: HealthState,
): Periods {
  const { failed, notified } = before;
  const nothing = { failed, notified, messages: [] };
  // The previous daemon may have sent the message.
  const waits = memory.kind === 'awaited' && settings.notifyOnFailure && failed?.notified !== true;
  if (health.kind === 'HEALTHY') {
    const sends = failed !== null && failed.ownNetwork !== 'over' && settings.notifyOnRecovery && !waits;
    const message = failed?.ownNetwork === 'down' ? networkUpMessage : recoveryMessage;
    return { failed: null, notified: notified || sends, messages: sends ? [message(before)] : [] };
  }
  if (health.kind !== 'FAILED') return nothing;
  // Its network is back and it still fails, or the network is down again: nobody has been told of that.
  const isOther =
    failed !== null && failed.ownNetwork !== (ownNetwork ? 'down' : 'no') && failed.ownNetwork !== 'no';
  if (before.health.kind === 'FAILED' && !isOther) return nothing;
  const period: FailedPeriod = {
    notified: !isOther && failed?.notified === true,
    isOlder: failed?.isOlder === true,
    // The recovery from what was told of it alone is told of it alone.
    ownNetwork: ownNetwork && (isOther || failed?.notified !== true) ? 'down' : 'no',
  };
  if (!settings.notifyOnFailure || period.notified || waits) return { ...nothing, failed: period };
  const after = { ...before, health };
  const messages = !ownNetwork
    ? [failureMessage(after)]
    : sharesMessage(servers)
      ? []
      : [networkDownMessage(after)];
  return { failed: { ...period, notified: true }, notified: true, messages };
}

/** A message has said that this host has no network. */
export function sharesMessage(servers: readonly ServerHealth[]): boolean {
  return servers.some(({ failed }) => failed?.ownNetwork === 'down' && failed.notified);
}

/** One of the servers is back: the others that still fail are told of by themselves, and come back without a message. */
export function withNetwork(state: HealthState): HealthState {
  const servers = state.servers.map((one): ServerHealth => {
    const { failed } = one;
    return failed?.ownNetwork === 'down' ? { ...one, failed: { ...failed, ownNetwork: 'over' } } : one;
  });
  return { ...state, servers };
}
