import type { Json } from '../../../../../gateway/relay/formats/codec.ts'
import type { Format } from '../../../../../gateway/relay/formats/format.ts'
import { type Outcome, pairs, type RequestGolden } from '../golden.ts'
import { anthropic, gemini, openai, responses, vendor, weather } from '../requests.ts'
import { oneRound } from './tool-rounds.ts'

const question = { role: 'user', content: 'How warm is it?' }
const arguments_ = '{"city":"Paris"}'
const UNSHOWN = 'OpenAI Chat does not return reasoning'
const result = '{"degrees":21}'

/**
 * A round of calls after thinking; `thoughtful` takes the members of the message, or the items, blocks or parts before
 * the call.
 */
const thoughtful = {
  openai: (message: Json, call: Json = {}) =>
    openai({
      messages: [
        question,
        {
          role: 'assistant',
          content: null,
          ...message,
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'weather', arguments: arguments_ }, ...call },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: result },
      ],
      tools: [weather.openai],
    }),
  responses: (item: Json) =>
    responses({
      input: [
        question,
        item,
        { type: 'function_call', call_id: 'call_1', name: 'weather', arguments: arguments_ },
        { type: 'function_call_output', call_id: 'call_1', output: result },
      ],
      tools: [weather.responses],
    }),
  anthropic: (block: Json) =>
    anthropic({
      messages: [
        question,
        {
          role: 'assistant',
          content: [block, { type: 'tool_use', id: 'call_1', name: 'weather', input: { city: 'Paris' } }],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content: result }] },
      ],
      tools: [weather.anthropic],
    }),
  gemini: (parts: readonly Json[], call: Json = {}) =>
    gemini({
      contents: [
        { role: 'user', parts: [{ text: 'How warm is it?' }] },
        { role: 'model', parts: [...parts, { functionCall: { name: 'weather', args: { city: 'Paris' } }, ...call }] },
        { role: 'user', parts: [{ functionResponse: { name: 'weather', response: { degrees: 21 } } }] },
      ],
      tools: [{ functionDeclarations: [weather.gemini] }],
    }),
}

const base64 = (text: string): string => Buffer.from(text).toString('base64')
const summary = [{ type: 'summary_text', text: 'Hm.' }]

/** Reasoning with a vendor's seal, as each dialect's clients store it between two requests. */
const held = (mark: string) => ({
  openai: thoughtful.openai({
    reasoning_content: 'Hm.',
    reasoning_details: [{ type: 'reasoning.text', text: 'Hm.', signature: mark, index: 0 }],
  }),
  responses: thoughtful.responses({ type: 'reasoning', summary, encrypted_content: mark }),
  anthropic: thoughtful.anthropic({ type: 'thinking', thinking: 'Hm.', signature: mark }),
  gemini: thoughtful.gemini([{ text: 'Hm.', thought: true, thoughtSignature: base64(mark) }]),
})

/** Outcomes for sealed reasoning: it reaches only the vendor that sealed it, since it has no meaning for others. */
const onlyFor = (vendor_: Format): RequestGolden['outcomes'] =>
  Object.fromEntries(
    pairs
      .filter(({ to }) => to !== vendor_)
      .map(({ pair, to }): [string, Outcome<Json>] => [pair, { wire: oneRound[to], isLeftOut: true }]),
  )

const own = {
  anthropic: thoughtful.anthropic({ type: 'thinking', thinking: 'Hm.', signature: 'c2ln' }),
  responses: thoughtful.responses({ type: 'reasoning', id: 'rs_1', summary, encrypted_content: 'ENC' }),
  gemini: thoughtful.gemini([], { thoughtSignature: 'U0lH' }),
}

/** The round after reasoning whose text is hidden from the client. */
const unshown = thoughtful.responses({ type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'ENC' })

/** Google's placeholder for the missing signature of a call, which its newest models require. */
const UNSEALED = 'skip_thought_signature_validator'

/** The form of a reasoning effort in each dialect. */
const high = {
  openai: { reasoning_effort: 'high' },
  responses: { reasoning: { effort: 'high' } },
  anthropic: { thinking: { type: 'adaptive' }, output_config: { effort: 'high' } },
  gemini: {
    generationConfig: { maxOutputTokens: 1024, thinkingConfig: { includeThoughts: true, thinkingLevel: 'high' } },
  },
} as const satisfies Record<Format, Json>

/** A turn with tools, an effort and sealed reasoning, which current models require in Responses. */
function sealedTurn(model: string): RequestGolden {
  const sealed = held('switchyard:responses:rs_1:ENC')
  const round = { ...oneRound, gemini: thoughtful.gemini([], { thoughtSignature: UNSEALED }) }
  const left = (to: Format): Outcome<Json> => ({ wire: { ...round[to], ...high[to] }, isLeftOut: true })
  return {
    feature: 'Second turn with tools, reasoning effort and reasoning encrypted by OpenAI',
    models: { openai: model, responses: model, anthropic: 'claude-opus-4-6', gemini: 'gemini-3-pro-preview' },
    forms: {
      openai: { ...sealed.openai, ...high.openai },
      responses: { ...own.responses, ...high.responses },
      anthropic: { ...sealed.anthropic, ...high.anthropic },
      gemini: { ...sealed.gemini, ...high.gemini },
    },
    outcomes: {
      'openai>anthropic': left('anthropic'),
      'openai>gemini': left('gemini'),
      'responses>openai': left('openai'),
      'responses>anthropic': left('anthropic'),
      'responses>gemini': left('gemini'),
      'anthropic>openai': left('openai'),
      'anthropic>gemini': left('gemini'),
      'gemini>openai': {
        ...left('openai'),
        reported: ['generationConfig.thinkingConfig.includeThoughts'],
        impossible: UNSHOWN,
      },
      'gemini>responses': { wire: { ...own.responses, reasoning: { effort: 'high', summary: 'auto' } } },
      'gemini>anthropic': left('anthropic'),
    },
  }
}

