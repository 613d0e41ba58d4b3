import { breathe } from '../base/pace.ts'
import type { Db } from '../store/sqlite/database.ts'

/** Rows per query. */
const SLICE = 1000

/** `ownId` is the id here, 0 if the row was not imported. */
type KnownMark = Readonly<{ ownId: number; facts: string }>

/** Existing data that must not be duplicated: marks of earlier imports, and unique texts of users. */
export type Known = Readonly<{
  marks: ReadonlyMap<string, KnownMark>
  /** Ids of accounts that are not deleted. */
  users: ReadonlySet<number>
  channels: ReadonlySet<number>
  /** Groups that have accounts. */
  groups: ReadonlySet<string>
  /** Existing texts by column; user names and email addresses in lower case. */
  taken: Readonly<Record<UniqueColumn, Set<string>>>
  /** By user name: the next number to append to a duplicate. */
  numbers: Map<string, number>
}>

/** Columns of users whose non-empty texts are unique. */
const uniqueColumns = [
  'username',
  'email',
  'github_id',
  'oidc_id',
  'wechat_id',
  'telegram_id',
  'linux_do_id',
  'access_token_hash',
  'aff_code',
] as const
export type UniqueColumn = (typeof uniqueColumns)[number]

/** Reads existing rows in slices, yielding between them. */
export async function readKnown(db: Db): Promise<Known> {
  const taken = Object.fromEntries(uniqueColumns.map((column) => [column, new Set<string>()])) as Known['taken'] // one per column
  const users = new Set<number>()
  const groups = new Set<string>()
  for (let after: number | undefined = 0; after !== undefined; ) {
    const rows = await userSlice(db, after)
    for (const row of rows) {
      if (row.deleted_at === null) users.add(row.id)
      if (row.deleted_at === null) groups.add(row.group)
      for (const column of uniqueColumns) if (row[column]) taken[column].add(uniqueText(column, row[column]))
    }
    after = rows.length < SLICE ? undefined : rows.at(-1)?.id
    await breathe()
  }
  const channels = new Set((await db.selectFrom('channels').select('id').execute()).map(({ id }) => Number(id)))
  return { marks: await readMarks(db), users, channels, groups, taken, numbers: new Map() }
}

/** Normalizes a text for comparison: email addresses and user names are case-insensitive. */
export const uniqueText = (column: UniqueColumn, text: string): string =>
  column === 'email' || column === 'username' ? text.toLowerCase() : text

const userSlice = (db: Db, after: number) =>
  db
    .selectFrom('users')
    .select(['id', 'deleted_at', 'group', ...uniqueColumns])
    .where('id', '>', after)
    .orderBy('id')
    .limit(SLICE)
    .execute()

async function readMarks(db: Db): Promise<ReadonlyMap<string, KnownMark>> {
  const marks = new Map<string, KnownMark>()
  for (let after: string | undefined = ''; after !== undefined; ) {
    const rows: { mark: string; own_id: number; facts: string }[] = await db
      .selectFrom('import_marks')
      .select(['mark', 'own_id', 'facts'])
      .where('mark', '>', after)
      .orderBy('mark')
      .limit(SLICE)
      .execute()
    for (const { mark, own_id, facts } of rows) marks.set(mark, { ownId: Number(own_id), facts })
    after = rows.length < SLICE ? undefined : rows.at(-1)?.mark
    await breathe()
  }
  return marks
}
