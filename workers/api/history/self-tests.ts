// Reads the battery tests of one UPS, newest first.
import * as t from 'io-ts';
import { SelfTestRecord } from '../../../shared/domain/ups/self-test.js';
import type { Outcome } from '../../../shared/protocol/contract.js';
import type { ReadOptions, ReadPool } from './read-pool.js';

/** Eight years of monthly tests. */
const maxTests = 100;

const Records = t.readonlyArray(SelfTestRecord);

export function readSelfTests(
  pool: ReadPool,
  groupId: string,
  options: ReadOptions,
): Promise<Outcome<readonly SelfTestRecord[]>> {
  return pool.read(
    `self tests ${groupId}`,
    async (ask) => {
      const rows = await ask(
        `SELECT started AS startedTs, ended AS endedTs, command, source, result, raw, date FROM self_tests
         WHERE ups = (SELECT key FROM ups WHERE group_id = $group) ORDER BY started DESC LIMIT $limit`,
        { $group: groupId, $limit: maxTests },
      );
      if (!Records.is(rows)) throw new Error('unexpected row of a self test');
      return rows;
    },
    options,
  );
}
