import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { lastReceipt } from '../metering/receipts.ts'

const PICTURE = Buffer.from('a picture').toString('base64')
const drawn = (count: number) => ({
  predictions: Array.from({ length: count }, () => ({ mimeType: 'image/png', bytesBase64Encoded: PICTURE })),
})

let world: World
let alice: Person

beforeAll(async () => {
  world = await aWorld({ options: { SelfUseModeEnabled: true } })
  await world.channel({ type: 24, models: 'imagen-4.0-generate-001' })
  await world.channel({ type: 1, models: 'gpt-image-1,dall-e-3' })
})
beforeEach(async () => {
  world.upstream.reset()
  alice = await world.user({ quota: 100_000_000 })
})

const draw = (model: string, parameters: object) =>
  alice.calls(`/v1beta/models/${model}:predict`, { instances: [{ prompt: 'a signal box' }], parameters })

describe('POST :predict (docs/reference/endpoints.md#relayed-paths)', () => {
  it('passes to Imagen with every parameter, and is charged as its pictures are', async () => {
    world.upstream.answers({ body: drawn(2) })
    const { json: answer } = await draw('imagen-4.0-generate-001', { sampleCount: 2, aspectRatio: '3:4', seed: 7 })
    expect(answer).toEqual(drawn(2))
    const { path, json } = world.upstream.last()
    expect(path).toContain('/models/imagen-4.0-generate-001:predict')
    expect(json).toMatchObject({
      instances: [{ prompt: 'a signal box' }],
      parameters: { sampleCount: 2, aspectRatio: '3:4', seed: 7 },
    })
    const native = await lastReceipt(world, alice.id)

    world.upstream.answers({ body: drawn(2) })
    await alice.calls('/v1/images/generations', { model: 'imagen-4.0-generate-001', prompt: 'a signal box', n: 2 })
    const asked = await lastReceipt(world, alice.id)
    expect([native.prompt_tokens, native.quota]).toEqual([asked.prompt_tokens, asked.quota])
    expect(native.quota).toBeGreaterThan(0)
  })

  it('costs nothing where the filter took every picture out', async () => {
    world.upstream.answers({ body: { predictions: [{ raiFilteredReason: 'no' }] } })
    const { status } = await draw('imagen-4.0-generate-001', {})
    expect(status).toBe(400)
    expect((await lastReceipt(world, alice.id)).quota).toBe(0)
  })

  it.each([
    ['gpt-image-1', '16:9', '1536x1024', undefined],
    ['dall-e-3', '9:16', '1024x1792', 'b64_json'],
  ])(
    'reaches %s in OpenAI’s form, and reports parameters without an equivalent',
    async (model, ratio, size, format) => {
      world.upstream.answers({ body: { created: 1, data: [{ b64_json: PICTURE }] } })
      const { json, headers } = await draw(model, { sampleCount: 1, aspectRatio: ratio, negativePrompt: 'rain' })
      expect(world.upstream.last()).toMatchObject({ path: '/v1/images/generations' })
      expect(world.upstream.last().json).toEqual({
        model,
        prompt: 'a signal box',
        n: 1,
        size,
        ...(format && { response_format: format }),
      })
      expect(json).toEqual({ predictions: [{ mimeType: 'image/png', bytesBase64Encoded: PICTURE }] })
      expect(headers.get('x-switchyard-dropped')).toBe('parameters.negativePrompt')
    },
  )

  it.each([
    ['without a prompt', { instances: [{}] }],
    ['of two prompts', { instances: [{ prompt: 'a' }, { prompt: 'b' }] }],
    ['of more pictures than there are', { instances: [{ prompt: 'a' }], parameters: { sampleCount: 11 } }],
    ['of no number of pictures', { instances: [{ prompt: 'a' }], parameters: { sampleCount: 'many' } }],
  ])('refuses one %s', async (_, body) => {
    const { status, json } = await alice.calls('/v1beta/models/imagen-4.0-generate-001:predict', body)
    expect(status).toBe(400)
    expect(json).toMatchObject({ error: { code: 400, status: 'INVALID_ARGUMENT' } })
    expect(world.upstream.requests).toHaveLength(0)
  })
})
