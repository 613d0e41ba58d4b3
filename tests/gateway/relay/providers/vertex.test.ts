import { generateKeyPairSync, verify } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chatAddress } from '../../../../gateway/relay/probing/probe.ts'
import { messageAnswer, messageStream } from '../../../support/anthropic.ts'
import { chatAnswer, chatStream } from '../../../support/chat.ts'
import { geminiAnswer, geminiError, geminiStream } from '../../../support/gemini.ts'
import type { Recorded, Script } from '../../../support/upstream.ts'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { lastReceipt, recomputed } from '../metering/receipts.ts'
import { storedChannel } from './stored-channel.ts'

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const ANSWER = { texts: ['Hello', ' there'] }
const FIGURES = { prompt: 100, completion: 20 }
const REGIONS = JSON.stringify({ default: 'us-central1', 'v-claude': 'europe-west1', 'gemini-2.5-pro': 'global' })

let world: World
let alice: Person
let given = 0

/** A key file as Google issues it; `email` distinguishes accounts. */
const keyFile = (email: string, fields: object = {}) => ({
  type: 'service_account',
  project_id: 'my-project',
  private_key_id: 'key-1',
  private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  client_email: email,
  token_uri: `${world.upstream.url}/token`,
  ...fields,
})

/** A vendor that issues access tokens, each different, and responds to calls with the script. */
const vendor =
  (script: Script) =>
  ({ path }: Recorded): Script => {
    if (path !== '/token') return script
    given += 1
    return { body: { access_token: `pass-${given}`, expires_in: 3599, token_type: 'Bearer' } }
  }
const calls = () => world.upstream.requests.filter(({ path }) => path !== '/token')
const passesAsked = () => world.upstream.requests.filter(({ path }) => path === '/token')
const channel = (fields: object) =>
  world.channel({ type: 41, other: REGIONS, key: JSON.stringify(keyFile('a@my-project')), ...fields })

beforeAll(async () => {
  world = await aWorld({ options: { SelfUseModeEnabled: true, RetryTimes: 1 } })
  const mapping = { 'v-claude': 'claude-3-5-sonnet-20241022', 'v-llama': 'llama-3.1-405b-instruct-maas' }
  const models =
    'v-claude,gemini-2.5-pro,gemini-2.5-flash,v-llama,imagen-4,text-embedding-005,gemini-embedding-001,gemini-embedding-2,palm-x'
  await channel({ models, model_mapping: JSON.stringify(mapping) })
})
beforeEach(async () => {
  world.upstream.reset()
  alice = await world.user({ quota: 100_000_000 })
})

describe('passes for a service account (Google, "OAuth 2.0 for Server to Server Applications")', () => {
  it('are requested with a signed claim, once for all calls, and again with another key', async () => {
    const id = await channel({ models: 'gemini-passes' })
    const began = Math.floor(world.clock.now() / 1000)
    world.upstream.answers(vendor({ body: geminiAnswer(ANSWER) }))
    await Promise.all([alice.asks('gemini-passes', 'Hi'), alice.asks('gemini-passes', 'Hi')])
    await alice.asks('gemini-passes', 'Hi')
    const [asked, ...more] = passesAsked()
    expect(more).toEqual([])
    const form = new URLSearchParams(asked?.text)
    expect(form.get('grant_type')).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer')
    const [header = '', claims = '', signature = ''] = (form.get('assertion') ?? '').split('.')
    const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())
    expect(read(header)).toEqual({ alg: 'RS256', typ: 'JWT', kid: 'key-1' })
    const { iat, exp, ...rest } = read(claims)
    expect(rest).toEqual({
      iss: 'a@my-project',
      scope: 'https://www.googleapis.com/auth/cloud-platform',
      aud: `${world.upstream.url}/token`,
    })
    expect(exp - iat).toBe(3600)
    expect(iat).toBeGreaterThanOrEqual(began)
    expect(iat).toBeLessThanOrEqual(world.clock.now() / 1000)
    const isSigned = verify(
      'RSA-SHA256',
      Buffer.from(`${header}.${claims}`),
      publicKey,
      Buffer.from(signature, 'base64url'),
    )
    expect(isSigned).toBe(true)
    expect(new Set(calls().map(({ headers }) => headers.authorization))).toEqual(new Set([`Bearer pass-${given}`]))

    await world.admin.put('/api/channel', { id, key: JSON.stringify(keyFile('b@my-project')) })
    await alice.asks('gemini-passes', 'Hi')
    expect(passesAsked()).toHaveLength(2)
  })

  it('let another channel be tried where they are refused, or where the key cannot sign', async () => {
    await world.channel({ type: 24, models: 'gemini-refused,gemini-unsigned' })
    await channel({ models: 'gemini-refused', priority: 1, key: JSON.stringify(keyFile('refused@my-project')) })
    const unsigned = JSON.stringify(keyFile('u@my-project', { private_key: 'none' }))
    await channel({ models: 'gemini-unsigned', priority: 1, key: unsigned })
    world.upstream.answers(({ path }) =>
      path === '/token'
        ? { status: 400, body: { error: 'invalid_grant', error_description: 'Invalid JWT Signature.' } }
        : { body: geminiAnswer(ANSWER) },
    )
    for (const model of ['gemini-refused', 'gemini-unsigned']) {
      expect((await alice.asks(model, 'Hi')).content).toBe('Hello there')
      expect(world.upstream.last().path).toContain('/v1beta/models/')
    }
    expect(passesAsked()).toHaveLength(1)
  })
})

