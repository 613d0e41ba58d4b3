import type { Json } from '../../../../../gateway/relay/formats/codec.ts'
import type { RequestGolden } from '../golden.ts'
import { anthropic, city, gemini, openai, responses, weather } from '../requests.ts'

const schema = { ...city, additionalProperties: false }
const ownCity = { type: 'OBJECT', properties: { city: { type: 'STRING' } }, required: ['city'] }
const json = gemini({ generationConfig: { responseMimeType: 'application/json' } })
const SINGLE = { disable_parallel_tool_use: true }
const TOOL = {
  name: 'structured_answer',
  description: 'Gives the final answer in the form that is asked for. Call it once.',
}
/** A request to a Claude model that can return JSON only through a tool. */
const byTool = (input_schema: Json) =>
  anthropic({
    tools: [{ ...TOOL, input_schema }],
    tool_choice: { type: 'tool', name: TOOL.name, ...SINGLE },
  })
/** A non-object schema, wrapped as the only argument of a tool. */
const wrapped = (answer: Json) => ({
  type: 'object',
  properties: { answer },
  required: ['answer'],
  additionalProperties: false,
})
const anyJson = byTool(wrapped({ type: 'object', additionalProperties: true }))
const besideWeather = anthropic({
  tools: [weather.anthropic, { ...TOOL, input_schema: schema }],
  tool_choice: { type: 'any' },
})
/** Claude refuses to be forced to call a tool while thinking, so the instructions request the call. */
const thoughtful = anthropic({
  system: `Give your final answer by calling the tool "${TOOL.name}": its arguments are the answer. Say nothing else with it.`,
  tools: [{ ...TOOL, input_schema: schema }],
  thinking: { type: 'enabled', budget_tokens: 4096 },
  max_tokens: 5120,
})
const cities = { type: 'array', items: city }

const ofSchema = (members: Json = {}) =>
  gemini({ generationConfig: { responseMimeType: 'application/json', responseJsonSchema: schema, ...members } })
const node = { type: 'object', properties: { next: { $ref: '#' } }, additionalProperties: false }
const object = { type: 'object' }
const ofNode = gemini({
  generationConfig: {
    responseMimeType: 'application/json',
    responseSchema: { ...object, properties: { next: { ...object, properties: { next: object } } } },
  },
})
const config = (generationConfig: Json) => gemini({ generationConfig })

