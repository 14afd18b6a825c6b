// Programs that change something, each with its reason. A health probe may not begin with one.

/** They change something with any arguments. Keyed by what they do. */
export const changing: Readonly<Record<string, string>> = {
  'ends processes': 'killall killall5 pkill skill taskkill fuser xkill spps',
  'deletes files': 'rm rmdir unlink shred srm wipe del erase rd trash ri',
  'writes files':
    'mv cp install ln link truncate tee touch mkdir mkfifo mknod mktemp dd fallocate split csplit rsync scp sftp patch tar cpio zip unzip gzip gunzip bzip2 bunzip2 xz unxz zstd 7z 7za copy xcopy robocopy move ren rename md mklink ni mi rni logrotate',
  'changes permissions':
    'chmod chown chgrp chattr setfacl setfattr setcap chcon restorecon icacls takeown attrib',
  'edits files': 'vi vim nano ed ex emacs sudoedit',
  'can run any program': 'awk gawk mawk nawk',
  'runs another program, which is not checked here':
    'xargs parallel watch flock script su runuser setpriv gosu su-exec chroot unshare nsenter firejail bwrap strace ltrace gdb systemd-run systemd-inhibit start-stop-daemon at batch ssh slogin rsh rexec mosh telnet ansible eval source . trap npx bunx socat numactl prlimit choom setarch linux32 linux64 i386 x86_64 unbuffer dbus-run-session ld.so capsh runcon sg newgrp run0 dzdo please sudo-rs pfexec gksudo kdesu ssh-agent fakeroot proot faketime xvfb-run cgexec catchsegv chpst softlimit envdir envuidgid setuidgid s6-setuidgid s6-envdir tini dumb-init catatonit execlineb with-contenv chronic ts entr rlwrap torsocks proxychains proxychains4 caffeinate jexec rbash yash posh oksh pdksh nu xonsh elvish coreutils sbase-box forfiles cscript wscript mshta rundll32 iex saps icm',
  'changes disks':
    'mkfs mke2fs mkswap wipefs blkdiscard sgdisk gdisk cfdisk partprobe fsck e2fsck resize2fs tune2fs xfs_repair xfs_growfs fstrim sg_start sg_raw sg_reset sdparm format diskpart',
  'takes file systems or disks away':
    'umount umount2 fusermount fusermount3 swapoff kpartx eject fsfreeze pivot_root switch_root systemd-umount',
  'writes all file systems, which hangs when a disk hangs': 'sync',
  'changes logical volumes':
    'lvremove vgremove pvremove lvchange vgchange pvchange lvcreate vgcreate pvcreate lvextend lvreduce lvresize vgexport vgimport',
  'changes the kernel': 'modprobe insmod rmmod setpci depmod kldload kldunload usbreset',
  'changes the network': 'ifup ifdown ifreload ebtables wg-quick dhclient wpa_cli',
  'sets the clock': 'ntpdate rtcwake',
  'starts and stops services':
    'invoke-rc.d rc-update update-rc.d s6-svc s6-rc svc svcadm rc start stop restart spsv sasv',
  'switches power or machines':
    'synoshutdown synopoweroff synoupgrade powerdown pm-suspend pm-hibernate pm-suspend-hybrid zzz apm acpi_call acpitool upsd upsmon apcupsd apctest etherwake ether-wake wakeonlan wol psshutdown tsshutdn uadmin reload logoff tsdiscon rwinsta fence_ipmilan stonith_admin',
  'switches power':
    'powerman pdu snmpset ipmipower ipmiutil ipmi-chassis-control ipmi-raw bmc-device uhubctl gpioset i2cset',
  'starts a driver of NUT, which may switch the output off':
    'usbhid-ups blazer_usb blazer_ser nutdrv_qx snmp-ups apcsmart apcsmart-old apc_modbus apcupsd-ups bcmxcp bcmxcp_usb belkin belkinunv bestfcom bestfortress bestuferrups bestups dummy-ups etapro everups gamatronic generic_modbus genericups huawei-ups2000 isbmex ivtscd liebert liebert-esp2 liebert-gxe masterguard metasys mge-shut mge-utalk microdowell microsol-apc nhs_ser nut-ipmipsu netxml-ups oneac optiups phoenixcontact_modbus powercom powerpanel powervar_cx_ser powervar_cx_usb rhino richcomm_usb riello_ser riello_usb safenet socomec_jbus solis tripplite tripplite_usb tripplitesu upscode2 victronups',
  'calls other programs, which may switch the machine off': 'dbus-send gdbus qdbus',
  'writes backups': 'vzdump qmrestore',
  'starts and stops virtual machines or containers':
    'lxc-stop lxc-start lxc-destroy lxc-attach lxc-execute k3s-killall.sh k3s-uninstall.sh kubeadm jail',
  'builds programs': 'make',
  'changes users':
    'useradd userdel usermod groupadd groupdel groupmod passwd chpasswd chsh visudo adduser deluser',
  'changes the machine': 'bcdedit sfc dism cipher bitsadmin systemd-tmpfiles',
  'sends messages to users': 'wall write mesg',
  'sends mail': 'mail sendmail mailx msmtp',
  'can change a database': 'sqlite3 mongo mongosh dropdb createdb pg_restore',
};

