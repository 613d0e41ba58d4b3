import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { CROWD, limitOf } from './storm-crowd.ts'
import type { Told, Witness } from './storm-witness.ts'

type Posted = Readonly<{ id: number; user: number; token: number; channel: number } & Record<'kind' | 'ref', string>> &
  Readonly<{ amount: number; after: number }>
type Logged = Readonly<{ id: number; user: number; token: number; channel: number; type: number }> &
  Readonly<{ quota: number; request: string }>
type Figures = Readonly<Record<string, number>>

/**
 * Reads the database independently of the gateway's code and reports every difference from the witnessed operations.
 */
export interface Books {
  /** Compares the rows written since the last call with `witness`, and all balances with all rows. */
  differences(witness: Witness): string[]
  /** Charges in the ledger so far. */
  charges(): number
}

/** The books of the database in `folder`; no child may be using it while they are read. */
export function createBooks(folder: string): Books {
  const balances = new Map<number, number>()
  let charges = 0
  let last = { ledger: 0, logs: 0, changes: 0 }
  return {
    charges: () => charges,
    differences(witness) {
      const database = new Database(join(folder, 'switchyard.db'), { readonly: true, fileMustExist: true })
      const all = <T>(text: string, ...values: number[]) => database.prepare(text).all(...values) as T[]
      try {
        const posted = all<Posted>(POSTED, last.ledger)
        const logged = all<Logged>(LOGGED, last.logs)
        const changed = all<{ number: number; id: string; token: number; delta: number }>(CHANGED, last.changes)
        last = {
          ledger: posted.at(-1)?.id ?? last.ledger,
          logs: logged.at(-1)?.id ?? last.logs,
          changes: changed.at(-1)?.number ?? last.changes,
        }
        const consumed = posted.filter(({ kind }) => kind === 'consume')
        charges += consumed.length
        return [
          ...witness.complaints,
          ...chains(posted, balances),
          ...callDifferences(consumed, witness, setAside(folder)),
          ...pairDifferences(
            consumed,
            logged.filter(({ type }) => type === 2),
          ),
          ...moveDifferences(
            posted.filter(({ kind, ref }) => kind !== 'consume' && !ref.startsWith('born')),
            witness,
          ),
          ...changeDifferences(changed, witness),
          ...noteDifferences(
            logged.filter(({ type }) => type !== 2),
            witness,
          ),
          ...all<Figures>(USERS).flatMap((row) => unequal('user', row)),
          ...all<Figures>(TOKENS).flatMap((row) => unequal('token', withLimit(row))),
          ...all<Figures>(CHANNELS).flatMap((row) => unequal('channel', row)),
          ...(all(USERS).length === CROWD.users ? [] : ['users are missing']),
        ]
      } finally {
        database.close()
      }
    },
  }
}

const POSTED = `select id, user_id as user, token_id as token, channel_id as channel, kind, ref_id as ref, amount,
  balance_after as after from ledger where id > ? order by id`
const LOGGED = `select id, user_id as user, token_id as token, channel_id as channel, type, quota, request_id as request
  from logs where id > ? order by id`
const CHANGED = 'select number, id, token, delta from storm_changes where number > ? order by number'

/** Each figure next to the sum of the rows of ledger and log. */
const USERS = `select id, quota, coalesce(l.amount, 0) as quota_ledger, used_quota as used,
  coalesce(l.used, 0) as used_ledger, coalesce(g.used, 0) as used_logs, request_count as requests,
  coalesce(l.requests, 0) as requests_ledger, coalesce(g.requests, 0) as requests_logs from users
  left join (select user_id, sum(amount) as amount, -sum(iif(kind = 'consume', amount, 0)) as used,
    sum(kind = 'consume') as requests from ledger group by user_id) l on l.user_id = id
  left join (select user_id, sum(quota) as used, count(*) as requests from logs where type = 2 group by user_id) g
    on g.user_id = id`
const spending = (table: string, owner: string) => `select id, ${table}.used_quota as used,
  coalesce(l.used, 0) as used_ledger, coalesce(g.used, 0) as used_logs
  ${table === 'tokens' ? ', remain_quota as remain, coalesce(c.delta, 0) - coalesce(g.limited, 0) as remain_logs' : ''}
  from ${table}
  left join (select ${owner}, -sum(amount) as used from ledger where kind = 'consume' group by ${owner}) l
    on l.${owner} = id
  left join (select ${owner}, sum(quota) as used, sum(iif(other = 'limited', quota, 0)) as limited from logs
    where type = 2 group by ${owner}) g on g.${owner} = id
  ${table === 'tokens' ? 'left join (select token, sum(delta) as delta from storm_changes group by token) c on token = id' : ''}`
const TOKENS = spending('tokens', 'token_id')
const CHANNELS = spending('channels', 'channel_id')

const withLimit = (row: Figures): Figures => ({
  ...row,
  remain_logs: (row.remain_logs ?? 0) + limitOf(row.id ?? 0),
})

