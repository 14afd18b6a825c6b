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
import { AccountMenu } from './views/account.js';
import { Banner } from './views/banner.js';
import { ConfigurationView } from './views/configuration.js';
import { ConnectionIndicator } from './views/connection-indicator.js';
import { ControlView } from './views/control.js';
import { EventsView } from './views/events/events.js';
import { OutagesView } from './views/outages/outages.js';
import { Overview } from './views/overview/overview.js';
import { PlansView } from './views/plan/plans.js';
import { ReportsView } from './views/reports/reports.js';
import { SetupView } from './views/setup/setup.js';
import { UpsDetailsView } from './views/ups/ups-details.js';
import { SignInView } from './views/sign-in.js';
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

const account = new AccountMenu(context);
const banner = new Banner(byId('banner'), context);
const connectionIndicator = new ConnectionIndicator(context);
const views: readonly (readonly [string, string, View])[] = [
  ['', 'Overview', new Overview(context)],
  ['ups', '', new UpsDetailsView(context)],
  ['events', 'Events', new EventsView(context)],
  ['outages', 'Outages', new OutagesView(context)],
  ['reports', 'Reports', new ReportsView(context)],
  ['plan', 'Plan', new PlansView(context)],
  ['configuration', 'Configuration', new ConfigurationView(context)],
  ['setup', '', new SetupView(context)],
  ['control', 'Control', new ControlView(context)],
  ['sign-in', '', new SignInView(context)],
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
