import { describe, expect, it } from 'vitest'
import { providerFor } from '../../../../gateway/relay/providers/index.ts'
import type { ChannelTypeName } from '../../../../shared/channel-types.ts'

/** The last event of a vendor's stream, in the form that its decoder receives. */
const last: readonly (readonly [ChannelTypeName, object])[] = [
  ['baidu', { id: 'x', result: '', is_end: true, usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } }],
  ['zhipu', { event: 'finish', meta: '{"usage":{"prompt_tokens":1,"completion_tokens":1}}' }],
  ['tencent', { Choices: [{ Delta: {}, FinishReason: 'stop' }], Usage: { PromptTokens: 1, CompletionTokens: 1 } }],
  ['xunfei', { header: { code: 0, status: 2 }, payload: {} }],
  ['dify', { event: 'message_end', metadata: {} }],
  ['coze', { event: 'conversation.chat.completed', data: {} }],
  ['coze', { event: 'done', data: '[DONE]' }],
  ['cohere', { is_finished: true, finish_reason: 'COMPLETE', response: {} }],
  ['palm', { candidates: [{ content: 'x' }] }],
  ['aiproxy-library', { finish: true, documents: [] }],
]

describe('the end of a stream of vendors with separate wire formats', () => {
  it.each(last)('is recognized for %s by its last event', (name, json) => {
    expect(decoderOf(name).payload(JSON.stringify(json)).at(-1)).toEqual({ type: 'done' })
    expect(decoderOf(name).payload('[DONE]')).toEqual([{ type: 'done' }])
  })

  it.each([...new Set(last.map(([name]) => name))])('is an error where %s sends invalid JSON', (name) => {
    expect(decoderOf(name).payload('{"half":')).toMatchObject([{ type: 'error', isUnreadable: true }])
  })

  it('is read from the named events of Coze, whose last one is not JSON', () => {
    const frames = providerFor('coze')?.wire?.frames?.()
    const payloads = frames?.feed(Buffer.from('event:done\ndata:[DONE]\n\nevent:ping\ndata:\n\n')) ?? []
    expect(payloads.map((payload) => decoderOf('coze').payload(payload))).toEqual([[{ type: 'done' }]])
  })
})

function decoderOf(name: ChannelTypeName) {
  const decoder = providerFor(name)?.wire?.decodeStream()
  if (!decoder) throw new Error(`${name} has no wire of its own`)
  return decoder
}
