import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { channelTypes } from '../../shared/channel-types.ts'
import { lastReceipt } from '../gateway/relay/metering/receipts.ts'
import { leaveAt } from '../support/leaving-caller.ts'
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

type Case = Readonly<{ path: string; body: object; events: readonly StreamEvent[]; enough?: string; least?: number }>
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
  'numbers as arguments of Vertex': {
    ...ofGemini,
    least: TOKENS + 700,
    events: [
      chunk([{ functionCall: { name: 'save' } }]),
      ...Array.from({ length: 700 }, (_, at) =>
        chunk([{ functionCall: { partialArgs: [{ jsonPath: `$.codes[${at}]`, numberValue: 1000 + at }] } }]),
      ),
      chunk([partial(`${WORDS.repeat(100)}LAST`)]),
    ],
  },
  'reasoning of a legacy completion': {
    path: '/v1/completions',
    body: { model: LLAMA, prompt: 'Write the book.' },
    events: pieces.map((reasoning) => ({
      ...{ id: 'c', object: 'text_completion' },
      choices: [{ index: 0, text: '', finish_reason: null, reasoning }],
    })),
  },
  'tools that a vendor ran': {
    ...ofChat,
    events: pieces.map((output) => chatChunk({ executed_tools: [{ index: 0, type: 'python', output }] })),
  },
  'text that a computer types': {
    ...ofResponses,
    events: pieces.map((text, output_index) =>
      namedEvent('response.output_item.done', {
        ...{ type: 'response.output_item.done', output_index },
        item: {
          id: `i${output_index}`,
          type: 'computer_call',
          call_id: `c${output_index}`,
          action: { type: 'type', text },
        },
      }),
    ),
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
  let hasThought = false
  await leaveAt(world, mallory, path, { stream: true, ...body }, (received) => {
    if (received.includes('"rs_1"') && !hasThought) {
      hasThought = true
      world.clock.advanceSeconds(20)
    }
    return received.includes(enough)
  })
  await expect.poll(async () => (await lastReceipt(world, mallory.id)).request_id).not.toBe(newest)
  const row = await lastReceipt(world, mallory.id)
  newest = row.request_id
  return row
}
let newest = ''

describe('pieces of unknown kinds', () => {
  it.each(Object.entries(cases))('are counted: %s', async (_, one) => {
    expect((await left(one)).completion_tokens).toBeGreaterThan(one.least ?? TOKENS / 2)
  })

  it('are not counted again when their item ends', async () => {
    const ends = [
      { type: 'response.output_item.done', output_index: 0, item: done },
      { type: 'response.novelty', END: 1 },
    ]
    const events = responses(DIFF, patch, ends)
    expect((await left({ ...ofResponses, events, enough: '"END"' })).completion_tokens).toBeLessThan(TOKENS * 1.5)
  })

  it('do not hide that the model thinks again after its first words', async () => {
    const added = (item: object) => ({ type: 'response.output_item.added', output_index: 2, item })
    const text = { type: 'response.output_text.delta', output_index: 3, content_index: 0, item_id: 'm2' }
    const ends = [added({ id: 'rs_1', type: 'reasoning', summary: [] }), { ...text, delta: 'The number is END' }]
    const events = responses('response.novelty', { id: 'i', type: 'message' }, ends)
    const { completion_tokens, other } = await left({ ...ofResponses, events: events.filter(isShort), enough: 'END' })
    expect([completion_tokens > 950, other.reasoning_tokens]).toEqual([
      true,
      expect.toBeOneOf([1000, 1001, 1002, 1003]),
    ])
  })
})

/** Not one of the hundred pieces. */
const isShort = (event: StreamEvent) => !String(event).includes('quick brown') && !String(event).includes('LAST')
