import { takingText } from '../../formats/client-tools.ts'
import { fetched, frame, item, outputText, sealedPart } from '../answers.ts'
import type { StreamGolden } from '../golden.ts'
import {
  anthropicStream,
  block,
  callBlock,
  callItem,
  geminiStream,
  openaiCall,
  openaiStream,
  responsesStream,
  searchItem,
  textBlock,
  textItem,
  thoughtItem,
} from '../streams.ts'

const inParis = '{"city":"Paris"}'
const inOslo = '{"city":"Oslo"}'
const pieces = ['{"ci', 'ty":"Par', 'is"}']
const parisCall = { functionCall: { id: 'call_1', name: 'weather', args: { city: 'Paris' } } }
const osloCall = { functionCall: { id: 'call_2', name: 'weather', args: { city: 'Oslo' } } }

/** A call in one piece, as Gemini sends it. */
const atOnce = (index: number, id: string, arguments_: string) => ({
  tool_calls: [{ index, id, type: 'function', function: { name: 'weather', arguments: arguments_ } }],
})

const one = (parts: readonly string[]) => {
  const call = callItem(0, 'call_1', 'weather', parts)
  return {
    openai: openaiStream(openaiCall(0, 'call_1', 'weather', parts), 'tool_calls'),
    responses: responsesStream([...call.begin, ...call.end], [item.call(0, 'call_1', 'weather', inParis)]),
    anthropic: anthropicStream(callBlock(0, 'call_1', 'weather', parts), 'tool_use'),
    gemini: geminiStream([], [parisCall]),
  }
}
const whole = one([inParis])

const first = callItem(1, 'call_1', 'weather', [inParis])
const second = callItem(2, 'call_2', 'weather', [inOslo])
const both = [
  item.message(0, [outputText('Let me look.')]),
  item.call(1, 'call_1', 'weather', inParis),
  item.call(2, 'call_2', 'weather', inOslo),
]
/** Calls end together at the end of the stream, since other dialects may interleave their pieces. */
const closedLast = responsesStream(
  [...textItem(0, ['Let me look.']), ...first.begin, ...second.begin, ...first.end, ...second.end],
  both,
)

const left = callItem(0, 'call_1', 'weather', ['{"city":', '"Paris"}'])
const right = callItem(1, 'call_2', 'weather', ['{"city":', '"Oslo"}'])

const read = 'https://news.example/1'
const opened = {
  type: 'web_search_call',
  id: `ws_${frame.id}_1`,
  status: 'completed',
  action: { type: 'open_page', url: read },
}
const reading = [
  { toolCall: { id: 's1', toolType: 'URL_CONTEXT', args: { urls: [read] } } },
  { toolResponse: { id: 's1', toolType: 'URL_CONTEXT', response: {} }, thoughtSignature: 'c2lnbg==' },
]
const sealedParts = reading.map((each) => sealedPart('gemini', each))
const parisItem = callItem(3, 'call_1', 'weather', [inParis])

const custom = { id: `ctc_${frame.id}_0`, type: 'custom_tool_call', call_id: 'call_1', name: 'shell' }
const customPlace = { item_id: custom.id, output_index: 0 }

/** Where a function replaces a free-text tool, its call is sent in one piece once the text is known. */
const freeAtOnce = () =>
  openaiStream(
    [{ tool_calls: [{ index: 0, id: 'call_1', type: 'custom', custom: { name: 'shell', input: 'ls -l' } }] }],
    'tool_calls',
  )

/** Anthropic's clients require blocks to be sent one after the other. */
const inOrder = () =>
  anthropicStream(
    [
      ...callBlock(0, 'call_1', 'weather', ['{"city":', '"Paris"}']),
      ...callBlock(1, 'call_2', 'weather', ['{"city":', '"Oslo"}']),
    ],
    'tool_use',
  )

