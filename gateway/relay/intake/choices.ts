import { type JsonObject, objectIn } from '../../base/json.ts'
import type { AskedEndpoint } from '../model/endpoint.ts'

/**
 * How many answers to one prompt a checked body asks for: `n`, of OpenAI's completions also those that are made and not
 * shown (`best_of`), `candidateCount` of Gemini's.
 */
export function choicesOf(endpoint: AskedEndpoint, json: Readonly<JsonObject>): number {
  if (endpoint === 'chat' || endpoint === 'edits') return counted(json.n)
  if (endpoint === 'completions') return Math.max(counted(json.n), counted(json.best_of))
  if (endpoint !== 'generate') return 1
  const config = objectIn(json.generationConfig ?? json.generation_config)
  return counted(config.candidateCount ?? config.candidate_count)
}

const counted = (value: unknown): number => (typeof value === 'number' ? Math.max(value, 1) : 1)
