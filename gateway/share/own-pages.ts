import { createHmac, randomBytes } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { CA_PATH } from '../../shared/share/share-settings.ts'

/** Pages that a shared address serves itself, before the gateway. */
export interface OwnPages {
  answer(request: IncomingMessage, response: ServerResponse): boolean
  /** This gateway's unique response to a nonce. */
  proofOf(nonce: string): string
}

export const CHECK_PATH = '/switchyard-check'
const NONCE = /^[\w-]{22,64}$/

/** Serves the CA certificate, to anyone, and the response to the self-check. */
export function createOwnPages(caPem: () => string | undefined): OwnPages {
  const secret = randomBytes(32)
  const proofOf = (nonce: string) => createHmac('sha256', secret).update(nonce).digest('base64url')
  return {
    proofOf,
    answer(request, response) {
      if (request.method !== 'GET' && request.method !== 'HEAD') return false
      const [path, query] = (request.url ?? '').split('?', 2)
      if (path === CHECK_PATH) {
        const nonce = new URLSearchParams(query).get('nonce') ?? ''
        send(response, NONCE.test(nonce) ? 200 : 400, 'text/plain', NONCE.test(nonce) ? proofOf(nonce) : '')
        return true
      }
      const pem = path === CA_PATH ? caPem() : undefined
      if (pem === undefined) return false
      response.setHeader('content-disposition', 'attachment; filename="switchyard-ca.crt"')
      send(response, 200, 'application/x-x509-ca-cert', pem)
      return true
    },
  }
}

/** Responds to plain HTTP on an encrypted address: redirects pages, refuses programs. */
export const createPlainAnswers =
  (pages: OwnPages, isKnown: (host: string | undefined) => boolean): RequestListener =>
  (request, response) => {
    const { host } = request.headers
    response.setHeader('connection', 'close')
    if (!isKnown(host)) return send(response, 421, 'text/plain', 'This gateway is not known by that name.\n')
    if (pages.answer(request, response)) return
    const isPage = request.method === 'GET' && /\btext\/html\b/.test(request.headers.accept ?? '')
    const isPath = request.url?.startsWith('/') === true && !request.url.startsWith('//')
    if (isPage && isPath && request.headers.authorization === undefined) {
      response.setHeader('location', `https://${host}${request.url}`)
      return send(response, 307, 'text/plain', '')
    }
    const text = `This address is encrypted. Use https://${host} and trust http://${host}${CA_PATH}\n`
    const code = { error: { message: text.trim(), type: 'invalid_request_error', param: '', code: 'https_required' } }
    send(response, 400, 'application/json', `${JSON.stringify(code)}\n`)
  }

function send(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, {
    'content-type': `${type}; charset=utf-8`,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  response.end(body)
}
