import OpenAI, { toFile } from 'openai'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { balancesOf, lastReceipt, recomputed } from '../metering/receipts.ts'
import { sentForm } from './sent-form.ts'

const GIVEN = 10_000_000
const weightedIndex = (count = 1) => ({ created: 1, data: Array.from({ length: count }, () => ({ b64_json: 'AAAA' })) })
const TOKENS = {
  input_tokens: 60,
  output_tokens: 272,
  total_tokens: 332,
  input_tokens_details: { text_tokens: 10, image_tokens: 50 },
}

let world: World
let alice: Person
let client: OpenAI

beforeAll(async () => {
  world = await aWorld({ options: { SelfUseModeEnabled: true } })
  const { channel } = world
  const setting = '{"allow_account_data":true}'
  const models = 'dall-e,dall-e-2,dall-e-3,gpt-image-1,mapped'
  await channel({ models, setting, model_mapping: '{"mapped":"gpt-image-1"}' })
  await channel({ type: 24, models: 'imagen-3.0-generate-002,gemini-2.5-flash' })
  await channel({ type: 48, models: 'grok-2-image' })
  await channel({ type: 40, models: 'kolors' })
  await channel({ type: 3, other: '2025-04-01-preview', models: 'azure-image' })
})
beforeEach(async () => {
  world.upstream.reset()
  alice = await world.user({ quota: GIVEN })
  client = new OpenAI({ apiKey: `sk-${await alice.key()}`, baseURL: `${world.url}/v1`, maxRetries: 0, logLevel: 'off' })
})

const draw = (body: object) => alice.calls('/v1/images/generations', { prompt: 'a cat', ...body })

