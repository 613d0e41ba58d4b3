import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { messageAnswer } from '../../../support/anthropic.ts'
import type { Said } from '../../../support/said.ts'
import type { Recorded, Script } from '../../../support/upstream.ts'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { lastReceipt, recomputed } from '../metering/receipts.ts'
import { answered } from '../parity/vendors.ts'
import { type Agent, type AgentName, agentNames, agents } from './agents.ts'

type Item = Readonly<Record<string, unknown>>

/** The vendor's responses, by turn: it thinks, calls tools for files, and calls again. */
const SAID: readonly Said[] = [
  { thoughts: 'I have to look.', texts: ['I will look.'], calls: calls('a', 'b') },
  { texts: ['And there.'], calls: calls('c') },
  { texts: ['Done.'] },
  { texts: ['Done again.'] },
]
const TURNS = SAID.length

function calls(...paths: readonly string[]) {
  return paths.map((path) => ({ id: `call_${path}`, name: 'shell', arguments: { path } }))
}

const vendors = {
  'OpenAI (Chat)': { type: 1, model: 'gpt-5.4' },
  DeepSeek: { type: 43, model: 'deepseek-v4' },
  Ollama: { type: 4, model: 'qwen3-coder' },
  OpenRouter: { type: 20, model: 'anthropic/claude-sonnet-4.6' },
  Anthropic: { type: 14, model: 'claude-opus-4-8' },
  'Anthropic of others': { type: 14, model: 'kimi-k2.6' },
  Bedrock: { type: 33, model: 'claude-opus-4-7', key: 'secret|us-east-1' },
  Vertex: {
    type: 41,
    model: 'claude-sonnet-4-6',
    key: 'secret',
    other: 'global',
    setting: '{"vertex_key_type":"api_key"}',
  },
  Gemini: { type: 24, model: 'gemini-3-pro' },
} as const
type VendorName = keyof typeof vendors
const vendorNames = Object.keys(vendors) as VendorName[] // the keys of a constant
const ofClaude: readonly VendorName[] = ['OpenRouter', 'Anthropic', 'Bedrock', 'Vertex']

let world: World
let alice: Person

beforeAll(async () => {
  world = await aWorld({ options: { SelfUseModeEnabled: true, RetryTimes: 0 } })
  for (const { model: models, ...fields } of Object.values(vendors)) await world.channel({ models, ...fields })
  alice = await world.user({ quota: 1_000_000_000 })
})
beforeEach(async () => {
  world.upstream.reset()
  await world.option('claude.automatic_cache_enabled', true)
})

/** Responds with the current turn, in the dialect of the requested path. */
function answering(turn: () => number) {
  return (request: Recorded): Script => {
    const said = SAID[turn()] ?? {}
    const isHosted = /^\/model\/|\/publishers\/anthropic\//.test(request.path)
    const path = request.path.replace(/^\/openai\/deployments\/[^/]+/, '/v1')
    return isHosted ? { body: messageAnswer(said) } : answered({ ...request, path }, said, {})
  }
}

/** Runs a complete session of an agent; returns the upstream requests. */
async function session(agentName: AgentName, vendorName: VendorName): Promise<readonly Recorded[]> {
  const agent: Agent = agents[agentName]
  const { model } = vendors[vendorName]
  world.upstream.reset()
  let turn = 0
  world.upstream.answers(answering(() => turn))
  let history = agent.first
  for (; turn < TURNS; turn += 1) {
    const answer = await alice.calls(agent.path(model), agent.body(model, history, turn), {
      headers: { ...agent.headers },
    })
    expect(answer.status, answer.text).toBe(200)
    history = [...history, ...agent.after(answer.json)]
  }
  return world.upstream.requests
}

