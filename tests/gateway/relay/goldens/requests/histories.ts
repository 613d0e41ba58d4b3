import type { Json } from '../../../../../gateway/relay/formats/codec.ts'
import type { Format } from '../../../../../gateway/relay/formats/format.ts'
import { sealedPart } from '../answers.ts'
import { type Outcome, pairs, type RequestGolden } from '../golden.ts'
import { anthropic, dataUrl, gemini, openai, pixel, plain, responses } from '../requests.ts'

const user = (content: unknown) => ({ role: 'user', content })
const assistant = (content: unknown) => ({ role: 'assistant', content })
const spoken = (role: string, ...parts: readonly Json[]) => ({ role, parts })

/** A user message, the model's texts, and another user message, in each dialect. */
const talkAfter = (...words: readonly string[]): Readonly<Record<Format, Json>> => ({
  openai: openai({ messages: [user('Hello'), assistant(`${words.join('')}Hi.`), user('Again')] }),
  responses: responses({
    input: [
      user('Hello'),
      assistant(words.length === 0 ? 'Hi.' : [...words, 'Hi.'].map((text) => ({ type: 'output_text', text }))),
      user('Again'),
    ],
  }),
  anthropic: anthropic({
    messages: [
      user('Hello'),
      assistant(words.length === 0 ? 'Hi.' : [...words, 'Hi.'].map((text) => ({ type: 'text', text }))),
      user('Again'),
    ],
  }),
  gemini: gemini({
    contents: [
      spoken('user', { text: 'Hello' }),
      spoken('model', ...[...words, 'Hi.'].map((text) => ({ text }))),
      spoken('user', { text: 'Again' }),
    ],
  }),
})

/** An earlier action of a vendor-run tool; all other vendors receive it as text. */
const ownWork = (feature: string, from: Format, form: Json, ...words: readonly string[]): RequestGolden => ({
  feature,
  forms: { openai: null, responses: null, anthropic: null, gemini: null, [from]: form },
  outcomes: Object.fromEntries(
    pairs
      .filter((each) => each.from === from)
      .map(({ pair, to }): [string, Outcome<Json>] => [pair, { wire: talkAfter(...words)[to], isNearest: true }]),
  ),
})

const searched = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'news' } }
const found = {
  type: 'web_search_tool_result',
  tool_use_id: 'srvtoolu_1',
  content: [{ type: 'web_search_result', url: 'https://news.example/1', title: 'News', encrypted_content: 'X' }],
}
const address = 'https://news.example/1'
const failed = {
  ...found,
  content: { type: 'web_search_tool_result_error', error_code: 'unavailable' },
}
const fetched = { type: 'server_tool_use', id: 'srvtoolu_2', name: 'web_fetch', input: { url: address } }
const page = {
  type: 'web_fetch_tool_result',
  tool_use_id: 'srvtoolu_2',
  content: { type: 'web_fetch_result', url: address, content: { type: 'document' } },
}
const searchItem = (action: Json) => ({ type: 'web_search_call', id: 'ws_1', status: 'completed', action })
const ownSearch = searchItem({ type: 'search', query: 'news', sources: [{ type: 'url', url: address }] })
/** The gateway's form of that search for an Anthropic client. */
const told = [
  { ...searched, id: 'srvtoolu_switchyard_ws_1' },
  {
    type: 'web_search_tool_result',
    tool_use_id: 'srvtoolu_switchyard_ws_1',
    content: [
      {
        type: 'web_search_result',
        url: address,
        title: address,
        encrypted_content: 'switchyard:responses:page:',
        page_age: null,
      },
    ],
  },
]
const toldWords = `\n(The web was searched for "news". It found:\n- ${address})\n`
const googled = [
  { toolCall: { id: 's1', toolType: 'GOOGLE_SEARCH_WEB', args: { queries: ['news'] } } },
  { toolResponse: { id: 's1', toolType: 'GOOGLE_SEARCH_WEB', response: {} }, thoughtSignature: 'c2lnbg==' },
]
const GOOGLED = '\n(The web was searched for "news".)\n'
const googledBack = gemini({
  contents: [
    spoken('user', { text: 'Hello' }),
    spoken('model', ...googled, { text: 'Hi.' }),
    spoken('user', { text: 'Again' }),
  ],
})
const drawing = `![image](${dataUrl('image/png', pixel)})`
const prefill = {
  openai: openai({ messages: [user('Hello'), assistant('{"a":')] }),
  responses: responses({ input: [user('Hello'), assistant('{"a":')] }),
  anthropic: anthropic({ messages: [user('Hello'), assistant('{"a":')] }),
  gemini: gemini({ contents: [spoken('user', { text: 'Hello' }), spoken('model', { text: '{"a":' })] }),
}

/** The model's messages in Responses cannot contain images, so the image follows in a user message. */
const shownBack = () =>
  responses({
    input: [
      user('Draw'),
      assistant('Here: '),
      user([{ type: 'input_image', image_url: dataUrl('image/png', pixel) }]),
      user('Again'),
    ],
  })

