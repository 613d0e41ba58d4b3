import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { channelTypes } from '../../shared/channel-types.ts'
import { silence } from '../gateway/relay/endpoints/sent-form.ts'
import { lastReceipt } from '../gateway/relay/metering/receipts.ts'
import { aWorld, type Person, type World } from '../support/world.ts'

const SECONDS = 60
const WHISPER = 'whisper-1'
const TOKENS = 'gpt-4o-transcribe'
const OVERRIDDEN = 'whisper-as-text'
const CLOUDFLARE = '@cf/openai/whisper'
let world: World
let alice: Person

beforeAll(async () => {
  const ModelRatio = { [WHISPER]: 15, [TOKENS]: 1.25, [OVERRIDDEN]: 15, [CLOUDFLARE]: 15 }
  world = await aWorld({ options: { ModelRatio, RetryTimes: 2 } })
  for (let at = 0; at < 3; at += 1) await world.channel({ models: `${WHISPER},${TOKENS}` })
  await world.channel({ models: OVERRIDDEN, param_override: '{"response_format":"text"}' })
  await world.channel({ models: CLOUDFLARE, type: channelTypes.cloudflare.id, other: 'account' })
})
beforeEach(async () => {
  world.upstream.reset()
  alice = await world.user({ quota: 100_000_000 })
})

async function transcribe(model: string, heard: string, fields: Record<string, string>, path = 'transcriptions') {
  world.upstream.answers({ body: Buffer.from(heard), headers: { 'content-type': 'text/plain; charset=utf-8' } })
  const form = new FormData()
  for (const [name, value] of Object.entries({ model, ...fields })) form.set(name, value)
  form.set('file', new Blob([new Uint8Array(silence(SECONDS))]), 'talk.wav')
  const headers = { authorization: `Bearer sk-${await alice.key()}` }
  const response = await fetch(`${world.url}/v1/audio/${path}`, { method: 'POST', headers, body: form })
  return { status: response.status, text: await response.text() }
}
const charged = async () => (await lastReceipt(world, alice.id)).quota

const BY_LENGTH = 15_000
const claims = [
  { text: 'hi', usage: { type: 'duration', seconds: 0.01 } },
  { text: 'hi', usage: { input_tokens: 1, output_tokens: 0 } },
  { meta: { tokens: { input_tokens: 1 } } },
  { error: 'x' },
  { error: { message: 'x', type: 'server_error' } },
].map((claim) => `${JSON.stringify(claim)}\n`)

describe('a transcript whose words look like an envelope (docs/reference/billing.md#missing-usage)', () => {
  it.each(claims)('is passed on and charged by the length of its recording: %s', async (heard) => {
    for (const response_format of ['text', 'srt', 'vtt', 'TEXT'])
      for (const path of ['transcriptions', 'translations']) {
        const before = world.upstream.requests.length
        expect(await transcribe(WHISPER, heard, { response_format }, path)).toEqual({ status: 200, text: heard })
        expect([await charged(), world.upstream.requests.length - before]).toEqual([BY_LENGTH, 1])
      }
  })

  it.each(claims)('costs as much as any other for a model of tokens: %s', async (heard) => {
    await transcribe(TOKENS, heard, { response_format: 'text' })
    const { prompt_tokens, other } = await lastReceipt(world, alice.id)
    expect([prompt_tokens, other.usage_source]).toEqual([1000, 'estimated'])
  })

  it('is text as well if the channel requests that', async () => {
    expect((await transcribe(OVERRIDDEN, claims[0] ?? '', {})).status).toBe(200)
    expect(await charged()).toBe(BY_LENGTH)
  })

  it.each<Record<string, string>>([{}, { response_format: '' }, { response_format: 'verbose_json' }])(
    'is read where the caller requests an envelope: %o',
    async (fields) => {
      const usage = { type: 'duration', seconds: 6 }
      await transcribe(WHISPER, JSON.stringify({ text: 'hi', usage }), fields)
      expect(await charged()).toBe(BY_LENGTH / 10)
      expect((await transcribe(WHISPER, '{"error":"x"}', fields)).status).toBe(502)
    },
  )

  it('is read where the vendor always has an envelope', async () => {
    const body = JSON.stringify({ result: { text: 'hello' }, success: true })
    expect(await transcribe(CLOUDFLARE, body, { response_format: 'text' })).toEqual({
      status: 200,
      text: '{"text":"hello"}',
    })
  })

  it('is requested under the one name of its format', async () => {
    expect((await transcribe(WHISPER, 'hi', { Response_Format: 'text' })).status).toBe(400)
    expect((await transcribe(WHISPER, 'hi', { 'response_format[]': 'text' })).status).toBe(400)
  })
})

describe('a recording that claims to be shorter than it is (docs/reference/tokens.md#recordings)', () => {
  // 60 s of the file are 15,000.
  const HOUR = 3600
  const words = 'and then we talked about the budget of the next year. '.repeat(1000)
  const cues = (stamp: string) => `${stamp}\nhello\n\n`
  const body = (fields: object) => JSON.stringify({ text: 'hello', ...fields })
  it.each<[string, Record<string, string>, string, string, number]>([
    ['by its last subtitle', { response_format: 'srt' }, 'transcriptions', cues('00:59:58,000 --> 01:00:00,000'), HOUR],
    ['by its last cue', { response_format: 'vtt' }, 'transcriptions', cues('59:58.000 --> 60:00.000'), HOUR],
    [
      'by the length that the vendor states',
      { response_format: 'verbose_json' },
      'translations',
      body({ duration: HOUR }),
      HOUR,
    ],
    ['by a length stated as a text', {}, 'transcriptions', body({ duration: '3600.0' }), HOUR],
    ['by what it says', { response_format: 'text' }, 'transcriptions', words, words.length / 40],
    ['by what it says, translated', {}, 'translations', body({ text: words }), words.length / 40],
  ])('is charged %s', async (_, fields, path, heard, seconds) => {
    expect((await transcribe(WHISPER, heard, fields, path)).status).toBe(200)
    expect(await charged()).toBeCloseTo((BY_LENGTH / SECONDS) * Math.ceil(seconds), -3)
  })
})
