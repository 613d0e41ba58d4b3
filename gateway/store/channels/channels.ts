import { type ExpressionBuilder, type Insertable, type SelectQueryBuilder, sql } from 'kysely'
import type { ChannelSort } from '../../../shared/api/channel.ts'
import type { RowSize } from '../../base/row-steps.ts'
import { contains, lists } from '../match.ts'
import { sortOf } from '../page.ts'
import type { ChannelRow, Schema } from '../schema/schema.ts'
import type { Db } from '../sqlite/database.ts'

export type VisibleChannel = Omit<ChannelRow, 'key'>
export type NewChannelRow = Omit<Insertable<Schema['channels']>, 'id'>
export type ChannelPatch = Partial<Omit<ChannelRow, 'id'>>

/** Absent fields match everything. */
export type ChannelFilter = Readonly<{ type?: number; status?: number; ids?: readonly number[] }>
type ChannelPage = ChannelFilter & Readonly<{ offset: number; limit: number; order: ChannelSort }>
type ChannelSearch = Readonly<{
  keyword: string
  /** Channels whose key equals the keyword; keys are encrypted, so SQL cannot compare them. */
  withKey: readonly number[]
  /** Empty matches all groups. */
  group: string
  /** Part of a model's name; empty matches all models. */
  model: string
  order: ChannelSort
}>

export const visibleColumns = [
  'id',
  'type',
  'openai_organization',
  'test_model',
  'status',
  'name',
  'weight',
  'created_time',
  'test_time',
  'response_time',
  'test_code',
  'test_status',
  'test_message',
  'base_url',
  'other',
  'balance',
  'balance_updated_time',
  'models',
  'group',
  'used_quota',
  'model_mapping',
  'max_input_tokens',
  'status_code_mapping',
  'priority',
  'auto_ban',
  'other_info',
  'tag',
  'setting',
  'param_override',
] as const satisfies readonly (keyof VisibleChannel)[]

/** Max ids in one statement, far below the parameter limit of both databases. */
const IDS_A_STATEMENT = 1000

/** The `channels` table: rows with their encrypted keys, lists without them, and writes. */
export const channelStore = (db: Db) => ({ ...rowsIn(db), ...listsIn(db), ...writesIn(db) })

const rowsIn = (db: Db) => ({
  /** Includes encrypted keys. */
  all: () => db.selectFrom('channels').selectAll().orderBy('id').execute(),
  ids: () => db.selectFrom('channels').select('id').execute(),
  byId: (id: number) => db.selectFrom('channels').selectAll().where('id', '=', id).executeTakeFirst(),
  async byIds(ids: readonly number[]): Promise<ChannelRow[]> {
    const rows: ChannelRow[] = []
    for (let start = 0; start < ids.length; start += IDS_A_STATEMENT) {
      const some = ids.slice(start, start + IDS_A_STATEMENT)
      rows.push(...(await db.selectFrom('channels').selectAll().where('id', 'in', some).orderBy('id').execute()))
    }
    return rows
  },
  byTag: (tag: string) => db.selectFrom('channels').selectAll().where('tag', '=', tag).orderBy('id').execute(),
  byStatus: (statuses: readonly number[]) =>
    db.selectFrom('channels').select('id').where('status', 'in', statuses).orderBy('id').execute(),
  /** Returns channels with unencrypted secrets other than the key; encrypted values begin with `mark`. */
  withClearText: (mark: string) =>
    db
      .selectFrom('channels')
      .select(['id', 'setting', 'param_override'])
      .where(({ eb, and, or }) =>
        or(
          (['setting', 'param_override'] as const).map((name) =>
            and([eb(name, '<>', ''), eb(name, 'not like', `${mark}%`)]),
          ),
        ),
      )
      .execute(),
  visibleByIds: (ids: readonly number[]): Promise<VisibleChannel[]> =>
    db.selectFrom('channels').select(visibleColumns).where('id', 'in', ids).execute(),
  visibleById: (id: number) => db.selectFrom('channels').select(visibleColumns).where('id', '=', id).executeTakeFirst(),
})

