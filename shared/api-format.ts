import { channelTypes } from './channel-types.ts'

/**
 * How a channel's conversations are asked for: in the API format that each model needs, or all in one of the two
 * (docs/reference/conversion.md#chat-or-responses).
 */
export const apiFormatChoices = ['auto', 'chat', 'responses'] as const
export type ApiFormatChoice = (typeof apiFormatChoices)[number]

/** A choice as a text has it; undefined for what is none. */
export const apiFormatChoice = (value: unknown): ApiFormatChoice | undefined =>
  apiFormatChoices.find((choice) => choice === value)

/** Whether the vendor of a type, by its id, has both API formats, so that there is something to choose. */
export const hasApiFormats = (type: number): boolean => both.has(type)

const { openai, azure, xai } = channelTypes
const both: ReadonlySet<number> = new Set([openai.id, azure.id, xai.id])
