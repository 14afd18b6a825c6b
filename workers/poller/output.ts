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

export interface OutputOrder {
  /** How long the output should stay on: at least `off_delay` of the settings is needed. */
  readonly delaySeconds: number;
  readonly deadlineMs: number;
}

type Cut = Outcome<{ output: string; delaySeconds: number }>;

/** Uses a separate connection: it waits neither for a poll nor for a user's command. */
export async function cutOutput(
  { output }: Pick<PollerSettings, 'output'>,
  connect: (login: Login) => NutTransport,
  order: OutputOrder,
): Promise<Cut> {
  if (output === null)
    return refused(controlFailure.notAllowed, 'no output command is configured for this UPS');
  const transport = connect(output);
  try {
    return await requestOff(transport, output, order);
  } finally {
    transport.close();
  }
}

async function requestOff(
  transport: NutTransport,
  { command, offDelaySeconds: least }: OutputSettings,
  { delaySeconds, deadlineMs }: OutputOrder,
): Promise<Cut> {
  const wanted = Math.max(least, delaySeconds);
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
  const write = (seconds: number) =>
    transport.writeVariable(delayVariable, String(seconds), left() - reserve);
  const cut = async (seconds: number): Promise<Cut> => {
    const done = await transport.runCommand(command, valueOf(command, seconds), left());
    if (!done.ok) return refused(controlFailure.nut, `${command}: ${done.failure.message}`);
    return { ok: true, value: { output: done.value.slice(0, 4096), delaySeconds: seconds } };
  };
  let sought = wanted;
  let written = await write(sought);
  // The UPS allows no delay that long.
  if (!written.ok && wanted > least) written = await write((sought = least));
  // A UPS whose delay is fixed, in the driver or in the device, refuses the write: the value that is read back counts.
  const why = written.ok ? '' : ` (write failed: ${written.failure.message})`;
  let seen: string | undefined;
  do {
    const read = await transport.readVariables(left() - reserve);
    seen = read.ok ? read.value[delayVariable] : undefined;
    if (Number(seen) >= sought) break;
    await pause(readAgainMs);
  } while (written.ok && left() > reserve + readAgainMs);
  if (Number(seen) >= least) return cut(Math.min(wanted, Math.floor(Number(seen))));
  const found = seen === undefined ? 'cannot be read' : `reads ${seen.slice(0, 32)}`;
  return refused(
    controlFailure.nut,
    `${delayVariable} ${found}, less than the ${String(least)} s of off_delay${why}; the output stays on`,
  );
}

/** Drivers do not look at the variable for these: without a value usbhid-ups cuts the output after 20 s. */
function valueOf(command: string, delaySeconds: number): string | null {
  const takesDelay = command === 'load.off.delay' || command === 'shutdown.reboot.graceful';
  return takesDelay ? String(delaySeconds) : null;
}

function refused(code: string, message: string): Outcome<never> {
  return { ok: false, error: { code, message: message.slice(0, 1024) } };
}
