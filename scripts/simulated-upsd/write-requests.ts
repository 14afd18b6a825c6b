// SET, INSTCMD, LOGIN, PRIMARY, FSD: the requests that change state and need a user. Checks run in upsd's order: a client
// sees only the first error.
import { row } from './answers.js';
import type { TrackingResult } from './tracking.js';
import type { Action, Credentials } from './users.js';
import type { Client, UpsdState } from './upsd-state.js';
import { freshUps, knownUps, Refusal } from './upsd-state.js';

type WriteRequest = (state: UpsdState, client: Client, who: Credentials, args: readonly string[]) => string;

export const writeRequests: Readonly<Record<string, WriteRequest>> = {
  SET: (state, client, who, args) => {
    const [what, second, variable, value] = args;
    if (what?.toUpperCase() === 'TRACKING') return setTracking(client, second);
    if (what?.toUpperCase() !== 'VAR') throw new Refusal('INVALID-ARGUMENT');
    if (second === undefined || variable === undefined || value === undefined)
      throw new Refusal('INVALID-ARGUMENT');
    const ups = freshUps(state, second);
    requireAction(state, who, 'SET');
    checkValue(ups.store, variable, value);
    return acceptRequest(state, client, ups.write(variable, value));
  },
  INSTCMD: (state, client, who, args) => {
    const [upsName, command, parameter] = args;
    if (upsName === undefined || command === undefined) throw new Refusal('INVALID-ARGUMENT');
    const ups = freshUps(state, upsName);
    if (!Object.hasOwn(ups.device.commands, command.toLowerCase())) throw new Refusal('CMD-NOT-SUPPORTED');
    if (!state.users.mayCommand(who, command)) throw new Refusal('ACCESS-DENIED');
    // With more words than one after the command upsd takes none of them as its parameter.
    return acceptRequest(state, client, ups.command(command, args.length === 3 ? parameter : undefined));
  },
  LOGIN: (state, client, who, args) => {
    const upsName = only(args);
    if (client.login !== undefined) throw new Refusal('ALREADY-LOGGED-IN');
    const ups = knownUps(state, upsName);
    requireAction(state, who, 'LOGIN');
    ups.logins += 1;
    client.login = ups;
    return row('OK');
  },
  PRIMARY: (state, _client, who, args) => {
    knownUps(state, only(args));
    requireAction(state, who, 'PRIMARY');
    return row('OK PRIMARY-GRANTED');
  },
  MASTER: (state, _client, who, args) => {
    knownUps(state, only(args));
    requireAction(state, who, 'PRIMARY');
    return row('OK MASTER-GRANTED');
  },
  FSD: (state, _client, who, args) => {
    const ups = knownUps(state, only(args));
    requireAction(state, who, 'FSD');
    ups.store.fsd = true;
    return row('OK FSD-SET');
  },
};

function only(args: readonly string[]): string {
  const [first] = args;
  if (first === undefined || args.length !== 1) throw new Refusal('INVALID-ARGUMENT');
  return first;
}

function requireAction(state: UpsdState, who: Credentials, action: Action): void {
  if (!state.users.mayAct(who, action)) throw new Refusal('ACCESS-DENIED');
}

function setTracking(client: Client, value: string | undefined): string {
  const wanted = value?.toUpperCase();
  if (wanted !== 'ON' && wanted !== 'OFF') throw new Refusal('INVALID-ARGUMENT');
  client.tracking = wanted === 'ON';
  return row('OK');
}

/** OK means that the driver has the request; only tracking returns its result. */
function acceptRequest(state: UpsdState, client: Client, outcome: TrackingResult): string {
  return row(client.tracking ? `OK TRACKING ${state.tracking.add(outcome)}` : 'OK');
}

/** upsd's own checks, before the request goes to the driver. A range is compared by the leading integer, as C's atoi reads it. */
function checkValue(store: ReturnType<typeof freshUps>['store'], variable: string, value: string): void {
  if (store.value(variable) === undefined) throw new Refusal('VAR-NOT-SUPPORTED');
  const { writable, maxLength, values, range } = store.kind(variable);
  if (writable !== true) throw new Refusal('READONLY');
  if (maxLength !== undefined && value.length > maxLength) throw new Refusal('TOO-LONG');
  if (values !== undefined && !values.includes(value)) throw new Refusal('INVALID-VALUE');
  if (range === undefined) return;
  const parsed = Number.parseInt(value, 10);
  const whole = Number.isNaN(parsed) ? 0 : parsed;
  if (whole < range.min || whole > range.max) throw new Refusal('INVALID-VALUE');
}
