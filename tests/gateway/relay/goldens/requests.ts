import type { Json } from '../../../../gateway/relay/formats/codec.ts'
import type { Format } from '../../../../gateway/relay/formats/format.ts'

const max = 1024

/** A Chat Completions request with the message "Hello", and additional or replaced members. */
export const openai = (members: Json = {}): Json => ({
  messages: [{ role: 'user', content: 'Hello' }],
  max_completion_tokens: max,
  ...members,
})

/** The same for a vendor that supports only the older name of the output limit. */
export function vendor(members: Json = {}): Json {
  const { max_completion_tokens, ...rest } = openai(members)
  return { ...rest, max_tokens: max_completion_tokens }
}

/** The same in the Responses API. */
export const responses = (members: Json = {}): Json => ({ input: 'Hello', max_output_tokens: max, ...members })

/** The same in the Messages API. */
export const anthropic = (members: Json = {}): Json => ({
  messages: [{ role: 'user', content: 'Hello' }],
  max_tokens: max,
  ...members,
})

/** The same in generateContent; the given members of `generationConfig` are merged with the limit. */
export const gemini = ({ generationConfig, ...members }: Json = {}): Json => ({
  contents: [{ role: 'user', parts: [{ text: 'Hello' }] }],
  generationConfig: { maxOutputTokens: max, ...(generationConfig as Json | undefined) },
  ...members,
})

export const plain: Readonly<Record<Format, Json>> = {
  openai: openai(),
  responses: responses(),
  anthropic: anthropic(),
  gemini: gemini(),
}

/** The schema of a function with one parameter, a city. */
export const city = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }

const said = { name: 'weather', description: 'Tells the weather of a city.' }

export const weather = {
  openai: { type: 'function', function: { ...said, parameters: city } },
  responses: { type: 'function', ...said, parameters: city, strict: false },
  anthropic: { ...said, input_schema: city },
  gemini: { ...said, parametersJsonSchema: city },
} as const satisfies Record<Format, Json>

/** One red pixel as a PNG, in base64. */
export const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='

/** An empty document and silent audio; their beginnings suffice to detect the type. */
export const pdf = 'JVBERi0xLjQKJSVFT0YK'
export const wav = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAgD4AAAB9AAACABAAZGF0YQAAAAA='

/** Base64 as a `data:` URL. */
export const dataUrl = (mime: string, data: string): string => `data:${mime};base64,${data}`
