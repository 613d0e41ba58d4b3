import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { dataOf } from '../../support/client.ts'
import { SIBLING_HASH, siblingDatabase } from '../../support/sibling-database.ts'
import { aWorld, type World } from '../../support/world.ts'
import { countsIn, importing } from './importing.ts'

const someone = { users: [{ id: 1, username: 'root', password: SIBLING_HASH, role: 100, aff_code: 'a' }] }
const good = () => siblingDatabase('new-api', someone)
let world: World
let steps: ReturnType<typeof importing>
beforeAll(async () => {
  world = await aWorld()
  steps = importing(world)
})
const left = () => {
  const folder = join(world.folder, 'import')
  return existsSync(folder) ? readdirSync(folder) : []
}
const counted = async () => (await world.gateway.inner.db.selectFrom('users').selectAll().execute()).length

describe('a file that is not a database of a related gateway', () => {
  const why = async (bytes: Uint8Array) => {
    const { success, message } = await steps.upload(bytes)
    if (!success) return message
    dataOf(await world.admin.post('/api/import/check', {}))
    return (await steps.over()).error
  }
  const hostile = (sql: string) => siblingDatabase('new-api', someone, (database) => void database.exec(sql))

  it.each([
    ['no database', async () => Buffer.from([1, 2, 3, 0, 255, 254]), /not a SQLite database, or it is encrypted/],
    ['nothing', async () => Buffer.alloc(0), /not a SQLite database/],
    ['text that is no config', async () => Buffer.from('hello: world\n'), /was not recognized/],
    ['text that is no YAML', async () => Buffer.from('model_list:\n  - [a\n'), /not valid YAML. See line/],
    ['a database that was cut off', async () => (await good()).subarray(0, 8192), /incomplete/],
    ['a header alone', async () => (await good()).subarray(0, 60), /incomplete/],
    ['pages of noise', async () => noisy(await good()), /damaged|not a SQLite|contains|no users/],
    [
      'another program',
      () => siblingDatabase('new-api', {}, (database) => void database.exec('drop table tokens')),
      /not a new-api/,
    ],
    ['a view', () => hostile('create view anything as select 1'), /contains "anything"/],
    [
      'a view in the place of a table',
      () => hostile("drop table users; create view users as select 1 as id, 'x' as username"),
      /contains "users"/,
    ],
    ['a trigger', () => hostile('create trigger t after insert on users begin delete from users; end'), /contains "t"/],
    ['a virtual table', () => hostile('create virtual table words using fts5(word)'), /contains "words"/],
    [
      'a computed column',
      () => hostile('alter table users add column big as (hex(zeroblob(1000000000)))'),
      /contains "users.big"/,
    ],
    [
      'a table without row numbers',
      () => hostile('drop table options; create table options (key text primary key, value text) without rowid'),
      /no row numbers/,
    ],
  ])('is refused with a message: %s', async (_, bytes, message) => {
    expect(await why(await bytes())).toMatch(message)
    expect([left(), await counted()]).toEqual([[], 1])
  })

  it('is refused where YAML repeats or nests itself beyond measure', async () => {
    const laughs = Array.from(
      { length: 12 },
      (_, n) =>
        `l${n}: &l${n} [${Array(10)
          .fill(n === 0 ? 'ha' : `*l${n - 1}`)
          .join(',')}]`,
    )
    for (const text of [
      `${laughs.join('\n')}\nmodel_list: *l11\n`,
      `model_list: ${'['.repeat(20_000)}`,
      `model_list:\n ${'- '.repeat(5000)}a`,
      `model_list:\n${`- ${' '.repeat(400)}`.repeat(30)}a\n- [`,
      `model_list: [${'{},'.repeat(150_000)}]`,
    ])
      expect(await why(Buffer.from(text))).toMatch(/not valid YAML/)
    const alike = `model_list:\n${'- {model_name: a, litellm_params: {model: openai/b}}\n'.repeat(200)}`
    const aliases = Array.from({ length: 200 }, (_, n) => `b${n}: a`).join(', ')
    const many = `${alike}router_settings: {model_group_alias: {${aliases}}}\n`
    expect(await why(Buffer.from(many))).toMatch(/more than 25000 rows in channels/)
  })

  it('loses a row with a huge cell, and no other', async () => {
    const bytes = await siblingDatabase(
      'new-api',
      someone,
      (database) =>
        void database.exec(
          `insert into users (username, password, aff_code, setting) values ('huge', '', 'b', zeroblob(30000000)), ('fine', '', 'c', '');
             insert into options values ('QuotaPerUnit', printf('%.900000c', 'x'))`,
        ),
    )
    const { report } = await steps.checked(bytes)
    expect(countsIn(report?.tables ?? [])).toMatchObject({ users: '2/0/0/1' })
    expect(report?.remarks).toContainEqual({
      table: 'users',
      row: 'huge',
      outcome: 'left_out',
      text: 'A field is larger than 1 MiB.',
    })
    const longest = Math.max(...(report?.remarks ?? []).map(({ text }) => text.length))
    expect(longest, 'what is told of the file is cut').toBeLessThan(1000)
  })
})