/** `used` must equal `used_ledger` and `used_logs`, and so on. */
const unequal = (account: string, row: Figures): string[] =>
  Object.entries(row)
    .map(([name, value]) => ({ name, value, column: name.split('_')[0] ?? name }))
    .filter(({ value, column }) => row[column] !== value)
    .map(({ name, value, column }) => `${account} ${row.id}: ${column} is ${row[column]}, ${name} is ${value}`)

/** Checks that the balance after each row is the one after the user's previous row plus the row's amount. */
function chains(posted: readonly Posted[], balances: Map<number, number>): string[] {
  return posted.flatMap(({ id, user, amount, after }) => {
    const expected = (balances.get(user) ?? 0) + amount
    balances.set(user, expected)
    return after === expected ? [] : [`ledger row ${id}: the balance after it is ${after}, not ${expected}`]
  })
}

const MAX_CHARGED = 1_000_000_000_000

/**
 * The possible charges of a request, undefined meaning no row: only the call that the kill interrupted has more than
 * one.
 */
function owed(call: Told): { sure: number | undefined; alsoPossible: (number | undefined)[] } {
  const last = call.checkpoints > 0 ? call.checkpoints * call.step : undefined
  const final = call.final > MAX_CHARGED ? undefined : call.final
  if (call.end === 'settled') return { sure: final, alsoPossible: [] }
  if (call.end === 'released') return { sure: last, alsoPossible: [] }
  return { sure: last, alsoPossible: [final, (call.checkpoints + 1) * call.step] }
}

function callDifferences(consumed: readonly Posted[], witness: Witness, aside: string): string[] {
  const rows = new Map<string, Posted>()
  const found: string[] = []
  let cut = 0
  for (const row of consumed) {
    if (rows.has(row.ref)) found.push(`${row.ref} is charged twice`)
    if (!witness.calls.has(row.ref)) found.push(`${row.ref} is charged, but not known or over`)
    rows.set(row.ref, row)
  }
  for (const [id, call] of witness.calls) {
    const row = rows.get(id)
    const charged = row && -row.amount
    const { sure, alsoPossible } = owed(call)
    if (call.final > MAX_CHARGED && call.end === 'settled' && !aside.includes(`"requestId":"${id}"`))
      found.push(`${id} was not set aside`)
    if (row && !sameOwner(row, call)) found.push(`${id} is charged to somebody else`)
    if (charged === sure) continue
    if (alsoPossible.includes(charged)) cut += 1
    else found.push(`${id} is charged ${charged}, not ${sure} (${call.end})`)
  }
  if (cut > 1) found.push(`${cut} calls are charged otherwise than was told; one alone can be cut short`)
  return found
}

const sameOwner = (row: Posted, call: Told): boolean =>
  row.user === call.user && row.token === call.token && row.channel === call.channel

const setAside = (folder: string): string => {
  const file = join(folder, 'rejected.journal')
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}

/** Checks that every charge has exactly one log row, with the same values. */
function pairDifferences(consumed: readonly Posted[], logged: readonly Logged[]): string[] {
  const rows = new Map(logged.map((row) => [row.request, row]))
  const found = rows.size === logged.length ? [] : ['a charge has two log rows']
  if (logged.length !== consumed.length) found.push(`${logged.length} log rows for ${consumed.length} charges`)
  for (const { ref, user, token, channel, amount } of consumed) {
    const row = rows.get(ref)
    const isSame = row && row.quota === -amount && row.user === user && row.token === token && row.channel === channel
    if (!isSame) found.push(`${ref} is logged otherwise than it is charged`)
  }
  return found
}

function moveDifferences(posted: readonly Posted[], { moves }: Witness): string[] {
  const rows = new Map(posted.map((row) => [row.ref, row]))
  const found = rows.size === posted.length ? [] : ['a movement counts twice']
  for (const { ref, user, amount } of posted) {
    const told = moves.get(ref)
    if (told?.user !== user || told.amount !== amount) found.push(`movement ${ref} is not the one that was told`)
    if (told?.end === 'refused') found.push(`movement ${ref} was refused and counts`)
  }
  for (const [id, { end }] of moves) if (end === 'done' && !rows.has(id)) found.push(`movement ${id} is lost`)
  return found
}

function changeDifferences(rows: readonly { id: string; token: number; delta: number }[], witness: Witness): string[] {
  const ids = new Set(rows.map(({ id }) => id))
  const strange = rows.filter(({ id, token, delta }) => {
    const told = witness.changes.get(id)
    return told?.token !== token || told.delta !== delta
  })
  const lost = [...witness.changes].filter(([id, { isDone }]) => isDone && !ids.has(id))
  return [...strange.map(({ id }) => `change ${id} is not the one told`), ...lost.map(([id]) => `change ${id} is lost`)]
}

function noteDifferences(logged: readonly Logged[], { notes }: Witness): string[] {
  const ids = new Set(logged.map(({ request }) => request))
  const found = ids.size === logged.length ? [] : ['a note is written twice']
  for (const id of ids) if (!notes.has(id)) found.push(`note ${id} is not known`)
  for (const [id, isSure] of notes) if (isSure && !ids.has(id)) found.push(`note ${id} is lost`)
  return found
}
