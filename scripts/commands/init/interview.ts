// The questions of `ridethrough init` at a terminal. Null from any of them: the person ended it, and nothing is written.
import type { Setup, SetupServer } from '../../../shared/domain/setup/setup.js';
import { isLoopback } from '../../../shared/runtime/loopback.js';
import { ownNutKeys } from '../../../supervisor/config/schema/nut.js';
import { remoteServerKeys } from '../../../supervisor/config/schema/remote-server.js';
import { secretFault } from '../../../supervisor/config/schema/secret.js';
import type { NutCredentials } from '../../../workers/poller/wire/login.js';
import type { Questions } from '../terminal/questions.js';
import { placeOf, searchedText } from './found-text.js';
import type { FoundUps, Searched, Server } from './search.js';
import { parseServer } from './search.js';
import type { ServerLogin } from './setup-parts.js';
import { parseLogin, setupUps } from './setup-parts.js';
import { upsNameFault } from './ups-names.js';

export interface Interviewed {
  /** `passwordFile` of a login is the name of the secret. */
  readonly setup: Setup;
  readonly secrets: readonly { readonly name: string; readonly text: string }[];
}

export type SearchServer = (server: Server, login: NutCredentials | null) => Promise<Searched>;

const maxServers = 16;
/** "1 2" and "1,2". */
const listOf = (text: string): readonly string[] => text.split(/[\s,]+/).filter((word) => word !== '');

export async function interview(questions: Questions, search: SearchServer): Promise<Interviewed | null> {
  const servers = await askServers(questions);
  if (servers === null) return null;
  const secrets: { name: string; text: string }[] = [];
  const logins = new Map<string, ServerLogin>();
  const searched: Searched[] = [];
  for (const [index, one] of (await Promise.all(servers.map((server) => search(server, null)))).entries()) {
    const login = one.wantsLogin ? await askLogin(questions, one.server) : undefined;
    if (login === null) return null;
    searched.push(login === undefined ? one : await search(one.server, login));
    if (login === undefined) continue;
    const name = index === 0 ? 'nut.secret' : `nut-${String(index + 1)}.secret`;
    secrets.push({ name, text: login.password });
    logins.set(placeOf(one.server), { username: login.username, passwordFile: name });
  }
  questions.say(`\n${searchedText(searched)}\n`);
  const found = searched.flatMap(({ server, upses }) =>
    upses.ok ? upses.value.map((ups) => ({ ups, login: logins.get(placeOf(server)) ?? null })) : [],
  );
  const watched = found.length === 0 ? await askName(questions) : await askWatched(questions, found);
  if (watched === null) return null;
  const local = await askLocal(
    questions,
    watched.map(({ name }) => name),
    servers,
  );
  if (local === null) return null;
  const machines = await askMachines(
    questions,
    watched.map(({ name }) => name),
    local,
  );
  if (machines === null) return null;
  const page = await questions.ask('Dashboard on http://127.0.0.1:9191/? [Y/n] ');
  if (page === null) return null;
  const setup = { upses: watched, local, servers: machines, servesPage: !/^n/i.test(page.trim()) };
  return { setup, secrets };
}

async function askServers(questions: Questions): Promise<readonly Server[] | null> {
  for (;;) {
    const answer = await questions.ask('NUT servers, HOST[:PORT] with spaces between [localhost]: ');
    if (answer === null) return null;
    const words = [...new Set(listOf(answer.trim() === '' ? 'localhost' : answer))];
    const servers = words.map(parseServer);
    const good = servers.filter((server) => server !== undefined);
    const unique = [...new Map(good.map((server) => [placeOf(server), server])).values()];
    if (good.length === servers.length && unique.length <= maxServers) return unique;
    questions.say(
      unique.length > maxServers
        ? `That is more than ${String(maxServers)} servers.\n`
        : `Not the name of a server: ${words.filter((word) => parseServer(word) === undefined).join(' ')}\n`,
    );
  }
}

/** Undefined: go on without one. */
async function askLogin(questions: Questions, server: Server): Promise<NutCredentials | undefined | null> {
  questions.say(`${placeOf(server)} wants a login for reads (upsd.users).\n`);
  for (;;) {
    const answer = await questions.ask('User name (empty: go on without): ');
    if (answer === null) return null;
    const username = answer.trim();
    if (username === '') return undefined;
    const password = await questions.askHidden('Password: ');
    if (password === null) return null;
    const fault = password === '' ? 'is empty' : secretFault(password);
    if (fault === undefined && ownNutKeys.username.codec.is(username)) return { username, password };
    questions.say(fault === undefined ? 'Not a user name.\n' : `The password ${fault}.\n`);
  }
}

