import { randomBytes } from 'node:crypto'
import { get as getPlain, type RequestOptions } from 'node:http'
import { get as getEncrypted } from 'node:https'
import { isIP } from 'node:net'
import type { ShareCheck } from '../../shared/api/share.ts'
import type { Clock } from '../base/clock.ts'
import { CHECK_PATH } from './own-pages.ts'

type Verdict = ShareCheck['verdict']

type CheckedAddress = Readonly<{ address: string; port: number; isEncrypted: boolean; caPem: string }>

export const CHECK_SECONDS = 3
const MAX_RESPONSE_LENGTH = 200

type SelfCheckDeps = Readonly<{ proofOf: (nonce: string) => string; clock: Clock; waitMs?: number }>

/**
 * Calls one of the gateway's own addresses like a client, from that same address, and reports who responds. This proves
 * that the gateway is there, not that a firewall admits others.
 */
export async function checkAddress(
  target: CheckedAddress,
  { proofOf, clock, waitMs = CHECK_SECONDS * 1000 }: SelfCheckDeps,
): Promise<Readonly<{ verdict: Verdict; reason: string; tookMs: number }>> {
  const nonce = randomBytes(24).toString('base64url')
  const since = clock.monotonic()
  const result = (verdict: Verdict, reason = '') => ({ verdict, reason, tookMs: Math.round(clock.monotonic() - since) })
  try {
    const answer = await fetchProof(target, nonce, waitMs)
    return result(answer === proofOf(nonce) ? 'reachable' : 'other')
  } catch (error) {
    const code = String((error as NodeJS.ErrnoException).code ?? '')
    return result(
      verdicts[code] ?? (code.startsWith('HPE_') || code.startsWith('ERR_SSL') ? 'other' : 'untrusted'),
      code,
    )
  }
}

const verdicts: Readonly<Record<string, Verdict>> = {
  ECONNREFUSED: 'refused',
  ECONNRESET: 'refused',
  EADDRNOTAVAIL: 'refused',
  EHOSTUNREACH: 'refused',
  ENETUNREACH: 'refused',
  EPROTO: 'other',
  ETIMEDOUT: 'timed_out',
  ABORT_ERR: 'timed_out',
  ENOTFOUND: 'unknown_name',
  EAI_AGAIN: 'unknown_name',
}

function fetchProof(
  { address, port, isEncrypted, caPem }: CheckedAddress,
  nonce: string,
  waitMs: number,
): Promise<string> {
  const isNumber = isIP(address) !== 0
  const options: RequestOptions = {
    host: address,
    port,
    path: `${CHECK_PATH}?nonce=${nonce}`,
    agent: false,
    signal: AbortSignal.timeout(waitMs),
    ...(isNumber && { localAddress: address }),
  }
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const request = isEncrypted ? getEncrypted({ ...options, ca: caPem }) : getPlain(options)
  request.on('error', reject).on('response', (response) => {
    let text = ''
    response.setEncoding('utf8')
    response.on('data', (chunk: string) => {
      text += chunk
      if (text.length > MAX_RESPONSE_LENGTH) request.destroy()
    })
    response.on('error', reject)
    // A response that was cut off does not match.
    response.on('close', () => resolve(text))
  })
  return promise
}