/** Response formats. */
export const shapes: readonly RequestGolden[] = [
  {
    feature: 'JSON without a schema',
    forms: {
      openai: openai({ response_format: { type: 'json_object' } }),
      responses: responses({ text: { format: { type: 'json_object' } } }),
      anthropic: null,
      gemini: json,
    },
    outcomes: {
      'openai>anthropic': { wire: anyJson, isNearest: true },
      'responses>anthropic': { wire: anyJson, isNearest: true },
      'gemini>anthropic': { wire: anyJson, isNearest: true },
    },
  },
  {
    feature: 'JSON with a schema',
    forms: {
      openai: openai({ response_format: { type: 'json_schema', json_schema: { name: 'response', schema } } }),
      responses: responses({ text: { format: { type: 'json_schema', name: 'response', schema } } }),
      anthropic: anthropic({ output_config: { format: { type: 'json_schema', schema } } }),
      gemini: ofSchema(),
    },
  },
  {
    feature: 'JSON with a Google-specific schema (`responseSchema`)',
    forms: {
      openai: null,
      responses: null,
      anthropic: null,
      gemini: config({ responseMimeType: 'application/json', responseSchema: ownCity }),
    },
    outcomes: {
      'gemini>openai': {
        wire: openai({ response_format: { type: 'json_schema', json_schema: { name: 'response', schema: city } } }),
      },
      'gemini>responses': {
        wire: responses({ text: { format: { type: 'json_schema', name: 'response', schema: city } } }),
      },
      'gemini>anthropic': { wire: anthropic({ output_config: { format: { type: 'json_schema', schema } } }) },
    },
  },
  {
    feature: 'JSON with a schema (Claude model without schema support)',
    models: { anthropic: 'claude-sonnet-4-20250514' },
    forms: {
      openai: openai({ response_format: { type: 'json_schema', json_schema: { name: 'response', schema } } }),
      responses: responses({ text: { format: { type: 'json_schema', name: 'response', schema } } }),
      anthropic: null,
      gemini: null,
    },
    outcomes: {
      'openai>anthropic': { wire: byTool(schema), isNearest: true },
      'responses>anthropic': { wire: byTool(schema), isNearest: true },
      'openai>gemini': { wire: ofSchema() },
      'responses>gemini': { wire: ofSchema() },
    },
  },
  {
    feature: 'JSON with a recursive schema (older Gemini model)',
    models: { gemini: 'gemini-2.0-flash' },
    forms: {
      openai: openai({ response_format: { type: 'json_schema', json_schema: { name: 'response', schema: node } } }),
      responses: responses({ text: { format: { type: 'json_schema', name: 'response', schema: node } } }),
      anthropic: null,
      gemini: null,
    },
    outcomes: {
      'openai>anthropic': { wire: byTool(node), isNearest: true },
      'responses>anthropic': { wire: byTool(node), isNearest: true },
      'openai>gemini': { wire: ofNode, reported: ['response_format.json_schema.schema.$ref'] },
      'responses>gemini': { wire: ofNode, reported: ['text.format.schema.$ref'] },
    },
  },
  {
    feature: 'JSON with a non-object schema (Claude model without schema support)',
    models: { anthropic: 'claude-sonnet-4-20250514' },
    forms: {
      openai: null,
      responses: null,
      anthropic: null,
      gemini: config({ responseMimeType: 'application/json', responseJsonSchema: cities }),
    },
    outcomes: {
      'gemini>openai': {
        wire: openai({ response_format: { type: 'json_schema', json_schema: { name: 'response', schema: cities } } }),
      },
      'gemini>responses': {
        wire: responses({ text: { format: { type: 'json_schema', name: 'response', schema: cities } } }),
      },
      'gemini>anthropic': { wire: byTool(wrapped(cities)), isNearest: true },
    },
  },
  {
    feature: 'JSON with a schema and tools (Claude model without schema support)',
    models: { anthropic: 'claude-sonnet-4-20250514', gemini: 'gemini-3-pro-preview' },
    forms: {
      openai: openai({
        tools: [weather.openai],
        response_format: { type: 'json_schema', json_schema: { name: 'response', schema } },
      }),
      responses: responses({
        tools: [weather.responses],
        text: { format: { type: 'json_schema', name: 'response', schema } },
      }),
      anthropic: null,
      gemini: null,
    },
    outcomes: {
      'openai>anthropic': { wire: besideWeather, isNearest: true },
      'responses>anthropic': { wire: besideWeather, isNearest: true },
      'openai>gemini': { wire: { ...ofSchema(), tools: [{ functionDeclarations: [weather.gemini] }] } },
      'responses>gemini': { wire: { ...ofSchema(), tools: [{ functionDeclarations: [weather.gemini] }] } },
    },
  },
  {
    feature: 'JSON with a schema and reasoning (Claude model without schema support)',
    models: { anthropic: 'claude-sonnet-4-20250514', openai: 'gpt-5', responses: 'gpt-5' },
    forms: {
      openai: openai({
        reasoning_effort: 'high',
        response_format: { type: 'json_schema', json_schema: { name: 'response', schema } },
      }),
      responses: responses({
        reasoning: { effort: 'high' },
        text: { format: { type: 'json_schema', name: 'response', schema } },
      }),
      anthropic: null,
      gemini: null,
    },
    outcomes: {
      'openai>anthropic': { wire: thoughtful, reported: ['response_format'] },
      'responses>anthropic': { wire: thoughtful, reported: ['text.format'] },
      'openai>gemini': {
        wire: ofSchema({ thinkingConfig: { includeThoughts: true, thinkingBudget: 19660 } }),
        isNearest: true,
      },
      'responses>gemini': {
        wire: ofSchema({ thinkingConfig: { includeThoughts: true, thinkingBudget: 19660 } }),
        isNearest: true,
      },
    },
  },
  {
    feature: 'JSON with a schema and tools (Gemini model that accepts only one)',
    models: { anthropic: 'claude-sonnet-4-20250514' },
    forms: {
      openai: openai({
        tools: [weather.openai],
        response_format: { type: 'json_schema', json_schema: { name: 'response', schema: city } },
      }),
      responses: null,
      anthropic: null,
      gemini: null,
    },
    outcomes: {
      'openai>responses': {
        wire: responses({
          tools: [weather.responses],
          text: { format: { type: 'json_schema', name: 'response', schema: city } },
        }),
      },
      'openai>anthropic': {
        wire: anthropic({
          tools: [weather.anthropic, { ...TOOL, input_schema: city }],
          tool_choice: { type: 'any' },
        }),
        isNearest: true,
      },
      'openai>gemini': {
        wire: gemini({
          tools: [{ functionDeclarations: [weather.gemini, { ...TOOL, parametersJsonSchema: city }] }],
          toolConfig: { functionCallingConfig: { mode: 'ANY' } },
        }),
        isNearest: true,
      },
    },
  },
  {
    feature: 'Verbosity',
    forms: {
      openai: openai({ verbosity: 'low' }),
      responses: responses({ text: { verbosity: 'low' } }),
      anthropic: null,
      gemini: null,
    },
    outcomes: {
      'openai>anthropic': { reported: ['verbosity'] },
      'openai>gemini': { reported: ['verbosity'] },
      'responses>anthropic': { reported: ['text.verbosity'] },
      'responses>gemini': { reported: ['text.verbosity'] },
    },
  },
  {
    feature: 'Audio output',
    models: { openai: 'gpt-audio', gemini: 'gemini-2.5-flash-preview-tts' },
    forms: {
      openai: openai({ modalities: ['text', 'audio'], audio: { voice: 'alloy', format: 'wav' } }),
      responses: null,
      anthropic: null,
      gemini: config({
        responseModalities: ['AUDIO'],
        speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: 'Kore' } } },
      }),
    },
    outcomes: {
      'openai>responses': { refused: 'modalities' },
      'openai>anthropic': { refused: 'modalities' },
      'openai>gemini': {
        wire: config({
          responseModalities: ['AUDIO'],
          speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: 'alloy' } } },
        }),
        reported: ['audio.format'],
      },
      'gemini>openai': {
        wire: openai({ modalities: ['audio'], audio: { voice: 'Kore', format: 'wav' } }),
      },
      'gemini>responses': { refused: 'modalities' },
      'gemini>anthropic': { refused: 'modalities' },
    },
  },
  {
    feature: 'Image output',
    models: { gemini: 'gemini-2.5-flash-image' },
    forms: {
      openai: null,
      responses: null,
      anthropic: null,
      gemini: config({ responseModalities: ['TEXT', 'IMAGE'] }),
    },
    outcomes: {
      'gemini>openai': { refused: 'modalities' },
      'gemini>responses': { refused: 'modalities' },
      'gemini>anthropic': { refused: 'modalities' },
    },
  },
]
