import type { Json } from '../../../../../gateway/relay/formats/codec.ts'
import type { Format } from '../../../../../gateway/relay/formats/format.ts'
import { type Outcome, pairs, type RequestGolden } from '../golden.ts'
import { anthropic, dataUrl, gemini, openai, pixel, plain, responses } from '../requests.ts'

const user = (content: unknown) => ({ role: 'user', content })
const assistant = (content: unknown) => ({ role: 'assistant', content })
const spoken = (role: string, ...parts: readonly Json[]) => ({ role, parts })

/** A question, the model's answer, and another question, as each dialect has them. */
const talk = {
  openai: openai({ messages: [user('Hello'), assistant('Hi.'), user('Again')] }),
  responses: responses({ input: [user('Hello'), assistant('Hi.'), user('Again')] }),
  anthropic: anthropic({ messages: [user('Hello'), assistant('Hi.'), user('Again')] }),
  gemini: gemini({
    contents: [spoken('user', { text: 'Hello' }), spoken('model', { text: 'Hi.' }), spoken('user', { text: 'Again' })],
  }),
}

/** Something of one vendor's alone in the model's turn, which all others leave out and report. */
const ownPart = (feature: string, from: Format, form: Json, ...reported: readonly string[]): RequestGolden => ({
  feature,
  forms: { openai: null, responses: null, anthropic: null, gemini: null, [from]: form },
  outcomes: Object.fromEntries(
    pairs
      .filter((each) => each.from === from)
      .map(({ pair, to }): [string, Outcome<Json>] => [pair, { wire: talk[to], reported }]),
  ),
})

const searched = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'news' } }
const found = {
  type: 'web_search_tool_result',
  tool_use_id: 'srvtoolu_1',
  content: [{ type: 'web_search_result', url: 'https://news.example/1', title: 'News', encrypted_content: 'X' }],
}
const drawing = `![image](${dataUrl('image/png', pixel)})`
const prefill = {
  openai: openai({ messages: [user('Hello'), assistant('{"a":')] }),
  responses: responses({ input: [user('Hello'), assistant('{"a":')] }),
  anthropic: anthropic({ messages: [user('Hello'), assistant('{"a":')] }),
  gemini: gemini({ contents: [spoken('user', { text: 'Hello' }), spoken('model', { text: '{"a":' })] }),
}

/** Responses has no place for pictures of the model's: the user shows them to it. */
const shownBack = () =>
  responses({
    input: [
      user('Draw'),
      assistant('Here: '),
      user([{ type: 'input_image', image_url: dataUrl('image/png', pixel) }]),
      user('Again'),
    ],
  })

