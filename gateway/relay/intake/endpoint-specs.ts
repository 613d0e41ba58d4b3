import { type GatewayError, refuse } from '../../base/errors.ts'
import { isObject, type JsonObject, objectIn } from '../../base/json/json.ts'
import type { RequestedEndpoint } from '../model/endpoint.ts'
import { choicesOf, generationConfigOf } from './choices.ts'
import { checkImageRequest, checkPrediction, maxImageTokens } from './image-options.ts'

export type EndpointSpec = Readonly<{
  /** Error code of a refusal (docs/reference/endpoints.md#request-validation). */
  code: string
  /** Throws if a required member is missing or a value is not supported. */
  check(json: JsonObject, model: string): void
  /** Maximum output over all choices or images, in tokens; 0 if the request does not limit it. Throws if invalid. */
  maxOutput(json: JsonObject, model: string): number
  streams: boolean
  /** Whether the body may or must be a form; JSON only if absent. */
  form?: 'may' | 'must'
  /** The model of a body that names none: `routed` for routing and price, `requested` for the vendor. */
  model?: Readonly<{ routed: string; requested: string }>
}>

export const MAX_TOKENS = 1_073_741_823
export const MAX_CHOICES = 128
const MAX_COMPLETIONS = 2048
/**
 * Max characters of a text to speak: they are counted before the caller's quota is known
 * (docs/reference/limits.md#bodies).
 */
const MAX_SPOKEN = 100_000

/** docs/reference/endpoints.md#request-validation */
export const endpointSpecs: Readonly<Record<RequestedEndpoint, EndpointSpec>> = {
  chat: {
    code: 'invalid_text_request',
    check(json) {
      needMessages(json, 'invalid_text_request')
      const { search_context_size: size } = objectIn(json.web_search_options)
      if (size !== undefined && size !== 'low' && size !== 'medium' && size !== 'high')
        throw invalid('web_search_options.search_context_size', 'invalid_text_request')
      // xAI, "Deferred chat completions".
      if ((json.deferred ?? false) !== false) throw inBackground('invalid_text_request', 'deferred')
    },
    maxOutput: (json) => chatOutput(json, 'chat'),
    streams: true,
  },
  completions: text('prompt', true, 'completions'),
  edits: text('instruction', false, 'edits'),
  responses: {
    code: 'invalid_responses_request',
    check: (json) => {
      const isContinued = typeof json.previous_response_id === 'string' && json.previous_response_id !== ''
      if (!isObject(json.prompt) && !isContinued) need(json, 'input', 'invalid_responses_request')
      // Some servers read any text and number as a yes or no.
      if ((json.background ?? false) !== false) throw inBackground('invalid_responses_request', 'background')
    },
    maxOutput: (json) => count(json, 'max_output_tokens', MAX_TOKENS, 0, 'invalid_responses_request'),
    streams: true,
  },
  messages: {
    code: 'invalid_claude_request',
    check: (json) => needMessages(json, 'invalid_claude_request'),
    maxOutput: (json) => count(json, 'max_tokens', MAX_TOKENS, 0, 'invalid_claude_request'),
    streams: true,
  },
  generate: {
    code: 'invalid_gemini_request',
    check(json) {
      need(json, 'contents', 'invalid_gemini_request')
      // It is unknown which of the two a vendor reads, and so what it costs.
      if (json.generationConfig !== undefined && json.generation_config !== undefined)
        throw invalid('generation_config', 'invalid_gemini_request')
    },
    maxOutput(json) {
      const code = 'invalid_gemini_request'
      const config = generationConfigOf(json)
      for (const field of ['candidateCount', 'candidate_count']) count(config, field, MAX_CHOICES, 1, code)
      const tokens = Math.max(
        count(config, 'maxOutputTokens', MAX_TOKENS, 0, code),
        count(config, 'max_output_tokens', MAX_TOKENS, 0, code),
      )
      return tokens * choicesOf('generate', json)
    },
    streams: false,
  },
  embeddings: plain('input', 'invalid_embedding_request'),
  'embed-content': plain('content', 'invalid_embedding_request'),
  'batch-embed-contents': plain('requests', 'invalid_embedding_request'),
  predict: {
    code: 'invalid_image_request',
    check: checkPrediction,
    maxOutput: () => 0,
    streams: false,
  },
  moderations: {
    ...plain('input', 'invalid_text_request'),
    model: { routed: 'text-moderation-stable', requested: 'text-moderation-latest' },
  },
  images: images({ routed: 'dall-e', requested: 'dall-e-3' }),
  'image-edits': { ...images(always('gpt-image-1')), form: 'may' },
  speech: {
    ...plain('input', 'invalid_audio_request'),
    check(json) {
      need(json, 'input', 'invalid_audio_request')
      if (typeof json.input !== 'string') throw invalid('input', 'invalid_audio_request')
      if (json.input.length > MAX_SPOKEN) throw tooLong('input', MAX_SPOKEN, 'invalid_audio_request')
    },
    model: always('tts-1'),
  },
  transcriptions: recording(true),
  translations: recording(false),
  rerank: {
    code: 'invalid_query',
    check(json) {
      need(json, 'query', 'invalid_query')
      need(json, 'documents', 'invalid_documents')
      if (!Array.isArray(json.documents)) throw invalid('documents', 'invalid_documents')
    },
    maxOutput: () => 0,
    streams: false,
  },
  // A session has no body; its query or first frame is read when it starts.
  realtime: { code: 'model_required', check: () => {}, maxOutput: () => 0, streams: true },
  live: { code: 'model_required', check: () => {}, maxOutput: () => 0, streams: true },
  // The requirements of a task depend on its kind and are checked when it is submitted.
  drawing: { code: 'invalid_request', check: () => {}, maxOutput: () => 0, streams: false },
  task: { code: 'invalid_request', check: () => {}, maxOutput: () => 0, streams: false },
}

