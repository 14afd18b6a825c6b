// The battery tests of one UPS: their results, the next one of the schedule, and a button to start one where the allowlist has a
// test. The daemon decides whether it starts.
import type { SelfTestResult } from '../../../shared/domain/ups/self-test.js';
import type { UpsRow } from '../../../shared/domain/status/status-model.js';
import type { CommandsBody, SelfTestIssuedBody, SelfTestsBody } from '../../../shared/http/device-bodies.js';
import { requestErrorText } from '../../daemon/api-client.js';
import { nowSeconds } from '../../daemon/client-state.js';
import { Refresh } from '../../daemon/refresh.js';
import { askConfirmation } from '../../ui/confirmation.js';
import { button, make, setText } from '../../ui/dom.js';
import { formatDateTime } from '../../ui/phrases.js';
import { table } from '../../ui/table.js';
import type { ViewContext } from '../view.js';

/** Tests are days apart. */
const refreshMs = 60_000;
/** The result is stored a moment after the row of the UPS has it. */
const runningMs = 2_000;
/** Rows of the table; the API has a hundred. */
const most = 20;

export const testResults: Readonly<Record<SelfTestResult, string>> = {
  PASSED: 'passed',
  WARNING: 'passed with a warning',
  FAILED: 'failed',
  RUNNING: 'running',
  UNKNOWN: 'result unknown',
  UNSUPPORTED: 'not offered by this UPS',
};
const sources = { device: 'the UPS', scheduler: 'the schedule', api: 'request' } as const;

export class BatteryTests {
  readonly #next = make('p', 'quiet');
  readonly #start: HTMLButtonElement;
  readonly #outcome = make('p');
  readonly #tests = make('div');
  readonly root: HTMLElement;
  readonly #refresh = new Refresh();
  #row: UpsRow | null = null;
  /** What is shown; the result of a test changes it. */
  #key = '';
  #isRunning = false;

  constructor(readonly context: ViewContext) {
    this.#start = button('Start a test', '', () => void this.#run());
    this.#start.hidden = true;
    this.#outcome.setAttribute('role', 'status');
    const top = make('div', 'section-top', make('h2', '', 'Battery tests'), this.#start);
    this.root = make('section', 'panel', top, this.#next, this.#outcome, this.#tests);
  }

  close(): void {
    this.#row = null;
    this.#key = '';
    this.#start.hidden = true;
    this.#tests.replaceChildren();
    setText(this.#outcome, '');
    this.#refresh.forget();
  }

  show(row: UpsRow): void {
    if (row.groupId !== this.#row?.groupId) this.close();
    this.#row = row;
    const { clientState, api } = this.context;
    const key = JSON.stringify([row.groupId, row.selfTest, api.session.token, api.session.role]);
    if (key !== this.#key) this.#refresh.soon();
    if (clientState.connection === 'lost' || !this.#refresh.isDue(this.#isRunning ? runningMs : refreshMs))
      return;
    this.#key = key;
    void this.#load(row.groupId);
  }

  /** Ignores the answers of an earlier request. */
  async #load(groupId: string): Promise<void> {
    const isCurrent = this.#refresh.begin();
    const { api } = this.context;
    const path = `/api/v1/ups/${encodeURIComponent(groupId)}`;
    try {
      const found = await api.get<SelfTestsBody>(`${path}/self-tests`);
      if (!isCurrent()) return;
      this.#draw(found);
    } catch (error) {
      if (!isCurrent()) return;
      this.#refresh.failed();
      setText(this.#next, `The battery tests cannot be shown: ${requestErrorText(error)}`);
    }
    const mayStart = api.session.mayControl && (await this.#isAllowed(path));
    if (isCurrent()) this.#start.hidden = !mayStart;
  }

  /** Without the control of UPSes, or without an answer, there is no button. */
  async #isAllowed(path: string): Promise<boolean> {
    try {
      const { commands } = await this.context.api.get<CommandsBody>(`${path}/commands`);
      return commands.some(({ name }) => name.startsWith('test.battery.start'));
    } catch (error) {
      requestErrorText(error);
      return false;
    }
  }

  #draw({ nextTs, tests }: SelfTestsBody): void {
    this.#isRunning = tests[0]?.endedTs === null;
    setText(this.#next, nextText(nextTs, nowSeconds(this.context.clientState)));
    const rows = tests
      .slice(0, most)
      .map(({ startedTs, command, source, result, raw }) => [
        formatDateTime(startedTs),
        make('span', result === 'FAILED' ? 'failed' : '', testResults[result]),
        raw,
        command ?? '',
        sources[source],
      ]);
    const heads = ['Begin', 'Result', 'Text of the UPS', 'Command', 'Started by'];
    this.#tests.replaceChildren(
      rows.length === 0
        ? make('p', 'quiet', 'No test was recorded yet.')
        : table('Battery tests, newest first', heads, rows),
    );
  }

  async #run(): Promise<void> {
    const row = this.#row;
    if (row === null) return;
    const yes = await askConfirmation({
      title: 'Start a battery test?',
      lines: [
        `${row.label} (${row.name}) runs on its battery for the time of the test.`,
        'It runs immediately and is recorded under your name.',
      ],
      action: 'Start the test',
    });
    if (!yes || row.groupId !== this.#row?.groupId) return;
    setText(this.#outcome, 'The test is being started.');
    try {
      const path = `/api/v1/ups/${encodeURIComponent(row.groupId)}/self-test`;
      const { command } = await this.context.api.send<SelfTestIssuedBody>('POST', path, {});
      setText(this.#outcome, `${command} has started.`);
    } catch (error) {
      setText(this.#outcome, requestErrorText(error));
    }
    this.#refresh.soon();
    this.context.refresh();
  }
}

function nextText(nextTs: number | null, now: number): string {
  if (nextTs === null) return 'No test is scheduled.';
  const date = formatDateTime(nextTs).slice(0, 16);
  return nextTs > now
    ? `Next test by the schedule: ${date}`
    : `A test is due since ${date} and waits for its conditions.`;
}
