import { describe, expect, it } from 'vitest'
import { usageOf } from '../../../../../gateway/billing/usage.ts'
import { restoring } from '../../../../../gateway/relay/formats/client-calls.ts'
import type { Json } from '../../../../../gateway/relay/formats/codec.ts'
import type { AnswerEvent } from '../../../../../gateway/relay/formats/events.ts'
import { responses as plain } from '../../../../../gateway/relay/formats/responses/codec.ts'
import { takingText } from '../client-tools.ts'
import { frame, payloadsOf } from './frames.ts'

const responses = restoring(plain)

const usage = usageOf({
  prompt: 30,
  completion: 8,
  reasoning: 3,
  cacheRead: 10,
  cacheWrite: 5,
  semantics: 'anthropic',
})

const events: readonly AnswerEvent[] = [
  { type: 'start', id: 'msg_upstream', model: 'claude' },
  { type: 'reasoning', choice: 0, text: 'Hm' },
  { type: 'reasoning', choice: 0, text: 'm.', signature: { by: 'anthropic', value: 'sig' } },
  { type: 'reasoning', choice: 0, text: '', signature: { by: 'anthropic', value: 'data' }, redacted: true },
  { type: 'text', choice: 0, text: 'Look' },
  { type: 'text', choice: 0, text: 'ing.' },
  { type: 'citation', choice: 0, url: 'https://a.example', title: 'A', quote: 'ook' },
  { type: 'tool', choice: 0, call: 0, id: 'toolu_1', name: 'f', signature: { by: 'gemini', value: 'gs' } },
  { type: 'tool', choice: 0, call: 0, json: '{"a":' },
  { type: 'tool', choice: 0, call: 1, id: 'toolu_2', name: 'sql', json: '{"input":"SEL' },
  { type: 'tool', choice: 0, call: 0, json: '1}' },
  { type: 'tool', choice: 0, call: 1, json: 'ECT 1"}' },
  { type: 'finish', choice: 0, reason: 'tool-calls' },
]

const clientTools = takingText('sql')

const output = [
  {
    id: 'rs_abc_0',
    type: 'reasoning',
    summary: [{ type: 'summary_text', text: 'Hmm.' }],
    encrypted_content: 'switchyard:anthropic::sig',
  },
  { id: 'rs_abc_1', type: 'reasoning', summary: [], encrypted_content: 'switchyard:anthropic:redacted:data' },
  {
    id: 'msg_abc_2',
    type: 'message',
    status: 'completed',
    role: 'assistant',
    content: [
      {
        type: 'output_text',
        text: 'Looking.',
        annotations: [{ type: 'url_citation', start_index: 1, end_index: 4, url: 'https://a.example', title: 'A' }],
        logprobs: [],
      },
    ],
  },
  { id: 'rs_abc_3', type: 'reasoning', summary: [], encrypted_content: 'switchyard:gemini:call=toolu_1:gs' },
  { id: 'fc_abc_4', type: 'function_call', status: 'completed', call_id: 'toolu_1', name: 'f', arguments: '{"a":1}' },
  {
    id: 'ctc_abc_5',
    type: 'custom_tool_call',
    status: 'completed',
    call_id: 'toolu_2',
    name: 'sql',
    input: 'SELECT 1',
  },
]

const streamOf = (told: readonly AnswerEvent[], request: Json = {}) => {
  const encoder = responses.encodeStream(frame({ clientTools, request }))
  return payloadsOf(told.map((event) => encoder.add(event)).join('') + encoder.end(usage))
}

