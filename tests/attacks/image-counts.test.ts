import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type ChannelTypeName, channelTypes } from '../../shared/channel-types.ts'
import { sentForm } from '../gateway/relay/endpoints/sent-form.ts'
import { balancesOf, lastReceipt, recomputed } from '../gateway/relay/metering/receipts.ts'
import type { Recorded } from '../support/upstream.ts'
import { aWorld, type Person, type World } from '../support/world.ts'

const GIVEN = 100_000_000
const PRICE = 10_000
const types = {
  wanx: 'ali',
  kolors: 'siliconflow',
  'grok-2-image': 'xai',
  'imagen-4.0-generate-001': 'gemini',
  'gpt-image-1': 'openai',
} as const satisfies Record<string, ChannelTypeName>
const ModelPrice = Object.fromEntries(Object.keys(types).map((model) => [model, 0.02]))
let world: World
let alice: Person

beforeAll(async () => {
  world = await aWorld({ options: { ModelPrice, RetryTimes: 0 } })
  for (const [models, type] of Object.entries(types)) await world.channel({ models, type: channelTypes[type].id })
})
beforeEach(async () => {
  world.upstream.reset()
  alice = await world.user({ quota: GIVEN })
  const [image] = [{ url: 'https://images.example/1', bytesBase64Encoded: 'AAAA' }]
  world.upstream.answers({ body: drawn(Array(10).fill(image)) })
})

/** A response with these images in each vendor's form. */
const drawn = (images: readonly object[]) => ({
  output: { task_id: 't', task_status: 'SUCCEEDED', results: images },
  images,
  data: images,
  predictions: images,
})
const order = (): Recorded => world.upstream.requests.findLast(({ method }) => method === 'POST') ?? expect.fail()
const charged = async () => (await lastReceipt(world, alice.id)).quota / PRICE
const blanks = [{}, { n: null }, { n: '' }]

describe('the number of images that is charged (docs/reference/billing.md#images)', () => {
  it.each([
    ['wanx', '/parameters/n'],
    ['kolors', '/batch_size'],
    ['grok-2-image', '/n'],
    ['imagen-4.0-generate-001', '/parameters/sampleCount'],
  ])('is stated to the vendor of %s despite its default', async (model, path) => {
    for (const more of [...blanks, { n: 3 }, { n: '2' }]) {
      const { status } = await alice.calls('/v1/images/generations', { model, prompt: 'a cat', ...more })
      const [, ...names] = path.split('/')
      const sent = names.reduce((json, name) => json[name], order().json)
      expect([status, sent]).toEqual([200, await charged()])
    }
  })

  it('is stated for predictions, which are four by default', async () => {
    const predictions = [{}, { sampleCount: null }, { sample_count: 1 }, { sampleCount: '2' }, { sampleCount: 3 }]
    for (const parameters of predictions)
      for (const model of ['imagen-4.0-generate-001', 'gpt-image-1']) {
        await alice.calls(`/v1beta/models/${model}:predict`, { instances: [{ prompt: 'a cat' }], parameters })
        const { n, parameters: sent } = order().json
        expect([n ?? sent.sampleCount, sent?.sample_count]).toEqual([await charged(), undefined])
      }
  })

  it('replaces a blank one in OpenAI’s own form, whose default is one', async () => {
    for (const more of blanks) {
      const body = { model: 'gpt-image-1', prompt: 'a cat', ...more }
      await alice.calls('/v1/images/generations', body)
      expect(order().json).toEqual('n' in more ? { ...body, n: 1 } : body)
    }
  })

  it('replaces a blank one in a form', async () => {
    const part = (name: string, content: string) =>
      `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${content}\r\n`
    const form = `${part('model', 'gpt-image-1')}${part('prompt', 'a hat')}${part('n', '')}--x--\r\n`
    await alice.calls('/v1/images/edits', form, { headers: { 'content-type': 'multipart/form-data; boundary=x' } })
    expect((await sentForm(order())).find(({ name }) => name === 'n')?.content).toBe('1')
    expect(await charged()).toBe(1)
  })
})

describe('a response with fewer images than were ordered (docs/reference/billing.md#images)', () => {
  const image = { url: 'https://images.example/1', bytesBase64Encoded: 'AAAA' }
  /** Failed images as DashScope, Volcengine and Google report them. */
  const missing = { code: 'InternalError', error: { message: 'it broke' }, raiFilteredReason: 'removed' }
  const answering = (images: readonly object[]) => {
    world.upstream.reset()
    world.upstream.answers({ body: drawn(images) })
  }
  const models = ['wanx', 'kolors', 'grok-2-image', 'imagen-4.0-generate-001']

  it.each(models)('costs those that it contains, never more than were ordered: %s', async (model) => {
    for (const [images, count] of [
      [[image, missing, image], 2],
      [[image], 1],
      [[image, image, image, image, image], 4],
    ] as const) {
      answering(images)
      expect((await alice.calls('/v1/images/generations', { model, prompt: 'a cat', n: 4 })).status).toBe(200)
      const receipt = await lastReceipt(world, alice.id)
      expect([receipt.quota / PRICE, recomputed(receipt)]).toEqual([count, receipt.quota])
    }
    expect((await balancesOf(world, alice.id, GIVEN)).balanced).toBe(true)
  })

  it('costs nothing without any', async () => {
    answering([missing, missing])
    for (const model of models) await alice.calls('/v1/images/generations', { model, prompt: 'a cat', n: 2 })
    expect((await balancesOf(world, alice.id, GIVEN)).spent).toBe(0)
  })

  it('costs as much in Google’s own form, and by tokens', async () => {
    await world.option('ModelPrice', { ...ModelPrice, wanx: undefined } as never)
    await world.option('ModelRatio', { wanx: 1 })
    answering([image, missing])
    const body = { instances: [{ prompt: 'a cat' }], parameters: { sampleCount: 4 } }
    await alice.calls('/v1beta/models/imagen-4.0-generate-001:predict', body)
    expect(await charged()).toBe(1)
    await alice.calls('/v1/images/generations', { model: 'wanx', prompt: 'a cat', n: 3 })
    expect((await lastReceipt(world, alice.id)).quota).toBe(258)
  })
})
