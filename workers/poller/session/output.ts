// Makes the UPS cut its output later: the step `ups_output_off` of a plan. The command comes only from the settings. It is sent
// only when the UPS has confirmed a long enough delay, and, with usbhid-ups, that the output comes back after it.
import { setTimeout as pause } from 'node:timers/promises';
import {
  shutdownDelay,
  startDelay,
  startToWrite,
  startWarning,
  staysOffByStart,
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
/** Reserved for the command itself; a third of a short deadline. */
const commandMs = 3_000;

/** Uses a separate connection: it waits neither for a poll nor for a user's command. */
export async function cutOutput(
  { output }: Pick<PollerSettings, 'output'>,
  connect: (login: NutCredentials) => NutTransport,
  deadlineMs: number,
): Promise<OutputCut> {
  if (output === null)
    return refusal(controlFailure.notAllowed, 'no output command is configured for this UPS');
  const transport = connect(output);
  try {
    return await requestOff(transport, output, deadlineMs);
  } finally {
    transport.close();
  }
}

async function requestOff(
  transport: NutTransport,
  output: OutputSettings,
  deadlineMs: number,
): Promise<OutputCut> {
  const { command, offDelaySeconds } = output;
  const endMs = systemClock.monotonicMs() + deadlineMs;
  const left = () => Math.max(1, endMs - systemClock.monotonicMs());
  const reserve = Math.min(commandMs, deadlineMs / 3);
  const offered = await transport.listCommands(left() - reserve);
  if (!offered.ok)
    return refusal(
      controlFailure.nut,
      `the commands of the UPS could not be listed: ${offered.failure.message}`,
    );
  if (!offered.value.some(({ name }) => name.toLowerCase() === command.toLowerCase()))
    return refusal(controlFailure.unsupported, `the UPS does not offer ${command}`);
  let written = await transport.writeVariable(shutdownDelay, String(offDelaySeconds), left() - reserve);
  // A UPS whose delay is fixed, in the driver or in the device, refuses the write: the value that is read back counts.
  const why = written.ok ? '' : ` (write failed: ${written.failure.message})`;
  let seen: Variables;
  let isStartWritten = false;
  do {
    const read = await transport.readVariables(left() - reserve);
    seen = read.ok ? read.value : {};
    if (isDelayed(seen, output)) {
      const start = startToWrite(output, seen);
      if (start === null) return await runOff(transport, output, left(), seen);
      if (!isStartWritten) {
        isStartWritten = true;
        written = await transport.writeVariable(startDelay, String(start), left() - reserve);
        continue;
      }
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
  if (!staysOffByStart(output, seen)) return runOff(transport, output, left(), seen);
  return refusal(controlFailure.nut, `${startWarning(output, seen) ?? ''}; the output stays on`);
}

function isDelayed(seen: Variables, { offDelaySeconds }: OutputSettings): boolean {
  return seen[shutdownDelay] !== undefined && Number(seen[shutdownDelay]) >= offDelaySeconds;
}

async function runOff(
  transport: NutTransport,
  output: OutputSettings,
  deadlineMs: number,
  seen: Variables,
): Promise<OutputCut> {
  const { command, offDelaySeconds } = output;
  const done = await transport.runCommand(command, valueOf(command, offDelaySeconds), deadlineMs);
  if (!done.ok) return refusal(controlFailure.nut, `${command}: ${done.failure.message}`);
  return {
    ok: true,
    value: { output: done.value.slice(0, 4096), warning: startWarning(output, seen) ?? '' },
  };
}

/** Drivers do not look at the variable for these: without a value usbhid-ups cuts the output after 20 s. */
function valueOf(command: string, offDelaySeconds: number): string | null {
  const takesDelay = command === 'load.off.delay' || command === 'shutdown.reboot.graceful';
  return takesDelay ? String(offDelaySeconds) : null;
}

function refusal(code: string, message: string): Outcome<never> {
  return { ok: false, error: { code, message: message.slice(0, 1024) } };
}
