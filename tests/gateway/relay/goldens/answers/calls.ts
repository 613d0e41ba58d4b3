import type { Json } from '../../../../../gateway/relay/formats/codec.ts'
import { takingText } from '../../formats/client-tools.ts'
import {
  candidate,
  choice,
  completion,
  fetched,
  frame,
  generated,
  item,
  message,
  outputText,
  response,
  sealedPart,
} from '../answers.ts'
import type { AnswerGolden } from '../golden.ts'

const inParis = '{"city":"Paris"}'

const call = {
  openai: (id: string, arguments_: string): Json => ({
    id,
    type: 'function',
    function: { name: 'weather', arguments: arguments_ },
  }),
  anthropic: (id: string, input: Json): Json => ({ type: 'tool_use', id, name: 'weather', input }),
  gemini: (id: string, args: Json): Json => ({ functionCall: { id, name: 'weather', args } }),
}
const read = 'https://news.example/1'
const reading = { toolCall: { id: 's1', toolType: 'URL_CONTEXT', args: { urls: [read] } } }
const page = { toolResponse: { id: 's1', toolType: 'URL_CONTEXT', response: {} }, thoughtSignature: 'c2lnbg==' }
const sealedParts = [sealedPart('gemini', reading), sealedPart('gemini', page)]
const shell = { name: 'shell', input: 'ls -l' }

/** A call in the deprecated member `function_call`, without an id. */
const oldest = completion([choice({ function_call: { name: 'weather', arguments: inParis } }, 'function_call')])

export const calls: readonly AnswerGolden[] = [
  {
    feature: 'Tool call',
    forms: {
      openai: completion([choice({ tool_calls: [call.openai('call_1', inParis)] }, 'tool_calls')]),
      responses: response([item.call(0, 'call_1', 'weather', inParis)]),
      anthropic: message([call.anthropic('call_1', { city: 'Paris' })], 'tool_use'),
      gemini: generated([candidate([call.gemini('call_1', { city: 'Paris' })])]),
    },
  },
  {
    feature: 'Tool call after a page fetch by the vendor',
    forms: {
      openai: null,
      responses: null,
      anthropic: null,
      gemini: generated([candidate([reading, page, call.gemini('call_1', { city: 'Paris' })])]),
    },
    outcomes: {
      'gemini>openai': {
        wire: completion([
          choice(
            {
              reasoning_details: sealedParts.map((data, index) => ({ type: 'reasoning.encrypted', data, index })),
              tool_calls: [call.openai('call_1', inParis)],
            },
            'tool_calls',
          ),
        ]),
        isNearest: true,
      },
      'gemini>responses': {
        wire: response([
          item.thought(0, '', sealedParts[0]),
          { id: 'ws_1_1', type: 'web_search_call', status: 'completed', action: { type: 'open_page', url: read } },
          item.thought(2, '', sealedParts[1]),
          item.call(3, 'call_1', 'weather', inParis),
        ]),
        isNearest: true,
      },
      'gemini>anthropic': {
        wire: message(
          [
            { type: 'redacted_thinking', data: sealedParts[0] },
            { type: 'server_tool_use', id: 'srvtoolu_switchyard_s1', name: 'web_fetch', input: { url: read } },
            fetched('srvtoolu_switchyard_s1', read),
            { type: 'redacted_thinking', data: sealedParts[1] },
            call.anthropic('call_1', { city: 'Paris' }),
          ],
          'tool_use',
        ),
        isNearest: true,
      },
    },
  },
  {
    feature: 'Tool call without arguments',
    forms: {
      openai: completion([choice({ tool_calls: [call.openai('call_1', '{}')] }, 'tool_calls')]),
      responses: response([item.call(0, 'call_1', 'weather', '{}')]),
      anthropic: message([call.anthropic('call_1', {})], 'tool_use'),
      gemini: generated([candidate([call.gemini('call_1', {})])]),
    },
  },
  {
    feature: 'Parallel tool calls after text',
    forms: {
      openai: completion([
        choice(
          {
            content: 'Let me look.',
            tool_calls: [call.openai('call_1', inParis), call.openai('call_2', '{"city":"Oslo"}')],
          },
          'tool_calls',
        ),
      ]),
      responses: response([
        item.message(0, [outputText('Let me look.')]),
        item.call(1, 'call_1', 'weather', inParis),
        item.call(2, 'call_2', 'weather', '{"city":"Oslo"}'),
      ]),
      anthropic: message(
        [
          { type: 'text', text: 'Let me look.' },
          call.anthropic('call_1', { city: 'Paris' }),
          call.anthropic('call_2', { city: 'Oslo' }),
        ],
        'tool_use',
      ),
      gemini: generated([
        candidate([
          { text: 'Let me look.' },
          call.gemini('call_1', { city: 'Paris' }),
          call.gemini('call_2', { city: 'Oslo' }),
        ]),
      ]),
    },
  },
  {
    feature: 'Invalid JSON in tool call arguments',
    forms: {
      openai: completion([choice({ tool_calls: [call.openai('call_1', '{"city":')] }, 'tool_calls')]),
      responses: response([item.call(0, 'call_1', 'weather', '{"city":')]),
      anthropic: message([call.anthropic('call_1', { INVALID_JSON: '{"city":' })], 'tool_use'),
      gemini: generated([candidate([call.gemini('call_1', { INVALID_JSON: '{"city":' })])]),
    },
  },
  {
    feature: 'Custom tool call (free-text input)',
    frame: { clientTools: takingText('shell') },
    forms: {
      openai: completion([choice({ tool_calls: [{ id: 'call_1', type: 'custom', custom: shell }] }, 'tool_calls')]),
      responses: response([
        { id: `ctc_${frame.id}_0`, type: 'custom_tool_call', status: 'completed', call_id: 'call_1', ...shell },
      ]),
      anthropic: message([{ type: 'tool_use', id: 'call_1', name: 'shell', input: { input: 'ls -l' } }], 'tool_use'),
      gemini: generated([candidate([{ functionCall: { id: 'call_1', name: 'shell', args: { input: 'ls -l' } } }])]),
    },
  },
  {
    feature: 'Tool call for clients with deprecated `functions`',
    frame: { request: { functions: [{ name: 'weather' }] } },
    forms: {
      openai: null,
      responses: response([item.call(0, 'call_1', 'weather', inParis)]),
      anthropic: message([call.anthropic('call_1', { city: 'Paris' })], 'tool_use'),
      gemini: generated([candidate([call.gemini('call_1', { city: 'Paris' })])]),
    },
    outcomes: {
      'responses>openai': { wire: oldest },
      'anthropic>openai': { wire: oldest },
      'gemini>openai': { wire: oldest },
    },
  },
]
