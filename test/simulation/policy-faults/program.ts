// A copy of the compiled program in which every function of policy, and of the triggers that it asks, can throw.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { repository, Sandbox, sourcesIn } from '../../mutation/sandbox.js';
import { instrumented } from './instrument.js';

const folders = ['supervisor/policy', 'shared/domain/triggers'];

export class FaultyProgram {
  readonly #sandbox = new Sandbox();
  /** Every function of policy. */
  readonly places: readonly string[];
  /** The program of the threads of a campaign. */
  readonly entry: URL;

  constructor() {
    this.places = folders.flatMap(sourcesIn).flatMap((file) => {
      const { text, places } = instrumented(file, readFileSync(join(repository, file), 'utf8'));
      this.#sandbox.write(file, text);
      return places;
    });
    const folder = 'test/simulation/policy-faults';
    writeFileSync(
      this.#sandbox.compiled(`${folder}/places.ts`).replace(/js$/, 'json'),
      JSON.stringify(this.places),
    );
    this.entry = pathToFileURL(this.#sandbox.compiled(`${folder}/thread.ts`));
  }

  remove(): void {
    this.#sandbox.remove();
  }
}
