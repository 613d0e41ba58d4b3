import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Script } from '../support/upstream.ts'
import { aWorld, type Person, type World } from '../support/world.ts'

const GIVEN = 1_000_000_000
let world: World
let alice: Person

beforeAll(async () => {
  world = await aWorld({ options: { ModelRatio: { 'gpt-4o': 1, 'gpt-image-1': 2.5 } } })
  await world.channel({ models: 'gpt-4o,gpt-image-1' })
})
beforeEach(async () => {
  world.upstream.reset()
  alice = await world.user({ quota: GIVEN })
})

const spent = async () => GIVEN - (await alice.quota())
const headersOf = (key: string) => ({ authorization: `Bearer sk-${key}`, 'content-type': 'application/json' })
const usage = { prompt_tokens: 100, completion_tokens: 20_000, total_tokens: 20_100 }
const choices = [{ index: 0, message: { role: 'assistant', content: 'x' }, finish_reason: 'stop' }]
const figures = { input_tokens: 50, output_tokens: 6240, total_tokens: 6290 }
const details = { input_tokens_details: { text_tokens: 50, image_tokens: 0 } }
const image = { model: 'gpt-image-1', prompt: 'a cat', quality: 'high', size: '1536x1024' }
const partial = (length: number) => ({ type: 'image_generation.partial_image', b64_json: 'A'.repeat(length) })
const completed = { type: 'image_generation.completed', b64_json: 'AAAA', usage: { ...figures, ...details } }
const eventStream = { 'content-type': 'text/event-stream' }
const written = (event: object) => `data: ${JSON.stringify(event)}\n\n`

describe('a caller whose key ends while its request is under way (docs/reference/billing.md#disconnected-callers)', () => {
  it.each([
    ['renews it', ({ id }: { id: number }) => alice.post(`/api/token/${id}/key`, {})],
    ['deletes it', ({ id }: { id: number }) => alice.delete(`/api/token/${id}`)],
    ['disables it', ({ id }: { id: number }) => alice.put('/api/token?status_only=true', { id, status: 2 })],
  ])('pays what its upstream charges if it %s', async (_, lose) => {
    const { promise, resolve } = Promise.withResolvers<Script>()
    world.upstream.answers(() => promise)
    const token = await world.token(alice)
    const body = JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] })
    const asked = fetch(`${world.url}/v1/chat/completions`, { method: 'POST', headers: headersOf(token.key), body })
    await expect.poll(() => world.upstream.requests.length).toBe(1)
    await lose(token)
    expect((await asked).status).toBeGreaterThanOrEqual(400)
    resolve({ body: { choices, usage } })
    await expect.poll(spent).toBe(100 + 4 * 20_000)
  })

  it('pays for a stream whose cost comes at its end', async () => {
    world.upstream.streams([partial(100_000), completed], { gapMs: 300 })
    const token = await world.token(alice)
    const body = JSON.stringify({ ...image, stream: true, partial_images: 1 })
    const response = await fetch(`${world.url}/v1/images/generations`, {
      method: 'POST',
      headers: headersOf(token.key),
      body,
    })
    const reader = response.body?.getReader()
    await reader?.read()
    await alice.delete(`/api/token/${token.id}`)
    await expect.poll(spent, { timeout: 5000 }).toBe(124_925)
    await reader?.cancel()
  })
})

it('charges a stream of images as its vendor reports it, also beyond the length that is sent (docs/reference/streams.md#time-outs)', async () => {
  const partials = written(partial(4 * 1024 * 1024)).repeat(17)
  world.upstream.answers({ body: partials + written(completed), headers: eventStream })
  const { text } = await alice.calls('/v1/images/generations', { ...image, stream: true, partial_images: 3 })
  expect(text).toContain('stream_response_error')
  expect(text).not.toContain('image_generation.completed')
  await expect.poll(spent, { timeout: 5000 }).toBe(124_925)
})
