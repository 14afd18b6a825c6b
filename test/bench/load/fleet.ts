// A fleet of simulated UPSes and its configuration. A few hundred UPSes share a server process.
import type { Choices } from '../../fixtures/one-ups.js';
import { configurationFor } from '../../fixtures/one-ups.js';
import type { SimulatorAnswers, SimulatorOrders } from './messages.js';
import { Program } from './messages.js';
import type { Arrivals } from './polls.js';

/** A server answers this many per second with 5 % of a core. */
const upsesPerServer = 250;

/** The power-off is then the first step; the duration of a sync is not measured here. */
const withoutSync = '[ups.filesystems]\nsync_enabled = false\n';

export class Fleet {
  readonly names: readonly string[];
  readonly #servers: readonly Program<SimulatorOrders, SimulatorAnswers>[];
  readonly #tables: readonly string[];

  private constructor(
    names: readonly string[],
    servers: readonly Program<SimulatorOrders, SimulatorAnswers>[],
    tables: readonly string[],
  ) {
    this.names = names;
    this.#servers = servers;
    this.#tables = tables;
  }

  /** The first UPS is local: it feeds this host, and can shut it down. */
  static async start(size: number, perServer = upsesPerServer, interval = 1): Promise<Fleet> {
    const servers: Program<SimulatorOrders, SimulatorAnswers>[] = [];
    const names: string[] = [];
    const tables: string[] = [];
    for (let first = 0; first < size; first += perServer) {
      const server = new Program<SimulatorOrders, SimulatorAnswers>('./simulator-program.js');
      servers.push(server);
      const own = Array.from(
        { length: Math.min(perServer, size - first) },
        (_, index) => `ups${String(first + index)}`,
      );
      const { port } = await server.order('serve', { names: own });
      for (const name of own) {
        const local = names.length === 0;
        names.push(`${name}@127.0.0.1:${String(port)}`);
        const table = `[[ups]]\nname = "${name}@127.0.0.1:${String(port)}"\nis_local = ${String(local)}\ncheck_interval = ${String(interval)}\n`;
        tables.push(local ? `${table}${withoutSync}` : table);
      }
    }
    return new Fleet(names, servers, tables);
  }

  /** TOML for `startDaemon`; `more` follows the table of each UPS. */
  configuration(choices: Omit<Choices, 'ups' | 'port'>, more: (place: number) => string = () => ''): string {
    const tables = this.#tables.map((table, place) => `${table}${more(place)}`);
    return tables.join('') + configurationFor({ ...choices, ups: [], port: 0 });
  }

  get pids(): readonly number[] {
    return this.#servers.map(({ pid }) => pid);
  }

  /** When each UPS was polled since the last call, in Unix ms. */
  async arrivals(): Promise<Arrivals> {
    const answers = await Promise.all(this.#servers.map((server) => server.order('arrivals', {})));
    return new Map(answers.flatMap(({ byUps }) => byUps));
  }

  /** Sets FSD of the local UPS. For `true`, settles with the arrival of the first poll answered with it, in Unix ms. */
  async fsd(on: boolean): Promise<number> {
    const { askedAtMs } = (await this.#servers[0]?.order('fsd', { ups: 'ups0', on })) ?? {};
    return askedAtMs ?? NaN;
  }

  stop(): void {
    for (const server of this.#servers) server.end();
  }
}
