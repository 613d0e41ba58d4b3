import { expect, it } from 'vitest'
import { aDrawingFixture, aMusicFixture, GIVEN } from '../gateway/relay/tasks/drawing-fixture.ts'
import { geminiAnswer } from '../support/gemini.ts'
import { aWorld } from '../support/world.ts'

it('a drawing of another account is not continued by its id as a number or a list (docs/reference/tasks.md#drawings)', async () => {
  const { world, vendor, alice } = await aDrawingFixture()
  const result = '1320098173412540'
  vendor.submits({ body: { code: 1, description: 'ok', result, properties: {} } })
  expect((await alice.calls('/mj/submit/imagine', { prompt: 'a cat' })).status).toBe(200)
  const mallory = await world.user({ quota: GIVEN })
  const asked = world.upstream.requests.length
  for (const taskId of [result, Number(result), [result], { id: result }])
    for (const [path, body] of [
      ['video', { prompt: 'x', motion: 'low' }],
      ['change', { action: 'UPSCALE', index: 1 }],
      ['modal', { prompt: 'x' }],
    ] as const) {
      const { status } = await mallory.calls(`/mj/submit/${path}`, { ...body, taskId })
      expect([path, taskId, status]).toEqual([path, taskId, 400])
    }
  expect(world.upstream.requests).toHaveLength(asked)
})

it('nor a clip', async () => {
  const { world, alice } = await aMusicFixture()
  for (const clip of [['clip-1'], 7, { id: 'clip-1' }]) {
    const { status } = await alice.calls('/suno/submit/music', { prompt: 'x', continue_clip_id: clip })
    expect([clip, status]).toEqual([clip, 400])
  }
  expect(world.upstream.requests).toHaveLength(0)
})

it('a member of an inner object that decides something is read in one spelling only (docs/reference/security.md#money)', async () => {
  const models = { 'gemini-2.0-flash': 0.01, 'imagen-3': 0.01, 'gpt-4o': 0.01 }
  const world = await aWorld({ options: { ModelPrice: models, ModelRatio: {} } })
  await world.channel({ type: 24, models: 'gemini-2.0-flash,imagen-3' })
  await world.channel({ models: 'gpt-4o' })
  world.upstream.answers({ body: geminiAnswer({ texts: ['hi'] }) })
  const bob = await world.user({ quota: GIVEN })
  const contents = [{ role: 'user', parts: [{ text: 'x' }] }]
  const generate = '/v1beta/models/gemini-2.0-flash:generateContent'
  const predict = '/v1beta/models/imagen-3:predict'
  const instances = [{ prompt: 'x' }]
  const tool = { type: 'image_generation' }
  for (const [path, body] of [
    [generate, { contents, generationConfig: { candidateCount: 1, candidate_count: 8 } }],
    [generate, { contents, generationConfig: { CandidateCount: 8 } }],
    [generate, { contents, generation_config: { candidateCount: 1, candidatecount: 8 } }],
    [predict, { instances, parameters: { sampleCount: 1, sample_count: 8 } }],
    [predict, { instances, parameters: { SampleCount: 8 } }],
    ['/v1/responses', { model: 'gpt-4o', input: 'x', tools: [{ ...tool, Model: 'gpt-image-1' }] }],
  ] as const)
    expect([body, (await bob.calls(path, body)).status]).toEqual([body, 400])
  const before = await bob.quota()
  world.upstream.reset()
  const image = { mimeType: 'image/png', bytesBase64Encoded: 'AAAA' }
  world.upstream.answers({ body: { predictions: Array(8).fill(image) } })
  const drawn = await bob.calls(predict, { instances, parameters: { sample_count: 8 } })
  expect([drawn.status, drawn.text]).toEqual([200, expect.anything()])
  expect(before - (await bob.quota())).toBe(8 * 5000)
})

it('an object instead of a text is refused or ignored, and does not cause an internal error', async () => {
  const world = await aWorld({ options: { SelfUseModeEnabled: true, RetryTimes: 0 } })
  await world.channel({ models: 'm' })
  await world.channel({ type: 14, models: 'claude-opus-4' })
  await world.channel({ type: 24, models: 'gemini-2.5-pro' })
  const bob = await world.user({ quota: GIVEN })
  const odd = { toString: 1, valueOf: 1 }
  const hi = [{ role: 'user', content: 'hi' }]
  for (const model of ['m', 'claude-opus-4', 'gemini-2.5-pro'])
    for (const [path, body] of [
      ['/v1/chat/completions', { messages: hi, tools: [{ type: odd }] }],
      ['/v1/chat/completions', { messages: [{ role: odd, content: odd }] }],
      ['/v1/chat/completions', { messages: [{ role: 'user', content: [{ type: 'file', file: { file_data: odd } }] }] }],
      ['/v1/chat/completions', { messages: hi, modalities: [odd] }],
      ['/v1/chat/completions', { messages: hi, response_format: { type: odd } }],
      ['/v1/responses', { input: 'x', tools: [{ type: odd }] }],
      ['/v1/responses', { input: [{ type: odd, role: 'user', content: 'x' }] }],
      ['/v1/responses', { input: 'x', text: { format: { type: odd } } }],
      [
        '/v1/messages',
        { max_tokens: 5, messages: [{ role: 'user', content: [{ type: 'document', source: { type: odd } }] }] },
      ],
      ['/v1/messages', { max_tokens: 5, messages: hi, context_management: { edits: [{ type: odd }] } }],
      [
        `/v1beta/models/${model}:generateContent`,
        { contents: [{ role: 'user', parts: [{ text: 'x' }] }], generationConfig: { responseModalities: [odd] } },
      ],
    ] as const) {
      const { status } = await bob.calls(path, { model, ...body })
      expect([model, path, body, status]).not.toEqual([model, path, body, 500])
    }
})
