// Control of a UPS (specification/api-writes.md#control): instant commands and writable variables. Checks the allowlist
// before the request to the supervisor; supervisor and poller check it again.
import { cutsPower } from '../../../shared/domain/ups/power-cutting.js';
import { hiddenValue, shownValue } from '../../../shared/domain/ups/secret-variables.js';
import {
  CommandBody,
  CommandRequest,
  CommandsBody,
  VariableBody,
  VariableRequest,
  VariablesBody,
} from '../../../shared/http/device-bodies.js';
import type { UpsRow } from '../../../shared/domain/status/status-model.js';
import type { Failure, Outcome } from '../../../shared/protocol/contract.js';
import { linkFailure } from '../../../shared/protocol/contract.js';
import { controlFailure } from '../../../shared/protocol/poller.js';
import { fieldsOf } from '../http/fields.js';
import { ApiProblem, supervisorUnavailable } from '../http/problem.js';
import type { RouteContext } from './route-context.js';
import { namedUps } from './route-context.js';
import type { Action, Reply, Request, Route } from '../http/route.js';
import { callerOf, json } from '../http/route.js';

const path = '/api/v1/ups/{name}';
const neverCutsPower = 'It can cut the power of a load, and the API never allows that.';
const fails = ['NUT_ERROR', 'SUPERVISOR_UNAVAILABLE'] as const;

const running: Action = {
  denied: 'CONTROL_COMMAND',
  failed: 'CONTROL_COMMAND',
  target: (_params, { command }) =>
    typeof command === 'string' && command !== '' ? `run ${command}` : 'run a command without a name',
  inBody: 'command',
};
const writing: Action = {
  denied: 'CONTROL_VARIABLE',
  failed: 'CONTROL_VARIABLE',
  target: (params) => `set ${params['var'] ?? ''}`,
};

export function commandRoutes(context: RouteContext): readonly Route[] {
  return [
    {
      method: 'GET',
      path: `${path}/commands`,
      description: 'The instant commands that the UPS supports, and the allowed ones.',
      auth: 'write',
      gives: CommandsBody,
      fails,
      precheck: () => requireControlEnabled(context),
      answer: ({ params }) => commands(context, params['name'] ?? ''),
    },
    {
      method: 'POST',
      path: `${path}/command`,
      description: 'Runs an allowed instant command of the UPS.',
      auth: 'write',
      action: running,
      takesBody: true,
      takes: CommandRequest,
      gives: CommandBody,
      fails,
      precheck: () => requireControlEnabled(context),
      answer: (request) => run(context, request),
    },
    {
      method: 'GET',
      path: `${path}/variables`,
      description: 'The allowed variables of the UPS that can be written, with their values.',
      auth: 'write',
      gives: VariablesBody,
      fails,
      precheck: () => requireControlEnabled(context),
      answer: ({ params }) => variables(context, params),
    },
    {
      method: 'PUT',
      path: `${path}/variables/{var}`,
      description: 'Writes an allowed variable of the UPS.',
      auth: 'write',
      action: writing,
      takesBody: true,
      takes: VariableRequest,
      gives: VariableBody,
      fails,
      precheck: () => requireControlEnabled(context),
      answer: (request) => write(context, request),
    },
  ];
}

export async function commands(context: RouteContext, name: string): Promise<Reply> {
  const { row } = namedUps(context, name);
  const { supported } = done(await context.sendCommand('control.commands', { group: row.groupId }));
  const allowed = allowedFor(context, row).allowedCommands;
  return json({
    ups: row.name,
    commands: supported.filter(({ name }) => allowed.includes(name) && !cutsPower('command', name)),
    supported,
  } satisfies CommandsBody);
}

async function run(context: RouteContext, request: Request): Promise<Reply> {
  const { command, value = null } = fieldsOf(CommandRequest, request.body);
  const { row } = namedUps(context, request.params['name'] ?? '');
  if (cutsPower('command', command)) throw denial(neverCutsPower);
  if (!allowedFor(context, row).allowedCommands.includes(command))
    throw denial('Allow it in nut_control.allowed_commands.');
  const principal = callerOf(request);
  const { output } = done(
    await context.sendCommand('control.run', { group: row.groupId, principal, command, value }),
  );
  return json({ ups: row.name, command, status: 'ok', output } satisfies CommandBody);
}

async function variables(context: RouteContext, params: Request['params']): Promise<Reply> {
  const { row } = namedUps(context, params['name'] ?? '');
  const listed = done(await context.sendCommand('control.variables', { group: row.groupId }));
  return json({ ups: row.name, variables: listed.variables } satisfies VariablesBody);
}

async function write(context: RouteContext, request: Request): Promise<Reply> {
  const { value } = fieldsOf(VariableRequest, request.body);
  const variable = request.params['var'] ?? '';
  if (value.trim() === hiddenValue)
    throw new ApiProblem(
      'INVALID_REQUEST',
      `"${hiddenValue}" is a placeholder for a hidden value. Nothing was written; send the value itself.`,
    );
  const { row } = namedUps(context, request.params['name'] ?? '');
  if (cutsPower('variable', variable)) throw denial(neverCutsPower);
  if (!allowedFor(context, row).allowedVariables.includes(variable))
    throw denial('Allow it in nut_control.allowed_variables.');
  const principal = callerOf(request);
  done(await context.sendCommand('control.write', { group: row.groupId, principal, variable, value }));
  const shown = shownValue(variable, value);
  return json({ ups: row.name, variable, value: shown, status: 'ok' } satisfies VariableBody);
}

export function requireControlEnabled(context: RouteContext): void {
  if (!context.settings().summary.nutControl.enabled)
    throw new ApiProblem('FORBIDDEN', 'Control of UPSes is off: nut_control.enabled is false.');
}

/** The lists of this UPS; without lists, nothing is allowed. */
function allowedFor(
  context: RouteContext,
  { groupId }: UpsRow,
): { allowedCommands: readonly string[]; allowedVariables: readonly string[] } {
  const ups = context.settings().summary.ups.find((one) => one.groupId === groupId);
  return ups?.nutControl ?? { allowedCommands: [], allowedVariables: [] };
}

function denial(advice: string): ApiProblem {
  return new ApiProblem('FORBIDDEN', `This is not allowed for this UPS. ${advice}`);
}

export function done<A>(outcome: Outcome<A>): A {
  if (outcome.ok) return outcome.value;
  throw problemOf(outcome.error);
}

/** The supervisor has recorded the request, unless it refused it undecoded. */
function problemOf({ code, message }: Failure): ApiProblem {
  const recorded = code !== linkFailure.refused;
  switch (code) {
    case 'NOT_FOUND':
      return new ApiProblem('NOT_FOUND', 'This UPS has just been removed from the configuration.', {
        recorded,
      });
    case controlFailure.notAllowed:
      return new ApiProblem('FORBIDDEN', `This is not allowed: ${message}.`, { recorded });
    case linkFailure.gone:
    case linkFailure.refused:
    case linkFailure.broken:
    case linkFailure.invalid:
      return supervisorUnavailable(
        `The poller of this UPS did not answer (${message}). It is not known whether the request was executed: check the UPS before you try again.`,
        { recorded, reason: message },
      );
    default:
      return new ApiProblem('NUT_ERROR', message, { recorded });
  }
}
