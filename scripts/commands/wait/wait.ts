// `ridethrough wait`: ends when the battery could carry another outage, or at its time-out.
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import * as t from 'io-ts';
import { StatusBody } from '../../../shared/http/bodies.js';
import { systemClock } from '../../../shared/runtime/clock.js';
import { requestDaemon, socketOf } from '../control/control-socket.js';
import { printable } from '../terminal/printable.js';
import { complain, configOption, exitCode, integerOption, UsageError } from '../usage.js';
import { untilReady } from './readiness.js';

/** Fast enough for a start, and cheap beside a boot. */
const pollMs = 2_000;

/** Nothing is done in a dry run. */
const Sequence = t.intersection([t.type({ active: t.boolean }), t.partial({ dryRun: t.boolean })]);

export async function wait(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      ...configOption,
      socket: { type: 'string' },
      ups: { type: 'string' },
      charge: { type: 'string' },
      stable: { type: 'string', default: '2m' },
      timeout: { type: 'string', default: '30m' },
    },
  });
  const rule = {
    ups: values.ups ?? null,
    chargePercent: integerOption('charge', values.charge, [0, 100]) ?? 40,
    stableMs: span('stable', values.stable),
    timeoutMs: span('timeout', values.timeout),
  };
  const socket = await socketOf(values);
  if (!socket.ok) return complain('wait', socket.message, socket.code);
  const read = async () => {
    const [status, sequence] = await Promise.all([
      requestDaemon(socket.path, 'status', StatusBody),
      requestDaemon(socket.path, 'sequence', Sequence),
    ]);
    if (!status.ok) return status.message;
    if (!sequence.ok) return sequence.message;
    return { ...status.value, sequenceRuns: sequence.value.active && sequence.value.dryRun !== true };
  };
  const missing = await untilReady(
    {
      read,
      monotonicMs: () => systemClock.monotonicMs(),
      pause: () => sleep(pollMs),
      say: (text) => void process.stdout.write(printable(`ridethrough wait: ${text}\n`)),
    },
    rule,
  );
  return missing === null ? exitCode.fine : complain('wait', missing);
}

const unitMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 };
/** A longer wait is a typing error. */
const longestMs = 24 * 3_600_000;

function span(option: string, text: string): number {
  const [, number = '', unit = 's'] = /^(\d{1,6})([smh])?$/.exec(text) ?? [];
  const ms = Number(number) * (unitMs[unit] ?? NaN);
  if (number !== '' && ms <= longestMs) return ms;
  throw new UsageError(`--${option} expects a time such as 90s, 2m or 1h, at most 24h`);
}
