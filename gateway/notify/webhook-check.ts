import { isIP } from 'node:net'
import type { MessageKey } from '../../shared/messages/en.ts'
import { type AddressRule, addressRule, isRefusedUrl } from '../base/network/address-guard.ts'
import { parsedAddress } from '../base/network/web-address.ts'
import type { Settings } from '../settings/settings.ts'

/** Why a webhook at an address could never be delivered; undefined if it could. */
export type WebhookCheck = (address: string) => MessageKey | undefined

type WebhookCheckDeps = Readonly<{
  settings: Pick<Settings, 'get'>
  /** Addresses that may be connected to in addition to public ones. */
  isAllowed: AddressRule
  /** Whether `isAllowed` allows at least one address; a name may resolve to such an address, at any port. */
  hasAllowed: boolean
}>

/**
 * Checks an address before it is saved; what its name resolves to is checked on connecting
 * (docs/reference/accounts.md#webhooks).
 */
export function createWebhookCheck({ settings, isAllowed, hasAllowed }: WebhookCheckDeps): WebhookCheck {
  const rule = addressRule(isAllowed)
  return (address) => {
    const url = /^https?:\/\//i.test(address) ? parsedAddress(address) : null
    if (!url) return 'setting.webhook_bad'
    if (url.username !== '' || url.password !== '') return 'setting.webhook_credentials'
    const hasWorker = settings.get('WorkerUrl') !== ''
    if (hasWorker && url.protocol === 'http:' && !settings.get('WorkerAllowHttpImageRequestEnabled'))
      return 'setting.webhook_https'
    const isOnlyPortRefused = !isRefusedUrl(atUsualPort(url), rule)
    if (!isRefusedUrl(url, rule)) return undefined
    if (hasAllowed && !hasWorker && isName(url) && (isOnlyPortRefused || isOwnAllowed(url, rule))) return undefined
    return isOnlyPortRefused ? 'setting.webhook_port' : 'setting.webhook_private'
  }
}

export function atUsualPort(url: URL): URL {
  const withDefaultPort = new URL(url)
  withDefaultPort.port = ''
  return withDefaultPort
}

const isName = ({ hostname }: URL): boolean => isIP(hostname.replace(/^\[|\]$/g, '')) === 0

/** Whether the host is `localhost`, and a loopback address is allowed at its port. */
const isOwnAllowed = ({ hostname, port }: URL, rule: AddressRule): boolean =>
  /(^|\.)localhost\.?$/i.test(hostname) && ['127.0.0.1', '::1'].some((own) => rule(own, Number(port)))
