/**
 * How a channel's conversations are asked for: in the API format that each model needs, or all in one of the two
 * (docs/reference/conversion.md#chat-or-responses).
 */
export const apiFormatChoices = ['auto', 'chat', 'responses'] as const
export type ApiFormatChoice = (typeof apiFormatChoices)[number]

/** A choice as a text has it; undefined for what is none. */
export const apiFormatChoice = (value: unknown): ApiFormatChoice | undefined =>
  apiFormatChoices.find((choice) => choice === value)
