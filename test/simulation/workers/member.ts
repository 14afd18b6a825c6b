// A member of a process of pollers: the real poller on the worker's end of a link, with a simulated NUT server. It can flood
// and send malformed frames on command.
import type { PollerSettings, UpsPolled } from '../../../shared/protocol/poller.js';
import { pollerContract } from '../../../shared/protocol/poller.js';
import type { Outcome } from '../../../shared/protocol/contract.js';
import type { Port } from '../../../shared/runtime/port.js';
import { WorkerLink } from '../../../shared/runtime/worker-link.js';
import { Poller } from '../../../workers/poller/poller.js';
import { PollReports } from '../../../workers/poller/reading/reports.js';
import type { NutTransport } from '../../../workers/poller/wire/transport.js';

/** More than a correct worker sends in a second. */
const floodFrames = 3_000;

export interface MemberOptions {
  readonly monotonicMs: () => number;
  readonly after: (ms: number, run: () => void) => () => void;
  readonly transportOf: (settings: PollerSettings) => NutTransport;
}

export class Member {
  readonly #options: MemberOptions;
  readonly #port: Port;
  readonly #reports = new PollReports();
  #poller: Poller | null = null;
  groupId: string | null = null;

  constructor(options: MemberOptions, port: Port) {
    this.#options = options;
    this.#port = port;
    const link = new WorkerLink(pollerContract, port);
    const unasked = (): Promise<Outcome<never>> =>
      Promise.resolve({ ok: false, error: { code: 'NOT_PERMITTED', message: 'nobody asks for this here' } });
    link.serve({
      configure: (settings) => this.#configure(settings, link),
      request: {
        'command.run': unasked,
        'variable.write': unasked,
        'selfTest.run': unasked,
        'output.off': unasked,
        'output.check': unasked,
        'fsd.set': unasked,
        'commands.list': unasked,
        'variables.list': unasked,
      },
      drain: () => link.drained(),
      lost: () => this.end(),
    });
    link.hello();
  }

  flood(): void {
    for (let frame = 0; frame < floodFrames; frame += 1) this.#port.postMessage({ kind: 'heartbeat' });
  }

  babble(): void {
    this.#port.postMessage({ kind: 'event', id: -1, name: 'ups.polled', body: 'nonsense' });
  }

  end(): void {
    this.#poller?.stop();
  }

  #configure(settings: PollerSettings, link: WorkerLink<typeof pollerContract>): void {
    this.groupId = settings.groupId;
    if (this.#poller !== null) {
      this.#reports.restart();
      this.#poller.reconfigure(settings);
      return;
    }
    const { monotonicMs, after, transportOf } = this.#options;
    const polled = (poll: UpsPolled): unknown => link.emitNewest('ups.polled', () => this.#reports.of(poll));
    this.#poller = new Poller({ monotonicMs, after, transportOf, polled }, settings);
    link.ready();
  }
}
