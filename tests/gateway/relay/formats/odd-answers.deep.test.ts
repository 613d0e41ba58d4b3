import { describe, expect, it } from 'vitest'
import { ExactNumber } from '../../../../gateway/base/json/exact-number.ts'
import { createCodecs } from '../../../../gateway/relay/formats/codecs.ts'
import type { Format } from '../../../../gateway/relay/formats/format.ts'
import { messageAnswer, messageStream } from '../../../support/anthropic.ts'
import { saidAnswer, saidStream } from '../../../support/chat-said.ts'
import { geminiAnswer, geminiStream } from '../../../support/gemini.ts'
import { responseAnswer, responseStream } from '../../../support/responses.ts'
import type { Said } from '../../../support/said.ts'
import { aWorld } from '../../../support/world.ts'

const said: Said = {
  thoughts: 'Hm.',
  texts: ['Go', 'od.'],
  calls: [{ id: 'a', name: 'f', arguments: { city: 'Oslo' } }],
}
const deep = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`)
/** Values that a faulty upstream may send: other types, nothing at all, and objects without a text form. */
const oddities: readonly unknown[] = [
  undefined,
  null,
  0,
  -1.5,
  '',
  'x',
  [],
  [null],
  {},
  JSON.parse('{"toString":1,"valueOf":1}'),
  JSON.parse('{"__proto__":{"type":"text"}}'),
  deep(5000),
  new ExactNumber('18446744073709551615'),
]

/** All variants of `value` with one of its members, at any depth, replaced. */
function* changed(value: unknown): Generator<unknown> {
  if (typeof value !== 'object' || value === null) return
  for (const [key, member] of Object.entries(value)) {
    for (const odd of oddities) yield withMember(value, key, odd)
    for (const inner of changed(member)) yield withMember(value, key, inner)
  }
}

const withMember = (value: object, key: string, member: unknown): unknown =>
  Array.isArray(value) ? value.map((one, at) => (at === Number(key) ? member : one)) : { ...value, [key]: member }

/** Items that exist only in Responses. */
const items = [
  {
    type: 'local_shell_call',
    id: 'i',
    call_id: 'c',
    status: 'completed',
    action: { type: 'exec', command: ['ls'], env: { A: 'b' } },
  },
  { type: 'shell_call', call_id: 'c', action: { commands: ['ls'], timeout_ms: 1 } },
  { type: 'apply_patch_call', call_id: 'c', operation: { type: 'update_file', path: 'a', diff: 'b' } },
  { type: 'tool_search_call', call_id: 'c', execution: 'client', arguments: { query: 'q' } },
  { type: 'custom_tool_call', call_id: 'c', name: 'n', input: 'text' },
  {
    type: 'web_search_call',
    id: 'w',
    action: { type: 'search', query: 'q', sources: [{ type: 'url', url: 'https://a.b' }] },
  },
  { type: 'file_search_call', id: 'f', queries: ['q'], results: [] },
  { type: 'image_generation_call', id: 'g', result: 'aGk=', output_format: 'png' },
  {
    type: 'reasoning',
    id: 'r',
    summary: [{ type: 'summary_text', text: 's' }],
    content: [{ text: 't' }],
    encrypted_content: 'e',
  },
  { type: 'compaction', id: 'c', encrypted_content: 'e' },
  {
    type: 'message',
    content: [
      {
        type: 'output_text',
        text: 'a',
        annotations: [{ type: 'url_citation', url: 'https://a.b', title: 't' }],
        logprobs: [{ token: 'a', logprob: -1, top_logprobs: [{ token: 'b', logprob: -2 }] }],
      },
      { type: 'refusal', refusal: 'no' },
    ],
  },
]
const own = { ...responseAnswer(said), output: items }
const ownStream = items.flatMap((item, output_index) => [
  { type: 'response.output_item.added', output_index, item },
  { type: 'response.output_item.done', output_index, item },
])

const payloadsOf = (events: readonly unknown[]): readonly unknown[] =>
  events.flatMap((event) => {
    const text = Buffer.isBuffer(event) ? (/^data: ?(.*)$/m.exec(event.toString())?.[1] ?? '') : JSON.stringify(event)
    return text.startsWith('{') ? [JSON.parse(text)] : []
  })

const rows: readonly (readonly [Format, string, readonly unknown[], readonly unknown[]])[] = [
  ['openai', 'all', [saidAnswer(said, {})], saidStream(said, {})],
  ['anthropic', 'all', [messageAnswer(said)], messageStream(said)],
  ['gemini', 'all', [geminiAnswer(said)], geminiStream(said)],
  ['responses', 'all', [responseAnswer(said), own], [...responseStream(said), ...ownStream]],
]

describe('an upstream that answers oddly', () => {
  const codecs = createCodecs(() => 'call_1')
  it.each(rows)('never makes the reader of %s throw', (format, _, wholes, stream) => {
    const codec = codecs[format]
    let count = 0
    const thrown: string[] = []
    const attempt = (odd: unknown, read: () => unknown) => {
      count += 1
      try {
        read()
      } catch (error) {
        thrown.push(`${error}: ${(written(odd) ?? 'deep').slice(0, 300)}`)
      }
    }
    for (const whole of wholes) for (const odd of changed(whole)) attempt(odd, () => codec.decodeAnswer(odd))
    const payloads = payloadsOf(stream)
    const texts = payloads.map((each) => JSON.stringify(each))
    for (const [at, payload] of payloads.entries())
      for (const odd of changed(payload)) {
        const text = written(odd)
        if (text === undefined) continue
        const decoder = codec.decodeStream()
        attempt(odd, () => texts.with(at, text).map((each) => decoder.payload(each)))
      }
    expect(thrown).toEqual([])
    expect(count).toBeGreaterThan(300)
  })
})

describe('a call of a client’s tool that its upstream gives no id', () => {
  it.each([false, true])('comes to clients of other dialects as one, streamed: %s', async (stream) => {
    const world = await aWorld({ options: { SelfUseModeEnabled: true, RetryTimes: 0 } })
    await world.channel({ models: 'gpt-5-codex' })
    const alice = await world.user({ quota: 1_000_000_000 })
    const item = { type: 'local_shell_call', action: { type: 'exec', command: ['ls'] } }
    const response = { ...responseAnswer({}), output: [item] }
    const events = [
      { type: 'response.output_item.added', output_index: 0, item },
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response },
    ]
    world.upstream.answers(stream ? { events } : { body: response })
    const messages = [{ role: 'user', content: 'hi' }]
    const answer = await alice.calls('/v1/messages', { model: 'gpt-5-codex', max_tokens: 99, stream, messages })
    expect(answer.status, answer.text).toBe(200)
    const blocks = stream
      ? answer.events.flatMap(({ content_block: block }) => (block ? [block] : []))
      : answer.json.content
    expect(blocks).toEqual([expect.objectContaining({ type: 'tool_use', name: 'local_shell' })])
    expect(blocks[0].id).toMatch(/^toolu_./)
  })
})

/** The value as JSON; undefined if it is nested too deeply. */
function written(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}
