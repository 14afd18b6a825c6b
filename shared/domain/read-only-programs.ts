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
  readonly valued: string;
}

/** `why`; indented below it `names: readOnly` or `names: readOnly ; valued`, continued where it is indented further. */
const table = `
changes disks
  fdisk parted: -l|--list
  sfdisk hdparm: -l $|-l * $|--list $|-I * $|-i * $|-C * $
  cryptsetup: status|isluks|luksdump|luksuuid
  nvme: list|smart-log|version
  vssadmin: list
  fsutil: fsinfo|volume diskfree|dirty query
takes file systems or disks away
  losetup: |-a $|-l $|--all $|--list $
  udisksctl: status|info|dump
  mountvol: |/l
mounts file systems
  mount: |-l $
changes swap space
  swapon: -s $|--show $|--summary $
changes block devices
  dmsetup: ls|info|status|table|version
changes arrays
  mdadm: --detail|-D|--query|-Q|--examine|-E|--version|-V
changes pools
  zpool: list|status|get|iostat|version
changes file systems
  zfs: list|get|version
  btrfs: filesystem show|filesystem df|filesystem usage|fi show|fi df|fi usage|device stats|subvolume list|
    scrub status|version
changes shares
  exportfs: |-v $|-s $
changes the network
  ip: |a $|a show|a list|a ls|a get|addr $|addr show|addr list|addr ls|addr get|address $|address show|
    address list|address ls|address get|l $|l show|l list|l ls|l get|link $|link show|link list|link ls|
    link get|r $|r show|r list|r ls|r get|route $|route show|route list|route ls|route get|n $|n show|n list|
    n ls|n get|neigh $|neigh show|neigh list|neigh ls|neigh get|rule $|rule show|rule list|rule ls|rule get
    ; -f -family -n -netns -c
  route: |-n $
  nmcli: |g status|g show|general status|general show|d status|d show|dev status|dev show|device status|
    device show|c status|c show|con status|con show|connection status|connection show ; -f -t --fields
  iptables ip6tables: -L $|-S $|-nL $|-nvL $|-vnL $|-L -n $|-n -L $|-L -v -n $|-L -n -v $|-S * $|-L * $|
    -nL * $
  nft: list
  ufw: status|version
  firewall-cmd: --state $|--list-all $|--list-ports $|--list-services $|--get-zones $|--get-active-zones $|
    --get-default-zone $
  ethtool: -i * $|-S * $|-k * $|* $
  brctl: show|showmacs|showstp
  tc: qdisc show|qdisc ls|class show|filter show
  iw: dev $|dev * info|dev * link|list|reg get
  wg: |show
  rfkill: |list
  networkctl: |list|status|lldp
  netplan: get|status|info
  tailscale: status|ip|version|netcheck
  pfctl: -s * $|-sr $|-sn $|-si $|-ss $|-sa $
  pihole: status|version|-v $
  netsh: * show|* * show|* * * show
sets the clock
  chronyc: tracking|sources|sourcestats|activity
  hwclock: |-r $|--show $|--get $
starts and stops services
  initctl launchctl supervisorctl monit synoservice sc: list|status|summary|query|queryex|qc|--status|--list
  service rc-service: * status|--status-all|* describe
  chkconfig: |--list
  sv: status|check
  rcctl: check|get|ls|* status
  synopkg synoservicectl synosystemctl: list|status|version|is_onoff|get-active-status|get-enable-status|
    --status|--list
  pm2: list|ls|status|info|describe|show|jlist|ping
  net: statistics|stats|view|time $|user $|share $|start $|session $
starts and stops services, and switches the machine off
  systemctl: |--failed|is-active|is-enabled|is-failed|is-system-running|status|show|cat|help|get-default|
    list-units|list-unit-files|list-timers|list-sockets|list-jobs|list-dependencies|list-machines
    ; -H --host -M --machine -p -P --property -n --lines -t --type -o --output --state --root
ends sessions and switches the machine off
  loginctl: |list-sessions|list-users|list-seats|show-session|show-user|session-status|user-status
    ; -p --property
changes the settings of the machine
  hostnamectl timedatectl localectl: |status|show|list-timezones|timesync-status|show-timesync
switches power
  ipmitool: power status|chassis status|chassis power status|sensor $|sensor list|sdr $|sdr list|sel list|
    mc info|fru $|fru print ; -H -U -P -I -E -f -L
  racadm: getsysinfo|getversion|getsel|get|serveraction powerstatus
  pmset: -g
  powercfg: /l|/list|/q|/query|/a|/getactivescheme
starts, stops and deletes containers
  docker podman podman-remote nerdctl: |ps|info|version|images|inspect|ls|logs|stats|top|port|search|diff|
    history|container ls|container list|container ps|container inspect|image ls|image list|image ps|
    image inspect|volume ls|volume list|volume ps|volume inspect|network ls|network list|network ps|
    network inspect|context ls|context list|context ps|context inspect|node ls|node list|node ps|node inspect|
    service ls|service list|service ps|service inspect|stack ls|stack list|stack ps|stack inspect|system df|
    system info|container stats|container logs|container top|compose ps|compose ls|compose version|
    compose config|compose logs|compose top|compose port|compose images
    ; -H --host -c --context --config -l --log-level -f --file -p --project-name -n --namespace --url --connection
  lxc incus: list|ls|info|version|image list|network list|storage list|profile list
  ctr: * ls|* list|version|info
  runc crun: list|state|ps
starts and stops containers
  docker-compose podman-compose: |ps|ls|version|config|logs|top|port|images ; -f --file -p --project-name
changes a cluster
  kubectl oc k3s crictl: |get|describe|version|cluster-info|top|api-resources|ps|pods|images|info|kubectl get|
    config view|config current-context|config get-contexts ; -n --namespace --context --kubeconfig
  helm: |list|ls|status|version ; -n --namespace
  ceph: -s|status|health|df|version|versions|osd tree|osd stat|osd df|mon stat|pg stat
  gluster: volume info|volume status|volume list|peer status|pool list
  drbdadm: status|cstate|dstate|role|dump
  pcs: status|cluster status|resource status|node status
  crm: status|node list|node status|resource status
starts, stops and deletes virtual machines
  virsh: list|domstate|dominfo|domname|domid|domuuid|dumpxml|nodeinfo|version|hostname|uri|sysinfo|
    capabilities|net-list|net-info|pool-list|pool-info|vol-list|nodedev-list|domblklist|domiflist|domstats|
    nodememstats|nodecpustats ; -c --connect -d --debug -l --log
starts, stops and deletes guests
  qm pct: list|status|config|pending|listsnapshot|help|cpusets
changes the cluster
  pvesh: get|ls|help|usage
  pvecm ha-manager: status|nodes|config|help
starts and stops virtual machines
  xl xm: list|info|vm-list|uptime
  xe: host-list|vm-list|pool-list|sr-list|vdi-list|network-list|pif-list|vif-list|vm-param-get|vm-param-list|
    host-param-get|host-param-list|help ; -s -u -p -pw
  vim-cmd: vmsvc/getallvms|vmsvc/power.getstate|vmsvc/get.summary|vmsvc/get.guest|hostsvc/hostsummary|
    hostsvc/runtimeinfo|help
  multipass: list|ls|info|version
  vagrant: status|global-status|version
  vboxmanage: list|showvminfo
  prlctl vmrun: list|status ; -T
  wsl: -l|--list|--status $
changes the host
  esxcli: ** get|** list ; --formatter -s --server
changes the appliance
  midclt: call system.info|call system.version|call system.ready|call core.ping|call pool.query|call vm.query|
    ping
  ha: * info|* stats|info|addons $|* check
  configctl: ** status|** list|** show
installs and removes software
  rpm: -q|-qa|-qi|-ql|-qf
  dpkg: -l|-L|-s|-S|--list|--status|--get-selections
  pacman: -Q|-Qi|-Ql|-Qs|-Ss
  apt apt-get aptitude yum dnf zypper apk opkg pkg brew snap flatpak pip npm emerge: |list|list-installed|
    show|search|policy|info
changes files
  git svn hg: status|log|diff|show|describe|rev-parse|version|info ; -C --git-dir --work-tree
changes what is run later
  crontab atrm: -l
  schtasks: /query
can change a database
  redis-cli: ping|info|dbsize ; -h -p -n -a
  mysqladmin mariadb-admin: ping|status|version|extended-status|processlist ; -u -h -P -S
ends processes
  kill: -l $|-l * $|-0 * $
runs another program, which is not checked here
  tmux screen: ls $|list-sessions|-ls $|-list $
gives a UPS a command
  upscmd: -l $|-l * $
starts and stops drivers of UPSes
  upsdrvctl: list|status
calls other programs
  busctl: |list|status|tree|introspect|get-property
changes the kernel
  udevadm: info|version|settle
stops a service
  nginx: -t $|-T $
  apachectl apache2ctl httpd apache2: configtest|status|fullstatus|-t $|-S $|-M $
  rndc: status
  rabbitmqctl: status|ping|version|cluster_status|list_queues
stops a database
  pg_ctl pg_ctlcluster: status|* * status
starts and stops virtual machines or containers
  machinectl: |list|status|show|list-images
starts and stops jails
  iocage bastille ezjail-admin: list|get|df
changes the machine
  reg: query
  wmic: * get|* list
changes logs
  wevtutil: el|gl|qe|gli|ep
`;

export const readOnlyPrograms: readonly ReadOnlyProgram[] = table
  .replaceAll(/\n {4}/g, '')
  .split(/\n(?! |$)/)
  .flatMap((group) => {
    const [why = '', ...rows] = group.trim().split('\n');
    return rows.map((row) => {
      const [, names = '', readOnly = '', valued = ''] = /^ *([^:]+): (.*?)(?: ?; (.*))?$/.exec(row) ?? [];
      return { names, why, readOnly, valued };
    });
  });
