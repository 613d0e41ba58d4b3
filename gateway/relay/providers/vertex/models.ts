import type { Endpoint } from '../../model/endpoint.ts'

/** How Vertex calls Claude's models, whose dates it keeps apart (spec/data/vertex.json). */
const claudes: Readonly<Record<string, string>> = {
  'claude-3-sonnet-20240229': 'claude-3-sonnet@20240229',
  'claude-3-opus-20240229': 'claude-3-opus@20240229',
  'claude-3-haiku-20240307': 'claude-3-haiku@20240307',
  'claude-3-5-sonnet-20240620': 'claude-3-5-sonnet@20240620',
  'claude-3-5-sonnet-20241022': 'claude-3-5-sonnet-v2@20241022',
  'claude-3-7-sonnet-20250219': 'claude-3-7-sonnet@20250219',
  'claude-sonnet-4-20250514': 'claude-sonnet-4@20250514',
  'claude-opus-4-20250514': 'claude-opus-4@20250514',
  'claude-opus-4-1-20250805': 'claude-opus-4-1@20250805',
  'claude-sonnet-4-5-20250929': 'claude-sonnet-4-5@20250929',
  'claude-haiku-4-5-20251001': 'claude-haiku-4-5@20251001',
  'claude-opus-4-5-20251101': 'claude-opus-4-5@20251101',
}

/** The name of a Claude in Vertex's URLs; others are there as they are. */
export const claudeName = (model: string): string => claudes[model] ?? model

/** Open models are asked for with who made them; Llama's maker may be left out. */
export const openName = (model: string): string => (model.includes('/') ? model : `meta/${model}`)

/** Which models each endpoint is for (spec/relay.md §2.3 "vertex"). */
const families: Readonly<Partial<Record<Endpoint, RegExp>>> = {
  messages: /^claude/,
  generate: /^gemini(?!-embedding)/,
  chat: /llama|-maas$/,
  images: /^imagen/,
  embeddings: /^(text-embedding|text-multilingual-embedding|gemini-embedding)/,
}

/** Whether a model is asked at an endpoint; of any model, a Gemini is meant. */
export const isAskedAt = (endpoint: Endpoint, model: string): boolean =>
  model === '' ? endpoint === 'generate' : (families[endpoint]?.test(model) ?? false)
