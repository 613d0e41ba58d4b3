import { beforeAll, describe, expect, it } from 'vitest'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { lastReceipt, receiptsOf, recomputed } from '../metering/receipts.ts'
import { type DialectName, dialectNames, dialects } from './dialects.ts'
import { type Ending, endings, live, SAID } from './endings.ts'
import { begun } from './vendors.ts'

let world: World
let alice: Person

/** The channel type of each model; the models' names reveal no vendor. */
const types = { 'mystery-a': 1, 'mystery-b': 14, 'mystery-c': 24, 'mystery-d': 43 } as const
const models = Object.keys(types) as (keyof typeof types)[] // the keys of a constant
const CLAUDE = 'claude-sonnet-4-20250514'

beforeAll(async () => {
  world = await aWorld({
    options: { ModelRatio: { ...Object.fromEntries(models.map((model) => [model, 1])), [CLAUDE]: 1.5 }, RetryTimes: 0 },
  })
  for (const model of models) await world.channel({ models: model, type: types[model] })
  await world.channel({ models: CLAUDE, type: 14 })
  alice = await world.user({ quota: 1_000_000_000 })
})

async function receiptOf(work: () => Promise<unknown>) {
  const count = (await receiptsOf(world, alice.id)).length
  await work()
  return lastReceipt(world, alice.id, count + 1)
}

describe('a model with an unknown tokenizer (docs/reference/billing.md#missing-usage, docs/reference/tokens.md#token-estimator)', () => {
  const cut: Ending = {
    answers: [
      (asked) => {
        const events = begun(asked, SAID, null, 2)
        return { events: [...events, 'never'], cutAfter: events.length }
      },
    ],
  }
  const wheres: readonly (readonly [string, Ending, readonly boolean[]])[] = [
    ['no usage', endings['no usage'], [false, true]],
    ['no usage of tools', endings['no usage of tools'], [false, true]],
    ['cut before any usage', cut, [true]],
  ]
  it.each(wheres)('is estimated equally for every client, vendor and mode: %s', async (_, ending, streams) => {
    const found = new Map<string, string[]>()
    for (const dialect of dialectNames)
      for (const model of models)
        for (const stream of streams) {
          const way = [dialect, model, stream] as const
          const { prompt_tokens, completion_tokens } = await receiptOf(() => live(world, alice, ending, way))
          expect(completion_tokens, way.join(' ')).toBeGreaterThan(0)
          const figures = `${prompt_tokens} in, ${completion_tokens} out`
          found.set(figures, [...(found.get(figures) ?? []), way.join(' ')])
        }
    expect(Object.keys(Object.fromEntries(found)), JSON.stringify([...found], null, 1)).toHaveLength(1)
  })
})

describe('a stream of Claude that breaks off (docs/reference/billing.md#missing-usage)', () => {
  it('preserves the prompt and cache figures of its beginning, for every client', async () => {
    const figures = { prompt: 1300, cached: 1000, written: 200, completion: 50 }
    const asks = (dialect: DialectName) => {
      world.upstream.reset()
      world.upstream.answers((request) => {
        const events = begun(request, SAID, figures, 2)
        return { events: [...events, 'never'], cutAfter: events.length }
      })
      const { path, body } = dialects[dialect]
      return alice.calls(path(CLAUDE, true), body(CLAUDE, true))
    }
    const receipts = []
    for (const dialect of dialectNames) receipts.push(await receiptOf(() => asks(dialect)))
    for (const receipt of receipts) {
      expect(receipt).toMatchObject({ prompt_tokens: 100, other: { cache_tokens: 1000, cache_creation_tokens: 200 } })
      expect(receipt.completion_tokens).toBe(receipts[0]?.completion_tokens)
      expect(receipt.quota).toBe(recomputed(receipt))
    }
  })
})
