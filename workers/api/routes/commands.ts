// Control of a UPS (interface.md 5.11 to 13, contract 1.2): its instant commands and its writable variables. The allowlist
// is held here before the supervisor is asked; there and in the poller it is held again.
import { cutsPower } from '../../../shared/domain/power-cutting.js';
import {
  CommandBody,
  CommandRequest,
  CommandsBody,
  VariableBody,
  VariableRequest,
  VariablesBody,
} from '../../../shared/http/device-bodies.js';
import type { AuditEventType } from '../../../shared/domain/events.js';
import type { UpsRow } from '../../../shared/domain/status-model.js';
import type { Failure, Outcome } from '../../../shared/protocol/contract.js';
import { linkFailure } from '../../../shared/protocol/contract.js';
import { controlFailure } from '../../../shared/protocol/poller.js';
import { fieldsOf } from '../fields.js';
import { Problem, supervisorUnavailable } from '../problem.js';
import type { Room } from './room.js';
import { namedUps } from './room.js';
import type { Reply, Request, RequestHead, Route } from './route.js';
import { json } from './route.js';
import type { Undone } from './undone.js';
import { orderedUps, recordUndone } from './undone.js';

const path = '/api/v1/ups/{name}';
const fails = ['NUT_ERROR', 'SUPERVISOR_UNAVAILABLE'] as const;

export function commandRoutes(room: Room): readonly Route[] {
  return [
    {
      method: 'GET',
      path: `${path}/commands`,
      description: 'The instant commands the UPS knows, and those of them that are allowed.',
      auth: 'write',
      gives: CommandsBody,
      fails,
      admit: () => mustBeOn(room),
      answer: ({ params }) => commands(room, params),
    },
    {
      method: 'POST',
      path: `${path}/command`,
      description: 'Runs an allowed instant command of the UPS.',
      auth: 'write',
      audit: 'CONTROL_COMMAND',
      takesBody: true,
      takes: CommandRequest,
      gives: CommandBody,
      fails,
      admit: (head) => mustBeOnFor(room, head, 'CONTROL_COMMAND'),
      answer: (request) => run(room, request),
    },
    {
      method: 'GET',
      path: `${path}/variables`,
      description: 'The allowed variables of the UPS that can be written, with their values.',
      auth: 'write',
      gives: VariablesBody,
      fails,
      admit: () => mustBeOn(room),
      answer: ({ params }) => variables(room, params),
    },
    {
      method: 'PUT',
      path: `${path}/variables/{var}`,
      description: 'Writes an allowed variable of the UPS.',
      auth: 'write',
      audit: 'CONTROL_VARIABLE',
      takesBody: true,
      takes: VariableRequest,
      gives: VariableBody,
      fails,
      admit: (head) => mustBeOnFor(room, head, 'CONTROL_VARIABLE'),
      answer: (request) => write(room, request),
    },
  ];
}

async function commands(room: Room, params: Request['params']): Promise<Reply> {
  const { row } = namedUps(room, params['name'] ?? '');
  const { supported } = done(await room.order('control.commands', { group: row.groupId }));
  const allowed = allowedFor(room, row).allowedCommands;
  return json({
    ups: row.name,
    commands: supported.filter(({ name }) => allowed.includes(name) && !cutsPower(name)),
    supported,
  } satisfies CommandsBody);
}

async function run(room: Room, request: Request): Promise<Reply> {
  const { command, value = null } = fieldsOf(CommandRequest, request.body);
  const order = { type: 'CONTROL_COMMAND', target: `run ${command}` } as const;
  const { row } = orderedUps(room, request, order);
  if (cutsPower(command)) throw denied(room, request, order, 'It cuts power, which the API never does.');
  if (!allowedFor(room, row).allowedCommands.includes(command))
    throw denied(room, request, order, 'Allow it in nut_control.allowed_commands.');
  const { principal } = request;
  const { output } = done(await room.order('control.run', { group: row.groupId, principal, command, value }));
  return json({ ups: row.name, command, status: 'ok', output } satisfies CommandBody);
}

async function variables(room: Room, params: Request['params']): Promise<Reply> {
  const { row } = namedUps(room, params['name'] ?? '');
  const listed = done(await room.order('control.variables', { group: row.groupId }));
  return json({ ups: row.name, variables: listed.variables } satisfies VariablesBody);
}

async function write(room: Room, request: Request): Promise<Reply> {
  const { value } = fieldsOf(VariableRequest, request.body);
  const variable = request.params['var'] ?? '';
  const order = { type: 'CONTROL_VARIABLE', target: `set ${variable}` } as const;
  const { row } = orderedUps(room, request, order);
  if (!allowedFor(room, row).allowedVariables.includes(variable))
    throw denied(room, request, order, 'Allow it in nut_control.allowed_variables.');
  const { principal } = request;
  done(await room.order('control.write', { group: row.groupId, principal, variable, value }));
  return json({ ups: row.name, variable, value, status: 'ok' } satisfies VariableBody);
}

function mustBeOn(room: Room): void {
  if (!room.settings().summary.nutControl.enabled)
    throw new Problem('FORBIDDEN', 'Control of UPSes is off: nut_control.enabled is false.');
}

/** The same for an order, which is recorded when it is refused. */
function mustBeOnFor(room: Room, head: RequestHead, type: AuditEventType): void {
  if (!room.settings().summary.nutControl.enabled)
    recordUndone(room, head, { type, target: head.params['name'] ?? '', result: 'denied' });
  mustBeOn(room);
}

/** The lists as they hold for this UPS; without any, nothing is allowed. */
function allowedFor(
  room: Room,
  { groupId }: UpsRow,
): { allowedCommands: readonly string[]; allowedVariables: readonly string[] } {
  const ups = room.settings().summary.ups.find((one) => one.groupId === groupId);
  return ups?.nutControl ?? { allowedCommands: [], allowedVariables: [] };
}

function denied(room: Room, request: Request, order: Omit<Undone, 'result'>, advice: string): Problem {
  recordUndone(room, request, { ...order, result: 'denied' });
  return new Problem('FORBIDDEN', `This is not allowed for this UPS. ${advice}`);
}

function done<A>(outcome: Outcome<A>): A {
  if (outcome.ok) return outcome.value;
  throw problemOf(outcome.error);
}

function problemOf({ code, message }: Failure): Problem {
  switch (code) {
    case 'NOT_FOUND':
      return new Problem('NOT_FOUND', 'This UPS has just been removed from the configuration.');
    case controlFailure.notAllowed:
      return new Problem('FORBIDDEN', `This is not allowed: ${message}.`);
    case linkFailure.gone:
    case linkFailure.refused:
    case linkFailure.broken:
    case linkFailure.invalid:
      return supervisorUnavailable(
        `The part of the daemon that speaks to this UPS cannot be asked (${message}). Whether anything was done is not known: look at the UPS before trying again.`,
      );
    default:
      return new Problem('NUT_ERROR', message);
  }
}
