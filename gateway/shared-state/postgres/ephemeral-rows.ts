import { sha256 } from '../../base/ids.ts'
import { parsed } from '../../base/json/json.ts'
import type { Logger } from '../../base/log/logger.ts'
import type { Vault } from '../../base/secrets/ciphers.ts'
import type { Connections } from '../../store/postgres/connections.ts'

type EphemeralDeps = Readonly<{
  run: Connections['run']
  vault: Pick<Vault, 'seal' | 'open' | 'sign'>
  log: Pick<Logger, 'warn'>
  /** Max rows of a kind; the oldest are deleted. */
  max?: number
}>

/** Values by key, which the server stores for a while, encrypted; keys are stored as their SHA-256. */
interface EphemeralValues<T> {
  put(key: string, value: T): Promise<void>
  find(key: string): Promise<T | undefined>
  /** Returns and deletes a value; of several callers one gets it. */
  take(key: string): Promise<T | undefined>
  drop(key: string): Promise<void>
}

/** Secrets that users must enter, each valid for a number of attempts. */
interface EphemeralCodes {
  put(key: string, code: string, tries: number): Promise<void>
  /** Returns whether the code is right, which uses it up; the attempts of all nodes are counted together. */
  take(key: string, given: string): Promise<boolean>
}

export interface EphemeralRows {
  values<T extends object>(kind: string, ttlMs: number): EphemeralValues<T>
  codes(kind: string, ttlMs: number): EphemeralCodes
  /** Returns whether a key is new; of several callers one gets true. */
  claim(kind: string, key: string, ttlMs: number): Promise<boolean>
  /** Deletes rows of any kind that have expired. */
  removeOld(): Promise<void>
}

const MAX_ROWS = 10_000

/** The table `ephemeral`; rows expire by the database's clock. */
export function createEphemeralRows({ run, vault, log, max = MAX_ROWS }: EphemeralDeps): EphemeralRows {
  const put = async (kind: string, row: Readonly<{ key: string; value: string; tries: number; ttlMs: number }>) => {
    await run(PUT, [kind, row.key, row.value, row.tries, row.ttlMs])
    await run(REMOVE_OLDEST, [kind, max]).catch((error: unknown) =>
      log.warn('old logins could not be deleted', { error }),
    )
  }
  return {
    values<T extends object>(kind: string, ttlMs: number): EphemeralValues<T> {
      const contextOf = (key: string) => `ephemeral|${kind} ${key}|value`
      const read = async (statement: string, key: string): Promise<T | undefined> => {
        const hash = sha256(key)
        const [row] = await run<{ value: string; is_valid: boolean }>(statement, [kind, hash])
        // Written by `put` below, and authenticated.
        return row?.is_valid ? (parsed(vault.open(row.value, contextOf(hash))) as T) : undefined
      }
      return {
        put(key, value) {
          const hash = sha256(key)
          return put(kind, { key: hash, value: vault.seal(JSON.stringify(value), contextOf(hash)), tries: 1, ttlMs })
        },
        find: (key) => read(FIND, key),
        take: (key) => read(TAKE, key),
        drop: async (key) => void (await run(DROP, [kind, sha256(key)])),
      }
    },
    codes(kind, ttlMs) {
      // A hash that does not depend on the data key could be reversed by trying all codes.
      const hashed = (key: string, code: string) => vault.sign(code, `ephemeral|${kind} ${key}`)
      return {
        put(key, code, tries) {
          const hash = sha256(key)
          return put(kind, { key: hash, value: hashed(hash, code), tries, ttlMs })
        },
        async take(key, given) {
          const hash = sha256(key)
          const [row] = await run<{ is_right: boolean }>(TRY, [kind, hash, hashed(hash, given)])
          return row?.is_right === true
        },
      }
    },
    claim: async (kind, key, ttlMs) => (await run(CLAIM, [kind, sha256(key), ttlMs])).length > 0,
    removeOld: async () => void (await run(REMOVE_EXPIRED)),
  }
}

const PUT = `insert into ephemeral (kind, key, value, tries, until)
  values ($1, $2, $3, $4, clock_timestamp() + $5::float8 * interval '1 ms')
  on conflict (kind, key) do update set value = excluded.value, tries = excluded.tries, until = excluded.until`
const CLAIM = `insert into ephemeral (kind, key, value, tries, until)
  values ($1, $2, '', 0, clock_timestamp() + $3::float8 * interval '1 ms')
  on conflict (kind, key) do nothing returning key`
const FIND = 'select value, until > clock_timestamp() as is_valid from ephemeral where kind = $1 and key = $2'
const TAKE = 'delete from ephemeral where kind = $1 and key = $2 returning value, until > clock_timestamp() as is_valid'
const DROP = 'delete from ephemeral where kind = $1 and key = $2'
/**
 * A used code has no tries left. Concurrent attempts are counted one after the other: the row is locked and checked
 * again.
 */
const TRY = `update ephemeral set tries = case when value = $3 then 0 else tries - 1 end
  where kind = $1 and key = $2 and tries > 0 and until > clock_timestamp() returning value = $3 as is_right`
const REMOVE_OLDEST = `delete from ephemeral where (kind, key) in
  (select kind, key from ephemeral where kind = $1 order by until desc offset $2)`
const REMOVE_EXPIRED = 'delete from ephemeral where until < clock_timestamp()'
