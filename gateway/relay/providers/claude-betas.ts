import { betasFor } from './claude-headers.ts'
import type { Target } from './provider.ts'

/** Betas of Anthropic's own service; the clouds that host its models refuse a request that names one. */
const OWN_BETAS =
  /^(claude-code|oauth|files-api|mcp-client|skills|code-execution|web-fetch|message-batches|token-counting|prompt-caching|fast-mode)-/

/** The betas that are wanted of a Claude model that is hosted elsewhere than with Anthropic. */
export const hostedBetas = (target: Target): readonly string[] =>
  betasFor(target).filter((beta) => !OWN_BETAS.test(beta))
