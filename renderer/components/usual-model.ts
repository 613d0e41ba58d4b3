import { isChat } from '../../shared/model-kind.ts'

/** The model to begin with: the usual one if it is available, else the first that chats, else the first. */
export const usualModelOf = (models: readonly string[]): string | undefined =>
  models.find((model) => model === usual) ?? models.find(isChat) ?? models[0]

const usual = 'gpt-4o-mini'
