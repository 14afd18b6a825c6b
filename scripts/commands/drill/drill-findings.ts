// What a drill finds of the way back of each machine, for `ridethrough recovery check` of the running daemon.
import type { ActionOf } from '../../../shared/domain/actions/table.js';
import type { RemoteWork } from '../../../shared/domain/actions/remote-work.js';
import type {
  DrilledMachine,
  DrilledOutput,
  DrillFinding,
} from '../../../shared/domain/recovery/recovery-check.js';
import { maxDrillFindings, maxFindingText } from '../../../shared/domain/recovery/recovery-check.js';
import type { OutputReturn } from '../../../shared/domain/ups/output-return.js';
import type { Outcome } from '../../../shared/protocol/contract.js';
import type { TargetCheck } from '../../../shared/protocol/remote.js';
import type { Clock } from '../../../shared/runtime/clock.js';
import type { Logger } from '../../../shared/runtime/log.js';
import { readBootId } from '../../../supervisor/host/boot-file.js';
import { DrillFile } from '../../../supervisor/recovery/drill-file.js';

type Check = (work: RemoteWork, budgetMs: number) => Promise<Outcome<TargetCheck>>;

export class DrillFindings {
  readonly #clock: Pick<Clock, 'wallSeconds'>;
  readonly #machines = new Map<string | null, DrilledMachine>();
  readonly #outputs = new Map<string, DrilledOutput>();

  constructor(clock: Pick<Clock, 'wallSeconds'>) {
    this.#clock = clock;
  }

  /** The same check, of which what it finds is noted. A server that could not be asked keeps what is known of it. */
  of(check: Check): Check {
    return async (work, budgetMs) => {
      const outcome = await check(work, budgetMs);
      const findings = outcome.ok ? outcome.value.wayBack : null;
      if (findings !== null) this.#add(work.server, findings);
      return outcome;
    };
  }

  /** `remarks` on its containers; empty for none. */
  onThisHost(remarks: string): void {
    const text = remarks.slice(0, maxFindingText);
    this.#add(null, text === '' ? [] : [{ kind: 'containers', text }]);
  }

  output({ ups, command }: ActionOf<'upsOutputOff'>, { verdict, reason }: OutputReturn): void {
    this.#outputs.set(ups, { ups, command, verdict, reason: reason.slice(0, maxFindingText) });
  }

  /** Several steps may ask one machine. */
  #add(server: string | null, findings: DrilledMachine['findings']): void {
    const before = this.#machines.get(server)?.findings ?? [];
    const isNew = ({ text }: DrillFinding) => !before.some((known) => known.text === text);
    const all = [...before, ...findings.filter(isNew)].slice(0, maxDrillFindings);
    this.#machines.set(server, { server, unixSeconds: this.#clock.wallSeconds(), findings: all });
  }

  /** Only whoever may write beside the files of the supervisor leaves it there; the drill itself has shown it anyway. */
  keep(path: string, log: Logger): void {
    if (this.#machines.size === 0 && this.#outputs.size === 0) return;
    const file = new DrillFile({ path, bootId: readBootId(), log });
    file.add({ machines: [...this.#machines.values()], outputs: [...this.#outputs.values()] });
  }
}
