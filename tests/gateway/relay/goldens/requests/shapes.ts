import type { Json } from '../../../../../gateway/relay/formats/codec.ts'
import type { RequestGolden } from '../golden.ts'
import { anthropic, city, gemini, openai, responses } from '../requests.ts'

const schema = { ...city, additionalProperties: false }
const ownCity = { type: 'OBJECT', properties: { city: { type: 'STRING' } }, required: ['city'] }
const json = gemini({ generationConfig: { responseMimeType: 'application/json' } })
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

/** What the answer is to look like. */
export const shapes: readonly RequestGolden[] = [
  {
    feature: 'JSON of any shape',
    forms: {
      openai: openai({ response_format: { type: 'json_object' } }),
      responses: responses({ text: { format: { type: 'json_object' } } }),
      anthropic: null,
      gemini: json,
    },
    outcomes: {
      'openai>anthropic': { reported: ['response_format'] },
      'responses>anthropic': { reported: ['text.format'] },
      'gemini>anthropic': { reported: ['generationConfig.responseMimeType'] },
    },
  },
  {
    feature: 'JSON of a schema',
    forms: {
      openai: openai({ response_format: { type: 'json_schema', json_schema: { name: 'response', schema } } }),
      responses: responses({ text: { format: { type: 'json_schema', name: 'response', schema } } }),
      anthropic: anthropic({ output_config: { format: { type: 'json_schema', schema } } }),
      gemini: ofSchema(),
    },
  },
  {
    feature: 'JSON of a schema in Google’s own words',
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
    feature: 'JSON of a schema, for a Claude that knows none',
    models: { anthropic: 'claude-sonnet-4-20250514' },
    forms: {
      openai: openai({ response_format: { type: 'json_schema', json_schema: { name: 'response', schema } } }),
      responses: responses({ text: { format: { type: 'json_schema', name: 'response', schema } } }),
      anthropic: null,
      gemini: null,
    },
    outcomes: {
      'openai>anthropic': { reported: ['response_format'] },
      'responses>anthropic': { reported: ['text.format'] },
      'openai>gemini': { wire: ofSchema() },
      'responses>gemini': { wire: ofSchema() },
    },
  },
  {
    feature: 'JSON of a schema within itself, for an older Gemini',
    models: { gemini: 'gemini-2.0-flash' },
    forms: {
      openai: openai({ response_format: { type: 'json_schema', json_schema: { name: 'response', schema: node } } }),
      responses: responses({ text: { format: { type: 'json_schema', name: 'response', schema: node } } }),
      anthropic: null,
      gemini: null,
    },
    outcomes: {
      'openai>anthropic': {
        wire: anthropic({ output_config: { format: { type: 'json_schema', schema: node } } }),
      },
      'responses>anthropic': {
        wire: anthropic({ output_config: { format: { type: 'json_schema', schema: node } } }),
      },
      'openai>gemini': { wire: ofNode, reported: ['response_format.json_schema.schema.$ref'] },
      'responses>gemini': { wire: ofNode, reported: ['text.format.schema.$ref'] },
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
    feature: 'An answer said aloud',
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
    feature: 'An answer with pictures',
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
