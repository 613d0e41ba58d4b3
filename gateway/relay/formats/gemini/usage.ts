import { type JsonObject, objectIn, objectsIn, textIn } from '../../../base/json/json.ts'
import { tiersOf, tokenCount, type Usage, usageOf } from '../../../billing/usage.ts'
import { messageIn } from './message.ts'

/**
 * Reads `usageMetadata` (docs/reference/conversion.md#usage): thought tokens count as completion, input read by tools
 * as prompt. Undefined if a figure is invalid, if the prompt's is missing, since no prompt is empty, or if the
 * completion cannot be determined.
 */
export function usageIn(value: unknown, webSearches: number): Usage | undefined {
  const wire = messageIn(value)
  if (FIGURES.some((name) => wire[name] !== undefined && tokenCount(wire[name]) === undefined)) return undefined
  const promptTokens = tokenCount(wire.promptTokenCount)
  const read = tokenCount(wire.toolUsePromptTokenCount)
  const thoughts = tokenCount(wire.thoughtsTokenCount)
  if (promptTokens === undefined) return undefined
  const prompt = promptTokens + (read ?? 0)
  const completion = completionIn(wire, prompt, thoughts)
  if (completion === undefined || prompt + completion === 0) return undefined
  const inputs = [...objectsIn(wire.promptTokensDetails), ...objectsIn(wire.toolUsePromptTokensDetails)]
  return usageOf({
    prompt,
    completion,
    cacheRead: Math.min(tokenCount(wire.cachedContentTokenCount) ?? 0, prompt),
    reasoning: Math.min(thoughts ?? 0, completion),
    audioInput: Math.min(tokensOfKind(inputs, 'AUDIO'), prompt),
    imageInput: Math.min(tokensOfKind(inputs, 'IMAGE'), prompt),
    audioOutput: Math.min(tokensOfKind(objectsIn(wire.candidatesTokensDetails), 'AUDIO'), completion),
    webSearches,
    tiers: tiersOf(
      textIn(wire.trafficType)
        ?.toLowerCase()
        .replace(/^on_demand_/, '') ?? wire.serviceTier,
    ),
  })
}

/** The figures that are checked: one invalid figure invalidates all (docs/reference/security.md#money). */
const FIGURES = [
  'promptTokenCount',
  'candidatesTokenCount',
  'totalTokenCount',
  'thoughtsTokenCount',
  'toolUsePromptTokenCount',
] as const

/** Writes `usageMetadata`; the prompt includes cached tokens, however the upstream counts. */
export function usageOut(usage: Usage): JsonObject {
  const cached = usage.semantics === 'anthropic' ? usage.cacheRead + usage.cacheWrite : 0
  const prompt = usage.prompt + cached
  const thoughts = Math.min(usage.reasoning, usage.completion)
  const inputs = modalities(prompt, { AUDIO: usage.audioInput, IMAGE: usage.imageInput })
  const outputs = modalities(usage.completion - thoughts, { AUDIO: usage.audioOutput })
  return {
    promptTokenCount: prompt,
    candidatesTokenCount: usage.completion - thoughts,
    totalTokenCount: prompt + usage.completion,
    ...(usage.cacheRead > 0 && { cachedContentTokenCount: usage.cacheRead }),
    ...(thoughts > 0 && { thoughtsTokenCount: thoughts }),
    ...(inputs.length > 0 && { promptTokensDetails: inputs }),
    ...(outputs.length > 0 && { candidatesTokensDetails: outputs }),
  }
}

/**
 * The vendor omits figures that are 0; the completion is then the rest of the total, as for models that report thoughts
 * only in the total. Undefined if it cannot be determined.
 */
function completionIn(wire: JsonObject, prompt: number, thoughts: number | undefined): number | undefined {
  const written = tokenCount(wire.candidatesTokenCount)
  const total = tokenCount(wire.totalTokenCount)
  const isWhole = thoughts !== undefined || wire.toolUsePromptTokenCount !== undefined || total === undefined
  if (written !== undefined && isWhole) return written + (thoughts ?? 0)
  if (total === undefined) return thoughts
  return Math.max(total - prompt, (written ?? 0) + (thoughts ?? 0))
}

export function tokensOfKind(details: readonly unknown[], kind: string): number {
  const rows = details.map(objectIn).filter((row) => row.modality === kind)
  return rows.reduce((sum, row) => sum + (tokenCount(row.tokenCount) ?? 0), 0)
}

function modalities(whole: number, known: Readonly<Record<string, number>>): readonly JsonObject[] {
  const rows = Object.entries(known).filter(([, tokens]) => tokens > 0)
  if (rows.length === 0) return []
  const text = whole - rows.reduce((sum, [, tokens]) => sum + tokens, 0)
  const all: readonly (readonly [string, number])[] = text > 0 ? [['TEXT', text], ...rows] : rows
  return all.map(([modality, tokenCount]) => ({ modality, tokenCount }))
}
