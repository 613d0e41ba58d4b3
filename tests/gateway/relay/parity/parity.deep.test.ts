import { beforeAll, describe, expect, it } from 'vitest'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { balancesOf, lastReceipt, receiptsOf, recomputed } from '../metering/receipts.ts'
import { dialectNames } from './dialects.ts'
import { COUNTED_PROMPT, type EndingName, endingNames, endings, live } from './endings.ts'

let world: World
let alice: Person
const GIVEN = 1_000_000_000

const types = { openai: 1, anthropic: 14, gemini: 24, compatible: 43, responses: 1 } as const
/**
 * The upstream's name of the model, by family. OpenAI offers one of them only in Responses, so it is requested there
 * whatever the caller's dialect.
 */
const upstreams = {
  openai: 'gpt-4o',
  anthropic: 'gpt-4o',
  gemini: 'gpt-4o',
  compatible: 'gpt-4o',
  responses: 'gpt-5-codex',
}
const families = Object.keys(types) as (keyof typeof types)[] // the keys of a constant
const cells = dialectNames.flatMap((dialect) => families.map((family) => [dialect, family] as const))

beforeAll(async () => {
  const models = families.map((family) => `same-by-${family}`)
  const same = (value: number) => Object.fromEntries(models.map((model) => [model, value]))
  world = await aWorld({
    options: { ModelRatio: same(1.25), CompletionRatio: same(4), CacheRatio: same(0.5), RetryTimes: 2 },
  })
  for (const family of families) {
    const channel = {
      models: `same-by-${family}`,
      type: types[family],
      model_mapping: JSON.stringify({ [`same-by-${family}`]: upstreams[family] }),
    }
    await world.channel({ ...channel, priority: 1 })
    await world.channel(channel)
  }
  alice = await world.user({ quota: GIVEN })
})

/** Numbers of tokens of "The quick brown fox jumps over the lazy dog." and of its first two pieces. */
const WHOLE = 10
const PART = 6
const counted = (completion: number) => ({
  prompt: COUNTED_PROMPT,
  completion,
  quota: Math.round((COUNTED_PROMPT + completion * 4) * 1.25),
})
/**
 * Tokens of reasoning, text and both calls with their JSON, plus 7 per call (docs/reference/billing.md#missing-usage).
 */
const BUSY = 19 + 2 * 7
const nothing = { prompt: 0, completion: 0, quota: 0 }
const clean = { prompt: 1000, completion: 200, quota: 2000 }

/**
 * The cost of each ending, plain and streamed; the same for all pairs of dialects (docs/reference/billing.md#charge,
 * docs/reference/billing.md#missing-usage).
 */
const costs: Record<EndingName, readonly [plain: typeof clean, streamed: typeof clean]> = {
  clean: [clean, clean],
  'client gone': [clean, counted(PART)],
  'upstream cut': [nothing, counted(PART)],
  'no usage': [counted(WHOLE), counted(WHOLE)],
  'no usage of tools': [counted(BUSY), counted(BUSY)],
  'error event': [nothing, counted(PART)],
  'error at once': [clean, clean],
  retry: [clean, clean],
}

describe.each(cells)('%s clients of %s channels pay the same as all others', (dialect, family) => {
  const ways = endingNames.flatMap((name) => [false, true].map((stream) => [name, stream] as const))
  it.each(ways)('%s, streamed: %s', async (name, stream) => {
    const before = await alice.quota()
    const count = (await receiptsOf(world, alice.id)).length
    await live(world, alice, endings[name], [dialect, `same-by-${family}`, stream])
    const receipt = await lastReceipt(world, alice.id, count + 1)
    const { prompt_tokens, completion_tokens: completion, quota, other } = receipt
    const prompt = prompt_tokens + (other.claude ? other.cache_tokens : 0)
    expect({ prompt, completion, quota }).toEqual(costs[name][stream ? 1 : 0])
    expect(before - (await alice.quota())).toBe(quota)
    expect(await receiptsOf(world, alice.id)).toHaveLength(count + 1)
    if (receipt.type === 2) expect(recomputed(receipt)).toBe(quota)
    if (name === 'retry' || name === 'error at once') expect(other.admin_info.use_channel).toHaveLength(2)
  })
})

it('leaves the ledger right and no reservation', async () => {
  expect((await balancesOf(world, alice.id, GIVEN)).balanced).toBe(true)
  const quota = await alice.quota()
  const hold = await world.gateway.inner.ledger.hold({ requestId: 'everything', userId: alice.id, tokenId: 0, quota })
  hold.release()
})
