import type { Json } from '../../../../../gateway/relay/formats/codec.ts'
import { candidate, choice, completion, generated, item, message, outputText, response, used } from '../answers.ts'
import { type AnswerGolden, type Outcome, pairs } from '../golden.ts'

const texts = [{ type: 'text', text: 'Hi.' }]
const ended = {
  openai: (reason = 'stop', usage: Json = used.openai) => completion([choice({ content: 'Hi.' }, reason)], usage),
  responses: (members: Json = {}, status = 'completed') =>
    response([item.message(0, [outputText('Hi.')], status)], members),
  anthropic: (reason = 'end_turn', members: Json = {}) => message(texts, reason, members),
  gemini: (reason = 'STOP', usage: Json = used.gemini) => generated([candidate([{ text: 'Hi.' }], reason)], usage),
}
const cut = (reason: string) => ended.responses({ status: 'incomplete', incomplete_details: { reason } }, 'incomplete')

/** Outcomes in which the finish reason becomes the nearest one of the target. */
const nearest = (wires: Readonly<Record<string, Json>>): AnswerGolden['outcomes'] =>
  Object.fromEntries(
    pairs
      .filter(({ pair }) => wires[pair])
      .map(({ pair }): [string, Outcome<Json>] => [pair, { wire: wires[pair] ?? {}, isNearest: true }]),
  )

/** Finish reasons and usage. */
export const endings: readonly AnswerGolden[] = [
  {
    feature: 'Output limit reached',
    forms: {
      openai: ended.openai('length'),
      responses: cut('max_output_tokens'),
      anthropic: ended.anthropic('max_tokens'),
      gemini: ended.gemini('MAX_TOKENS'),
    },
  },
  {
    feature: 'Content filter',
    forms: {
      openai: ended.openai('content_filter'),
      responses: cut('content_filter'),
      anthropic: ended.anthropic('refusal'),
      gemini: ended.gemini('SAFETY'),
    },
  },
  {
    feature: 'Google-specific content filter (RECITATION)',
    forms: { openai: null, responses: null, anthropic: null, gemini: ended.gemini('RECITATION') },
    outcomes:
      nearest({
        'gemini>openai': ended.openai('content_filter'),
        'gemini>responses': cut('content_filter'),
        'gemini>anthropic': ended.anthropic('refusal'),
      }) ?? {},
  },
  ...['MALFORMED_FUNCTION_CALL', 'OTHER', 'TOO_MANY_TOOL_CALLS'].map(
    (reason): AnswerGolden => ({
      feature: `Model error (${reason})`,
      forms: { openai: null, responses: null, anthropic: null, gemini: ended.gemini(reason) },
      outcomes:
        nearest({
          'gemini>openai': ended.openai(),
          'gemini>responses': ended.responses(),
          'gemini>anthropic': ended.anthropic(),
        }) ?? {},
    }),
  ),
  {
    feature: 'Stop sequence reached',
    forms: {
      openai: null,
      responses: null,
      anthropic: ended.anthropic('stop_sequence', { stop_sequence: 'END' }),
      gemini: null,
    },
    outcomes:
      nearest({
        'anthropic>openai': ended.openai(),
        'anthropic>responses': ended.responses(),
        'anthropic>gemini': ended.gemini(),
      }) ?? {},
  },
  {
    feature: 'Turn paused by the vendor',
    forms: { openai: null, responses: null, anthropic: ended.anthropic('pause_turn'), gemini: null },
    outcomes:
      nearest({
        'anthropic>openai': ended.openai(),
        'anthropic>responses': ended.responses(),
        'anthropic>gemini': ended.gemini(),
      }) ?? {},
  },
  {
    feature: 'Unknown finish reason',
    forms: {
      openai: ended.openai('tired'),
      responses: null,
      anthropic: ended.anthropic('tired'),
      gemini: ended.gemini('tired'),
    },
    outcomes:
      nearest({
        'openai>responses': ended.responses(),
        'anthropic>responses': ended.responses(),
        'gemini>responses': ended.responses(),
      }) ?? {},
  },
  {
    feature: 'Cache read and reasoning tokens',
    forms: {
      openai: ended.openai('stop', {
        ...used.openai,
        prompt_tokens_details: { cached_tokens: 8, audio_tokens: 0 },
        completion_tokens_details: { reasoning_tokens: 3, audio_tokens: 0 },
      }),
      responses: ended.responses({
        usage: {
          ...used.responses,
          input_tokens_details: { cached_tokens: 8, cache_write_tokens: 0 },
          output_tokens_details: { reasoning_tokens: 3 },
        },
      }),
      anthropic: ended.anthropic('end_turn', {
        usage: {
          ...used.anthropic,
          input_tokens: 4,
          cache_read_input_tokens: 8,
          output_tokens_details: { thinking_tokens: 3 },
        },
      }),
      gemini: ended.gemini('STOP', {
        ...used.gemini,
        candidatesTokenCount: 2,
        thoughtsTokenCount: 3,
        cachedContentTokenCount: 8,
      }),
    },
  },
  {
    feature: 'Cache write tokens',
    forms: {
      openai: ended.openai('stop', {
        ...used.openai,
        prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0, cache_write_tokens: 8 },
      }),
      responses: ended.responses({
        usage: { ...used.responses, input_tokens_details: { cached_tokens: 0, cache_write_tokens: 8 } },
      }),
      anthropic: ended.anthropic('end_turn', {
        usage: {
          ...used.anthropic,
          input_tokens: 4,
          cache_creation_input_tokens: 8,
          cache_creation: { ephemeral_5m_input_tokens: 8, ephemeral_1h_input_tokens: 0 },
        },
      }),
      gemini: null,
    },
    outcomes: {
      'openai>gemini': { wire: ended.gemini(), isPartial: true },
      'responses>gemini': { wire: ended.gemini(), isPartial: true },
      'anthropic>gemini': { wire: ended.gemini(), isPartial: true },
    },
  },
]
