// Records an event: in the log under its category and type, and where `keep` passes it. Recording never waits and never fails.
import type { EventType } from '../../shared/domain/status/events.js';
import { categoryOf } from '../../shared/domain/status/events.js';
import type { LogFields } from '../../shared/domain/status/log-record.js';
import { unreachable } from '../../shared/domain/base/unreachable.js';
import type { Logger } from '../../shared/runtime/log.js';

export interface RecordedEvent {
  /** A groupId, or `daemon`. */
  readonly source: string;
  readonly type: EventType;
  readonly detail: string;
  /** The remote server that the event concerns, if any; a field of the log. */
  readonly server?: string;
}

export class EventRecorder {
  readonly #log: Logger;
  readonly #keep: (event: RecordedEvent) => void;
  readonly #upsNames: (source: string) => string | undefined;

  /** `upsNames` gives the configured name of a UPS by its groupId; `keep` passes the event on: to the history, notifications and hooks. */
  constructor(
    log: Logger,
    upsNames: (source: string) => string | undefined,
    keep: (event: RecordedEvent) => void,
  ) {
    this.#log = log;
    this.#keep = keep;
    this.#upsNames = upsNames;
  }

  record(event: RecordedEvent): void {
    const { source, type, detail, server } = event;
    this.#keep(event);
    const category = categoryOf(type);
    const ups = this.#upsNames(source);
    const fields: LogFields = {
      category,
      event_type: type,
      group: source,
      ...(ups === undefined ? {} : { ups }),
      ...(server === undefined ? {} : { server }),
    };
    const text = `${type}: ${detail}`;
    switch (category) {
      case 'shutdown':
        if (type === 'SHUTDOWN_STEP_FAILED') this.#log.error(text, fields);
        else this.#log.warning(text, fields);
        return;
      case 'power_event':
        this.#log.warning(text, fields);
        return;
      case 'diagnostics':
      case 'audit':
      case 'lifecycle':
        this.#log.info(text, fields);
        return;
      default:
        unreachable(category);
    }
  }
}
