// The daemon's stream over the control socket: decoded Server-Sent Events. Reconnects and reports a lost connection once.
import { request } from 'node:http';
import type * as t from 'io-ts';
import { setTimeout as pause } from 'node:timers/promises';
import { decode } from '../../../shared/domain/base/decode.js';
import { SequenceModel } from '../../../shared/domain/status/status-model.js';
import { EventRow, StatusBody } from '../../../shared/http/bodies.js';
import { failureText, parseJson } from './control-socket.js';

export type LiveFrame =
  | { readonly event: 'status'; readonly data: StatusBody }
  | { readonly event: 'sequence'; readonly data: SequenceModel }
  | { readonly event: 'event'; readonly data: EventRow };

export interface LiveListener {
  readonly frame: (frame: LiveFrame) => void;
  /** Called once for a lost connection, and once for its return. */
  readonly disconnected: (message: string) => void;
  readonly connected: () => void;
  readonly stop: AbortSignal;
}

/** A restart of the daemon takes seconds. */
const retryMs = 1_000;
/** The daemon sends a heartbeat every 15 s (specification/api-resources.md#stream); two may be late. */
const silenceMs = 40_000;
/** More than the status of some thousand UPSes. */
const maxFrameLength = 16 * 1024 * 1024;

/** Resolves when `stop` is aborted. */
export async function followLive(socketPath: string, listener: LiveListener): Promise<void> {
  const { stop } = listener;
  let disconnected = false;
  while (!stop.aborted) {
    const ended = await followOnce(socketPath, stop, (text) => {
      if (disconnected) listener.connected();
      disconnected = false;
      const frame = frameOf(text);
      if (frame !== null) listener.frame(frame);
    });
    if (stop.aborted) return;
    if (!disconnected) listener.disconnected(ended);
    disconnected = true;
    await pause(retryMs, undefined, { signal: stop }).catch(() => undefined);
  }
}

/** One connection; resolves with the reason of its end. */
function followOnce(
  socketPath: string,
  stop: AbortSignal,
  onFrame: (frame: string) => void,
): Promise<string> {
  return new Promise((resolve) => {
    const outgoing = request(
      { socketPath, path: '/control/v1/stream', agent: false, signal: stop },
      (incoming) => {
        let text = '';
        incoming.setEncoding('utf8');
        incoming.on('data', (chunk: string) => {
          const frames = (text + chunk).split('\n\n');
          text = frames.pop() ?? '';
          for (const frame of frames) onFrame(frame);
          if (text.length > maxFrameLength) outgoing.destroy();
        });
        incoming.once('error', () => undefined);
        incoming.once('close', () => resolve('The daemon closed the connection. It may be restarting.'));
      },
    );
    outgoing.setTimeout(silenceMs, () => outgoing.destroy(new Error('the daemon sent nothing for too long')));
    outgoing.once('error', (error) => resolve(failureText(error, socketPath)));
    outgoing.end();
  });
}

const codecs: Readonly<Record<string, t.Mixed>> = {
  status: StatusBody,
  sequence: SequenceModel,
  event: EventRow,
};

/** Null for a heartbeat, and for a frame that is unknown or not JSON. */
function frameOf(text: string): LiveFrame | null {
  const event = /^event: (\w+)$/m.exec(text)?.[1] ?? '';
  const data = /^data: (.*)$/m.exec(text)?.[1];
  const codec = codecs[event];
  if (data === undefined || codec === undefined) return null;
  const body = parseJson(data);
  return decode(codec, body).ok ? ({ event, data: body } as LiveFrame) : null;
}
