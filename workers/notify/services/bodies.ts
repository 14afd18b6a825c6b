// The request body of each service: the same message in its form, cut to its limit.
import type { Message } from '../message.js';

/** Cuts to the limit of a service and marks the cut. */
function cut(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 6).trimEnd()} [cut]`;
}

/** Discord takes 2000 characters, Slack recommends less than 4000 before escaping. */
export function chatMessage({ title, body }: Message, maxLength: number): string {
  return cut(`${title}\n${body}`, maxLength);
}

/** The Bot API takes 4096 characters. Without a parse mode it interprets no markup. */
export function telegramMessage({ title, body }: Message, chat: string): object {
  return { chat_id: chat, text: cut(`${title}\n${body}`, 4000) };
}

/** ntfy turns more than 4096 bytes into an attachment. Priorities: 3 is the default, 5 overrides "do not disturb". */
export function ntfyMessage({ title, body, urgent }: Message, topic: string): object {
  return {
    topic,
    title: cut(title, 250),
    message: cut(body, 1300),
    priority: urgent ? 5 : 3,
    tags: [urgent ? 'warning' : 'electric_plug'],
  };
}

/** Gotify's application shows priorities from 4 on, and makes a sound from 8 on. */
export function gotifyMessage({ title, body, urgent }: Message): object {
  return { title, message: body, priority: urgent ? 8 : 4 };
}

/** For programs: the fields of the event, and the text. */
export function webhookMessage({ id, title, text, time, at, type, source, urgent }: Message): object {
  return { id, title, text, time, timestamp: at, eventType: type, source, urgent };
}
