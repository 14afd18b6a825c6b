// The check of the way back, computed again after some time: what drills and UPSes say changes seldom. It
// works also while recovery is off, and says what it then cannot know.
import type { RecoveryCheck } from '../../shared/domain/recovery/recovery-check.js';
import type { Clock } from '../../shared/runtime/clock.js';
import type { Configuration } from '../config/configuration/configuration.js';
import type { CheckSources } from './check.js';
import { recoveryCheck, shownCheck, wayBackReasons } from './check.js';
import type { DrillFile } from './drill-file.js';
import type { Recovery } from './recovery.js';

/** The caller has perhaps just run a drill. */
const askedMs = 5_000;
/** For /ready, which is published several times a second. */
const publishedMs = 60_000;

export interface KeptCheckDependencies extends Pick<CheckSources, 'variablesOf'> {
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly configuration: () => Configuration;
  /** Undefined before it is first enabled. */
  readonly recovery: () => Recovery | undefined;
  readonly drills: DrillFile;
}

interface Checked {
  /** Monotonic. */
  readonly atMs: number;
  readonly of: Configuration;
  readonly check: RecoveryCheck;
  /** What of it an answer holds, once it was asked for: of a fleet it takes some milliseconds. */
  shown?: RecoveryCheck;
  readonly reasons: ReadonlyMap<string, string>;
}

const noReasons: ReadonlyMap<string, string> = new Map();

export class KeptCheck {
  readonly #deps: KeptCheckDependencies;
  #checked: Checked | undefined;

  constructor(deps: KeptCheckDependencies) {
    this.#deps = deps;
  }

  get check(): RecoveryCheck {
    const checked = this.#now(askedMs);
    return (checked.shown ??= shownCheck(checked.check));
  }

  /** For the details of /ready; none while recovery is off. */
  get reasons(): ReadonlyMap<string, string> {
    return this.#deps.configuration().recovery.enabled ? this.#now(publishedMs).reasons : noReasons;
  }

  #now(keptMs: number): Checked {
    const { clock, drills, variablesOf } = this.#deps;
    const configuration = this.#deps.configuration();
    const nowMs = clock.monotonicMs();
    if (configuration === this.#checked?.of && nowMs - this.#checked.atMs < keptMs) return this.#checked;
    const recovery = configuration.recovery.enabled ? this.#deps.recovery() : undefined;
    const sources: CheckSources = {
      ...{ configuration, variablesOf, drilled: drills.drilled },
      ...{ records: this.#deps.recovery()?.records ?? new Map(), trouble: recovery?.trouble ?? '' },
    };
    const check = recoveryCheck(sources);
    const reasons = wayBackReasons(check, sources);
    return (this.#checked = { atMs: nowMs, of: configuration, check, reasons });
  }
}
