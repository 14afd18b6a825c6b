// Loads configurations from text for the tests of this folder.
import { expect } from 'chai';
import type { Problem } from '../../../shared/domain/base/decode.js';
import type { Configuration } from '../../../supervisor/config/configuration/configuration.js';
import { loadText } from '../../../supervisor/config/load/load.js';

export const office = `[[ups]]\nname = "office@127.0.0.1:3493"\n`;
export const rack = `${office}[[ups]]\nname = "rack-a@nut1"\n[[ups]]\nname = "rack-b@nut1"\n`;
/** A UPS with one server; lines that follow belong to the server. */
export const withServer =
  `${office}is_local = true\n[[ups.remote_servers]]\n` + 'name = "nas"\nhost = "192.0.2.9"\nuser = "root"\n';
/** A redundancy group of two; lines that follow belong to the group. */
export const withGroup =
  `${rack}[[redundancy_groups]]\nname = "rack-1"\n` + 'ups_sources = ["rack-a@nut1", "rack-b@nut1"]\n';

/** A home directory without keys: the keys of the user that runs the tests must not matter. */
const nobody = { HOME: '/nonexistent' };

export function configurationFrom(text: string, environment: NodeJS.ProcessEnv = nobody): Configuration {
  const loaded = loadText(text, environment);
  if (!loaded.ok) throw new Error(`refused: ${JSON.stringify(loaded.problems)}`);
  return loaded.configuration;
}

/** The warnings of a valid text, without those about programs and keys that are missing on this machine. */
export function warningsFrom(text: string): readonly string[] {
  return configurationFrom(text).warnings.filter(
    (warning) => !warning.includes('is not on this machine') && !warning.includes('ssh_key_path'),
  );
}

export function problemsOf(text: string, environment: NodeJS.ProcessEnv = {}): readonly Problem[] {
  const loaded = loadText(text, environment);
  if (loaded.ok) throw new Error('accepted');
  return loaded.problems;
}

export interface Refusal {
  readonly it: string;
  readonly file: string;
  readonly path: string;
  readonly message: string;
}

/** One test for each: exactly one problem, with this path and message. */
export function refuses(refusals: readonly Refusal[]): void {
  for (const { it: sentence, file, path, message } of refusals) {
    it(sentence, () => {
      expect(problemsOf(file)).to.deep.equal([{ path, message }]);
    });
  }
}
