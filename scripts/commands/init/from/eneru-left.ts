// Keys of Eneru without a counterpart, each with the reason. Pure.

const reasons: Readonly<Record<string, string>> = {
  'logging.file':
    'the daemon writes to the journal; logging.file, below /var/log/ridethrough, where its user may write',
  'logging.state_file': 'the daemon has no such file',
  'logging.battery_history_file': 'the daemon has no such file',
  'logging.shutdown_flag_file': 'the daemon has no such file',
  'logging.syslog.port': 'part of logging.syslog.address',
  'statistics.db_directory':
    'each program has its own history; ridethrough import eneru DIR adds the old one',
  'api.auth.db_path': 'each program has its own users: ridethrough user create NAME',
  'api.auth.enabled': 'authentication is on as soon as there is a user: ridethrough user create NAME',
  'nut_control.enabled': 'it needs a user: ridethrough user create NAME, then nut_control.enabled = true',
  'notifications.enabled': 'notifications.urls decides',
  'notifications.avatar_url': 'messages have no picture',
  'notifications.discord': 'an address in notifications.urls: discord://ID/TOKEN',
  'reports.include': 'reports are complete',
  'reports.format': 'ridethrough report --json gives them to programs',
  'energy.cost_format': 'costs have one form',
  'statistics.enabled': 'it has no effect in Eneru',
};

/** `path`: with the place in a list, `ups[0].nut_control.enabled`. */
export function leftOut(path: string): string | undefined {
  if (/^ups\[\d+\]\.nut_control\.enabled$/.test(path)) return 'there is one switch for all UPSes';
  return Object.hasOwn(reasons, path) ? reasons[path] : undefined;
}
