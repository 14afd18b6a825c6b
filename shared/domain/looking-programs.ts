// Programs that change something, and also only look: with which words they do no more than that.

export interface Looking {
  readonly names: string;
  /** What they do otherwise. */
  readonly why: string;
  /**
   * What follows the program, its options aside: `|` between two, `*` for any word, `$` for no more words, `**` for all
   * words before the last of those that stand together, an option where it is a verb itself, nothing for the program alone.
   */
  readonly looks: string;
  /** Options whose value is the next word, which is then no verb. */
  readonly valued?: string;
}

export const lookingPrograms: readonly Looking[] = [
  { names: 'fdisk sfdisk parted', why: 'changes disks', looks: '-l|--list' },
  { names: 'nvme', why: 'changes disks', looks: 'list|smart-log|version' },
  { names: 'mount', why: 'mounts file systems', looks: '|-l' },
  { names: 'swapon', why: 'changes swap space', looks: '-s|--show|--summary' },
  { names: 'dmsetup', why: 'changes block devices', looks: 'ls|info|status|table|version' },
  { names: 'mdadm', why: 'changes arrays', looks: '--detail|-D|--query|-Q|--examine|-E|--version|-V' },
  { names: 'zpool', why: 'changes pools', looks: 'list|status|get|iostat|version' },
  { names: 'zfs', why: 'changes file systems', looks: 'list|get|version' },
  {
    names: 'btrfs',
    why: 'changes file systems',
    looks:
      'filesystem show|filesystem df|filesystem usage|fi show|fi df|fi usage|device stats|subvolume list|scrub status|version',
  },
  { names: 'exportfs', why: 'changes shares', looks: '|-v|-s' },
  {
    names: 'ip',
    why: 'changes the network',
    looks:
      '|a $|a show|a list|a ls|a get|addr $|addr show|addr list|addr ls|addr get|address $|address show|address list|address ls|address get|l $|l show|l list|l ls|l get|link $|link show|link list|link ls|link get|r $|r show|r list|r ls|r get|route $|route show|route list|route ls|route get|n $|n show|n list|n ls|n get|neigh $|neigh show|neigh list|neigh ls|neigh get|rule $|rule show|rule list|rule ls|rule get',
    valued: '-f -family -n -netns -c',
  },
  { names: 'route', why: 'changes the network', looks: '|-n' },
  { names: 'chronyc', why: 'sets the clock', looks: 'tracking|sources|sourcestats|activity' },
  {
    names: 'initctl launchctl supervisorctl monit synoservice sc',
    why: 'starts and stops services',
    looks: 'list|status|summary|query|queryex|qc|--status|--list',
  },
  {
    names: 'nmcli',
    why: 'changes the network',
    looks:
      '|g status|g show|general status|general show|d status|d show|dev status|dev show|device status|device show|c status|c show|con status|con show|connection status|connection show',
    valued: '-f -t --fields',
  },
  {
    names: 'systemctl',
    why: 'starts and stops services, and switches the machine off',
    looks:
      '|--failed|is-active|is-enabled|is-failed|is-system-running|status|show|cat|help|get-default|list-units|list-unit-files|list-timers|list-sockets|list-jobs|list-dependencies|list-machines',
    valued: '-H --host -M --machine -p -P --property -n --lines -t --type -o --output --state --root',
  },
  {
    names: 'loginctl',
    why: 'ends sessions and switches the machine off',
    looks: '|list-sessions|list-users|list-seats|show-session|show-user|session-status|user-status',
    valued: '-p --property',
  },
  {
    names: 'hostnamectl timedatectl localectl',
    why: 'changes the settings of the machine',
    looks: '|status|show|list-timezones|timesync-status|show-timesync',
  },
  {
    names: 'service rc-service rcctl',
    why: 'starts and stops services',
    looks: '* status|--status-all|* describe',
  },
  {
    names: 'ipmitool',
    why: 'switches power',
    looks:
      'power status|chassis status|chassis power status|sensor $|sensor list|sdr $|sdr list|sel list|mc info|fru $|fru print',
    valued: '-H -U -P -I -E -f -L',
  },
  {
    names: 'docker podman nerdctl',
    why: 'starts, stops and deletes containers',
    looks:
      '|ps|info|version|images|inspect|ls|logs|stats|top|port|search|diff|history|container ls|container list|container ps|container inspect|image ls|image list|image ps|image inspect|volume ls|volume list|volume ps|volume inspect|network ls|network list|network ps|network inspect|context ls|context list|context ps|context inspect|node ls|node list|node ps|node inspect|service ls|service list|service ps|service inspect|stack ls|stack list|stack ps|stack inspect|system df|system info|container stats|container logs|container top|compose ps|compose ls|compose version|compose config|compose logs|compose top|compose port|compose images',
    valued:
      '-H --host -c --context --config -l --log-level -f --file -p --project-name -n --namespace --url --connection',
  },
  {
    names: 'docker-compose podman-compose',
    why: 'starts and stops containers',
    looks: '|ps|ls|version|config|logs|top|port|images',
    valued: '-f --file -p --project-name',
  },
  {
    names: 'kubectl oc k3s crictl',
    why: 'changes a cluster',
    looks: '|get|describe|version|cluster-info|top|api-resources|ps|pods|images|info|kubectl get',
    valued: '-n --namespace --context --kubeconfig',
  },
  { names: 'helm', why: 'changes a cluster', looks: '|list|ls|status|version', valued: '-n --namespace' },
  {
    names: 'virsh',
    why: 'starts, stops and deletes virtual machines',
    looks:
      'list|domstate|dominfo|domname|domid|domuuid|dumpxml|nodeinfo|version|hostname|uri|sysinfo|capabilities|net-list|net-info|pool-list|pool-info|vol-list|nodedev-list|domblklist|domiflist|domstats|nodememstats|nodecpustats',
    valued: '-c --connect -d --debug -l --log',
  },
  {
    names: 'qm pct',
    why: 'starts, stops and deletes guests',
    looks: 'list|status|config|pending|listsnapshot|help|cpusets',
  },
  { names: 'pvesh', why: 'changes the cluster', looks: 'get|ls|help|usage' },
  { names: 'pvecm ha-manager', why: 'changes the cluster', looks: 'status|nodes|config|help' },
  { names: 'xl xm', why: 'starts and stops virtual machines', looks: 'list|info|vm-list|uptime' },
  {
    names: 'xe',
    why: 'starts and stops virtual machines',
    looks:
      'host-list|vm-list|pool-list|sr-list|vdi-list|network-list|pif-list|vif-list|vm-param-get|vm-param-list|host-param-get|host-param-list|help',
    valued: '-s -u -p -pw',
  },
  {
    names: 'vim-cmd',
    why: 'starts and stops virtual machines',
    looks:
      'vmsvc/getallvms|vmsvc/power.getstate|vmsvc/get.summary|vmsvc/get.guest|hostsvc/hostsummary|hostsvc/runtimeinfo|help',
  },
  { names: 'esxcli', why: 'changes the host', looks: '** get|** list', valued: '--formatter -s --server' },
  {
    names: 'midclt',
    why: 'changes the appliance',
    looks:
      'call system.info|call system.version|call system.ready|call core.ping|call pool.query|call vm.query|ping',
  },
  {
    names: 'lxc incus',
    why: 'starts, stops and deletes containers',
    looks: 'list|ls|info|version|image list|network list|storage list|profile list',
  },
  { names: 'rpm', why: 'installs and removes software', looks: '-q|-qa|-qi|-ql|-qf' },
  {
    names: 'dpkg',
    why: 'installs and removes software',
    looks: '-l|-L|-s|-S|--list|--status|--get-selections',
  },
  { names: 'pacman', why: 'installs and removes software', looks: '-Q|-Qi|-Ql|-Qs|-Ss' },
  {
    names: 'apt apt-get aptitude yum dnf zypper apk opkg pkg brew snap flatpak pip npm emerge',
    why: 'installs and removes software',
    looks: '|list|show|search|policy|info',
  },
  {
    names: 'git svn hg',
    why: 'changes files',
    looks: 'status|log|diff|show|describe|rev-parse|version|info',
    valued: '-C --git-dir --work-tree',
  },
  { names: 'crontab atrm', why: 'changes what is run later', looks: '-l' },
  { names: 'redis-cli', why: 'can change a database', looks: 'ping|info|dbsize', valued: '-h -p -n -a' },
];
