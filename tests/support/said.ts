/** A tool call by a fake vendor; `namespace` and `isSearch` exist only in Responses. */
export type SaidCall = Readonly<{
  id: string
  name: string
  arguments: object
  namespace?: string
  /** Whether the call is the tool search, which a client carries out. */
  isSearch?: boolean
}>

/** A fake vendor's response in no particular dialect. `texts` are the pieces in which the text is streamed. */
export type Said = Readonly<{
  thoughts?: string
  texts?: readonly string[]
  calls?: readonly SaidCall[]
}>

/**
 * Tokens that a fake vendor reports: `prompt` includes tokens read from and written to the cache, `completion` the
 * thinking tokens.
 */
export type Figures = Readonly<{
  prompt?: number
  completion?: number
  cached?: number
  written?: number
  reasoning?: number
}>

/** The figures with defaults for absent ones: 10 prompt and 5 completion tokens, otherwise 0. */
export const allFigures = ({ prompt = 10, completion = 5, cached = 0, written = 0, reasoning = 0 }: Figures) => ({
  prompt,
  completion,
  cached,
  written,
  reasoning,
})

export const textOf = ({ texts = [] }: Said): string => texts.join('')

/** A named server-sent event as bytes, which a fake upstream sends unchanged. */
export const namedEvent = (type: string, data: object): Buffer =>
  Buffer.from(`event: ${type}\ndata: ${JSON.stringify(data)}\n\n`)