async function askName(questions: Questions) {
  for (;;) {
    const name = await questions.ask('Name of the UPS, NAME@HOST[:PORT] as upsc takes it: ');
    if (name === null) return null;
    const fault = upsNameFault(name.trim());
    if (fault === undefined) return [setupUps(name.trim(), undefined, null)];
    questions.say(`${fault}\n`);
  }
}

async function askWatched(
  questions: Questions,
  found: readonly { readonly ups: FoundUps; readonly login: ServerLogin | null }[],
) {
  const all = found.map(({ ups, login }) => setupUps(ups.name, ups, login));
  if (all.length === 1) return all;
  const chosen = await askNumbers(questions, 'Which of them to watch? Numbers [all]: ', all.length);
  if (chosen === null) return null;
  return chosen.length === 0 ? all : all.filter((_, index) => chosen.includes(index));
}

async function askLocal(
  questions: Questions,
  names: readonly string[],
  servers: readonly Server[],
): Promise<readonly string[] | null> {
  const isOwn = names.length === 1 && servers.every(({ host }) => isLoopback(host));
  if (names.length > 1) questions.say(`${numbered(names)}\n`);
  const usual = isOwn ? '[1]' : '[none]';
  const what = `Which power this machine, and shut it down? Numbers, 0 for none ${usual}: `;
  const chosen = await askNumbers(questions, what, names.length);
  if (chosen === null) return null;
  if (chosen.length === 0) return isOwn ? names : [];
  return names.filter((_, index) => chosen.includes(index));
}

const numbered = (names: readonly string[]): string =>
  names.map((name, index) => `  ${String(index + 1)}  ${name}`).join('\n');

/** Places from 0; -1 for an explicit 0. Empty for no answer. */
async function askNumbers(
  questions: Questions,
  prompt: string,
  count: number,
): Promise<readonly number[] | null> {
  for (;;) {
    const answer = await questions.ask(prompt);
    if (answer === null) return null;
    const numbers = listOf(answer).map((word) => (/^\d{1,4}$/.test(word) ? Number(word) : NaN));
    if (numbers.every((number) => number >= 0 && number <= count)) return numbers.map((number) => number - 1);
    questions.say(`Expected numbers from 0 to ${String(count)}.\n`);
  }
}

async function askMachines(questions: Questions, names: readonly string[], local: readonly string[]) {
  const machines: (SetupServer & { readonly ups: string | null })[] = [];
  for (;;) {
    const login = await questions.ask(
      'Another machine to shut down over SSH, USER@HOST[:PORT] (empty: no more): ',
    );
    if (login === null) return null;
    if (login.trim() === '') return machines;
    const parsed = parseLogin(login.trim());
    const isTaken = machines.some(
      (machine) => targetOf(machine) === (parsed === undefined ? '' : targetOf(parsed)),
    );
    if (parsed === undefined || isTaken) {
      questions.say(isTaken ? 'It is in the list already.\n' : 'Expected USER@HOST or USER@HOST:PORT.\n');
      continue;
    }
    const name = await askMachineName(
      questions,
      parsed.host,
      machines.map((machine) => machine.name),
    );
    if (name === null) return null;
    const ups = await askOwner(questions, names, local);
    if (ups === undefined) return null;
    const command = await askCommand(questions);
    if (command === null) return null;
    machines.push({ name, ...parsed, command, ups });
  }
}

const targetOf = ({ user, host, port }: Pick<SetupServer, 'user' | 'host' | 'port'>): string =>
  `${user}@${host.toLowerCase()}:${String(port)}`;

async function askCommand(questions: Questions): Promise<string | null> {
  for (;;) {
    const answer = await questions.ask('Its command [sudo -n shutdown -h now]: ');
    if (answer === null) return null;
    const command = answer.trim();
    if (command === '' || remoteServerKeys.shutdown_command.codec.is(command)) return command;
    questions.say('A command is one line of text.\n');
  }
}

async function askMachineName(questions: Questions, host: string, taken: readonly string[]) {
  for (;;) {
    const answer = await questions.ask(`Its name here [${host}]: `);
    if (answer === null) return null;
    const name = answer.trim() === '' ? host : answer.trim();
    if (!taken.includes(name) && remoteServerKeys.name.codec.is(name)) return name;
    questions.say(taken.includes(name) ? `Another machine has the name ${name}.\n` : 'Not a name.\n');
  }
}

/** Null: what powers this machine powers it too. Undefined: the person ended it. */
async function askOwner(questions: Questions, names: readonly string[], local: readonly string[]) {
  if (names.length === 1) return local.length === 1 ? null : names[0];
  const usual = local.length > 0 ? 'as this machine' : '1';
  const chosen = await askNumbers(questions, `Which UPS powers it? A number [${usual}]: `, names.length);
  if (chosen === null) return undefined;
  const own = names[chosen[0] ?? -1];
  return own ?? (local.length > 0 ? null : names[0]);
}
