import { createHash } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { authorization, canonical } from '../../../../gateway/relay/providers/tencent/signature.ts'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { lastReceipt, recomputed } from '../metering/receipts.ts'

const Usage = { PromptTokens: 8, CompletionTokens: 6, TotalTokens: 14 }
const whole = (Message: object, FinishReason = 'stop') => ({
  Response: { Created: 1, Id: 'i', RequestId: 'r', Usage, Choices: [{ Index: 0, FinishReason, Message }] },
})
const piece = (Delta: object, FinishReason = '') => ({ Id: 'i', Usage, Choices: [{ Index: 0, Delta, FinishReason }] })

let world: World
let alice: Person

beforeAll(async () => {
  world = await aWorld({ options: { SelfUseModeEnabled: true } })
  await world.channel({ type: 23, key: '1300000000|the-id|the-key', models: 'hunyuan-turbos,hunyuan-embedding' })
})
beforeEach(async () => {
  world.upstream.reset()
  world.upstream.answers({ body: whole({ Role: 'assistant', Content: 'Hello there' }) })
  alice = await world.user({ quota: 100_000_000 })
})

/** Sets the vendor's response, instead of those that `beforeEach` has set. */
const answers = (body: object) => {
  world.upstream.reset()
  world.upstream.answers({ body })
}
const streams = (...events: object[]) => {
  world.upstream.reset()
  world.upstream.streams(events)
}

describe('TC3-HMAC-SHA256 (Tencent Cloud API 3.0, "Signature Method v3", its worked example)', () => {
  const call = {
    host: 'cvm.tencentcloudapi.com',
    service: 'cvm',
    action: 'DescribeInstances',
    contentType: 'application/json; charset=utf-8',
    bytes: Buffer.from('{"Limit": 1, "Filters": [{"Values": ["\\u672a\\u547d\\u540d"], "Name": "instance-name"}]}'),
    timestamp: 1551113065,
  }

  it('hashes the canonical request', () => {
    const hashed = createHash('sha256').update(canonical(call)).digest('hex')
    expect(hashed).toBe('7019a55be8395899b900fb5564e4200d984910f34794a27cb3fb7d10ff6a1e84')
  })

  it('signs it with the key as the document prints it, which is masked', () => {
    const mask = '*'.repeat(32)
    expect(authorization(call, `AKID${mask}`, mask)).toBe(
      `TC3-HMAC-SHA256 Credential=AKID${mask}/2019-02-25/cvm/tc3_request, SignedHeaders=content-type;host;x-tc-action, ` +
        'Signature=10b1a37a7301a02ca19a647ad722d5e43b4b3cff309d421d85b46093f6ab6c4f',
    )
  })
})

