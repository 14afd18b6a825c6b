// The interface of a service to its queue, which takes one message at a time, and its construction from an address.
import type { ServiceAddress } from '../../../shared/domain/services/service-address.js';
import { unreachable } from '../../../shared/domain/base/unreachable.js';
import type { Message } from '../message.js';
import { authorization } from './authorization.js';
import { chatMessage, gotifyMessage, ntfyMessage, teamsMessage, webhookMessage } from './bodies.js';
import { post } from './http-post.js';
import { mail } from './mail.js';
import { messengerRequest } from './messengers.js';
import type { Network } from './network.js';
import type { SendOutcome } from './outcome.js';
import { secretsOf } from './own-words.js';
import { teamsDoubtful, teamsOutcome } from './teams.js';
import { telegram } from './telegram.js';

export interface Service {
  /** The host to look up. */
  readonly host: string;
  /** One attempt. Never rejects; releases everything immediately on the signal. */
  send(message: Message, signal: AbortSignal): Promise<SendOutcome>;
}

/** `headers`: those of the operator, for services over HTTP. */
export function serviceAt(
  address: ServiceAddress,
  headers: Readonly<Record<string, string>>,
  network: Network,
): Service {
  const secrets = secretsOf(address, headers);
  if (address.kind === 'mail')
    return {
      host: address.host,
      send: (message, signal) => mail(address, message, { ...network, secrets }, signal),
    };
  // URL keeps the brackets of an IPv6 address; a look-up does not take them.
  const host = network.proxyFor(address.url)?.host ?? new URL(address.url).hostname.replace(/^\[|\]$/g, '');
  const { url } = address;
  const postRequest = (
    needed: Record<string, string>,
    body: (message: Message) => object,
    hasNoPages = false,
  ): Service => ({
    host,
    send: (message, signal) =>
      post(
        { url, headers: { ...needed, ...headers }, body: body(message), secrets, hasNoPages },
        network,
        signal,
      ),
  });
  switch (address.kind) {
    case 'pushover':
    case 'matrix':
    case 'signal':
    case 'nextcloud':
    case 'apprise':
      return {
        host,
        send: (message, signal) => {
          const { meaning, ...request } = messengerRequest(address, message);
          const all = { ...request.headers, ...headers };
          return post({ ...request, headers: all, secrets }, network, signal, meaning);
        },
      };
    case 'teams':
      return {
        host,
        send: (message, signal) => {
          const request = { url, headers, body: teamsMessage(message), secrets, refusesWith: teamsDoubtful };
          return post(request, network, signal, teamsOutcome);
        },
      };
    case 'discord':
      return postRequest({}, (message) => ({
        content: chatMessage(message, 2000),
        // No text of a message may mention a user.
        allowed_mentions: { parse: [] },
      }));
    case 'slack':
      return postRequest({}, (message) => ({ text: slackEscaped(chatMessage(message, 3500)) }));
    case 'telegram':
      return { host, send: telegram({ address, headers, secrets, network }) };
    case 'ntfy':
      return postRequest(
        authorization(address.credentials),
        (message) => ntfyMessage(message, address),
        true,
      );
    case 'gotify':
      return postRequest(
        { 'X-Gotify-Key': address.token },
        (message) => gotifyMessage(message, address.priorities),
        true,
      );
    case 'webhook':
      return postRequest(authorization(address.credentials), webhookMessage);
    default:
      return unreachable(address);
  }
}

/** `<!channel>` and the like need these three (Slack, "Escaping text"). */
function slackEscaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
