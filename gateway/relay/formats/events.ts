import type { Usage } from '../../billing/usage.ts'
import type { CallShape, Original, Signature } from './conversation.ts'
import type { Format } from './format.ts'
import type { SaidToken } from './log-probabilities.ts'
import type { VendorSearch } from './vendor-search.ts'

/**
 * An answer in no vendor's dialect, as a sequence of events; one that is not streamed is the same events at once, so
 * that each dialect writes its mapping once (docs/reference/conversion.md#principles). `choice` counts from 0.
 */
export type AnswerEvent =
  | Readonly<{ type: 'start'; id?: string | undefined; model?: string | undefined }>
  | Readonly<{ type: 'text'; choice: number; text: string }>
  /** Where a piece of the text before it comes from. */
  | Readonly<{ type: 'citation'; choice: number; url: string; title: string; quote?: string | undefined }>
  | Readonly<{ type: 'refusal'; choice: number; text: string }>
  /** How likely the tokens were of the text that follows; `isRefusal` where a refusal does. */
  | Readonly<{ type: 'logprobs'; choice: number; tokens: readonly SaidToken[]; isRefusal?: true | undefined }>
  /** A piece of thought. A signature ends its block: thoughts after it begin another. Redacted blocks have a signature and no text. */
  | Readonly<{
      type: 'reasoning'
      choice: number
      text: string
      signature?: Signature | undefined
      redacted?: boolean | undefined
    }>
  /** A piece of a tool call. `call` counts the calls of a choice from 0; the first piece has id and name, `json` is the next piece of its arguments. */
  | Readonly<{
      type: 'tool'
      choice: number
      call: number
      id?: string | undefined
      name?: string | undefined
      /** The group of tools that the name is one of, told with it. */
      namespace?: string | undefined
      json?: string | undefined
      custom?: boolean | undefined
      /** How the client wants the call told, which the upstream made as a function's; told with the name. */
      shape?: CallShape | undefined
      signature?: Signature | undefined
    }>
  /** A picture or sound the model made; `data` is base64, of a sound it may be one piece of several. `transcript` is what a sound says. */
  | Readonly<{
      type: 'media'
      choice: number
      mime: string
      data: string
      id?: string | undefined
      transcript?: string | undefined
    }>
  /**
   * A search that the vendor ran, told once it is over. `by` is the dialect it was told in, `name` what it is called there;
   * `original` is what the vendor wants back of it; `isCovered` where another event carries that.
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
  /** Something only one dialect knows; `isCovered` where another event tells others of it. */
  | Readonly<{ type: 'extra'; of: Format; choice: number; name: string; value: unknown; isCovered?: true | undefined }>
  /** The upstream's figures so far; a later one replaces an earlier one. `isBegun` where those of the output are not its last. */
  | Readonly<{ type: 'usage'; usage: Usage; isBegun?: true | undefined }>
  | Readonly<{ type: 'finish'; choice: number; reason: FinishReason; stopSequence?: string | undefined }>
  /** The upstream reports an error inside a good answer: its own error object; `isUnreadable` where what it sent is none of its dialect. */
  | Readonly<{ type: 'error'; error: Readonly<Record<string, unknown>>; isUnreadable?: true }>
  /** The stream's own end: nothing after it counts. */
  | Readonly<{ type: 'done' }>

/** Why an answer ended (docs/reference/conversion.md#stop-reasons). Words no table knows are passed on as they are. */
export type FinishReason = 'stop' | 'stop-sequence' | 'length' | 'tool-calls' | 'filter' | 'pause' | (string & {})

/** The events of each choice, in their order. */
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
