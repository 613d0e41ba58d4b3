/** A model's name without the folders vendors put in front (`models/`, `publishers/google/models/`), in lower case. */
export const bareModel = (model: string): string => model.slice(model.lastIndexOf('/') + 1).toLowerCase()

/** The generation a name speaks of: 3 for gemini-3-pro-preview, 2.5 for gemini-2.5-flash; undefined for other names. */
export function generationOf(model: string): number | undefined {
  const found = /^gemini-(\d+(?:\.\d+)?)/.exec(bareModel(model))
  return found ? Number(found[1]) : undefined
}

/** Whether the model is of the third generation or later, which thinks in levels and insists on thought signatures. */
export const isThirdGeneration = (model: string): boolean => (generationOf(model) ?? 0) >= 3

/**
 * Whether the model draws: the operator's list, and the names the vendor gives such models
 * (docs/reference/conversion.md#openai-to-gemini).
 */
export const drawsImages = (model: string, listed: readonly string[]): boolean =>
  listed.includes(model) || listed.includes(bareModel(model)) || /-image(-|$)/.test(bareModel(model))

/** Whether the model speaks and does nothing else. */
export const onlySpeaks = (model: string): boolean => /-tts(-|$)/.test(bareModel(model))

/** Whether the model takes a thinkingConfig at all; the vendor refuses one for the models that do not think. */
export function canThink(model: string): boolean {
  const name = bareModel(model)
  if (name.includes('thinking')) return true
  const generation = generationOf(name) ?? 3
  return generation >= 2.5 && !onlySpeaks(name) && !(generation < 3 && /-image(-|$)/.test(name)) && !/^gemma/.test(name)
}

/** Names that always stand for the vendor's latest model of a kind: gemini-flash-latest. */
const isLatest = (model: string): boolean => /^gemini-[a-z-]+-latest$/.test(bareModel(model))

/**
 * Whether the model takes schemas as JSON Schema, on both of the vendor's services alike: from 2.5 on
 * (docs/reference/conversion.md#schemas-for-gemini).
 */
export const takesJsonSchema = (model: string): boolean => (generationOf(model) ?? 0) >= 2.5 || isLatest(model)

/** Whether the model takes functions beside the vendor's own tools (docs/reference/conversion.md#tools-beside-functions). */
export const mixesTools = (model: string): boolean => isThirdGeneration(model) || isLatest(model)

/** Whether the model tells how likely its tokens were: those of the first two generations. */
export const tellsLogProbabilities = (model: string): boolean => (generationOf(model) ?? 3) < 3
