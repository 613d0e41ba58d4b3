import { beforeAll, describe, expect, it } from 'vitest'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { lastReceipt, receiptsOf } from '../metering/receipts.ts'
import { dialectNames, dialects } from './dialects.ts'
import { FIGURES, SAID } from './endings.ts'
import { answered, begun, errorEvent } from './vendors.ts'

let world: World
let alice: Person

const types = { openai: 1, anthropic: 14, gemini: 24, compatible: 43, responses: 1 } as const
const families = Object.keys(types) as (keyof typeof types)[] // the keys of a constant
const natives = [
  'openai openai',
  'openai compatible',
  'responses openai',
  'anthropic anthropic',
  'gemini gemini',
  'responses responses',
]
const cells = dialectNames
  .flatMap((dialect) => families.map((family) => [dialect, family] as const))
  .filter((cell) => !natives.includes(cell.join(' ')))

beforeAll(async () => {
  const names = families.map((family) => `same-by-${family}`)
  const same = (value: number) => Object.fromEntries(names.map((model) => [model, value]))
  const options = { ModelRatio: same(1.25), CompletionRatio: same(4), CacheRatio: same(0.5), RetryTimes: 1 }
  world = await aWorld({ options })
  for (const family of families) {
    const setting = family === 'responses' ? { setting: '{"api_format":"responses"}' } : {}
    await world.channel({ models: `same-by-${family}`, type: types[family], ...setting })
    await world.channel({ models: `same-by-${family}`, type: types[family], ...setting })
  }
  alice = await world.user({ quota: 1_000_000_000 })
})

const asks = async (dialect: (typeof dialectNames)[number], family: string, stream: boolean) => {
  const { path, body } = dialects[dialect]
  const model = `same-by-${family}`
  const count = (await receiptsOf(world, alice.id)).length
  const answer = await alice.calls(path(model, stream), body(model, stream))
  return { ...answer, receipt: await lastReceipt(world, alice.id, count + 1) }
}
const TEXT = 'The quick brown fox jumps over the lazy dog.'
const textIn = (json: unknown) => JSON.stringify(json).replaceAll(/"\},?.*?"(text|content|delta)":"/g, '')

describe.each(cells)(
  '%s clients of %s channels get what they requested (docs/reference/endpoints.md#relayed-paths)',
  (dialect, family) => {
    it('an answer, even if the vendor streams', async () => {
      world.upstream.reset()
      world.upstream.answers((request) => answered(request, SAID, FIGURES, true))
      const { headers, json, receipt } = await asks(dialect, family, false)
      expect(headers.get('content-type')).toContain('application/json')
      expect(textIn(json)).toContain(TEXT)
      expect([receipt.quota, receipt.other.usage_source]).toEqual([2000, 'upstream'])
    })

    it('a stream, where the vendor answers whole', async () => {
      world.upstream.reset()
      world.upstream.answers((request) => answered(request, SAID, FIGURES, true))
      const { headers, text, events, receipt } = await asks(dialect, family, true)
      expect(headers.get('content-type')).toContain('text/event-stream')
      expect(text).toContain(TEXT)
      expect(events.length).toBeGreaterThan(0)
      expect(receipt.quota).toBe(2000)
    })

    it('the answer of another channel, where such a stream contains an error or breaks off', async () => {
      world.upstream.reset()
      world.upstream.answers(
        (request) => ({ events: [...begun(request, SAID, FIGURES, 2), errorEvent(request, 'too much to do')] }),
        (request) => answered(request, SAID, FIGURES),
      )
      const first = await asks(dialect, family, false)
      world.upstream.reset()
      world.upstream.answers(
        (request) => ({ events: begun(request, SAID, FIGURES, 2) }),
        (request) => answered(request, SAID, FIGURES),
      )
      const second = await asks(dialect, family, false)
      for (const { json, receipt } of [first, second]) {
        expect(textIn(json)).toContain(TEXT)
        expect(receipt.quota).toBe(2000)
        expect(receipt.other.admin_info.use_channel).toHaveLength(2)
      }
    })
  },
)

it.each(['openai', 'anthropic', 'compatible'])('an array of Gemini, where %s answers whole', async (family) => {
  world.upstream.reset()
  world.upstream.answers((request) => answered(request, SAID, FIGURES, true))
  const body = dialects.gemini.body()
  const answer = await alice.calls(`/v1beta/models/same-by-${family}:streamGenerateContent`, body)
  expect(answer.headers.get('content-type')).toContain('application/json')
  expect(answer.json.at(-1).usageMetadata.totalTokenCount).toBe(1200)
  expect(textIn(answer.json)).toContain(TEXT)
})