describe('Claude on Vertex AI (docs/reference/channel-types.md#vertex-ai)', () => {
  it('is called in the region of the caller’s name of the model, without the model in the body', async () => {
    world.upstream.answers(vendor({ body: messageAnswer(ANSWER, FIGURES) }))
    const body = { model: 'v-claude', max_tokens: 50, messages: [{ role: 'user', content: 'Hi' }], more: [1.0] }
    const headers = { 'anthropic-beta': 'oauth-2025-04-20,computer-use-2024-10-22' }
    const answer = await alice.calls('/v1/messages', body, { headers })
    expect(answer.json).toEqual(messageAnswer(ANSWER, FIGURES))
    const [call] = calls()
    expect(call?.path).toBe(
      '/v1/projects/my-project/locations/europe-west1/publishers/anthropic/models/claude-3-5-sonnet-v2@20241022:rawPredict',
    )
    const { model: _, ...rest } = body
    expect(call?.json).toEqual({ ...rest, anthropic_version: 'vertex-2023-10-16' })
    expect(call?.headers['anthropic-beta']).toBe('computer-use-2024-10-22')
    expect(call?.headers.authorization).toMatch(/^Bearer pass-\d+$/)
    const receipt = await lastReceipt(world, alice.id)
    expect([receipt.prompt_tokens, receipt.completion_tokens]).toEqual([100, 20])
    expect(receipt.quota).toBe(recomputed(receipt))
  })

  it('streams, in other dialects too', async () => {
    world.upstream.answers(vendor({ events: messageStream(ANSWER, FIGURES) }))
    const answer = await alice.asks('v-claude', 'Hi', { stream: true })
    expect(answer.content).toBe('Hello there')
    const [call] = calls()
    expect(call?.path).toMatch(/:streamRawPredict\?alt=sse$/)
    expect(call?.json).toMatchObject({ stream: true, anthropic_version: 'vertex-2023-10-16' })
    expect(call?.json.model).toBeUndefined()
  })
})

