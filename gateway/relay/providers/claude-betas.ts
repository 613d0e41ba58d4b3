import type { IncomingHttpHeaders } from 'node:http'

/** Betas of Anthropic's own service; the clouds that host its models refuse a request that names one. */
const OWN_BETAS =
  /^(claude-code|oauth|files-api|mcp-client|skills|code-execution|web-fetch|message-batches|token-counting|prompt-caching|fast-mode)-/

/** The betas a caller wants of a Claude model that is hosted elsewhere than with Anthropic. */
export function hostedBetas(client: IncomingHttpHeaders): readonly string[] {
  const betas = String(client['anthropic-beta'] ?? '').split(',')
  return betas.map((beta) => beta.trim()).filter((beta) => beta !== '' && !OWN_BETAS.test(beta))
}
