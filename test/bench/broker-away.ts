// The cost of an unreachable MQTT broker: attempts, CPU time, and the messages after its return.
import type { AddressInfo, Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Broker } from '../fixtures/broker.js';
import { configurationFor } from '../fixtures/one-ups.js';
import { descendants, processRow } from '../fixtures/processes.js';
import { startDaemon } from '../fixtures/running-daemon.js';
import { isAbove, until } from '../fixtures/until.js';
import { startSimulatedUpsd } from '../../scripts/simulated-upsd/server.js';
import type { Figure } from './table.js';

const awayMs = 60_000;
const backMs = 5_000;

export async function brokerAway(): Promise<readonly Figure[]> {
  const upsd = await startSimulatedUpsd({ ups: [{ name: 'office' }] });
  const broker = await Broker.start();
  // Stands in for the broker: counts connections, and closes them until it forwards them.
  let attempts = 0;
  let through = false;
  const gate = createServer((socket) => {
    attempts += 1;
    if (through) join(socket, broker.openPort);
    else socket.destroy();
  });
  await new Promise<void>((resolve) => gate.listen(0, '127.0.0.1', resolve));
  const { port } = gate.address() as AddressInfo;
  const more = `[mqtt]\nenabled = true\nbroker = "mqtt://127.0.0.1:${String(port)}"\n`;
  const daemon = await startDaemon({ toml: configurationFor({ port: upsd.port, more }) });
  try {
    const mqtt = () =>
      descendants(daemon.pid)
        .filter(({ command }) => command.includes('workers/mqtt/'))
        .map(({ pid }) => processRow(pid))
        .filter((row) => row !== undefined);
    await pause(5_000);
    const [attemptsBefore, cpuBefore] = [attempts, sum(mqtt().map(({ cpuSeconds }) => cpuSeconds))];
    await pause(awayMs);
    const cpu = sum(mqtt().map(({ cpuSeconds }) => cpuSeconds)) - cpuBefore;
    const tries = attempts - attemptsBefore;
    const heard = await broker.listen();
    through = true;
    await until(() => heard.length, isAbove(0), 70_000);
    await pause(backMs);
    return [
      { what: 'attempts to connect within 60 s', value: String(tries), against: 'after the first 5 s' },
      {
        what: 'CPU of the MQTT worker',
        value: `${((100_000 * cpu) / awayMs).toFixed(2)} % of a core`,
        against: 'heartbeats and publishing included',
      },
      { what: `messages within ${String(backMs / 1000)} s of the return`, value: String(heard.length) },
    ];
  } finally {
    await daemon.stop();
    await upsd.stop();
    await broker.stop();
    gate.close();
  }
}

function join(socket: Socket, port: number): void {
  const onward = connect(port, '127.0.0.1');
  socket.pipe(onward).pipe(socket);
  for (const end of [socket, onward]) end.on('error', () => end.destroy());
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
