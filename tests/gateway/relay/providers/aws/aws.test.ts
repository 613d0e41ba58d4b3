import Anthropic from '@anthropic-ai/sdk'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chatAddress } from '../../../../../gateway/relay/probing/probe.ts'
import { signed } from '../../../../../gateway/relay/providers/aws/signature.ts'
import { messageAnswer, messageStream } from '../../../../support/anthropic.ts'
import type { Recorded } from '../../../../support/upstream.ts'
import { aWorld, type Person, type World } from '../../../../support/world.ts'
import { lastReceipt, recomputed } from '../../metering/receipts.ts'
import { storedChannel } from '../stored-channel.ts'
import { chunks, EVENT_STREAM, exception } from './bedrock.ts'

const KEY = 'AKIDEXAMPLE|wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY|eu-central-1'
const SONNET = 'claude-sonnet-4-20250514'
const ANSWER = { texts: ['Hello', ' there'] }
const FIGURES = { prompt: 100, completion: 20 }

let world: World
let alice: Person

beforeAll(async () => {
  world = await aWorld({ options: { SelfUseModeEnabled: true, RetryTimes: 1 } })
})
beforeEach(async () => {
  world.upstream.reset()
  alice = await world.user({ quota: 100_000_000, group: 'default' })
})

let born = 0

/** Creates a Bedrock channel with a unique model; returns the model. */
async function aChannel(upstream: string, fields: object = {}): Promise<string> {
  born += 1
  const model = `bedrock-${born}`
  const mapping = JSON.stringify({ [model]: upstream })
  await world.channel({ type: 33, key: KEY, models: model, model_mapping: mapping, ...fields })
  return model
}

/** The correct signature of the request, computed from the received bytes. */
function expected({ headers, bytes, path, method }: Recorded): string | undefined {
  const time = String(headers['x-amz-date'])
  const iso = time.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z')
  const [accessKey = '', secret = '', region = ''] = KEY.split('|')
  const type = { 'content-type': String(headers['content-type']) }
  const signable = { method, url: new URL(path, world.upstream.url), headers: type, body: bytes, at: Date.parse(iso) }
  return signed({ accessKey, secret, region, service: 'bedrock' }, signable).authorization
}

