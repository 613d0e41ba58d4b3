import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { requestBounds } from '../../gateway/base/json/json-scan.ts'
import { channelTypes } from '../../shared/channel-types.ts'
import { readingMs, watchTurns } from '../support/turns.ts'
import { aWorld, type World } from '../support/world.ts'

const OBJECTS = 24
const WIDTH = Math.floor((requestBounds.fields * 0.98) / OBJECTS)
/** Names of the longest kind that is compared with known ones. */
const nameAt = (at: number) => `${'ΐ_'.repeat(19)}${at.toString(36).padStart(4, '-')}ids`
const joined = (count: number, one: (at: number) => string) => Array.from({ length: count }, (_, at) => one(at)).join()
/** The same names in every object: few differ. */
const wide = (width = WIDTH) => joined(width, (at) => `"${nameAt(at)}":1`)
const schema = (width: number) =>
  `{"type":"object","properties":{${joined(width, (at) => `"p${at}":{"type":"string"}`)}}}`
const toolOf = (width: number) => `{"type":"function","function":{"name":"f","parameters":${schema(width)}}}`
const hello = '[{"role":"user","content":"hi"}]'
const chat = (model: string, more: string) => `{"model":"${model}","messages":${hello},${more}}`

let world: World
let [poor, rich] = ['', '']
beforeAll(async () => {
  world = await aWorld({ options: { SelfUseModeEnabled: true, RetryTimes: 0 } })
  for (const type of ['openai', 'anthropic', 'gemini'] as const)
    await world.channel({ models: `by-${type}`, type: channelTypes[type].id })
  poor = await (await world.user({ quota: 0 })).key()
  rich = await (await world.user({ quota: 1_000_000_000_000 })).key()
})
beforeEach(() => world.upstream.reset())

async function send(path: string, key: string, body: string) {
  const headers = { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' }
  const response = await fetch(world.url + path, { method: 'POST', headers, body })
  return { status: response.status, text: await response.text() }
}

describe('bodies of wide objects (docs/reference/limits.md#bodies)', () => {
  const parts = joined(OBJECTS, () => `{"type":"text","text":"x",${wide()}}`)
  const files = joined(
    OBJECTS * Math.floor(WIDTH / 2) - 10,
    (at) => `{"type":"input_file","file_url":"https://b${at}.c/"}`,
  )
  it.each([
    [
      'tools',
      '/v1/chat/completions',
      400,
      6,
      `{"model":"nope","messages":[],"tools":[${joined(OBJECTS, () => `{${wide()}}`)}]}`,
    ],
    ['a drawing', '/mj/submit/imagine', 503, 6, `{"prompt":"x","a":[${joined(OBJECTS, () => `{${wide()}}`)}]}`],
    [
      'parts to count',
      '/v1/messages/count_tokens',
      200,
      14,
      `{"model":"by-openai","messages":[{"role":"user","content":[${parts}]}]}`,
    ],
    [
      'too many files',
      '/v1/responses',
      400,
      25,
      `{"model":"by-gemini","input":[{"role":"user","content":[${files}]}]}`,
    ],
  ])('delay no other request: %s', async (_, path, status, max, body) => {
    const reading = readingMs(body)
    const longest = watchTurns()
    const answer = await send(path, status === 400 ? rich : poor, body)
    expect(answer.status, answer.text.slice(0, 300)).toBe(status)
    expect(longest() / reading).toBeLessThan(max)
  })

  it('have 2,048 texts to embed at most if another dialect is written', async () => {
    const body = (count: number) =>
      JSON.stringify({ model: 'by-gemini', input: Array(count).fill('a'), dimensions: 768 })
    const { status, text } = await send('/v1/embeddings', rich, body(2049))
    expect([status, text]).toEqual([400, expect.stringContaining('more than 2048 entries')])
    expect(world.upstream.requests).toEqual([])
    await send('/v1/embeddings', rich, body(2048))
    expect(world.upstream.requests).toHaveLength(1)
  })

  it('have 100,000 fields at most', async () => {
    const body = chat('by-openai', `"x":[${joined(101, () => `{${joined(1000, (at) => `"a${at}":1`)}}`)}]`)
    const { status, text } = await send('/v1/chat/completions', rich, body)
    expect([status, text]).toEqual([413, expect.stringContaining('more than 100000 fields')])
  })

  it('have 40,000 fields and list items of schemas at most if another dialect is written', async () => {
    const tools = `"tools":[${joined(OBJECTS, () => toolOf(1000))}]`
    const { status, text } = await send('/v1/chat/completions', rich, chat('by-gemini', tools))
    expect([status, text]).toEqual([413, expect.stringContaining('more than 40000 fields and list items together')])
    expect(world.upstream.requests).toEqual([])
    expect((await send('/v1/chat/completions', rich, chat('by-openai', tools))).status).toBe(200)
  })
})
