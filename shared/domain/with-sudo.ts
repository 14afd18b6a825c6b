// `use_sudo` of a remote server: what is put before a command, for those who run it and for those who show it.

/** True when the first word of `text` is sudo itself. */
export const beginsWithSudo = (text: string): boolean => /^\s*sudo(\s|$)/.test(text);

/** Never asks for a password, since nobody is there. */
export function withSudo(text: string, useSudo: boolean): string {
  return useSudo && !beginsWithSudo(text) ? `sudo -n ${text}` : text;
}