describe('Claude on Amazon Bedrock (docs/reference/channel-types.md#amazon-bedrock)', () => {
  it('is called for the model of the region’s profile, signed, without model and stream in the body', async () => {
    const model = await aChannel(SONNET)
    world.upstream.answers({ body: messageAnswer(ANSWER, FIGURES) })
    const answer = await alice.asks(model, 'Hi', { body: { max_tokens: 50, temperature: 0 } })
    expect(answer.content).toBe('Hello there')
    const { path, json, headers } = world.upstream.last()
    expect(path).toBe('/model/eu.anthropic.claude-sonnet-4-20250514-v1%3A0/invoke')
    expect(json).toEqual({
      anthropic_version: 'bedrock-2023-05-31',
      max_tokens: 50,
      temperature: 0,
      messages: [{ role: 'user', content: 'Hi' }],
    })
    expect(headers.authorization).toBe(expected(world.upstream.last()))
    expect(headers.authorization).toContain(
      '/eu-central-1/bedrock/aws4_request, SignedHeaders=content-type;host;x-amz-date',
    )
    const receipt = await lastReceipt(world, alice.id)
    expect([receipt.prompt_tokens, receipt.completion_tokens]).toEqual([100, 20])
    expect(receipt.quota).toBe(recomputed(receipt))
  })

  it.each([
    ['us-east-1', 'claude-3-opus-20240229', 'us.anthropic.claude-3-opus-20240229-v1:0'],
    ['eu-west-1', 'claude-3-opus-20240229', 'anthropic.claude-3-opus-20240229-v1:0'],
    ['ap-northeast-1', 'claude-sonnet-4-6', 'apac.anthropic.claude-sonnet-4-6'],
    ['us-gov-west-1', SONNET, 'anthropic.claude-sonnet-4-20250514-v1:0'],
    ['us-east-1', 'global.anthropic.claude-x-v1:0', 'global.anthropic.claude-x-v1:0'],
    ['us-east-1', 'arn:aws:bedrock:us-east-1:1:inference-profile/p', 'arn:aws:bedrock:us-east-1:1:inference-profile/p'],
  ])('in %s calls %s by the id %s', async (region, name, id) => {
    const model = await aChannel(name, { key: KEY.replace('eu-central-1', region) })
    world.upstream.answers({ body: messageAnswer(ANSWER) })
    await alice.asks(model, 'Hi')
    expect(world.upstream.last().path).toBe(`/model/${encodeURIComponent(id)}/invoke`)
  })

  it('streams its binary frames as the events that Anthropic’s SDK expects', async () => {
    const model = await aChannel(SONNET)
    const call = { id: 'toolu_1', name: 'clock', arguments: { zone: 'UTC' } }
    const events = messageStream({ thoughts: 'Hm.', ...ANSWER, calls: [call] }, FIGURES)
    world.upstream.streams(chunks(events), { headers: EVENT_STREAM })
    const client = new Anthropic({ apiKey: `sk-${await alice.key()}`, baseURL: world.url, maxRetries: 0 })
    const messages = [{ role: 'user' as const, content: 'Hi' }]
    const message = await client.messages.stream({ model, max_tokens: 99, messages }).finalMessage()
    expect(message.content).toMatchObject([
      { type: 'thinking', thinking: 'Hm.' },
      { type: 'text', text: 'Hello there' },
      { type: 'tool_use', id: 'toolu_1', input: { zone: 'UTC' } },
    ])
    expect(message.usage.output_tokens).toBe(20)
    const { path, json } = world.upstream.last()
    expect(path).toMatch(/\/invoke-with-response-stream$/)
    expect(Object.keys(json)).toEqual(['max_tokens', 'messages', 'anthropic_version'])
    const receipt = await lastReceipt(world, alice.id)
    expect([receipt.prompt_tokens, receipt.completion_tokens]).toEqual([100, 20])
  })

  it('streams the same bytes as Anthropic would have sent, for any split, and in other dialects', async () => {
    const model = await aChannel(SONNET)
    const events = messageStream(ANSWER, FIGURES)
    const whole = Buffer.concat(chunks(events))
    const pieces = Array.from({ length: Math.ceil(whole.length / 37) }, (_, at) =>
      whole.subarray(at * 37, at * 37 + 37),
    )
    world.upstream.streams(pieces, { headers: EVENT_STREAM })
    const body = { model, max_tokens: 99, stream: true, messages: [{ role: 'user', content: 'Hi' }] }
    const native = await alice.calls('/v1/messages', body)
    expect(native.headers.get('content-type')).toContain('text/event-stream')
    expect(native.text).toBe(events.join(''))
    const chat = await alice.asks(model, 'Hi', { stream: true, body: { stream_options: { include_usage: true } } })
    expect(chat.content).toBe('Hello there')
    expect(chat.events.at(-2).usage).toMatchObject({ prompt_tokens: 100, completion_tokens: 20 })
  })

  it('moves the betas it supports from the header into the body', async () => {
    const model = await aChannel(SONNET)
    world.upstream.answers({ body: messageAnswer(ANSWER) })
    const body = { model, max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }], unknown_field: { kept: 1.0 } }
    const headers = { 'anthropic-beta': 'claude-code-20250219, interleaved-thinking-2025-05-14' }
    await alice.calls('/v1/messages', body, { headers })
    const { json, headers: sent } = world.upstream.last()
    expect(json.anthropic_beta).toEqual(['interleaved-thinking-2025-05-14'])
    expect(json.unknown_field).toEqual({ kept: 1 })
    expect(sent['anthropic-beta']).toBeUndefined()
  })

  it('thinks where the model’s name requests it', async () => {
    const model = await aChannel(`${SONNET}-thinking`)
    world.upstream.answers({ body: messageAnswer(ANSWER) })
    await alice.asks(model, 'Hi', { body: { max_tokens: 2000 } })
    const { path, json } = world.upstream.last()
    expect(path).toContain('eu.anthropic.claude-sonnet-4-20250514')
    expect(json.thinking).toMatchObject({ type: 'enabled', budget_tokens: 1600 })
  })

  it('sends a Bedrock API key unchanged', async () => {
    const model = await aChannel(SONNET, { key: 'ABSK-an-api-key|us-west-2' })
    world.upstream.answers({ body: messageAnswer(ANSWER) })
    await alice.asks(model, 'Hi')
    const { headers, path } = world.upstream.last()
    expect(headers.authorization).toBe('Bearer ABSK-an-api-key')
    expect(path).toContain('/us.anthropic.')
  })

  it('is found by its region where the channel names no address', () => {
    expect(chatAddress(storedChannel({ type: 33, key: KEY }), SONNET)).toBe(
      'https://bedrock-runtime.eu-central-1.amazonaws.com/model/eu.anthropic.claude-sonnet-4-20250514-v1%3A0/invoke',
    )
  })
})

