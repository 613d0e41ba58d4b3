/** A question to "Why this channel?"; what is empty or 0 is left to the page. */
type ExplainTarget = Readonly<{
  model: string
  group?: string
  /** A token of any account. */
  tokenId?: number
  /** What it is called, for it may not be one of the reader's own. */
  tokenName?: string
  endpoint?: string
  promptTokens?: number
}>

/** The address of "Why this channel?" with a question filled in, which it answers at once. */
export function explainPath({ model, group, tokenId, tokenName, endpoint, promptTokens }: ExplainTarget): string {
  const parts = { model, group, token_id: tokenId, token_name: tokenName, endpoint, prompt_tokens: promptTokens }
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(parts)) if (value) search.set(name, String(value))
  return search.size === 0 ? '/explain-routing' : `/explain-routing?${search}`
}
