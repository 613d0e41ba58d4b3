import type { Format } from '../formats/format.ts'
import type { OverflowFigures } from '../upstream/overflow-wordings.ts'

/** Context-length error: the known token counts, and whether its vendor used OpenAI's code. */
export type Overflow = Readonly<{ figures: OverflowFigures; isCoded: boolean }>

/**
 * A vendor's message for a prompt that is too long, prefixed with the words by which clients of a dialect recognize it
 * (docs/reference/errors.md#context-overflow); unchanged if it has them.
 */
export function overflowMessage(format: Format, message: string, { figures, isCoded }: Overflow): string {
  const isOpenai = format === 'openai' || format === 'responses'
  if (known[format].test(message) || (isOpenai && isCoded)) return message
  return `${prefixes[format](figures)} ${message}`
}

/** What each dialect's clients search for, from the messages of its vendor. */
const known: Readonly<Record<Format, RegExp>> = {
  openai: /maximum context length|context window/i,
  responses: /maximum context length|context window/i,
  anthropic: /^prompt is too long|prompt is too long: \d+ tokens|exceed context limit/i,
  gemini: /input token count.{0,99}exceeds the maximum number of tokens/i,
}

const prefixes: Readonly<Record<Format, (figures: OverflowFigures) => string>> = {
  openai: inOpenai,
  responses: () => 'Your input exceeds the context window of this model. Please adjust your input and try again.',
  anthropic: inAnthropic,
  gemini: (figures) =>
    isOver(figures)
      ? `The input token count (${figures.tokens}) exceeds the maximum number of tokens allowed (${figures.limit}).`
      : 'The input token count exceeds the maximum number of tokens allowed.',
}

const isOver = ({ tokens, limit }: OverflowFigures): boolean =>
  tokens !== undefined && limit !== undefined && tokens > limit

function inOpenai({ tokens, limit, output }: OverflowFigures): string {
  if (limit === undefined) return "This model's maximum context length is shorter than your messages."
  const maximum = `This model's maximum context length is ${limit} tokens.`
  if (tokens === undefined) return maximum
  if (output === undefined) return `${maximum} However, your messages resulted in ${tokens} tokens.`
  const requested = `${tokens} in the messages, ${output} in the completion`
  return `${maximum} However, you requested ${tokens + output} tokens (${requested}).`
}

/** If the prompt would fit without the output, names the requested output too: clients then lower `max_tokens`. */
function inAnthropic(figures: OverflowFigures): string {
  const { tokens, limit, output } = figures
  if (isOver(figures)) return `prompt is too long: ${tokens} tokens > ${limit} maximum.`
  if (tokens === undefined || limit === undefined || output === undefined) return 'prompt is too long.'
  return `input length and \`max_tokens\` exceed context limit: ${tokens} + ${output} > ${limit}, decrease input length or \`max_tokens\` and try again.`
}
