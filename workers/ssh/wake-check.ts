// A drill on a server that Wake-on-LAN wakes: whether a network card of it has the address, and whether that card is armed. Pure.
// That it is armed now is no proof that it wakes: the firmware, the driver at the shutdown, and a cut of its power decide too.
import { quoteWord } from '../../shared/domain/commands/shell-words.js';
import type { DrillFinding } from '../../shared/domain/recovery/recovery-check.js';

/**
 * Lines for `script` of shell.ts. Linux alone: a card has `device`, and in a bond its own address is beside. ethtool(8) shows
 * `Wake-on` to root only.
 */
export function wakeLines(mac: string, useSudo: boolean): readonly string[] {
  const sudo = `if sudo -n -l ethtool "$card" >/dev/null 2>&1; then tool='sudo -n ethtool'; fi`;
  return [
    'others=; cards=0',
    'for path in /sys/class/net/*; do',
    '  [ -e "$path/device" ] && [ -r "$path/address" ] || continue',
    '  file="$path/bonding_slave/perm_hwaddr"; [ -r "$file" ] || file="$path/address"',
    '  read -r address <"$file" || continue',
    '  card="${path##*/}"',
    `  if [ "$address" = ${quoteWord(mac)} ]; then`,
    `    printf 'card %s\\n' "$card"; tool=ethtool`,
    ...(useSudo ? [`    ${sudo}`] : []),
    `    $tool "$card" 2>/dev/null | sed -n 's/^[[:space:]]*Wake-on:[[:space:]]*/wake-on /p'`,
    '    finish 0',
    '  fi',
    '  cards=$((cards + 1)); [ "$cards" -gt 4 ] || others="$others $card $address"',
    'done',
    `[ "$cards" -eq 0 ] || printf 'no card:%s\\n' "$others"`,
  ];
}

/** `report`: of these lines; null where they did not run. `neighbour`: who answers ARP for the server here; null: not known. */
export function wakeFindings(
  mac: string,
  report: string | null,
  neighbour: string | null,
): readonly DrillFinding[] {
  const lines = (report ?? '').split('\n').map((line) => line.trim());
  const found = (pattern: RegExp) => lines.flatMap((line) => pattern.exec(line)?.slice(1) ?? [])[0];
  const card = found(/^card ([\w.:@-]{1,32})$/);
  if (card !== undefined) {
    const letters = found(/^wake-on ([a-z]{1,16})$/);
    // g: MagicPacket. d: disabled.
    if (letters === undefined || letters.includes('g')) return [];
    const text = `its network card ${card} has Wake-on: ${letters}, so Wake-on-LAN does not wake it`;
    return [{ kind: 'wake', text }];
  }
  if (neighbour === mac) return [];
  const others = found(/^no card:((?: [\w.:@-]{1,32}){2,8})$/);
  if (others !== undefined)
    return [{ kind: 'mac', text: `no network card of it has the address ${mac}; it has${others}` }];
  if (neighbour === null) return [];
  return [
    { kind: 'mac', text: `it answers here with the address ${neighbour} (ARP), and its wake has ${mac}` },
  ];
}
