import { request } from 'node:http'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { channelTypes } from '../../shared/channel-types.ts'
import { lastReceipt } from '../gateway/relay/metering/receipts.ts'
import { namedEvent } from '../support/said.ts'
import type { StreamEvent } from '../support/upstream.ts'
import { aWorld, type Person, type World } from '../support/world.ts'

/**
 * Output in pieces of a kind that the gateway does not read, or reads only at the end of its item. The caller leaves
 * when it has all of them, before the usage arrives (docs/reference/billing.md#disconnected-callers).
 */
const WORDS = 'The quick brown fox jumps over the lazy dog and runs far away '
const pieces = [...Array(100).fill(WORDS), 'LAST']
/** About as many tokens as the pieces have. */
const TOKENS = 1300
const [GPT, CLAUDE, GEMINI, LLAMA] = ['gpt-5.1-codex', 'claude-opus-4-6', 'gemini-3-pro-preview', 'llama-4']

let world: World
let mallory: Person
beforeAll(async () => {
  const one = Object.fromEntries([GPT, CLAUDE, GEMINI, LLAMA].map((model) => [model, 1]))
  world = await aWorld({ options: { ModelRatio: one, CompletionRatio: one, RetryTimes: 0 } })
  await world.channel({ models: `${GPT},${LLAMA}` })
  await world.channel({ models: CLAUDE, type: channelTypes.anthropic.id })
  await world.channel({ models: GEMINI, type: channelTypes.gemini.id })
  mallory = await world.user({ quota: 1_000_000_000 })
})
beforeEach(() => world.upstream.reset())

const responses = (type: string, item: object, ends: readonly object[]): StreamEvent[] => {
  const at = { output_index: 0, item_id: 'i' }
  const begun = { id: 'resp_1', status: 'in_progress', model: GPT, output: [] }
  return [
    { type: 'response.created', response: begun },
    { type: 'response.output_text.delta', output_index: 1, content_index: 0, item_id: 'm', delta: 'Ok.' },
    { type: 'response.output_item.added', output_index: 0, item: { ...item, status: 'in_progress' } },
    ...pieces.map((delta) => ({ type, ...at, delta })),
    ...ends,
  ].map((event) => namedEvent('type' in event ? String(event.type) : '', event))
}
const whole = pieces.join('')
const patch = {
  id: 'i',
  type: 'apply_patch_call',
  call_id: 'c',
  operation: { type: 'create_file', path: 'a', diff: '' },
}
const shell = { id: 'i', type: 'shell_call', call_id: 'c', action: { commands: [''], timeout_ms: null } }
const done = { ...patch, status: 'completed', operation: { ...patch.operation, diff: whole } }
const DIFF = 'response.apply_patch_call_operation_diff.delta'
const block = (delta: object) => namedEvent('content_block_delta', { type: 'content_block_delta', index: 0, delta })
const chunk = (parts: readonly object[]) => ({ candidates: [{ content: { role: 'model', parts } }], responseId: 'r' })
const partial = (stringValue: string) => ({ functionCall: { partialArgs: [{ jsonPath: '$.text', stringValue }] } })
const messages = [{ role: 'user', content: 'Write the book.' }]

type Case = Readonly<{ path: string; body: object; events: readonly StreamEvent[]; enough?: string }>
const ofResponses = {
  path: '/v1/responses',
  body: { model: GPT, input: 'Write the book.', reasoning: { effort: 'none' } },
}
const ofClaude = { path: '/v1/messages', body: { model: CLAUDE, max_tokens: 5000, messages } }
const ofGemini = {
  path: `/v1beta/models/${GEMINI}:streamGenerateContent?alt=sse`,
  body: { contents: [{ role: 'user', parts: [{ text: 'Write the book.' }] }] },
}
const ofChat = { path: '/v1/chat/completions', body: { model: LLAMA, messages } }
const chatChunk = (delta: object) => ({ id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta }] })
const started = namedEvent('message_start', {
  type: 'message_start',
  message: {
    id: 'm',
    type: 'message',
    role: 'assistant',
    model: CLAUDE,
    content: [],
    usage: { input_tokens: 9, output_tokens: 1 },
  },
})
const opened = namedEvent('content_block_start', {
  ...{ type: 'content_block_start', index: 0 },
  content_block: { type: 'text', text: '' },
})
const cases: Readonly<Record<string, Case>> = {
  'a patch of OpenAI': { ...ofResponses, events: responses(DIFF, patch, []) },
  'a command of OpenAI': { ...ofResponses, events: responses('response.shell_call_command.delta', shell, []) },
  'a kind that is new to Responses': {
    ...ofResponses,
    events: responses('response.novelty.delta', { id: 'i', type: 'novelty' }, []),
  },
  'arguments of Vertex': {
    ...ofGemini,
    events: [chunk([{ functionCall: { name: 'save' } }]), ...pieces.map((text) => chunk([partial(text)]))],
  },
  'a kind that is new to Claude': {
    ...ofClaude,
    events: [
      started,
      opened,
      block({ type: 'text_delta', text: 'Ok.' }),
      ...pieces.map((x) => block({ type: 'novelty_delta', x })),
    ],
  },
  'a member that is new to Chat': {
    ...ofChat,
    events: [chatChunk({ content: 'Ok.' }), ...pieces.map((novelty) => chatChunk({ novelty }))],
  },
  'a part that is new to Chat': {
    ...ofChat,
    events: [
      chatChunk({ content: 'Ok.' }),
      ...pieces.map((text) => chatChunk({ content: [{ type: 'novelty', text }] })),
    ],
  },
}

/** Sends a stream, and leaves once it contains `enough`. */
async function left({ path, body, events, enough = 'LAST' }: Case) {
  world.upstream.streams(events, { gapMs: 2, hang: true })
  const headers = { authorization: `Bearer ${await mallory.key()}`, 'content-type': 'application/json' }
  let received = ''
  await new Promise<void>((resolve) => {
    const outgoing = request(`${world.url}${path}`, { method: 'POST', headers, agent: false })
    outgoing.on('error', () => {}).on('close', resolve)
    outgoing.on('response', (incoming) => {
      incoming.on('error', () => {})
      incoming.on('data', (part) => {
        received += part
        if (received.includes(enough)) outgoing.destroy()
      })
    })
    outgoing.end(JSON.stringify({ stream: true, ...body }))
  })
  expect(received.split('quick brown').length - 1).toBeGreaterThanOrEqual(100)
  await expect.poll(async () => (await lastReceipt(world, mallory.id)).request_id).not.toBe(newest)
  const row = await lastReceipt(world, mallory.id)
  newest = row.request_id
  return row
}
let newest = ''

describe('pieces of unknown kinds', () => {
  it.each(Object.entries(cases))('are counted: %s', async (_, one) => {
    expect((await left(one)).completion_tokens).toBeGreaterThan(TOKENS / 2)
  })

  it('are not counted again when their item ends', async () => {
    const ends = [
      { type: 'response.output_item.done', output_index: 0, item: done },
      { type: 'response.novelty', END: 1 },
    ]
    const events = responses(DIFF, patch, ends)
    expect((await left({ ...ofResponses, events, enough: '"END"' })).completion_tokens).toBeLessThan(TOKENS * 1.5)
  })
})