/** Content as a list of blocks: a string equals a single text block. */
const blocksOf = (content: unknown): readonly Item[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : ((content ?? []) as Item[])

const withoutMarks = (value: unknown): string =>
  JSON.stringify(value, (name, member) => (name === 'cache_control' ? undefined : member))

/** A prompt in the order in which vendors read it, block by block, without marks. */
function promptOf({ json }: Recorded): readonly string[] {
  const tools = [json.tools ?? null]
  const system = [blocksOf(json.system), json.systemInstruction ?? null, json.instructions ?? null]
  const said = [...(json.messages ?? []), ...(json.contents ?? []), ...(json.input ?? [])] as Item[]
  const turns = said.flatMap(({ content, parts, ...head }) => [
    head,
    ...((parts as Item[] | undefined) ?? (content === undefined ? [] : blocksOf(content))),
  ])
  return [...tools, ...system, ...turns].map(withoutMarks)
}

/** The positions of marks in a prompt, as numbers of blocks up to and including the marked one. */
function marksOf({ json }: Recorded): readonly number[] {
  const blocks = (json.messages as Item[]).flatMap(({ content }) => blocksOf(content))
  const marked = [...(json.tools ?? []), ...blocksOf(json.system), ...blocks].map((block: Item) =>
    Boolean(block.cache_control),
  )
  return marked.flatMap((is, index) => (is ? [index + 1] : []))
}

const ways = agentNames.flatMap((agent) => vendorNames.map((vendor) => [agent, vendor] as const))

describe('an agent’s next request (docs/reference/conversion.md#prompt-caches)', () => {
  it.each(ways)('of %s to %s begins as the last one did', async (agent, vendor) => {
    const requests = await session(agent, vendor)
    // Anthropic itself receives the client's bytes unchanged, and ignores the billing line.
    const isUntouched = agent === 'Claude Code' && vendor === 'Anthropic'
    const prompts = requests.map(promptOf).map((prompt) => (isUntouched ? prompt.with(1, '') : prompt))
    for (const [index, prompt] of prompts.entries()) {
      const next = prompts[index + 1]
      if (!next) continue
      expect(next.slice(0, prompt.length)).toEqual(prompt)
      expect(next.length).toBeGreaterThan(prompt.length)
    }
    expect(new Set(requests.map(({ json }) => json.prompt_cache_key)).size).toBe(1)
  })

  const marking = agentNames.flatMap((agent) => ofClaude.map((vendor) => [agent, vendor] as const))
  it.each(marking)('of %s to %s finds the cached prefix of the last one', async (agent, vendor) => {
    const isUntouched = agent === 'a Chat agent' && vendor === 'OpenRouter'
    const requests = await session(agent, vendor)
    const marks = requests.map(marksOf)
    if (isUntouched) return expect(marks.flat()).toEqual([])
    for (const [index, marked] of marks.entries()) {
      expect(marked.length).toBeGreaterThanOrEqual(2)
      expect(marked.length).toBeLessThanOrEqual(4)
      const next = marks[index + 1]
      // Claude Code sets its own marks, and the vendor looks back twenty blocks from each.
      if (next && agent !== 'Claude Code') expect(next).toContain(marked.at(-1))
    }
  })
})

describe('cache writes and reads', () => {
  const figures = { prompt: 5000, cached: 3000, written: 1500, completion: 100 }
  // (500 + 3000 × 0.1 + 1500 × 1.25 + 100 × 5) × 2.5
  const COST = 7938

  it.each(
    agentNames.flatMap((agent) =>
      (['Anthropic', 'Bedrock', 'Vertex'] as const).map((vendor) => [agent, vendor] as const),
    ),
  )('costs %s over %s what the prices say', async (agentName, vendor) => {
    const agent: Agent = agents[agentName]
    const model = `priced-on-${vendor}`
    const { model: asked, ...fields } = vendors[vendor]
    await world.channel({ ...fields, models: model, model_mapping: JSON.stringify({ [model]: asked }) })
    await world.option('ModelRatio', { [model]: 2.5 })
    await world.option('CompletionRatio', { [model]: 5 })
    await world.option('CacheRatio', { [model]: 0.1 })
    world.upstream.answers({ body: messageAnswer({ texts: ['Done.'] }, figures) })
    const bob = await world.user({ quota: 1_000_000 })
    await bob.calls(agent.path(model), agent.body(model, agent.first, 0), { headers: { ...agent.headers } })
    const receipt = await lastReceipt(world, bob.id)
    expect(receipt.quota).toBe(COST)
    expect(recomputed(receipt)).toBe(COST)
    expect(await bob.quota()).toBe(1_000_000 - COST)
    expect(receipt.other).toMatchObject({
      cache_tokens: 3000,
      cache_creation_tokens: 1500,
      usage_semantics: 'anthropic',
    })
  })
})

const long = 'Answer as a librarian would. '.repeat(60)
const tool = { type: 'function', function: { name: 'read', parameters: { type: 'object', properties: {} } } }
const chatted = [
  { role: 'user', content: 'Hi' },
  { role: 'assistant', content: 'Hello' },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'One' },
      { type: 'text', text: 'Two' },
    ],
  },
]
const mark = { type: 'ephemeral' }

async function asked(body: object, path = '/v1/chat/completions'): Promise<Recorded['json']> {
  world.upstream.reset()
  world.upstream.answers(answering(() => 3))
  const answer = await alice.calls(path, body)
  expect(answer.status, answer.text).toBe(200)
  return world.upstream.last().json
}