/** Streams with tool calls. */
export const calls: readonly StreamGolden[] = [
  {
    feature: 'Tool call after a page fetch by the vendor',
    forms: {
      openai: null,
      responses: null,
      anthropic: null,
      gemini: geminiStream([...reading], [parisCall]),
    },
    outcomes: {
      'gemini>openai': {
        wire: openaiStream(
          [
            ...sealedParts.map((data, index) => ({
              reasoning_details: [{ type: 'reasoning.encrypted', data, index }],
            })),
            atOnce(0, 'call_1', inParis),
          ],
          'tool_calls',
        ),
        isNearest: true,
      },
      'gemini>responses': {
        wire: responsesStream(
          [
            ...thoughtItem(0, [], sealedParts[0]),
            ...searchItem(1, opened),
            ...thoughtItem(2, [], sealedParts[1]),
            ...parisItem.begin,
            ...parisItem.end,
          ],
          [
            item.thought(0, '', sealedParts[0]),
            opened,
            item.thought(2, '', sealedParts[1]),
            item.call(3, 'call_1', 'weather', inParis),
          ],
        ),
        isNearest: true,
      },
      'gemini>anthropic': {
        wire: anthropicStream(
          [
            ...block(0, { type: 'redacted_thinking', data: sealedParts[0] }, []),
            ...block(1, { type: 'server_tool_use', id: 'srvtoolu_switchyard_s1', name: 'web_fetch', input: {} }, [
              { type: 'input_json_delta', partial_json: JSON.stringify({ url: read }) },
            ]),
            ...block(2, fetched('srvtoolu_switchyard_s1', read), []),
            ...block(3, { type: 'redacted_thinking', data: sealedParts[1] }, []),
            ...callBlock(4, 'call_1', 'weather', [inParis]),
          ],
          'tool_use',
        ),
        isNearest: true,
      },
    },
  },
  {
    feature: 'Tool call',
    forms: whole,
    outcomes: { 'gemini>openai': { wire: openaiStream([atOnce(0, 'call_1', inParis)], 'tool_calls') } },
  },
  {
    feature: 'Tool call in fragments',
    forms: { ...one(pieces), gemini: null },
    outcomes: {
      'openai>gemini': { wire: whole.gemini },
      'responses>gemini': { wire: whole.gemini },
      'anthropic>gemini': { wire: whole.gemini },
    },
  },
  {
    feature: 'Tool call without arguments',
    forms: {
      openai: openaiStream(
        [
          { tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: 'time', arguments: '' } }] },
          { tool_calls: [{ index: 0, function: { arguments: '{}' } }] },
        ],
        'tool_calls',
      ),
      responses: responsesStream(
        [...callItem(0, 'call_1', 'time', ['{}']).begin, ...callItem(0, 'call_1', 'time', ['{}']).end],
        [item.call(0, 'call_1', 'time', '{}')],
      ),
      anthropic: anthropicStream(callBlock(0, 'call_1', 'time', ['{}']), 'tool_use'),
      gemini: geminiStream([], [{ functionCall: { id: 'call_1', name: 'time', args: {} } }]),
    },
    outcomes: {
      'gemini>openai': {
        wire: openaiStream(
          [{ tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: 'time', arguments: '{}' } }] }],
          'tool_calls',
        ),
      },
    },
  },
  {
    feature: 'Parallel tool calls after text',
    forms: {
      openai: openaiStream(
        [
          { content: 'Let me look.' },
          ...openaiCall(0, 'call_1', 'weather', [inParis]),
          ...openaiCall(1, 'call_2', 'weather', [inOslo]),
        ],
        'tool_calls',
      ),
      responses: responsesStream(
        [...textItem(0, ['Let me look.']), ...first.begin, ...first.end, ...second.begin, ...second.end],
        both,
      ),
      anthropic: anthropicStream(
        [
          ...textBlock(0, 'Let me look.'),
          ...callBlock(1, 'call_1', 'weather', [inParis]),
          ...callBlock(2, 'call_2', 'weather', [inOslo]),
        ],
        'tool_use',
      ),
      gemini: geminiStream([{ text: 'Let me look.' }], [parisCall, osloCall]),
    },
    outcomes: {
      'openai>responses': { wire: closedLast },
      'anthropic>responses': { wire: closedLast },
      'gemini>responses': { wire: closedLast },
      'gemini>openai': {
        wire: openaiStream(
          [{ content: 'Let me look.' }, atOnce(0, 'call_1', inParis), atOnce(1, 'call_2', inOslo)],
          'tool_calls',
        ),
      },
    },
  },
  {
    feature: 'Parallel tool calls with interleaved fragments',
    forms: {
      openai: openaiStream(
        [
          ...openaiCall(0, 'call_1', 'weather', ['{"city":']),
          ...openaiCall(1, 'call_2', 'weather', ['{"city":']),
          { tool_calls: [{ index: 0, function: { arguments: '"Paris"}' } }] },
          { tool_calls: [{ index: 1, function: { arguments: '"Oslo"}' } }] },
        ],
        'tool_calls',
      ),
      responses: responsesStream(
        [
          ...left.begin.slice(0, 2),
          ...right.begin.slice(0, 2),
          ...left.begin.slice(2),
          ...right.begin.slice(2),
          ...left.end,
          ...right.end,
        ],
        [item.call(0, 'call_1', 'weather', inParis), item.call(1, 'call_2', 'weather', inOslo)],
      ),
      anthropic: null,
      gemini: null,
    },
    outcomes: {
      'openai>anthropic': { wire: inOrder() },
      'responses>anthropic': { wire: inOrder() },
      'openai>gemini': { wire: geminiStream([], [parisCall, osloCall]) },
      'responses>gemini': { wire: geminiStream([], [parisCall, osloCall]) },
    },
  },
  {
    feature: 'Custom tool call (free-text input)',
    frame: { clientTools: takingText('shell') },
    forms: {
      openai: openaiStream(
        [
          { tool_calls: [{ index: 0, id: 'call_1', type: 'custom', custom: { name: 'shell', input: '' } }] },
          { tool_calls: [{ index: 0, custom: { input: 'ls -l' } }] },
        ],
        'tool_calls',
      ),
      responses: responsesStream(
        [
          {
            type: 'response.output_item.added',
            output_index: 0,
            item: { ...custom, status: 'in_progress', input: '' },
          },
          { type: 'response.custom_tool_call_input.delta', ...customPlace, delta: 'ls -l' },
          { type: 'response.custom_tool_call_input.done', ...customPlace, input: 'ls -l' },
          {
            type: 'response.output_item.done',
            output_index: 0,
            item: { ...custom, status: 'completed', input: 'ls -l' },
          },
        ],
        [{ ...custom, status: 'completed', input: 'ls -l' }],
      ),
      anthropic: anthropicStream(callBlock(0, 'call_1', 'shell', ['{"input":"ls -l"}']), 'tool_use'),
      gemini: geminiStream([], [{ functionCall: { id: 'call_1', name: 'shell', args: { input: 'ls -l' } } }]),
    },
    outcomes: {
      'anthropic>openai': { wire: freeAtOnce() },
      'gemini>openai': { wire: freeAtOnce() },
    },
  },
]
