/** The same request in each client dialect. */
export type Dialect = Readonly<{
  path(model: string, stream: boolean): string
  body(model: string, stream: boolean): object
}>

const SYSTEM = 'Answer in one sentence.'
const TEXT = 'What does the quick brown fox do?'

export const dialects = {
  openai: {
    path: () => '/v1/chat/completions',
    body: (model, stream) => ({
      model,
      messages: [
        { role: 'system', content: SYSTEM },
        { role: 'user', content: TEXT },
      ],
      ...(stream ? { stream } : {}),
    }),
  },
  responses: {
    path: () => '/v1/responses',
    body: (model, stream) => ({ model, instructions: SYSTEM, input: TEXT, ...(stream ? { stream } : {}) }),
  },
  anthropic: {
    path: () => '/v1/messages',
    body: (model, stream) => ({
      model,
      max_tokens: 4096,
      system: SYSTEM,
      messages: [{ role: 'user', content: TEXT }],
      ...(stream ? { stream } : {}),
    }),
  },
  gemini: {
    path: (model, stream) => `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    body: () => ({
      systemInstruction: { parts: [{ text: SYSTEM }] },
      contents: [{ role: 'user', parts: [{ text: TEXT }] }],
    }),
  },
} as const satisfies Record<string, Dialect>
export type DialectName = keyof typeof dialects
export const dialectNames = Object.keys(dialects) as DialectName[] // the keys of a constant
