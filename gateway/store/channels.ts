import type { ExpressionBuilder, Insertable, SelectQueryBuilder } from 'kysely'
import type { Db } from './database.ts'
import { contains, lists } from './match.ts'
import type { ChannelRow, Schema } from './schema.ts'

/** A row without its sealed key: all that ever leaves the gateway. */
export type VisibleChannel = Omit<ChannelRow, 'key'>
export type NewChannelRow = Omit<Insertable<Schema['channels']>, 'id'>
export type ChannelPatch = Partial<Omit<ChannelRow, 'id'>>

/** Narrows a list; absent fields do not. */
export type ChannelFilter = Readonly<{ type?: number; status?: number }>
export type ChannelPage = ChannelFilter & Readonly<{ offset: number; limit: number; idSort: boolean }>
type ChannelSearch = Readonly<{
  keyword: string
  /** Channels whose key equals the keyword; keys are sealed, so SQL cannot compare them. */
  withKey: readonly number[]
  /** One group, or empty for all. */
  group: string
  /** Part of a model's name, or empty for all. */
  model: string
  idSort: boolean
}>

/** The columns of such a row. */
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

/** Far below what one statement may bind on either database. */
const IDS_A_STATEMENT = 1000

/** The `channels` table: single rows with their sealed keys, the console's lists without them, and what writes. */
export const channelStore = (db: Db) => ({ ...rowsIn(db), ...listsIn(db), ...writesIn(db) })

const rowsIn = (db: Db) => ({
  /** Whole rows, sealed keys included. */
  all: () => db.selectFrom('channels').selectAll().orderBy('id').execute(),
  ids: () => db.selectFrom('channels').select('id').execute(),
  byId: (id: number) => db.selectFrom('channels').selectAll().where('id', '=', id).executeTakeFirst(),
  /** Those of these ids that there are. */
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
  /** Those whose secrets beside the key are not all sealed; what is sealed begins with `mark`. */
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
  /** Without its key. */
  visibleById: (id: number) => db.selectFrom('channels').select(visibleColumns).where('id', '=', id).executeTakeFirst(),
})

/** Lists stand by falling priority (or falling id), ties by falling id. */
const listsIn = (db: Db) => ({
  page({ offset, limit, idSort, ...filter }: ChannelPage): Promise<VisibleChannel[]> {
    const rows = narrowed(db.selectFrom('channels').select(visibleColumns), filter)
    return ordered(rows, idSort).limit(limit).offset(offset).execute()
  },
  async count(filter: ChannelFilter): Promise<number> {
    const { n } = await narrowed(
      db.selectFrom('channels').select(({ fn }) => fn.countAll<number>().as('n')),
      filter,
    ).executeTakeFirstOrThrow()
    return Number(n)
  },
  /** Type id to the number of its channels. */
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
  /** The distinct tags, sorted; null stands last for the channels without one. */
  async tags(filter: ChannelFilter): Promise<(string | null)[]> {
    const rows = await narrowed(db.selectFrom('channels').select('tag').distinct(), filter).execute()
    const named = rows.flatMap(({ tag }) => (tag ? [tag] : [])).sort()
    return named.length < rows.length ? [...named, null] : named
  },
  /** Every channel of these tags; null among them means the channels without one. */
  ofTags(tags: readonly (string | null)[], filter: ChannelFilter, idSort: boolean): Promise<VisibleChannel[]> {
    const named = tags.filter((tag) => tag !== null)
    const rows = narrowed(db.selectFrom('channels').select(visibleColumns), filter).where(({ eb, or }) =>
      or([
        ...(named.length > 0 ? [eb('tag', 'in', named)] : []),
        ...(named.length < tags.length ? [eb('tag', 'is', null), eb('tag', '=', '')] : []),
      ]),
    )
    return ordered(rows, idSort).execute()
  },
  search: ({ idSort, ...wanted }: ChannelSearch): Promise<VisibleChannel[]> =>
    ordered(
      db
        .selectFrom('channels')
        .select(visibleColumns)
        .where((eb) => matches(eb, wanted)),
      idSort,
    ).execute(),
})

const writesIn = (db: Db) => ({
  /** Answers the id, which is never given out twice. */
  async insert(row: NewChannelRow): Promise<number> {
    const { id } = await db.insertInto('channels').values(row).returning('id').executeTakeFirstOrThrow()
    return Number(id)
  },
  /** Writes the same changes to each of these rows; answers how many there were. */
  async update(ids: readonly number[], changes: ChannelPatch): Promise<number> {
    if (ids.length === 0 || Object.keys(changes).length === 0) return 0
    const { numUpdatedRows } = await db
      .updateTable('channels')
      .set(changes)
      .where('id', 'in', ids)
      .executeTakeFirstOrThrow()
    return Number(numUpdatedRows)
  },
  /** Moves one channel from a status to another; false when it did not stand there any more. */
  async switchStatus(id: number, from: number, changes: ChannelPatch & { status: number }): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('channels')
      .set(changes)
      .where('id', '=', id)
      .where('status', '=', from)
      .executeTakeFirstOrThrow()
    return Number(numUpdatedRows) === 1
  },
  /** Deletes rows; answers how many were there. */
  async remove(ids: readonly number[]): Promise<number> {
    if (ids.length === 0) return 0
    const { numDeletedRows } = await db.deleteFrom('channels').where('id', 'in', ids).executeTakeFirstOrThrow()
    return Number(numDeletedRows)
  },
})

/** A query on the table, whatever it selects. */
type FromChannels<O> = SelectQueryBuilder<Schema, 'channels', O>

const narrowed = <O>(query: FromChannels<O>, { type, status }: ChannelFilter): FromChannels<O> => {
  const typed = type === undefined ? query : query.where('type', '=', type)
  return status === undefined ? typed : typed.where('status', '=', status)
}

const ordered = <O>(query: FromChannels<O>, idSort: boolean): FromChannels<O> =>
  idSort ? query.orderBy('id', 'desc') : query.orderBy('priority', 'desc').orderBy('id', 'desc')

/**
 * The keyword is an id, a key, or part of a name or address; model and group narrow further
 * (docs/reference/channels.md#lists).
 */
function matches(
  eb: ExpressionBuilder<Schema, 'channels'>,
  { keyword, withKey, group, model }: Omit<ChannelSearch, 'idSort'>,
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
