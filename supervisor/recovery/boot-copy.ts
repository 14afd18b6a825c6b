// The copy of all records in the runtime directory, for a restart of the daemon on the same boot. It is bound as each record is: another
// configuration file has other machines.
import { decode } from '../../shared/domain/base/decode.js';
import { RecoveryCopy } from '../../shared/domain/recovery/record.js';
import type { Logger } from '../../shared/runtime/log.js';
import type { Identity } from './group-record.js';
import { recordBytes } from './record-bytes.js';

export interface BootCopyDependencies {
  readonly file: { read(): unknown; writeJson(content: readonly Buffer[]): boolean };
  readonly identity: () => Identity;
  readonly log: Logger;
}

type Copied = Pick<RecoveryCopy, 'isRecalled' | 'records'>;

const nothing: Copied = { isRecalled: false, records: [] };

export class BootCopy {
  readonly #deps: BootCopyDependencies;

  constructor(deps: BootCopyDependencies) {
    this.#deps = deps;
  }

  /** Nothing, with a warning, of another configuration file or version: what is on the disk is read then. */
  read(): Copied {
    const { file, identity, log } = this.#deps;
    const content = file.read();
    if (content === null) return nothing;
    const copy = decode(RecoveryCopy, content);
    const reason = copy.ok
      ? strangeness(copy.value, identity())
      : `${copy.problems[0]?.path ?? ''}: ${copy.problems[0]?.message ?? 'it cannot be decoded'}`;
    if (copy.ok && reason === null) return copy.value;
    log.warning(
      `the copy of the recovery record of this boot is not used: ${reason ?? ''}. What is on the disk is read in its place; see ridethrough recovery status for what is not up again`,
    );
    return nothing;
  }

  /** As a `RecoveryCopy`. */
  write({ isRecalled, records }: Copied): void {
    const { machineId, configFile } = this.#deps.identity();
    const about = JSON.stringify({ machineId, configFile, isRecalled }).slice(0, -1);
    const texts = records.flatMap((record, place) =>
      place === 0 ? [recordBytes(record)] : [comma, recordBytes(record)],
    );
    this.#deps.file.writeJson([Buffer.from(`${about},"records":[`), ...texts, Buffer.from(']}')]);
  }
}

const comma = Buffer.from(',');

/** Why what is bound to this is not used; null: it may be. Pure. */
export function strangeness(
  { machineId, configFile }: Pick<Identity, 'machineId' | 'configFile'>,
  own: Identity,
): string | null {
  if (machineId !== own.machineId) return 'it is of another machine';
  return configFile === own.configFile ? null : `it is of the configuration file ${configFile}`;
}