describe('cache marks for a Claude whose client sets none (docs/reference/conversion.md#prompt-caches)', () => {
  const model = 'claude-opus-4-8'

  it('are set at the end of the instructions, at the end, and where the last request ended', async () => {
    const { system, messages } = await asked({
      model,
      messages: [{ role: 'system', content: 'Be brief.' }, ...chatted],
    })
    expect(system).toEqual([{ type: 'text', text: 'Be brief.', cache_control: mark }])
    expect(messages).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'Hi', cache_control: mark }] },
      { role: 'assistant', content: 'Hello' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'One' },
          { type: 'text', text: 'Two', cache_control: mark },
        ],
      },
    ])
  })

  it('are the same in a stream', async () => {
    const body = { model, messages: chatted, tools: [tool] }
    const { stream: _, ...streamed } = await asked({ ...body, stream: true })
    expect(streamed).toEqual(await asked(body))
  })

  it('are set at the tools where there are no instructions', async () => {
    const { tools } = await asked({ model, messages: [{ role: 'user', content: 'Hi' }], tools: [tool, tool] })
    expect(tools.map((one: Item) => one.cache_control)).toEqual([undefined, mark])
  })

  it('are not set on a single question, but on long instructions', async () => {
    const question = { role: 'user', content: 'Hi' }
    const short = await asked({ model, messages: [{ role: 'system', content: 'Be brief.' }, question] })
    expect(JSON.stringify(short)).not.toContain('cache_control')
    const { system, messages } = await asked({ model, messages: [{ role: 'system', content: long }, question] })
    expect(system).toEqual([{ type: 'text', text: long, cache_control: mark }])
    expect(messages).toEqual([question])
  })

  it('are the client’s own where it sets one', async () => {
    const own = { role: 'system', content: [{ type: 'text', text: long, cache_control: { ...mark, ttl: '1h' } }] }
    const { system, messages } = await asked({ model, messages: [own, ...chatted], tools: [tool] })
    expect(system).toEqual([{ type: 'text', text: long, cache_control: { ...mark, ttl: '1h' } }])
    expect(JSON.stringify(messages)).not.toContain('cache_control')
  })

  it('are not set where the operator forbids it, nor for models other than Claude', async () => {
    const body = { messages: [{ role: 'system', content: long }, ...chatted], tools: [tool] }
    expect(JSON.stringify(await asked({ model: 'kimi-k2.6', ...body }))).not.toContain('cache_control')
    expect(JSON.stringify(await asked({ model: 'gpt-5.4', ...body }))).not.toContain('cache_control')
    await world.option('claude.automatic_cache_enabled', false)
    expect(JSON.stringify(await asked({ model, ...body }))).not.toContain('cache_control')
  })

  it('are not set by Bedrock for a model that it does not cache', async () => {
    const mapping = '{"old-claude":"claude-3-sonnet-20240229"}'
    await world.channel({ type: 33, models: 'old-claude', key: 'secret|us-east-1', model_mapping: mapping })
    const body = { messages: [{ role: 'system', content: long }, ...chatted], tools: [tool] }
    expect(JSON.stringify(await asked({ model: 'old-claude', ...body }))).not.toContain('cache_control')
  })
})

describe('the key of a conversation (docs/reference/conversion.md#prompt-caches)', () => {
  const claudeCode = (text: string, more: object = {}) => ({
    model: 'gpt-5.4',
    max_tokens: 64,
    messages: [{ role: 'user', content: text }],
    ...more,
  })
  const keyOf = async (body: object, path = '/v1/messages') => (await asked(body, path)).prompt_cache_key

  it('is derived from the stable parts of the conversation, where the client sends none', async () => {
    const key = await keyOf(claudeCode('Hi'))
    expect(key).toMatch(/^[0-9a-f]{64}$/)
    const later = [
      ...claudeCode('Hi').messages,
      { role: 'assistant', content: 'Yes?' },
      { role: 'user', content: 'Go' },
    ]
    expect(await keyOf(claudeCode('', { messages: later, temperature: 0.5 }))).toBe(key)
    const others = [
      await keyOf(claudeCode('Hello')),
      await keyOf(claudeCode('Hi', { system: 'Be brief.' })),
      await keyOf(claudeCode('Hi', { tools: [{ name: 'read', input_schema: { type: 'object' } }] })),
    ]
    expect(new Set([key, ...others]).size).toBe(4)
  })

  it('is the client’s own, shortened where the vendor would refuse its length', async () => {
    await world.channel({ type: 25, models: 'kimi-k2' })
    const body = { model: 'kimi-k2', input: 'Hi', prompt_cache_key: 'my-session' }
    expect(await keyOf(body, '/v1/responses')).toBe('my-session')
    expect(await keyOf({ ...body, prompt_cache_key: 'x'.repeat(65) }, '/v1/responses')).toMatch(/^[0-9a-f]{64}$/)
  })

  it('is made only for vendors that support it', async () => {
    await world.channel({ type: 1, models: 'openai/gpt-oss-120b,llama-4' })
    await world.channel({ type: 3, models: 'gpt-5.2' })
    for (const model of ['openai/gpt-oss-120b', 'llama-4', 'gpt-5.2', 'deepseek-v4', 'qwen3-coder', 'claude-opus-4-8'])
      expect(await keyOf(claudeCode('Hi', { model }))).toBeUndefined()
    expect(await keyOf({ model: 'kimi-k2', input: 'Hi' }, '/v1/responses')).toMatch(/^[0-9a-f]{64}$/)
  })

  it('is left to the client that speaks the vendor’s own dialect', async () => {
    const body = { model: 'gpt-5.4', messages: [{ role: 'user', content: 'Hi' }] }
    expect(await asked(body)).toEqual(body)
  })
})
