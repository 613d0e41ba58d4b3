import { sql } from 'kysely'
import OpenAI from 'openai'
import { beforeAll, describe, expect, it } from 'vitest'
import type { ImportState } from '../../../shared/api/import.ts'
import { dataOf, signedIn } from '../../support/client.ts'
import { aClock } from '../../support/clock.ts'
import { reconcile } from '../../support/reconcile.ts'
import { SIBLING_HASH, SIBLING_PASSWORD, type SiblingRows, siblingDatabase } from '../../support/sibling-database.ts'
import { aWorld, type World } from '../../support/world.ts'
import { countsIn, importing } from './importing.ts'

/** A time at which 308 log rows are over a year old. */
const NOW_MS = 1_700_000_000_000
const KEY = 'k'.repeat(44)
const keyOf = (user: number, token: number) =>
  `${KEY.slice(0, 40)}${String(user).padStart(5, '0')}${String(token).padStart(3, '0')}`

/** Several years of data: users, their tokens, deleted rows, and a usage log. */
function yearsOf(upstream: string): SiblingRows {
  const password = SIBLING_HASH
  const people = Array.from({ length: 40 }, (_, index) => ({
    id: index + 10,
    username: `old${index}`,
    password,
    role: 1,
    quota: 1_000_000 + index * 7,
    used_quota: index * 1_000_003,
    request_count: index * 11,
    group: index % 2 === 0 ? 'default' : 'vip',
    aff_code: `c${index}`,
    inviter_id: index === 0 ? 0 : 10,
    email: `old${index}@example.com`,
  }))
  return {
    setups: [{ id: 1, version: 'v0.7', initialized_at: 1_650_000_000 }],
    users: [
      {
        id: 1,
        username: 'root',
        password,
        role: 100,
        quota: 100_000_000,
        used_quota: 5,
        aff_code: 'r00t',
        access_token: 'a'.repeat(32),
      },
      {
        id: 2,
        username: 'helper',
        password,
        role: 10,
        quota: -250,
        used_quota: 9,
        aff_code: 'help',
        setting: '{"notify_type":"email"}',
      },
      { id: 3, username: 'gone', password, quota: 5, aff_code: 'gone', deleted_at: '2024-01-01 00:00:00' },
      { id: 4, username: 'banned', password, status: 2, quota: 5, aff_code: 'bann' },
      ...people,
    ],
    tokens: [
      ...people.flatMap(({ id }) =>
        [1, 2].map((token) => ({
          user_id: id,
          key: keyOf(id, token),
          name: `token ${token}`,
          created_time: 1_650_000_000,
          remain_quota: 500_000,
          unlimited_quota: token === 1 ? 1 : 0,
          used_quota: token * 13,
        })),
      ),
      {
        user_id: 2,
        key: keyOf(2, 1),
        name: 'limited',
        unlimited_quota: 1,
        model_limits_enabled: 1,
        model_limits: 'gpt-4o,other',
        allow_ips: '127.0.0.1\n10.0.0.0/8',
      },
      { user_id: 2, key: keyOf(2, 2), name: 'unreadable', unlimited_quota: 1, allow_ips: 'anywhere' },
      { user_id: 10, key: keyOf(10, 9), name: 'deleted', deleted_at: '2024-01-01 00:00:00' },
      { user_id: 3, key: keyOf(3, 1), name: 'of nobody' },
      { user_id: 10, key: 'short', name: 'short' },
    ],
    channels: [
      {
        id: 7,
        type: 1,
        key: 'key-one\nkey-two',
        name: 'main',
        models: 'gpt-4o,gpt-4o-mini',
        group: 'default,vip',
        base_url: upstream,
        used_quota: 777,
        weight: 3,
        priority: 2,
        tag: 'main',
        setting: '{"force_format":true}',
        model_mapping: '{}',
        status_code_mapping: '{"429":"500"}',
        param_override: '{"temperature":0}',
      },
      { id: 8, type: 14, key: 'sk-ant', name: 'claude', models: 'claude-x', status: 2, model_mapping: '{"a":1}' },
      { id: 9, type: 52, key: 'video', name: 'video', models: 'v' },
      { id: 11, type: 1, key: 'secret', name: 'metadata', models: 'gpt-4o', base_url: 'http://169.254.169.254' },
    ],
    options: [
      { key: 'ModelRatio', value: '{"gpt-4o":1.25,"gpt-4o-mini":0.075}' },
      { key: 'CompletionRatio', value: '{"gpt-4o":4}' },
      { key: 'GroupRatio', value: '{"default":1,"vip":0.5}' },
      { key: 'SystemName', value: 'The old house' },
      { key: 'RetryTimes', value: 'many' },
      { key: 'GitHubClientSecret', value: 'their-secret' },
      { key: 'PasswordLoginEnabled', value: 'false' },
      { key: 'SomethingElse', value: '1' },
    ],
    redemptions: [
      { user_id: 1, key: 'code-1', name: 'gift', quota: 500, created_time: 1, status: 1 },
      { user_id: 1, key: 'code-2', name: 'gift', quota: 0, created_time: 1 },
      { user_id: 1, key: 'code-3', name: 'gift', quota: 5, created_time: 1, deleted_at: '2024-01-01' },
    ],
    top_ups: [{ user_id: 10, amount: 5, money: 5.5, trade_no: 'trade-1', create_time: 5, status: 'success' }],
    logs: Array.from({ length: 1200 }, (_, index) => ({
      user_id: 10 + (index % 40),
      created_at: 1_650_000_000 + index * 60_000,
      type: 2,
      content: index === 0 ? 'a call'.repeat(1000) : 'a call',
      username: `old${index % 40}`,
      model_name: 'gpt-4o',
      quota: 10,
      prompt_tokens: 3,
      channel_id: 7,
      other: index === 0 ? JSON.stringify({ model_ratio: 1.25, long: 'x'.repeat(16_384) }) : '{"model_ratio":1.25}',
    })),
  }
}

