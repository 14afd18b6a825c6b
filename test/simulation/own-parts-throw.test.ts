// The daemon's own parts that throw at every call (decision 0109): whatever stands beside the path from a reading to a command, the
// servers get their command and the host is powered off, also by a daemon that was killed in the sequence.
import { expect } from 'chai';
import type { Configuration } from '../../supervisor/config/configuration/configuration.js';
import { DeferredEvents } from '../../supervisor/engine/deferred-events.js';
import { EventHold } from '../../supervisor/engine/event-hold.js';
import { Resumption } from '../../supervisor/engine/resumption.js';
import { SnapshotWriter } from '../../supervisor/engine/snapshot-file.js';
import { Standby } from '../../supervisor/engine/standby.js';
import { configurationFrom, office } from '../supervisor/config/loading.js';
import { ThrowingSite } from '../supervisor/throwing-engine.js';

const configuration: Configuration = {
  ...configurationFrom(
    `${office}is_local = true\ncheck_interval = 1\nvalue_hold = 0\n` +
      '[[ups.remote_servers]]\nname = "nas"\nhost = "nas.example"\nuser = "root"\n' +
      '[triggers]\non_battery_stabilization_delay = 0\nconfirmations = 1\n[local_shutdown]\ncommand = ["off"]\n',
  ),
  inContainer: false,
};
const low = { chargePercent: 5, runtimeSeconds: 3_000 };
const full = { chargePercent: 100, runtimeSeconds: 3_000 };

const parts: readonly (readonly [
  { readonly prototype: object; readonly name: string },
  readonly string[],
])[] = [
  [Resumption, ['recover', 'findLost', 'settle', 'has']],
  [EventHold, ['begin', 'settle', 'perform']],
  [SnapshotWriter, ['saveSoon', 'commit', 'tick']],
  [DeferredEvents, ['record']],
  // Not the calls that the start of a sequence itself asks, such as `isUnknownToPolicy`: they are on the path.
  [Standby, ['configure', 'adopt', 'received', 'handled', 'tick', 'started', 'ended']],
  [Standby, ['unknown', 'withoutFired', 'firedAt', 'answersFor']],
];

/** The steps of one outage, in which the daemon is killed once when `kills`. */
async function stepsOf(kills: boolean): Promise<readonly string[]> {
  const site = new ThrowingSite(configuration, 'before', () => false);
  await site.pass(2, 'OL', full);
  await site.pass(1, 'OB', low);
  if (kills) site.restart();
  await site.pass(8, 'OB', low);
  return site.done;
}

describe('a part of the daemon that throws at every call', () => {
  for (const [{ prototype, name: part }, methods] of parts)
    for (const method of methods)
      for (const kills of [false, true])
        it(`costs no step of a sequence: ${part}.${method}${kills ? ', killed in it' : ''}`, async () => {
          const sound = Object.getOwnPropertyDescriptor(prototype, method);
          if (sound === undefined) throw new Error(`${part} has no ${method}`);
          const value = (): never => {
            throw new Error(`${part}.${method}`);
          };
          Object.defineProperty(prototype, method, { ...sound, value });
          try {
            expect(await stepsOf(kills)).to.include.members(['remote_servers/nas', 'off']);
          } finally {
            Object.defineProperty(prototype, method, sound);
          }
        });
});
