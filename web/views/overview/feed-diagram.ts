// A redundancy group as a diagram: its UPSes on the left, each with what it alone feeds, the quorum in the middle, and its
// loads on the right.
import { whatMustFail } from '../../../shared/domain/outage/feed.js';
import type { RedundancyRow, UpsRow } from '../../../shared/domain/status/status-model.js';
import type { Tone } from '../../../shared/domain/status/wording.js';
import { plainTriggers, forecastLines, quantity } from '../../../shared/domain/status/wording.js';
import type { ClientState } from '../../daemon/client-state.js';
import { explanationText } from '../../daemon/client-state.js';
import { setChildren, make, setText, setAttribute, setClass } from '../../ui/dom.js';
import { ViewCache } from '../../ui/view-cache.js';
import { stateIcon, setStateIcon } from '../../ui/state-icon.js';
import { healths, remotes } from '../../ui/phrases.js';

export class FeedDiagram {
  readonly root = make('article', 'feed');
  readonly #name = make('h3');
  readonly #summary = make('p', 'headline');
  readonly #need = make('p', 'quiet');
  readonly #lost = make('p', 'quiet');
  readonly #next = make('p', 'quiet feed-next');
  readonly #members = make('ul', 'feed-members');
  readonly #slots = make('div', 'slots');
  readonly #loads = make('ul', 'feed-loads');
  readonly #memberBoxes = new ViewCache(() => new Box('a'));
  readonly #loadBoxes = new ViewCache(() => new Box('span'));

  constructor() {
    this.#slots.setAttribute('role', 'img');
    const bus = make('div', 'feed-bus', this.#slots, this.#summary, this.#need, this.#lost);
    const picture = make('div', 'feed-diagram', this.#members, bus, this.#loads);
    this.root.append(this.#name, picture, this.#next);
  }

  show(group: RedundancyRow, clientState: ClientState): void {
    const { status } = clientState;
    const { members, minHealthy, healthyCount, quorumLost, quorumDeferred } = group;
    const tone: Tone = quorumLost ? 'danger' : quorumDeferred ? 'unknown' : spareTone(group);
    setClass(this.root, `feed ${tone}`);
    setText(this.#name, group.name);
    setText(
      this.#summary,
      quorumLost ? 'Quorum lost' : quorumDeferred ? 'Quorum not evaluated yet' : 'Quorum holds',
    );
    setText(
      this.#need,
      `${String(healthyCount)} of ${String(members.length)} healthy, ${String(minHealthy)} needed`,
    );
    const rows = members.map(({ name }) => status?.ups.find((one) => one.name === name));
    const sources = members.map(({ name }, index) => rows[index]?.label ?? name);
    setText(this.#lost, `Its loads go down when ${whatMustFail({ sources, minHealthy })}`);
    const text = explanationText(clientState, group);
    setText(this.#next, text === undefined ? '' : plainTriggers(forecastLines(text)[0] ?? ''));
    this.#showSlots(group);
    const boxes = this.#memberBoxes.retain(members.map(({ name }) => name));
    setChildren(
      this.#members,
      boxes.map(({ root }) => root),
    );
    members.forEach(({ name, health, effectiveHealth }, index) => {
      const row = rows[index];
      const own = healths[health];
      const counts = health === effectiveHealth ? '' : `, counts as ${healths[effectiveHealth].text}`;
      boxes[index]?.show({
        tone: own.tone,
        name: row?.label ?? name,
        text: `${own.text}${counts}`,
        more:
          row === undefined
            ? ''
            : `${quantity(row.batteryCharge, '%')} charge, ${quantity(row.load, '%')} load`,
        href: `#/ups/${encodeURIComponent(row?.groupId ?? name)}`,
        alone: row === undefined ? [] : loadsOf(row, clientState),
      });
    });
    this.#showLoads(loadsOf(group, clientState));
  }

  /** One box per member. As many boxes as healthy members are filled, from the left; a line follows the required number. */
  #showSlots({ members, minHealthy, healthyCount }: RedundancyRow): void {
    const slots = members.map((_, index) => {
      const slot = this.#slots.children[index] ?? make('span');
      const held = index < healthyCount ? 'held' : 'open';
      setClass(slot, `${held}${index === minHealthy - 1 ? ' needed' : ''}`);
      return slot;
    });
    setChildren(this.#slots, slots);
    const text = `${String(healthyCount)} healthy of ${String(members.length)}, ${String(minHealthy)} needed`;
    setAttribute(this.#slots, 'aria-label', text);
  }

  #showLoads(loads: readonly BoxFacts[]): void {
    const shown: readonly BoxFacts[] =
      loads.length > 0
        ? loads
        : [{ tone: 'unknown', name: 'Nothing', text: 'this group shuts down no machine', more: '' }];
    const boxes = this.#loadBoxes.retain(shown.map(({ name }) => name));
    setChildren(
      this.#loads,
      boxes.map(({ root }) => root),
    );
    shown.forEach((facts, index) => boxes[index]?.show(facts));
  }
}

/** A warning when one more failure would lose the quorum. */
function spareTone({ healthyCount, minHealthy, members }: RedundancyRow): Tone {
  return healthyCount > minHealthy || healthyCount === members.length ? 'good' : 'warning';
}

/** What the plan of the UPS or group shuts down: this machine, and each server, also those that it drains for others. */
function loadsOf({ shutsDown }: UpsRow | RedundancyRow, { status }: ClientState): readonly BoxFacts[] {
  const own: readonly BoxFacts[] = shutsDown.host
    ? [{ tone: 'good', name: 'This machine', text: 'runs the daemon', more: '' }]
    : [];
  const owners = [...(status?.ups ?? []), ...(status?.redundancyGroups ?? [])];
  const known = new Map(owners.flatMap(({ remoteHealth }) => remoteHealth.map((one) => [one.server, one])));
  const servers = shutsDown.servers.map((name): BoxFacts => {
    const health = known.get(name);
    const { tone, text } = remotes[health?.status ?? 'DISABLED'];
    return { tone, name, text, more: health?.lastError ?? health?.host ?? '' };
  });
  return [...own, ...servers];
}

interface BoxFacts {
  readonly tone: Tone;
  readonly name: string;
  readonly text: string;
  readonly more: string;
  readonly href?: string;
  /** What this UPS feeds without the group. */
  readonly alone?: readonly BoxFacts[];
}

class Box {
  readonly #icon = stateIcon();
  readonly #name: HTMLElement;
  readonly #text = make('span', 'quiet');
  readonly #more = make('span', 'quiet');
  readonly #alone = make('ul', 'feed-alone');
  readonly root: HTMLElement;

  constructor(tag: 'a' | 'span') {
    this.#name = make(tag, 'feed-name');
    this.root = make('li', 'feed-box', this.#icon, this.#name, this.#text, this.#more, this.#alone);
  }

  show({ tone, name, text, more, href, alone = [] }: BoxFacts): void {
    setClass(this.root, `feed-box ${tone}`);
    setStateIcon(this.#icon, tone);
    setText(this.#name, name);
    setText(this.#text, text);
    setText(this.#more, more);
    if (href !== undefined) setAttribute(this.#name, 'href', href);
    this.#alone.hidden = alone.length === 0;
    setChildren(
      this.#alone,
      alone.map((load, index) => {
        const item = (this.#alone.children[index] as HTMLElement | undefined) ?? make('li');
        setText(item, `${load.name} (${load.text}) goes down when ${name} fails`);
        setClass(item, load.tone);
        return item;
      }),
    );
  }
}
