// Domains of mailboxes that no mail server has as its name, and the server of their provider. Apprise takes such a domain as the
// host of mailto:// too.

export interface MailProvider {
  readonly host: string;
  /** It has no port that begins with TLS. */
  readonly onlyStarttls: boolean;
}

const servers: Readonly<Record<string, string>> = {
  'smtp.gmail.com': 'gmail.com googlemail.com',
  'smtp.mail.yahoo.com': 'yahoo.com yahoo.ca',
  'mail.gmx.net': 'gmx.net gmx.de gmx.at gmx.ch',
  'mail.gmx.com': 'gmx.com gmx.fr',
  'smtp.web.de': 'web.de',
  'smtp.fastmail.com': 'fastmail.com fastmail.fm',
  'smtp.zoho.com': 'zoho.com zohomail.com',
  'smtp.yandex.com': 'yandex.com yandex.ru',
  'smtp.qq.com': 'qq.com foxmail.com',
  'smtp.163.com': '163.com',
  'smtp.comcast.net': 'comcast.net',
};
const withStarttls: Readonly<Record<string, string>> = {
  'smtp-mail.outlook.com': 'outlook.com hotmail.com live.com',
  'smtp.office365.com': 'office365.com',
  'smtp.mail.me.com': 'icloud.com me.com mac.com',
};

const providers: ReadonlyMap<string, MailProvider> = new Map(
  [servers, withStarttls].flatMap((table) =>
    Object.entries(table).flatMap(([host, domains]) =>
      domains.split(' ').map((domain) => [domain, { host, onlyStarttls: table === withStarttls }] as const),
    ),
  ),
);

export const mailProvider = (domain: string): MailProvider | undefined => providers.get(domain.toLowerCase());
