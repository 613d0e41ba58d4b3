import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { GatewayError } from '../../../../../gateway/base/errors.ts'
import { usageOf } from '../../../../../gateway/billing/usage.ts'
import { anthropic } from '../../../../../gateway/relay/formats/anthropic/codec.ts'
import { takesUrl } from '../../../../../gateway/relay/formats/anthropic/media.ts'
import type { MediaPart } from '../../../../../gateway/relay/formats/conversation.ts'
import { frame, payloadsOf, targetOf } from './conversation.ts'

const json = fc.jsonValue({ maxDepth: 2 })
const one = (...values: string[]) =>
  fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...values) }, { weight: 1, arbitrary: json })
const maybe = (known: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 5, arbitrary: known }, { weight: 1, arbitrary: json })

const blocks = fc.record(
  {
    type: one(
      'text',
      'thinking',
      'redacted_thinking',
      'tool_use',
      'tool_result',
      'image',
      'document',
      'server_tool_use',
    ),
    text: json,
    thinking: json,
    signature: json,
    data: json,
    id: maybe(fc.string()),
    name: maybe(fc.string()),
    input: json,
    tool_use_id: maybe(fc.string()),
    content: json,
    source: maybe(
      fc.record({ type: one('base64', 'url', 'file', 'text', 'content'), data: json, url: json, content: json }),
    ),
    citations: maybe(fc.array(fc.record({ url: json, source: json, title: json, cited_text: json }), { maxLength: 2 })),
    cache_control: json,
  },
  { requiredKeys: ['type'] },
)
const usages = fc.dictionary(
  one('input_tokens', 'output_tokens', 'cache_creation', 'server_tool_use').map((name) =>
    typeof name === 'string' ? name : JSON.stringify(name),
  ),
  json,
)
const messages = fc.record(
  {
    id: json,
    model: json,
    content: maybe(fc.array(maybe(blocks), { maxLength: 4 })),
    stop_reason: json,
    usage: maybe(usages),
    error: json,
  },
  { requiredKeys: [] },
)
const deltas = fc.record(
  {
    type: one('text_delta', 'thinking_delta', 'signature_delta', 'input_json_delta', 'citations_delta'),
    text: json,
    thinking: json,
    signature: json,
    partial_json: maybe(fc.string()),
    citation: json,
    stop_reason: json,
    stop_sequence: json,
  },
  { requiredKeys: ['type'] },
)
const events = fc.record(
  {
    type: one(
      'message_start',
      'content_block_start',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
      'error',
    ),
    index: maybe(fc.nat({ max: 2 })),
    message: maybe(messages),
    content_block: maybe(blocks),
    delta: maybe(deltas),
    usage: maybe(usages),
  },
  { requiredKeys: ['type'] },
)

describe('nonsense', () => {
  it('of an upstream is read without a throw, and results in a valid stream', () => {
    fc.assert(
      fc.property(fc.array(maybe(events), { maxLength: 12 }), maybe(messages), (stream, whole) => {
        const decoder = anthropic.decodeStream()
        const encoder = anthropic.encodeStream(frame)
        const read = stream.flatMap((event) => decoder.payload(JSON.stringify(event)))
        const text = read.map((event) => encoder.add(event)).join('') + encoder.end(usageOf({}))
        let open: unknown
        for (const { type, index } of payloadsOf(text)) {
          if (type === 'content_block_start') expect(open).toBeUndefined()
          if (type === 'content_block_delta' || type === 'content_block_stop') expect(index).toBe(open)
          if (type === 'content_block_start') open = index
          if (type === 'content_block_stop') open = undefined
        }
        anthropic.encodeAnswer(anthropic.decodeAnswer(whole), frame, usageOf({}))
      }),
      { numRuns: 200 },
    )
  })

  it('of a client is refused or carried to the vendor, never a failure of the gateway', () => {
    const requests = fc.record(
      {
        messages: maybe(
          fc.array(
            fc.record({ role: one('user', 'assistant', 'system'), content: maybe(fc.array(blocks, { maxLength: 4 })) }),
          ),
        ),
        system: json,
        tools: maybe(
          fc.array(maybe(fc.record({ name: maybe(fc.string()), type: one('custom', 'web_search_20250305', 'x') }))),
        ),
        tool_choice: json,
        thinking: maybe(fc.record({ type: one('enabled', 'adaptive', 'disabled'), budget_tokens: json })),
        output_config: maybe(fc.record({ effort: one('low', 'max'), format: json })),
        metadata: json,
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(requests, (wire) => {
        try {
          anthropic.encodeRequest(
            anthropic.decodeRequest(wire, 'claude-opus-4-6', false),
            targetOf('claude-opus-4-6').target,
          )
        } catch (error) {
          expect(error).toBeInstanceOf(GatewayError)
        }
      }),
      { numRuns: 200 },
    )
  })
})

describe('a file named by its address', () => {
  it.each<[boolean, MediaPart['kind'], string, string | undefined]>([
    [true, 'image', 'https://example.com/a', undefined],
    [true, 'document', 'https://example.com/a.PDF?x=1', undefined],
    [true, 'document', 'https://example.com/a', 'application/pdf'],
    [false, 'image', 'http://example.com/a', undefined],
    [false, 'document', 'https://example.com/a.txt', undefined],
    [false, 'audio', 'https://example.com/a.wav', undefined],
  ])('is fetched by the vendor: %s, %s %s', (expected, kind, url, mime) => {
    expect(takesUrl({ type: 'media', kind, source: { type: 'url', url, mime } })).toBe(expected)
  })
})
