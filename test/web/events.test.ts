import { expect } from 'chai';
import type { EventRow } from '../../shared/http/bodies.js';
import { annotationsOf, marksBegin } from '../../web/charts/annotations.js';
import { messageOf, messagesOf } from '../../web/daemon/event-stream.js';
import { EventList, matches } from '../../web/views/events/event-list.js';

function event(ts: number, eventType = 'ON_BATTERY', change: Partial<EventRow> = {}): EventRow {
  return {
    source: 'office',
    id: ts,
    ts,
    eventType,
    detail: 'charge 98 %',
    category: 'power_event',
    ups: 'office@localhost',
    label: 'Office',
    ...change,
  };
}

describe('the list of events', () => {
  it('has each event once, newest first, in the order of the daemon', () => {
    const list = new EventList();
    const rows = [
      event(5),
      event(7, 'X', { id: 1 }),
      event(7, 'X', { id: 2 }),
      event(7, 'X', { source: 'rack' }),
    ];
    list.add(rows);
    list.add(rows);
    expect(list.rows().map(({ ts, source, id }) => [ts, source, id])).to.deep.equal([
      [7, 'rack', 7],
      [7, 'office', 2],
      [7, 'office', 1],
      [5, 'office', 5],
    ]);
    expect(list.cursor()).to.equal('&before=5&beforeSource=office&beforeId=5');
    list.clear();
    expect(list.cursor()).to.equal('');
  });

  it('is searched for all words, in the text that the table shows', () => {
    const found = (ups: string, ...words: string[]) => matches(event(1), { ups, words });
    expect(found('', 'battery', '98')).to.equal(true);
    expect(found('', 'on battery')).to.equal(true);
    expect(found('office', 'office')).to.equal(true);
    expect(found('', 'battery', 'nothing')).to.equal(false);
    expect(found('rack')).to.equal(false);
  });
});

describe('the outages of a chart', () => {
  const span = { from: 0, to: 100 };
  const none = { outage: false, disconnected: false };

  it('last from transfer to return', () => {
    const rows = [event(10), event(30, 'POWER_RESTORED')];
    expect(annotationsOf(rows, span, none).bands).to.deep.equal([{ kind: 'outage', from: 10, to: 30 }]);
  });

  it('begin before the chart and end after it when the events show it', () => {
    expect(annotationsOf([event(20, 'POWER_RESTORED')], span, none).bands).to.deep.equal([
      { kind: 'outage', from: 0, to: 20 },
    ]);
    expect(annotationsOf([event(80)], span, { outage: true, disconnected: false }).bands).to.deep.equal([
      { kind: 'outage', from: 80, to: 100 },
    ]);
    expect(annotationsOf([], span, { outage: true, disconnected: false }).bands).to.deep.equal([
      { kind: 'outage', from: 0, to: 100 },
    ]);
  });

  it('begin with the first known event when older ones of all UPSes did not fit', () => {
    const answer = [event(60, 'ON_BATTERY', { source: 'rack' }), event(80, 'POWER_RESTORED')];
    const bands = (limit: number) =>
      annotationsOf(answer.slice(1), { from: marksBegin(answer, limit, 0), to: 100 }, none).bands;
    expect(bands(2)).to.deep.equal([{ kind: 'outage', from: 60, to: 80 }]);
    expect(bands(3)).to.deep.equal([{ kind: 'outage', from: 0, to: 80 }]);
  });

  it('are separate from lost connections', () => {
    const rows = [
      event(10, 'CONNECTION_LOST'),
      event(15),
      event(20, 'CONNECTION_RESTORED'),
      event(30, 'POWER_RESTORED'),
    ];
    expect(annotationsOf(rows, span, none).bands).to.deep.equal([
      { kind: 'disconnected', from: 10, to: 20 },
      { kind: 'outage', from: 15, to: 30 },
    ]);
  });
});

describe('the stream', () => {
  it('is decoded message by message, however it is split', async () => {
    const bytes = new TextEncoder().encode(
      ': beat\n\nevent: status\ndata: {"a":"ü"}\n\nevent: x\ndata: 1\n\nevent: cut',
    );
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
        controller.close();
      },
    });
    const messages = [];
    for await (const message of messagesOf(body)) messages.push(message);
    expect(messages).to.deep.equal([
      { event: 'heartbeat', data: '' },
      { event: 'status', data: '{"a":"ü"}' },
      { event: 'x', data: '1' },
    ]);
  });

  it('keeps the lines of one message together', () => {
    expect(messageOf('data: a\ndata: b')).to.deep.equal({ event: 'message', data: 'a\nb' });
  });
});
