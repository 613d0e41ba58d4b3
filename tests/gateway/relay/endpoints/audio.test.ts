import OpenAI, { toFile } from 'openai'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { balancesOf, lastReceipt, receiptsOf, recomputed } from '../metering/receipts.ts'
import { sentForm, silence } from './sent-form.ts'

const MODELS = 'tts-1,tts-2-preview,gpt-4o-mini-voice,whisper-1,gpt-4o-transcribe'
const MP3 = Buffer.from([0xff, 0xfb, 0x90, 0x00, 0x0a, 0x22, 0x7b, 0x00, 0xfe])
const mp3 = { body: MP3, headers: { 'content-type': 'audio/mpeg' } }

let world: World
let alice: Person
let client: OpenAI
let given = 0

beforeAll(async () => {
  world = await aWorld({ options: { SelfUseModeEnabled: true } })
  await world.channel({ models: MODELS })
})
beforeEach(async () => {
  world.upstream.reset()
  given = 100_000_000
  alice = await world.user({ quota: given })
  client = new OpenAI({
    apiKey: `sk-${await alice.key()}`,
    baseURL: `${world.url}/v1`,
    maxRetries: 0,
    logLevel: 'off',
  })
})

const quotaOf = async () => (await lastReceipt(world, alice.id)).quota
const recording = async (seconds = 61) => toFile(silence(seconds), 'talk.wav', { type: 'audio/wav' })
const failing = (work: Promise<unknown>) =>
  work.then(
    () => expect.fail('it succeeded'),
    (error) => error,
  )

