import type { CITY } from './conversation.ts'

/** What a client is to ask, in no dialect: each SDK asks it in the way its documentation shows. */
export type Question = Readonly<{
  model: string
  text: string
  stream?: boolean
  picture?: Readonly<{ mime: string; data: string }> | Readonly<{ url: string }>
  /** Offers the tool `weather` and runs what is called until an answer comes. */
  tools?: boolean
  /** Wants an answer that follows the schema of a city. */
  json?: boolean
  thinks?: boolean
  signal?: AbortSignal
  /** Called with every piece of text of a stream. */
  onText?: (text: string) => void
}>

/** What a client understood of the last answer. `input` and `output` are the tokens it was told of. */
export type Understood = { text: string; thoughts: string; input: number | undefined; output: number | undefined }

/** An official SDK that speaks one dialect. */
export type Sdk = Readonly<{
  name: string
  dialect: 'openai' | 'responses' | 'anthropic' | 'gemini'
  ask(question: Question): Promise<Understood>
  /** The status an error of the SDK's has. */
  statusOf(error: unknown): number | undefined
}>

/** Where a client finds the gateway. */
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

/** The arguments of a call, as its JSON says them. */
export const cityIn = (json: string): { city: string } => JSON.parse(json)
