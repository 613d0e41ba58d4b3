type ExplainTarget = Readonly<{
  model: string
  group?: string
  /** A token of any account. */
  tokenId?: number
  /** The token's name, which the reader may not be able to look up. */
  tokenName?: string
  endpoint?: string
  promptTokens?: number
}>

/** The address of "Routing explorer" with a query, which the page runs at once. */
export function explainPath({ model, group, tokenId, tokenName, endpoint, promptTokens }: ExplainTarget): string {
  const parts = { model, group, token_id: tokenId, token_name: tokenName, endpoint, prompt_tokens: promptTokens }
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(parts)) if (value) search.set(name, String(value))
  return search.size === 0 ? '/explain-routing' : `/explain-routing?${search}`
}
