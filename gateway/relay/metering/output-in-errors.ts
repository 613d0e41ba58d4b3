/** Codes of errors about output that does not match a schema or a tool (Groq, "Structured outputs"). */
const CODES: ReadonlySet<unknown> = new Set(['json_validate_failed', 'tool_use_failed', 'output_parse_failed'])
/** Words in the messages of such errors: those of Groq, and of other gateways that repeat its errors. */
const MESSAGE = /failed_generation|json_validate_failed|tool_use_failed|output_parse_failed|not in request\.tools/i

/** Errors of Ollama's and llama.cpp's parsers of tool calls, which quote the output up to its end. */
const UNPARSED = /(?:error parsing tool call|failed to parse (?:input at pos|tool call))[\s\S]*/i

/**
 * The text of a vendor's error about a model's output, which quotes that output: the vendor bills it, and the caller
 * receives it (docs/reference/billing.md#billed-errors). Undefined for other errors.
 */
export function outputInError(error: Readonly<Record<string, unknown>>): string | undefined {
  const { code, message, failed_generation: output } = error
  const text = typeof message === 'string' ? message : ''
  if (typeof output === 'string') return `${text} ${output}`
  return CODES.has(code) || MESSAGE.test(text) || UNPARSED.test(text) ? text : undefined
}

/** The code of such an error in a body that was cut, so that it cannot be parsed. */
export const codeInCut = (text: string): string | undefined => CUT.exec(text)?.[1]

const CUT = /"code"\s{0,9}:\s{0,9}"(json_validate_failed|tool_use_failed|output_parse_failed)"/

/**
 * A vendor's message without the output that a parser of tool calls quotes: a call whose whole response is such an
 * error is not charged, so its caller does not get the output.
 */
export const withoutOutput = (message: string): string =>
  message.replace(UNPARSED, 'the tool call of the model could not be parsed')
