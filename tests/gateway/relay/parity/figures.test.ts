import { beforeAll, describe, expect, it } from 'vitest'
import type { Figures } from '../../../support/said.ts'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { lastReceipt, receiptsOf, recomputed } from '../metering/receipts.ts'
import { type DialectName, dialectNames, dialects } from './dialects.ts'
import { SAID } from './endings.ts'
import { answered } from './vendors.ts'

let world: World
let full: Person
let reduced: Person

beforeAll(async () => {
  world = await aWorld({ options: { GroupRatio: { default: 1, partner: 0.8 } } })
  await world.channel({ models: 'gpt-4o', group: 'default,partner' })
  await world.channel({ models: 'claude-sonnet-4-20250514', type: 14, group: 'default,partner' })
  full = await world.user({ quota: 1_000_000_000 })
  reduced = await world.user({ quota: 1_000_000_000, group: 'partner' })
})

const ways = dialectNames.flatMap((dialect) => [false, true].map((stream) => [dialect, stream] as const))

async function charged(person: Person, model: string, figures: Figures, [dialect, stream]: (typeof ways)[number]) {
  world.upstream.reset()
  world.upstream.answers((request) => answered(request, SAID, figures))
  const count = (await receiptsOf(world, person.id)).length
  const before = await person.quota()
  const { path, body } = dialects[dialect]
  const wanted = stream && dialect === 'openai' ? { stream_options: { include_usage: true } } : {}
  const answer = await person.calls(path(model, stream), { ...body(model, stream), ...wanted })
  const receipt = await lastReceipt(world, person.id, count + 1)
  expect(before - (await person.quota())).toBe(receipt.quota)
  expect(recomputed(receipt)).toBe(receipt.quota)
  return { quota: receipt.quota, told: toldIn(dialect, stream ? answer.events : [answer.json]) }
}

/** The prompt, cached and output tokens as reported to a client. */
// biome-ignore lint/suspicious/noExplicitAny: every dialect says it elsewhere
function toldIn(dialect: DialectName, said: any[]): readonly number[] {
  if (dialect === 'gemini') {
    const usage = said.findLast((one) => one.usageMetadata).usageMetadata
    return [usage.promptTokenCount, usage.cachedContentTokenCount, usage.candidatesTokenCount]
  }
  const usage = said.map((one) => one.usage ?? one.response?.usage).findLast(Boolean)
  if (dialect === 'openai')
    return [usage.prompt_tokens, usage.prompt_tokens_details.cached_tokens, usage.completion_tokens]
  if (dialect === 'responses')
    return [usage.input_tokens, usage.input_tokens_details.cached_tokens, usage.output_tokens]
  const start = said.find((one) => one.type === 'message_start')?.message.usage ?? {}
  const all = { ...start, ...usage }
  const { input_tokens, cache_read_input_tokens: read, cache_creation_input_tokens: written = 0, output_tokens } = all
  return [input_tokens + read + written, read, output_tokens]
}

describe('figures at the built-in prices (docs/reference/billing.md#built-in-prices)', () => {
  it.each(ways)(
    'gpt-4o: 1000 tokens, 400 of them cached, and 200 out are 2000 Q to %s clients, streamed: %s',
    async (...way) => {
      const { quota, told } = await charged(full, 'gpt-4o', { prompt: 1000, cached: 400, completion: 200 }, way)
      expect(quota).toBe(2000)
      expect(told).toEqual([1000, 400, 200])
    },
  )

  it.each(ways)(
    'claude-sonnet-4: 100 in, 1000 read, 200 written and 50 out at 0.8 are 840 Q to %s clients, streamed: %s',
    async (...way) => {
      const figures = { prompt: 1300, cached: 1000, written: 200, completion: 50 }
      const { quota, told } = await charged(reduced, 'claude-sonnet-4-20250514', figures, way)
      expect(quota).toBe(840)
      expect(told).toEqual([1300, 1000, 50])
    },
  )
})
