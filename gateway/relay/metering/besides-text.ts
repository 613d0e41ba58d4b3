import { plainSound, saidTokens, soundBytes } from '../tokenizer/sound.ts'

/** What an answer has besides text: how many calls, and how many seconds of speech. */
export type Besides = { calls: number; seconds: number }

/** Tokens added for each parallel tool call when the upstream gives no usage (docs/reference/billing.md#missing-usage). */
export const PER_TOOL_CALL = 7

/** Adds a piece of what is said aloud, in base64; streams have it as PCM alone. */
export function listen(besides: Besides, base64: unknown): void {
  besides.seconds += soundBytes(base64) / plainSound.said
}

/** The tokens of what was said aloud (docs/reference/tokens.md#realtime-sound). */
export const spokenTokens = ({ seconds }: Readonly<Besides>): number => saidTokens(seconds)