describe('Gemini on Vertex AI (docs/reference/channel-types.md#vertex-ai)', () => {
  it('is called in its own dialect, plain and streamed', async () => {
    world.upstream.answers(vendor({ body: geminiAnswer(ANSWER, FIGURES) }))
    const answer = await alice.asks('gemini-2.5-flash', 'Hi')
    expect(answer.content).toBe('Hello there')
    expect(calls()[0]?.path).toBe(
      '/v1/projects/my-project/locations/us-central1/publishers/google/models/gemini-2.5-flash:generateContent',
    )
    const receipt = await lastReceipt(world, alice.id)
    expect([receipt.prompt_tokens, receipt.completion_tokens]).toEqual([100, 20])
    world.upstream.answers(vendor({ events: geminiStream(ANSWER, FIGURES) }))
    const streamed = await alice.asks('gemini-2.5-pro', 'Hi', { stream: true })
    expect(streamed.content).toBe('Hello there')
    expect(calls().at(-1)?.path).toBe(
      '/v1/projects/my-project/locations/global/publishers/google/models/gemini-2.5-pro:streamGenerateContent?alt=sse',
    )
  })

  it('receives the role of each content, and no ids of calls', async () => {
    world.upstream.answers(vendor({ body: geminiAnswer(ANSWER) }))
    const call = { id: 'c1', name: 'clock', args: { zone: 'UTC' } }
    const contents = [
      { parts: [{ text: 'Hi' }] },
      { role: 'model', parts: [{ functionCall: call, thoughtSignature: 'c2VhbA==' }] },
      { role: 'user', parts: [{ functionResponse: { id: 'c1', name: 'clock', response: { at: 12 } } }] },
    ]
    await alice.calls('/v1beta/models/gemini-2.5-flash:generateContent', { contents, labels: { team: 'x' } })
    expect(calls()[0]?.json).toEqual({
      contents: [
        { role: 'user', parts: [{ text: 'Hi' }] },
        {
          role: 'model',
          parts: [{ functionCall: { name: 'clock', args: { zone: 'UTC' } }, thoughtSignature: 'c2VhbA==' }],
        },
        { role: 'user', parts: [{ functionResponse: { name: 'clock', response: { at: 12 } } }] },
      ],
      labels: { team: 'x' },
    })
  })

  it('does not receive the tool activity of Google’s other service', async () => {
    world.upstream.answers(vendor({ body: geminiAnswer(ANSWER) }))
    const said = { text: 'Hi' }
    const parts = [{ toolCall: { id: 's1' } }, { toolResponse: { id: 's1' }, thoughtSignature: 'c2VhbA==' }, said]
    const contents = [
      { role: 'user', parts: [said] },
      { role: 'model', parts },
      { role: 'user', parts: [said] },
    ]
    await alice.calls('/v1beta/models/gemini-2.5-flash:generateContent', { contents })
    expect(calls().at(-1)?.json).toEqual({ contents: contents.map((each) => ({ ...each, parts: [said] })) })
  })

  it('receives tools together with functions without the flag that it does not support', async () => {
    const tools = [{ googleSearch: {} }, { functionDeclarations: [{ name: 'clock' }] }]
    const contents = [{ role: 'user', parts: [{ text: 'Hi' }] }]
    const mode = { functionCallingConfig: { mode: 'VALIDATED' } }
    const flag = { includeServerSideToolInvocations: true }
    for (const [sent, kept] of [
      [
        { tools, toolConfig: { ...mode, ...flag } },
        { tools, toolConfig: mode },
      ],
      [{ tools, tool_config: { include_server_side_tool_invocations: true } }, { tools }],
    ]) {
      world.upstream.answers(vendor({ body: geminiAnswer(ANSWER) }))
      await alice.calls('/v1beta/models/gemini-2.5-flash:generateContent', { contents, ...sent })
      expect(calls().at(-1)?.json).toEqual({ contents, ...kept })
    }
  })

  it('reports Google’s errors, also in the list form of its streams', async () => {
    const error = geminiError(404, 'NOT_FOUND', 'Publisher Model `projects/my-project/x` was not found')
    for (const body of [error, [error]]) {
      world.upstream.answers(vendor({ status: 404, body }))
      const answer = await alice.asks('gemini-2.5-flash', 'Hi', { stream: true })
      expect(answer.status).toBe(404)
      expect(answer.json.error.message).toContain('Publisher Model `projects/***/x` was not found')
    }
  })
})

