import type { CITY } from './conversation.ts'

/** A question independent of dialects; each SDK sends it as the SDK's documentation shows. */
export type Question = Readonly<{
  model: string
  text: string
  stream?: boolean
  picture?: Readonly<{ mime: string; data: string }> | Readonly<{ url: string }>
  /** Offers the tool `weather`, and runs calls until there is a final response. */
  tools?: boolean
  /** Requests a response that follows `citySchema`. */
  json?: boolean
  thinks?: boolean
  signal?: AbortSignal
  /** Called with each piece of streamed text. */
  onText?: (text: string) => void
}>

/** The last response as the client parsed it. `input` and `output` are the reported numbers of tokens. */
export type Understood = { text: string; thoughts: string; input: number | undefined; output: number | undefined }

/** An official SDK for one dialect. */
export type Sdk = Readonly<{
  name: string
  dialect: 'openai' | 'responses' | 'anthropic' | 'gemini'
  ask(question: Question): Promise<Understood>
  /** The status of an error thrown by the SDK. */
  statusOf(error: unknown): number | undefined
}>

/** The gateway's address and the client's key. */
export type Place = Readonly<{ url: string; key: string }>

export const SYSTEM = 'Be brief.'
export const MAX_TOKENS = 4096

export const weather = {
  name: 'weather',
  description: 'The weather in a city.',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string', description: 'Its name.' } },
    required: ['city'],
    additionalProperties: false,
  },
  run: ({ city }: { city: string }) => `rain in ${city}`,
} as const

/** The schema of `CITY`. */
export const citySchema = {
  type: 'object',
  properties: { city: { type: 'string' }, inhabitants: { type: 'integer' } },
  required: ['city', 'inhabitants'] as (keyof typeof CITY)[],
  additionalProperties: false,
} as const

/** The arguments of a call, parsed. */
export const cityIn = (json: string): { city: string } => JSON.parse(json)
