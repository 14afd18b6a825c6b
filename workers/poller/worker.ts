// The worker of one UPS, one of several in its process: connects the poller and the control requests to the link. It has no policy and writes no file.
import { controlFailure, pollerContract } from '../../shared/protocol/poller.js';
import type { PollerSettings, UpsPolled } from '../../shared/protocol/poller.js';
import type { Outcome } from '../../shared/protocol/contract.js';
import { systemClock } from '../../shared/runtime/clock.js';
import type { Logger } from '../../shared/runtime/log.js';
import type { WorkerBody, WorkerContext } from '../../shared/runtime/worker-main.js';
import { runHost } from '../../shared/runtime/worker-host.js';
import { runWorker } from '../../shared/runtime/worker-main.js';
import type { ClientOptions } from './session/client.js';
import { NutClient } from './session/client.js';
import { ControlQueue } from './session/control.js';
import type { NutCredentials } from './wire/login.js';
import { forceShutdown } from './session/forced-shutdown.js';
import { HeldLogin } from './session/held-login.js';
import { checkOutput, cutOutput } from './session/output.js';
import { loginIfRefused, Poller, connectionKey } from './poller.js';
import { PollReports } from './reading/reports.js';
import { SharedSessions } from './session/shared-sessions.js';
import { NutTools } from './session/tools.js';
import type { NutTransport } from './wire/transport.js';

const stopCommand = 'test.battery.stop';

/** Of all pollers of this process. */
const sharedSessions = new SharedSessions();

type Context = Pick<WorkerContext<typeof pollerContract>, 'log' | 'activate'>;

/** `share`: on the connection of the other UPSes of this server, where they share one. */
function transportOf(
  settings: PollerSettings,
  login: NutCredentials | null,
  { log, activate }: Context,
  more: Pick<ClientOptions, 'loginIfRefused' | 'tracks'> = { tracks: true },
  share = true,
): NutTransport {
  if (settings.transport === 'tools') return new NutTools({ name: settings.name, login });
  const { ups, host, port, tls, name } = settings;
  return new NutClient({
    ups,
    host,
    port,
    tls,
    login,
    ...more,
    ...(share && settings.sharesConnection ? { shared: sharedSessions } : {}),
    notice: (message) => log.info(message, { ups: name }),
    activate,
  });
}

function controlOf(
  settings: PollerSettings,
  context: Context,
  before?: ControlQueue,
): ControlQueue | undefined {
  const { control } = settings;
  return control === null
    ? undefined
    : new ControlQueue(transportOf(settings, control, context), control, before);
}

/** The queue of the battery tests: it can run no other command. */
function testsOf(
  settings: PollerSettings,
  context: Context,
  before?: ControlQueue,
): ControlQueue | undefined {
  const { selfTest } = settings;
  if (selfTest === null) return undefined;
  const control = { ...selfTest, allowedCommands: [selfTest.command, stopCommand], allowedVariables: [] };
  return new ControlQueue(transportOf(settings, control, context), control, before);
}

/** The login of this host; undefined for an observer, and after the sequence has ended it. */
function heldLoginOf(
  settings: PollerSettings,
  context: WorkerContext<typeof pollerContract>,
): HeldLogin | undefined {
  const { role, name, ups, host, port, tls } = settings;
  if (role?.isHeld !== true) return undefined;
  const { log } = context;
  return new HeldLogin({
    ...{ ups, host, port, tls, role },
    changed: (isHeld, why) => {
      context.emit('login.changed', { isHeld, why: why.slice(0, 1024) });
      const what = `${name}: this host is ${isHeld ? '' : 'not '}logged in as ${role.kind}`;
      if (isHeld) log.info(what, { ups: name });
      else
        log.warning(
          `${what} (${why}): its primary does not wait for this host; see nut_role in docs/nut.md`,
          { ups: name },
        );
    },
  });
}

function sameRole(a: PollerSettings, b: PollerSettings): boolean {
  return connectionKey(a) === connectionKey(b) && JSON.stringify(a.role) === JSON.stringify(b.role);
}

function sameTests(a: PollerSettings, b: PollerSettings): boolean {
  return connectionKey(a) === connectionKey(b) && JSON.stringify(a.selfTest) === JSON.stringify(b.selfTest);
}

function sameControl(a: PollerSettings, b: PollerSettings): boolean {
  return connectionKey(a) === connectionKey(b) && JSON.stringify(a.control) === JSON.stringify(b.control);
}