/** The round for a vendor of OpenAI's dialect, which receives the reasoning of earlier turns. */
const told = vendor(thoughtful.openai({ reasoning_content: 'Hm.' }))

/** Reasoning of earlier turns on its way back to the model. */
export const thoughts: readonly RequestGolden[] = [
  {
    feature: 'Reasoning signed by Anthropic',
    forms: { ...held('switchyard:anthropic::c2ln'), anthropic: own.anthropic },
    outcomes: onlyFor('anthropic') ?? {},
  },
  {
    feature: 'Reasoning redacted by Anthropic',
    forms: {
      openai: thoughtful.openai({
        reasoning_details: [{ type: 'reasoning.encrypted', data: 'switchyard:anthropic::UkVE', index: 0 }],
      }),
      responses: thoughtful.responses({
        type: 'reasoning',
        summary: [],
        encrypted_content: 'switchyard:anthropic:redacted:UkVE',
      }),
      anthropic: thoughtful.anthropic({ type: 'redacted_thinking', data: 'UkVE' }),
      gemini: thoughtful.gemini([
        { text: '', thought: true, thoughtSignature: base64('redacted:switchyard:anthropic::UkVE') },
      ]),
    },
    outcomes: onlyFor('anthropic') ?? {},
  },
  {
    feature: 'Reasoning encrypted by OpenAI, with a summary',
    forms: { ...held('switchyard:responses:rs_1:ENC'), responses: own.responses },
    outcomes: onlyFor('responses') ?? {},
  },
  {
    feature: 'Reasoning encrypted by OpenAI, without a summary',
    forms: {
      openai: thoughtful.openai({
        reasoning_details: [{ type: 'reasoning.encrypted', data: 'switchyard:responses:rs_1:ENC', index: 0 }],
      }),
      responses: unshown,
      anthropic: thoughtful.anthropic({ type: 'redacted_thinking', data: 'switchyard:responses:rs_1:ENC' }),
      gemini: thoughtful.gemini([
        { text: '', thought: true, thoughtSignature: base64('redacted:switchyard:responses:rs_1:ENC') },
      ]),
    },
    outcomes: onlyFor('responses') ?? {},
  },
  {
    feature: 'Reasoning encrypted by OpenAI, before empty text and a tool call',
    forms: {
      openai: thoughtful.openai({
        content: '',
        reasoning_details: [{ type: 'reasoning.encrypted', data: 'switchyard:responses:rs_1:ENC', index: 0 }],
      }),
      responses: null,
      anthropic: null,
      gemini: null,
    },
    outcomes: {
      'openai>responses': { wire: unshown },
      'openai>anthropic': { wire: oneRound.anthropic, isLeftOut: true },
      'openai>gemini': { wire: oneRound.gemini, isLeftOut: true },
    },
  },
  {
    feature: 'Reasoning encrypted by OpenAI, attached to a tool call',
    forms: {
      openai: null,
      responses: null,
      anthropic: null,
      gemini: thoughtful.gemini([], { thoughtSignature: base64('switchyard:responses:rs_1:ENC') }),
    },
    outcomes: {
      'gemini>openai': { wire: oneRound.openai, isLeftOut: true },
      'gemini>responses': { wire: unshown },
      'gemini>anthropic': { wire: oneRound.anthropic, isLeftOut: true },
    },
  },
  sealedTurn('gpt-5.6-sol'),
  {
    feature: 'Tool call signed by Google',
    forms: {
      openai: thoughtful.openai({}, { extra_content: { google: { thought_signature: 'U0lH' } } }),
      responses: thoughtful.responses({
        type: 'reasoning',
        summary: [],
        encrypted_content: 'switchyard:gemini:call=call_1:U0lH',
      }),
      anthropic: thoughtful.anthropic({ type: 'redacted_thinking', data: 'switchyard:gemini:call_call_1:U0lH' }),
      gemini: own.gemini,
    },
    outcomes: onlyFor('gemini') ?? {},
  },
  {
    feature: 'Earlier reasoning (OpenAI-compatible vendor)',
    openai: 'vendor',
    models: { openai: 'deepseek-reasoner' },
    forms: { openai: told, responses: own.responses, anthropic: own.anthropic, gemini: null },
    outcomes: {
      'openai>responses': { wire: oneRound.responses, isLeftOut: true },
      'openai>anthropic': { wire: oneRound.anthropic, isLeftOut: true },
      'openai>gemini': { wire: oneRound.gemini, isLeftOut: true },
      'responses>anthropic': { wire: oneRound.anthropic, isLeftOut: true },
      'responses>gemini': { wire: oneRound.gemini, isLeftOut: true },
      'anthropic>responses': { wire: oneRound.responses, isLeftOut: true },
      'anthropic>gemini': { wire: oneRound.gemini, isLeftOut: true },
    },
  },
]
