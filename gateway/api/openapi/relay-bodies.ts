import { MAX_CHOICES, MAX_TOKENS } from '../../relay/intake/endpoint-specs.ts'
import type { RequestedEndpoint } from '../../relay/model/endpoint.ts'
import type { Piece } from './schema.ts'

/**
 * The description of one relayed endpoint; bodies are the vendors' own, so only the members that the gateway reads are
 * listed.
 */
export type EndpointText = Readonly<{
  summary: string
  /** Members of the body that are read and checked. */
  fields: Readonly<Record<string, Piece>>
  /** Required members other than the model. */
  required: readonly string[]
  /** Additions to the body's schema, other than members. */
  also?: Piece
  example: Piece
  /** Members of a complete response that clients read. */
  answer: Readonly<Record<string, Piece>>
  /** Media types of a response that is not JSON. */
  media?: readonly string[]
}>

const text: Piece = { type: 'string' }
const objects: Piece = { type: 'array', items: { type: 'object' } }
const integer: Piece = { type: 'integer' }
const object: Piece = { type: 'object' }

/** Anything not empty. */
const something = (description: string): Piece => ({ description, not: { enum: [null, '', []] } })
const messages: Piece = { type: 'array', minItems: 1, items: object, description: 'The conversation so far.' }
const upTo = (maximum: number, description: string): Piece => ({
  type: ['integer', 'null'],
  minimum: 0,
  maximum,
  description,
})
const tokens = upTo(MAX_TOKENS, 'The longest answer, in tokens.')
const choices = upTo(MAX_CHOICES, 'How many answers are wanted.')
const counts = { n: choices, best_of: choices, max_tokens: tokens, max_completion_tokens: tokens }
const usage = { usage: object }
const list = { object: text, data: objects, model: text, ...usage }
const image = {
  prompt: something('What the picture is to show.'),
  n: { type: ['integer', 'string', 'null'], description: 'Number of images, 1 to 10.' },
  size: { type: ['string', 'null'], description: 'Such as 1024x1024; dall-e models have their own sizes.' },
  quality: { type: ['string', 'null'], description: "One of the model's voices." },
}
const pictures = { created: integer, data: objects, ...usage }
const recording = { file: { type: 'string', format: 'binary', description: 'The recording.' } }
const transcriptTypes = ['text/plain']

/** Every relayed endpoint except sockets, drawings and tasks; a missing one does not compile. */
export const endpointTexts: Readonly<
  Record<Exclude<RequestedEndpoint, 'realtime' | 'live' | 'drawing' | 'task'>, EndpointText>
