import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { GEMINI_SEAL } from '../../../support/gemini.ts'
import { anUpstream, type Upstream } from '../../../support/upstream.ts'
import type { Person, World } from '../../../support/world.ts'
import { PNG } from '../media/file-server.ts'
import { lastReceipt, receiptsOf } from '../metering/receipts.ts'
import { begun, errorEvent } from '../parity/vendors.ts'
import { aiSdks } from './ai-sdk.ts'
import { anthropicMessages } from './anthropic-sdk.ts'
import { CITY, pictured, THOUGHT } from './conversation.ts'
import { aHouse, createVendors, type Family, failure, families, familyNames } from './gateway.ts'
import { googleGenai } from './google-sdk.ts'
import { openaiChat, openaiResponses } from './openai-sdk.ts'
import { inPieces } from './pieces.ts'
import type { Question, Sdk } from './question.ts'

let world: World
let alice: Person
/** A worker that fetches images for the gateway. */
let worker: Upstream
let sdks: Map<string, Sdk>

const names = [
  'openai, chat',
  'openai, responses',
  'anthropic',
  'genai',
  'ai, openai chat',
  'ai, openai responses',
  'ai, anthropic',
  'ai, google',
]
const cells = names.flatMap((name) => familyNames.map((family) => [name, family] as const))
const both = [false, true]
/** The tool results, which are JSON in some client dialects. */
const WEATHER = /^The tools said .*rain in Paris.* and .*rain in Oslo.*\.$/

beforeAll(async () => {
  worker = await anUpstream()
  worker.answers({ headers: { 'content-type': 'image/png' }, body: PNG })
  const house = await aHouse({ WorkerUrl: worker.url })
  world = house.world
  alice = house.alice
  const place = { url: world.url, key: await alice.key() }
  const all = [
    openaiChat(place),
    openaiResponses(place),
    anthropicMessages(place),
    googleGenai(place),
    ...aiSdks(place),
  ]
  sdks = new Map(all.map((sdk) => [sdk.name, sdk]))
})
afterAll(() => worker.stop())
beforeEach(() => {
  world.upstream.reset()
  world.upstream.answers(createVendors())
})

const sdkOf = (name: string): Sdk => sdks.get(name) ?? expect.fail(`no SDK ${name}`)
const asks = (name: string, family: Family, question: Omit<Question, 'model'>) =>
  sdkOf(name).ask({ model: families[family].model, ...question })
const failing = (work: Promise<unknown>) =>
  work.then(
    () => expect.fail('it succeeded'),
    (error: unknown) => error,
  )

describe.each(cells)('%s before a channel of %s', (name, family) => {
  it.each(both)('is answered, streamed: %s', async (stream) => {
    expect(await asks(name, family, { text: 'Grüße, 世界!', stream })).toEqual({
      text: 'You said: Grüße, 世界!',
      thoughts: '',
      input: 10,
      output: 5,
    })
  })

  it('reads a stream however its bytes are cut', async () => {
    const vendors = createVendors()
    world.upstream.reset()
    world.upstream.answers((request) => inPieces(vendors(request), 7))
    const { text } = await asks(name, family, { text: 'Grüße, 世界!', stream: true })
    expect(text).toBe('You said: Grüße, 世界!')
  })

  it.each(both)('calls tools in parallel and continues with their results, streamed: %s', async (stream) => {
    const { text } = await asks(name, family, { text: 'How is the weather?', tools: true, stream })
    expect(text).toMatch(WEATHER)
    expect(world.upstream.requests).toHaveLength(2)
  })

  it('shows a picture', async () => {
    const data = PNG.toString('base64')
    const { text } = await asks(name, family, { text: 'What is it?', picture: { mime: 'image/png', data } })
    expect(text).toBe(`I see ${pictured('image/png', data)}`)
  })

  // The AI SDK for Google downloads the file itself, without the gateway.
  if (name !== 'ai, google')
    it('shows a picture by its address, fetched where the vendor accepts none', async () => {
      const url = 'https://pictures.example/cat.png'
      const { text } = await asks(name, family, { text: 'What is it?', picture: { url } })
      const isFetched = family === 'gemini' && name !== 'genai'
      expect(text).toBe(`I see ${isFetched ? pictured('image/png', PNG.toString('base64')) : url}`)
    })

  it.each(both)('shows its thoughts where the vendor does, also around tools, streamed: %s', async (stream) => {
    const isShown = (family !== 'openai' || name.includes('responses')) && name !== 'ai, openai chat'
    const { text, thoughts } = await asks(name, family, { text: 'Think.', thinks: true, stream })
    expect(text).toBe('You said: Think.')
    if (isShown) expect(thoughts).toContain(THOUGHT)
    expect((await asks(name, family, { text: 'Think.', thinks: true, tools: true, stream })).text).toMatch(WEATHER)
    const [before, after] = world.upstream.requests.slice(-2)
    if (name === 'ai, openai chat') return
    expect(after?.json.thinking).toEqual(before?.json.thinking)
    if (family === 'gemini') expect(after?.text).toContain(GEMINI_SEAL)
  })

  it.each(both)('gets an answer that follows its schema, streamed: %s', async (stream) => {
    const { text } = await asks(name, family, { text: 'Which city?', json: true, stream })
    expect(JSON.parse(text)).toEqual(CITY)
  })

  it.each([401, 429, 500])('receives a %d as such', async (status) => {
    world.upstream.reset()
    world.upstream.answers((request) => failure(request, status, 'not today'))
    for (const stream of both) {
      const error = await failing(asks(name, family, { text: 'hi', stream }))
      expect(sdkOf(name).statusOf(error), String(error)).toBe(status)
      if (status !== 429) expect(String(error)).toContain('not today')
    }
  })

  it('receives an error when the vendor fails in the middle of a stream, or breaks off', async () => {
    for (const isTold of both) {
      let heard = ''
      world.upstream.reset()
      world.upstream.answers((request) => {
        const events = begun(request, { texts: ['Half an ', 'answer', ' more'] }, {}, 2)
        if (isTold) return { events: [...events, errorEvent(request, 'too much to do')] }
        return { events: [...events, 'never'], cutAfter: events.length }
      })
      const onText = (text: string) => {
        heard += text
      }
      const error = await failing(asks(name, family, { text: 'hi', stream: true, onText }))
      expect(heard).toBe('Half an answer')
      expect(error).toBeInstanceOf(Error)
      if (isTold) expect(String(error) + JSON.stringify(error)).toContain('too much to do')
    }
  })

  it('ends the upstream call when it leaves', async () => {
    const vendors = createVendors()
    world.upstream.reset()
    world.upstream.answers((request) => ({ ...vendors(request), gapMs: 60 }))
    const count = (await receiptsOf(world, alice.id)).length
    const leaving = new AbortController()
    const onText = () => leaving.abort()
    await failing(asks(name, family, { text: 'x'.repeat(200), stream: true, signal: leaving.signal, onText }))
    expect(await world.upstream.last().aborted).toBe(true)
    const { other, completion_tokens } = await lastReceipt(world, alice.id, count + 1)
    expect(other.ended).toBe('client-gone')
    expect(completion_tokens).toBeLessThan(30)
  })

  it('reads fifty streams at once', async () => {
    const texts = Array.from({ length: 50 }, (_, index) => `number ${index} ${'.'.repeat(index)}`)
    const answers = await Promise.all(texts.map((text) => asks(name, family, { text, stream: true })))
    expect(answers.map(({ text }) => text)).toEqual(texts.map((text) => `You said: ${text}`))
  })
})
