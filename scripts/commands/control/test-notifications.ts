// `ridethrough test-notifications`: the running daemon sends a test message to every service; prints each result.
import { parseArgs } from 'node:util';
import { NotificationTestBody } from '../../../shared/http/bodies.js';
import { requestDaemon, socketOf } from './control-socket.js';
import { complain, daemonOptions, exitCode } from '../usage.js';

/** More than the daemon takes: two attempts of notifications.timeout, which is 300 s at most. */
const answerMs = 610_000;

/** Returns the exit code: 0 when every service has accepted the message. */
export async function testNotifications(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: daemonOptions,
  });
  const socket = await socketOf(values);
  if (!socket.ok) return complain('test-notifications', socket.message, socket.code);
  const options = { method: 'POST', withinMs: answerMs } as const;
  const reply = await requestDaemon(socket.path, 'notifications/test', NotificationTestBody, options);
  if (!reply.ok) return complain('test-notifications', reply.message);
  const { services } = reply.value;
  process.stdout.write(values.json ? `${reply.text}\n` : report(services));
  if (services.length === 0) {
    const advice = 'add an address to notifications.urls and reload the daemon';
    return complain('test-notifications', `No notification service is configured: ${advice}.`);
  }
  return services.every(({ delivered }) => delivered) ? exitCode.fine : exitCode.failed;
}

/** One line for each service, in the order of the configuration. */
export function report(services: NotificationTestBody['services']): string {
  const width = Math.max(0, ...services.map(({ name }) => name.length));
  return services
    .map(({ name, delivered, message, seconds }) => {
      const but = message === '' ? '' : `, but ${message}`;
      const answer = delivered ? `delivered in ${seconds.toFixed(2)} s${but}` : `NOT delivered: ${message}`;
      return `${name.padEnd(width)}   ${answer}\n`;
    })
    .join('');
}
