import type { Json } from '../../../../../gateway/relay/formats/codec.ts'
import { base64, candidate, choice, completion, generated, item, message, outputText, response } from '../answers.ts'
import type { AnswerGolden } from '../golden.ts'

const text = { type: 'text', text: 'Hi.' }

/** Reasoning with a vendor's seal, as each dialect passes it to clients to be sent back. */
const sealed = (mark: string) => ({
  openai: completion([
    choice({
      content: 'Hi.',
      reasoning_content: 'Hm.',
      reasoning_details: [{ type: 'reasoning.text', text: 'Hm.', signature: mark, index: 0 }],
    }),
  ]),
  responses: response([item.thought(0, 'Hm.', mark), item.message(1, [outputText('Hi.')])]),
  anthropic: message([{ type: 'thinking', thinking: 'Hm.', signature: mark }, text]),
  gemini: generated([candidate([{ text: 'Hm.', thought: true, thoughtSignature: base64(mark) }, { text: 'Hi.' }])]),
})

/** A call with Google's seal. */
const sealedCall = (extra: Json) => ({
  id: 'call_1',
  type: 'function',
  function: { name: 'weather', arguments: '{}' },
  ...extra,
})

/** The same where calls have no place for a seal: redacted reasoning before the call has it. */
const redactedCall = () =>
  message(
    [
      { type: 'redacted_thinking', data: 'switchyard:gemini:call_call_1:U0lH' },
      { type: 'tool_use', id: 'call_1', name: 'weather', input: {} },
    ],
    'tool_use',
  )

/** The model's reasoning on its way to the client. */
export const thoughts: readonly AnswerGolden[] = [
  {
    feature: 'Reasoning text',
    forms: {
      openai: completion([choice({ content: 'Hi.', reasoning_content: 'Hm.' })]),
      responses: response([item.thought(0, 'Hm.'), item.message(1, [outputText('Hi.')])]),
      anthropic: message([{ type: 'thinking', thinking: 'Hm.', signature: '' }, text]),
      gemini: generated([candidate([{ text: 'Hm.', thought: true }, { text: 'Hi.' }])]),
    },
  },
  {
    feature: 'Reasoning signed by Anthropic',
    forms: {
      ...sealed('switchyard:anthropic::c2ln'),
      anthropic: message([{ type: 'thinking', thinking: 'Hm.', signature: 'c2ln' }, text]),
    },
  },
  {
    feature: 'Reasoning redacted by Anthropic',
    forms: {
      openai: completion([
        choice({
          content: 'Hi.',
          reasoning_details: [{ type: 'reasoning.encrypted', data: 'switchyard:anthropic::UkVE', index: 0 }],
        }),
      ]),
      responses: response([
        item.thought(0, '', 'switchyard:anthropic:redacted:UkVE'),
        item.message(1, [outputText('Hi.')]),
      ]),
      anthropic: message([{ type: 'redacted_thinking', data: 'UkVE' }, text]),
      gemini: generated([
        candidate([
          { text: '', thought: true, thoughtSignature: base64('redacted:switchyard:anthropic::UkVE') },
          { text: 'Hi.' },
        ]),
      ]),
    },
  },
  {
    feature: 'Reasoning encrypted by OpenAI, with a summary',
    forms: {
      ...sealed('switchyard:responses:rs_7:ENC'),
      responses: response([item.thought(0, 'Hm.', 'ENC', 'rs_7'), item.message(1, [outputText('Hi.')])]),
    },
    outcomes: {
      // The item gets its id before its seal is known, so the seal includes its original id.
      'anthropic>responses': { wire: sealed('switchyard:responses:rs_7:ENC').responses },
    },
  },
  {
    feature: 'Reasoning encrypted by OpenAI, without a summary, before a tool call',
    forms: {
      openai: completion([
        choice(
          {
            reasoning_details: [{ type: 'reasoning.encrypted', data: 'switchyard:responses:rs_7:ENC', index: 0 }],
            tool_calls: [sealedCall({})],
          },
          'tool_calls',
        ),
      ]),
      responses: response([item.thought(0, '', 'ENC', 'rs_7'), item.call(1, 'call_1', 'weather', '{}')]),
      anthropic: message(
        [
          { type: 'redacted_thinking', data: 'switchyard:responses:rs_7:ENC' },
          { type: 'tool_use', id: 'call_1', name: 'weather', input: {} },
        ],
        'tool_use',
      ),
      gemini: generated([
        candidate([
          { text: '', thought: true, thoughtSignature: base64('redacted:switchyard:responses:rs_7:ENC') },
          { functionCall: { id: 'call_1', name: 'weather', args: {} } },
        ]),
      ]),
    },
  },
  {
    feature: 'Tool call signed by Google',
    forms: {
      openai: completion([
        choice(
          { tool_calls: [sealedCall({ extra_content: { google: { thought_signature: 'U0lH' } } })] },
          'tool_calls',
        ),
      ]),
      responses: response([
        item.thought(0, '', 'switchyard:gemini:call=call_1:U0lH'),
        item.call(1, 'call_1', 'weather', '{}'),
      ]),
      anthropic: null,
      gemini: generated([
        candidate([{ functionCall: { id: 'call_1', name: 'weather', args: {} }, thoughtSignature: 'U0lH' }]),
      ]),
    },
    outcomes: {
      'openai>anthropic': { wire: redactedCall() },
      'responses>anthropic': { wire: redactedCall() },
      'gemini>anthropic': { wire: redactedCall() },
    },
  },
]