describe('other models on Vertex AI', () => {
  it('Llama is called in OpenAI’s dialect, with its maker', async () => {
    world.upstream.answers(vendor({ body: chatAnswer('Hello there') }))
    const answer = await alice.asks('v-llama', 'Hi', { body: { seed: 1 } })
    expect(answer.content).toBe('Hello there')
    const [call] = calls()
    expect(call?.path).toBe('/v1beta1/projects/my-project/locations/us-central1/endpoints/openapi/chat/completions')
    expect(call?.json).toMatchObject({ model: 'meta/llama-3.1-405b-instruct-maas', seed: 1 })
    world.upstream.answers(vendor({ events: chatStream(['Hello', ' there']) }))
    expect((await alice.asks('v-llama', 'Hi', { stream: true })).content).toBe('Hello there')
  })

  it('Imagen draws, and texts are embedded, by prediction', async () => {
    world.upstream.answers(vendor({ body: { predictions: [{ bytesBase64Encoded: 'aGk=', mimeType: 'image/png' }] } }))
    const drawn = await alice.calls('/v1/images/generations', {
      model: 'imagen-4',
      prompt: 'a cat',
      size: '1024x1792',
    })
    expect(drawn.json.data).toEqual([{ b64_json: 'aGk=' }])
    expect(calls()[0]?.path).toMatch(/\/publishers\/google\/models\/imagen-4:predict$/)
    expect(calls()[0]?.json).toMatchObject({ instances: [{ prompt: 'a cat' }], parameters: { aspectRatio: '9:16' } })
    const made = (values: number[], token_count: number) => ({ embeddings: { values, statistics: { token_count } } })
    world.upstream.answers(vendor({ body: { predictions: [made([0.5], 3), made([1.5], 4)] } }))
    const asked = { model: 'text-embedding-005', input: ['one', 'two'], dimensions: 1 }
    const { json } = await alice.calls('/v1/embeddings', asked)
    expect(json.data.map(({ embedding }: { embedding: number[] }) => embedding)).toEqual([[0.5], [1.5]])
    expect(json.usage.prompt_tokens).toBe(7)
    expect(calls().at(-1)?.json).toEqual({
      instances: [{ content: 'one' }, { content: 'two' }],
      parameters: { outputDimensionality: 1 },
    })
  })

  describe('texts for a Gemini embedding since the second', () => {
    const vectors: Record<string, number[]> = { one: [0.5], two: [1.5], three: [2.5] }
    const embedding = ({ path, json }: Recorded): Script => {
      if (path === '/token') return { body: { access_token: 'a-pass', expires_in: 3599 } }
      const values = vectors[json.content.parts[0].text]
      return values
        ? { body: { embedding: { values }, usageMetadata: { promptTokenCount: 3, totalTokenCount: 3 } } }
        : { status: 400, body: geminiError(400, 'INVALID_ARGUMENT', 'not such a text') }
    }
    const embed = (input: unknown, more: object = {}) =>
      alice.calls('/v1/embeddings', { model: 'gemini-embedding-2', input, ...more })

    it('are embedded one a call, in their order, and charged together', async () => {
      world.upstream.answers(embedding)
      const { json } = await embed(['one', 'two', 'three'], { dimensions: 1 })
      expect(
        json.data.map(({ embedding: made, index }: { embedding: number[]; index: number }) => [index, made]),
      ).toEqual([
        [0, [0.5]],
        [1, [1.5]],
        [2, [2.5]],
      ])
      expect(json.usage).toEqual({ prompt_tokens: 9, total_tokens: 9 })
      expect(calls().map(({ path }) => path.replace(/.*publishers/, ''))).toEqual(
        Array(3).fill('/google/models/gemini-embedding-2:embedContent'),
      )
      expect(calls()[0]?.json).toEqual({ content: { parts: [{ text: 'one' }] }, outputDimensionality: 1 })
      expect((await lastReceipt(world, alice.id)).prompt_tokens).toBe(9)
    })

    it('are embedded for a caller of Gemini’s dialect', async () => {
      world.upstream.answers(embedding)
      const { json } = await alice.calls('/v1beta/models/gemini-embedding-2:embedContent', {
        content: { parts: [{ text: 'two' }] },
      })
      expect(json.embedding.values).toEqual([1.5])
      expect(calls().map(({ json }) => json)).toEqual([{ content: { parts: [{ text: 'two' }] } }])
    })

    it('are refused together where one is, and nothing is charged', async () => {
      world.upstream.answers(embedding)
      const before = await alice.quota()
      const { status, json } = await embed(['one', 'other', 'two'])
      expect([status, json.error.message]).toEqual([400, expect.stringContaining('not such a text')])
      expect(calls()).toHaveLength(2)
      expect(await alice.quota()).toBe(before)
    })

    it('are not started where one of them is empty', async () => {
      const { status, json } = await embed(['one', 'two', ''])
      expect([status, json.error.code]).toEqual([400, 'convert_request_failed'])
      expect(world.upstream.requests).toEqual([])
    })

    it('are 250 at most', async () => {
      const { status, json } = await embed(Array(251).fill('one'))
      expect([status, json.error.code, json.error.param]).toEqual([400, 'convert_request_failed', 'input'])
      expect(world.upstream.requests).toEqual([])
    })

    it('are predicted for the first', async () => {
      world.upstream.answers(
        vendor({ body: { predictions: [{ embeddings: { values: [0.5], statistics: { token_count: 3 } } }] } }),
      )
      await alice.calls('/v1/embeddings', { model: 'gemini-embedding-001', input: 'one' })
      expect(calls()[0]?.path).toMatch(/gemini-embedding-001:predict$/)
    })
  })

  it('a model of an unknown family is not sent to Vertex', async () => {
    expect((await alice.asks('palm-x', 'Hi')).status).toBe(503)
    expect(world.upstream.requests).toEqual([])
  })
})

describe('the address of a Vertex channel without a base URL', () => {
  it.each([
    ['us-east5', 'us-east5-aiplatform.googleapis.com'],
    ['global', 'aiplatform.googleapis.com'],
    ['eu', 'aiplatform.eu.rep.googleapis.com'],
  ])('in %s is %s', (region, host) => {
    const stored = storedChannel({ type: 41, other: region, key: '{"project_id":"p"}' })
    expect(chatAddress(stored, 'claude-sonnet-4-6')).toBe(
      `https://${host}/v1/projects/p/locations/${region}/publishers/anthropic/models/claude-sonnet-4-6:rawPredict`,
    )
  })
})
