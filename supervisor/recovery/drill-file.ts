// What drills have found of the way back of each machine, on this boot: a drill writes it beside the files of the supervisor, as
// root, and the daemon reads it. It decides nothing.
import { statSync } from 'node:fs';
import { decode } from '../../shared/domain/base/decode.js';
import { Drilled } from '../../shared/domain/recovery/recovery-check.js';
import type { Logger } from '../../shared/runtime/log.js';
import { BootFile } from '../host/boot-file.js';

/** 5,000 servers with a finding each. */
const maxBytes = 4_194_304;
const nothing: Drilled = { machines: [], outputs: [] };

export interface DrillFileDependencies {
  /** RuntimeDirectory.drills */
  readonly path: string;
  readonly bootId: string;
  readonly log: Logger;
}

export class DrillFile {
  readonly #path: string;
  readonly #file: BootFile;
  #read: { readonly of: string; readonly drilled: Drilled } = { of: '', drilled: nothing };

  constructor({ path, bootId, log }: DrillFileDependencies) {
    this.#path = path;
    this.#file = new BootFile({
      ...{ path, bootId, log, field: 'drilled', maxBytes },
      words: {
        name: 'file of what drills have found',
        unread: 'ridethrough recovery check says that no drill has run',
        unwritten: 'ridethrough recovery check does not show what this drill has found',
      },
    });
  }

  /** The same object while the file is the same. Never throws. */
  get drilled(): Drilled {
    const of = this.#version();
    if (of !== this.#read.of) this.#read = { of, drilled: of === '' ? nothing : this.#readNow() };
    return this.#read.drilled;
  }

  /** What is new takes the place of what is known of the same machine or output. */
  add({ machines, outputs }: Drilled): void {
    const { drilled } = this;
    const asked = new Set(machines.map(({ server }) => server));
    const judged = new Set(outputs.map(({ ups }) => ups));
    this.#file.write({
      machines: [...drilled.machines.filter(({ server }) => !asked.has(server)), ...machines],
      outputs: [...drilled.outputs.filter(({ ups }) => !judged.has(ups)), ...outputs],
    } satisfies Drilled);
  }

  #readNow(): Drilled {
    const decoded = decode(Drilled, this.#file.read());
    return decoded.ok ? decoded.value : nothing;
  }

  /** Empty without a file. Each write makes a new one. */
  #version(): string {
    try {
      const { ino, mtimeMs, size } = statSync(this.#path);
      return [ino, mtimeMs, size].join();
    } catch {
      return '';
    }
  }
}
