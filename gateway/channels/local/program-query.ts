import { request } from 'undici'
import { Gathered } from '../../base/bytes/gathered.ts'
import { parsed } from '../../base/json/json.ts'
import { type AddressRule, publicConnector, type Resolve, systemResolve } from '../../base/network/address-guard.ts'
import { isHomeAddress } from '../../base/network/home-address.ts'
import { openAgent } from '../../base/network/http-client.ts'
import { metadataAddress } from '../../base/network/metadata-address.ts'

/** A program's response; `json` is undefined if the body is not JSON. */
export type ProgramAnswer = Readonly<{ status: number; server: string; json: unknown }>

/**
 * `refused`: nothing listens there, or the address is not allowed. `silent`: no response in time. `broken`: the
 * response is not HTTP, or too long.
 */
export type NoAnswer = 'refused' | 'silent' | 'broken'

/** Requests a path below an address, with a key if there is one. Never throws. */
export type ProgramQuery = (base: string, path: string, key: string) => Promise<ProgramAnswer | NoAnswer>

const MAX_BYTES = 1024 * 1024
const MAX_HEADER_BYTES = 16 * 1024

/**
 * Applied to every address a name resolves to, on the lookup the socket connects with: only this machine and private
 * networks are allowed.
 */
const rule: AddressRule = (address) => isHomeAddress(address) && !metadataAddress(address)

/**
 * A client for programs on this machine or in its network (docs/reference/local-models.md#scan): uses no proxy and
 * follows no redirects. Each request is limited to `timeoutMs` from connecting to the last byte, and its response to 1
 * MiB.
 */
export function createProgramQuery(timeoutMs: number, resolve: Resolve = systemResolve) {
  const agent = openAgent({
    connect: publicConnector(rule, resolve, timeoutMs),
    maxHeaderSize: MAX_HEADER_BYTES,
    keepAliveTimeout: 1000,
    keepAliveMaxTimeout: 1000,
  })
  const query: ProgramQuery = async (base, path, key) => {
    const signal = AbortSignal.timeout(timeoutMs)
    try {
      const { statusCode, headers, body } = await request(base + path, {
        dispatcher: agent,
        headers: { accept: 'application/json', 'accept-encoding': 'identity', ...bearer(key) },
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
        signal,
      })
      return { status: statusCode, server: String(headers.server ?? ''), json: parsed(await textOf(body)) }
    } catch (cause) {
      return reasonOf(cause, signal.aborted)
    }
  }
  return { query, close: () => agent.destroy() }
}

const bearer = (key: string) => (key === '' ? {} : { authorization: `Bearer ${key}` })

/** Throwing leaves the loop, which destroys the socket of an endless body. */
async function textOf(body: AsyncIterable<Buffer>): Promise<string> {
  const gathered = new Gathered()
  for await (const chunk of body) {
    gathered.add(chunk)
    if (gathered.size > MAX_BYTES) throw new Error('the answer is too long')
  }
  return gathered.take().toString('utf8')
}

const unreachable = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN', 'EADDRNOTAVAIL'])

function reasonOf(cause: unknown, isLate: boolean): NoAnswer {
  if (isLate) return 'silent'
  if (!(cause instanceof Error)) return 'broken'
  if (/Timeout/.test(cause.name)) return 'silent'
  const code = 'code' in cause ? String(cause.code) : ''
  return unreachable.has(code) || cause.name === 'AddressRefused' ? 'refused' : 'broken'
}
