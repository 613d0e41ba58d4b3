import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { latestVersion, migrate, NewerSchema, schemaVersion } from '../../../../gateway/store/sqlite/migrate.ts'
import { onEachDatabase } from '../../../support/databases.ts'

/** The columns are read from the text of `schema.ts` and its parts, so that the test needs no second list of them. */
const folder = join(import.meta.dirname, '../../../../gateway/store/schema')
const source = readdirSync(folder)
  .filter((file) => /^schema[\w-]*\.ts$/.test(file))
  .map((file) => readFileSync(join(folder, file), 'utf8'))
  .join('\n')

/** Among them the tables of the nodes on PostgreSQL, which only the ledger and the shared state there know. */
const NOT_OF_THE_SCHEMA = /^(schema_migrations|sqlite_.*|pool|leases|nodes|node_beats|budget_holds|changes|ephemeral)$/

onEachDatabase('the migrated schema', (db, dialect) => {
  const ourTables = async () =>
    (await db().introspection.getTables()).filter(({ name }) => !NOT_OF_THE_SCHEMA.test(name))

  it('has the tables and columns of schema.ts and no others', async () => {
    const found = (await ourTables()).map(({ name, columns }) => [name, columns.map((column) => column.name).sort()])
    expect(Object.fromEntries(found)).toEqual(declaredTables())
  })

  it('lets exactly those columns be null that are nullable in schema.ts', async () => {
    const tables = await ourTables()
    const nullable = tables.flatMap(({ name, columns }) =>
      columns.filter((column) => column.isNullable && !isRowId(column.name)).map((column) => `${name}.${column.name}`),
    )
    expect(nullable.sort()).toEqual(declaredNullable().sort())
  })

  it('is at the newest version, once, and stays there when migrated again', async () => {
    await migrate(db(), dialect === 'SQLite' ? 'sqlite' : 'postgres', 1_800_000_000)
    expect(await schemaVersion(db())).toBe(latestVersion)
  })

  it('is not touched when it comes from a newer release, and used only if that permits it', async () => {
    type Version = { version: number; name: string; applied_at: number; least_version: number }
    const untyped = db().withTables<{ schema_migrations: Version }>()
    const future = { version: latestVersion + 1, name: 'of-the-future', applied_at: 1, least_version: latestVersion }
    await untyped.insertInto('schema_migrations').values(future).execute()
    await migrate(db(), 'sqlite', 1)
    expect(await schemaVersion(db())).toBe(future.version)
    const removing = { ...future, version: latestVersion + 2, least_version: latestVersion + 1 }
    await untyped.insertInto('schema_migrations').values(removing).execute()
    await expect(migrate(db(), 'sqlite', 1)).rejects.toThrow(NewerSchema)
    await untyped.deleteFrom('schema_migrations').where('version', '>', latestVersion).execute()
  })

  it('stores whole numbers up to 2^53 - 1 exactly, in columns and in sums', async () => {
    const row = { user_id: 1, username: 'u', model_name: 'm', created_at: 0, token_used: 0, count: 1 }
    await db()
      .insertInto('quota_data')
      .values({ ...row, quota: Number.MAX_SAFE_INTEGER - 1 })
      .execute()
    await db()
      .insertInto('quota_data')
      .values({ ...row, created_at: 3600, quota: 1 })
      .execute()
    const sum = db()
      .selectFrom('quota_data')
      .select(({ fn }) => fn.sum<number>('quota').as('total'))
    expect((await sum.executeTakeFirstOrThrow()).total).toBe(Number.MAX_SAFE_INTEGER)
    const maxSize = db().selectFrom('quota_data').select('quota').where('created_at', '=', 0)
    expect((await maxSize.executeTakeFirstOrThrow()).quota).toBe(Number.MAX_SAFE_INTEGER - 1)
  })

  it('refuses a balance beyond what the ledger allows', async () => {
    const user = { username: 'rich', created_at: 0, quota: 1_000_000_000_000_001 }
    await expect(db().insertInto('users').values(user).execute()).rejects.toThrow()
  })

  it('takes a movement of the same kind and reference only once', async () => {
    const row = {
      created_at: 0,
      user_id: 1,
      kind: 'redeem',
      amount: 5,
      ref_type: 'code',
      ref_id: '1',
      balance_after: 5,
    }
    await db().insertInto('ledger').values(row).execute()
    await expect(db().insertInto('ledger').values(row).execute()).rejects.toThrow()
  })
})

/** Automatic primary keys, which SQLite reports as nullable. */
const isRowId = (name: string) => name === 'id'

type Column = { table: string; name: string; type: string }

function declaredTables(): Record<string, string[]> {
  const tables: Record<string, string[]> = {}
  for (const { table, name } of declared()) tables[table] = [...(tables[table] ?? []), name].sort()
  return tables
}

const declaredNullable = () =>
  declared()
    .filter(({ type }) => type.includes('null'))
    .map(({ table, name }) => `${table}.${name}`)

/** Every column declared by the `Schema` interface, including those of the interfaces that it names. */
function declared(): Column[] {
  const schema = bodyOf('Schema')
  const inline = [...schema.matchAll(/^ {2}(\w+): \{([^}]+)\}/gm)]
  const named = [...schema.matchAll(/^ {2}(\w+): (\w+Table)$/gm)]
  return [
    ...inline.flatMap(([, table = '', columns = '']) => columnsIn(table, columns.split(/[;\n]/))),
    ...named.flatMap(([, table = '', name = '']) => columnsIn(table, bodyOf(name).split('\n'))),
  ]
}

const bodyOf = (name: string) => new RegExp(`interface ${name} \\{\\n([\\s\\S]*?)\\n\\}`).exec(source)?.[1] ?? ''

const columnsIn = (table: string, lines: readonly string[]): Column[] =>
  lines.flatMap((line) => {
    const [, name, type] = /^\s*(\w+): (.+)$/.exec(line) ?? []
    return name && type ? [{ table, name, type }] : []
  })
