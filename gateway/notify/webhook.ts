import { createHmac } from 'node:crypto'
import { Agent, type Dispatcher, request } from 'undici'
import {
  AddressRefused,
  type AddressRule,
  addressRule,
  isRefusedUrl,
  publicConnector,
  type Resolve,
} from '../base/address-guard.ts'
import { guardedConnector } from '../base/http-client.ts'
import { parsed } from '../base/json.ts'
import { createNameLookup } from '../base/name-lookup.ts'
import type { Settings } from '../settings/settings.ts'
import { addressIsRefused, type Failure, failedWith } from './failure.ts'
import { atUsualPort } from './webhook-check.ts'

/** Where notices of somebody are posted; the secret signs them, empty for none. */
export type Webhook = Readonly<{ url: string; secret: string }>

/** Posts notices to addresses that people have named (docs/reference/accounts.md#webhooks). */
export interface Webhooks {
  /** Posts one, within 5 s, and answers what went wrong, or null; rejects with the signal's reason when that ends first. */
  post(webhook: Webhook, json: string, signal: AbortSignal): Promise<Failure | null>
  close(): Promise<void>
}

export type WebhooksDeps = Readonly<{
  settings: Pick<Settings, 'get'>
  userAgent: string
  /** Addresses that may be dialled besides the public ones. */
  isAllowed: AddressRule
  resolve?: Resolve
  timeoutMs?: number
}>

const TIMEOUT_MS = 5000
/** Of an answer no more is read: only its status counts. */
const MAX_READ = 16_384

/**
 * Two sets of connections, as files that callers name have: what people name is dialled at public addresses alone, each
 * judged as it is dialled; the operator's worker, while one is set, may be private. No redirect is followed.
 */
export function createWebhooks(deps: WebhooksDeps): Webhooks {
  const { settings, userAgent, isAllowed, resolve = createNameLookup(), timeoutMs = TIMEOUT_MS } = deps
  const rule = addressRule(isAllowed)
  const untrusted = new Agent({ connect: publicConnector(rule, resolve, timeoutMs), allowH2: false })
  const trusted = new Agent({ connect: guardedConnector(timeoutMs), allowH2: false })
  const routeTo = (url: URL, headers: Readonly<Record<string, string>>, json: string): Route | null => {
    const worker = settings.get('WorkerUrl')
    if (worker === '') return { url, headers, body: json, dispatcher: untrusted }
    const isPlain = url.protocol !== 'https:' && !settings.get('WorkerAllowHttpImageRequestEnabled')
    if (isPlain || isRefusedUrl(url, rule)) return null
    return throughWorker({ url, headers, json }, worker, settings.get('WorkerValidKey'), trusted)
  }
  return {
    async post({ url, secret }, json, signal) {
      const target = webhookUrl(url)
      const route = target && routeTo(target, headersOf(json, secret, userAgent), json)
      if (!route) return addressIsRefused
      const timeout = AbortSignal.timeout(timeoutMs)
      try {
        const status = await statusOf(route, AbortSignal.any([signal, timeout]))
        if (status >= 200 && status < 300) return null
        return failedWith('notice.reason_status', { status })
      } catch (error) {
        signal.throwIfAborted()
        if (error instanceof AddressRefused && isRefusedUrl(atUsualPort(target), rule)) return addressIsRefused
        if (timeout.aborted) return failedWith('notice.reason_timeout', { seconds: Math.ceil(timeoutMs / 1000) })
        // Of a name that leads into the network no more is said, and no sooner, than of one that leads nowhere.
        return { ...failedWith('notice.reason_unreachable'), error }
      }
    },
    async close() {
      await Promise.all([untrusted.destroy(), trusted.destroy()])
    },
  }
}

type Route = Readonly<{ url: URL; headers: Readonly<Record<string, string>>; body: string; dispatcher: Dispatcher }>

function webhookUrl(text: string): URL | null {
  const url = URL.parse(text)
  return url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '' ? url : null
}

const headersOf = (json: string, secret: string, userAgent: string): Readonly<Record<string, string>> => ({
  'content-type': 'application/json',
  'user-agent': userAgent,
  ...(secret === '' ? {} : signed(json, secret)),
})

const signed = (json: string, secret: string) => ({
  'x-webhook-signature': createHmac('sha256', secret).update(json).digest('hex'),
  authorization: `Bearer ${inHeader(secret)}`,
})

/** A text as a header has it: its bytes in UTF-8, no control characters. */
const inHeader = (text: string): string => Buffer.from(text.replace(/\p{Cc}/gu, '')).toString('latin1')

/**
 * The worker's contract: where to, how, and the key, as JSON; what it answers is what the receiver has answered. The body is
 * part of that JSON, and written by the worker again.
 */
const throughWorker = (
  { url, headers, json }: Readonly<{ url: URL; headers: Readonly<Record<string, string>>; json: string }>,
  worker: string,
  key: string,
  dispatcher: Dispatcher,
): Route => ({
  url: new URL(worker.endsWith('/') ? worker : `${worker}/`),
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ url: url.href, key, method: 'POST', headers, body: parsed(json) }),
  dispatcher,
})

async function statusOf({ url, headers, body, dispatcher }: Route, signal: AbortSignal): Promise<number> {
  const reply = await request(url, {
    dispatcher,
    method: 'POST',
    headers: { accept: '*/*', 'accept-encoding': 'identity', ...headers },
    body,
    signal,
    reset: true,
  })
  // What stands in the answer, and whether it ever ends, makes no difference.
  await reply.body.dump({ limit: MAX_READ, signal }).catch(() => {})
  return reply.statusCode
}