describe('a new-api database with years of rows', () => {
  let world: World
  let bytes: Buffer
  let dry: ImportState
  let done: ImportState
  const usersIn = (folder: World) => folder.gateway.inner.db.selectFrom('users').selectAll().orderBy('id').execute()
  beforeAll(async () => {
    world = await aWorld({ clock: aClock(NOW_MS) })
    bytes = await siblingDatabase('new-api', yearsOf(world.upstream.url))
    const { checked, imported } = importing(world)
    dry = await checked(bytes, { history: true })
    expect(dry.error).toBe('')
    expect(await usersIn(world), 'a dry run writes nothing').toHaveLength(1)
    done = await imported(bytes, { history: true })
    expect(done.error).toBe('')
  }, 60_000)

  it('brings rows of the log no longer than those of this gateway', async () => {
    const { db } = world.gateway.inner
    const long = db.selectFrom('logs').select(db.fn.countAll<number>().as('n')).where('model_name', '=', 'gpt-4o')
    const empty = await long.where('other', '=', '').executeTakeFirstOrThrow()
    expect(empty.n).toBe(1)
    const max = await db
      .selectFrom('logs')
      .select(({ fn }) => fn.max(sql<number>`length(content)`).as('n'))
      .executeTakeFirstOrThrow()
    expect(max.n).toBe(4000)
  })

  it('is reported in a dry run, table by table and row by row, before anything is written', () => {
    expect(dry).toMatchObject({
      stage: 'checked',
      report: { origin: 'new-api', is_ready: true, choices: { history: true } },
    })
    expect(countsIn(dry.report?.tables ?? [])).toEqual({
      users: '43/0/1/0',
      tokens: '82/0/1/2',
      channels: '2/0/0/2',
      options: '4/0/0/4',
      redemptions: '1/0/1/1',
      top_ups: '1/0/0/0',
      logs: '1200/0/0/0',
    })
    const told = dry.report?.remarks.map(({ table, row, outcome, text }) => `${table} ${row} ${outcome}: ${text}`)
    expect(told).toEqual([
      'users root changed: The name is already in use. The user becomes root-2.',
      'users root changed: The super administrator becomes an administrator.',
      'tokens unreadable changed: An entry of the IP allow list cannot be read, or it has more than 100. The token is imported disabled. Check the list before you enable it.',
      'tokens of nobody left_out: Its user is not imported.',
      'tokens short left_out: The key has characters or a length that cannot be used here.',
      'channels claude changed: The field model_mapping is not valid or is empty and is left out.',
      'channels video left_out: Channel type 52 is not supported.',
      'channels metadata left_out: The channel is not valid: base_url: address.',
      expect.stringMatching(/^options RetryTimes left_out: /),
      'options GitHubClientSecret left_out: This setting depends on the installation. Check it in the settings.',
      'options PasswordLoginEnabled left_out: This setting depends on the installation. Check it in the settings.',
      'options SomethingElse left_out: This setting does not exist here.',
      'redemptions gift left_out: The code is empty or its quota is outside the allowed range.',
      'logs * note: The usage log here is limited to 365 days. 308 entries in the file are older and would soon be removed again. To retain them, first raise the limit, or set it to 0.',
    ])
    expect(JSON.stringify(dry)).not.toContain('their-secret')
  })

  it('is imported as the report announced', () => {
    expect(done).toMatchObject({ stage: 'done', file: null, result: { is_whole: true } })
    expect(done.result?.tables).toEqual(dry.report?.tables)
  })

  it('imports payments in whole cents, and credits nothing for them', async () => {
    const rows = await world.gateway.inner.db.selectFrom('top_ups').selectAll().execute()
    expect(rows).toMatchObject([{ trade_no: 'trade-1', amount: 5, money_cents: 550, quota: 0, status: 'success' }])
  })

  it('preserves every balance to the unit, and the ledger adds up to them', async () => {
    const users = await usersIn(world)
    for (const theirs of yearsOf('').users ?? []) {
      const name = theirs.username === 'root' ? 'root-2' : theirs.username
      const ours = users.find(({ username }) => username === name)
      if (theirs.deleted_at) expect(ours).toBeUndefined()
      else
        expect(ours).toMatchObject({
          quota: theirs.quota,
          used_quota: theirs.used_quota ?? 0,
          request_count: theirs.request_count ?? 0,
        })
    }
    expect(await reconcile(world.gateway.inner.db)).toEqual([])
    for (const scope of ['new', 'all']) {
      dataOf(await world.admin.post('/api/ledger/check', { scope }))
      await expect.poll(async () => dataOf(await world.admin.get('/api/ledger')).running).toBe(null)
      expect(dataOf(await world.admin.get('/api/ledger')).checks[0]).toMatchObject({ state: 'done', differences: 0 })
    }
  })

  it('answers the OpenAI SDK with the old keys, at the old prices, and charges to the unit', async () => {
    const client = new OpenAI({ apiKey: `sk-${keyOf(11, 2)}`, baseURL: `${world.url}/v1`, maxRetries: 0 })
    const answer = await client.chat.completions.create({
      model: 'gpt-4o',
      messages: [{ role: 'user', content: 'hi' }],
    })
    expect(answer.choices[0]?.message.content).toBe('Hello there')
    const { db, ledger } = world.gateway.inner
    await ledger.flush()
    const user = await db.selectFrom('users').selectAll().where('username', '=', 'old1').executeTakeFirstOrThrow()
    const spent = 1_000_007 - user.quota
    expect(spent).toBeGreaterThan(0)
    expect(user.used_quota).toBe(1_000_003 + spent)
    const token = await db
      .selectFrom('tokens')
      .selectAll()
      .where('user_id', '=', user.id)
      .where('name', '=', 'token 2')
      .executeTakeFirstOrThrow()
    expect([token.remain_quota, token.used_quota]).toEqual([500_000 - spent, 26 + spent])
    expect(await reconcile(db)).toEqual([])
  })

  it('preserves limits of tokens, groups, invitations, settings and disabled objects', async () => {
    const { db } = world.gateway.inner
    const users = await usersIn(world)
    const id = (name: string) => users.find(({ username }) => username === name)?.id ?? 0
    expect(users.find(({ username }) => username === 'root-2')?.role).toBe(10)
    expect(users.find(({ username }) => username === 'banned')?.status).toBe(2)
    expect(users.find(({ username }) => username === 'old3')).toMatchObject({
      group: 'vip',
      inviter_id: id('old0'),
      aff_code: 'c3',
    })
    expect(users.find(({ username }) => username === 'helper')).toMatchObject({
      setting: '{"notify_type":"email"}',
      role: 10,
    })
    const tokens = await db.selectFrom('tokens').selectAll().where('user_id', '=', id('helper')).orderBy('id').execute()
    expect(tokens).toMatchObject([
      {
        model_limits_enabled: 1,
        model_limits: 'gpt-4o,other',
        allow_ips: '127.0.0.1\n10.0.0.0/8',
        status: 1,
        expired_time: -1,
      },
      { name: 'unreadable', status: 2 },
    ])
    expect(tokens.every(({ key }) => key.startsWith('v1.'))).toBe(true)
    const channels = await db.selectFrom('channels').selectAll().orderBy('id').execute()
    expect(channels).toMatchObject([
      { name: 'main', group: 'default,vip', weight: 3, priority: 2, tag: 'main', status: 1, model_mapping: '' },
      { name: 'claude', status: 2, type: 14, model_mapping: '' },
    ])
    expect(channels.every(({ key }) => key.startsWith('v1.'))).toBe(true)
    expect(JSON.stringify(channels)).not.toContain('key-one')
    const keys = dataOf(await world.admin.get(`/api/channel/keys/${channels[0]?.id}`))
    expect(keys).toHaveLength(2)
    const options = dataOf(await world.admin.get('/api/option'))
    expect(options).toContainEqual({ key: 'SystemName', value: 'The old house' })
    const [logs] = await db
      .selectFrom('logs')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .where('content', '=', 'a call')
      .execute()
    // All rows except the one with different content.
    expect(logs?.n).toBe(1199)
  })

  it('lets people sign in with the password they had, which is hashed again', async () => {
    const { db } = world.gateway.inner
    const hash = async () =>
      (await db.selectFrom('users').select('password').where('username', '=', 'old5').executeTakeFirstOrThrow())
        .password
    expect(await hash()).toBe(SIBLING_HASH)
    await expect(signedIn(world.url, 'old5', 'another')).rejects.toThrow('cannot sign in')
    expect(await hash()).toBe(SIBLING_HASH)
    await signedIn(world.url, 'old5', SIBLING_PASSWORD)
    expect(await hash()).toMatch(/^\$argon2id\$/)
    await signedIn(world.url, 'old5', SIBLING_PASSWORD)
    const { id } = await db.selectFrom('users').select('id').where('username', '=', 'root-2').executeTakeFirstOrThrow()
    const headers = { authorization: 'a'.repeat(32), 'new-api-user': String(id) }
    expect((await fetch(`${world.url}/api/user/self`, { headers })).status).toBe(200)
  })

  it('adds nothing twice', async () => {
    const counts = async () => {
      const { db } = world.gateway.inner
      const tables = ['users', 'tokens', 'channels', 'redemptions', 'top_ups', 'logs', 'ledger', 'imports'] as const
      const all = await Promise.all(
        tables.map((table) =>
          db
            .selectFrom(table)
            .select(({ fn }) => fn.countAll<number>().as('n'))
            .executeTakeFirstOrThrow(),
        ),
      )
      return all.map(({ n }) => n)
    }
    const before = await counts()
    const { checked } = importing(world)
    const again = await checked(bytes, { history: true })
    expect(countsIn(again.report?.tables ?? [])).toMatchObject({
      users: '0/43/1/0',
      tokens: '0/82/1/2',
      channels: '0/2/0/2',
      redemptions: '0/1/1/1',
      top_ups: '0/1/0/0',
      logs: '0/1200/0/0',
    })
    expect(again.report?.is_ready).toBe(false)
    const refused = await world.admin.post('/api/import/confirm', { report: again.report?.id })
    expect(refused.message).toBe('There is nothing to import.')
    expect(await counts()).toEqual(before)
  })
})

