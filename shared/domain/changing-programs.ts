// Programs that change something, each with its reason. A health probe may not begin with one.

/** Whatever they are given: by what they do. */
export const changing: Readonly<Record<string, string>> = {
  'ends processes': 'kill killall killall5 pkill skill taskkill fuser',
  'deletes files': 'rm rmdir unlink shred srm wipe del erase rd trash',
  'writes files':
    'mv cp install ln link truncate tee touch mkdir mkfifo mknod mktemp dd fallocate split csplit rsync scp sftp patch tar cpio zip unzip gzip gunzip bzip2 bunzip2 xz unxz zstd 7z 7za wget',
  'changes who may do what': 'chmod chown chgrp chattr setfacl setfattr setcap chcon restorecon',
  'edits files': 'vi vim nano ed ex emacs sudoedit',
  'can run any program': 'awk gawk mawk nawk',
  'runs another program, which is not looked at here':
    'xargs parallel watch flock script su runuser setpriv gosu su-exec chroot unshare nsenter firejail bwrap strace ltrace gdb systemd-run systemd-inhibit start-stop-daemon at batch screen tmux ssh slogin rsh rexec mosh telnet ansible eval source .',
  'changes disks':
    'mkfs mke2fs mkswap wipefs blkdiscard sgdisk gdisk cfdisk partprobe fsck e2fsck resize2fs tune2fs xfs_repair xfs_growfs fstrim hdparm sg_start sdparm format diskpart cryptsetup',
  'takes file systems or disks away': 'umount umount2 fusermount fusermount3 swapoff losetup kpartx eject',
  'writes all file systems out, which hangs with a disk that hangs': 'sync',
  'changes logical volumes':
    'lvremove vgremove pvremove lvchange vgchange pvchange lvcreate vgcreate pvcreate lvextend lvreduce lvresize vgexport vgimport',
  'changes the kernel': 'modprobe insmod rmmod setpci udevadm depmod',
  'changes the network':
    'ifup ifdown ifreload nft iptables ip6tables ebtables ufw firewall-cmd tc brctl ethtool wg wg-quick dhclient iw rfkill',
  'sets the clock': 'hwclock ntpdate rtcwake',
  'starts and stops services':
    'invoke-rc.d sv rc-update update-rc.d chkconfig s6-svc s6-rc synoservicectl synopkg rc start stop restart net',
  'switches power or machines':
    'synoshutdown synopoweroff synoupgrade pm-suspend pm-hibernate zzz acpi_call upscmd upsrw upsdrvctl upsmon apctest etherwake wakeonlan',
  'switches power': 'powerman pdu',
  'writes backups': 'vzdump qmrestore',
  'starts and stops virtual machines or containers':
    'lxc-stop lxc-start lxc-destroy lxc-attach lxc-execute machinectl multipass vagrant vboxmanage prlctl vmrun',
  'builds programs': 'make',
  'changes users':
    'useradd userdel usermod groupadd groupdel groupmod passwd chpasswd chsh visudo adduser deluser',
  'changes the machine': 'reg wmic schtasks bcdedit netsh powercfg sfc dism',
  'sends messages to people': 'wall write mesg',
  'sends mail': 'mail sendmail mailx msmtp',
  'can change a database': 'sqlite3 mongo mongosh',
};

export interface Changing {
  readonly names: string;
  readonly why: string;
  /** Only with one of these words. */
  readonly with: RegExp;
}

export const changingWith: readonly Changing[] = [
  {
    names: 'find',
    why: 'deletes files or runs programs with this option',
    with: /^-(?:delete|exec(?:dir)?|ok(?:dir)?|f(?:print0?|printf|ls))$/,
  },
  { names: 'sed', why: 'writes files with this option', with: /^(?:-[a-z]*i.*|--in-place.*)$/i },
  { names: 'sort', why: 'writes files with this option', with: /^(?:-[a-z]*o.*|--output.*)$/ },
  {
    names: 'curl',
    why: 'sends or writes something with this option',
    with: /^(?:-[a-zA-Z]*[XdFToOKQ].*|--(?:request|data|json|form|upload|output|remote-name|config|quote|post|url-query).*)$/,
  },
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
