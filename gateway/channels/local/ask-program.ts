import { Agent, request } from 'undici'
import { type AddressRule, publicConnector, type Resolve, systemResolve } from '../../base/address-guard.ts'
import { Gathered } from '../../base/gathered.ts'
import { isHomeAddress } from '../../base/home-address.ts'
import { parsed } from '../../base/json.ts'
import { metadataAddress } from '../../base/metadata-address.ts'

/** What a program said to one question. `text` is whatever it sent, `json` what of it could be read. */
export type ProgramAnswer = Readonly<{ status: number; server: string; json: unknown }>

/** `refused`: nothing listens there. `silent`: no answer in time. `broken`: what came is no answer in HTTP, or too long. */
export type NoAnswer = 'refused' | 'silent' | 'broken'

/** Asks one path below an address, with a key where there is one. Never throws. */
export type AskProgram = (base: string, path: string, key: string) => Promise<ProgramAnswer | NoAnswer>

const MAX_BYTES = 1024 * 1024
const MAX_HEADER_BYTES = 16 * 1024

/** Every address that a name has is judged by the look-up the socket connects with: this machine and private networks. */
const rule: AddressRule = (address) => isHomeAddress(address) && !metadataAddress(address)

/**
 * Questions to programs on this machine or in its network (docs/reference/local-models.md#asking): no proxy, no redirect is
 * followed, nothing else is dialled; each within `timeoutMs` from connecting to the last byte, and 1 MiB.
 */
export function createAskProgram(timeoutMs: number, resolve: Resolve = systemResolve) {
  const agent = new Agent({
    connect: publicConnector(rule, resolve, timeoutMs),
    maxHeaderSize: MAX_HEADER_BYTES,
    keepAliveTimeout: 1000,
    keepAliveMaxTimeout: 1000,
  })
  const ask: AskProgram = async (base, path, key) => {
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
      return whyNot(cause, signal.aborted)
    }
  }
  return { ask, close: () => agent.destroy() }
}

const bearer = (key: string) => (key === '' ? {} : { authorization: `Bearer ${key}` })

/** What goes on and on is cut by leaving the loop, which destroys its socket. */
async function textOf(body: AsyncIterable<Buffer>): Promise<string> {
  const gathered = new Gathered()
  for await (const chunk of body) {
    gathered.add(chunk)
    if (gathered.size > MAX_BYTES) throw new Error('the answer is too long')
  }
  return gathered.take().toString('utf8')
}

const unreachable = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN', 'EADDRNOTAVAIL'])

function whyNot(cause: unknown, isLate: boolean): NoAnswer {
  if (isLate) return 'silent'
  if (!(cause instanceof Error)) return 'broken'
  if (/Timeout/.test(cause.name)) return 'silent'
  const code = 'code' in cause ? String(cause.code) : ''
  return unreachable.has(code) || cause.name === 'AddressRefused' ? 'refused' : 'broken'
}