describe('Tencent Hunyuan (docs/reference/channel-types.md#tencent-hunyuan)', () => {
  it('is called at the root of its host, the action in a header, signed over the body', async () => {
    await alice.asks('hunyuan-turbos', 'hi')
    const { path, headers, bytes } = world.upstream.last()
    expect(path).toBe('/')
    expect(headers).toMatchObject({ 'x-tc-action': 'ChatCompletions', 'x-tc-version': '2023-09-01' })
    const call = {
      host: headers.host ?? '',
      service: 'hunyuan',
      action: 'ChatCompletions',
      contentType: headers['content-type'] ?? '',
      bytes,
      timestamp: Number(headers['x-tc-timestamp']),
    }
    expect(headers.authorization).toBe(authorization(call, 'the-id', 'the-key'))
  })

  it('receives a conversation in its own format, and is charged by its own usage', async () => {
    const { json, headers } = await alice.calls('/v1/chat/completions', {
      model: 'hunyuan-turbos',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hello?' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is it?' },
            { type: 'image_url', image_url: { url: 'https://pictures.test/a.png' } },
          ],
        },
      ],
      temperature: 0,
      top_p: 0,
      seed: 1,
      stop: 'END',
      max_tokens: 5,
      EnableEnhancement: true,
      logit_bias: {},
    })
    expect(world.upstream.last().json).toEqual({
      Model: 'hunyuan-turbos',
      Messages: [
        { Role: 'system', Content: 'Be brief.' },
        {
          Role: 'user',
          Contents: [
            { Type: 'text', Text: 'Hello?' },
            { Type: 'text', Text: 'What is it?' },
            { Type: 'image_url', ImageUrl: { Url: 'https://pictures.test/a.png' } },
          ],
        },
      ],
      Stream: false,
      Temperature: 0,
      TopP: 0,
      Seed: 1,
      Stop: ['END'],
      EnableEnhancement: true,
    })
    expect(headers.get('x-switchyard-dropped')).toBe('max_completion_tokens, logit_bias')
    expect(json).toMatchObject({
      choices: [{ message: { role: 'assistant', content: 'Hello there' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 8, completion_tokens: 6, total_tokens: 14 },
    })
    const receipt = await lastReceipt(world, alice.id)
    expect(receipt).toMatchObject({ prompt_tokens: 8, completion_tokens: 6, quota: recomputed(receipt) })
    expect(receipt.other.usage_source).toBe('upstream')
  })

  it('streams thoughts and text', async () => {
    streams(
      piece({ Role: 'assistant', ReasoningContent: 'Hm.' }),
      piece({ Role: 'assistant', Content: 'Hel' }),
      piece({ Content: 'lo' }, 'stop'),
    )
    const body = { reasoning_effort: 'low', stream_options: { include_usage: true } }
    const { content, events, headers } = await alice.asks('hunyuan-turbos', 'hi', { stream: true, body })
    expect(world.upstream.last().json).toMatchObject({ Stream: true, EnableThinking: true })
    expect(headers.get('x-switchyard-dropped')).toBe('reasoning_effort')
    expect(content).toBe('Hello')
    expect(events.flatMap((event) => event.choices?.[0]?.delta?.reasoning_content ?? [])).toEqual(['Hm.'])
    expect(events.flatMap((event) => event.choices?.[0]?.finish_reason ?? [])).toEqual(['stop'])
    expect(events.find((event) => event.usage)?.usage).toMatchObject({ prompt_tokens: 8, completion_tokens: 6 })
  })

  it('has functions, there and back', async () => {
    const call = (Arguments: string) => ({
      Role: 'assistant',
      ToolCalls: [{ Id: 'c2', Type: 'function', Index: 0, Function: { Name: 'clock', Arguments } }],
    })
    streams(piece(call('{"city":')), piece(call('"Paris"}')), piece({ Content: '' }, 'tool_calls'))
    const parameters = { type: 'object', properties: { city: { type: 'string' } } }
    const earlier = { id: 'c1', type: 'function', function: { name: 'clock', arguments: '{"city":"Rome"}' } }
    const { events } = await alice.calls('/v1/chat/completions', {
      model: 'hunyuan-turbos',
      stream: true,
      messages: [
        { role: 'user', content: 'Rome?' },
        { role: 'assistant', content: null, tool_calls: [earlier] },
        { role: 'tool', tool_call_id: 'c1', content: 'noon' },
      ],
      tools: [
        { type: 'function', function: { name: 'clock', parameters } },
        { type: 'function', function: { name: 'other' } },
      ],
      tool_choice: { type: 'function', function: { name: 'clock' } },
    })
    const told = { Type: 'function', Function: { Name: 'clock', Parameters: JSON.stringify(parameters) } }
    expect(world.upstream.last().json).toMatchObject({
      Messages: [
        { Role: 'user', Content: 'Rome?' },
        {
          Role: 'assistant',
          ToolCalls: [{ Id: 'c1', Type: 'function', Function: { Name: 'clock', Arguments: '{"city":"Rome"}' } }],
        },
        { Role: 'tool', ToolCallId: 'c1', Content: 'noon' },
      ],
      Tools: [told],
      ToolChoice: 'custom',
      CustomTool: told,
    })
    const pieces = events.flatMap((event) => event.choices?.[0]?.delta?.tool_calls ?? [])
    expect(pieces[0]).toMatchObject({ id: 'c2', function: { name: 'clock' } })
    expect(pieces.map((said) => said.function.arguments).join('')).toBe('{"city":"Paris"}')
    expect(events.flatMap((event) => event.choices?.[0]?.finish_reason ?? [])).toEqual(['tool_calls'])
  })

  it.each([
    ['AuthFailure.SignatureFailure', 401],
    ['InvalidParameterValue.Model', 400],
    ['LimitExceeded', 429],
    ['InternalError', 500],
  ])('reports its error %s, which comes with status 200, as %i', async (Code, told) => {
    answers({ Response: { Error: { Code, Message: 'no such luck' }, RequestId: 'r' } })
    for (const stream of [false, true]) {
      const { status, json } = await alice.asks('hunyuan-turbos', 'hi', { stream })
      expect([status, json.error.code]).toEqual([told, Code])
    }
    expect(await alice.quota()).toBe(100_000_000)
  })

  it('reports an error in the middle of a stream', async () => {
    streams(piece({ Content: 'Hel' }), { ErrorMsg: { Msg: 'the engine stopped', Code: 4001 } })
    const { events } = await alice.asks('hunyuan-turbos', 'hi', { stream: true })
    expect(events.at(-1)?.error?.message).toContain('the engine stopped')
  })

  it('refuses sound', async () => {
    const content = [{ type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } }]
    const { status, json } = await alice.asks('hunyuan-turbos', '', { body: { messages: [{ role: 'user', content }] } })
    expect([status, json.error.code]).toEqual([400, 'convert_request_failed'])
    expect(world.upstream.requests).toHaveLength(0)
  })

  it('embeds', async () => {
    const Data = [{ Object: 'embedding', Index: 0, Embedding: [0.5, 0.25] }]
    answers({ Response: { Data, Usage: { PromptTokens: 2, TotalTokens: 2 }, RequestId: 'r' } })
    const { json } = await alice.calls('/v1/embeddings', { model: 'hunyuan-embedding', input: 'hi' })
    expect(world.upstream.last()).toMatchObject({
      headers: { 'x-tc-action': 'GetEmbedding' },
      json: { InputList: ['hi'] },
    })
    expect(json).toMatchObject({ data: [{ embedding: [0.5, 0.25] }], usage: { prompt_tokens: 2 } })
  })
})