describe('POST /v1/audio/speech (docs/reference/endpoints.md#relayed-paths, docs/reference/billing.md#audio)', () => {
  it('passes the bytes untouched, and charges 750 for 100 characters of tts-1', async () => {
    world.upstream.answers(mp3)
    const input = `${'é'.repeat(98)}👋🏽`
    const answer = await client.audio.speech.create({ model: 'tts-1', voice: 'alloy', input })
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(MP3)
    expect(answer.headers.get('content-type')).toBe('audio/mpeg')
    expect(world.upstream.last()).toMatchObject({
      path: '/v1/audio/speech',
      json: { model: 'tts-1', voice: 'alloy', input },
    })
    const receipt = await lastReceipt(world, alice.id)
    expect([receipt.prompt_tokens, receipt.completion_tokens, receipt.quota]).toEqual([100, 0, 750])
    expect([receipt.other.usage_source, receipt.other.ended, recomputed(receipt)]).toEqual(['counted', 'complete', 750])
  })

  it('uses tts-1 where no model is named', async () => {
    world.upstream.answers(mp3)
    const { status } = await alice.calls('/v1/audio/speech', { input: 'hello', voice: 'alloy' })
    expect([status, world.upstream.last().json.model]).toEqual([200, 'tts-1'])
  })

  it('counts the text of other models exactly, and its sound by that', async () => {
    world.upstream.answers(mp3)
    await client.audio.speech.create({ model: 'gpt-4o-mini-voice', voice: 'alloy', input: 'Hello there, how are you?' })
    const receipt = await lastReceipt(world, alice.id)
    expect([receipt.prompt_tokens, receipt.completion_tokens, receipt.other.usage_source]).toEqual([7, 42, 'estimated'])
  })

  it('passes events, and charges by the usage they end with', async () => {
    const events = [
      { type: 'speech.audio.delta', audio: 'AAAA' },
      { type: 'speech.audio.done', usage: { input_tokens: 14, output_tokens: 101, total_tokens: 115 } },
    ]
    world.upstream.streams(events)
    const asked = { model: 'gpt-4o-mini-voice', voice: 'alloy', input: 'hi', stream_format: 'sse' }
    const answer = await alice.calls('/v1/audio/speech', asked)
    expect(answer.events).toEqual(events)
    const receipt = await lastReceipt(world, alice.id)
    expect([receipt.prompt_tokens, receipt.completion_tokens, receipt.is_stream]).toEqual([14, 101, 1])
    expect([receipt.other.ended, receipt.other.usage_source]).toEqual(['complete', 'upstream'])
  })

  it('sends bytes on as they arrive, and charges a caller that leaves for its input', async () => {
    world.upstream.streams([MP3], { headers: { 'content-type': 'audio/mpeg' }, hang: true })
    const leaving = new AbortController()
    const asked = { model: 'tts-1', voice: 'alloy', input: 'x'.repeat(100) } as const
    const answer = await client.audio.speech.create(asked, { signal: leaving.signal })
    const first = await answer.body?.getReader().read()
    expect(Buffer.from(first?.value ?? [])).toEqual(MP3)
    leaving.abort()
    expect(await world.upstream.last().aborted).toBe(true)
    const receipt = await lastReceipt(world, alice.id)
    expect([receipt.quota, receipt.other.ended]).toEqual([750, 'client-gone'])
  })

  it('breaks off where the upstream does, and charges the input that was given', async () => {
    world.upstream.streams([MP3, MP3], { headers: { 'content-type': 'audio/mpeg' }, cutAfter: 1 })
    const work = client.audio.speech
      .create({ model: 'tts-1', voice: 'alloy', input: 'x'.repeat(100) })
      .then((answer) => answer.arrayBuffer())
    await failing(work)
    const receipt = await lastReceipt(world, alice.id)
    expect([receipt.quota, receipt.other.ended]).toEqual([750, 'upstream-broken'])
  })

  it.each([
    [
      'with a bad status',
      { status: 400, body: { error: { message: 'no such voice', type: 'invalid_request_error' } } },
    ],
    [
      'with a good status',
      { status: 200, body: { error: { message: 'no such voice', type: 'invalid_request_error' } } },
    ],
  ])('charges nothing for an error %s', async (_, script) => {
    world.upstream.answers(script)
    const error = await failing(client.audio.speech.create({ model: 'tts-1', voice: 'nobody', input: 'hi' }))
    expect(error.message).toContain('no such voice')
    expect(await balancesOf(world, alice.id, given)).toMatchObject({ balanced: true, spent: 0 })
  })

  it.each([
    [{ model: 'tts-1' }, 'input'],
    [{ model: 'tts-1', input: ['hi'] }, 'input'],
  ])('refuses %o', async (body, param) => {
    const { status, json } = await alice.calls('/v1/audio/speech', body)
    expect([status, json.error.code, json.error.param]).toEqual([400, 'invalid_audio_request', param])
  })

  it('speaks 100,000 characters at most (docs/reference/limits.md#bodies)', async () => {
    world.upstream.answers(mp3)
    const speech = (length: number) =>
      alice.calls('/v1/audio/speech', { model: 'tts-1', voice: 'alloy', input: 'x'.repeat(length) })
    const { status, json } = await speech(100_001)
    expect([status, json.error.code, json.error.param]).toEqual([400, 'invalid_audio_request', 'input'])
    expect(json.error.message).toContain('100000 characters')
    expect((await speech(100_000)).status).toBe(200)
  })

  it('reserves the price of the characters', async () => {
    const poor = await world.user({ quota: 749 })
    const { status, json } = await poor.calls('/v1/audio/speech', { model: 'tts-1', input: 'x'.repeat(1000) })
    expect([status, json.error.code]).toEqual([403, 'insufficient_user_quota'])
  })
})