describe('failures on Bedrock', () => {
  it.each([
    ['ThrottlingException', 429, 429],
    ['AccessDeniedException', 403, 403],
    ['ValidationException:http://internal.amazon.com/coral/com.amazon.coral.validate/', 400, 400],
    ['ModelTimeoutException', 408, 408],
    ['SomethingNewException', 500, 500],
  ])('%s is reported with status %i', async (type, sent, told) => {
    const model = await aChannel(SONNET)
    const headers = { 'x-amzn-errortype': type }
    world.upstream.answers({ status: sent, headers, body: { message: 'the words of AWS' } })
    const body = { model, max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] }
    const answer = await alice.calls('/v1/messages', body)
    expect(answer.status).toBe(told)
    expect(answer.json.type).toBe('error')
    if (told !== 429) expect(answer.json.error.message).toContain('the words of AWS')
  })

  it('an exception at the start of a stream lets another channel be tried', async () => {
    const model = await aChannel(SONNET, { priority: 1 })
    await world.channel({ type: 14, models: model })
    world.upstream.streams([exception('throttlingException', 'too many requests')], { headers: EVENT_STREAM })
    world.upstream.streams(messageStream(ANSWER))
    const answer = await alice.asks(model, 'Hi', { stream: true })
    expect(answer.content).toBe('Hello there')
    expect(world.upstream.requests.map(({ path }) => path)).toEqual([
      expect.stringContaining('/invoke-with-response-stream'),
      '/v1/messages',
    ])
  })

  it('an exception within a stream ends it with an error event', async () => {
    const model = await aChannel(SONNET)
    const begun = chunks(messageStream(ANSWER)).slice(0, 5)
    const events = [...begun, exception('modelStreamErrorException', 'the model stumbled')]
    world.upstream.streams(events, { headers: EVENT_STREAM })
    const body = { model, max_tokens: 9, stream: true, messages: [{ role: 'user', content: 'Hi' }] }
    const answer = await alice.calls('/v1/messages', body)
    expect(answer.events.at(-1)).toMatchObject({ type: 'error', error: { message: 'the model stumbled' } })
  })

  it.each([
    [
      'a damaged frame',
      (bytes: Buffer) => void bytes.writeUInt8(bytes.readUInt8(bytes.length - 9) ^ 1, bytes.length - 9),
    ],
    ['an end within a frame', undefined],
  ])('%s breaks the stream off', async (_, damage) => {
    const model = await aChannel(SONNET)
    const frames = chunks(messageStream(ANSWER)).slice(0, 5)
    const last = frames.at(-1) ?? Buffer.alloc(0)
    damage?.(last)
    const sent = damage ? frames : [...frames.slice(0, -1), last.subarray(0, -3)]
    world.upstream.streams(sent, { headers: EVENT_STREAM })
    const answer = await alice.asks(model, 'Hi', { stream: true })
    expect(answer.events.at(-1)).toMatchObject({ error: { code: 'stream_response_error' } })
    expect(answer.text).not.toContain('[DONE]')
  })

  it('do not reveal the account', async () => {
    const model = await aChannel(SONNET)
    const message = 'User: arn:aws:iam::123456789012:user/relay is not authorized'
    world.upstream.answers({ status: 403, headers: { 'x-amzn-errortype': 'AccessDeniedException' }, body: { message } })
    const answer = await alice.asks(model, 'Hi')
    expect(answer.json.error.message).toContain('User: *** is not authorized')
    expect(answer.text).not.toContain('123456789012')
  })

  it('a caller who leaves ends the call', async () => {
    const model = await aChannel(SONNET)
    const leaving = new AbortController()
    world.upstream.streams(chunks(messageStream(ANSWER)).slice(0, 5), { headers: EVENT_STREAM, hang: true })
    const gone = alice.asks(model, 'Hi', { stream: true, signal: leaving.signal }).catch(() => 'gone')
    await expect.poll(() => world.upstream.requests.length).toBe(1)
    leaving.abort()
    expect(await gone).toBe('gone')
    expect(await world.upstream.last().aborted).toBe(true)
  })

  it('Amazon’s own models, which speak another dialect, are refused', async () => {
    const model = await aChannel('nova-pro-v1:0')
    const answer = await alice.asks(model, 'Hi')
    expect(answer.status).toBe(503)
    expect(world.upstream.requests).toEqual([])
  })
})
