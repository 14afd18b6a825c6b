// Parses Server-Sent Events of a fetch, because EventSource cannot send a token. Owns no connection.

export interface StreamMessage {
  readonly event: string;
  readonly data: string;
}

/** More than the status of a thousand UPSes; a longer message ends the stream. */
const maxCharacters = 4_000_000;

/** The messages of a stream as they arrive; a comment (the heartbeat) is a message without data. */
export async function* messagesOf(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<StreamMessage, void, undefined> {
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
      if (text.length > maxCharacters) return;
      for (const block of blocks) yield messageOf(block);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

export function messageOf(block: string): StreamMessage {
  let event = 'message';
  const data: string[] = [];
  for (const line of block.split('\n')) {
    const [, field = '', value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
    if (field === 'event') event = value;
    if (field === 'data') data.push(value);
  }
  return { event: data.length === 0 ? 'heartbeat' : event, data: data.join('\n') };
}
