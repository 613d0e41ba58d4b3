import { type AnswerFrame, type Json, NO_CLIENT_TOOLS } from '../../../../gateway/relay/formats/codec.ts'

export const frame: AnswerFrame = {
  id: '1',
  model: 'a-model',
  created: 1_763_700_000,
  wantsUsage: true,
  promptTokens: () => 12,
  request: {},
  clientTools: NO_CLIENT_TOOLS,
}

/** Usage of twelve prompt and five output tokens. */
export const used = {
  openai: {
    prompt_tokens: 12,
    completion_tokens: 5,
    total_tokens: 17,
    prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0 },
  },
  responses: {
    input_tokens: 12,
    input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
    output_tokens: 5,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 17,
  },
  anthropic: { input_tokens: 12, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 5 },
  gemini: { promptTokenCount: 12, candidatesTokenCount: 5, totalTokenCount: 17 },
} as const

export const choice = (message: Json, finish_reason = 'stop', index = 0): Json => ({
  index,
  message: { role: 'assistant', content: null, refusal: null, ...message },
  logprobs: null,
  finish_reason,
})

export const completion = (choices: readonly Json[], usage: Json = used.openai): Json => ({
  id: `chatcmpl-${frame.id}`,
  object: 'chat.completion',
  created: frame.created,
  model: frame.model,
  choices,
  usage,
})

/** A response of the Responses API to a request that has only `input`. */
export const response = (output: readonly Json[], members: Json = {}): Json => ({
  id: `resp_${frame.id}`,
  object: 'response',
  created_at: frame.created,
  status: 'completed',
  background: false,
  error: null,
  incomplete_details: null,
  instructions: null,
  max_output_tokens: null,
  max_tool_calls: null,
  model: frame.model,
  output,
  parallel_tool_calls: true,
  previous_response_id: null,
  prompt_cache_key: null,
  reasoning: { effort: null, summary: null },
  safety_identifier: null,
  service_tier: 'default',
  store: false,
  temperature: 1,
  text: { format: { type: 'text' } },
  tool_choice: 'auto',
  tools: [],
  top_logprobs: 0,
  top_p: 1,
  truncation: 'disabled',
  usage: used.responses,
  user: null,
  metadata: {},
  ...members,
})

/** A text part of a message in the Responses API. */
export const outputText = (text: string, annotations: readonly Json[] = []): Json => ({
  type: 'output_text',
  text,
  annotations,
  logprobs: [],
})

/** Items of the Responses API by their index in the output. */
export const item = {
  message: (index: number, content: readonly Json[], status = 'completed'): Json => ({
    id: `msg_${frame.id}_${index}`,
    type: 'message',
    status,
    role: 'assistant',
    content,
  }),
  call: (index: number, call_id: string, name: string, arguments_: string): Json => ({
    id: `fc_${frame.id}_${index}`,
    type: 'function_call',
    status: 'completed',
    call_id,
    name,
    arguments: arguments_,
  }),
  thought: (index: number, text: string, sealed?: string, id = `rs_${frame.id}_${index}`): Json => ({
    id,
    type: 'reasoning',
    summary: text === '' ? [] : [{ type: 'summary_text', text }],
    ...(sealed === undefined ? {} : { encrypted_content: sealed }),
  }),
}

/** A message of the Messages API. */
export const message = (content: readonly Json[], stop_reason = 'end_turn', members: Json = {}): Json => ({
  id: `msg_${frame.id}`,
  type: 'message',
  role: 'assistant',
  model: frame.model,
  content,
  stop_reason,
  stop_sequence: null,
  usage: used.anthropic,
  ...members,
})

export const candidate = (parts: readonly Json[], finishReason = 'STOP', index = 0, members: Json = {}): Json => ({
  content: { role: 'model', parts },
  finishReason,
  index,
  ...members,
})

/** A response of generateContent. */
export const generated = (candidates: readonly Json[], usageMetadata: Json = used.gemini): Json => ({
  candidates,
  usageMetadata,
  modelVersion: frame.model,
  responseId: frame.id,
})

/** A result of Anthropic's web fetch tool of which only the address is known. */
export const fetched = (tool_use_id: string, url: string): Json => ({
  type: 'web_fetch_tool_result',
  tool_use_id,
  content: {
    type: 'web_fetch_result',
    url,
    content: {
      type: 'document',
      source: { type: 'text', media_type: 'text/plain', data: '' },
      title: null,
      citations: null,
    },
    retrieved_at: null,
  },
})

/** A vendor's own part, as sealed by the gateway. */
export const sealedPart = (by: string, value: unknown): string =>
  `switchyard:${by}:part:${Buffer.from(JSON.stringify(value)).toString('base64url')}`

/** Base64 of a text, the form of Gemini's signatures. */
export const base64 = (text: string): string => Buffer.from(text).toString('base64')

const hi = { token: 'Hi', logprob: -0.25, bytes: [72, 105] }
const dot = { token: '.', logprob: 0, bytes: [46] }
const hey = { token: 'Hey', logprob: -1.5, bytes: [72, 101, 121] }

/** Log probabilities of the two tokens of `Hi.`, in the forms of OpenAI's dialects and Gemini. */
export const scored = {
  openai: [
    { ...hi, top_logprobs: [hi, hey] },
    { ...dot, top_logprobs: [dot] },
  ],
  gemini: {
    logprobsResult: {
      chosenCandidates: [
        { token: 'Hi', logProbability: -0.25 },
        { token: '.', logProbability: 0 },
      ],
      topCandidates: [
        {
          candidates: [
            { token: 'Hi', logProbability: -0.25 },
            { token: 'Hey', logProbability: -1.5 },
          ],
        },
        { candidates: [{ token: '.', logProbability: 0 }] },
      ],
    },
  },
} as const
