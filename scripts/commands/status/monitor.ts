// `ridethrough monitor`: the state of every UPS and new events, live, until Ctrl-C.
import { parseArgs } from 'node:util';
import type { SequenceModel } from '../../../shared/domain/status/status-model.js';
import type { StatusBody } from '../../../shared/http/bodies.js';
import { EventsBody, ExplainAllBody, ReadyBody } from '../../../shared/http/bodies.js';
import { requestDaemon, socketOf } from '../control/control-socket.js';
import { followLive } from '../control/live-stream.js';
import type { Screen } from './monitor-screen.js';
import { fullScreen, plainLines } from './monitor-screen.js';
import { stopOfTerminal } from '../terminal/broken-pipe.js';
import { complain, daemonOptions, exitCode } from '../usage.js';

/** Ages on the screen are in seconds. */
const refreshMs = 1_000;
/** Past events shown at the start. */
const firstEvents = 10;

/** Returns the exit code: 0 when the user ends it, 1 when the first request fails. */
export async function monitor(args: readonly string[], stop?: AbortSignal): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: daemonOptions,
  });
  const socket = await socketOf(values);
  if (!socket.ok) return complain('monitor', socket.message, socket.code);
  const present = await requestDaemon(socket.path, 'ready', ReadyBody);
  if (!present.ok) return complain('monitor', present.message);
  const until = stop ?? stopOfTerminal();
  if (values.json) {
    await followLive(socket.path, {
      frame: (frame) => process.stdout.write(`${JSON.stringify(frame)}\n`),
      disconnected: (message) => complain('monitor', message),
      connected: () => undefined,
      stop: until,
    });
    return exitCode.fine;
  }
  const past = await requestDaemon(socket.path, `events?limit=${String(firstEvents)}`, EventsBody);
  const screen = process.stdout.isTTY
    ? fullScreen(terminal)
    : plainLines((text) => process.stdout.write(text));
  try {
    if (past.ok) screen.events(past.value.events);
    await show(socket.path, screen, until);
  } finally {
    screen.close();
  }
  return exitCode.fine;
}

const terminal = {
  write: (text: string) => void process.stdout.write(text),
  rows: () => process.stdout.rows,
  columns: () => process.stdout.columns,
};

async function show(socketPath: string, screen: Screen, stop: AbortSignal): Promise<void> {
  let status: StatusBody | null = null;
  let sequence: SequenceModel | null = null;
  let ready: ReadyBody | null = null;
  let explanations: ExplainAllBody['ups'] = [];
  let unreachable = false;
  let asking = false;
  const draw = (): void => {
    if (status === null || ready === null || unreachable) return;
    // Ages use the daemon's clock.
    screen.draw({ status, sequence, ready, explanations, batteries: [] });
  };
  const refresh = async (): Promise<void> => {
    if (asking || unreachable) return;
    asking = true;
    const [reply, explained] = await Promise.all([
      requestDaemon(socketPath, 'ready', ReadyBody),
      requestDaemon(socketPath, 'explain', ExplainAllBody),
    ]);
    asking = false;
    if (reply.ok) ready = reply.value;
    if (explained.ok) explanations = explained.value.ups;
    if (status !== null) status = { ...status, generatedAt: Date.now() / 1000 };
    draw();
  };
  const timer = setInterval(() => void refresh(), refreshMs);
  await Promise.all([
    refresh(),
    followLive(socketPath, {
      frame: (frame) => {
        if (frame.event === 'event') screen.events([frame.data]);
        if (frame.event === 'status') status = frame.data;
        if (frame.event === 'sequence') sequence = frame.data;
        draw();
      },
      disconnected: (message) => {
        unreachable = true;
        screen.trouble(`${message} Waiting for it.`);
      },
      connected: () => {
        unreachable = false;
        screen.trouble(null);
      },
      stop,
    }),
  ]);
  clearInterval(timer);
}
