import { describe, expect, it } from 'vitest'
import { createNamePatterns } from '../../gateway/base/name-patterns.ts'
import { citationsIn } from '../../gateway/relay/formats/gemini/grounding.ts'
import { HostedTools } from '../../gateway/relay/formats/responses/hosted-tools.ts'
import { MessageItem } from '../../gateway/relay/formats/responses/message-item.ts'
import { createLineFrames } from '../../gateway/relay/providers/cohere/answer.ts'
import { onTheWire } from '../gateway/relay/delivery/wire.ts'
import { aWorld } from '../support/world.ts'

const GEMINI = 24

/** The product of two lists is bounded, not only the length of each (docs/reference/security.md#input). */
describe('two lists of one answer', () => {
  it('are returned as 1,000 citations at most, none of which repeats a long quote', async () => {
    const world = await aWorld({ options: { SelfUseModeEnabled: true } })
    await world.channel({ type: GEMINI, models: 'gemini' })
    const groundingChunks = Array.from({ length: 1500 }, (_, n) => ({
      web: { uri: `https://${n}.example`, title: 't' },
    }))
    const support = { segment: { text: 'long '.repeat(200_000) }, groundingChunkIndices: [...groundingChunks.keys()] }
    const candidate = {
      content: { role: 'model', parts: [{ text: 'hi' }] },
      finishReason: 'STOP',
      groundingMetadata: { groundingChunks, groundingSupports: [support] },
    }
    world.upstream.answers({ body: { candidates: [candidate] } })
    const body = JSON.stringify({ model: 'gemini', messages: [{ role: 'user', content: 'hi' }] })
    const { status, text } = await onTheWire(world, '/v1/chat/completions', { key: await world.admin.key(), body })
    expect(status).toBe(200)
    expect(JSON.parse(text).choices[0].message.annotations).toHaveLength(1000)
    expect(text.length).toBeLessThan(300_000)
    expect(citationsIn(candidate, 0).every(({ quote }) => quote === undefined)).toBe(true)
  })

  it('are charged as ten containers at most, however many the vendor lists', () => {
    const hosted = new HostedTools()
    for (let n = 0; n < 3000; n += 1) hosted.note({ type: 'code_interpreter_call', container_id: `c${n}` })
    for (let n = 0; n < 3000; n += 1) hosted.note({ type: 'file_search_call' })
    const tools = Array(3000).fill({ type: 'code_interpreter', container: { memory_limit: '4g' } })
    expect(hosted.used({ tools })).toMatchObject({ containerGigabytes: 40, fileSearches: 1000 })
  })

  it('do not make quotes be looked for in all of a long text', () => {
    const said: object[] = []
    const log = { add: (_: string, fields: object) => void said.push(fields), addText() {} }
    const item = new MessageItem(0, 'msg_1', log as unknown as ConstructorParameters<typeof MessageItem>[2])
    item.text('near the beginning, ')
    item.text('x'.repeat(64 * 1024))
    item.text(' near the end')
    const places = ['near the end', 'near the beginning'].map((quote) => {
      item.cite('https://one.example', 'One', quote)
      return (said.at(-1) as { annotation: { start_index: number } }).annotation.start_index
    })
    const length = 'near the beginning,  near the end'.length + 64 * 1024
    expect(places).toEqual([length - 'near the end'.length, length])
  })
})

it('a line of Cohere that does not end is given up', () => {
  const frames = createLineFrames()
  const piece = Buffer.alloc(1024 * 1024, 'x')
  expect(() => {
    for (let n = 0; n < 60; n += 1) frames.feed(piece)
  }).toThrow('longer than 32 MiB')
})

it('a pattern with many stars is matched in one walk', () => {
  const find = createNamePatterns({ [`${'*a'.repeat(40)}*b`]: 1, 'gpt-*-mini*': 2, '*': 3 })
  expect(['a'.repeat(255), `${'a'.repeat(200)}b`, 'GPT-5-mini-high', 'gpt-mini'].map(find)).toEqual([3, 1, 2, 3])
})