it('rows of the log that are imported later belong to the tokens and users imported before', async () => {
  const world = await aWorld({ clock: aClock(NOW_MS) })
  const person = { password: SIBLING_HASH, quota: 5 }
  const bytes = await siblingDatabase('new-api', {
    setups: [{ id: 1, version: 'v0.7', initialized_at: 1_650_000_000 }],
    users: [
      { id: 1, username: 'root', role: 100, aff_code: 'r00t', ...person },
      { id: 7, username: 'ann', role: 1, aff_code: 'anna', ...person },
    ],
    tokens: [{ user_id: 7, key: keyOf(7, 1), name: 'laptop', created_time: 1_650_000_000 }],
    logs: [{ user_id: 7, token_id: 1, created_at: 1_699_000_000, type: 2, content: 'a call', quota: 10 }],
  })
  const { imported } = importing(world)
  await imported(bytes)
  await imported(bytes, { history: true })
  const { db } = world.gateway.inner
  const logged = await db
    .selectFrom('logs')
    .innerJoin('tokens', 'tokens.id', 'logs.token_id')
    .innerJoin('users', 'users.id', 'logs.user_id')
    .select(['tokens.name', 'users.username'])
    .execute()
  expect(logged).toEqual([{ name: 'laptop', username: 'ann' }])
})
