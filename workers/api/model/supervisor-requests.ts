// Requests to the supervisor, with a deadline. Equal requests within a short time share one answer, to limit its load.
import type { Answer, AskName, Outcome, Params } from '../../../shared/protocol/contract.js';
import type { apiContract } from '../../../shared/protocol/api.js';
import type { Uplink } from '../../../shared/runtime/worker-link.js';
import type { Limits } from '../http/limits.js';
import { ApiProblem, supervisorUnavailable } from '../http/problem.js';

type Asks = (typeof apiContract)['asks'];
type AboutGroup = Extract<AskName<typeof apiContract>, 'readings.get' | 'explain.get' | 'plan.get'>;

export interface SupervisorReads {
  /** Each takes a groupId; rejects with a Problem: 404 for a group that was just removed, else 503. */
  readings(group: string): Promise<Answer<Asks, 'readings.get'>>;
  explain(group: string): Promise<Answer<Asks, 'explain.get'>>;
  plan(group: string): Promise<Answer<Asks, 'plan.get'>>;
  /** Rejects with 503. */
  recoveryCheck(): Promise<Answer<Asks, 'recovery.check'>>;
  /** Sends a test message to every service; a request during a test shares its answer. Rejects with 503. */
  testNotifications(principal: string): Promise<Answer<Asks, 'notifications.test'>>;
}

type Ask = AskName<typeof apiContract>;

/** A request whose answer is not shared. The route formats its failure. */
export type SendCommand = <N extends Ask>(
  name: N,
  params: Params<Asks, N>,
) => Promise<Outcome<Answer<Asks, N>>>;

export function commandSender(link: Pick<Uplink<typeof apiContract>, 'ask'>, limits: Limits): SendCommand {
  return (name, params) => link.ask(name, params, limits.orderMs);
}

export function supervisorReads(
  link: Pick<Uplink<typeof apiContract>, 'ask'>,
  limits: Limits,
): SupervisorReads {
  const about = <N extends AboutGroup>(name: N) =>
    sharing(limits.freshMs, (group) => link.ask(name, { group }, limits.askMs));
  const check = sharing(limits.freshMs, () => link.ask('recovery.check', {}, limits.askMs));
  let test: Promise<Outcome<Answer<Asks, 'notifications.test'>>> | undefined;
  return {
    readings: about('readings.get'),
    explain: about('explain.get'),
    plan: about('plan.get'),
    recoveryCheck: () => check(''),
    testNotifications: async (principal) => {
      test ??= link.ask('notifications.test', { principal }, limits.testMs).finally(() => (test = undefined));
      const outcome = await test;
      if (outcome.ok) return outcome.value;
      throw supervisorUnavailable(
        `The notifications could not be tested (${outcome.error.message}). The notify worker may be restarting: try again. If it fails again, see the log.`,
      );
    },
  };
}

function sharing<A>(
  freshMs: number,
  ask: (group: string) => Promise<Outcome<A>>,
): (group: string) => Promise<A> {
  const answers = new Map<string, Promise<Outcome<A>>>();
  return async (group) => {
    let answer = answers.get(group);
    if (answer === undefined) {
      answer = ask(group);
      answers.set(group, answer);
      const forget = (): void => void setTimeout(() => answers.delete(group), freshMs).unref();
      answer.then(forget, forget);
    }
    const outcome = await answer;
    if (outcome.ok) return outcome.value;
    if (outcome.error.code === 'NOT_FOUND')
      throw new ApiProblem('NOT_FOUND', 'This UPS has just been removed from the configuration.');
    throw supervisorUnavailable(
      `The supervisor did not answer (${outcome.error.message}). Monitoring is not affected. Try again; if it fails again, see the log.`,
    );
  };
}
