/** A tool a fake vendor wants called; `namespace` and `isSearch` are of Responses alone. */
export type SaidCall = Readonly<{
  id: string
  name: string
  arguments: object
  namespace?: string
  /** It is the search for tools that a client carries out. */
  isSearch?: boolean
}>

/** What a fake vendor says, in no dialect yet. `texts` are the pieces in which the text is streamed. */
export type Said = Readonly<{
  thoughts?: string
  texts?: readonly string[]
  calls?: readonly SaidCall[]
}>

/** Tokens a fake vendor says it counted: `prompt` with what a cache held and took, `completion` with the thoughts. */
export type Figures = Readonly<{
  prompt?: number
  completion?: number
  cached?: number
  written?: number
  reasoning?: number
}>

/** The same with every figure: 10 prompt and 5 completion tokens unless told otherwise. */
export const allFigures = ({ prompt = 10, completion = 5, cached = 0, written = 0, reasoning = 0 }: Figures) => ({
  prompt,
  completion,
  cached,
  written,
  reasoning,
})

/** The text whole. */
export const textOf = ({ texts = [] }: Said): string => texts.join('')

/** A server-sent event with a name, as a fake upstream sends it untouched. */
export const namedEvent = (type: string, data: object): Buffer =>
  Buffer.from(`event: ${type}\ndata: ${JSON.stringify(data)}\n\n`)
