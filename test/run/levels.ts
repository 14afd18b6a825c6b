// Which files of tests the default level has, and which run last. Everything else runs with --all: docs/verification.md says why.

/** Of test/integration: each promise once, by the cheapest test that goes through the whole program. */
const promises: readonly string[] =
  `
api/documentation api/fleet api/metrics-documents api/openmetrics api/page api/promtool api/secrets api/worker
auth/control-needs-a-user auth/role-commands
bench/load
config/read config/validate
control/control
daemon/another-boot daemon/energy daemon/exhaustion daemon/outages daemon/reload daemon/start daemon/topology
daemon/upsd-lost-in-outage
dashboard/outage dashboard/setup
demo/configuration demo/demo
drill/lost-terminal
heartbeat/heartbeat
hooks/daemon
import/eneru
init/full-disk init/getting-started init/pages init/real-files init/search
log/daemon log/file log/rsyslog log/standard-error log/syslog
manual/pages
mqtt/home-assistant mqtt/misbehaving
notify/http-services notify/mail notify/messengers notify/misbehaving
nut/control-wire nut/credentials nut/device-dumps nut/device-outages nut/misbehaving nut/old-tools nut/output
nut/plain-text nut/tls nut/transport nut/worker
prober/probe
recorder/record
recovery/another-boot recovery/restart
scripts/command
security/planted-files security/privileges
sequence/command sequence/kill-every-record sequence/name-server sequence/worker-faults
supervision/life supervision/orphans
self-tests/self-tests
sequence-local/daemon
ssh/check ssh/host-keys ssh/misbehaving ssh/shutdown
simulated-upsd/protocol simulated-upsd/same-as-upsd
storage/worker storage/disk
support/support
systemd/install
`.match(/\S+/g) ?? [];

/** 11,000 worlds: five minutes of a processor; hosts that may restart: one; the named mutants of what carries decisions out. */
const onlyInAll = ['simulation/outages', 'simulation/restart', 'mutation/named'];

/** What measures the machine: each with nothing beside it, after everything else. */
const last = ['integration/bench/reaction'];

/** Names are those of `shortName`. */
export function isInDefault(name: string): boolean {
  const [, integration] = /^integration\/(.+)/.exec(name) ?? [];
  if (integration !== undefined) return promises.includes(integration);
  return !onlyInAll.includes(name);
}

export function isLast(name: string): boolean {
  return last.includes(name);
}

/** Of a promise without a file: a name that is wrong would be a proof that is not there. */
export function missingPromises(names: readonly string[]): readonly string[] {
  return promises.filter((promise) => !names.includes(`integration/${promise}`));
}
