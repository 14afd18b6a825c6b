// The users of a simulated upsd, with the rights of `upsd.users`. Name and password are checked only when a right is needed.

export interface User {
  readonly name: string;
  readonly password: string;
  /** `SET` and `FSD`. */
  readonly actions?: readonly ('SET' | 'FSD')[];
  /** Names of instant commands, or `ALL`. */
  readonly instcmds?: readonly string[];
  /** Grants LOGIN; for a primary PRIMARY and FSD too. */
  readonly upsmon?: 'primary' | 'secondary';
}

export type Action = 'SET' | 'FSD' | 'LOGIN' | 'PRIMARY';

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

export class Users {
  readonly #byName: ReadonlyMap<string, User>;

  constructor(users: readonly User[]) {
    this.#byName = new Map(users.map((user) => [user.name, user]));
  }

  knows(credentials: Credentials): boolean {
    return this.#known(credentials) !== undefined;
  }

  mayAct(credentials: Credentials, action: Action): boolean {
    const user = this.#known(credentials);
    if (user === undefined) return false;
    switch (action) {
      case 'SET':
        return user.actions?.includes('SET') ?? false;
      case 'FSD':
        return user.upsmon === 'primary' || (user.actions?.includes('FSD') ?? false);
      case 'LOGIN':
        return user.upsmon !== undefined;
      case 'PRIMARY':
        return user.upsmon === 'primary';
    }
  }

  mayCommand(credentials: Credentials, command: string): boolean {
    const asked = command.toLowerCase();
    return (
      this.#known(credentials)?.instcmds?.some((name) => ['all', asked].includes(name.toLowerCase())) ?? false
    );
  }

  #known({ username, password }: Credentials): User | undefined {
    const user = this.#byName.get(username);
    return user?.password === password ? user : undefined;
  }
}
