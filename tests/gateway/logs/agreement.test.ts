import { beforeAll, describe, expect, it } from 'vitest'
import type { QuotaData } from '../../../shared/api/data.ts'
import { logType } from '../../../shared/enums.ts'
import { chatAnswer } from '../../support/chat.ts'
import { dataOf } from '../../support/client.ts'
import { randomFrom } from '../../support/random.ts'
import { aWorld, type World } from '../../support/world.ts'

/**
 * Charges have the same sum wherever they are read: log rows, their sums, hourly usage and the ledger
 * (docs/reference/logs.md#sums, docs/reference/dashboard.md#usage-by-hour).
 */
const random = randomFrom(20_261_129)
const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T // the lists are not empty

type Row = Readonly<{ quota: number; prompt_tokens: number; completion_tokens: number; type: number }>
type Account = Readonly<{ id: number; username: string }>

let world: World
let accounts: Account[]
let tokens: number[]
let channels: number[]
let start: number

beforeAll(async () => {
  world = await aWorld({
    options: { ModelRatio: { large: 7.5, medium: 1, small: 0.075 }, ModelPrice: { fixed: 0.002 } },
  })
  channels = [
    await world.channel({ name: 'one', models: 'large,medium,small,fixed', priority: 9 }),
    await world.channel({ name: 'two', models: 'medium,small' }),
  ]
  const people = [await world.user({ username: 'alice' }), await world.user({ username: 'alicia' }), world.admin]
  accounts = people.map(({ id, username }) => ({ id, username }))
  const keys = await Promise.all(
    people.flatMap((person) =>
      ['work', 'home'].map(async (name) => ({
        person,
        token: await world.token(person, { name, unlimited_quota: true }),
      })),
    ),
  )
  tokens = keys.map(({ token }) => token.id)
  start = Math.floor(world.clock.now() / 1000)
  for (let n = 0; n < 80; n++) {
    world.upstream.reset()
    const fails = random() < 0.2
    const usage = { prompt: Math.ceil(random() * 5000), completion: Math.ceil(random() * 500) }
    const answer = fails
      ? { status: 400, body: { error: { message: 'no', type: 'invalid_request_error' } } }
      : { body: chatAnswer('ok', usage) }
    world.upstream.answers(...(random() < 0.2 ? [{ status: 500 }] : []), answer)
    const { person, token } = pick(keys)
    await person.asks(pick(['large', 'medium', 'small', 'fixed']), 'hi', {
      key: token.key,
      ...(random() < 0.3 ? { body: { stream: true } } : {}),
    })
    world.clock.advanceSeconds(Math.floor(random() * 5000))
  }
})

const queryOf = (filter: Readonly<Record<string, string | number | boolean | undefined>>) =>
  new URLSearchParams(
    Object.entries(filter).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  )

/** All rows that match the filter, over several pages. */
async function rowsOf(filter: Parameters<typeof queryOf>[0]): Promise<Row[]> {
  const rows: Row[] = []
  for (let p = 1; ; p++) {
    const page = dataOf(await world.admin.get(`/api/log?${queryOf({ ...filter, p, page_size: 10 })}`))
    rows.push(...page.items)
    if (rows.length >= page.total) return rows
  }
}

const sumOf = (rows: readonly { quota: number }[]) => rows.reduce((sum, { quota }) => sum + quota, 0)
const maybe = <T>(value: T): T | undefined => (random() < 0.5 ? value : undefined)

/** A range of whole hours, as in the hourly usage. */
function someHours() {
  const hours = Math.floor((world.clock.now() / 1000 - start) / 3600)
  const first = Math.floor(start / 3600) + Math.floor(random() * hours)
  const last = first + Math.floor(random() * (hours / 2))
  return { start_timestamp: first * 3600, end_timestamp: last * 3600 + 3599 }
}

describe('charges under random filters', () => {
  it('have the sum of their rows', async () => {
    for (let n = 0; n < 60; n++) {
      const filter = {
        username: maybe(pick(accounts).username),
        username_contains: maybe('lic'),
        token_id: maybe(pick(tokens)),
        token_name: maybe('work'),
        model_name: maybe(pick(['large', 'small', '%m%'])),
        channel: maybe(pick(channels)),
        type: maybe(logType.consume),
        stream: maybe(random() < 0.3),
        retried: maybe(random() < 0.3),
        ...maybe(someHours()),
      }
      const rows = await rowsOf(filter)
      const charged = rows.filter(({ type }) => type === logType.consume)
      const { quota, token } = dataOf(await world.admin.get(`/api/log/stat?${queryOf(filter)}`))
      expect({ quota, token }, queryOf(filter).toString()).toEqual({
        quota: sumOf(charged),
        token: charged.reduce((sum, row) => sum + row.prompt_tokens + row.completion_tokens, 0),
      })
    }
  })

  it('have the same sum by hour and in the ledger, of all and of one account, in whole hours', async () => {
    await world.gateway.inner.ledger.flush()
    for (let n = 0; n < 30; n++) {
      const account = maybe(pick(accounts))
      const range = someHours()
      const filter = { ...range, username: account?.username }
      const log = dataOf(await world.admin.get(`/api/log/stat?${queryOf(filter)}`)).quota
      const hours: QuotaData[] = dataOf(await world.admin.get(`/api/data?${queryOf(filter)}`))
      const entries = await world.gateway.inner.db
        .selectFrom('ledger')
        .select('amount')
        .where('kind', '=', 'consume')
        .where('created_at', '>=', range.start_timestamp)
        .where('created_at', '<=', range.end_timestamp)
        .$if(account !== undefined, (query) => query.where('user_id', '=', account?.id ?? 0))
        .execute()
      const ledger = entries.reduce((sum, { amount }) => sum - Number(amount), 0)
      expect({ hours: sumOf(hours), ledger }, queryOf(filter).toString()).toEqual({ hours: log, ledger: log })
    }
  })

  it('rank models, tokens and users by the sums that their filters have', async () => {
    for (let n = 0; n < 10; n++) {
      const range = someHours()
      const days = { today: start, yesterday: start }
      const { dearest } = dataOf(await world.admin.get(`/api/data/summary?${queryOf({ ...range, ...days })}`))
      const sum = async (filter: Parameters<typeof queryOf>[0]) =>
        dataOf(await world.admin.get(`/api/log/stat?${queryOf({ ...range, ...filter })}`)).quota
      for (const { name, quota } of dearest.models) expect(await sum({ model_name: name })).toBe(quota)
      for (const { id, quota } of dearest.tokens) expect(await sum({ token_id: id })).toBe(quota)
      for (const { name, quota } of dearest.users) expect(await sum({ username: name })).toBe(quota)
      world.clock.advanceSeconds(10)
    }
  })
})
