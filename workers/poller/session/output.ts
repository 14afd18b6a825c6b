// Makes the UPS cut its output later: the step `ups_output_off` of a plan. The command comes only from the settings. It is sent
// only when the UPS has confirmed a long enough delay, and, with usbhid-ups, that the output comes back after it.
import { setTimeout as pause } from 'node:timers/promises';
import type { OutputReturn } from '../../../shared/domain/ups/output-return.js';
import { outputReturn, returnWarning } from '../../../shared/domain/ups/output-return.js';
import type { OfferedValues } from '../../../shared/domain/ups/output-start.js';
import {
  cutDelay,
  isAskedTwice,
  offeredDelay,
  shutdownDelay,
  startDelay,
  startRefusal,
  startToWrite,
  wholeMinutes,
} from '../../../shared/domain/ups/output-start.js';
import type { Outcome } from '../../../shared/protocol/contract.js';
import { controlFailure } from '../../../shared/protocol/poller.js';
import type { PollerSettings } from '../../../shared/protocol/poller.js';
import type { Variables } from '../../../shared/domain/ups/reading.js';
import { systemClock } from '../../../shared/runtime/clock.js';
import type { NutCredentials } from '../wire/login.js';
import type { NutTransport } from '../wire/transport.js';

/** `warning`: the output may not come back; empty where nothing is known against it. */
export type OutputCut = Outcome<{ output: string; warning: string }>;
export type OutputSettings = NonNullable<PollerSettings['output']>;

/** Some drivers show a written value only after their next poll of the device, every two seconds. */
const readAgainMs = 250;
/** Then a delay that reads too short was rounded down. */
const readsBeforeMinutes = 4;
/** Of a reason; the contract of the poller takes no longer text. */
const maxText = 1024;
/** Reserved for the command itself; a third of a short deadline. */
const commandMs = 3_000;
/** Between two requests of the same cut: apcsmart counts whole seconds, and takes the second 3 to 15 s after the first. */
const againMs = 4_500;
/** For the list of the values that a delay may have; without it `off_delay` itself is written. */
const valuesMs = 1_500;

/** Uses a separate connection: it waits neither for a poll nor for a user's command. `waitAgain`: for tests only. */
export function cutOutput(
  settings: Pick<PollerSettings, 'output'>,
  connect: (login: NutCredentials) => NutTransport,
  deadlineMs: number,
  waitAgain = () => pause(againMs),
): Promise<OutputCut> {
  return withTransport(settings, connect, (transport, output) =>
    requestOff(transport, output, deadlineMs, waitAgain),
  );
}

/** For a drill: whether the output can be cut, as far as that is known without a write, and whether it comes back. */
export function checkOutput(
  settings: Pick<PollerSettings, 'output'>,
  connect: (login: NutCredentials) => NutTransport,
  deadlineMs: number,
): Promise<Outcome<OutputReturn>> {
  return withTransport(settings, connect, async (transport, output): Promise<Outcome<OutputReturn>> => {
    const left = timeLeft(deadlineMs);
    const offered = await offeredCommands(transport, output, left());
    if (!offered.ok) return offered;
    const read = await transport.readVariables(left());
    if (!read.ok)
      return refusal(
        controlFailure.nut,
        `the variables of the UPS could not be read: ${read.failure.message}`,
      );
    if (read.value[shutdownDelay] === undefined)
      return refusal(
        controlFailure.unsupported,
        `the UPS does not show ${shutdownDelay}: without that delay its output is not cut`,
      );
    const { verdict, reason } = outputReturn(output, read.value, offered.value);
    return { ok: true, value: { verdict, reason: reason.slice(0, maxText) } };
  });
}

async function withTransport<R>(
  { output }: Pick<PollerSettings, 'output'>,
  connect: (login: NutCredentials) => NutTransport,
  work: (transport: NutTransport, output: OutputSettings) => Promise<Outcome<R>>,
): Promise<Outcome<R>> {
  if (output === null)
    return refusal(controlFailure.notAllowed, 'no output command is configured for this UPS');
  const transport = connect(output);
  try {
    return await work(transport, output);
  } finally {
    transport.close();
  }
}

function timeLeft(deadlineMs: number): () => number {
  const endMs = systemClock.monotonicMs() + deadlineMs;
  return () => Math.max(1, endMs - systemClock.monotonicMs());
}

/** The names of all commands of the UPS, which have that of the settings among them. */
async function offeredCommands(
  transport: NutTransport,
  { command }: OutputSettings,
  deadlineMs: number,
): Promise<Outcome<readonly string[]>> {
  const offered = await transport.listCommands(deadlineMs);
  if (!offered.ok)
    return refusal(
      controlFailure.nut,
      `the commands of the UPS could not be listed: ${offered.failure.message}`,
    );
  const names = offered.value.map(({ name }) => name);
  return names.some((name) => name.toLowerCase() === command.toLowerCase())
    ? { ok: true, value: names }
    : refusal(controlFailure.unsupported, `the UPS does not offer ${command}`);
}

