import { breathe } from '../base/pace.ts'
import type { Db } from '../store/database.ts'

/** Rows that are read at once. */
const SLICE = 1000

/** What is here already and must not be there twice: marks of earlier imports, and texts of users that are unique. */
export type Known = Readonly<{
  /** The own id behind a mark. */
  marks: ReadonlyMap<string, number>
  /** Ids of the accounts that are in use. */
  users: ReadonlySet<number>
  channels: ReadonlySet<number>
  /** Groups in which accounts are. */
  groups: ReadonlySet<string>
  /** Taken texts by column; names and e-mail addresses in small letters. */
  taken: Readonly<Record<UniqueColumn, Set<string>>>
  /** By names that were taken: the number behind the next one that comes. */
  numbers: Map<string, number>
}>

/** Columns of users whose texts are unique where they are not empty. */
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

/** Reads what is here in slices, with other work between them. */
export async function readKnown(db: Db): Promise<Known> {
  const taken = Object.fromEntries(uniqueColumns.map((column) => [column, new Set<string>()])) as Known['taken'] // one for each
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

/** A text as it is compared: addresses, and names that people log in by, are the same in any case of their letters. */
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

async function readMarks(db: Db): Promise<ReadonlyMap<string, number>> {
  const marks = new Map<string, number>()
  for (let after: string | undefined = ''; after !== undefined; ) {
    const rows: { mark: string; own_id: number }[] = await db
      .selectFrom('import_marks')
      .select(['mark', 'own_id'])
      .where('mark', '>', after)
      .orderBy('mark')
      .limit(SLICE)
      .execute()
    for (const { mark, own_id } of rows) marks.set(mark, Number(own_id))
    after = rows.length < SLICE ? undefined : rows.at(-1)?.mark
    await breathe()
  }
  return marks
}
