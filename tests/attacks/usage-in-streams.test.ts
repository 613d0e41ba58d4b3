import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { lastReceipt } from '../gateway/relay/metering/receipts.ts'
import { chatStream } from '../support/chat.ts'
import type { Recorded, StreamEvent } from '../support/upstream.ts'
import { aWorld, type Person, type World } from '../support/world.ts'

/** Vendors report the usage of a stream only if the request has `stream_options.include_usage`. */
const HIDDEN = 'gpt-5'
const PLAIN = 'llama-4'
const QWEN = 'qwen3.5-plus'
const CUSTOM = 'custom-gpt-5'
let world: World
let mallory: Person
beforeAll(async () => {
  const ModelRatio = Object.fromEntries([HIDDEN, PLAIN, QWEN, CUSTOM, 'untouched'].map((model) => [model, 1]))
  world = await aWorld({ options: { ModelRatio, RetryTimes: 0 } })
  await world.channel({ models: `${HIDDEN},${PLAIN}` })
  await world.channel({ type: 17, models: QWEN })
  await world.channel({ type: 8, models: CUSTOM, base_url: `${world.upstream.url}/v1/chat/completions` })
  await world.channel({ models: 'untouched', setting: JSON.stringify({ pass_through_body_enabled: true }) })
})
beforeEach(async () => {
  world.upstream.reset()
  mallory = await world.user({ quota: 1_000_000_000 })
})

const events = chatStream(['The answer', ' is 42.'], { prompt: 40, completion: 8020 })
const isUsage = (event: StreamEvent) => typeof event === 'object' && 'usage' in event && Boolean(event.usage)

/** Go's `encoding/json` reads names in any letter case, and the last of several. */
const readsAsGo = ({ json }: Recorded): boolean => {
  const options = Object.entries(json.stream_options ?? {})
  return options.findLast(([name]) => name.toUpperCase() === 'INCLUDE_USAGE')?.[1] === true
}
const vendor = (asked: Recorded) => ({ events: events.filter((event) => !isUsage(event) || readsAsGo(asked)) })
const messages = [{ role: 'user', content: 'What is six times seven? Think for a long time.' }]
const streamed = (model: string, more: object = {}) =>
  mallory.calls('/v1/chat/completions', { model, stream: true, messages, ...more })

describe('the usage of a stream is requested even if its caller does not (docs/reference/conversion.md#usage-of-streams)', () => {
  const options = [{}, { stream_options: { include_usage: false } }, { stream_options: { include_usage: true } }]
  it.each([HIDDEN, QWEN, CUSTOM, 'untouched'].flatMap((model) => options.map((more) => [model, more] as const)))(
    '%s %j',
    async (model, more) => {
      world.upstream.answers(vendor)
      const { status, text } = await streamed(model, more)
      expect(status).toBe(200)
      expect(text.includes('8020')).toBe('stream_options' in more && more.stream_options?.include_usage === true)
      expect(await lastReceipt(world, mallory.id)).toMatchObject({ prompt_tokens: 40, completion_tokens: 8020 })
    },
  )

  it.each(['Include_Usage', 'include_u\u017fage', 'includeUsage'])('not in another spelling: %s', async (name) => {
    world.upstream.answers(vendor)
    const { status, text } = await streamed(HIDDEN, { stream_options: { include_usage: true, [name]: false } })
    expect([status, world.upstream.requests.length]).toEqual([400, 0])
    expect(text).toContain('stream_options')
  })
})

describe('a server that refuses stream_options', () => {
  const refusals = [
    [400, { error: { message: "Extra inputs are not permitted, field: 'stream_options'" } }],
    [422, { object: 'error', message: { detail: [{ loc: ['body', 'stream_options', 'include_usage'] }] } }],
  ] as const
  it.each(refusals)('gets the stream without them if its cost can be seen: %i', async (status, body) => {
    world.upstream.answers({ status, body }, vendor)
    expect((await streamed(PLAIN)).status).toBe(200)
    expect(world.upstream.requests.map(({ json }) => json.stream_options)).toEqual([{ include_usage: true }, undefined])
    const { completion_tokens } = await lastReceipt(world, mallory.id)
    expect(completion_tokens).toBeGreaterThan(3)
  })

  it.each([
    ['reasoning that the stream does not show', HIDDEN, messages],
    [
      'a prompt whose size only the vendor knows',
      PLAIN,
      [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://img.example/1.jpg' } }] }],
    ],
  ])('responds with its error where the cost has %s', async (_, model, prompt) => {
    world.upstream.answers({ status: 400, body: { error: { message: 'Unrecognized argument: stream_options' } } })
    const { status, text } = await streamed(model, { messages: prompt })
    expect([status, world.upstream.requests.length]).toEqual([400, 1])
    expect(text).toContain('Unrecognized argument: stream_options')
  })

  it('is called once if it refuses something else', async () => {
    world.upstream.answers({ status: 400, body: { error: { message: 'unknown model' } } })
    expect([(await streamed(PLAIN)).status, world.upstream.requests.length]).toEqual([400, 1])
  })
})

it('a complete stream without usage is charged for its silence (docs/reference/billing.md#missing-usage)', async () => {
  world.upstream.answers(() => {
    world.clock.advance(60_000)
    return { events: events.filter((event) => !isUsage(event)) }
  })
  expect((await streamed(HIDDEN)).status).toBe(200)
  const { completion_tokens } = await lastReceipt(world, mallory.id)
  expect(completion_tokens).toBeGreaterThanOrEqual(60 * 50)
})
