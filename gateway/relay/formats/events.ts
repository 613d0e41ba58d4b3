import type { ToolUsage, Usage } from '../../billing/usage.ts'
import type { CallShape, Original, Signature } from './conversation.ts'
import type { Format } from './format.ts'
import type { VendorSearch } from './vendor-search.ts'

/**
 * A response independent of dialects, as a sequence of events. A response that is not streamed has the same events, so
 * each dialect needs only one mapping (docs/reference/conversion.md#principles). `choice` counts from 0.
 */
export type AnswerEvent =
  | Readonly<{ type: 'start'; id?: string | undefined; model?: string | undefined }>
  | Readonly<{ type: 'text'; choice: number; text: string }>
  /** The source of the preceding text. */
  | Readonly<{ type: 'citation'; choice: number; url: string; title: string; quote?: string | undefined }>
  | Readonly<{ type: 'refusal'; choice: number; text: string }>
  /** Log probabilities of the text that follows, or of the refusal (`isRefusal`). */
  | Readonly<{ type: 'logprobs'; choice: number; tokens: readonly ScoredTokenWithTop[]; isRefusal?: true | undefined }>
  /**
   * A piece of reasoning. A signature ends its block; later reasoning begins another. Redacted blocks have a signature
   * and no text.
   */
  | Readonly<{
      type: 'reasoning'
      choice: number
      text: string
      signature?: Signature | undefined
      redacted?: boolean | undefined
    }>
  /**
   * A piece of a tool call. `call` counts the calls of a choice from 0; the first piece has the name and, if known, the
   * id; `json` is the next piece of its arguments.
   */
  | Readonly<{
      type: 'tool'
      choice: number
      call: number
      id?: string | undefined
      name?: string | undefined
      namespace?: string | undefined
      json?: string | undefined
      custom?: boolean | undefined
      /** The form of the call for the client, if the upstream made it as a function call; sent with the name. */
      shape?: CallShape | undefined
      /** The pieces of `json` have been counted as they arrived. */
      isCounted?: true | undefined
      signature?: Signature | undefined
    }>
  /**
   * An image or audio from the model; `data` is base64, for audio possibly one of several pieces. `transcript` is the
   * spoken text.
   */
  | Readonly<{
      type: 'media'
      choice: number
      mime: string
      data: string
      id?: string | undefined
      transcript?: string | undefined
    }>
  /**
   * A search that the vendor ran, sent once it has ended. `by` is the vendor's dialect and `name` the search's name
   * there; `original` must be returned to the vendor; `isCovered` if another event already carries the search.
   */
  | Readonly<{
      type: 'search'
      choice: number
      by: Format
      name: string
      search: VendorSearch
      original?: Original | undefined
      isCovered?: true | undefined
    }>
  /** Something only one dialect knows; `isCovered` if another event expresses it for the others. */
  | Readonly<{ type: 'extra'; of: Format; choice: number; name: string; value: unknown; isCovered?: true | undefined }>
  /** The upstream's usage so far; a later one replaces an earlier one. `isBegun` if the output count is not final. */
  | Readonly<{ type: 'usage'; usage: Usage; isBegun?: true | undefined }>
  /** The model begins to reason, perhaps without showing it. */
  | Readonly<{ type: 'reasoning-begun' }>
  /** Output that is only counted: for a tool that the vendor runs, such as an MCP server, or of an unknown kind. */
  | Readonly<{ type: 'vendor-call'; text: string }>
  /**
   * The end of a call of a tool that the vendor runs, whose result the model reads; `length` is that of the result, in
   * characters.
   */
  | Readonly<{ type: 'vendor-result'; length: number }>
  /** What the upstream's own tools have used so far; counts only if no usage follows. */
  | Readonly<{ type: 'tools'; used: ToolUsage }>
  | Readonly<{ type: 'finish'; choice: number; reason: FinishReason; stopSequence?: string | undefined }>
  /**
   * The upstream's error object inside a successful response; `isUnreadable` if the upstream sent something that is not
   * valid in its dialect, `isTooLarge` if it has more values or names than are read.
   */
  | Readonly<{ type: 'error'; error: Readonly<Record<string, unknown>>; isUnreadable?: true; isTooLarge?: true }>
  /** The stream's end; anything after it is ignored. */
  | Readonly<{ type: 'done' }>

/** Why a response ended (docs/reference/conversion.md#stop-reasons). Unknown words are passed on unchanged. */
export type FinishReason = 'stop' | 'stop-sequence' | 'length' | 'tool-calls' | 'filter' | 'pause' | (string & {})

export function byChoice(events: readonly AnswerEvent[]): ReadonlyMap<number, readonly AnswerEvent[]> {
  const found = new Map<number, AnswerEvent[]>()
  for (const event of events) {
    if (!('choice' in event)) continue
    const own = found.get(event.choice)
    if (own) own.push(event)
    else found.set(event.choice, [event])
  }
  return found
}

/** A generated or possible token; `logprob` is the natural logarithm of its probability. */
export type ScoredToken = Readonly<{
  token: string
  logprob: number
  bytes?: readonly number[] | undefined
}>

/** A token of a response with the likeliest at its position, possibly including itself. */
export type ScoredTokenWithTop = ScoredToken & Readonly<{ top: readonly ScoredToken[] }>