> = {
  chat: {
    summary: 'Continues a conversation, in the format of OpenAI Chat.',
    fields: {
      messages,
      ...counts,
      stream_options: { type: ['object', 'null'], properties: { include_usage: { type: 'boolean' } } },
      web_search_options: {
        type: ['object', 'null'],
        properties: { search_context_size: { enum: ['low', 'medium', 'high'] } },
      },
    },
    required: ['messages'],
    example: { model: 'gpt-4o', messages: [{ role: 'user', content: 'Hello' }] },
    answer: { id: text, object: text, created: integer, model: text, choices: objects, ...usage },
  },
  completions: {
    summary: 'Continues a text, in the format of OpenAI Completions.',
    fields: { prompt: something('The text to continue.'), ...counts },
    required: ['prompt'],
    example: { model: 'gpt-3.5-turbo-instruct', prompt: 'Once upon a time' },
    answer: { id: text, object: text, created: integer, model: text, choices: objects, ...usage },
  },
  edits: {
    summary: "Edits a text according to an instruction, in the format of OpenAI's edits.",
    fields: { instruction: something('How to change the input.'), input: text, ...counts },
    required: ['instruction'],
    example: { model: 'gpt-4o', input: 'Helo', instruction: 'Mend the spelling.' },
    answer: { object: text, created: integer, choices: objects, ...usage },
  },
  responses: {
    summary: 'Continues a conversation, in the format of OpenAI Responses.',
    fields: {
      input: {
        description:
          'A text, or the items of the conversation; required unless a prompt or a previous response is given.',
      },
      prompt: { type: ['object', 'null'], description: 'A template stored at the provider; replaces the input.' },
      max_output_tokens: tokens,
      previous_response_id: { type: ['string', 'null'], description: 'The response to continue.' },
      background: { not: { const: true }, description: 'Background responses are not supported.' },
    },
    required: [],
    also: {
      anyOf: [
        { required: ['input'], properties: { input: something('A text, or items.') } },
        { required: ['prompt'], properties: { prompt: object } },
        { required: ['previous_response_id'], properties: { previous_response_id: { type: 'string', minLength: 1 } } },
      ],
    },
    example: { model: 'gpt-4o', input: 'Hello' },
    answer: { id: text, object: text, status: text, model: text, output: objects, ...usage },
  },
  messages: {
    summary: 'Continues a conversation, in the format of Anthropic Messages.',
    fields: { messages, max_tokens: tokens },
    required: ['messages'],
    example: { model: 'claude-sonnet-4-5', max_tokens: 1024, messages: [{ role: 'user', content: 'Hello' }] },
    answer: { id: text, type: text, role: text, model: text, content: objects, stop_reason: {}, ...usage },
  },
  generate: {
    summary: 'Continues a conversation, in the format of Gemini generateContent.',
    fields: {
      contents: something('The conversation so far.'),
      generationConfig: {
        type: ['object', 'null'],
        description: 'Its name and its fields may also be written with underscores.',
        properties: { candidateCount: choices, maxOutputTokens: tokens },
      },
    },
    required: ['contents'],
    example: { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] },
    answer: { candidates: objects, usageMetadata: object, modelVersion: text },
  },
  embeddings: {
    summary: 'Creates embeddings of texts, in the format of OpenAI.',
    fields: { input: something('A text, or several.') },
    required: ['input'],
    example: { model: 'text-embedding-3-small', input: 'Hello' },
    answer: list,
  },
  'embed-content': {
    summary: 'Creates the embedding of a text, in the format of Gemini.',
    fields: { content: something('The text, in parts.') },
    required: ['content'],
    example: { content: { parts: [{ text: 'Hello' }] } },
    answer: { embedding: object },
  },
  'batch-embed-contents': {
    summary: 'Creates embeddings of several texts, in the format of Gemini.',
    fields: { requests: something('The requests of single calls, one for each text.') },
    required: ['requests'],
    example: { requests: [{ content: { parts: [{ text: 'Hello' }] } }] },
    answer: { embeddings: objects },
  },
  predict: {
    summary: 'Generates images, in the format of Imagen.',
    fields: {
      instances: something('One prompt: `[{"prompt": "…"}]`.'),
      parameters: {
        type: ['object', 'null'],
        description: "The number of images, and the vendor's other parameters.",
        properties: { sampleCount: { type: 'integer', minimum: 1, maximum: 10 } },
      },
    },
    required: ['instances'],
    example: { instances: [{ prompt: 'A signal box at dusk' }], parameters: { sampleCount: 1 } },
    answer: { predictions: objects },
  },
  moderations: {
    summary: 'Classifies texts as harmful or not, in the format of OpenAI.',
    fields: { input: something('A text, or several.') },
    required: ['input'],
    example: { input: 'Hello' },
    answer: { id: text, model: text, results: objects },
  },
  images: {
    summary: 'Generates images, in the format of OpenAI.',
    fields: image,
    required: ['prompt'],
    example: { model: 'gpt-image-1', prompt: 'A signal box at dusk' },
    answer: pictures,
  },
  'image-edits': {
    summary: 'Edits images, in the format of OpenAI.',
    fields: image,
    required: ['prompt'],
    example: { prompt: 'Make it night.' },
    answer: pictures,
  },
  speech: {
    summary: 'Converts a text to speech, in the format of OpenAI.',
    fields: { input: { type: 'string', minLength: 1, description: 'The text to speak.' } },
    required: ['input'],
    example: { input: 'Hello', voice: 'alloy' },
    answer: {},
    media: ['audio/mpeg', 'audio/*'],
  },
  transcriptions: {
    summary: 'Transcribes a recording, in the format of OpenAI.',
    fields: recording,
    required: ['file'],
    example: {},
    answer: { text },
    media: transcriptTypes,
  },
  translations: {
    summary: 'Translates a recording into English text, in the format of OpenAI.',
    fields: recording,
    required: ['file'],
    example: {},
    answer: { text },
    media: transcriptTypes,
  },
  rerank: {
    summary: 'Ranks documents by their relevance to a query.',
    fields: {
      query: something('The question.'),
      documents: { type: 'array', minItems: 1, description: 'Texts, or objects that hold one.' },
    },
    required: ['query', 'documents'],
    example: { model: 'rerank-v3.5', query: 'Which is a fruit?', documents: ['apple', 'anvil'] },
    answer: { results: objects, ...usage },
  },
}
