import { isChat } from '../../shared/model-kind.ts'

/**
 * The model to begin with: the usual one if it is available, else the first chat model, else the first model; undefined
 * without models.
 */
export const usualModelOf = (models: readonly string[]): string | undefined =>
  models.find((model) => model === usual) ?? models.find(isChat) ?? models[0]

const usual = 'gpt-4o-mini'
