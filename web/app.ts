// The dashboard: one page, one address per view (#/events), and the parts that are always there.
import { redrawCharts } from './charts/chart.js';
import { Details } from './daemon/details.js';
import { cutOff } from './daemon/knowledge.js';
import { Live } from './daemon/live.js';
import { Requests } from './daemon/requests.js';
import { Session } from './daemon/session.js';
import { Account } from './views/account.js';
import { Banner } from './views/banner.js';
import { Configuration } from './views/configuration.js';
import { ContactLine } from './views/contact-line.js';
import { Control } from './views/control.js';
import { Events } from './views/events/events.js';
import { Overview } from './views/overview/overview.js';
import { Plans } from './views/plan/plans.js';
import { OneUps } from './views/ups/one-ups.js';
import { SignIn } from './views/sign-in.js';
import type { Tools, View } from './views/view.js';
import { byId } from './ui/dom.js';
import { Navigation } from './ui/navigation.js';
import { themeButton } from './ui/theme.js';

/** Ages on the page go on counting while nothing new comes. */
const tickMs = 1_000;

const session = new Session();
const requests = new Requests(session);
const live = new Live(requests, () => refresh());
const { known } = live;
const details = new Details(known, requests, () => refresh());
const tools: Tools = { known, requests, details, refresh: () => refresh() };

const account = new Account(tools);
const banner = new Banner(byId('banner'), tools);
const contactLine = new ContactLine(tools);
const views: readonly (readonly [string, string, View])[] = [
  ['', 'Overview', new Overview(tools)],
  ['ups', '', new OneUps(tools)],
  ['events', 'Events', new Events(tools)],
  ['plan', 'Plan', new Plans(tools)],
  ['configuration', 'Configuration', new Configuration(tools)],
  ['control', 'Control', new Control(tools)],
  ['sign-in', '', new SignIn(tools)],
];
const navigation = new Navigation(views, () => refresh());

function refresh(): void {
  contactLine.show();
  account.show();
  navigation.offer('Control', account.mayControl);
  if (known.contact === 'locked') navigation.require('sign-in');
  banner.show();
  if (known.status === null && !cutOff(known)) return;
  navigation.current.show();
  document.title = `${contactLine.sign}${navigation.current.title()} · Ridethrough`;
}

session.onChange(() => {
  // What was refused to nobody may be shown to somebody: it is asked before it is said again.
  if (known.contact === 'locked') known.contact = 'connecting';
  details.forget();
  live.again();
  refresh();
});
byId('theme').append(themeButton(redrawCharts));
navigation.start();
live.start();
setInterval(refresh, tickMs);