export interface Changing {
  readonly names: string;
  readonly why: string;
  /** Only with one of these words. */
  readonly with: RegExp;
  /** But not such a word, with the next one after a space. */
  readonly except?: RegExp;
  /** Also where there is no such word, with the next one after a space. */
  readonly without?: RegExp;
}

export const changingWith: readonly Changing[] = [
  {
    names: 'find',
    why: 'deletes files or runs programs with this option',
    with: /^-(?:delete|exec(?:dir)?|ok(?:dir)?|f(?:print0?|printf|ls))$/,
  },
  {
    names: 'sed',
    why: 'writes files or runs programs with this word',
    // In a script: `1w/file`, `1e`, and the same after `s`.
    with: /^(?:-[a-z]*i.*|--in-place.*|(?:\d+(?:,\d+)?)?w\/.*|\d+(?:,\d+)?[we].*|s(\W).*\1.*\1\w*[we].*)$/i,
  },
  { names: 'sort', why: 'writes files with this option', with: /^(?:-[a-z]*o.*|--output.*)$/ },
  {
    names: 'curl',
    why: 'sends or writes something with this option',
    with: /^(?:-[a-zA-Z]*[XdFToOKQcD].*|--(?:request|data|json|form|upload|output|remote-name|config|quote|post|url-query|cookie-jar|dump-header|trace|stderr|hsts|alt-svc|etag-save|libcurl).*)$/,
    except:
      /^(?:(?:-[sSfkLIiv46gN]*[oD]|--output|--dump-header) ?(?:-|\/dev\/null)|(?:-[sSfkLIiv46gN]*X|--request) ?(?:GET|HEAD|OPTIONS))(?: .*)?$/,
  },
  {
    names: 'wget',
    why: 'writes files, or sends something',
    with: /^(?:-(?!-|q?O|[qSv46]+$|[Tt]\d*$).*|--(?:post|body|method|execute|input|config|save|output|append|warc|recursive|mirror|delete|rejected).*)$/,
    without: /^(?:--spider|-q?O ?(?:-|\/dev\/null))(?: .*)?$/,
  },
  {
    names: 'nc ncat netcat',
    why: 'runs a program or waits for a connection with this option',
    with: /^(?:-[a-zA-Z]*[elc].*|--(?:exec|sh-exec|lua-exec|listen).*)$/,
  },
  { names: 'upsrw', why: 'writes a variable of a UPS with this option', with: /^-(?!l$|h$|V$).*/ },
  {
    names: 'bhyvectl',
    why: 'ends a virtual machine with this option',
    with: /^--(?:destroy|force|inject|set).*/,
  },
  {
    names: 'iscsiadm',
    why: 'changes a session with this option',
    with: /^(?:-[a-zA-Z]*[ulo].*|--(?:logout|login|op).*)$/,
  },
  { names: 'multipath', why: 'changes block devices with this option', with: /^-[a-zA-Z]*[FfrwWaADiu].*/ },
  {
    names: 'python python2 python3 pypy perl ruby node nodejs php lua tclsh expect osascript',
    why: 'runs a text as a program with this option',
    with: /^(?:-[a-zA-Z]*[ceEmpr].*|--(?:eval|print|run).*|-)$/,
  },
  {
    names: 'sysctl',
    why: 'changes the kernel with this word',
    with: /^(?:-[a-z]*[wp].*|--(?:write|load|system).*|.*=.*)$/,
  },
  {
    names: 'ifconfig',
    why: 'changes the network with this word',
    with: /^(?:up|down|add|del|delete|netmask|mtu|inet|inet6|-?arp|hw|[\d.]+)$/,
  },
  {
    names: 'hostname domainname',
    why: 'sets the name of the machine with this word',
    with: /^(?:[^-].*|-F.*|-b.*|--file.*|--boot)$/,
  },
  { names: 'date', why: 'sets the clock with this word', with: /^(?:-s.*|--set.*|\d+.*)$/ },
  {
    names: 'mysql mariadb psql',
    why: 'can change a database with this option',
    with: /^(?:-[a-zA-Z]*[cef].*|--(?:command|execute|file).*)$/,
  },
  {
    names: 'smartctl',
    why: 'starts a test or changes a disk with this option',
    with: /^(?:-[tXsSo].*|--(?:test|abort|set|smart|saveauto|offlineauto).*)$/,
  },
  {
    names: 'journalctl',
    why: 'changes the journal with this option',
    with: /^--(?:vacuum|rotate|flush|sync|relinquish|setup-keys|update-catalog).*$/,
  },
  {
    names: 'dmesg',
    why: 'changes the log of the kernel with this option',
    with: /^(?:-[a-zA-Z]*[cCDEn].*|--(?:clear|read-clear|console).*)$/,
  },
];