describe('POST /v1/images/generations (docs/reference/endpoints.md#relayed-paths, docs/reference/billing.md#images)', () => {
  it('charges 60000 for dall-e-3 in high definition at 1792x1024', async () => {
    world.upstream.answers({ body: weightedIndex() })
    const answer = await client.images.generate({
      model: 'dall-e-3',
      prompt: 'a cat',
      size: '1792x1024',
      quality: 'hd',
      n: 1,
    })
    expect(answer).toEqual(weightedIndex())
    expect(world.upstream.last().path).toBe('/v1/images/generations')
    const receipt = await lastReceipt(world, alice.id)
    expect(receipt.quota).toBe(60_000)
    expect(recomputed(receipt)).toBe(60_000)
    expect(receipt.content).toContain('size 1792x1024, quality hd, n 1')
  })

  it.each([
    [{}, 20_000],
    [{ size: '1024x1792' }, 40_000],
    [{ quality: 'hd' }, 40_000],
    [{ n: 3 }, 60_000],
  ])('charges dall-e-3 with %o %i', async (more, quota) => {
    world.upstream.answers({ body: weightedIndex('n' in more ? more.n : 1) })
    expect((await draw({ model: 'dall-e-3', ...more })).status).toBe(200)
    expect((await lastReceipt(world, alice.id)).quota).toBe(quota)
  })

  it('uses dall-e-3 where no model is named, routed as dall-e', async () => {
    world.upstream.answers({ body: weightedIndex() })
    expect((await draw({})).status).toBe(200)
    expect(world.upstream.last().json).toEqual({ prompt: 'a cat', model: 'dall-e-3' })
    expect((await lastReceipt(world, alice.id)).model_name).toBe('dall-e')
  })

  it('charges gpt-image-1 by its tokens', async () => {
    world.upstream.answers({ body: { ...weightedIndex(), usage: TOKENS } })
    await client.images.generate({ model: 'gpt-image-1', prompt: 'a cat', quality: 'low' })
    const receipt = await lastReceipt(world, alice.id)
    expect(receipt.quota).toBe((10 + 50 * 2 + 272 * 8) * 2.5)
    expect(recomputed(receipt)).toBe(receipt.quota)
  })

  it('takes 258 tokens for each image where the vendor is silent', async () => {
    world.upstream.answers({ body: weightedIndex(2) })
    await draw({ model: 'gpt-image-1', n: 2 })
    expect(await lastReceipt(world, alice.id)).toMatchObject({ prompt_tokens: 516, completion_tokens: 0, quota: 1290 })
  })

  it('passes partial images of a stream', async () => {
    const events = [
      { type: 'image_generation.partial_image', partial_image_index: 0, b64_json: 'AA' },
      { type: 'image_generation.completed', b64_json: 'AAAA', usage: TOKENS },
    ]
    world.upstream.streams(events)
    const stream = await client.images.generate({
      model: 'gpt-image-1',
      prompt: 'a cat',
      stream: true,
      partial_images: 1,
    })
    const got = []
    for await (const event of stream) got.push(event)
    expect(got).toEqual(events)
    const receipt = await lastReceipt(world, alice.id)
    expect([receipt.prompt_tokens, receipt.completion_tokens, receipt.other.ended]).toEqual([60, 272, 'complete'])
  })

  it('passes an image of megabytes, however it is cut into pieces', async () => {
    const image = 'iVBO'.repeat(1_500_000)
    const event = Buffer.from(
      `event: image_generation.completed\ndata: ${JSON.stringify({ type: 'image_generation.completed', b64_json: image, usage: TOKENS })}\n\n`,
    )
    const pieces = Array.from({ length: 4 }, (_, index) => event.subarray(index * 2_000_000, (index + 1) * 2_000_000))
    world.upstream.streams(pieces)
    const { text } = await draw({ model: 'gpt-image-1', stream: true })
    expect(text === event.toString()).toBe(true)
    const receipt = await lastReceipt(world, alice.id)
    expect([receipt.prompt_tokens, receipt.completion_tokens, receipt.other.ended]).toEqual([60, 272, 'complete'])
  })

  it('charges nothing where a stream fails before its first image, and reports why', async () => {
    const error = { type: 'image_generation_user_error', message: 'against the policy', code: 'moderation_blocked' }
    world.upstream.streams([{ type: 'error', error }])
    const { status, json } = await draw({ model: 'gpt-image-1', stream: true })
    expect([status, json.error.message]).toEqual([502, expect.stringContaining('against the policy')])
    expect(await balancesOf(world, alice.id, GIVEN)).toMatchObject({ balanced: true, spent: 0 })
  })

  it.each([
    [{ prompt: '' }, 'prompt'],
    [{ size: '1024×1024' }, 'size'],
    [{ model: 'dall-e-2', size: '1792x1024' }, 'size'],
    [{ model: 'dall-e-3', size: '256x256' }, 'size'],
    [{ model: 'dall-e-3', quality: 'ultra' }, 'quality'],
    [{ model: 'gpt-image-1', quality: 'hd' }, 'quality'],
    [{ n: 0 }, 'n'],
    [{ n: 11 }, 'n'],
    [{ n: 1.5 }, 'n'],
    [{ n: '' }, undefined],
  ])('checks %o', async (more, param) => {
    world.upstream.answers({ body: weightedIndex() })
    const { status, json } = await draw({ model: 'dall-e-3', ...more })
    if (param === undefined) return expect(status).toBe(200)
    expect([status, json.error.code, json.error.param]).toEqual([400, 'invalid_image_request', param])
    expect(world.upstream.requests).toHaveLength(0)
  })

  it('sets the whole price aside', async () => {
    const poor = await world.user({ quota: 59_999 })
    const body = { model: 'dall-e-3', prompt: 'a cat', size: '1792x1024', quality: 'hd' }
    const { status, json } = await poor.calls('/v1/images/generations', body)
    expect([status, json.error.code]).toEqual([403, 'insufficient_user_quota'])
  })

  it.each([
    { status: 400, body: { error: { message: 'against the policy', type: 'invalid_request_error' } } },
    { status: 200, body: { error: { message: 'against the policy', type: 'invalid_request_error' } } },
  ])('charges nothing for the error %o', async (script) => {
    world.upstream.answers(script)
    const { json } = await draw({ model: 'dall-e-3' })
    expect(json.error.message).toContain('against the policy')
    expect(await balancesOf(world, alice.id, GIVEN)).toMatchObject({ balanced: true, spent: 0 })
  })
})

