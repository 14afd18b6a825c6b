// Whether the outputs that the configuration cuts come back, by what a running daemon knows of their UPSes.
import type { OutputReturn } from '../../../shared/domain/ups/output-return.js';
import { outputReturn, returnWarning } from '../../../shared/domain/ups/output-return.js';
import { ReadingsBody } from '../../../shared/http/bodies.js';
import { CommandsBody } from '../../../shared/http/device-bodies.js';
import type { UpsConfiguration } from '../../../supervisor/config/configuration/configuration.js';
import { requestDaemon } from '../control/control-socket.js';

export interface JudgedOutput extends OutputReturn {
  readonly ups: string;
  readonly groupId: string;
  /** Empty unless the output may stay off by something else than the command that was chosen. */
  readonly warning: string;
}

/** Of the UPSes whose output is cut and whose readings the daemon has; each request within `withinMs`. */
export async function judgedOutputs(
  socket: string,
  upses: readonly UpsConfiguration[],
  withinMs: number,
): Promise<readonly JudgedOutput[]> {
  const judged = upses.map(async ({ policy: { groupId, name }, output }) => {
    if (output === null) return [];
    const query = `?ups=${encodeURIComponent(groupId)}`;
    const options = { method: 'GET', withinMs } as const;
    const [read, listed] = await Promise.all([
      requestDaemon(socket, `readings${query}`, ReadingsBody, options),
      // Refused while nut_control is off.
      requestDaemon(socket, `commands${query}`, CommandsBody, options),
    ]);
    if (!read.ok) return [];
    const commands = listed.ok ? listed.value.supported.map((command) => command.name) : null;
    const { readings } = read.value;
    const warning = returnWarning(output, readings, commands);
    return [{ ups: name, groupId, ...outputReturn(output, readings, commands), warning }];
  });
  return (await Promise.all(judged)).flat();
}
