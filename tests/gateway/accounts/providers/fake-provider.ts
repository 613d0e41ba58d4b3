import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

/** A recorded request to a provider. */
export type ProviderAsk = Readonly<{
  method: string
  url: URL
  headers: Record<string, unknown>
  form: URLSearchParams
}>

/**
 * A provider on loopback that issues one token per code and returns `profiles[code]` for it; `tokens` replaces its
 * responses to codes.
 */
export async function aProvider(
  profiles: Readonly<Record<string, unknown>>,
  tokens: (code: string) => object = tokenOf,
) {
  const asked: ProviderAsk[] = []
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://provider')
    const form = new URLSearchParams(await text(request))
    asked.push({ method: request.method ?? '', url, headers: request.headers, form })
    const code =
      form.get('code') ?? url.searchParams.get('code') ?? request.headers.authorization?.split('token-')[1] ?? ''
    const answer = request.method === 'POST' ? tokens(code) : profiles[code]
    response.writeHead(answer === undefined ? 401 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answer ?? { message: 'Bad credentials' }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, asked }
}

const tokenOf = (code: string): object => ({ access_token: `token-${code}`, token_type: 'bearer', scope: 'user:email' })
