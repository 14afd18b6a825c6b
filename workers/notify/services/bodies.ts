// What each service is sent: the same message in its own form, cut to what it takes.
import type { Message } from '../message.js';

/** Cuts to what a service takes, and says so. */
function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 6).trimEnd()} [cut]`;
}

/** Discord takes 2000 characters, Slack recommends less than 4000 before escaping. */
export function chatMessage({ title, body }: Message, most: number): string {
  return cut(`${title}\n${body}`, most);
}

/** The Bot API takes 4096. Without a parse mode nothing in it is taken for markup. */
export function telegramMessage({ title, body }: Message, chat: string): object {
  return { chat_id: chat, text: cut(`${title}\n${body}`, 4000) };
}

/** ntfy makes an attachment of more than 4096 bytes. Its priorities: 3 is usual, 5 breaks through. */
export function ntfyMessage({ title, body, urgent }: Message, topic: string): object {
  return {
    topic,
    title: cut(title, 250),
    message: cut(body, 1300),
    priority: urgent ? 5 : 3,
    tags: [urgent ? 'warning' : 'electric_plug'],
  };
}

/** Gotify's application shows from 4 on, and makes a sound from 8 on. */
export function gotifyMessage({ title, body, urgent }: Message): object {
  return { title, message: body, priority: urgent ? 8 : 4 };
}

/** For programs: the event as it is, and the words for people. */
export function webhookMessage({ id, title, text, time, at, type, source, urgent }: Message): object {
  return { id, title, text, time, timestamp: at, eventType: type, source, urgent };
}
