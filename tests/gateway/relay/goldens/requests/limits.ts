import type { Json } from '../../../../../gateway/relay/formats/codec.ts'
import type { RequestGolden } from '../golden.ts'
import { anthropic, gemini, openai, responses, weather } from '../requests.ts'
import { oneRound, rounds } from './tool-rounds.ts'

const stops = ['a', 'b', 'c', 'd', 'e', 'f']
const config = (generationConfig: Json) => gemini({ generationConfig })

/**
 * A schema with features that vendors support to varying degrees: references, alternatives with null, constants,
 * limits.
 */
const rich = {
  type: 'object',
  properties: {
    place: { $ref: '#/$defs/place' },
    unit: { anyOf: [{ type: 'string', enum: ['c', 'f'] }, { type: 'null' }] },
    kind: { const: 'weather' },
    days: { type: 'integer', minimum: 1, exclusiveMaximum: 15 },
  },
  required: ['place'],
  additionalProperties: false,
  $defs: { place: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] } },
}
const richForGemini = {
  type: 'object',
  properties: {
    place: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    unit: { anyOf: [{ type: 'string', enum: ['c', 'f'] }, { type: 'null' }] },
    kind: { type: 'string', enum: ['weather'] },
    days: { type: 'integer', minimum: 1, exclusiveMaximum: 15 },
  },
  required: ['place'],
  additionalProperties: false,
}
const declaring = (parametersJsonSchema: Json) =>
  gemini({ tools: [{ functionDeclarations: [{ name: 'forecast', parametersJsonSchema }] }] })

const checked = {
  type: 'object',
  properties: { days: { type: 'integer', minimum: 1 }, note: { type: 'string', maxLength: 9, description: 'Short.' } },
  required: ['days'],
}
const described = {
  type: 'object',
  properties: {
    days: { type: 'integer', description: '(minimum: 1)' },
    note: { type: 'string', description: 'Short. (maxLength: 9)' },
  },
  required: ['days'],
  additionalProperties: false,
}

/** Alternatives at the root, which OpenAI and Anthropic refuse, and what replaces them. */
const alternatives = {
  type: 'object',
  properties: { days: { type: 'integer' } },
  required: ['days'],
  anyOf: [{ properties: { city: { type: 'string' } }, required: ['city'] }, { $ref: '#/$defs/point' }],
  $defs: { point: { properties: { point: { type: 'string' } }, required: ['point'] } },
}
const folded = {
  type: 'object',
  description: 'At least one of these is needed: city | point',
  properties: { days: { type: 'integer' }, city: { type: 'string' }, point: { type: 'string' } },
  required: ['days'],
  $defs: alternatives.$defs,
}

const odd = 'functions.weather:0'
const oddly = rounds([{ id: odd, city: 'Paris', degrees: 21 }])
const tame = rounds([{ id: 'functions_weather_0', city: 'Paris', degrees: 21 }])

/** Calls with Google's placeholder for a missing signature. */
const standing = () =>
  gemini({
    contents: [
      { role: 'user', parts: [{ text: 'How warm is it?' }] },
      {
        role: 'model',
        parts: [
          {
            functionCall: { name: 'weather', args: { city: 'Paris' } },
            thoughtSignature: 'skip_thought_signature_validator',
          },
        ],
      },
      { role: 'user', parts: [{ functionResponse: { name: 'weather', response: { degrees: 21 } } }] },
    ],
    tools: [{ functionDeclarations: [weather.gemini] }],
  })

