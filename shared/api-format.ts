import { channelTypes } from './channel-types.ts'

/**
 * Which API format a channel's conversations use: the one each model needs, or always Chat Completions or always
 * Responses (docs/reference/conversion.md#chat-or-responses).
 */
export const apiFormatChoices = ['auto', 'chat', 'responses'] as const
export type ApiFormatChoice = (typeof apiFormatChoices)[number]

export const apiFormatChoice = (value: unknown): ApiFormatChoice | undefined =>
  apiFormatChoices.find((choice) => choice === value)

/** Whether the vendor of a type id has both API formats. */
export const hasApiFormats = (type: number): boolean => both.has(type)

const { openai, azure, xai } = channelTypes
const both: ReadonlySet<number> = new Set([openai.id, azure.id, xai.id])