describe('writing a Responses answer', () => {
  it('has the items, the usage with its cache, and the parameters of the request', () => {
    const request = { instructions: 'Be brief.', temperature: 0, tools: [{ type: 'custom', name: 'sql' }], store: true }
    expect(responses.encodeAnswer(events, frame({ clientTools, request }), usage)).toMatchObject({
      id: 'resp_abc',
      object: 'response',
      created_at: 1_763_700_000,
      status: 'completed',
      model: 'gpt-5',
      error: null,
      incomplete_details: null,
      instructions: 'Be brief.',
      temperature: 0,
      top_p: 1,
      tools: [{ type: 'custom', name: 'sql' }],
      store: false,
      output,
      usage: {
        input_tokens: 45,
        input_tokens_details: { cached_tokens: 10, cache_write_tokens: 5 },
        output_tokens: 8,
        output_tokens_details: { reasoning_tokens: 3 },
        total_tokens: 53,
      },
    })
  })

  it('marks a truncated answer', () => {
    const cut: AnswerEvent[] = [
      { type: 'text', choice: 0, text: 'Once' },
      { type: 'finish', choice: 0, reason: 'length' },
    ]
    expect(responses.encodeAnswer(cut, frame(), usage)).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
      output: [{ type: 'message', status: 'incomplete' }],
    })
  })

  it('writes refusals, pictures, and items that only this dialect knows', () => {
    const search = { type: 'web_search_call', id: 'ws_1', status: 'completed' }
    const told: AnswerEvent[] = [
      { type: 'extra', of: 'responses', choice: 0, name: 'web_search_call', value: search },
      { type: 'text', choice: 0, text: 'No: ' },
      { type: 'refusal', choice: 0, text: 'I must not.' },
      { type: 'media', choice: 0, mime: 'image/png', data: 'AAAA' },
      { type: 'text', choice: 1, text: 'another choice' },
    ]
    const answer = responses.encodeAnswer(told, frame(), usage)
    expect(answer.output).toMatchObject([
      search,
      { type: 'message', content: [{ text: 'No: ' }, { type: 'refusal', refusal: 'I must not.' }] },
      { type: 'image_generation_call', result: 'AAAA', output_format: 'png' },
    ])
    expect(answer.output).toHaveLength(3)
  })

  it('gives a call without arguments an empty object, and leaves free text that is not wrapped unchanged', () => {
    const told: AnswerEvent[] = [
      { type: 'tool', choice: 0, call: 0, id: 'a', name: 'f' },
      { type: 'tool', choice: 0, call: 1, id: 'b', name: 'sql', json: 'SELECT 1' },
      { type: 'tool', choice: 0, call: 2, id: 'c', name: 'other', json: '{"input":1}', custom: true },
    ]
    expect(responses.encodeAnswer(told, frame({ clientTools }), usage).output).toMatchObject([
      { type: 'function_call', arguments: '{}' },
      { type: 'custom_tool_call', input: 'SELECT 1' },
      { type: 'custom_tool_call', input: '{"input":1}' },
    ])
  })
})

describe('writing a Responses stream', () => {
  it('numbers its events, sends every item from its beginning to its end, and ends with the complete response', () => {
    const payloads = streamOf(events)
    expect(payloads.map(({ sequence_number: number }) => number)).toEqual(payloads.map((_, index) => index))
    expect(payloads.map(({ type, output_index: index }) => [type, index].join(' ').trim())).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added 0',
      'response.reasoning_summary_part.added 0',
      'response.reasoning_summary_text.delta 0',
      'response.reasoning_summary_text.delta 0',
      'response.reasoning_summary_text.done 0',
      'response.reasoning_summary_part.done 0',
      'response.output_item.done 0',
      'response.output_item.added 1',
      'response.output_item.done 1',
      'response.output_item.added 2',
      'response.content_part.added 2',
      'response.output_text.delta 2',
      'response.output_text.delta 2',
      'response.output_text.annotation.added 2',
      'response.output_text.done 2',
      'response.content_part.done 2',
      'response.output_item.done 2',
      'response.output_item.added 3',
      'response.output_item.done 3',
      'response.output_item.added 4',
      'response.function_call_arguments.delta 4',
      'response.output_item.added 5',
      'response.function_call_arguments.delta 4',
      'response.function_call_arguments.done 4',
      'response.output_item.done 4',
      'response.custom_tool_call_input.delta 5',
      'response.custom_tool_call_input.done 5',
      'response.output_item.done 5',
      'response.completed',
    ])
    expect(payloads.at(-1)?.response).toEqual(responses.encodeAnswer(events, frame({ clientTools }), usage))
    const done = payloads.filter(({ type }) => type === 'response.output_item.done').map(({ item }) => item)
    expect(done).toEqual(output)
  })

  it('closes properly where nothing came, and leaves errors to the relay', () => {
    const encoder = responses.encodeStream(frame())
    expect(encoder.add({ type: 'error', error: { message: 'Broken.' } })).toBe('')
    expect(encoder.add({ type: 'done' })).toBe('')
    expect(payloadsOf(encoder.end(usage)).map(({ type }) => type)).toEqual([
      'response.created',
      'response.in_progress',
      'response.completed',
    ])
  })

  it('begins with the parameters of the request', () => {
    const [created] = streamOf(events, { reasoning: { effort: 'high' } })
    expect(created?.response).toMatchObject({
      id: 'resp_abc',
      status: 'in_progress',
      output: [],
      usage: null,
      reasoning: { effort: 'high', summary: null },
    })
  })
})