/** Contents of earlier turns other than text, calls and reasoning. */
export const histories: readonly RequestGolden[] = [
  { feature: 'Response prefill (final assistant message)', forms: prefill },
  ownWork(
    'Earlier Anthropic web search',
    'anthropic',
    anthropic({
      messages: [user('Hello'), assistant([searched, found, { type: 'text', text: 'Hi.' }]), user('Again')],
    }),
    '\n(The web was searched for "news". It found:\n- News: https://news.example/1)\n',
  ),
  ownWork(
    'Earlier Anthropic web search (failed) and page fetch',
    'anthropic',
    anthropic({
      messages: [
        user('Hello'),
        assistant([searched, failed, fetched, page, { type: 'text', text: 'Hi.' }]),
        user('Again'),
      ],
    }),
    '\n(The web was searched for "news", which failed.)\n',
    '\n(The page https://news.example/1 was opened.)\n',
  ),
  ownWork(
    'Earlier OpenAI web search',
    'responses',
    responses({
      input: [
        user('Hello'),
        { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'news' } },
        assistant('Hi.'),
        user('Again'),
      ],
    }),
    '\n(The web was searched for "news".)\n',
  ),
  ownWork(
    'Earlier OpenAI web search with sources, opened page and in-page search',
    'responses',
    responses({
      input: [
        user('Hello'),
        searchItem({
          type: 'search',
          query: 'news',
          queries: ['news', 'rain'],
          sources: [{ type: 'url', url: address }],
        }),
        searchItem({ type: 'open_page', url: address }),
        searchItem({ type: 'find_in_page', url: address, pattern: 'rain' }),
        assistant('Hi.'),
        user('Again'),
      ],
    }),
    `\n(The web was searched for "news", "rain". It found:\n- ${address})\n`,
    `\n(The page ${address} was opened.)\n`,
    `\n(The page ${address} was searched for "rain".)\n`,
  ),
  {
    feature: 'Earlier OpenAI web search, or its conversion for Messages clients',
    forms: {
      openai: null,
      responses: responses({ input: [user('Hello'), ownSearch, assistant('Hi.'), user('Again')] }),
      anthropic: anthropic({
        messages: [user('Hello'), assistant([...told, { type: 'text', text: 'Hi.' }]), user('Again')],
      }),
      gemini: null,
    },
    outcomes: {
      'responses>openai': { wire: talkAfter(toldWords).openai, isNearest: true },
      'responses>anthropic': { wire: talkAfter(toldWords).anthropic, isNearest: true },
      'responses>gemini': { wire: talkAfter(toldWords).gemini, isNearest: true },
      'anthropic>openai': { wire: talkAfter(toldWords).openai, isNearest: true },
      'anthropic>gemini': { wire: talkAfter(toldWords).gemini, isNearest: true },
    },
  },
  ownWork(
    'Earlier Google code execution',
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
    '\n```python\nprint(1)\n```\n',
    '\n```output\n1\n```\n',
  ),
  ownWork(
    'Earlier Google tool steps (`toolCall`, `toolResponse`)',
    'gemini',
    gemini({
      contents: [
        spoken('user', { text: 'Hello' }),
        spoken('model', ...googled, { text: 'Hi.' }),
        spoken('user', { text: 'Again' }),
      ],
    }),
    '\n(The web was searched for "news".)\n',
  ),
  {
    feature: 'Earlier Google tool steps, returned by clients of other API formats',
    models: { gemini: 'gemini-3-pro-preview' },
    forms: {
      openai: openai({
        messages: [
          user('Hello'),
          {
            ...assistant('Hi.'),
            reasoning_details: googled.map((each, index) => ({
              type: 'reasoning.encrypted',
              data: sealedPart('gemini', each),
              index,
            })),
          },
          user('Again'),
        ],
      }),
      responses: responses({
        input: [
          user('Hello'),
          { type: 'reasoning', summary: [], encrypted_content: sealedPart('gemini', googled[0]) },
          { type: 'web_search_call', status: 'completed', action: { type: 'search', query: 'news' } },
          { type: 'reasoning', summary: [], encrypted_content: sealedPart('gemini', googled[1]) },
          assistant('Hi.'),
          user('Again'),
        ],
      }),
      anthropic: anthropic({
        messages: [
          user('Hello'),
          assistant([
            { type: 'redacted_thinking', data: sealedPart('gemini', googled[0]) },
            { ...searched, id: 'srvtoolu_switchyard_s1' },
            { ...found, tool_use_id: 'srvtoolu_switchyard_s1', content: [] },
            { type: 'redacted_thinking', data: sealedPart('gemini', googled[1]) },
            { type: 'text', text: 'Hi.' },
          ]),
          user('Again'),
        ],
      }),
      gemini: null,
    },
    outcomes: {
      'openai>responses': { wire: talkAfter().responses, isLeftOut: true },
      'openai>anthropic': { wire: talkAfter().anthropic, isLeftOut: true },
      'openai>gemini': { wire: googledBack },
      'responses>openai': { wire: talkAfter(GOOGLED).openai, isNearest: true },
      'responses>anthropic': { wire: talkAfter(GOOGLED).anthropic, isNearest: true },
      'responses>gemini': { wire: googledBack },
      'anthropic>openai': { wire: talkAfter(GOOGLED).openai, isNearest: true },
      'anthropic>responses': { wire: talkAfter(GOOGLED).responses, isNearest: true },
      'anthropic>gemini': { wire: googledBack },
    },
  },
  {
    feature: 'Image generated in an earlier turn',
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
    feature: 'Search result in a tool result',
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
    feature: 'Empty user message',
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
    feature: 'Instructions without messages',
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
    feature: 'Multi-part instructions',
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
      'gemini>anthropic': {
        wire: anthropic({ system: ['Be brief.', 'Be kind.'].map((text) => ({ type: 'text', text })) }),
      },
    },
  },
  {
    feature: 'Null values',
    forms: {
      openai: openai({ temperature: null, stop: null, tools: null, tool_choice: null, user: null, seed: null }),
      responses: responses({ temperature: null, tools: null, reasoning: null, text: null, user: null, metadata: null }),
      anthropic: anthropic({ temperature: null, stop_sequences: null, tools: null, metadata: null, thinking: null }),
      gemini: gemini({ tools: null, systemInstruction: null, toolConfig: null }),
    },
    outcomes: Object.fromEntries(pairs.map(({ pair, to }): [string, Outcome<Json>] => [pair, { wire: plain[to] }])),
  },
]
