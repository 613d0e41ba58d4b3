import { logType } from '../../shared/enums.ts'
import { sealContextOf } from '../accounts/tokens/tokens.ts'
import { type Clock, unixSeconds } from '../base/clock.ts'
import { refuse } from '../base/errors.ts'
import { sha256 } from '../base/ids.ts'
import { logMessage } from '../base/localized-message.ts'
import { type Logger, silentLogger } from '../base/log/logger.ts'
import type { Vault } from '../base/secrets/ciphers.ts'
import { openBalances } from '../billing/opening-balances.ts'
import { keyContext } from '../channels/registry/active-channel.ts'
import { sealedIn } from '../channels/registry/sealed-columns.ts'
import { continueIds, lockTables } from '../store/consecutive-ids.ts'
import { optionTable, type StoredOption } from '../store/options.ts'
import type { Db } from '../store/sqlite/database.ts'
import { insertMany, type OnInserted } from '../store/sqlite/insert-many.ts'
import type { ImportPlan, PlannedChannel, PlannedMark, PlannedToken, PlannedUser } from './plan.ts'

type ImportedBy = Readonly<{ id: number; username: string; fileName: string }>

type WriteDeps = Readonly<{
  db: Db
  vault: Vault
  clock: Clock
  log?: Logger
  by: ImportedBy
  /** The table of settings for which the plan was made; absent if nothing else writes it. */
  options?: readonly StoredOption[]
  /** Called as rows are written; throws to roll everything back. */
  onProgress?: (table: 'users' | 'tokens' | 'channels', done: number, total: number) => void
}>

/** The rows that were written, as maps of ids in the file to ids here. */
export type WrittenImport = Readonly<{
  importId: number
  users: ReadonlyMap<number, number>
  tokens: ReadonlyMap<number, number>
  channels: ReadonlyMap<number, number>
  channelIds: readonly number[]
  keyHashes: readonly string[]
}>

/**
 * Writes a plan completely or not at all, in one transaction, with its audit row. Other work runs between its
 * statements: the relay uses its memory and its journal, and other writers wait. No ledger verification may run
 * meanwhile.
 */
