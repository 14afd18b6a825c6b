// GET and LIST. Every answer is identical to that of upsd 2.8.0 for the same data.
import { listAnswer, row } from './answers.js';
import type { Client, UpsdState } from './upsd-state.js';
import { freshUps, knownUps, nutVersion, Refusal } from './upsd-state.js';
import { quote } from '../../workers/poller/wire/wire.js';

const noDescription = 'Description unavailable';

export function list(state: UpsdState, args: readonly string[]): string {
  const [what, upsName, variable] = args;
  if (what?.toUpperCase() === 'UPS') return listUps(state);
  if (what === undefined || upsName === undefined) throw new Refusal('INVALID-ARGUMENT');
  switch (what.toUpperCase()) {
    case 'VAR':
      return freshUps(state, upsName).store.list('VAR', upsName);
    case 'RW':
      return freshUps(state, upsName).store.list('RW', upsName);
    case 'CMD':
      return listAnswer(
        `CMD ${upsName}`,
        Object.keys(freshUps(state, upsName).device.commands).map((name) => row(`CMD ${upsName} ${name}`)),
      );
    case 'CLIENT':
      return listClients(state, upsName);
    case 'ENUM':
      return listChoices(state, 'ENUM', upsName, variable);
    case 'RANGE':
      return listChoices(state, 'RANGE', upsName, variable);
    default:
      throw new Refusal('INVALID-ARGUMENT');
  }
}

function listUps(state: UpsdState): string {
  const rows = [...state.upses.values()].map((ups) =>
    row(`UPS ${ups.name} ${quote(ups.description ?? noDescription)}`),
  );
  return listAnswer('UPS', rows);
}

/** Works without fresh data, as in upsd. */
function listClients(state: UpsdState, upsName: string): string {
  const ups = knownUps(state, upsName);
  const rows = [...state.clients].flatMap((client) =>
    client.login === ups ? [row(`CLIENT ${ups.name} ${client.address}`)] : [],
  );
  return listAnswer(`CLIENT ${upsName}`, rows);
}

function listChoices(
  state: UpsdState,
  what: 'ENUM' | 'RANGE',
  upsName: string,
  variable: string | undefined,
): string {
  if (variable === undefined) throw new Refusal('INVALID-ARGUMENT');
  const { store } = freshUps(state, upsName);
  if (store.value(variable) === undefined) throw new Refusal('VAR-NOT-SUPPORTED');
  const { values = [], range } = store.kind(variable);
  const ranges = range === undefined ? [] : [`"${String(range.min)}" "${String(range.max)}"`];
  const choices = what === 'ENUM' ? values.map(quote) : ranges;
  return listAnswer(
    `${what} ${upsName} ${variable}`,
    choices.map((choice) => row(`${what} ${upsName} ${variable} ${choice}`)),
  );
}

export function get(state: UpsdState, client: Client, args: readonly string[]): string {
  const [what, upsName, name] = args;
  if (what?.toUpperCase() === 'TRACKING') return getTracking(state, client, upsName);
  if (what === undefined || upsName === undefined) throw new Refusal('INVALID-ARGUMENT');
  switch (what.toUpperCase()) {
    case 'NUMLOGINS':
      return row(`NUMLOGINS ${upsName} ${String(freshUps(state, upsName).logins)}`);
    case 'UPSDESC':
      return row(`UPSDESC ${upsName} ${quote(knownUps(state, upsName).description ?? 'Unavailable')}`);
    default:
      if (name === undefined) throw new Refusal('INVALID-ARGUMENT');
      return getNamed(state, what.toUpperCase(), upsName, name);
  }
}

function getNamed(state: UpsdState, what: string, upsName: string, name: string): string {
  switch (what) {
    case 'VAR':
      return getVariable(state, upsName, name);
    case 'TYPE':
      return row(`TYPE ${upsName} ${name} ${typeOf(state, upsName, name)}`);
    case 'DESC': {
      const { store } = freshUps(state, upsName);
      return row(`DESC ${upsName} ${name} "${store.kind(name).description}"`);
    }
    case 'CMDDESC': {
      const { commands } = freshUps(state, upsName).device;
      const description = commands[name.toLowerCase()]?.description ?? noDescription;
      return row(`CMDDESC ${upsName} ${name} "${description}"`);
    }
    default:
      throw new Refusal('INVALID-ARGUMENT');
  }
}

/** The variables of the server itself are given for any UPS name, known or not. */
function getVariable(state: UpsdState, upsName: string, name: string): string {
  const lower = name.toLowerCase();
  if (lower === 'server.info') return row(`VAR ${upsName} server.info "${state.serverInfo}"`);
  if (lower === 'server.version') return row(`VAR ${upsName} server.version "${nutVersion}"`);
  if (lower.startsWith('server.')) throw new Refusal('VAR-NOT-SUPPORTED');
  const quoted = freshUps(state, upsName).store.quoted(name);
  if (quoted === undefined) throw new Refusal('VAR-NOT-SUPPORTED');
  return row(`VAR ${upsName} ${name} ${quoted}`);
}

function typeOf(state: UpsdState, upsName: string, name: string): string {
  const { store } = freshUps(state, upsName);
  if (store.value(name) === undefined) throw new Refusal('VAR-NOT-SUPPORTED');
  const { writable, values, range, maxLength } = store.kind(name);
  return [
    ...(writable === true ? ['RW'] : []),
    ...(values === undefined ? [] : ['ENUM']),
    ...(range === undefined ? [] : ['RANGE']),
    maxLength === undefined ? 'NUMBER' : `STRING:${String(maxLength)}`,
  ].join(' ');
}

function getTracking(state: UpsdState, client: Client, id: string | undefined): string {
  if (id === undefined) return row(client.tracking ? 'ON' : 'OFF');
  if (!client.tracking) throw new Refusal('FEATURE-NOT-CONFIGURED');
  return row(state.tracking.answer(id));
}
