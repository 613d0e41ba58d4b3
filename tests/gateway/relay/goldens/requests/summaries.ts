import type { Json } from '../../../../../gateway/relay/formats/codec.ts'
import type { Format } from '../../../../../gateway/relay/formats/format.ts'
import { type Outcome, pairs, type RequestGolden } from '../golden.ts'
import { anthropic, gemini, openai, responses } from '../requests.ts'

const SUMMARY = 'Earlier parts of this conversation have been replaced by this summary of them:\n\nWe chose red.'

const SEARCHED = '\n(The web was searched for "news".)\n'

/** Turns of plain text with one part each. */
const said = (...turns: readonly (readonly ['user' | 'assistant', string])[]): Readonly<Record<Format, Json>> => {
  const messages = turns.map(([role, content]) => ({ role, content }))
  return {
    openai: openai({ messages }),
    responses: responses({ input: messages }),
    anthropic: anthropic({ messages }),
    gemini: gemini({
      contents: turns.map(([role, text]) => ({ role: role === 'user' ? 'user' : 'model', parts: [{ text }] })),
    }),
  }
}

/** A feature of a single dialect, and its outcome in all others. */
const only = (
  feature: string,
  from: Format,
  form: Json,
  wires: Readonly<Partial<Record<Format, Json>>>,
  outcome: Omit<Outcome<Json>, 'wire'> = { isNearest: true },
): RequestGolden => ({
  feature,
  forms: { openai: null, responses: null, anthropic: null, gemini: null, [from]: form },
  outcomes: Object.fromEntries(
    pairs
      .filter((way) => way.from === from)
      .map(({ pair, to }) => {
        const wire = wires[to]
        return [pair, { ...(wire ? { wire } : {}), ...outcome }]
      }),
  ),
})

const hello = { role: 'user', content: 'Hello' }
const own = `switchyard:summary:${Buffer.from('We chose red.').toString('base64')}`

const ENVELOPE = 'Message from /lead to /lead/files:\nTask: files'
/** An agent's message as Codex sends it: the task is plain text, although its field's name suggests encryption. */
const fromAgent = (task: string) => ({
  type: 'agent_message',
  author: '/lead',
  recipient: '/lead/files',
  content: [
    { type: 'input_text', text: 'Task: files' },
    { type: 'encrypted_content', encrypted_content: task },
  ],
})

const result = {
  type: 'search_result',
  source: 'https://news.example/1',
  title: 'News',
  content: [{ type: 'text', text: 'It rains.' }],
}
const told = 'News\nhttps://news.example/1\nIt rains.'

const looked = (content: unknown) => [
  hello,
  { role: 'assistant', content: [{ type: 'tool_use', id: 'call_1', name: 'look', input: {} }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content }] },
]
const READY = 'The tool weather can be called now.\nThe tool walk can be called now.'

/** Substitutes for earlier or external messages, and turns that cannot be converted. */
export const summaries: readonly RequestGolden[] = [
  only(
    'Compaction summary by this gateway',
    'responses',
    responses({
      input: [
        { type: 'compaction', encrypted_content: own },
        { role: 'user', content: 'Why?' },
      ],
    }),
    {
      openai: said(['user', SUMMARY], ['user', 'Why?']).openai,
      anthropic: anthropic({
        messages: [{ role: 'user', content: [SUMMARY, 'Why?'].map((text) => ({ type: 'text', text })) }],
      }),
      gemini: gemini({ contents: [{ role: 'user', parts: [{ text: SUMMARY }, { text: 'Why?' }] }] }),
    },
  ),
  only(
    'Compaction summary encrypted by OpenAI',
    'responses',
    responses({ input: [hello, { type: 'compaction', encrypted_content: 'gAAAA' }] }),
    said(['user', 'Hello']),
    { reported: ['content.compaction'] },
  ),
  only(
    'Compaction summary by Anthropic',
    'anthropic',
    anthropic({
      messages: [
        hello,
        { role: 'assistant', content: [{ type: 'compaction', content: 'We chose red.' }] },
        { role: 'user', content: 'Why?' },
      ],
    }),
    said(['user', 'Hello'], ['assistant', SUMMARY], ['user', 'Why?']),
  ),
  only(
    'Message between agents',
    'responses',
    responses({ input: [fromAgent('List the files.')] }),
    said(['user', `${ENVELOPE}\nList the files.`]),
  ),
  only(
    'Message between agents, encrypted by OpenAI',
    'responses',
    responses({ input: [fromAgent(`gAAAAA${'x'.repeat(60)}=`)] }),
    {
      ...said(['user', ENVELOPE]),
      openai: openai({ messages: [{ role: 'user', content: [{ type: 'text', text: ENVELOPE }] }] }),
    },
    { reported: ['content.agent_message.encrypted_content'] },
  ),
  only(
    'Search result in a user message',
    'anthropic',
    anthropic({ messages: [{ role: 'user', content: [result, { type: 'text', text: 'Will it?' }] }] }),
    {
      openai: openai({
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text: told },
              { type: 'text', text: 'Will it?' },
            ],
          },
        ],
      }),
      responses: responses({
        input: [
          {
            role: 'user',
            content: [
              { type: 'input_text', text: told },
              { type: 'input_text', text: 'Will it?' },
            ],
          },
        ],
      }),
      gemini: gemini({ contents: [{ role: 'user', parts: [{ text: told }, { text: 'Will it?' }] }] }),
    },
  ),
  only(
    'Tool references in a tool result',
    'anthropic',
    anthropic({
      messages: looked([
        { type: 'tool_reference', tool_name: 'weather' },
        { type: 'tool_reference', tool_name: 'walk' },
      ]),
    }),
    {
      openai: openai({
        messages: [
          hello,
          {
            role: 'assistant',
            content: null,
            tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } }],
          },
          { role: 'tool', tool_call_id: 'call_1', content: READY },
        ],
      }),
      responses: responses({
        input: [
          hello,
          { type: 'function_call', call_id: 'call_1', name: 'look', arguments: '{}' },
          {
            type: 'function_call_output',
            call_id: 'call_1',
            output: READY.split('\n').map((text) => ({ type: 'input_text', text })),
          },
        ],
      }),
      gemini: gemini({
        contents: [
          { role: 'user', parts: [{ text: 'Hello' }] },
          { role: 'model', parts: [{ functionCall: { name: 'look', args: {} } }] },
          { role: 'user', parts: [{ functionResponse: { name: 'look', response: { content: READY } } }] },
        ],
      }),
    },
  ),
  only(
    'Final model turn with only a file search',
    'responses',
    responses({ input: [hello, { type: 'file_search_call', id: 'fs_1', status: 'completed', queries: ['news'] }] }),
    said(['user', 'Hello']),
    { reported: ['content.file_search_call'] },
  ),
  only(
    'Final model turn with only a web search',
    'responses',
    responses({
      input: [
        hello,
        { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'news' } },
      ],
    }),
    {
      ...said(['user', 'Hello'], ['user', SEARCHED]),
      anthropic: anthropic({
        messages: [{ role: 'user', content: ['Hello', SEARCHED].map((text) => ({ type: 'text', text })) }],
      }),
      gemini: gemini({ contents: [{ role: 'user', parts: [{ text: 'Hello' }, { text: SEARCHED }] }] }),
    },
    { isNearest: true },
  ),
  only(
    'Final model turn with only encrypted reasoning',
    'responses',
    responses({ input: [hello, { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'X' }] }),
    said(['user', 'Hello']),
    { isLeftOut: true },
  ),
]
