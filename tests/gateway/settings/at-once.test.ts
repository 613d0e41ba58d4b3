import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { encodeOption, type OptionKey, optionKeys } from '../../../shared/options/index.ts'
import { chatAnswer, chatStream } from '../../support/chat.ts'
import { retries } from '../../support/retries.ts'
import { aWorld, type World } from '../../support/world.ts'
import { receiptsOf, recomputed } from '../relay/metering/receipts.ts'

const MANY = 50
const put = (world: World, key: OptionKey, value: unknown) => world.admin.put('/api/option', { key, value })

/** The stored value of an option; undefined if it has no row. */
async function stored(world: World, key: OptionKey): Promise<string | undefined> {
  const { db } = world.gateway.inner
  return (await db.selectFrom('options').select('value').where('key', '=', key).executeTakeFirst())?.value
}
const inForce = ({ gateway }: World, key: OptionKey) => encodeOption(key, gateway.inner.settings.get(key))

/** Writes an option to the table as another process would. */
async function elsewhere(world: World, key: OptionKey, value: string): Promise<void> {
  const { db, settings } = world.gateway.inner
  await db
    .insertInto('options')
    .values({ key, value } as never) // later releases store more columns, each with a default
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute()
  await settings.reload()
}

describe('many changes at once (docs/reference/options.md#storage)', () => {
  it('of one option leave in force the value of the table, and each is announced once', async () => {
    const world = await aWorld()
    const { settings } = world.gateway.inner
    const seen: number[] = []
    settings.onChange(['MinTopUp'], () => seen.push(settings.get('MinTopUp')))
    const values = Array.from({ length: MANY }, (_, index) => index + 2)
    const replies = await Promise.all(values.map((value) => put(world, 'MinTopUp', value)))
    expect(replies.every(({ success }) => success)).toBe(true)
    expect(seen.toSorted((a, b) => a - b)).toEqual(values)
    expect(await stored(world, 'MinTopUp')).toBe(inForce(world, 'MinTopUp'))
    expect(seen.at(-1)).toBe(settings.get('MinTopUp'))
  })

  it('of many options, with another process writing in between, leave in force the values of the table', async () => {
    const world = await aWorld()
    const { settings } = world.gateway.inner
    const told = new Map<string, number>()
    settings.onChange(optionKeys, (changed) => {
      for (const key of changed) told.set(key, (told.get(key) ?? 0) + 1)
    })
    const words = ['TopUpLink', 'SystemName', 'Footer'] as const
    const changes = Array.from({ length: MANY }, (_, index) => {
      if (index % 5 === 4) return elsewhere(world, 'Notice', `from elsewhere ${index}`)
      if (index % 5 === 3) return put(world, 'RetryTimes', index % 10)
      const key = words[index % words.length] ?? 'Footer'
      return put(world, key, key === 'TopUpLink' ? `https://shop.example/${index}` : `here ${index}`)
    })
    await Promise.all(changes)
    await settings.reload()
    for (const key of ['Notice', 'RetryTimes', ...words] as const)
      expect([key, inForce(world, key)]).toEqual([key, await stored(world, key)])
    for (const [key, times] of told) expect([key, times <= MANY / 5]).toEqual([key, true])
    const before = [...told.values()]
    await Promise.all(Array.from({ length: MANY }, () => settings.reload()))
    expect([...told.values()], 'reading the same again is no change').toEqual(before)
  })

  it('are undone by another process that deletes the row: the default applies again', async () => {
    const world = await aWorld({ options: { RetryTimes: 7, Notice: 'hello' } })
    const { db, settings } = world.gateway.inner
    const seen: unknown[] = []
    settings.onChange(['RetryTimes', 'Notice'], (changed) => seen.push(...changed))
    await db.deleteFrom('options').where('key', '=', 'RetryTimes').execute()
    await settings.reload()
    expect([settings.get('RetryTimes'), settings.get('Notice'), seen]).toEqual([retries.usual, 'hello', ['RetryTimes']])
  })

  it('reach every listener, even if one of them throws, now or later', async () => {
    const warned: unknown[] = []
    const log = { debug() {}, info() {}, error() {}, warn: (message: string) => void warned.push(message) }
    const world = await aWorld({ log: log as never }) // the gateway uses only these methods of a logger
    const { settings } = world.gateway.inner
    const seen: string[] = []
    settings.onChange(['Notice'], () => {
      throw new Error('at once')
    })
    settings.onChange(['Notice'], () => Promise.reject(new Error('later')))
    settings.onChange(['Notice'], () => void seen.push(settings.get('Notice')))
    expect((await put(world, 'Notice', 'one')).success).toBe(true)
    expect((await put(world, 'Notice', 'two')).success).toBe(true)
    await turn()
    expect(seen).toEqual(['one', 'two'])
    expect(warned.filter((message) => message === 'a listener to settings failed')).toHaveLength(4)
  })
})

describe('the relay while prices change', () => {
  it('charges each call by one set of prices, whole or streamed, and nothing is lost', {
    timeout: 60_000,
  }, async () => {
    const world = await aWorld({ options: { ModelRatio: { 'gpt-4o': 1 }, CompletionRatio: { 'gpt-4o': 2 } } })
    await world.channel()
    const alice = await world.user({ quota: 100_000_000 })
    const usage = { prompt: 1000, completion: 100 }
    world.upstream.answers(({ json }) =>
      json.stream ? { events: chatStream(['hel', 'lo'], usage), gapMs: 1 } : { body: chatAnswer('hello', usage) },
    )
    const sets = [
      { model: 1, completion: 2, group: 1 },
      { model: 3, completion: 5, group: 2 },
      { model: 7, completion: 1, group: 0.5 },
    ]
    let isOver = false
    let changed = 0
    const changing = (async () => {
      for (let round = 1; !isOver; round += 1) {
        const set = sets[round % sets.length]
        const changes = [
          { key: 'ModelRatio', value: `{"gpt-4o":${set?.model}}` },
          { key: 'CompletionRatio', value: `{"gpt-4o":${set?.completion}}` },
          { key: 'GroupRatio', value: `{"default":${set?.group}}` },
        ]
        expect((await world.admin.put('/api/option/batch', { changes })).success).toBe(true)
        changed += 1
      }
    })()
    let batches = 0
    for (; batches < 4 || changed < 3; batches += 1) {
      const calls = Array.from({ length: 20 }, (_, index) => alice.asks('gpt-4o', 'hi', { stream: index % 2 === 0 }))
      for (const answer of await Promise.all(calls)) expect([answer.status, answer.content]).toEqual([200, 'hello'])
    }
    isOver = true
    await changing
    const receipts = await receiptsOf(world, alice.id)
    expect(receipts).toHaveLength(batches * 20)
    const seen = new Set<unknown>()
    for (const { quota, other, ...receipt } of receipts) {
      const set = sets.find(({ model }) => model === other.model_ratio)
      expect([other.completion_ratio, other.group_ratio]).toEqual([set?.completion, set?.group])
      expect(quota).toBe((set?.group ?? 0) * (set?.model ?? 0) * (1000 + 100 * (set?.completion ?? 0)))
      expect(quota).toBe(recomputed({ quota, other, ...receipt }))
      seen.add(set)
    }
    expect(seen.size, 'prices did change').toBeGreaterThan(1)
    const spent = receipts.reduce((sum, { quota }) => sum + quota, 0)
    expect(await alice.quota()).toBe(100_000_000 - spent)
  })
})
