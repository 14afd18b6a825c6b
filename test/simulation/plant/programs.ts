// The programs of the simulated host that a plan runs: virsh, podman and podman compose, umount, sync, wall. They end as
// the site says, or never; no process is started.
import type { CommandLine } from '../../../shared/domain/commands/command-line.js';
import type { CommandOutcome } from '../../../supervisor/host/run-command.js';
import type { PlantClock } from './plant-clock.js';
import type { Plant, ProgramBehaviour } from './plant.js';

const works: ProgramBehaviour = { afterMs: 5, code: 0 };

export class Programs {
  readonly #around: PlantClock;
  readonly #plant: Plant;
  /** Running guests by UUID, with the time at which each ends after a shutdown request. */
  #guests = new Map<string, number | null>();
  #containers = new Set<string>();

  constructor(around: PlantClock, plant: Plant) {
    this.#around = around;
    this.#plant = plant;
    this.boot();
  }

  boot(): void {
    const guests = this.#plant.machines?.guests ?? [];
    this.#guests = new Map(guests.map((_, number) => [uuidOf(number), null]));
    this.#containers = new Set(this.#plant.containers?.remaining === true ? [idOf(1), idOf(2)] : []);
  }

  run(command: CommandLine, signal: AbortSignal): Promise<CommandOutcome> {
    const { behaviour, output } = this.#order(command);
    return new Promise((resolve) => {
      if (signal.aborted) resolve({ kind: 'abandoned', output: '' });
      signal.addEventListener('abort', () => resolve({ kind: 'abandoned', output: '' }), { once: true });
      if (behaviour.afterMs === null) return;
      this.#around.after(behaviour.afterMs, () =>
        resolve({
          kind: 'exited',
          code: behaviour.code,
          output: behaviour.code === 0 ? output() : 'it failed',
        }),
      );
    });
  }

  #order(command: CommandLine): { readonly behaviour: ProgramBehaviour; readonly output: () => string } {
    const { machines, containers, sync, unmounts, wall } = this.#plant;
    const nothing = () => '';
    const [program = '', verb = '', subject = ''] = command;
    switch (program) {
      case 'virsh':
        return {
          behaviour: machines?.virsh ?? works,
          output: () => this.#virsh(verb, subject, command.includes('--name')),
        };
      case 'podman-compose':
        return { behaviour: containers?.compose ?? works, output: nothing };
      case 'podman':
        return {
          behaviour: verb === 'stop' ? (containers?.engine ?? works) : works,
          output: () => this.#podman(verb, command),
        };
      case 'sync':
        return { behaviour: sync ?? works, output: nothing };
      case 'env':
        return command.includes('virsh')
          ? { behaviour: machines?.virsh ?? works, output: nothing }
          : { behaviour: unmounts?.umount ?? works, output: nothing };
      case 'wall':
        return { behaviour: wall ?? works, output: nothing };
      default:
        throw new Error(`nobody simulates ${command.join(' ')}`);
    }
  }

  #virsh(verb: string, subject: string, isListing: boolean): string {
    const nowMs = this.#around.monotonicMs();
    if (verb === 'destroy') this.#guests.delete(subject);
    if (verb === 'shutdown') {
      const index = Number.parseInt(subject.slice(-12), 16);
      const takesMs = this.#plant.machines?.guests[index] ?? null;
      if (this.#guests.has(subject)) this.#guests.set(subject, takesMs === null ? null : nowMs + takesMs);
    }
    for (const [uuid, endsMs] of this.#guests)
      if (endsMs !== null && endsMs <= nowMs) this.#guests.delete(uuid);
    if (!isListing) return '';
    return [...this.#guests.keys()].map((uuid) => `${uuid} guest-${uuid.slice(-2)}`).join('\n');
  }

  #podman(verb: string, command: CommandLine): string {
    if (verb === 'stop') for (const id of command.slice(4)) this.#containers.delete(id);
    return [...this.#containers].map((id) => `${id} container-${id.slice(-2)}`).join('\n');
  }
}

const uuidOf = (number: number): string => `00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`;
const idOf = (number: number): string => number.toString(16).padStart(64, 'a');
