// Makes the UPS cut its output later: the step `ups_output_off` of a plan. The command comes only from the settings. It is sent
// only when the UPS has confirmed a long enough delay.
import { setTimeout as pause } from 'node:timers/promises';
import type { Outcome } from '../../shared/protocol/contract.js';
import { controlFailure } from '../../shared/protocol/poller.js';
import type { PollerSettings } from '../../shared/protocol/poller.js';
import { systemClock } from '../../shared/runtime/clock.js';
import type { Login } from './login.js';
import type { NutTransport } from './transport.js';

export type OutputSettings = NonNullable<PollerSettings['output']>;

const delayVariable = 'ups.delay.shutdown';
/** Some drivers show a written value only after their next poll of the device, every two seconds. */
const readAgainMs = 250;
/** Reserved for the command itself; a third of a short deadline. */
const commandMs = 3_000;

/** Uses a separate connection: it waits neither for a poll nor for a user's command. */
export async function cutOutput(
  { output }: Pick<PollerSettings, 'output'>,
  connect: (login: Login) => NutTransport,
  deadlineMs: number,
): Promise<Outcome<{ output: string }>> {
  if (output === null)
    return refused(controlFailure.notAllowed, 'no output command is configured for this UPS');
  const transport = connect(output);
  try {
    return await requestOff(transport, output, deadlineMs);
  } finally {
    transport.close();
  }
}

async function requestOff(
  transport: NutTransport,
  { command, offDelaySeconds }: OutputSettings,
  deadlineMs: number,
): Promise<Outcome<{ output: string }>> {
  const endMs = systemClock.monotonicMs() + deadlineMs;
  const left = () => Math.max(1, endMs - systemClock.monotonicMs());
  const reserve = Math.min(commandMs, deadlineMs / 3);
  const offered = await transport.listCommands(left() - reserve);
  if (!offered.ok)
    return refused(
      controlFailure.nut,
      `the commands of the UPS could not be listed: ${offered.failure.message}`,
    );
  if (!offered.value.some(({ name }) => name.toLowerCase() === command.toLowerCase()))
    return refused(controlFailure.unsupported, `the UPS does not offer ${command}`);
  const written = await transport.writeVariable(delayVariable, String(offDelaySeconds), left() - reserve);
  // A UPS whose delay is fixed, in the driver or in the device, refuses the write: the value that is read back counts.
  const why = written.ok ? '' : ` (write failed: ${written.failure.message})`;
  let seen: string | undefined;
  do {
    const read = await transport.readVariables(left() - reserve);
    seen = read.ok ? read.value[delayVariable] : undefined;
    if (seen !== undefined && Number(seen) >= offDelaySeconds) {
      const done = await transport.runCommand(command, valueOf(command, offDelaySeconds), left());
      if (done.ok) return { ok: true, value: { output: done.value.slice(0, 4096) } };
      return refused(controlFailure.nut, `${command}: ${done.failure.message}`);
    }
    await pause(readAgainMs);
  } while (written.ok && left() > reserve + readAgainMs);
  const found = seen === undefined ? 'cannot be read' : `reads ${seen.slice(0, 32)}`;
  return refused(
    controlFailure.nut,
    `${delayVariable} ${found}, less than the ${String(offDelaySeconds)} s of off_delay${why}; the output stays on`,
  );
}

/** Drivers do not look at the variable for these: without a value usbhid-ups cuts the output after 20 s. */
function valueOf(command: string, offDelaySeconds: number): string | null {
  const takesDelay = command === 'load.off.delay' || command === 'shutdown.reboot.graceful';
  return takesDelay ? String(offDelaySeconds) : null;
}

function refused(code: string, message: string): Outcome<never> {
  return { ok: false, error: { code, message: message.slice(0, 1024) } };
}
