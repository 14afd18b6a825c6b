// What a shutdown has stopped on the machines of a group: by the record, or while recovery is off by the journal.
import type { RecoveryRecord } from '../../shared/domain/recovery/record.js';
import type { Configuration } from '../config/configuration/configuration.js';
import type { ShutdownEngine } from '../engine/engine.js';
import type { StartSettings } from '../recovery/guests/guest-starts.js';
import type { GuestTarget } from '../recovery/recorded-guests.js';
import { targetsInJournal } from '../recovery/recorded-guests.js';

export interface GuestSources {
  readonly configuration: () => Configuration;
  readonly engine: () => Pick<ShutdownEngine, 'state' | 'journal'>;
  readonly records: () => ReadonlyMap<string, RecoveryRecord>;
}

/** By server; null is this host. */
export function guestTargets(
  group: string,
  { configuration, engine, records }: GuestSources,
): ReadonlyMap<string | null, GuestTarget> {
  if (!configuration().recovery.enabled) return targetsInJournal(engine().journal.of(group));
  return new Map(
    records()
      .get(group)
      ?.targets.map((target) => [target.server, target]),
  );
}

/** Of any machine. */
export function startSettings({ recovery }: Configuration): StartSettings {
  const { enabled, guests, atOnce } = recovery;
  const left = enabled ? 'recovery.guests is "leave"' : 'recovery.enabled is false';
  return { left: enabled && guests === 'as_before' ? null : left, atOnce };
}
