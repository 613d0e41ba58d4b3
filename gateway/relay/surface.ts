/** The dialect a caller speaks; errors go back in it. */
export type Format = 'openai'
/** What an endpoint does, whatever dialect it is asked in. */
export type Endpoint = 'chat' | 'completions' | 'embeddings'

export type Route = Readonly<{ format: Format; endpoint: Endpoint; upstreamPath: string; playground: boolean }>

const openai = (endpoint: Endpoint, upstreamPath: string): Route => ({
  format: 'openai',
  endpoint,
  upstreamPath,
  playground: false,
})

/** Every relayed path: `METHOD path` to dialect and endpoint (spec/relay.md §1.2). */
const routes: Readonly<Record<string, Route>> = {
  'POST /v1/chat/completions': openai('chat', '/v1/chat/completions'),
  'POST /v1/completions': openai('completions', '/v1/completions'),
  'POST /v1/embeddings': openai('embeddings', '/v1/embeddings'),
  'POST /pg/chat/completions': { ...openai('chat', '/v1/chat/completions'), playground: true },
}

const byPath = new Map(Object.entries(routes))
const ENGINE = /^\/v1\/engines\/([^/]+)\/embeddings$/

/** The route a request takes, with the model where the path names it; undefined for any other path. */
export function routeFor(method: string, path: string): { route: Route; model?: string } | undefined {
  const route = byPath.get(`${method} ${path}`)
  if (route) return { route }
  const engine = method === 'POST' ? ENGINE.exec(path)?.[1] : undefined
  return engine ? { route: openai('embeddings', '/v1/embeddings'), model: decoded(engine) } : undefined
}

/** A part of a path as it was meant; what cannot be decoded stays as it is and names nothing. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

const UNOFFERED =
  /^\/v1\/(files|fine-tunes|fine_tuning|images\/variations|batches|assistants|threads|vector_stores|uploads)(\/|$)/

/** Paths of the vendor's API that this gateway does not offer: 501 rather than 404 (spec/relay.md §1.2). */
export const isUnoffered = (method: string, path: string): boolean =>
  UNOFFERED.test(path) || (method === 'DELETE' && path.startsWith('/v1/models/'))
