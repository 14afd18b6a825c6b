// Programs that change something, with the arguments with which they only read.

export interface ReadOnlyProgram {
  readonly names: string;
  /** What they do with other arguments. */
  readonly why: string;
  /**
   * The words after the program, without options: `|` between alternatives, `*` for any word, `$` for no more words, `**`
   * for all words before the last of consecutive ones, nothing for the program alone. An option stands here where it is
   * a verb: alone, anything may follow it; with more words, they are all that follows it.
   */
  readonly readOnly: string;
  /** Options whose value is the next word, which is then not a verb. */
  readonly valued?: string;
}

export const readOnlyPrograms: readonly ReadOnlyProgram[] = [
  { names: 'fdisk parted', why: 'changes disks', readOnly: '-l|--list' },
  { names: 'sfdisk hdparm', why: 'changes disks', readOnly: '-l $|-l * $|--list $|-I * $|-i * $|-C * $' },
  { names: 'cryptsetup', why: 'changes disks', readOnly: 'status|isluks|luksdump|luksuuid' },
  {
    names: 'losetup',
    why: 'takes file systems or disks away',
    readOnly: '|-a $|-l $|--all $|--list $',
  },
  { names: 'nvme', why: 'changes disks', readOnly: 'list|smart-log|version' },
  { names: 'mount', why: 'mounts file systems', readOnly: '|-l $' },
  { names: 'swapon', why: 'changes swap space', readOnly: '-s $|--show $|--summary $' },
  { names: 'dmsetup', why: 'changes block devices', readOnly: 'ls|info|status|table|version' },
  { names: 'mdadm', why: 'changes arrays', readOnly: '--detail|-D|--query|-Q|--examine|-E|--version|-V' },
  { names: 'zpool', why: 'changes pools', readOnly: 'list|status|get|iostat|version' },
  { names: 'zfs', why: 'changes file systems', readOnly: 'list|get|version' },
  {
    names: 'btrfs',
    why: 'changes file systems',
    readOnly:
      'filesystem show|filesystem df|filesystem usage|fi show|fi df|fi usage|device stats|subvolume list|scrub status|version',
  },
  { names: 'exportfs', why: 'changes shares', readOnly: '|-v $|-s $' },
  {
    names: 'ip',
    why: 'changes the network',
    readOnly:
      '|a $|a show|a list|a ls|a get|addr $|addr show|addr list|addr ls|addr get|address $|address show|address list|address ls|address get|l $|l show|l list|l ls|l get|link $|link show|link list|link ls|link get|r $|r show|r list|r ls|r get|route $|route show|route list|route ls|route get|n $|n show|n list|n ls|n get|neigh $|neigh show|neigh list|neigh ls|neigh get|rule $|rule show|rule list|rule ls|rule get',
    valued: '-f -family -n -netns -c',
  },
  { names: 'route', why: 'changes the network', readOnly: '|-n $' },
  { names: 'chronyc', why: 'sets the clock', readOnly: 'tracking|sources|sourcestats|activity' },
  {
    names: 'initctl launchctl supervisorctl monit synoservice sc',
    why: 'starts and stops services',
    readOnly: 'list|status|summary|query|queryex|qc|--status|--list',
  },
  {
    names: 'nmcli',
    why: 'changes the network',
    readOnly:
      '|g status|g show|general status|general show|d status|d show|dev status|dev show|device status|device show|c status|c show|con status|con show|connection status|connection show',
    valued: '-f -t --fields',
  },
  {
    names: 'systemctl',
    why: 'starts and stops services, and switches the machine off',
    readOnly:
      '|--failed|is-active|is-enabled|is-failed|is-system-running|status|show|cat|help|get-default|list-units|list-unit-files|list-timers|list-sockets|list-jobs|list-dependencies|list-machines',
    valued: '-H --host -M --machine -p -P --property -n --lines -t --type -o --output --state --root',
  },
  {
    names: 'loginctl',
    why: 'ends sessions and switches the machine off',
    readOnly: '|list-sessions|list-users|list-seats|show-session|show-user|session-status|user-status',
    valued: '-p --property',
  },
  {
    names: 'hostnamectl timedatectl localectl',
    why: 'changes the settings of the machine',
    readOnly: '|status|show|list-timezones|timesync-status|show-timesync',
  },
  {
    names: 'service rc-service',
    why: 'starts and stops services',
    readOnly: '* status|--status-all|* describe',
  },
  {
    names: 'ipmitool',
    why: 'switches power',
    readOnly:
      'power status|chassis status|chassis power status|sensor $|sensor list|sdr $|sdr list|sel list|mc info|fru $|fru print',
    valued: '-H -U -P -I -E -f -L',
  },
  {
    names: 'docker podman podman-remote nerdctl',
    why: 'starts, stops and deletes containers',
    readOnly:
      '|ps|info|version|images|inspect|ls|logs|stats|top|port|search|diff|history|container ls|container list|container ps|container inspect|image ls|image list|image ps|image inspect|volume ls|volume list|volume ps|volume inspect|network ls|network list|network ps|network inspect|context ls|context list|context ps|context inspect|node ls|node list|node ps|node inspect|service ls|service list|service ps|service inspect|stack ls|stack list|stack ps|stack inspect|system df|system info|container stats|container logs|container top|compose ps|compose ls|compose version|compose config|compose logs|compose top|compose port|compose images',
    valued:
      '-H --host -c --context --config -l --log-level -f --file -p --project-name -n --namespace --url --connection',
  },
  {
    names: 'docker-compose podman-compose',
    why: 'starts and stops containers',
    readOnly: '|ps|ls|version|config|logs|top|port|images',
    valued: '-f --file -p --project-name',
  },
  {
    names: 'kubectl oc k3s crictl',
    why: 'changes a cluster',
    readOnly:
      '|get|describe|version|cluster-info|top|api-resources|ps|pods|images|info|kubectl get|config view|config current-context|config get-contexts',
    valued: '-n --namespace --context --kubeconfig',
  },
  { names: 'helm', why: 'changes a cluster', readOnly: '|list|ls|status|version', valued: '-n --namespace' },
  {
    names: 'virsh',
    why: 'starts, stops and deletes virtual machines',
    readOnly:
      'list|domstate|dominfo|domname|domid|domuuid|dumpxml|nodeinfo|version|hostname|uri|sysinfo|capabilities|net-list|net-info|pool-list|pool-info|vol-list|nodedev-list|domblklist|domiflist|domstats|nodememstats|nodecpustats',
    valued: '-c --connect -d --debug -l --log',
  },
  {
    names: 'qm pct',
    why: 'starts, stops and deletes guests',
    readOnly: 'list|status|config|pending|listsnapshot|help|cpusets',
  },
  { names: 'pvesh', why: 'changes the cluster', readOnly: 'get|ls|help|usage' },
  { names: 'pvecm ha-manager', why: 'changes the cluster', readOnly: 'status|nodes|config|help' },
  { names: 'xl xm', why: 'starts and stops virtual machines', readOnly: 'list|info|vm-list|uptime' },
  {
    names: 'xe',
    why: 'starts and stops virtual machines',
    readOnly:
      'host-list|vm-list|pool-list|sr-list|vdi-list|network-list|pif-list|vif-list|vm-param-get|vm-param-list|host-param-get|host-param-list|help',
    valued: '-s -u -p -pw',
  },
  {
    names: 'vim-cmd',
    why: 'starts and stops virtual machines',
    readOnly:
      'vmsvc/getallvms|vmsvc/power.getstate|vmsvc/get.summary|vmsvc/get.guest|hostsvc/hostsummary|hostsvc/runtimeinfo|help',
  },
  { names: 'esxcli', why: 'changes the host', readOnly: '** get|** list', valued: '--formatter -s --server' },
  {
    names: 'midclt',
    why: 'changes the appliance',
    readOnly:
      'call system.info|call system.version|call system.ready|call core.ping|call pool.query|call vm.query|ping',
  },
  {
    names: 'lxc incus',
    why: 'starts, stops and deletes containers',
    readOnly: 'list|ls|info|version|image list|network list|storage list|profile list',
  },
  { names: 'rpm', why: 'installs and removes software', readOnly: '-q|-qa|-qi|-ql|-qf' },
  {
    names: 'dpkg',
    why: 'installs and removes software',
    readOnly: '-l|-L|-s|-S|--list|--status|--get-selections',
  },
  { names: 'pacman', why: 'installs and removes software', readOnly: '-Q|-Qi|-Ql|-Qs|-Ss' },
  {
    names: 'apt apt-get aptitude yum dnf zypper apk opkg pkg brew snap flatpak pip npm emerge',
    why: 'installs and removes software',
    readOnly: '|list|list-installed|show|search|policy|info',
  },
  {
    names: 'git svn hg',
    why: 'changes files',
    readOnly: 'status|log|diff|show|describe|rev-parse|version|info',
    valued: '-C --git-dir --work-tree',
  },
  { names: 'crontab atrm', why: 'changes what is run later', readOnly: '-l' },
  { names: 'redis-cli', why: 'can change a database', readOnly: 'ping|info|dbsize', valued: '-h -p -n -a' },
  { names: 'kill', why: 'ends processes', readOnly: '-l $|-l * $|-0 * $' },
  {
    names: 'tmux screen',
    why: 'runs another program, which is not checked here',
    readOnly: 'ls $|list-sessions|-ls $|-list $',
  },
  { names: 'upscmd', why: 'gives a UPS a command', readOnly: '-l $|-l * $' },
  { names: 'upsdrvctl', why: 'starts and stops drivers of UPSes', readOnly: 'list|status' },
  {
    names: 'racadm',
    why: 'switches power',
    readOnly: 'getsysinfo|getversion|getsel|get|serveraction powerstatus',
  },
  { names: 'pmset', why: 'switches power', readOnly: '-g' },
  { names: 'busctl', why: 'calls other programs', readOnly: '|list|status|tree|introspect|get-property' },
  { names: 'udisksctl', why: 'takes file systems or disks away', readOnly: 'status|info|dump' },
  { names: 'udevadm', why: 'changes the kernel', readOnly: 'info|version|settle' },
  { names: 'hwclock', why: 'sets the clock', readOnly: '|-r $|--show $|--get $' },
  {
    names: 'iptables ip6tables',
    why: 'changes the network',
    readOnly: '-L $|-S $|-nL $|-nvL $|-vnL $|-L -n $|-n -L $|-L -v -n $|-L -n -v $|-S * $|-L * $|-nL * $',
  },
  { names: 'nft', why: 'changes the network', readOnly: 'list' },
  { names: 'ufw', why: 'changes the network', readOnly: 'status|version' },
  {
    names: 'firewall-cmd',
    why: 'changes the network',
    readOnly:
      '--state $|--list-all $|--list-ports $|--list-services $|--get-zones $|--get-active-zones $|--get-default-zone $',
  },
  { names: 'ethtool', why: 'changes the network', readOnly: '-i * $|-S * $|-k * $|* $' },
  { names: 'brctl', why: 'changes the network', readOnly: 'show|showmacs|showstp' },
  { names: 'tc', why: 'changes the network', readOnly: 'qdisc show|qdisc ls|class show|filter show' },
  { names: 'iw', why: 'changes the network', readOnly: 'dev $|dev * info|dev * link|list|reg get' },
  { names: 'wg', why: 'changes the network', readOnly: '|show' },
  { names: 'rfkill', why: 'changes the network', readOnly: '|list' },
  { names: 'networkctl', why: 'changes the network', readOnly: '|list|status|lldp' },
  { names: 'netplan', why: 'changes the network', readOnly: 'get|status|info' },
  { names: 'tailscale', why: 'changes the network', readOnly: 'status|ip|version|netcheck' },
  { names: 'pfctl', why: 'changes the network', readOnly: '-s * $|-sr $|-sn $|-si $|-ss $|-sa $' },
  { names: 'pihole', why: 'changes the network', readOnly: 'status|version|-v $' },
  { names: 'chkconfig', why: 'starts and stops services', readOnly: '|--list' },
  { names: 'sv', why: 'starts and stops services', readOnly: 'status|check' },
  { names: 'rcctl', why: 'starts and stops services', readOnly: 'check|get|ls|* status' },
  {
    names: 'synopkg synoservicectl synosystemctl',
    why: 'starts and stops services',
    readOnly: 'list|status|version|is_onoff|get-active-status|get-enable-status|--status|--list',
  },
  { names: 'nginx', why: 'stops a service', readOnly: '-t $|-T $' },
  {
    names: 'apachectl apache2ctl httpd apache2',
    why: 'stops a service',
    readOnly: 'configtest|status|fullstatus|-t $|-S $|-M $',
  },
  { names: 'rndc', why: 'stops a service', readOnly: 'status' },
  { names: 'pg_ctl pg_ctlcluster', why: 'stops a database', readOnly: 'status|* * status' },
  {
    names: 'mysqladmin mariadb-admin',
    why: 'can change a database',
    readOnly: 'ping|status|version|extended-status|processlist',
    valued: '-u -h -P -S',
  },
  {
    names: 'rabbitmqctl',
    why: 'stops a service',
    readOnly: 'status|ping|version|cluster_status|list_queues',
  },
  {
    names: 'pm2',
    why: 'starts and stops services',
    readOnly: 'list|ls|status|info|describe|show|jlist|ping',
  },
  {
    names: 'ceph',
    why: 'changes a cluster',
    readOnly: '-s|status|health|df|version|versions|osd tree|osd stat|osd df|mon stat|pg stat',
  },
  {
    names: 'gluster',
    why: 'changes a cluster',
    readOnly: 'volume info|volume status|volume list|peer status|pool list',
  },
  { names: 'drbdadm', why: 'changes a cluster', readOnly: 'status|cstate|dstate|role|dump' },
  { names: 'pcs', why: 'changes a cluster', readOnly: 'status|cluster status|resource status|node status' },
  { names: 'crm', why: 'changes a cluster', readOnly: 'status|node list|node status|resource status' },
  { names: 'ha', why: 'changes the appliance', readOnly: '* info|* stats|info|addons $|* check' },
  { names: 'configctl', why: 'changes the appliance', readOnly: '** status|** list|** show' },
  {
    names: 'machinectl',
    why: 'starts and stops virtual machines or containers',
    readOnly: '|list|status|show|list-images',
  },
  { names: 'multipass', why: 'starts and stops virtual machines', readOnly: 'list|ls|info|version' },
  { names: 'vagrant', why: 'starts and stops virtual machines', readOnly: 'status|global-status|version' },
  { names: 'vboxmanage', why: 'starts and stops virtual machines', readOnly: 'list|showvminfo' },
  { names: 'prlctl vmrun', why: 'starts and stops virtual machines', readOnly: 'list|status', valued: '-T' },
  { names: 'iocage bastille ezjail-admin', why: 'starts and stops jails', readOnly: 'list|get|df' },
  { names: 'ctr', why: 'starts, stops and deletes containers', readOnly: '* ls|* list|version|info' },
  { names: 'runc crun', why: 'starts, stops and deletes containers', readOnly: 'list|state|ps' },
  {
    names: 'net',
    why: 'starts and stops services',
    readOnly: 'statistics|stats|view|time $|user $|share $|start $|session $',
  },
  { names: 'reg', why: 'changes the machine', readOnly: 'query' },
  { names: 'wmic', why: 'changes the machine', readOnly: '* get|* list' },
  { names: 'schtasks', why: 'changes what is run later', readOnly: '/query' },
  { names: 'netsh', why: 'changes the network', readOnly: '* show|* * show|* * * show' },
  { names: 'powercfg', why: 'switches power', readOnly: '/l|/list|/q|/query|/a|/getactivescheme' },
  { names: 'wsl', why: 'starts and stops virtual machines', readOnly: '-l|--list|--status $' },
  { names: 'wevtutil', why: 'changes logs', readOnly: 'el|gl|qe|gli|ep' },
  { names: 'vssadmin', why: 'changes disks', readOnly: 'list' },
  { names: 'fsutil', why: 'changes disks', readOnly: 'fsinfo|volume diskfree|dirty query' },
  { names: 'mountvol', why: 'takes file systems or disks away', readOnly: '|/l' },
];