/** Features that exceed the limits of vendors. */
export const limits: readonly RequestGolden[] = [
  {
    feature: 'More stop sequences than OpenAI or Google accepts',
    forms: {
      openai: openai({ stop: stops }),
      responses: null,
      anthropic: anthropic({ stop_sequences: stops }),
      gemini: null,
    },
    outcomes: {
      'openai>responses': { reported: ['stop'] },
      'openai>gemini': { wire: config({ stopSequences: stops.slice(0, 5) }), reported: ['stop'] },
      'anthropic>openai': {
        wire: openai({ stop: stops.slice(0, 4) }),
        reported: ['stop_sequences'],
        impossible: 'OpenAI accepts at most four',
      },
      'anthropic>responses': { reported: ['stop_sequences'] },
      'anthropic>gemini': { wire: config({ stopSequences: stops.slice(0, 5) }), reported: ['stop_sequences'] },
    },
  },
  {
    feature: 'Whitespace-only stop sequence',
    forms: {
      openai: openai({ stop: ['\n', 'END'] }),
      responses: null,
      anthropic: null,
      gemini: config({ stopSequences: ['\n', 'END'] }),
    },
    outcomes: {
      'openai>responses': { reported: ['stop'] },
      'openai>anthropic': { wire: anthropic({ stop_sequences: ['END'] }), reported: ['stop'] },
      'gemini>responses': { reported: ['generationConfig.stopSequences'] },
      'gemini>anthropic': {
        wire: anthropic({ stop_sequences: ['END'] }),
        reported: ['generationConfig.stopSequences'],
      },
    },
  },
  {
    feature: 'Output limit below the Responses minimum',
    forms: {
      openai: openai({ max_completion_tokens: 1 }),
      responses: null,
      anthropic: anthropic({ max_tokens: 1 }),
      gemini: config({ maxOutputTokens: 1 }),
    },
    outcomes: {
      'openai>responses': { wire: responses({ max_output_tokens: 16 }), isNearest: true },
      'anthropic>responses': { wire: responses({ max_output_tokens: 16 }), isNearest: true },
      'gemini>responses': { wire: responses({ max_output_tokens: 16 }), isNearest: true },
    },
  },
  {
    feature: 'Schema with references, alternatives and constants',
    forms: {
      openai: openai({ tools: [{ type: 'function', function: { name: 'forecast', parameters: rich } }] }),
      responses: responses({ tools: [{ type: 'function', name: 'forecast', parameters: rich, strict: false }] }),
      anthropic: anthropic({ tools: [{ name: 'forecast', input_schema: rich }] }),
      gemini: null,
    },
    outcomes: {
      'openai>gemini': { wire: declaring(richForGemini), isNearest: true },
      'responses>gemini': { wire: declaring(richForGemini), isNearest: true },
      'anthropic>gemini': { wire: declaring(richForGemini), isNearest: true },
    },
  },
  {
    feature: 'Schema constraints that Anthropic does not enforce',
    forms: {
      openai: openai({ response_format: { type: 'json_schema', json_schema: { name: 'response', schema: checked } } }),
      responses: responses({ text: { format: { type: 'json_schema', name: 'response', schema: checked } } }),
      anthropic: null,
      gemini: config({ responseMimeType: 'application/json', responseJsonSchema: checked }),
    },
    outcomes: {
      'openai>anthropic': {
        wire: anthropic({ output_config: { format: { type: 'json_schema', schema: described } } }),
        isNearest: true,
      },
      'responses>anthropic': {
        wire: anthropic({ output_config: { format: { type: 'json_schema', schema: described } } }),
        isNearest: true,
      },
      'gemini>anthropic': {
        wire: anthropic({ output_config: { format: { type: 'json_schema', schema: described } } }),
        isNearest: true,
      },
    },
  },
  {
    feature: 'Tool call IDs with characters that Anthropic refuses',
    forms: { openai: oddly.openai, responses: oddly.responses, anthropic: null, gemini: null },
    outcomes: {
      'openai>anthropic': { wire: tame.anthropic },
      'responses>anthropic': { wire: tame.anthropic },
      'openai>gemini': { wire: oneRound.gemini },
      'responses>gemini': { wire: oneRound.gemini },
    },
  },
  {
    feature: 'Tool choice without tools',
    forms: {
      openai: openai({ tool_choice: 'none' }),
      responses: responses({ tool_choice: 'none' }),
      anthropic: anthropic({ tool_choice: { type: 'none' } }),
      gemini: gemini({ toolConfig: { functionCallingConfig: { mode: 'NONE' } } }),
    },
    outcomes: {
      'openai>responses': { wire: responses() },
      'openai>anthropic': { wire: anthropic() },
      'openai>gemini': { wire: gemini() },
      'responses>openai': { wire: openai() },
      'responses>anthropic': { wire: anthropic() },
      'responses>gemini': { wire: gemini() },
      'anthropic>openai': { wire: openai() },
      'anthropic>responses': { wire: responses() },
      'anthropic>gemini': { wire: gemini() },
      'gemini>openai': { wire: openai() },
      'gemini>responses': { wire: responses() },
      'gemini>anthropic': { wire: anthropic() },
    },
  },
  {
    feature: 'Unsigned tool calls (Gemini model that requires signatures)',
    models: { gemini: 'gemini-3-pro-preview' },
    forms: { openai: oneRound.openai, responses: oneRound.responses, anthropic: oneRound.anthropic, gemini: null },
    outcomes: {
      'openai>gemini': { wire: standing() },
      'responses>gemini': { wire: standing() },
      'anthropic>gemini': { wire: standing() },
    },
  },
  {
    feature: 'Deprecated function calling (`functions`)',
    forms: {
      openai: openai({
        messages: [
          { role: 'user', content: 'How warm is it?' },
          { role: 'assistant', content: null, function_call: { name: 'weather', arguments: '{"city":"Paris"}' } },
          { role: 'function', name: 'weather', content: '{"degrees":21}' },
        ],
        functions: [weather.openai.function],
        function_call: 'auto',
      }),
      responses: null,
      anthropic: null,
      gemini: null,
    },
    outcomes: {
      'openai>responses': {
        wire: {
          ...rounds([{ id: 'call_1', city: 'Paris', degrees: 21 }]).responses,
          tool_choice: 'auto',
          parallel_tool_calls: false,
        },
      },
      'openai>anthropic': {
        wire: { ...oneRound.anthropic, tool_choice: { type: 'auto', disable_parallel_tool_use: true } },
      },
      'openai>gemini': {
        wire: { ...oneRound.gemini, toolConfig: { functionCallingConfig: { mode: 'AUTO' } } },
        reported: ['parallel_tool_calls'],
      },
    },
  },
  {
    feature: 'Alternatives at the root of tool parameters',
    forms: {
      openai: null,
      responses: null,
      anthropic: null,
      gemini: gemini({ tools: [{ functionDeclarations: [{ name: 'forecast', parametersJsonSchema: alternatives }] }] }),
    },
    outcomes: {
      'gemini>openai': {
        wire: openai({ tools: [{ type: 'function', function: { name: 'forecast', parameters: folded } }] }),
        isNearest: true,
      },
      'gemini>responses': {
        wire: responses({ tools: [{ type: 'function', name: 'forecast', parameters: folded, strict: false }] }),
        isNearest: true,
      },
      'gemini>anthropic': {
        wire: anthropic({ tools: [{ name: 'forecast', input_schema: folded }] }),
        isNearest: true,
      },
    },
  },
]
