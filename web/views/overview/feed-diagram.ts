// A redundancy group as a picture: its UPSes on the left, what they feed on the right, the quorum between them.
import type { RedundancyRow } from '../../../shared/domain/status-model.js';
import type { Tone } from '../../../shared/domain/wording.js';
import { prospectOf, quantity } from '../../../shared/domain/wording.js';
import type { Knowledge, Plan } from '../../daemon/knowledge.js';
import { accountOf } from '../../daemon/knowledge.js';
import { Kept, arrange, make, say, setAttribute, setClass } from '../../ui/dom.js';
import { mark, setMark } from '../../ui/icons.js';
import { healths, plainTriggers, remotes } from '../../ui/phrases.js';

export class FeedPicture {
  readonly root = make('article', 'feed');
  readonly #name = make('h3');
  readonly #verdict = make('p', 'headline');
  readonly #need = make('p', 'quiet');
  readonly #next = make('p', 'quiet feed-next');
  readonly #members = make('ul', 'feed-members');
  readonly #slots = make('div', 'slots');
  readonly #loads = make('ul', 'feed-loads');
  readonly #rows = new Kept(() => new Box('a'));
  readonly #fed = new Kept(() => new Box('span'));

  constructor() {
    this.#slots.setAttribute('role', 'img');
    const bus = make('div', 'feed-bus', this.#slots, this.#verdict, this.#need);
    const picture = make('div', 'feed-picture', this.#members, bus, this.#loads);
    this.root.append(this.#name, picture, this.#next);
  }

  show(group: RedundancyRow, known: Knowledge): void {
    const { status, plans } = known;
    const { members, minHealthy, healthyCount, quorumLost, quorumDeferred } = group;
    const tone: Tone = quorumLost ? 'danger' : quorumDeferred ? 'unknown' : spareTone(group);
    setClass(this.root, `feed ${tone}`);
    say(this.#name, group.name);
    say(
      this.#verdict,
      quorumLost ? 'Quorum lost' : quorumDeferred ? 'Quorum not judged yet' : 'Quorum holds',
    );
    say(
      this.#need,
      `${String(healthyCount)} of ${String(members.length)} healthy, ${String(minHealthy)} needed`,
    );
    const text = accountOf(known, group);
    say(this.#next, text === undefined ? '' : plainTriggers(prospectOf(text)[0] ?? ''));
    this.#showSlots(group);
    const boxes = this.#rows.only(members.map(({ name }) => name));
    arrange(
      this.#members,
      boxes.map(({ root }) => root),
    );
    members.forEach(({ name, health, effectiveHealth }, index) => {
      const row = status?.ups.find((one) => one.name === name);
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
      });
    });
    this.#showLoads(group, plans.get(group.groupId));
  }

  /** One box per member; filled are the healthy ones, and the line stands after those that are needed. */
  #showSlots({ members, minHealthy, healthyCount }: RedundancyRow): void {
    const slots = members.map((_, index) => {
      const slot = this.#slots.children[index] ?? make('span');
      const held = index < healthyCount ? 'held' : 'open';
      setClass(slot, `${held}${index === minHealthy - 1 ? ' needed' : ''}`);
      return slot;
    });
    arrange(this.#slots, slots);
    const text = `${String(healthyCount)} healthy of ${String(members.length)}, ${String(minHealthy)} needed`;
    setAttribute(this.#slots, 'aria-label', text);
  }

  #showLoads({ isLocal, remoteHealth }: RedundancyRow, plan: Plan | undefined): void {
    const own: readonly BoxFacts[] = isLocal
      ? [{ tone: 'good', name: 'This machine', text: 'runs the daemon', more: '' }]
      : [];
    const servers = remoteHealth.map(({ server, host, status, lastError }): BoxFacts => {
      const { tone, text } = remotes[status];
      return { tone, name: server, text, more: lastError ?? host };
    });
    // A server nobody probes still hangs on these feeds: the plan knows it.
    const probed = new Set(servers.map(({ name }) => name));
    const planned = (plan?.phases ?? [])
      .filter(({ name }) => name === 'remote_servers')
      .flatMap(({ steps }) => steps)
      .filter(({ target }) => !probed.has(target))
      .map(({ target }): BoxFacts => ({ tone: 'unknown', name: target, text: 'not probed', more: '' }));
    const loads = [...own, ...servers, ...planned];
    const shown: readonly BoxFacts[] =
      loads.length > 0
        ? loads
        : [{ tone: 'unknown', name: 'Nothing', text: 'no machine is shut down by this group', more: '' }];
    const boxes = this.#fed.only(shown.map(({ name }) => name));
    arrange(
      this.#loads,
      boxes.map(({ root }) => root),
    );
    shown.forEach((facts, index) => boxes[index]?.show(facts));
  }
}

/** Held with nothing to spare is no green: one more failure is the end. */
function spareTone({ healthyCount, minHealthy, members }: RedundancyRow): Tone {
  return healthyCount > minHealthy || healthyCount === members.length ? 'good' : 'warning';
}

interface BoxFacts {
  readonly tone: Tone;
  readonly name: string;
  readonly text: string;
  readonly more: string;
  readonly href?: string;
}

class Box {
  readonly #mark = mark();
  readonly #name: HTMLElement;
  readonly #text = make('span', 'quiet');
  readonly #more = make('span', 'quiet');
  readonly root: HTMLElement;

  constructor(tag: 'a' | 'span') {
    this.#name = make(tag, 'feed-name');
    this.root = make('li', 'feed-box', this.#mark, this.#name, this.#text, this.#more);
  }

  show({ tone, name, text, more, href }: BoxFacts): void {
    setClass(this.root, `feed-box ${tone}`);
    setMark(this.#mark, tone);
    say(this.#name, name);
    say(this.#text, text);
    say(this.#more, more);
    if (href !== undefined) setAttribute(this.#name, 'href', href);
  }
}
