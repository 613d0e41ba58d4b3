import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { lastReceipt } from '../metering/receipts.ts'
import { type DialectName, dialects } from '../parity/dialects.ts'
import { FIGURES, SAID } from '../parity/endings.ts'
import { answered } from '../parity/vendors.ts'

let world: World
let alice: Person

beforeAll(async () => {
  const names = ['by-openai', 'by-anthropic', 'by-gemini', 'by-two']
  world = await aWorld({ options: { ModelRatio: Object.fromEntries(names.map((name) => [name, 1])), RetryTimes: 1 } })
  await world.channel({ models: 'by-openai', type: 1, setting: '{"allow_account_data":true}' })
  await world.channel({ models: 'by-anthropic', type: 14 })
  await world.channel({ models: 'by-gemini', type: 24 })
  await world.channel({ models: 'by-two', type: 14, priority: 10 })
  await world.channel({ models: 'by-two', type: 1 })
  alice = await world.user({ quota: 1_000_000_000 })
})
beforeEach(() => {
  world.upstream.reset()
  world.upstream.answers((request) => answered(request, SAID, FIGURES))
})

const asks = (dialect: DialectName, model: string, more: object, stream = false) =>
  alice.calls(dialects[dialect].path(model, stream), { ...dialects[dialect].body(model, stream), ...more })

const lost: readonly (readonly [DialectName, string, object, readonly string[]])[] = [
  [
    'openai',
    'by-anthropic',
    { seed: 7, frequency_penalty: 0.5, logit_bias: { 50: 1 } },
    ['frequency_penalty', 'seed', 'logit_bias'],
  ],
  [
    'openai',
    'by-gemini',
    { user: 'ann', logit_bias: { 50: 1 }, parallel_tool_calls: false },
    ['parallel_tool_calls', 'user', 'logit_bias'],
  ],
  ['responses', 'by-anthropic', { truncation: 'auto', prompt_cache_key: 'k' }, ['prompt_cache_key', 'truncation']],
  ['responses', 'by-gemini', { user: 'ann', max_tool_calls: 3 }, ['user', 'max_tool_calls']],
  [
    'anthropic',
    'by-openai',
    { top_k: 5, mcp_servers: [{ type: 'url', url: 'https://x.example', name: 'x' }] },
    ['top_k', 'mcp_servers'],
  ],
  ['anthropic', 'by-gemini', { metadata: { user_id: 'ann' } }, ['metadata.user_id']],
  [
    'gemini',
    'by-openai',
    { safetySettings: [], cachedContent: 'cachedContents/1' },
    ['safetySettings', 'cachedContent'],
  ],
  [
    'gemini',
    'by-anthropic',
    { generationConfig: { seed: 7 }, labels: { a: 'b' } },
    ['generationConfig.seed', 'labels'],
  ],
]

describe('parameters a vendor does not support (docs/fidelity.md)', () => {
  it.each(lost)('%s before %s: the answer names it', async (dialect, model, more, names) => {
    for (const stream of [false, true]) {
      const { status, headers, text } = await asks(dialect, model, more, stream)
      expect(status, text).toBe(200)
      expect(headers.get('x-switchyard-dropped')?.split(', ').toSorted()).toEqual(names.toSorted())
    }
  })

  it('are not reported where everything was sent, nor where bytes pass untouched', async () => {
    for (const dialect of ['openai', 'responses', 'anthropic', 'gemini'] as const)
      for (const model of ['by-openai', 'by-anthropic', 'by-gemini'])
        expect((await asks(dialect, model, {})).headers.get('x-switchyard-dropped'), `${dialect} ${model}`).toBeNull()
    const { headers } = await asks('openai', 'by-openai', { seed: 7, logit_bias: {}, something_new: 1 })
    expect(headers.get('x-switchyard-dropped')).toBeNull()
    expect(world.upstream.last().json).toMatchObject({ seed: 7, something_new: 1 })
  })
})

describe('a parameter that cannot be left out', () => {
  it('is refused by the name the client gave it, in the form of its dialect, and charged nothing', async () => {
    const before = await alice.quota()
    const first = await asks('openai', 'by-anthropic', { n: 2 })
    expect([first.status, first.json.error.code, first.json.error.param]).toEqual([400, 'convert_request_failed', 'n'])
    expect(first.json.error.message).toContain('"n"')
    const second = await asks('gemini', 'by-anthropic', { generationConfig: { candidateCount: 3 } })
    expect([second.status, second.json.error.status]).toEqual([400, 'INVALID_ARGUMENT'])
    expect(second.json.error.message).toContain('candidateCount')
    const third = await asks('responses', 'by-gemini', { background: true })
    expect([third.status, third.json.error.param]).toEqual([400, 'background'])
    expect(world.upstream.requests).toHaveLength(0)
    expect(await alice.quota()).toBe(before)
  })

  it('goes to a channel that speaks the dialect itself, though another comes first', async () => {
    expect((await asks('openai', 'by-two', {})).status).toBe(200)
    expect(world.upstream.last().path).toBe('/v1/messages')
    expect((await asks('openai', 'by-two', { n: 2 })).status).toBe(200)
    expect(world.upstream.last()).toMatchObject({ path: '/v1/chat/completions', json: { n: 2 } })
    expect(world.upstream.requests).toHaveLength(2)
    expect((await lastReceipt(world, alice.id)).other.admin_info.use_channel).toHaveLength(1)
  })
})
