// The dashboard: asks the daemon over and over and shows what it says, how old it is, and when it says nothing.
import { durationInWords, onBattery } from '../shared/domain/wording.js';
import { Daemon } from './daemon.js';
import { arrange, byId, say, setClass } from './dom.js';
import { AlertView } from './view-alert.js';
import { PlanView } from './view-plan.js';
import { UpsCard } from './view-ups.js';

const daemon = new Daemon();
const { known } = daemon;
const alertView = new AlertView();
const cards = new Map<string, UpsCard>();
const plans = new Map<string, PlanView>();

function show(): void {
  const silentSeconds = known.answeredMs === null ? 0 : (performance.now() - known.answeredMs) / 1000;
  const now = Date.now() / 1000 + known.clockOffset;
  showLink(silentSeconds);
  alertView.show(known, silentSeconds);
  byId('rehearsal').hidden =
    known.plans.size === 0 || ![...known.plans.values()].every((plan) => plan.dryRun);
  if (known.status === null) return;
  const lastUpdates = new Map(
    known.ready?.ups.map(({ groupId, lastUpdateTime }) => [groupId, lastUpdateTime]),
  );
  arrange(
    byId('ups'),
    known.status.ups.map((row) => {
      const card = kept(cards, row.groupId, () => new UpsCard());
      const last = lastUpdates.get(row.groupId) ?? row.staleSince;
      card.show({
        row,
        explanation: known.explanations.get(row.groupId),
        ageSeconds: last === null ? null : Math.max(0, now - last),
        cutOff: known.trouble !== null,
      });
      return card.root;
    }),
  );
  if (known.plans.size === 0) return;
  arrange(
    byId('plan'),
    [...known.plans].map(([groupId, plan]) => {
      const view = kept(plans, groupId, () => new PlanView());
      view.show(plan, known.sequence, now);
      return view.root;
    }),
  );
}

function showLink(silentSeconds: number): void {
  const link = byId('link');
  const lost = known.trouble !== null;
  setClass(link, `link ${lost ? 'lost' : 'live'}`);
  if (!lost) say(link, 'Live');
  else
    say(link, known.answeredMs === null ? 'No contact' : `No contact for ${durationInWords(silentSeconds)}`);
  document.title = `${lost ? '? ' : anyOnBattery() ? '! ' : ''}Ridethrough`;
}

function anyOnBattery(): boolean {
  return known.status?.ups.some(onBattery) ?? false;
}

function kept<V>(views: Map<string, V>, key: string, make: () => V): V {
  const view = views.get(key) ?? make();
  views.set(key, view);
  return view;
}

void daemon.watch(anyOnBattery, show);
