/** The dialects of clients and upstreams: OpenAI Chat, OpenAI Responses, Anthropic Messages, Gemini generateContent. */
export const formats = ['openai', 'responses', 'anthropic', 'gemini'] as const
export type Format = (typeof formats)[number]

export const formatLabels = {
  openai: 'OpenAI Chat',
  responses: 'OpenAI Responses',
  anthropic: 'Anthropic Messages',
  gemini: 'Gemini generateContent',
} as const satisfies Record<Format, string>
