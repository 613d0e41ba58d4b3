import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { beforeAll, describe, expect, it } from 'vitest'
import { createVault } from '../../gateway/base/secrets/ciphers.ts'
import { withAuthenticator } from '../support/authenticator.ts'
import { aClock } from '../support/clock.ts'
import { SQLITE } from '../support/tables.ts'
import { aWorld, PASSWORD, type Person, type World } from '../support/world.ts'
import { asked, askWith, bodiesOf } from './relay/kept-bodies/kept-fixture.ts'

type Row = Readonly<Record<string, string | number | null>>
type Found = Readonly<{ sealed: string; column: string; place: string }>

/** Names that identify rows with sealed values. A conversation's items are numbered within it. */
const rowNames: Readonly<Record<string, (row: Row) => string>> = {
  authenticators: ({ user_id }) => String(user_id),
  conversation_items: ({ conversation_id, id }) => `${conversation_id}/${id}`,
  conversation_parts: ({ conversation_id, id, part }) => `${conversation_id}/${id}/${part}`,
  kept_bodies: ({ request_id }) => String(request_id),
  options: ({ key }) => String(key),
}
/** What to select from instead of the table. A part belongs to an item. */
const sources: Readonly<Record<string, string>> = {
  conversation_parts:
    '(select conversation_parts.*, id from conversation_parts join conversation_items using (conversation_id, position))',
}
const SEALED = /v1\.[0-9a-f]{8}\.[\w-]{16}\.[\w-]+/g
const key = randomBytes(32)

let world: World
let alice: Person
let kept: Awaited<ReturnType<typeof askWith>>

/** A gateway with at least two values in every sealed column. */
beforeAll(async () => {
  const clock = aClock(1_800_000_000_000)
  const config = { ...SQLITE, SWITCHYARD_MASTER_KEY: key.toString('base64'), FETCH_ALLOWED_ADDRESSES: '127.0.0.1' }
  const options = { ModelRatio: { m: 1, 'deepseek-chat': 1 }, KeepBodiesEnabled: true, SMTPToken: 'a-token' } as const
  world = await aWorld({ clock, config, options: { ...options, EpayKey: 'a-key', KeepBodiesViewers: 'admin' } })
  for (const models of ['m', 'deepseek-chat'])
    await world.channel({
      models,
      type: models === 'm' ? 1 : 43,
      setting: JSON.stringify({ proxy: '' }),
      param_override: JSON.stringify({ temperature: 0 }),
    })
  alice = await world.user({ quota: 1_000_000 })
  for (const person of [alice, await world.user()]) {
    const webhook = { notify_type: 'webhook', webhook_url: 'http://127.0.0.1:9/', webhook_secret: 'a-secret' }
    await person.put('/api/user/setting', { ...webhook, quota_warning_threshold: 1_000_000 })
    await withAuthenticator(person, PASSWORD, clock)
  }
  const token = await world.token(alice, { keep_bodies: true })
  kept = await askWith({ world }, token.key, asked('hello'))
  await askWith({ world }, token.key, asked('hello'))
  for (const turn of ['one', 'two']) {
    await alice.calls('/v1/responses', { model: 'deepseek-chat', input: turn })
    const items = [{ type: 'message', role: 'user', content: turn }]
    await alice.calls('/v1/conversations', { metadata: { turn }, items })
  }
  await alice.calls('/v1/conversations', { items: [{ type: 'message', role: 'user', content: 'x'.repeat(2_000_000) }] })
  await bodiesOf(world.admin, kept)
})

/** Every sealed value in the database, and its place. */
function sealedValues(): Found[] {
  const database = new Database(join(world.folder, 'switchyard.db'), { readonly: true })
  try {
    const tables = database.prepare("select name from sqlite_master where type = 'table'").pluck().all() as string[]
    return tables.flatMap((table) =>
      (database.prepare(`select * from ${sources[table] ?? `"${table}"`}`).all() as Row[]).flatMap((row) =>
        Object.entries(row).flatMap(([name, value]) =>
          [...String(value).matchAll(SEALED)].map(([sealed]) => {
            // The webhook's secret is inside the `setting` of its account.
            const column = table === 'users' ? 'webhook_secret' : name
            return { sealed, column: `${table}.${column}`, place: `${table}|${nameOf(table, row)}|${column}` }
          }),
        ),
      ),
    )
  } finally {
    database.close()
  }
}

const nameOf = (table: string, row: Row): string => rowNames[table]?.(row) ?? String(row.id)

const opens = (sealed: string, place: string): boolean => {
  try {
    createVault(key).open(sealed, place)
    return true
  } catch {
    return false
  }
}

describe('a sealed value (docs/reference/security.md#secrets-at-rest)', () => {
  it('opens at its own table, row and column, and at no other of the database', async () => {
    // Rows of these tables are written a moment later.
    for (const table of ['pending_notices', 'stored_responses'] as const) {
      const rows = world.gateway.inner.db.selectFrom(table).selectAll()
      await expect.poll(async () => (await rows.execute()).length).toBeGreaterThan(0)
    }
    const values = sealedValues()
    expect([...new Set(values.map(({ column }) => column))].sort()).toEqual([
      'authenticators.secret',
      'channels.key',
      'channels.param_override',
      'channels.setting',
      'conversation_items.content',
      'conversation_parts.content',
      'conversations.metadata',
      'kept_bodies.answer',
      'kept_bodies.request',
      'options.value',
      'pending_notices.letter',
      'stored_responses.content',
      'tokens.key',
      'users.webhook_secret',
    ])
    const wrong = values.flatMap(({ sealed, place }) =>
      values
        .filter((other) => opens(sealed, other.place) !== (other.place === place))
        .map((other) => [place, other.place]),
    )
    expect(wrong).toEqual([])
  })

  it('that was moved to another column or row by SQL cannot be opened', async () => {
    const { db, registry } = world.gateway.inner
    const bodies = await db.selectFrom('kept_bodies').selectAll().execute()
    expect((await bodiesOf(world.admin, kept)).success).toBe(true)
    for (const { request_id, request, answer } of bodies)
      await db
        .updateTable('kept_bodies')
        .set({ request: answer, answer: request })
        .where('request_id', '=', request_id)
        .execute()
    expect((await bodiesOf(world.admin, kept)).success).toBe(false)
    const [one] = await db.selectFrom('channels').selectAll().execute()
    await db
      .updateTable('channels')
      .set({ param_override: one?.setting ?? '' })
      .where('id', '=', one?.id ?? 0)
      .execute()
    const again = await world.restart()
    expect(registry.channel(one?.id ?? 0)).toBeDefined()
    expect(again.gateway.inner.registry.channel(one?.id ?? 0)).toBeUndefined()
  })
})
