import { claudeVersion } from '../capabilities/claude-models.ts'
import { callersBetas, operatorsBetas } from './claude-headers.ts'
import type { Target } from './provider.ts'

export type Platform = 'bedrock' | 'vertex'

/** Models by version, major times 100 plus minor (4.5 is 405), both ends included, and by family. */
type Models = Readonly<{ from?: number; to?: number; family?: RegExp }>

const both = (models: Models): Readonly<Record<Platform, Models>> => ({ bedrock: models, vertex: models })

/**
 * The betas that each platform supports, and for which models (docs/reference/channel-types.md#betas). A platform
 * refuses requests with any other, so unknown betas are not listed.
 */
const betas: Readonly<Record<string, Readonly<Partial<Record<Platform, Models>>>>> = {
  'computer-use-2024-10-22': both({ from: 305, to: 305 }),
  'computer-use-2025-01-24': both({ from: 307, to: 405 }),
  'computer-use-2025-11-24': both({ from: 405 }),
  'token-efficient-tools-2025-02-19': both({ from: 307, to: 307 }),
  'output-128k-2025-02-19': both({ from: 307, to: 307 }),
  'interleaved-thinking-2025-05-14': both({ from: 400, to: 406 }),
  'dev-full-thinking-2025-05-14': { bedrock: { from: 400, to: 405 } },
  'fine-grained-tool-streaming-2025-05-14': { bedrock: { from: 400, to: 406 } },
  'context-management-2025-06-27': { bedrock: { from: 405 }, vertex: { from: 400 } },
  'context-1m-2025-08-07': both({ from: 400, to: 406, family: /sonnet|opus-4[-.]6/ }),
  'tool-search-tool-2025-10-19': { bedrock: { from: 405, to: 406 }, vertex: { from: 405 } },
  'tool-examples-2025-10-29': both({ from: 405, to: 405, family: /opus/ }),
  'effort-2025-11-24': { bedrock: { from: 405, to: 405, family: /opus/ } },
  'compact-2026-01-12': both({ from: 406 }),
  'web-search-2025-03-05': { vertex: { from: 307 } },
}

/** Betas that Anthropic has under one name, and the platforms under several. */
const platformNames: Readonly<Record<string, readonly string[]>> = {
  'advanced-tool-use-2025-11-20': ['tool-search-tool-2025-10-19', 'tool-examples-2025-10-29'],
}

/** Betas of Anthropic's own service that no platform supports for any model: not sent even if set by the operator. */
const OWN_BETAS =
  /^(claude-code|oauth|files-api|mcp-client|skills|code-execution|web-fetch|message-batches|token-counting|prompt-caching|fast-mode)-/

/**
 * Returns the betas for a Claude model on a platform: the caller's, if the platform supports them for the model, and
 * the operator's, who knows what the account supports.
 */
export function hostedBetas(target: Target, platform: Platform): readonly string[] {
  const requested = callersBetas(target).flatMap(
    (beta) => (Object.hasOwn(platformNames, beta) ? platformNames[beta] : beta) ?? [],
  )
  const own = operatorsBetas(target).filter((beta) => !OWN_BETAS.test(beta))
  if (requested.length === 0) return own
  const taken = requested.filter((beta) => takes(platform, beta, target))
  return [...new Set([...taken, ...own])]
}

function takes(platform: Platform, beta: string, target: Target): boolean {
  const models = Object.hasOwn(betas, beta) ? betas[beta]?.[platform] : undefined
  if (!models) return false
  const { from = 0, to = Number.POSITIVE_INFINITY, family } = models
  const { name, version } = hostedModel(target)
  return version >= from && version <= to && (family?.test(name) ?? true)
}

/**
 * Returns the requested Claude model, by the platform's name or else the caller's. An account's own inference profile
 * does not reveal the model, which is then treated as one of the newest.
 */
export function hostedModel({ model, requestedModel = '' }: Target): Readonly<{ name: string; version: number }> {
  const version = claudeVersion(model)
  if (version !== undefined) return { name: model.toLowerCase(), version }
  return { name: requestedModel.toLowerCase(), version: claudeVersion(requestedModel) ?? Number.POSITIVE_INFINITY }
}
