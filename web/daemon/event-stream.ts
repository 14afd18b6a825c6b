// Server-Sent Events read by fetch, because EventSource cannot carry a token. Pure text handling; it owns no connection.

export interface Message {
  readonly event: string;
  readonly data: string;
}

/** A message larger than the status of a thousand UPSes is none. */
const mostCharacters = 4_000_000;

/** The messages of a stream as they come; comments (the heartbeat) are given as messages without data. */
export async function* messagesOf(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<Message, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      text += decoder.decode(value, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      if (text.length > mostCharacters) return;
      for (const block of blocks) yield messageOf(block);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

export function messageOf(block: string): Message {
  let event = 'message';
  const data: string[] = [];
  for (const line of block.split('\n')) {
    const [, field = '', value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
    if (field === 'event') event = value;
    if (field === 'data') data.push(value);
  }
  return { event: data.length === 0 ? 'heartbeat' : event, data: data.join('\n') };
}