describe('POST /v1/audio/transcriptions and /translations (docs/reference/endpoints.md#relayed-paths, docs/reference/channel-types.md#types, docs/reference/billing.md#audio)', () => {
  it('charges 3051 for 61 seconds of whisper-1, and passes the form on', async () => {
    world.upstream.answers({ body: { text: 'hello' } })
    const answer = await client.audio.transcriptions.create({
      model: 'whisper-1',
      file: await recording(),
      language: 'en',
      timestamp_granularities: ['word', 'segment'],
    })
    expect(answer.text).toBe('hello')
    const form = await sentForm(world.upstream.last())
    expect(world.upstream.last().path).toBe('/v1/audio/transcriptions')
    expect(form.filter(({ file }) => file === undefined)).toEqual([
      { name: 'model', content: 'whisper-1' },
      { name: 'language', content: 'en' },
      { name: 'timestamp_granularities[]', content: 'word' },
      { name: 'timestamp_granularities[]', content: 'segment' },
    ])
    const file = form.find(({ name }) => name === 'file')
    expect([file?.file, file?.type]).toEqual(['talk.wav', 'audio/wav'])
    expect(file?.content === silence(61).toString('latin1')).toBe(true)
    const receipt = await lastReceipt(world, alice.id)
    expect([receipt.prompt_tokens, receipt.completion_tokens, receipt.quota]).toEqual([1017, 0, 3051])
    expect(recomputed(receipt)).toBe(3051)
  })

  it('uses the vendor’s seconds where it reports them', async () => {
    world.upstream.answers({ body: { text: 'hello', usage: { type: 'duration', seconds: 30 } } })
    await client.audio.transcriptions.create({ model: 'whisper-1', file: await recording(31) })
    expect(await quotaOf()).toBe(500 * 3)
  })

  it('charges models priced by tokens by the usage in the response', async () => {
    const usage = {
      type: 'tokens',
      input_tokens: 614,
      input_token_details: { text_tokens: 0, audio_tokens: 614 },
      output_tokens: 20,
      total_tokens: 634,
    }
    world.upstream.answers({ body: { text: 'hello', usage } })
    await client.audio.transcriptions.create({ model: 'gpt-4o-transcribe', file: await recording() })
    const receipt = await lastReceipt(world, alice.id)
    expect([receipt.prompt_tokens, receipt.completion_tokens, receipt.other.audio_input]).toEqual([614, 20, 614])
    expect(receipt.quota).toBe(recomputed(receipt))
  })

  it.each(['text', 'srt', 'vtt'] as const)('passes %s unchanged', async (format) => {
    world.upstream.answers({ body: 'WEBVTT\n\nhello\n', headers: { 'content-type': 'text/plain; charset=utf-8' } })
    const answer = await client.audio.transcriptions.create({
      model: 'whisper-1',
      file: await recording(6),
      response_format: format,
    })
    expect(answer).toBe('WEBVTT\n\nhello\n')
    expect(await quotaOf()).toBe(100 * 3)
  })

  it.each(['text', 'srt', 'json'] as const)('passes the empty %s of a recording without speech', async (format) => {
    const headers = { 'content-type': 'text/plain; charset=utf-8' }
    world.upstream.answers(format === 'json' ? { body: { text: '' } } : { body: '', headers })
    const file = await recording(6)
    const answer = await client.audio.transcriptions.create({ model: 'whisper-1', file, response_format: format })
    expect(answer).toEqual(format === 'json' ? { text: '' } : '')
    expect(await quotaOf()).toBe(100 * 3)
  })

  it('passes the events of a stream', async () => {
    const events = [
      { type: 'transcript.text.delta', delta: 'hel' },
      { type: 'transcript.text.delta', delta: 'lo' },
      { type: 'transcript.text.done', text: 'hello', usage: { type: 'tokens', input_tokens: 61, output_tokens: 3 } },
    ]
    world.upstream.streams(events)
    const stream = await client.audio.transcriptions.create({
      model: 'gpt-4o-transcribe',
      file: await recording(),
      stream: true,
    })
    const got = []
    for await (const event of stream) got.push(event)
    expect(got).toEqual(events)
    const receipt = await lastReceipt(world, alice.id)
    expect([receipt.prompt_tokens, receipt.completion_tokens]).toEqual([61, 3])
    expect([receipt.is_stream, receipt.other.ended]).toEqual([1, 'complete'])
  })

  it('translates, with the mapped name of the model and the channel’s overrides', async () => {
    const changed = { temperature: 0, prompt: null, file: 'no', chunking: { type: 'auto' } }
    const model_mapping = '{"whisper-mapped":"whisper-large"}'
    await world.channel({ models: 'whisper-mapped', model_mapping, param_override: JSON.stringify(changed) })
    world.upstream.answers({ body: { text: 'hello' } })
    await client.audio.translations.create({ model: 'whisper-mapped', file: await recording(1), prompt: 'a "b"' })
    expect(world.upstream.last().path).toBe('/v1/audio/translations')
    const form = await sentForm(world.upstream.last())
    expect(form.filter(({ file }) => file === undefined)).toEqual([
      { name: 'temperature', content: '0' },
      { name: 'chunking', content: '{"type":"auto"}' },
      { name: 'model', content: 'whisper-large' },
    ])
    expect(form.find(({ name }) => name === 'file')?.file).toBe('talk.wav')
  })

  it('uses whisper-1 where no model is named', async () => {
    world.upstream.answers({ body: { text: 'hello' } })
    const form = new FormData()
    form.append('file', new File([new Uint8Array(silence(1))], 'talk.wav'))
    const { status } = await alice.calls('/v1/audio/transcriptions', ...(await asBody(form)))
    expect(status).toBe(200)
    const [model, file] = await sentForm(world.upstream.last())
    expect(model).toEqual({ name: 'model', content: 'whisper-1' })
    expect(file).toMatchObject({ name: 'file', file: 'talk.wav', type: 'application/octet-stream' })
  })

  it('reserves the price of the minutes', async () => {
    const poor = await world.user({ quota: 3050 })
    const form = new FormData()
    form.append('model', 'whisper-1')
    form.append('file', new File([new Uint8Array(silence(61))], 'talk.wav'))
    const { status, json } = await poor.calls('/v1/audio/transcriptions', ...(await asBody(form)))
    expect([status, json.error.code]).toEqual([403, 'insufficient_user_quota'])
    expect(world.upstream.requests).toHaveLength(0)
  })

  it('refuses a form without a file, and a body that is not a form', async () => {
    const form = new FormData()
    form.append('model', 'whisper-1')
    const none = await alice.calls('/v1/audio/transcriptions', ...(await asBody(form)))
    expect([none.status, none.json.error.code, none.json.error.param]).toEqual([400, 'invalid_audio_request', 'file'])
    form.append('file', 'talk.wav')
    const text = await alice.calls('/v1/audio/transcriptions', ...(await asBody(form)))
    expect([text.status, text.json.error.param]).toEqual([400, 'file'])
    const plain = await alice.calls('/v1/audio/transcriptions', { model: 'whisper-1', file: 'talk.wav' })
    expect([plain.status, plain.json.error.code]).toEqual([400, 'invalid_audio_request'])
    expect(plain.json.error.message).toContain('multipart/form-data')
  })

  it('charges nothing where the upstream fails', async () => {
    world.upstream.answers({ status: 500, body: { error: { message: 'out of order' } } })
    await failing(client.audio.transcriptions.create({ model: 'whisper-1', file: await recording() }))
    expect(await balancesOf(world, alice.id, given)).toMatchObject({ balanced: true, spent: 0 })
    expect(await receiptsOf(world, alice.id)).toMatchObject([{ type: 5 }])
  })
})

async function asBody(form: FormData): Promise<[Uint8Array, { headers: Record<string, string> }]> {
  const request = new Request('http://127.0.0.1', { method: 'POST', body: form })
  const bytes = new Uint8Array(await request.arrayBuffer())
  return [bytes, { headers: { 'content-type': request.headers.get('content-type') ?? '' } }]
}
