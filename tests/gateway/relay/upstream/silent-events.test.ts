import { describe, expect, it } from 'vitest'
import type { Endpoint } from '../../../../gateway/relay/model/endpoint.ts'
import { isEmptyEvent } from '../../../../gateway/relay/upstream/silent-events.ts'

const chunk = (delta: object, more: object = {}) => ({ choices: [{ index: 0, delta, finish_reason: null, ...more }] })
const block = (content_block: object) => ({ type: 'content_block_start', index: 0, content_block })
const item = (item: object) => ({ type: 'response.output_item.added', output_index: 0, item })
const response = (parts: readonly object[], more: object = {}) => ({ candidates: [{ content: { parts }, ...more }] })

const silent: [Endpoint, object][] = [
  ['messages', { type: 'message_start', message: { role: 'assistant', content: [], usage: { input_tokens: 3 } } }],
  ['messages', { type: 'ping' }],
  ['messages', block({ type: 'text', text: '' })],
  ['messages', block({ type: 'thinking', thinking: '', signature: '' })],
  ['chat', chunk({ role: 'assistant', content: '', refusal: null, tool_calls: [] }, { logprobs: null })],
  ['chat', { choices: [], prompt_filter_results: [{ prompt_index: 0 }] }],
  ['chat', { choices: [], usage: { total_tokens: 3 } }],
  ['responses', { type: 'response.created', response: { output: [], error: null } }],
  ['responses', { type: 'response.queued' }],
  ['responses', item({ type: 'message', id: 'msg_1', status: 'in_progress', role: 'assistant', content: [] })],
  ['responses', item({ type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: '' })],
  ['generate', { usageMetadata: { promptTokenCount: 3 }, modelVersion: 'gemini' }],
  ['generate', response([])],
  ['generate', response([{ text: '', thought: true }])],
]
const saying: [Endpoint, object][] = [
  ['messages', block({ type: 'tool_use', id: 'toolu_1', name: 'weather', input: {} })],
  ['messages', block({ type: 'redacted_thinking', data: 'sealed' })],
  ['messages', { type: 'message_delta', delta: { stop_reason: 'end_turn' } }],
  ['messages', { type: 'not_known' }],
  ['chat', chunk({ content: 'Hi' })],
  ['chat', chunk({ reasoning_content: 'Hm' })],
  ['chat', chunk({ tool_calls: [{ index: 0, id: 'call_1' }] })],
  ['chat', chunk({}, { finish_reason: 'stop' })],
  ['chat', chunk({ of_a_vendor: { more: 1 } })],
  ['chat', { not: 'known' }],
  ['responses', item({ type: 'function_call', name: 'weather', arguments: '' })],
  ['responses', { type: 'response.output_text.delta', delta: 'Hi' }],
  ['generate', response([{ text: 'Hi' }])],
  ['generate', response([{ functionCall: { name: 'weather' } }])],
  ['generate', response([], { finish_reason: 'STOP' })],
  ['generate', { promptFeedback: { blockReason: 'SAFETY' } }],
  ['images', { type: 'image_generation.partial_image' }],
]

describe('an event of a stream (docs/reference/streams.md#start-of-a-stream)', () => {
  it.each(silent)('has no content yet: %s %j', (endpoint, event) => {
    expect(isEmptyEvent(endpoint, JSON.stringify(event))).toBe(true)
  })
  it.each(saying)('has content: %s %j', (endpoint, event) => {
    expect(isEmptyEvent(endpoint, JSON.stringify(event))).toBe(false)
  })
  it('has content where it is its end or cannot be read', () => {
    expect([isEmptyEvent('chat', '[DONE]'), isEmptyEvent('chat', '{"choices":[')]).toEqual([false, false])
  })
})