/** What stands in earlier turns besides text, calls and thoughts. */
export const histories: readonly RequestGolden[] = [
  { feature: 'The beginning of the answer', forms: prefill },
  ownPart(
    'A search Anthropic ran',
    'anthropic',
    anthropic({
      messages: [user('Hello'), assistant([searched, found, { type: 'text', text: 'Hi.' }]), user('Again')],
    }),
    ...['content.server_tool_use', 'content.web_search_tool_result'],
  ),
  ownPart(
    'A search OpenAI ran',
    'responses',
    responses({
      input: [
        user('Hello'),
        { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'news' } },
        assistant('Hi.'),
        user('Again'),
      ],
    }),
    'content.web_search_call',
  ),
  ownPart(
    'Code Google ran',
    'gemini',
    gemini({
      contents: [
        spoken('user', { text: 'Hello' }),
        spoken(
          'model',
          { executableCode: { language: 'PYTHON', code: 'print(1)' } },
          { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' } },
          { text: 'Hi.' },
        ),
        spoken('user', { text: 'Again' }),
      ],
    }),
    ...['content.codeExecutionResult', 'content.executableCode'],
  ),
  {
    feature: 'A picture the model drew',
    forms: {
      openai: openai({ messages: [user('Draw'), assistant(`Here: ${drawing}`), user('Again')] }),
      responses: null,
      anthropic: null,
      gemini: gemini({
        contents: [
          spoken('user', { text: 'Draw' }),
          spoken('model', { text: 'Here: ' }, { inlineData: { mimeType: 'image/png', data: pixel } }),
          spoken('user', { text: 'Again' }),
        ],
      }),
    },
    outcomes: {
      'openai>responses': { wire: shownBack(), isNearest: true },
      'openai>anthropic': {
        wire: anthropic({ messages: [user('Draw'), assistant('Here: '), user('Again')] }),
        reported: ['image_url'],
      },
      'gemini>openai': { isNearest: true },
      'gemini>responses': { wire: shownBack(), isNearest: true },
      'gemini>anthropic': {
        wire: anthropic({ messages: [user('Draw'), assistant('Here: '), user('Again')] }),
        reported: ['inlineData'],
      },
    },
  },
  {
    feature: 'A search result among what a tool answered',
    forms: {
      openai: null,
      responses: null,
      anthropic: anthropic({
        messages: [
          user('Hello'),
          assistant([{ type: 'tool_use', id: 'call_1', name: 'look', input: {} }]),
          user([
            {
              type: 'tool_result',
              tool_use_id: 'call_1',
              content: [
                {
                  type: 'search_result',
                  source: 'https://news.example/1',
                  title: 'News',
                  content: [{ type: 'text', text: 'It rains.' }],
                },
              ],
            },
          ]),
        ],
      }),
      gemini: null,
    },
    outcomes: {
      'anthropic>openai': {
        wire: openai({
          messages: [
            user('Hello'),
            {
              role: 'assistant',
              content: null,
              tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } }],
            },
            { role: 'tool', tool_call_id: 'call_1', content: 'News\nhttps://news.example/1\nIt rains.' },
          ],
        }),
        isNearest: true,
      },
      'anthropic>responses': {
        wire: responses({
          input: [
            user('Hello'),
            { type: 'function_call', call_id: 'call_1', name: 'look', arguments: '{}' },
            {
              type: 'function_call_output',
              call_id: 'call_1',
              output: 'News\nhttps://news.example/1\nIt rains.',
            },
          ],
        }),
        isNearest: true,
      },
      'anthropic>gemini': {
        wire: gemini({
          contents: [
            spoken('user', { text: 'Hello' }),
            spoken('model', { functionCall: { name: 'look', args: {} } }),
            spoken('user', {
              functionResponse: { name: 'look', response: { content: 'News\nhttps://news.example/1\nIt rains.' } },
            }),
          ],
        }),
        isNearest: true,
      },
    },
  },
  {
    feature: 'Nothing said',
    forms: {
      openai: openai({ messages: [user('')] }),
      responses: responses({ input: '' }),
      anthropic: null,
      gemini: gemini({ contents: [spoken('user', { text: '' })] }),
    },
    outcomes: {
      'openai>anthropic': { wire: anthropic({ messages: [user('...')] }) },
      'responses>anthropic': { wire: anthropic({ messages: [user('...')] }) },
      'gemini>anthropic': { wire: anthropic({ messages: [user('...')] }) },
      'openai>gemini': { wire: gemini({ contents: [spoken('user', { text: '...' })] }) },
      'responses>gemini': { wire: gemini({ contents: [spoken('user', { text: '...' })] }) },
    },
  },
  {
    feature: 'Instructions alone',
    forms: {
      openai: openai({ messages: [{ role: 'system', content: 'Be brief.' }] }),
      responses: responses({ input: [{ role: 'system', content: 'Be brief.' }] }),
      anthropic: null,
      gemini: null,
    },
    outcomes: {
      'openai>anthropic': { wire: anthropic({ system: 'Be brief.', messages: [user('...')] }) },
      'responses>anthropic': { wire: anthropic({ system: 'Be brief.', messages: [user('...')] }) },
      'openai>gemini': {
        wire: gemini({
          systemInstruction: { parts: [{ text: 'Be brief.' }] },
          contents: [spoken('user', { text: '...' })],
        }),
      },
      'responses>gemini': {
        wire: gemini({
          systemInstruction: { parts: [{ text: 'Be brief.' }] },
          contents: [spoken('user', { text: '...' })],
        }),
      },
    },
  },
  {
    feature: 'Instructions in several parts',
    forms: {
      openai: null,
      responses: null,
      anthropic: anthropic({ system: ['Be brief.', 'Be kind.'].map((text) => ({ type: 'text', text })) }),
      gemini: gemini({ systemInstruction: { parts: [{ text: 'Be brief.' }, { text: 'Be kind.' }] } }),
    },
    outcomes: {
      'anthropic>openai': {
        wire: openai({ messages: [{ role: 'system', content: 'Be brief.\nBe kind.' }, user('Hello')] }),
      },
      'anthropic>responses': { wire: responses({ instructions: 'Be brief.\nBe kind.' }) },
      'anthropic>gemini': { wire: gemini({ systemInstruction: { parts: [{ text: 'Be brief.\nBe kind.' }] } }) },
      'gemini>openai': {
        wire: openai({ messages: [{ role: 'system', content: 'Be brief.\nBe kind.' }, user('Hello')] }),
      },
      'gemini>responses': { wire: responses({ instructions: 'Be brief.\nBe kind.' }) },
      'gemini>anthropic': { wire: anthropic({ system: 'Be brief.\nBe kind.' }) },
    },
  },
  {
    feature: 'What is not said (null)',
    forms: {
      openai: openai({ temperature: null, stop: null, tools: null, tool_choice: null, user: null, seed: null }),
      responses: responses({ temperature: null, tools: null, reasoning: null, text: null, user: null, metadata: null }),
      anthropic: anthropic({ temperature: null, stop_sequences: null, tools: null, metadata: null, thinking: null }),
      gemini: gemini({ tools: null, systemInstruction: null, toolConfig: null }),
    },
    outcomes: Object.fromEntries(pairs.map(({ pair, to }): [string, Outcome<Json>] => [pair, { wire: plain[to] }])),
  },
]
