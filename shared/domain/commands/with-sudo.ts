// `use_sudo` of a remote server: the prefix of a command, for the code that runs it and the code that shows it.

/** True when the first word of `text` is sudo itself. */
export const beginsWithSudo = (text: string): boolean => /^\s*sudo(\s|$)/.test(text);

/** `-n`: sudo fails instead of asking for a password. */
export function withSudo(text: string, useSudo: boolean): string {
  return useSudo && !beginsWithSudo(text) ? `sudo -n ${text}` : text;
}
