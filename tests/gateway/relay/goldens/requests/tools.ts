import type { Json } from '../../../../../gateway/relay/formats/codec.ts'
import type { RequestGolden } from '../golden.ts'
import { anthropic, city, dataUrl, gemini, openai, pixel, responses, weather } from '../requests.ts'
import { oneRound, oslo, paris, rounds, withItem } from './tool-rounds.ts'

const asksAll = (members: Json) => ({
  openai: openai({ tools: [weather.openai], ...(members.openai as Json) }),
  responses: responses({ tools: [weather.responses], ...(members.responses as Json) }),
  anthropic: anthropic({ tools: [weather.anthropic], ...(members.anthropic as Json) }),
  gemini: gemini({ tools: [{ functionDeclarations: [weather.gemini] }], ...(members.gemini as Json) }),
})

const calling = (functionCallingConfig: Json) => ({ toolConfig: { functionCallingConfig } })

const chosen = (openaiWord: unknown, responsesWord: unknown, anthropicWord: Json, geminiWord: Json) =>
  asksAll({
    openai: { tool_choice: openaiWord },
    responses: { tool_choice: responsesWord },
    anthropic: { tool_choice: anthropicWord },
    gemini: calling(geminiWord),
  })

const single = asksAll({
  openai: { tool_choice: 'auto', parallel_tool_calls: false },
  responses: { tool_choice: 'auto', parallel_tool_calls: false },
  anthropic: { tool_choice: { type: 'auto', disable_parallel_tool_use: true } },
  gemini: calling({ mode: 'AUTO' }),
})

const time = {
  openai: { type: 'function', function: { name: 'time' } },
  responses: {
    type: 'function',
    name: 'time',
    parameters: { type: 'object', properties: {}, additionalProperties: false },
    strict: false,
  },
  anthropic: { name: 'time', input_schema: { type: 'object', properties: {} } },
  gemini: { name: 'time' },
}
const closed = { type: 'object', properties: {}, additionalProperties: false }
const open = { type: 'object', properties: {} }

const both = {
  openai: [weather.openai, time.openai],
  responses: [weather.responses, time.responses],
  anthropic: [weather.anthropic, time.anthropic],
  gemini: [{ functionDeclarations: [weather.gemini, time.gemini] }],
}
const timeWith = (parameters: Json) => ({ type: 'function', function: { name: 'time', parameters } })
const strictCity = { ...city, additionalProperties: false }

const said = 'No such city.'
const calls = { id: 'call_1', type: 'tool_use', name: 'weather', input: { city: 'Paris' } }

/** The single round with another result. */
const answered = (
  result: Readonly<{ openai: Json; responses: unknown; anthropic: Json; gemini: readonly Json[] }>,
) => ({
  openai: withItem(oneRound.openai, 'messages', 2, { role: 'tool', tool_call_id: 'call_1', ...result.openai }),
  responses: withItem(oneRound.responses, 'input', 2, {
    type: 'function_call_output',
    call_id: 'call_1',
    output: result.responses,
  }),
  anthropic: anthropic({
    ...oneRound.anthropic,
    messages: [
      { role: 'user', content: 'How warm is it?' },
      { role: 'assistant', content: [calls] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', ...result.anthropic }] },
    ],
  }),
  gemini: gemini({
    ...oneRound.gemini,
    contents: [
      { role: 'user', parts: [{ text: 'How warm is it?' }] },
      { role: 'model', parts: [{ functionCall: { name: 'weather', args: { city: 'Paris' } } }] },
      { role: 'user', parts: result.gemini },
    ],
  }),
})

const failed = answered({
  openai: { content: said },
  responses: said,
  anthropic: { content: said, is_error: true },
  gemini: [{ functionResponse: { name: 'weather', response: { error: said } } }],
})

const picture = { openai: { type: 'image_url', image_url: { url: dataUrl('image/png', pixel) } } }
const shown = answered({
  openai: { content: 'See:' },
  responses: [
    { type: 'input_text', text: 'See:' },
    { type: 'input_image', image_url: dataUrl('image/png', pixel) },
  ],
  anthropic: {
    content: [
      { type: 'text', text: 'See:' },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: pixel } },
    ],
  },
  gemini: [
    { functionResponse: { name: 'weather', response: { content: 'See:' } } },
    { inlineData: { mimeType: 'image/png', data: pixel } },
  ],
})
/** A tool's message in Chat Completions supports only text, so the image follows in a user message. */
const drawn = {
  ...shown,
  openai: withItem(shown.openai, 'messages', 3, { role: 'user', content: [picture.openai] }),
}

