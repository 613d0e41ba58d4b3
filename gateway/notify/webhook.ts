import { createHmac } from 'node:crypto'
import { type Dispatcher, request } from 'undici'
import { parsed } from '../base/json/json.ts'
import {
  AddressRefused,
  type AddressRule,
  addressRule,
  isRefusedUrl,
  publicConnector,
  type Resolve,
} from '../base/network/address-guard.ts'
import { guardedConnector, openAgent } from '../base/network/http-client.ts'
import { createNameLookup } from '../base/network/name-lookup.ts'
import { parsedAddress } from '../base/network/web-address.ts'
import type { Settings } from '../settings/settings.ts'
import { addressIsRefused, type Failure, failedWith } from './failure.ts'
import { atUsualPort } from './webhook-check.ts'

/** Where a user's notices are posted; the secret signs them, empty for none. */
export type Webhook = Readonly<{ url: string; secret: string }>

/** Posts notices to addresses users configured (docs/reference/accounts.md#webhooks). */
export interface Webhooks {
  /** Posts a notice within 5 s; returns the failure, or null. Rejects with the signal's reason if that aborts first. */
  post(webhook: Webhook, json: string, signal: AbortSignal): Promise<Failure | null>
  close(): Promise<void>
}

export type WebhooksDeps = Readonly<{
  settings: Pick<Settings, 'get'>
  userAgent: string
  /** Addresses that may be connected to in addition to public ones. */
  isAllowed: AddressRule
  resolve?: Resolve
  timeoutMs?: number
}>

const TIMEOUT_MS = 5000
/** Bytes of a response that are read: only its status counts. */
const MAX_READ = 16_384

/**
 * Uses two connection pools: users' addresses must be public or allowed, which is checked on connecting; the operator's
 * worker, if configured, may be private. Follows no redirects.
 */
export function createWebhooks(deps: WebhooksDeps): Webhooks {
  const { settings, userAgent, isAllowed, resolve = createNameLookup(), timeoutMs = TIMEOUT_MS } = deps
  const rule = addressRule(isAllowed)
  const untrusted = openAgent({ connect: publicConnector(rule, resolve, timeoutMs), allowH2: false })
  const trusted = openAgent({ connect: guardedConnector(timeoutMs), allowH2: false })
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
        // A name that resolves to a private address gets the same error, after the same time, as one that does not
        // resolve.
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
  const url = parsedAddress(text)
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

/** Encodes a text for a header: its UTF-8 bytes, without control characters. */
const inHeader = (text: string): string => Buffer.from(text.replace(/\p{Cc}/gu, '')).toString('latin1')

/**
 * The worker's protocol: target, method and key as JSON; the worker responds with the receiver's response. The body is
 * part of that JSON, and is serialized again by the worker.
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
  // The content of the response, and whether it ever ends, do not matter.
  await reply.body.dump({ limit: MAX_READ, signal }).catch(() => {})
  return reply.statusCode
}
