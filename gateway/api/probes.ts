import type { IncomingMessage, ServerResponse } from 'node:http'

/** Paths for balancers and orchestrators, without an account and under any Host (docs/operations.md#health). */
export function createProbes(isReady: () => boolean) {
  const states: Readonly<Record<string, () => boolean>> = { '/healthz': () => true, '/readyz': isReady }
  /** Responds to a probe; returns false for any other request. */
  return ({ url = '', method }: IncomingMessage, response: ServerResponse): boolean => {
    const state = method === 'GET' || method === 'HEAD' ? states[url] : undefined
    if (!state) return false
    const isWell = state()
    const headers = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' }
    response.writeHead(isWell ? 200 : 503, headers).end(isWell ? 'ok\n' : 'not ready\n')
    return true
  }
}