export const writePlan = (plan: ImportPlan, deps: WriteDeps): Promise<WrittenImport> =>
  deps.db.transaction().execute(async (transaction) => {
    const at = unixSeconds(deps.clock)
    const { id: importId } = await transaction
      .insertInto('imports')
      .values({
        origin: plan.origin,
        source: plan.source,
        file_name: deps.by.fileName,
        created_at: at,
        username: deps.by.username,
        logs_after: plan.logs.after,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const writing = { ...deps, db: transaction, at, importId: Number(importId) }
    await lockTables(transaction, TABLES)
    const users = await writeUsers(plan, writing)
    const tokens = await writeTokens(plan, users, writing)
    const { channels, channelIds } = await writeChannels(plan, writing)
    const table = optionTable({ db: transaction, vault: deps.vault, clock: deps.clock, log: deps.log ?? silentLogger })
    const author = { id: deps.by.id, username: deps.by.username, origin: 'import' } as const
    if (!(await table.save(plan.options, author, deps.options))) throw refuse('invalid', 'import.changed')
    await continueIds(transaction, TABLES)
    await writeHistory(plan, users, writing)
    await audit(plan, writing)
    const keyHashes = plan.tokens.map(({ key }) => sha256(key))
    return { importId: writing.importId, users, tokens, channels, channelIds, keyHashes }
  })

/** The new rows of these tables get consecutive ids, so no one else may write the tables meanwhile. */
const TABLES = ['users', 'tokens', 'channels'] as const

type Writing = WriteDeps & Readonly<{ at: number; importId: number }>

const progressOf =
  ({ onProgress }: Writing, table: 'users' | 'tokens' | 'channels', total: number): OnInserted =>
  (done) =>
    onProgress?.(table, done, total)

/** New accounts have consecutive ids: the database assigns the first, and no one else writes meanwhile. */
async function writeUsers({ users, marks, known }: ImportPlan, writing: Writing): Promise<ReadonlyMap<number, number>> {
  const { db, at, importId } = writing
  await writeMarks(writing, marks)
  const [first, ...rest] = users
  if (!first) return known
  const { id } = await db.insertInto('users').values(first.row).returning('id').executeTakeFirstOrThrow()
  const firstId = Number(id)
  const ids = new Map([...known, ...users.map(({ theirId }, index) => [theirId, firstId + index] as const)])
  const inviter_id = (user: PlannedUser) => ids.get(user.inviter) ?? 0
  await insertMany(db, 'users', {
    items: rest,
    rowOf: (user, index) => ({ ...user.row, id: firstId + 1 + index, inviter_id: inviter_id(user) }),
    onInserted: progressOf(writing, 'users', users.length),
  })
  await db
    .updateTable('users')
    .set({ inviter_id: inviter_id(first) })
    .where('id', '=', firstId)
    .execute()
  const rows = users.map(({ quota, used, requests }, index) => ({ id: firstId + index, quota, used, requests }))
  await openBalances(db, 'user', { rows, at, refId: String(importId) })
  await writeMarks(
    writing,
    users.map(({ mark, facts }, index) => ({ mark, ownId: firstId + index, facts })),
  )
  return ids
}

async function writeTokens(
  { tokens, knownTokens }: ImportPlan,
  users: ReadonlyMap<number, number>,
  writing: Writing,
): Promise<ReadonlyMap<number, number>> {
  const { db, vault, at, importId } = writing
  const [first, ...rest] = tokens
  if (!first) return knownTokens
  const rowOf = ({ row, key, owner }: PlannedToken) => ({
    ...row,
    user_id: users.get(owner) ?? 0,
    key_hash: sha256(key),
    key: '',
  })
  const { id } = await db.insertInto('tokens').values(rowOf(first)).returning('id').executeTakeFirstOrThrow()
  const firstId = Number(id)
  await db
    .updateTable('tokens')
    .set({ key: vault.seal(first.key, sealContextOf(firstId)) })
    .where('id', '=', firstId)
    .execute()
  await insertMany(db, 'tokens', {
    items: rest,
    rowOf: (token, index) => {
      const own = firstId + 1 + index
      return { ...rowOf(token), id: own, key: vault.seal(token.key, sealContextOf(own)) }
    },
    onInserted: progressOf(writing, 'tokens', tokens.length),
  })
  const rows = tokens.map(({ used }, index) => ({ id: firstId + index, quota: 0, used, requests: 0 }))
  await openBalances(db, 'token', { rows, at, refId: String(importId) })
  return new Map([...knownTokens, ...tokens.map(({ theirId }, index) => [theirId, firstId + index] as const)])
}

async function writeChannels({ channels, knownChannels }: ImportPlan, writing: Writing) {
  const { db, vault, at, importId } = writing
  const [first, ...rest] = channels
  if (!first) return { channels: knownChannels, channelIds: [] }
  const blank = { ...first.columns, key: '', setting: '', param_override: '' }
  const { id } = await db.insertInto('channels').values(blank).returning('id').executeTakeFirstOrThrow()
  const firstId = Number(id)
  const sealed = ({ columns, key }: PlannedChannel, own: number) => ({
    key: vault.seal(key, keyContext(own)),
    ...sealedIn(columns, own, vault),
  })
  await db.updateTable('channels').set(sealed(first, firstId)).where('id', '=', firstId).execute()
  await insertMany(db, 'channels', {
    items: rest,
    rowOf: (channel, index) => {
      const own = firstId + 1 + index
      return { ...channel.columns, ...sealed(channel, own), id: own }
    },
    onInserted: progressOf(writing, 'channels', channels.length),
  })
  const rows = channels.map(({ used }, index) => ({ id: firstId + index, quota: 0, used, requests: 0 }))
  await openBalances(db, 'channel', { rows, at, refId: String(importId) })
  await writeMarks(
    writing,
    channels.map(({ mark }, index) => ({ mark, ownId: firstId + index, facts: '' })),
  )
  const own = channels.map(({ theirId }, index) => [theirId, firstId + index] as const)
  return { channels: new Map([...knownChannels, ...own]), channelIds: own.map(([, ownId]) => ownId) }
}

/** Writes marks; each replaces the mark that an earlier import wrote for the same row. */
async function writeMarks({ db, importId }: Writing, rows: readonly PlannedMark[]): Promise<void> {
  for (let from = 0; from < rows.length; from += MARKS_PER_QUERY) {
    const marks = rows.slice(from, from + MARKS_PER_QUERY).map(({ mark }) => mark)
    await db.deleteFrom('import_marks').where('mark', 'in', marks).execute()
  }
  await insertMany(db, 'import_marks', {
    items: rows,
    rowOf: ({ mark, ownId, facts }) => ({ mark, own_id: ownId, import_id: importId, facts }),
  })
}

const MARKS_PER_QUERY = 500

async function writeHistory(
  { redemptions, topUps }: ImportPlan,
  users: ReadonlyMap<number, number>,
  { db, by }: Writing,
) {
  await insertMany(db, 'redemptions', {
    items: redemptions,
    rowOf: ({ by: maker, usedBy, ...row }) => ({
      ...row,
      user_id: users.get(maker) ?? by.id,
      used_user_id: users.get(usedBy) ?? 0,
    }),
  })
  await insertMany(db, 'top_ups', {
    items: topUps,
    rowOf: ({ owner, ...row }) => ({ ...row, user_id: users.get(owner) ?? 0 }),
  })
}

async function audit({ origin, counts }: ImportPlan, { db, by, at, importId }: Writing): Promise<void> {
  const imported = counts.filter(({ comes }) => comes > 0).map(({ table, comes }) => `${comes} ${table}`)
  const params = { actor: by.username, file: by.fileName, origin, counts: imported.join(', ') }
  const admin_info = { import: importId, actor: { id: by.id, username: by.username } }
  await db
    .insertInto('logs')
    .values({
      user_id: 0,
      created_at: at,
      type: logType.manage,
      ...logMessage([{ key: 'import.logged', params }], { admin_info }),
    })
    .execute()
}