describe('rows that no related gateway writes', () => {
  const columns = 'id integer, username text, password text, role int, aff_code text, quota, created_at int'
  const rowsOf = (
    rows: readonly (readonly (string | number | bigint | null)[])[],
    table = `create table users (${columns})`,
  ) =>
    siblingDatabase('new-api', {}, (database) => {
      database.exec(`drop table users; ${table}`)
      const add = database.prepare('insert into users (id, username, password, aff_code, quota) values (?, ?, ?, ?, ?)')
      rows.forEach(([id = 0, name = '', quota = 0], index) => void add.run(id, name, '', `code${index}`, quota))
    })

  it('are imported once if an ID occurs twice, and invalid amounts are reported', async () => {
    const bytes = await rowsOf([
      [-3, 'below', 7],
      [1, 'words', 'abc'],
      [2, 'first', 5],
      [2, 'second', 6],
      [3, 'half', 12.5],
      [4, 'endless', Number.POSITIVE_INFINITY],
      [5, 'whole', '77'],
    ])
    const { report } = await steps.checked(bytes)
    expect(countsIn(report?.tables ?? [])).toMatchObject({ users: '6/0/0/1' })
    const told = report?.remarks.map(({ row, text }) => `${row}: ${text}`)
    expect(told?.filter((text) => !text.includes('password'))).toEqual([
      'words: quota is not a whole number and is imported as 0.',
      'second: Another row has the same ID.',
      'half: quota is not a whole number and is imported as 12.',
      'endless: quota is outside the allowed range and is limited to it.',
    ])
  })

  it('are read to the end, for any range of IDs', async () => {
    const bytes = await rowsOf(
      [[2n ** 53n + 1n, 'far', 1]],
      `create table users (${columns.replace('integer', 'integer primary key')})`,
    )
    const { report } = await steps.checked(bytes)
    expect(countsIn(report?.tables ?? [])).toMatchObject({ users: '0/0/0/1' })
  })
})

/** Leaves the first page, with the schema, intact; overwrites all others with noise. */
function noisy(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes)
  for (let at = 4096; at < copy.length; at += 1) copy[at] = (at * 31) % 251
  return copy
}

describe('the file', () => {
  it('is readable only by its owner in the data folder, and is deleted with a cancelled import and with the gateway', async () => {
    dataOf(await steps.upload(await good(), '../../etc/their.db'))
    const [name = ''] = left()
    expect(statSync(join(world.folder, 'import', name)).mode & 0o777).toBe(0o600)
    expect(statSync(join(world.folder, 'import')).mode & 0o777).toBe(0o700)
    expect(await steps.state()).toMatchObject({ stage: 'ready', file: { name: 'their.db', origin: 'database' } })
    dataOf(await world.admin.delete('/api/import'))
    expect([left(), (await steps.state()).stage]).toEqual([[], 'empty'])
    dataOf(await steps.upload(await good()))
    expect(left()).toHaveLength(1)
    const other = await aWorld()
    dataOf(await importing(other).upload(await good()))
    const again = await other.restart()
    expect(existsSync(join(again.folder, 'import'))).toBe(false)
  })

  it('is accepted only from the super administrator, as plain bytes', async () => {
    const admin = await world.user({ role: 10 })
    for (const [method, path] of [
      ['GET', '/api/import'],
      ['POST', '/api/import/check'],
      ['POST', '/api/import/confirm'],
      ['DELETE', '/api/import'],
    ] as const)
      expect((await admin.send(method, path, method === 'POST' ? {} : undefined)).success).toBe(false)
    const headers = { ...admin.identity(), 'content-type': 'application/octet-stream' }
    const refused = await fetch(`${world.url}/api/import/file?name=a`, { method: 'POST', headers, body: 'x' })
    expect((await refused.json()).success).toBe(false)
    expect((await world.admin.post('/api/import/file?name=a', {})).message).toContain('application/octet-stream')
  })

  it('is written only by the report that was confirmed', async () => {
    const { report } = await steps.checked(await good())
    expect((await world.admin.post('/api/import/confirm', { report: 'another' })).message).toMatch(/out of date/)
    // The name has changed in between, so the confirmed report no longer applies.
    dataOf(await world.admin.put('/api/option', { key: 'SystemName', value: 'Other' }))
    await world.gateway.inner.db
      .insertInto('tokens')
      .values({ user_id: 1, key_hash: 'x', key: 'x', created_time: 1 })
      .execute()
    dataOf(await world.admin.post('/api/import/confirm', { report: report?.id }))
    expect((await steps.over()).stage).toBe('done')
    expect((await world.admin.post('/api/import/confirm', { report: report?.id })).message).toMatch(/out of date/)
    expect((await world.admin.post('/api/import/check', {})).message).toBe('Choose a file first.')
  })

  it('leaves nothing half where the transaction fails', async () => {
    const { db } = world.gateway.inner
    const bytes = await siblingDatabase('new-api', {
      ...someone,
      users: [
        { id: 1, username: 'first', password: '', aff_code: 'f' },
        { id: 2, username: 'second', password: '', aff_code: 's' },
      ],
      channels: [{ id: 1, type: 1, key: 'k', name: 'c', models: 'm' }],
    })
    const { report } = await steps.checked(bytes)
    const before = await counted()
    const { sql } = await import('kysely')
    await sql`create trigger broken before insert on channels begin select raise(abort, 'no'); end`.execute(db)
    dataOf(await world.admin.post('/api/import/confirm', { report: report?.id }))
    const failed = await steps.over()
    await sql`drop trigger broken`.execute(db)
    expect([failed.stage, failed.error]).toEqual([
      'failed',
      'The import failed. Nothing was written. See the gateway log for details.',
    ])
    expect([await counted(), left()]).toEqual([before, []])
    expect((await db.selectFrom('import_marks').selectAll().execute()).length).toBe(1)
  })
})