/** Lists and counts. Lists of sizes are in descending order of priority, then of id, unless another order is given. */
const listsIn = (db: Db) => ({
  page({ offset, limit, order, ...filter }: ChannelPage): Promise<RowSize[]> {
    const rows = narrowed(sized(db), filter)
    return ordered(rows, order).limit(limit).offset(offset).execute()
  },
  async count(filter: ChannelFilter): Promise<number> {
    const { n } = await narrowed(
      db.selectFrom('channels').select(({ fn }) => fn.countAll<number>().as('n')),
      filter,
    ).executeTakeFirstOrThrow()
    return Number(n)
  },
  withFailedTest: () =>
    db.selectFrom('channels').select(['id', 'test_message']).where('test_code', 'not in', ['', 'ok']).execute(),
  async typeCounts(filter: ChannelFilter): Promise<Record<string, number>> {
    const rows = await narrowed(
      db
        .selectFrom('channels')
        .select(({ fn }) => ['type', fn.countAll<number>().as('n')])
        .groupBy('type'),
      filter,
    ).execute()
    return Object.fromEntries(rows.map(({ type, n }) => [String(type), Number(n)]))
  },
  /** Returns the distinct tags, sorted; a final null represents channels without a tag. */
  async tags(filter: ChannelFilter): Promise<(string | null)[]> {
    const rows = await narrowed(db.selectFrom('channels').select('tag').distinct(), filter).execute()
    const named = rows.flatMap(({ tag }) => (tag ? [tag] : [])).sort()
    return named.length < rows.length ? [...named, null] : named
  },
  /** Returns the channels with these tags; null matches channels without a tag. */
  ofTags(tags: readonly (string | null)[], filter: ChannelFilter, order: ChannelSort): Promise<RowSize[]> {
    const named = tags.filter((tag) => tag !== null)
    const rows = narrowed(sized(db), filter).where(({ eb, or }) =>
      or([
        ...(named.length > 0 ? [eb('tag', 'in', named)] : []),
        ...(named.length < tags.length ? [eb('tag', 'is', null), eb('tag', '=', '')] : []),
      ]),
    )
    return ordered(rows, order).execute()
  },
  search: ({ order, ...wanted }: ChannelSearch): Promise<(RowSize & Pick<ChannelRow, 'tag'>)[]> =>
    ordered(
      sized(db)
        .select('tag')
        .where((eb) => matches(eb, wanted)),
      order,
    ).execute(),
})

const writesIn = (db: Db) => ({
  /** Returns the id; ids are never reused. */
  async insert(row: NewChannelRow): Promise<number> {
    const { id } = await db.insertInto('channels').values(row).returning('id').executeTakeFirstOrThrow()
    return Number(id)
  },
  /** Applies the same changes to all these rows; returns how many of them exist, or 0 without changes. */
  async update(ids: readonly number[], changes: ChannelPatch): Promise<number> {
    if (ids.length === 0 || Object.keys(changes).length === 0) return 0
    const { numUpdatedRows } = await db
      .updateTable('channels')
      .set(changes)
      .where('id', 'in', ids)
      .executeTakeFirstOrThrow()
    return Number(numUpdatedRows)
  },
  /** Changes the status of a channel; returns false if its status is no longer `from`. */
  async switchStatus(id: number, from: number, changes: ChannelPatch & { status: number }): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('channels')
      .set(changes)
      .where('id', '=', id)
      .where('status', '=', from)
      .executeTakeFirstOrThrow()
    return Number(numUpdatedRows) === 1
  },
  async remove(ids: readonly number[]): Promise<number> {
    if (ids.length === 0) return 0
    const { numDeletedRows } = await db.deleteFrom('channels').where('id', 'in', ids).executeTakeFirstOrThrow()
    return Number(numDeletedRows)
  },
})

const LONG_COLUMNS = [
  'models',
  'model_mapping',
  'status_code_mapping',
  'setting',
  'param_override',
  'other',
  'other_info',
  'test_message',
] as const satisfies readonly (keyof VisibleChannel)[]

const sized = (db: Db) =>
  db
    .selectFrom('channels')
    .select('id')
    .select(
      sql<number>`${sql.join(
        LONG_COLUMNS.map((name) => sql`octet_length(${sql.ref(name)})`),
        sql` + `,
      )}`.as('bytes'),
    )

type FromChannels<O> = SelectQueryBuilder<Schema, 'channels', O>

const narrowed = <O>(query: FromChannels<O>, { type, status, ids }: ChannelFilter): FromChannels<O> => {
  const typed = type === undefined ? query : query.where('type', '=', type)
  const stated = status === undefined ? typed : typed.where('status', '=', status)
  return ids === undefined ? stated : stated.where('id', 'in', ids)
}

function ordered<O>(query: FromChannels<O>, order: ChannelSort): FromChannels<O> {
  const sort = sortOf(order)
  if (!sort) return query.orderBy('priority', 'desc').orderBy('id', 'desc')
  const { column, direction } = sort
  const by = column === 'name' ? sql`lower(name)` : sql.ref(column)
  return query.orderBy(by, direction).orderBy('id', 'desc')
}

/**
 * The keyword matches an id, a whole key, or part of a name or address; model and group narrow further
 * (docs/reference/channels.md#lists).
 */
function matches(
  eb: ExpressionBuilder<Schema, 'channels'>,
  { keyword, withKey, group, model }: Omit<ChannelSearch, 'order'>,
) {
  const id = /^\d{1,15}$/.test(keyword) ? Number(keyword) : undefined
  const named = eb.or([
    contains(eb.ref('name'), keyword),
    contains(eb.ref('base_url'), keyword),
    ...(id === undefined ? [] : [eb('id', '=', id)]),
    ...(withKey.length === 0 ? [] : [eb('id', 'in', withKey)]),
  ])
  return eb.and([
    ...(keyword === '' ? [] : [named]),
    ...(model === '' ? [] : [contains(eb.ref('models'), model)]),
    ...(group === '' ? [] : [lists(eb.ref('group'), group)]),
  ])
}
