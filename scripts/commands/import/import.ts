// `ridethrough import upslog|eneru`: checks the source as a whole, then reads it a second time and adds it.
import { parseArgs } from 'node:util';
import { UpsNames } from '../../../shared/domain/ups/ups-name.js';
import { complain, daemonOptions, exitCode, UsageError } from '../usage.js';
import type { Destination } from './destination.js';
import { openDestination } from './open-destination.js';
import { databasesAt, identifierOf } from './eneru/database-copy.js';
import { EneruDatabase } from './eneru/eneru.js';
import { fill } from './filling.js';
import type { HistorySource } from './history-sink.js';
import { ImportError } from './history-sink.js';
import type { ImportedHistory } from './report.js';
import { foreignText, importedText, problemText } from './report.js';
import { check } from './checking.js';
import { isSameUps } from './upslog/same-ups.js';
import { printable } from '../terminal/printable.js';
import { defaultFormat, LineFormat } from './upslog/line-format.js';
import { UpslogFile } from './upslog/upslog.js';

const options = {
  ...daemonOptions,
  ups: { type: 'string' },
  format: { type: 'string' },
  'ups-host': { type: 'string' },
  'skip-damaged': { type: 'boolean', default: false },
  'dry-run': { type: 'boolean', default: false },
} as const;

/** One source and the UPS it is of; `groupId` undefined: none is configured under that name. */
interface Task {
  readonly path: string;
  readonly groupId: string | undefined;
  readonly open: () => Promise<HistorySource>;
}

/** Returns the exit code: 0 when everything was added, or was there already. */
export async function importHistory(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const [kind, path, ...others] = positionals;
  if (kind !== 'upslog' && kind !== 'eneru')
    throw new UsageError('import needs what to import from: upslog or eneru');
  if (path === undefined || others.length > 0)
    throw new UsageError(
      kind === 'upslog' ? 'give one file' : 'give the directory of Eneru, or one database',
    );
  const { format = defaultFormat, 'ups-host': upsHost } = values;
  if (kind === 'eneru' && (values.format ?? upsHost) !== undefined)
    throw new UsageError('--format and --ups-host are for upslog');
  // Before anything is opened.
  if (kind === 'upslog' && !new LineFormat(format).namesUps && upsHost !== undefined)
    throw new UsageError('--ups-host needs %UPSHOST% in --format');
  const opened = await openDestination(values);
  if (!opened.ok) return complain('import', opened.message, opened.code);
  const { destination } = opened;
  try {
    if (!destination.enabled)
      throw new ImportError('statistics.enabled is false: there is no history to add to');
    const tasks =
      kind === 'upslog'
        ? [upslogTask(upsOf(destination, values.ups), { path, format, upsHost })]
        : await eneruTasks(destination, path, values.ups);
    return await run(tasks, destination, values);
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
    return complain('import', error.message);
  } finally {
    await destination.close();
  }
}

async function run(
  tasks: readonly Task[],
  destination: Destination,
  values: { readonly json: boolean; readonly 'skip-damaged': boolean; readonly 'dry-run': boolean },
): Promise<number> {
  const { json, 'skip-damaged': mayBeDamaged, 'dry-run': isDryRun } = values;
  const nowSeconds = Math.floor(Date.now() / 1000);
  // All sources are checked before one is added.
  const open: { task: Task; source: HistorySource }[] = [];
  try {
    for (const task of tasks) if (task.groupId !== undefined) open.push({ task, source: await task.open() });
    for (const { task, source } of open) {
      const checked = await check(source);
      if (checked.count === 0 && !checked.hasGood && checked.foreign.length > 0)
        return complain('import', foreignText(task.path, checked.foreign));
      if (checked.count > 0 && !(mayBeDamaged && checked.hasGood))
        return complain('import', problemText({ path: task.path, kind: source.source }, checked));
    }
    const done: ImportedHistory[] = [];
    for (const { task, source } of open) {
      const ups = destination.ups.find(({ groupId }) => groupId === task.groupId);
      if (ups === undefined) continue;
      const filled = await fill(source, destination, { groupId: ups.groupId, isDryRun, nowSeconds });
      const imported = {
        file: task.path,
        ups: ups.name,
        label: ups.label,
        source: source.source,
        isDryRun,
        unit: source.unit,
        ...filled,
      };
      done.push(imported);
      if (!json) process.stdout.write(printable(importedText(imported, destination.name)));
    }
    const unmatched = tasks.filter(({ groupId }) => groupId === undefined).map(({ path }) => path);
    if (json) process.stdout.write(`${JSON.stringify({ imported: done, unmatched }, null, 2)}\n`);
    else
      for (const path of unmatched)
        process.stdout.write(
          printable(
            `${path}: not imported: no UPS is configured under this name. Give it alone, with --ups NAME.\n`,
          ),
        );
    return done.length > 0 ? exitCode.fine : exitCode.failed;
  } finally {
    for (const { source } of open) await source.close();
  }
}

/** Lines that name their UPS are those of this one, under any spelling of its name, or under `upsHost`. */
function upslogTask(
  { groupId, name }: Destination['ups'][number],
  { path, format, upsHost }: { path: string; format: string; upsHost: string | undefined },
): Task {
  const isOwn = (named: string): boolean =>
    upsHost === undefined ? isSameUps(name, named) : named === upsHost;
  return { path, groupId, open: () => UpslogFile.open(path, format, isOwn) };
}

/** The UPS of --ups, else the only one. */
function upsOf({ ups }: Destination, asked: string | undefined): Destination['ups'][number] {
  const names = ups.map(({ name }) => name);
  const name =
    asked === undefined ? (names.length === 1 ? names[0] : undefined) : new UpsNames(names).find(asked);
  const found = ups.find((one) => one.name === name);
  if (found !== undefined) return found;
  const list = names.length === 0 ? 'none' : names.slice(0, 10).join(', ');
  if (asked === undefined) throw new UsageError(`give --ups NAME: there are ${list}`);
  throw new ImportError(`no UPS ${JSON.stringify(asked.slice(0, 80))} is configured; there are ${list}`);
}

/** A database is of the UPS that its file is named after, or of --ups when it is the only one. */
async function eneruTasks(
  destination: Destination,
  path: string,
  asked: string | undefined,
): Promise<readonly Task[]> {
  const paths = await databasesAt(path);
  const open = (one: string) => () => EneruDatabase.open(one);
  const [only] = paths;
  if (asked !== undefined && paths.length > 1)
    throw new UsageError(`--ups is for one database; ${path} has ${String(paths.length)}: give one of them`);
  const names = new UpsNames(destination.ups.map(({ name }) => name));
  const matched = (file: string) =>
    destination.ups.find(({ name }) => name === names.find(identifierOf(file)))?.groupId;
  // With one UPS Eneru names its database default.db.
  if (only !== undefined && paths.length === 1 && matched(only) === undefined)
    return [{ path: only, groupId: upsOf(destination, asked).groupId, open: open(only) }];
  return paths.map((one) => ({
    path: one,
    groupId: asked === undefined ? matched(one) : upsOf(destination, asked).groupId,
    open: open(one),
  }));
}
