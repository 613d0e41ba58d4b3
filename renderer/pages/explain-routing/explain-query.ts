import type { ExplainRequest } from '../../../shared/api/routing.ts'
import { explainPath } from '../../components/explain-path.ts'
import type { TextKey } from '../../i18n.ts'

type Endpoint = NonNullable<ExplainRequest['endpoint']>

/** The page's query, stored in its address; empty texts and 0 use the gateway's defaults. */
export type ExplainQuery = Readonly<{
  model: string
  group: string
  tokenId: number
  /** The name of another user's token. */
  tokenName: string
  endpoint: Endpoint
  promptTokens: number
}>

export const endpointNames = {
  chat: 'explain.endpoint.chat',
  responses: 'explain.endpoint.responses',
  messages: 'explain.endpoint.messages',
  generate: 'explain.endpoint.generate',
  embeddings: 'explain.endpoint.embeddings',
  images: 'explain.endpoint.images',
  rerank: 'explain.endpoint.rerank',
} as const satisfies Record<Endpoint, TextKey>

export const isEndpoint = (text: string): text is Endpoint => Object.hasOwn(endpointNames, text)

/** Parses the query in an address; invalid parts are ignored. */
export function queryIn(search: URLSearchParams): ExplainQuery {
  const text = (name: string) => (search.get(name) ?? '').trim()
  const endpoint = text('endpoint')
  return {
    model: text('model'),
    group: text('group'),
    tokenId: countIn(text('token_id')),
    tokenName: text('token_name'),
    endpoint: isEndpoint(endpoint) ? endpoint : 'chat',
    promptTokens: countIn(text('prompt_tokens')),
  }
}

export const addressOf = ({ model, ...query }: ExplainQuery): string => explainPath({ ...query, model: model.trim() })

export const explainRequestOf = ({ model, group, tokenId, endpoint, promptTokens }: ExplainQuery): ExplainRequest => ({
  model,
  group,
  endpoint,
  prompt_tokens: promptTokens,
  ...(tokenId > 0 ? { token_id: tokenId } : {}),
})

/** Parses a positive whole number, limited to the gateway's maximum; 0 for anything else. */
export function countIn(text: string): number {
  const number = Number(text)
  return Number.isInteger(number) && number > 0 ? Math.min(number, 100_000_000) : 0
}