describe('images of vendors with a separate format (docs/reference/channel-types.md#types)', () => {
  it('requests predictions of imagen from Gemini, and leaves out filtered images', async () => {
    const predictions = [{ bytesBase64Encoded: 'AAAA' }, { raiFilteredReason: 'no' }]
    world.upstream.answers({ body: { predictions } })
    const { json, headers } = await draw({
      model: 'imagen-3.0-generate-002',
      n: 2,
      size: '1792x1024',
      response_format: 'b64_json',
      style: 'vivid',
    })
    expect(world.upstream.last()).toMatchObject({
      path: '/v1beta/models/imagen-3.0-generate-002:predict',
      json: {
        instances: [{ prompt: 'a cat' }],
        parameters: { sampleCount: 2, aspectRatio: '16:9', personGeneration: 'allow_adult' },
      },
    })
    expect(json).toMatchObject({ data: [{ b64_json: 'AAAA' }], usage: { input_tokens: 258 } })
    expect(headers.get('x-switchyard-dropped')).toBe('style')
    expect((await lastReceipt(world, alice.id)).quota).toBe(0.03 * 500_000)
  })

  it('charges nothing where the filter left no image', async () => {
    world.upstream.answers({ body: { predictions: [{ raiFilteredReason: 'no' }] } })
    const { status, json } = await draw({ model: 'imagen-3.0-generate-002' })
    expect([status, json.error.code]).toEqual([400, 'no_images'])
    expect(await balancesOf(world, alice.id, GIVEN)).toMatchObject({ balanced: true, spent: 0 })
  })

  it.each([
    [{ model: 'gemini-2.5-flash' }, 'model'],
    [{ model: 'imagen-3.0-generate-002', stream: true }, 'stream'],
    [{ model: 'grok-2-image', stream: true }, 'stream'],
  ])('leaves out parameters that the vendor does not support: %o', async (more, param) => {
    const { status, json } = await draw(more)
    expect([status, json.error.code, json.error.param]).toEqual([400, 'convert_request_failed', param])
    expect(world.upstream.requests).toHaveLength(0)
  })

  it('sends xAI only supported parameters', async () => {
    world.upstream.answers({ body: weightedIndex() })
    const { headers } = await draw({ model: 'grok-2-image', n: 1, size: '1024x1024' })
    expect(world.upstream.last().json).toEqual({ model: 'grok-2-image', prompt: 'a cat', n: 1 })
    expect(headers.get('x-switchyard-dropped')).toBe('size')
  })

  it('speaks the names of SiliconFlow', async () => {
    world.upstream.answers({ body: { images: [{ url: 'https://images.example/1' }], seed: 7 } })
    const { json } = await draw({ model: 'kolors', n: 2, size: '1024x1024' })
    expect(world.upstream.last().json).toEqual({
      model: 'kolors',
      prompt: 'a cat',
      image_size: '1024x1024',
      batch_size: 2,
    })
    expect(json).toEqual({ seed: 7, data: [{ url: 'https://images.example/1' }] })
  })

  it('sends to the deployment of Azure', async () => {
    world.upstream.answers({ body: weightedIndex() })
    await draw({ model: 'azure-image' })
    const { path, headers } = world.upstream.last()
    expect(path).toBe('/openai/deployments/azure-image/images/generations?api-version=2025-04-01-preview')
    expect(headers['api-key']).toBe('upstream-key')
  })
})

