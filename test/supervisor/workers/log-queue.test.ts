import { expect } from 'chai';
import type { LogRecord } from '../../../shared/domain/status/log-record.js';
import type { Outcome } from '../../../shared/protocol/contract.js';
import { linkFailure } from '../../../shared/protocol/contract.js';
import { maxFrameBytes } from '../../../shared/runtime/pipe-port.js';
import type { WriteRecords } from '../../../supervisor/workers/log-queue.js';
import { LogQueue } from '../../../supervisor/workers/log-queue.js';
import { settled } from '../../fixtures/fake-time.js';

function record(message: string): LogRecord {
  return { timestamp: 0, level: 'info', logger: 'test', message };
}

const taken: Outcome<unknown> = { ok: true, value: {} };
const gone: Outcome<unknown> = { ok: false, error: { code: 'WORKER_GONE', message: '' } };

/** A log process that answers when the test says so. */
function rig() {
  const queue = new LogQueue();
  const batches: { messages: string[]; dropped: number; answer: (outcome: Outcome<unknown>) => void }[] = [];
  const connect = () =>
    queue.connect((records, dropped) => {
      return new Promise((answer) =>
        batches.push({ messages: records.map(({ message }) => message), dropped, answer }),
      );
    });
  return { queue, batches, connect };
}

describe('the queue to the log process', () => {
  it('keeps records until the process is there, and sends them in order', async () => {
    const { queue, batches, connect } = rig();
    for (const message of ['one', 'two', 'three']) queue.push(record(message));
    await settled();
    connect();
    expect(batches[0]?.messages).to.deep.equal(['one', 'two', 'three']);
  });

  it('has one batch in flight, and sends later records after it', async () => {
    const { queue, batches, connect } = rig();
    connect();
    queue.push(record('one'));
    await settled();
    queue.push(record('two'));
    queue.push(record('three'));
    await settled();
    expect(batches).to.have.length(1);
    batches[0]?.answer(taken);
    await settled();
    expect(batches[1]?.messages).to.deep.equal(['two', 'three']);
  });

  it('sends a batch that a dying process did not take to the next one, first', async () => {
    const { queue, batches, connect } = rig();
    connect();
    queue.push(record('one'));
    await settled();
    queue.push(record('two'));
    queue.disconnect();
    batches[0]?.answer(gone);
    await settled();
    connect();
    expect(batches[1]?.messages).to.deep.equal(['one', 'two']);
  });

  it('drops the newest records beyond its bound, and counts them', async () => {
    const { queue, batches, connect } = rig();
    for (let count = 0; count < 5_003; count += 1) queue.push(record(String(count)));
    connect();
    await settled();
    expect(batches[0]).to.include({ dropped: 3 });
    expect(batches[0]?.messages[0]).to.equal('0');
    let sent = 0;
    while (batches.length > sent) {
      batches[sent]?.answer(taken);
      sent += 1;
      await settled();
    }
    expect(batches.flatMap(({ messages }) => messages)).to.have.length(5_000);
    expect(batches.at(-1)?.messages.at(-1)).to.equal('4999');
  });

  it('does not delay the end of the daemon when the process does not answer', async () => {
    const { queue, connect } = rig();
    connect();
    queue.push(record('last words'));
    await queue.flush(20);
  });

  it('sends frames that are short enough, whatever the records hold', async () => {
    const queue = new LogQueue();
    const lengths: number[] = [];
    queue.connect((records, dropped) => {
      lengths.push(Buffer.byteLength(JSON.stringify({ records, dropped })));
      return Promise.resolve(taken);
    });
    const longest = (max: number): string => '\u0001'.repeat(max);
    const fields = { category: 64, event_type: 64, group: 256, ups: 256, server: 256 };
    const long = Object.fromEntries(Object.entries(fields).map(([name, max]) => [name, longest(max)]));
    for (let count = 0; count < 500; count += 1)
      queue.push({ ...record(longest(4096)), logger: longest(256), ...long });
    await settled();
    expect(Math.max(...lengths)).to.be.below(maxFrameBytes);
  });

  it('leaves out a record that the process cannot read, and sends the others', async () => {
    const { queue, sent, write } = refusing('bad');
    for (const message of ['one', 'bad', 'two']) queue.push(record(message));
    queue.connect(write);
    await settled();
    expect(sent).to.deep.equal(['one +0', 'two +1']);
  });

  it('ends with the daemon although no record is taken', async () => {
    const { queue, write, calls } = refusing('bad');
    for (let count = 0; count < 250; count += 1) queue.push(record('bad'));
    queue.connect(write);
    await queue.flush(20);
    expect(calls()).to.be.below(300);
  });
});

/** A log process that cannot read these messages. It takes everything after a thousand calls, so that no test hangs. */
function refusing(...bad: readonly string[]) {
  const sent: string[] = [];
  let count = 0;
  const write: WriteRecords = (records, dropped) => {
    count += 1;
    const isBad = count <= 1_000 && records.some(({ message }) => bad.includes(message));
    if (isBad) return Promise.resolve({ ok: false, error: { code: linkFailure.invalid, message: '' } });
    sent.push(...records.map(({ message }) => `${message} +${String(dropped)}`));
    return Promise.resolve(taken);
  };
  return { queue: new LogQueue(), sent, write, calls: () => count };
}