/** Functions, tool choices, and calls with their results. */
export const tools: readonly RequestGolden[] = [
  { feature: 'Function', forms: asksAll({}) },
  {
    feature: 'Function without parameters',
    forms: {
      openai: openai({ tools: [time.openai] }),
      responses: responses({ tools: [time.responses] }),
      anthropic: anthropic({ tools: [time.anthropic] }),
      gemini: gemini({ tools: [{ functionDeclarations: [time.gemini] }] }),
    },
    outcomes: {
      'responses>openai': { wire: openai({ tools: [timeWith(closed)] }) },
      'responses>anthropic': { wire: anthropic({ tools: [{ name: 'time', input_schema: closed }] }) },
      'anthropic>openai': { wire: openai({ tools: [timeWith(open)] }) },
      'anthropic>responses': { wire: responses({ tools: [{ ...time.responses, parameters: open }] }) },
    },
  },
  {
    feature: 'Multiple functions',
    forms: {
      openai: openai({ tools: [weather.openai, { ...weather.openai, function: { name: 'walk', parameters: city } }] }),
      responses: responses({
        tools: [weather.responses, { type: 'function', name: 'walk', parameters: city, strict: false }],
      }),
      anthropic: anthropic({ tools: [weather.anthropic, { name: 'walk', input_schema: city }] }),
      gemini: gemini({
        tools: [{ functionDeclarations: [weather.gemini, { name: 'walk', parametersJsonSchema: city }] }],
      }),
    },
  },
  {
    feature: 'Strict function',
    forms: {
      openai: openai({
        tools: [{ type: 'function', function: { name: 'weather', parameters: strictCity, strict: true } }],
      }),
      responses: responses({ tools: [{ type: 'function', name: 'weather', parameters: strictCity, strict: true }] }),
      anthropic: anthropic({ tools: [{ name: 'weather', input_schema: strictCity, strict: true }] }),
      gemini: null,
    },
    outcomes: Object.fromEntries(
      ['openai', 'responses', 'anthropic'].map((from) => [
        `${from}>gemini`,
        {
          wire: gemini({ tools: [{ functionDeclarations: [{ name: 'weather', parametersJsonSchema: strictCity }] }] }),
          reported: ['tools.strict'],
        },
      ]),
    ),
  },
  {
    feature: 'Tool choice: automatic',
    forms: chosen('auto', 'auto', { type: 'auto' }, { mode: 'AUTO' }),
  },
  {
    feature: 'Tool choice: any tool required',
    forms: chosen('required', 'required', { type: 'any' }, { mode: 'ANY' }),
  },
  {
    feature: 'Tool choice: tool calls disabled',
    forms: chosen('none', 'none', { type: 'none' }, { mode: 'NONE' }),
  },
  {
    feature: 'Tool choice: specific tool required',
    forms: chosen(
      { type: 'function', function: { name: 'weather' } },
      { type: 'function', name: 'weather' },
      { type: 'tool', name: 'weather' },
      { mode: 'ANY', allowedFunctionNames: ['weather'] },
    ),
  },
  {
    feature: 'Tool choice: one of a subset required',
    forms: {
      openai: openai({
        tools: both.openai,
        tool_choice: {
          type: 'allowed_tools',
          allowed_tools: {
            mode: 'required',
            tools: ['weather', 'time'].map((name) => ({ type: 'function', function: { name } })),
          },
        },
      }),
      responses: responses({
        tools: both.responses,
        tool_choice: {
          type: 'allowed_tools',
          mode: 'required',
          tools: ['weather', 'time'].map((name) => ({ type: 'function', name })),
        },
      }),
      anthropic: null,
      gemini: gemini({
        tools: both.gemini,
        ...calling({ mode: 'ANY', allowedFunctionNames: ['weather', 'time'] }),
      }),
    },
    outcomes: {
      'openai>anthropic': {
        wire: anthropic({ tools: both.anthropic, tool_choice: { type: 'any' } }),
        reported: ['tool_choice'],
      },
      'responses>anthropic': {
        wire: anthropic({
          tools: [weather.anthropic, { name: 'time', input_schema: closed }],
          tool_choice: { type: 'any' },
        }),
        reported: ['tool_choice'],
      },
      'gemini>anthropic': {
        wire: anthropic({ tools: both.anthropic, tool_choice: { type: 'any' } }),
        reported: ['toolConfig'],
      },
      'responses>openai': {
        wire: openai({
          tools: [weather.openai, timeWith(closed)],
          tool_choice: {
            type: 'allowed_tools',
            allowed_tools: {
              mode: 'required',
              tools: ['weather', 'time'].map((name) => ({ type: 'function', function: { name } })),
            },
          },
        }),
      },
    },
  },
  {
    feature: 'Parallel tool calls disabled',
    forms: { ...single, gemini: null },
    outcomes: {
      'openai>gemini': { wire: single.gemini, reported: ['parallel_tool_calls'] },
      'responses>gemini': { wire: single.gemini, reported: ['parallel_tool_calls'] },
      'anthropic>gemini': { wire: single.gemini, reported: ['tool_choice.disable_parallel_tool_use'] },
    },
  },
  { feature: 'Tool call and result', forms: oneRound },
  { feature: 'Parallel tool calls and results', forms: rounds([paris, oslo]) },
  { feature: 'Text before a tool call', forms: rounds([paris], 'Let me look.') },
  {
    feature: 'Invalid JSON in tool call arguments',
    forms: {
      openai: openai({
        messages: [
          { role: 'user', content: 'Hello' },
          {
            role: 'assistant',
            content: null,
            tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":' } }],
          },
          { role: 'tool', tool_call_id: 'call_1', content: 'What?' },
        ],
      }),
      responses: responses({
        input: [
          { role: 'user', content: 'Hello' },
          { type: 'function_call', call_id: 'call_1', name: 'weather', arguments: '{"city":' },
          { type: 'function_call_output', call_id: 'call_1', output: 'What?' },
        ],
      }),
      anthropic: anthropic({
        messages: [
          { role: 'user', content: 'Hello' },
          {
            role: 'assistant',
            content: [{ type: 'tool_use', id: 'call_1', name: 'weather', input: { INVALID_JSON: '{"city":' } }],
          },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content: 'What?' }] },
        ],
      }),
      gemini: gemini({
        contents: [
          { role: 'user', parts: [{ text: 'Hello' }] },
          { role: 'model', parts: [{ functionCall: { name: 'weather', args: { INVALID_JSON: '{"city":' } } }] },
          { role: 'user', parts: [{ functionResponse: { name: 'weather', response: { content: 'What?' } } }] },
        ],
      }),
    },
  },
  {
    feature: 'Tool result with an error',
    forms: {
      openai: null,
      responses: null,
      anthropic: failed.anthropic,
      gemini: failed.gemini,
    },
    outcomes: {
      'anthropic>openai': { wire: failed.openai, reported: ['tool_result.is_error'] },
      'anthropic>responses': { wire: failed.responses, reported: ['tool_result.is_error'] },
      'gemini>openai': { wire: failed.openai, reported: ['functionResponse.response.error'] },
      'gemini>responses': { wire: failed.responses, reported: ['functionResponse.response.error'] },
    },
  },
  {
    feature: 'Image in a tool result',
    forms: { openai: null, responses: drawn.responses, anthropic: drawn.anthropic, gemini: null },
    outcomes: {
      'responses>openai': { wire: drawn.openai, isNearest: true },
      'anthropic>openai': { wire: drawn.openai, isNearest: true },
      'responses>gemini': { wire: drawn.gemini, isNearest: true },
      'anthropic>gemini': { wire: drawn.gemini, isNearest: true },
    },
  },
]
