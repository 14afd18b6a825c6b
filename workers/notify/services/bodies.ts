// The request body of each service: the same message in its form, cut to its limit.
import type { MessengerAddress } from '../../../shared/domain/services/messenger-addresses.js';
import type { Priorities } from '../../../shared/domain/services/address-options.js';
import type { ServiceAddress } from '../../../shared/domain/services/service-address.js';
import type { Message } from '../message.js';

/** Cuts to the limit of a service and marks the cut. */
function cutText(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 6).trimEnd()} [cut]`;
}

/** Discord takes 2000 characters, Slack recommends less than 4000 before escaping. */
export function chatMessage({ title, body }: Message, maxLength: number): string {
  return cutText(`${title}\n${body}`, maxLength);
}

type Telegram = Extract<ServiceAddress, { readonly kind: 'telegram' }>;

/** The Bot API takes 4096 characters. Without a parse mode it interprets no markup. */
export function telegramMessage({ title, body, urgent }: Message, { chat, topic, silent }: Telegram): object {
  return {
    chat_id: chat,
    ...(topic === null ? {} : { message_thread_id: topic }),
    ...(silent && !urgent ? { disable_notification: true } : {}),
    text: cutText(`${title}\n${body}`, 4000),
  };
}

const priorityOf = ({ urgent }: Message, priorities: Priorities): number =>
  urgent ? priorities.urgent : priorities.normal;

type Ntfy = Extract<ServiceAddress, { readonly kind: 'ntfy' }>;

/** ntfy turns more than 4096 bytes into an attachment. */
export function ntfyMessage(message: Message, { topic, priorities }: Ntfy): object {
  const { title, body, urgent } = message;
  return {
    topic,
    title: cutText(title, 250),
    message: cutText(body, 1300),
    priority: priorityOf(message, priorities),
    tags: [urgent ? 'warning' : 'electric_plug'],
  };
}

export function gotifyMessage(message: Message, priorities: Priorities): object {
  return { title: message.title, message: message.body, priority: priorityOf(message, priorities) };
}

type Pushover = Extract<MessengerAddress, { readonly kind: 'pushover' }>;
type Signal = Extract<MessengerAddress, { readonly kind: 'signal' }>;

/** Priority 2 needs them: the telephone repeats the message each minute until somebody answers, for an hour. */
const untilAnswered = { retry: 60, expire: 3600 };

/** Pushover takes 250 and 1024 characters. */
export function pushoverMessage(message: Message, { user, token, device, priorities }: Pushover): object {
  const priority = priorityOf(message, priorities);
  return {
    user,
    token,
    ...(device === null ? {} : { device }),
    title: cutText(message.title, 250),
    message: cutText(message.body, 1024),
    priority,
    ...(priority === 2 ? untilAnswered : {}),
    timestamp: Math.floor(message.at),
  };
}

export function signalMessage(message: Message, { from, to }: Signal): object {
  return { number: from, recipients: to, message: chatMessage(message, 2000) };
}

/** The types of Apprise: info, success, warning, failure. */
export function appriseMessage({ title, body, urgent }: Message, tag: string | null): object {
  return { title, body, type: urgent ? 'warning' : 'info', ...(tag === null ? {} : { tag }) };
}

/** Teams takes 28 kB; a report has some forty lines. */
const maxCardLines = 60;

/** An Adaptive Card. A TextRun, unlike a TextBlock, interprets no markup. */
export function teamsMessage({ title, body, urgent }: Message): object {
  const run = (text: string, more: object): object => ({ type: 'TextRun', text, ...more });
  const all = cutText(body, 4000).split('\n');
  const shown = all.length <= maxCardLines ? all : [...all.slice(0, maxCardLines), '[cut]'];
  const lines = shown.map((line) => ({ type: 'RichTextBlock', inlines: [run(line, {})] }));
  const heading = run(title, { weight: 'bolder', color: urgent ? 'attention' : 'default' });
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.2',
          body: [{ type: 'RichTextBlock', inlines: [heading] }, ...lines],
        },
      },
    ],
  };
}

/** For programs: the fields of the event, and the text. */
export function webhookMessage({ id, title, text, time, at, type, source, urgent }: Message): object {
  return { id, title, text, time, timestamp: at, eventType: type, source, urgent };
}
