// The request of each messenger with an interface of its own, and what its answers mean.
import * as t from 'io-ts';
import { decode } from '../../../shared/domain/base/decode.js';
import type { MessengerAddress } from '../../../shared/domain/services/messenger-addresses.js';
import { finite } from '../../../shared/domain/base/units.js';
import { unreachable } from '../../../shared/domain/base/unreachable.js';
import type { Message } from '../message.js';
import { authorization } from './authorization.js';
import { appriseMessage, chatMessage, pushoverMessage, signalMessage } from './bodies.js';
import type { PostRequest, HttpRefusal } from './http-post.js';
import { boundPause, jsonOf } from './http-post.js';
import type { SendOutcome } from './outcome.js';
import { failureOf } from './outcome.js';

export interface MessengerRequest extends Omit<PostRequest, 'secrets'> {
  /** Undefined where the status alone decides. */
  readonly meaning?: (refusal: HttpRefusal) => SendOutcome | undefined;
}

export function messengerRequest(address: MessengerAddress, message: Message): MessengerRequest {
  const { url } = address;
  switch (address.kind) {
    case 'pushover':
      return { url, body: pushoverMessage(message, address), meaning: pushoverRefusal, hasNoPages: true };
    case 'matrix':
      return {
        method: 'PUT',
        // The same at every attempt: the server takes a message that is sent again for the same one.
        url: `${url}/${encodeURIComponent(message.id)}`,
        headers: { Authorization: `Bearer ${address.token}` },
        body: { msgtype: 'm.text', body: chatMessage(message, 8000) },
        meaning: matrixRefusal,
        hasNoPages: true,
      };
    case 'signal':
      return {
        url,
        headers: authorization(address.credentials),
        body: signalMessage(message, address),
        hasNoPages: true,
      };
    case 'nextcloud':
      return {
        url,
        meaning: nextcloudRefusal,
        hasNoPages: true,
        headers: {
          ...authorization(address.credentials),
          // Without it Nextcloud takes the request for one of a browser.
          'OCS-APIRequest': 'true',
          Accept: 'application/json',
        },
        body: { message: chatMessage(message, 8000) },
      };
    case 'apprise':
      return {
        url,
        headers: { ...authorization(address.credentials), Accept: 'application/json' },
        body: appriseMessage(message, address.tag),
        // It has no configuration for the KEY, and has sent nothing.
        refusesWith: 204,
        meaning: appriseRefusal,
      };
    default:
      return unreachable(address);
  }
}

/** It names the parameter that it refuses: `"token":"invalid"`. */
const RefusedParameters = t.partial({ token: t.unknown, user: t.unknown, device: t.unknown });

function pushoverRefusal(refusal: HttpRefusal): SendOutcome | undefined {
  if (refusal.status !== 400) return undefined;
  const decoded = decode(RefusedParameters, jsonOf(refusal));
  const parts = { token: 'API token', user: 'user key', device: 'device' } as const;
  const named = (['token', 'user', 'device'] as const).filter(
    (name) => decoded.ok && decoded.value[name] !== undefined,
  );
  if (named.length === 0) return undefined;
  const refused = named.map((name) => parts[name]).join(' and the ');
  return failureOf('DENIED', `it refuses the ${refused} (HTTP 400)${refusal.words}; correct the address`);
}

const Limited = t.type({ retry_after_ms: finite });
const Coded = t.type({ errcode: t.string });

/** 401 is about the token, 403 and 404 about the room, unless their code says that they are about the account or the server. */
function matrixRefusal(refusal: HttpRefusal): SendOutcome | undefined {
  const answer = `(HTTP ${String(refusal.status)})${refusal.words}`;
  const coded = decode(Coded, jsonOf(refusal));
  const isAboutRoom = coded.ok && /^M_(?:FORBIDDEN|NOT_FOUND)$/.test(coded.value.errcode);
  if (isAboutRoom && (refusal.status === 403 || refusal.status === 404))
    return failureOf(
      'WRONG_ADDRESS',
      `it does not let the user of the token write to this room ${answer}; invite the user there and accept, or correct the room`,
    );
  const limited = decode(Limited, jsonOf(refusal));
  if (refusal.status !== 429 || !limited.ok) return undefined;
  const pause = boundPause(limited.value.retry_after_ms);
  return failureOf('BUSY', 'it limits the rate of messages (HTTP 429)', pause);
}

/** 401 is about the user, these about the room (Talk, "Sending a new chat message"): gone or left, read-only, behind a lobby. */
function nextcloudRefusal({ status, words }: HttpRefusal): SendOutcome | undefined {
  if (status !== 403 && status !== 404 && status !== 412) return undefined;
  return failureOf(
    'WRONG_ADDRESS',
    `its user cannot write to this room (HTTP ${String(status)})${words}; add the user to the room, or correct its token`,
  );
}

function appriseRefusal({ status }: HttpRefusal): SendOutcome | undefined {
  if (status === 204)
    return failureOf('WRONG_ADDRESS', 'it has no services under this KEY; configure them there');
  if (status === 424)
    return failureOf('SERVICE_ERROR', 'not all of its services took the message (HTTP 424); see its log');
  return undefined;
}