function text(field: string, streams: boolean, endpoint: 'completions' | 'edits'): EndpointSpec {
  const code = 'invalid_text_request'
  return { code, check: (json) => need(json, field, code), maxOutput: (json) => chatOutput(json, endpoint), streams }
}

function plain(field: string, code: string): EndpointSpec {
  return { code, check: (json) => need(json, field, code), maxOutput: () => 0, streams: false }
}

function images(model: NonNullable<EndpointSpec['model']>): EndpointSpec {
  const code = 'invalid_image_request'
  return {
    code,
    check(json, name) {
      need(json, 'prompt', code)
      checkImageRequest(json, name)
    },
    maxOutput: maxImageTokens,
    streams: true,
    model,
  }
}

function recording(streams: boolean): EndpointSpec {
  const code = 'invalid_audio_request'
  return {
    ...plain('file', code),
    check(json) {
      need(json, 'file', code)
      if (!isObject(json.file)) throw invalid('file', code)
    },
    streams,
    form: 'must',
    model: always('whisper-1'),
  }
}

function always(name: string) {
  return { routed: name, requested: name }
}

/** The larger of max_tokens and max_completion_tokens, times the number of choices. */
function chatOutput(json: JsonObject, endpoint: 'chat' | 'completions' | 'edits'): number {
  const code = 'invalid_text_request'
  for (const field of ['n', 'best_of']) count(json, field, MAX_CHOICES, 1, code)
  const tokens = Math.max(
    count(json, 'max_tokens', MAX_TOKENS, 0, code),
    count(json, 'max_completion_tokens', MAX_TOKENS, 0, code),
  )
  const choices = choicesOf(endpoint, json)
  if (choices > MAX_COMPLETIONS) throw invalid('prompt', code)
  return tokens * choices
}

function needMessages({ messages }: JsonObject, code: string): void {
  if (!Array.isArray(messages) || messages.length === 0)
    throw refuse('invalid', 'relay.messagesMissing', {}, { code, param: 'messages' })
}

function need(json: JsonObject, field: string, code: string): void {
  const value = json[field]
  const empty = value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
  if (empty) throw refuse('invalid', 'relay.fieldMissing', { field }, { code, param: field })
}

function count(json: JsonObject, field: string, max: number, fallback: number, code: string): number {
  const value = json[field]
  if (value === undefined || value === null) return fallback
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > max) throw invalid(field, code)
  return Math.max(value, fallback)
}

/** A response generated after the caller has left could not be charged. */
const inBackground = (code: string, field: 'background' | 'deferred'): GatewayError =>
  refuse('invalid', 'relay.noBackground', { field }, { code, param: field })

const tooLong = (field: string, max: number, code: string): GatewayError =>
  refuse('invalid', 'relay.fieldTooLong', { field, max }, { code, param: field })

const invalid = (field: string, code: string): GatewayError =>
  refuse('invalid', 'relay.fieldInvalid', { field }, { code, param: field })
