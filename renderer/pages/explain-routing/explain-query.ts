import type { ExplainRequest } from '../../../shared/api/routing.ts'
import { explainPath } from '../../components/explain-path.ts'
import type { TextKey } from '../../i18n.ts'

/** What is asked for, by the dialect and the path of its request. */
export type Endpoint = NonNullable<ExplainRequest['endpoint']>

/** What the page is asked, as its address says it; empty texts and 0 stand for what the gateway takes by itself. */
export type ExplainQuery = Readonly<{
  model: string
  group: string
  tokenId: number
  /** The name of a token that is not among the reader's own. */
  tokenName: string
  endpoint: Endpoint
  promptTokens: number
}>

/** The endpoints in the order of the form. */
export const endpointNames = {
  chat: 'explain.endpoint.chat',
  responses: 'explain.endpoint.responses',
  messages: 'explain.endpoint.messages',
  generate: 'explain.endpoint.generate',
  embeddings: 'explain.endpoint.embeddings',
  images: 'explain.endpoint.images',
  rerank: 'explain.endpoint.rerank',
} as const satisfies Record<Endpoint, TextKey>

/** Whether a text is an endpoint of the form. */
export const isEndpoint = (text: string): text is Endpoint => Object.hasOwn(endpointNames, text)

/** The question in the query string of an address; what cannot be read counts as left out. */
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

/** The address that asks this. */
export const addressOf = ({ model, ...query }: ExplainQuery): string => explainPath({ ...query, model: model.trim() })

/** The body of the call. */
export const askOf = ({ model, group, tokenId, endpoint, promptTokens }: ExplainQuery): ExplainRequest => ({
  model,
  group,
  endpoint,
  prompt_tokens: promptTokens,
  ...(tokenId > 0 ? { token_id: tokenId } : {}),
})

/** A whole number from 0 to what the gateway takes; 0 for anything else. */
export function countIn(text: string): number {
  const number = Number(text)
  return Number.isInteger(number) && number > 0 ? Math.min(number, 100_000_000) : 0
}
