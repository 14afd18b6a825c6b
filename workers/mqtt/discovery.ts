// Discovery documents for Home Assistant: one device for each UPS, an entity for every reading it has ever had. The broker
// retains them. They refer to the status topic of this host and have no readings.
import { createHash } from 'node:crypto';
import { sortedJson } from '../../shared/http/status-copy.js';
import { version } from '../../shared/domain/base/version.js';
import type { MqttSettings, MqttUps } from '../../shared/protocol/mqtt.js';
import type { Entity } from './entities.js';
import { entities } from './entities.js';
import type { Topics } from './topics.js';
import { topicsOf } from './topics.js';

/** The default of Home Assistant. */
const discoveryPrefix = 'homeassistant';
/** A reading expires after so many publish intervals without a repetition, but not before a minute. */
const expiryIntervals = 3;
const minExpirySeconds = 60;

type Settings = Pick<MqttSettings, 'topicPrefix' | 'publishIntervalMs' | 'availability'>;

interface CachedDocument {
  readonly key: string;
  readonly documents: readonly (readonly [topic: string, document: string])[];
}

export class Discovery {
  /** By groupId: the entities of a UPS. An entity stays while its reading is missing. */
  readonly #shown = new Map<string, Set<Entity>>();
  /** By groupId: the last documents, and their input. */
  readonly #documents = new Map<string, CachedDocument>();
  readonly #hostName: string;

  constructor(hostName: string) {
    this.#hostName = hostName;
  }

  *documents(all: readonly MqttUps[], settings: Settings): Iterable<readonly [string, string]> {
    const present = new Set(all.map(({ row }) => row.groupId));
    for (const groupId of this.#shown.keys()) if (!present.has(groupId)) this.#forget(groupId);
    for (const ups of all) yield* this.#of(ups, settings);
  }

  #of(ups: MqttUps, settings: Settings): CachedDocument['documents'] {
    const { groupId } = ups.row;
    const shown = this.#shown.get(groupId) ?? new Set<Entity>();
    this.#shown.set(groupId, shown);
    for (const entity of entities) if (entity.present(ups)) shown.add(entity);
    const { topicPrefix, publishIntervalMs, availability } = settings;
    const key = JSON.stringify([
      ...[ups.row.name, ups.row.label, ups.device, shown.size],
      ...[topicPrefix, publishIntervalMs, availability],
    ]);
    const before = this.#documents.get(groupId);
    if (before?.key === key) return before.documents;
    const topics = topicsOf(settings, this.#hostName);
    const documents = entities
      .filter((entity) => shown.has(entity))
      .map((entity) => discoveryMessage(ups, entity, settings, topics));
    this.#documents.set(groupId, { key, documents });
    return documents;
  }

  #forget(groupId: string): void {
    this.#shown.delete(groupId);
    this.#documents.delete(groupId);
  }
}

/** kWh by groupId since the counting began; undefined while no UPS has any. */
export function energyMessage(all: readonly MqttUps[]): string | undefined {
  const known = all.filter(({ totalKwh }) => totalKwh !== null);
  if (known.length === 0) return undefined;
  return sortedJson(Object.fromEntries(known.map(({ row, totalKwh }) => [row.groupId, totalKwh])));
}

function discoveryMessage(
  { row, device }: MqttUps,
  entity: Entity,
  settings: Settings,
  topics: Topics,
): readonly [string, string] {
  const { topicPrefix, publishIntervalMs, availability } = settings;
  const node = nodeOf(row.groupId, topicPrefix, topics.host);
  const document = {
    name: entity.name,
    unique_id: `${node}_${entity.id}`,
    ...(entity.isEnergy === true
      ? { state_topic: topics.energy, value_template: entity.template(row.groupId) }
      : {
          state_topic: topics.ownStatus,
          value_template: entity.template(rowExpression(row.groupId, entity)),
          expire_after: Math.max(minExpirySeconds, Math.ceil((expiryIntervals * publishIntervalMs) / 1000)),
        }),
    ...entity.more,
    ...(availability ? { availability_topic: topics.availability } : {}),
    device: {
      identifiers: [node],
      // Each machine may call its UPS ups@localhost.
      name: row.label === row.name ? `${row.label} (${topics.host})` : row.label,
      ...(device.manufacturer === '' ? {} : { manufacturer: device.manufacturer }),
      ...(device.model === '' ? {} : { model: device.model }),
      ...(device.firmware === '' ? {} : { sw_version: device.firmware }),
    },
    origin: { name: 'Ridethrough', sw_version: version },
  };
  return [`${discoveryPrefix}/${entity.component}/${node}/${entity.id}/config`, sortedJson(document)];
}

/**
 * The identifier of the UPS in Home Assistant: stable while its name, the topic prefix and the host are, and different for two
 * daemons that differ in one of them.
 */
function nodeOf(groupId: string, topicPrefix: string, host: string): string {
  const digest = createHash('sha256').update(`${topicPrefix}\n${groupId}`).digest('hex').slice(0, 8);
  return `ridethrough_${host}_${groupId.replace(/[^A-Za-z0-9_-]/g, '_')}_${digest}`;
}

/**
 * The row of this UPS in Home Assistant's template language; a groupId needs no quoting. While the connection is lost its
 * readings are those of the previous test: without a row they are None, which is unknown there.
 */
function rowExpression(groupId: string, { isOfDaemon }: Entity): string {
  const current = isOfDaemon === true ? '' : " | rejectattr('connectionState', 'eq', 'FAILED')";
  return `(value_json.ups | selectattr('groupId', 'eq', '${groupId}')${current} | list | first | default({}))`;
}