async function requestOff(
  transport: NutTransport,
  output: OutputSettings,
  deadlineMs: number,
  waitAgain: () => Promise<void>,
): Promise<OutputCut> {
  const { offDelaySeconds } = output;
  const left = timeLeft(deadlineMs);
  let reserve = Math.min(commandMs, deadlineMs / 3);
  const offered = await offeredCommands(transport, output, left() - reserve);
  if (!offered.ok) return offered;
  const cut = (seen: Variables) =>
    runOff(
      transport,
      output,
      left,
      returnWarning(output, seen, offered.value),
      isAskedTwice(seen) && waitAgain,
    );
  const values = await offeredValues(transport, Math.min(valuesMs, (left() - reserve) / 3));
  const write = (variable: string, seconds: number) =>
    transport.writeVariable(variable, offeredDelay(seconds, values.get(variable)), left() - reserve);
  const shown = await transport.readVariables(left() - reserve);
  let asked = cutDelay(output, shown.ok ? shown.value : {});
  let written = await write(shutdownDelay, asked);
  // A UPS whose delay is fixed, in the driver or in the device, refuses the write: the value that is read back counts.
  const why = written.ok ? '' : ` (write failed: ${written.failure.message})`;
  let seen: Variables;
  let isStartWritten = false;
  let reads = 0;
  do {
    const read = await transport.readVariables(left() - reserve);
    seen = read.ok ? read.value : {};
    if (isAskedTwice(seen)) reserve = Math.min(commandMs + againMs, deadlineMs * 0.8);
    if (isDelayed(seen, output)) {
      const start = startToWrite(output, seen);
      if (start === null) return await cut(seen);
      if (!isStartWritten) {
        isStartWritten = true;
        written = await write(startDelay, start);
        continue;
      }
    } else if (written.ok && (reads += 1) === readsBeforeMinutes && asked < wholeMinutes(asked)) {
      asked = wholeMinutes(asked);
      written = await write(shutdownDelay, asked);
    }
    await pause(readAgainMs);
  } while (written.ok && left() > reserve + readAgainMs);
  if (!isDelayed(seen, output)) {
    const delay = seen[shutdownDelay];
    const found = delay === undefined ? 'cannot be read' : `reads ${delay.slice(0, 32)}`;
    return refusal(
      controlFailure.nut,
      `${shutdownDelay} ${found}, less than the ${String(offDelaySeconds)} s of off_delay${why}; the output stays on`,
    );
  }
  const tooEarly = startRefusal(output, seen);
  return tooEarly === null ? cut(seen) : refusal(controlFailure.nut, `${tooEarly}; the output stays on`);
}

/** What the UPS takes for its delays, by their names; none where the server lists none in time. */
async function offeredValues(
  transport: NutTransport,
  deadlineMs: number,
): Promise<ReadonlyMap<string, OfferedValues>> {
  const listed = await transport.listWritable([shutdownDelay, startDelay], Math.max(1, deadlineMs));
  return new Map(listed.ok ? listed.value.map((variable) => [variable.name, variable]) : []);
}

function isDelayed(seen: Variables, { offDelaySeconds }: OutputSettings): boolean {
  return seen[shutdownDelay] !== undefined && Number(seen[shutdownDelay]) >= offDelaySeconds;
}

/** `waitAgain`: before the second request, of a driver that wants two. */
async function runOff(
  transport: NutTransport,
  output: OutputSettings,
  left: () => number,
  warning: string,
  waitAgain: (() => Promise<void>) | false,
): Promise<OutputCut> {
  const { command, offDelaySeconds } = output;
  const run = () => transport.runCommand(command, valueOf(command, offDelaySeconds), left());
  const asked = await run();
  if (!asked.ok) return refusal(controlFailure.nut, `${command}: ${asked.failure.message}`);
  if (waitAgain !== false) await waitAgain();
  const done = waitAgain === false ? asked : await run();
  if (!done.ok) return refusal(controlFailure.nut, `${command}, second request: ${done.failure.message}`);
  return { ok: true, value: { output: done.value.slice(0, 4096), warning: warning.slice(0, maxText) } };
}

/** Drivers do not look at the variable for these: without a value usbhid-ups cuts the output after 20 s. */
function valueOf(command: string, offDelaySeconds: number): string | null {
  const takesDelay = command === 'load.off.delay' || command === 'shutdown.reboot.graceful';
  return takesDelay ? String(offDelaySeconds) : null;
}

function refusal(code: string, message: string): Outcome<never> {
  return { ok: false, error: { code, message: message.slice(0, maxText) } };
}
