// The dashboard: one page with one address per view (#/events), the banner and the header.
import { redrawCharts } from './charts/chart.js';
import { CurrentOutages } from './charts/outage-timeline/current-outages.js';
import { OutageSamples } from './charts/outage-timeline/outage-samples.js';
import { DetailLoader } from './daemon/detail-loader.js';
import { isDisconnected } from './daemon/client-state.js';
import { LiveUpdates } from './daemon/live-updates.js';
import { ApiClient } from './daemon/api-client.js';
import { PageFault } from './daemon/page-fault.js';
import { DashboardSession } from './daemon/session.js';
import { Account } from './views/account.js';
import { Banner } from './views/banner.js';
import { Configuration } from './views/configuration.js';
import { ConnectionIndicator } from './views/connection-indicator.js';
import { Control } from './views/control.js';
import { Events } from './views/events/events.js';
import { Outages } from './views/outages/outages.js';
import { Overview } from './views/overview/overview.js';
import { Plans } from './views/plan/plans.js';
import { ReportsView } from './views/reports/reports.js';
import { Setup } from './views/setup/setup.js';
import { UpsDetails } from './views/ups/ups-details.js';
import { SignIn } from './views/sign-in.js';
import type { ViewContext, View } from './views/view.js';
import { byId } from './ui/dom.js';
import { Navigation } from './views/navigation.js';
import { themeButton } from './ui/theme.js';

/** Ages on the page count up without new data. */
const tickMs = 1_000;

const session = new DashboardSession();
const api = new ApiClient(session);
// Apart from its caller: an exception of a view must not end what keeps the state up to date.
const live = new LiveUpdates(api, () => queueMicrotask(refresh));
const { clientState } = live;
const fault = new PageFault(clientState, api);
const details = new DetailLoader(clientState, api, () => refresh());
const outages = new CurrentOutages(
  clientState,
  (groupId) => new OutageSamples(groupId, api, () => refresh()),
);
const context: ViewContext = { clientState, api, details, outages, refresh: () => refresh() };

const account = new Account(context);
const banner = new Banner(byId('banner'), context);
const connectionIndicator = new ConnectionIndicator(context);
const views: readonly (readonly [string, string, View])[] = [
  ['', 'Overview', new Overview(context)],
  ['ups', '', new UpsDetails(context)],
  ['events', 'Events', new Events(context)],
  ['outages', 'Outages', new Outages(context)],
  ['reports', 'Reports', new ReportsView(context)],
  ['plan', 'Plan', new Plans(context)],
  ['configuration', 'Configuration', new Configuration(context)],
  ['setup', '', new Setup(context)],
  ['control', 'Control', new Control(context)],
  ['sign-in', '', new SignIn(context)],
];
const navigation = new Navigation(views, () => refresh());

function refresh(): void {
  fault.show();
  connectionIndicator.show();
  account.show();
  navigation.showLink('Control', session.token !== null);
  if (clientState.connection === 'locked') navigation.require('sign-in');
  banner.show();
  if (clientState.status === null && !isDisconnected(clientState)) return;
  navigation.current.show();
  document.title = `${connectionIndicator.titlePrefix}${navigation.current.title()} · Ridethrough`;
}

session.onChange(() => {
  // The new session may be allowed to read: request again.
  if (clientState.connection === 'locked') clientState.connection = 'connecting';
  details.invalidate();
  live.reconnect();
  refresh();
});
byId('theme').append(themeButton(redrawCharts));
navigation.start();
live.start();
setInterval(refresh, tickMs);
// For old-browser.js.
document.documentElement.setAttribute('data-started', '');