/** Logs when polls begin to fail, fail for another reason, or succeed again. Never repeats itself. */
function outcomeLog(log: Logger): (settings: PollerSettings, report: UpsPolled) => void {
  let last: string | undefined;
  return ({ name, host, port }, { outcome }) => {
    const now = outcome.kind === 'failed' ? outcome.detail : 'OK';
    if (now === last) return;
    const first = last === undefined;
    last = now;
    if (outcome.kind === 'failed')
      log.warning(
        `poll of ${name} at ${host} port ${String(port)} failed: ${now}: ${outcome.message}; the daemon tries again every check_interval`,
        { ups: name },
      );
    else if (!first) log.info(`poll of ${name} succeeded again`, { ups: name });
  };
}

function startPoller(
  settings: PollerSettings,
  context: WorkerContext<typeof pollerContract>,
): Promise<WorkerBody<typeof pollerContract>> {
  const { log } = context;
  let current = settings;
  let control = controlOf(settings, context);
  let tests = testsOf(settings, context);
  let heldLogin = heldLoginOf(settings, context);
  const note = outcomeLog(log);
  const reports = new PollReports();
  const poller = new Poller(
    {
      monotonicMs: () => systemClock.monotonicMs(),
      after: (ms, run) => {
        const timer = setTimeout(() => {
          context.activate();
          run();
        }, ms);
        return () => clearTimeout(timer);
      },
      transportOf: (of) => transportOf(of, of.readLogin, context, { loginIfRefused: loginIfRefused(of) }),
      polled: (poll) => {
        context.emitNewest('ups.polled', () => reports.of(poll));
        note(current, poll);
      },
    },
    settings,
  );

  // Not on a shared connection: it waits for nobody.
  const connectAlone = (login: NutCredentials) =>
    transportOf(current, login, context, { tracks: true }, false);

  function withControl<R>(work: (control: ControlQueue) => Promise<Outcome<R>>): Promise<Outcome<R>> {
    if (control !== undefined) return work(control);
    const message = 'control of this UPS is off: nut_control.enabled is false';
    return Promise.resolve({ ok: false, error: { code: controlFailure.notAllowed, message } });
  }

  return Promise.resolve({
    requests: {
      'command.run': ({ command, value }, deadlineMs) =>
        withControl((d) => d.run(command, value, deadlineMs)),
      'variable.write': ({ variable, value }, deadlineMs) =>
        withControl((d) => d.write(variable, value, deadlineMs)),
      'output.off': async (_params, deadlineMs) => {
        const cut = await cutOutput(current, connectAlone, deadlineMs);
        if (cut.ok && cut.value.warning !== '')
          context.log.warning(`${current.name}: the output is cut, but ${cut.value.warning}`, {
            ups: current.name,
          });
        return cut;
      },
      'output.check': (_params, deadlineMs) => checkOutput(current, connectAlone, deadlineMs),
      'fsd.set': ({ hostsyncMs }, deadlineMs) =>
        forceShutdown(current, hostsyncMs, deadlineMs, () => heldLogin?.isHeld === true),
      'selfTest.run': ({ action }, deadlineMs) => {
        const command = action === 'start' ? current.selfTest?.command : stopCommand;
        if (tests !== undefined && command !== undefined) return tests.run(command, null, deadlineMs);
        const message = 'battery tests of this UPS are off';
        return Promise.resolve({ ok: false, error: { code: controlFailure.notAllowed, message } });
      },
      'commands.list': (_params, deadlineMs) => withControl((d) => d.commands(deadlineMs)),
      'variables.list': (_params, deadlineMs) => withControl((d) => d.variables(deadlineMs)),
    },
    reconfigure: (next) => {
      if (!sameControl(next, current)) control = controlOf(next, context, control);
      if (!sameTests(next, current)) tests = testsOf(next, context, tests);
      if (!sameRole(next, current)) {
        void heldLogin?.end();
        heldLogin = heldLoginOf(next, context);
      }
      current = next;
      // The supervisor may ask for the whole by repeating the settings.
      reports.restart();
      poller.reconfigure(next);
    },
    drain: () => {
      poller.stop();
      control?.close();
      tests?.close();
      return heldLogin?.end() ?? Promise.resolve();
    },
  });
}

runHost((home) => runWorker(pollerContract, startPoller, home));
