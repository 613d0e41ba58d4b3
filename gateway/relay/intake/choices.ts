import { type JsonObject, objectIn } from '../../base/json/json.ts'
import type { RequestedEndpoint } from '../model/endpoint.ts'

/**
 * How many choices a checked body requests: `n`; for OpenAI's completions also hidden ones (`best_of`), for each
 * prompt; `candidateCount` for Gemini.
 */
export function choicesOf(endpoint: RequestedEndpoint, json: Readonly<JsonObject>): number {
  if (endpoint === 'chat' || endpoint === 'edits') return counted(json.n)
  if (endpoint === 'completions') return Math.max(counted(json.n), counted(json.best_of)) * promptsIn(json.prompt)
  if (endpoint !== 'generate') return 1
  const config = generationConfigOf(json)
  return counted(config.candidateCount ?? config.candidate_count)
}

/** Gemini's generation settings in either spelling; a request with both is refused. */
export const generationConfigOf = (json: Readonly<JsonObject>): JsonObject =>
  objectIn(json.generationConfig ?? json.generation_config)

/** A completion has one prompt (a text or a list of tokens) or a list of prompts. */
const promptsIn = (prompt: unknown): number =>
  Array.isArray(prompt) && typeof prompt[0] !== 'number' ? Math.max(prompt.length, 1) : 1

const counted = (value: unknown): number => (typeof value === 'number' ? Math.max(value, 1) : 1)
