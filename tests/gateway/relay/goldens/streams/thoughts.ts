import { base64, item, outputText } from '../answers.ts'
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
  textBlock,
  textItem,
  thoughtBlock,
  thoughtItem,
} from '../streams.ts'

const hi = item.message(1, [outputText('Hi.')])
const pieces = ['Hm', '.']
const mark = 'switchyard:anthropic::c2ln'
const secret = 'switchyard:anthropic:redacted:UkVE'
const openais = 'switchyard:responses:rs_7:ENC'
const googles = 'switchyard:gemini:call=call_1:U0lH'

const call = callItem(1, 'call_1', 'weather', ['{}'])
const sealItem = item.thought(0, '', googles)

/** OpenAI's reasoning, sent back under the id that the gateway gave its item. */
const sealedLater = responsesStream(
  [...thoughtItem(0, pieces, openais), ...call.begin, ...call.end],
  [item.thought(0, 'Hm.', openais), item.call(1, 'call_1', 'weather', '{}')],
)

/** A call in Google's form, in one piece. */
const wholeCall = {
  tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{}' } }],
}

/** Streams with reasoning. */
export const thoughts: readonly StreamGolden[] = [
  {
    feature: 'Reasoning text',
    forms: {
      openai: openaiStream([{ reasoning_content: 'Hm' }, { reasoning_content: '.' }, { content: 'Hi.' }]),
      responses: responsesStream([...thoughtItem(0, pieces), ...textItem(1, ['Hi.'])], [item.thought(0, 'Hm.'), hi]),
      anthropic: anthropicStream([...thoughtBlock(0, pieces, ''), ...textBlock(1, 'Hi.')]),
      gemini: geminiStream([{ text: 'Hm', thought: true }, { text: '.', thought: true }, { text: 'Hi.' }]),
    },
  },
  {
    feature: 'Reasoning signed by Anthropic',
    forms: {
      openai: openaiStream([
        { reasoning_content: 'Hm' },
        { reasoning_content: '.' },
        { reasoning_details: [{ type: 'reasoning.text', text: 'Hm.', signature: mark, index: 0 }] },
        { content: 'Hi.' },
      ]),
      responses: responsesStream(
        [...thoughtItem(0, pieces, mark), ...textItem(1, ['Hi.'])],
        [item.thought(0, 'Hm.', mark), hi],
      ),
      anthropic: anthropicStream([...thoughtBlock(0, pieces, 'c2ln'), ...textBlock(1, 'Hi.')]),
      gemini: geminiStream([
        { text: 'Hm', thought: true },
        { text: '.', thought: true },
        { text: '', thought: true, thoughtSignature: base64(mark) },
        { text: 'Hi.' },
      ]),
    },
  },
  {
    feature: 'Reasoning redacted by Anthropic',
    forms: {
      openai: openaiStream([
        { reasoning_details: [{ type: 'reasoning.encrypted', data: 'switchyard:anthropic::UkVE', index: 0 }] },
        { content: 'Hi.' },
      ]),
      responses: responsesStream(
        [...thoughtItem(0, [], secret), ...textItem(1, ['Hi.'])],
        [item.thought(0, '', secret), hi],
      ),
      anthropic: anthropicStream([
        ...block(0, { type: 'redacted_thinking', data: 'UkVE' }, []),
        ...textBlock(1, 'Hi.'),
      ]),
      gemini: geminiStream([
        { text: '', thought: true, thoughtSignature: base64('redacted:switchyard:anthropic::UkVE') },
        { text: 'Hi.' },
      ]),
    },
  },
  {
    feature: 'Reasoning encrypted by OpenAI, with a summary, before a tool call',
    forms: {
      openai: openaiStream(
        [
          { reasoning_content: 'Hm' },
          { reasoning_content: '.' },
          { reasoning_details: [{ type: 'reasoning.text', text: 'Hm.', signature: openais, index: 0 }] },
          ...openaiCall(0, 'call_1', 'weather', ['{}']),
        ],
        'tool_calls',
      ),
      responses: responsesStream(
        [...thoughtItem(0, pieces, 'ENC', 'rs_7'), ...call.begin, ...call.end],
        [item.thought(0, 'Hm.', 'ENC', 'rs_7'), item.call(1, 'call_1', 'weather', '{}')],
      ),
      anthropic: anthropicStream(
        [...thoughtBlock(0, pieces, openais), ...callBlock(1, 'call_1', 'weather', ['{}'])],
        'tool_use',
      ),
      gemini: geminiStream(
        [
          { text: 'Hm', thought: true },
          { text: '.', thought: true },
          { text: '', thought: true, thoughtSignature: base64(openais) },
        ],
        [{ functionCall: { id: 'call_1', name: 'weather', args: {} } }],
      ),
    },
    outcomes: {
      // The item gets its id before its seal is known, so the seal includes its original id.
      'openai>responses': { wire: sealedLater },
      'anthropic>responses': { wire: sealedLater },
      'gemini>responses': { wire: sealedLater },
      'gemini>openai': {
        wire: openaiStream(
          [
            { reasoning_content: 'Hm' },
            { reasoning_content: '.' },
            { reasoning_details: [{ type: 'reasoning.text', text: 'Hm.', signature: openais, index: 0 }] },
            wholeCall,
          ],
          'tool_calls',
        ),
      },
    },
  },
  {
    feature: 'Reasoning encrypted by OpenAI, without a summary, before a tool call',
    forms: {
      openai: openaiStream(
        [
          { reasoning_details: [{ type: 'reasoning.encrypted', data: openais, index: 0 }] },
          ...openaiCall(0, 'call_1', 'weather', ['{}']),
        ],
        'tool_calls',
      ),
      responses: responsesStream(
        [...thoughtItem(0, [], 'ENC', 'rs_7'), ...call.begin, ...call.end],
        [item.thought(0, '', 'ENC', 'rs_7'), item.call(1, 'call_1', 'weather', '{}')],
      ),
      anthropic: anthropicStream(
        [...block(0, { type: 'redacted_thinking', data: openais }, []), ...callBlock(1, 'call_1', 'weather', ['{}'])],
        'tool_use',
      ),
      gemini: geminiStream(
        [{ text: '', thought: true, thoughtSignature: base64(`redacted:${openais}`) }],
        [{ functionCall: { id: 'call_1', name: 'weather', args: {} } }],
      ),
    },
    outcomes: {
      'gemini>openai': {
        wire: openaiStream(
          [{ reasoning_details: [{ type: 'reasoning.encrypted', data: openais, index: 0 }] }, wholeCall],
          'tool_calls',
        ),
      },
    },
  },
  {
    feature: 'Tool call signed by Google',
    forms: {
      openai: null,
      responses: null,
      anthropic: null,
      gemini: geminiStream(
        [],
        [{ functionCall: { id: 'call_1', name: 'weather', args: {} }, thoughtSignature: 'U0lH' }],
      ),
    },
    outcomes: {
      'gemini>openai': {
        wire: openaiStream(
          [
            {
              tool_calls: [
                {
                  index: 0,
                  id: 'call_1',
                  type: 'function',
                  function: { name: 'weather', arguments: '{}' },
                  extra_content: { google: { thought_signature: 'U0lH' } },
                },
              ],
            },
          ],
          'tool_calls',
        ),
      },
      'gemini>responses': {
        wire: responsesStream(
          [
            { type: 'response.output_item.added', output_index: 0, item: sealItem },
            { type: 'response.output_item.done', output_index: 0, item: sealItem },
            ...call.begin,
            ...call.end,
          ],
          [sealItem, item.call(1, 'call_1', 'weather', '{}')],
        ),
      },
      'gemini>anthropic': {
        wire: anthropicStream(
          [
            ...block(0, { type: 'redacted_thinking', data: 'switchyard:gemini:call_call_1:U0lH' }, []),
            ...block(1, { type: 'tool_use', id: 'call_1', name: 'weather', input: {} }, [
              { type: 'input_json_delta', partial_json: '{}' },
            ]),
          ],
          'tool_use',
        ),
      },
    },
  },
]
