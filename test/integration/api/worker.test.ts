import { expect } from 'chai';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ApiSettings } from '../../../shared/protocol/api.js';
import type { UpFrame } from '../../../shared/protocol/frame.js';
import type { WorkerProcess } from '../../fixtures/worker-process.js';
import { apiSettings } from '../../fixtures/api-settings.js';
import { startWorkerProcess } from '../../fixtures/worker-process.js';
import { modelChange, plan } from '../../workers/api/fixture.js';
import { ask } from '../../workers/api/raw.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';

const entry = fileURLToPath(new URL('../../../workers/api/worker.js', import.meta.url));

class ApiProcess {
  readonly #process: WorkerProcess;
  readonly #frames: UpFrame[] = [];
  #wake: () => void = () => undefined;

  constructor(settings: ApiSettings) {
    this.#process = startWorkerProcess(entry);
    this.#process.port.on('message', (frame) => {
      this.#frames.push(frame as UpFrame);
      this.#wake();
    });
    this.send({ kind: 'configure', settings });
  }

  get ended(): Promise<unknown> {
    return once(this.#process.child, 'exit');
  }

  send(frame: unknown): void {
    this.#process.port.postMessage(frame);
  }

  closeLink(): void {
    this.#process.port.close();
  }

  kill(): void {
    this.#process.child.kill('SIGKILL');
  }

  async heard<K extends UpFrame['kind']>(kind: K): Promise<Extract<UpFrame, { kind: K }>> {
    for (;;) {
      const frame = this.#frames.find((one): one is Extract<UpFrame, { kind: K }> => one.kind === kind);
      if (frame !== undefined) return frame;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  async port(): Promise<number> {
    const { body } = await this.heard('event');
    return Number((body as { address: string }).address.replace(/^.*:/, ''));
  }
}

describe('the API worker process', () => {
  let folder: string;
  let settings: ApiSettings;
  let api: ApiProcess;
  beforeEach(async () => {
    folder = temporaryFolder();
    settings = apiSettings(folder);
    api = new ApiProcess(settings);
    await api.heard('ready');
  });
  afterEach(() => {
    api.kill();
  });

  it('serves the published model and forwards questions', async () => {
    const port = await api.port();
    api.send({ kind: 'request', id: 1, name: 'model.publish', params: modelChange(), deadlineMs: 1000 });
    await api.heard('answer');
    expect((await ask({ port }, '/api/v1/ups')).body).to.contain('"batteryCharge":87');
    const answer = ask({ path: settings.controlSocket }, '/control/v1/plan?ups=office-127.0.0.1');
    const question = await api.heard('ask');
    expect(question).to.include({ name: 'plan.get' });
    expect(question.params).to.deep.equal({ group: 'office-127.0.0.1' });
    api.send({ kind: 'answer', id: question.id, result: { plan: plan('office-127.0.0.1') } });
    expect((await answer).body).to.contain('secret-shutdown');
  });

  it('answers 503 until the supervisor publishes', async () => {
    const port = await api.port();
    api.send({ kind: 'request', id: 1, name: 'model.publish', params: modelChange(), deadlineMs: 1000 });
    await api.heard('answer');
    expect((await ask({ port }, '/api/v1/ups/office-127.0.0.1/explain')).status).to.equal(503);
    expect((await ask({ port }, '/health')).status).to.equal(200);
  });

  it('drains and exits', async () => {
    const { ended } = api;
    api.send({ kind: 'drain', deadlineMs: 2000 });
    await api.heard('drained');
    await ended;
  });

  it('exits when its supervisor is killed', async () => {
    const { ended } = api;
    api.closeLink();
    await ended;
  });
});