describe('POST /v1/images/edits (docs/reference/endpoints.md#relayed-paths, docs/reference/channel-types.md#types)', () => {
  const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0xff])

  it('writes the form again with the mapped model: fields, files, names and types unchanged', async () => {
    world.upstream.answers({ body: { ...weightedIndex(), usage: TOKENS } })
    await client.images.edit({
      image: [await toFile(PNG, 'a "first".png', { type: 'image/png' }), await toFile(PNG, 'second.webp')],
      mask: await toFile(PNG, 'mask.png', { type: 'image/png' }),
      model: 'mapped',
      prompt: 'add a hat\r\n“bitte”',
      n: 1,
    })
    expect(world.upstream.last().path).toBe('/v1/images/edits')
    const content = PNG.toString('latin1')
    expect(await sentForm(world.upstream.last())).toEqual([
      { name: 'mask', file: 'mask.png', type: 'image/png', content },
      { name: 'model', content: 'gpt-image-1' },
      { name: 'prompt', content: 'add a hat\r\n“bitte”' },
      { name: 'n', content: '1' },
      { name: 'image[]', file: 'a "first".png', type: 'image/png', content },
      { name: 'image[]', file: 'second.webp', type: 'image/webp', content },
    ])
    const receipt = await lastReceipt(world, alice.id)
    expect([receipt.prompt_tokens, receipt.completion_tokens]).toEqual([60, 272])
  })

  it('names a single image `image`, and uses gpt-image-1 where no model is named', async () => {
    world.upstream.answers({ body: weightedIndex() })
    const form = [
      '--x\r\nContent-Disposition: form-data; name="image[0]"; filename="a.jpg"\r\n\r\nbytes',
      '--x\r\nContent-Disposition: form-data; name="prompt"\r\n\r\na hat',
      '--x--\r\n',
    ].join('\r\n')
    const headers = { 'content-type': 'multipart/form-data; boundary=x' }
    expect((await alice.calls('/v1/images/edits', form, { headers })).status).toBe(200)
    expect(await sentForm(world.upstream.last())).toEqual([
      { name: 'model', content: 'gpt-image-1' },
      { name: 'image', file: 'a.jpg', type: 'image/jpeg', content: 'bytes' },
      { name: 'prompt', content: 'a hat' },
    ])
  })

  it('passes JSON as well', async () => {
    world.upstream.answers({ body: weightedIndex() })
    const body = { model: 'gpt-image-1', prompt: 'a hat', images: [{ file_id: 'file-1' }] }
    await alice.calls('/v1/images/edits', body)
    expect(world.upstream.last().json).toEqual(body)
  })

  it.each([
    ['no prompt', part('model', 'gpt-image-1'), 'invalid_image_request'],
    ['the model twice', part('model', 'gpt-image-1') + part('model', 'dall-e-3'), 'read_request_body_failed'],
    [
      'the model as a file',
      part('model"; filename="gpt-image-1', 'dall-e-3') + part('prompt', 'x'),
      'invalid_image_request',
    ],
    ['the number of images as a word', part('prompt', 'x') + part('n', 'two'), 'invalid_image_request'],
    [
      'too many fields',
      Array.from({ length: 65 }, (_, index) => part(`f${index}`, 'x')).join(''),
      'read_request_body_failed',
    ],
    [
      'too many files',
      Array.from({ length: 33 }, () => part('image"; filename="a.png', 'x')).join(''),
      'read_request_body_failed',
    ],
  ])('refuses a form with %s', async (_, parts, code) => {
    const headers = { 'content-type': 'multipart/form-data; boundary=x' }
    const { status, json } = await alice.calls('/v1/images/edits', `${parts}--x--\r\n`, { headers })
    expect([status, json.error.code]).toEqual([400, code])
    expect(world.upstream.requests).toHaveLength(0)
  })

  it.each([
    ['is cut off', part('prompt', 'x'), 'multipart/form-data; boundary=x'],
    ['has no boundary', `${part('prompt', 'x')}--x--\r\n`, 'multipart/form-data;'],
    ['is empty', '', 'multipart/form-data; boundary=x'],
  ])('refuses a form that %s', async (_, body, type) => {
    const { status } = await alice.calls('/v1/images/edits', body, { headers: { 'content-type': type } })
    expect(status).toBe(400)
    expect(world.upstream.requests).toHaveLength(0)
  })
})

function part(name: string, content: string): string {
  return `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${content}\r\n`
}
