import { type SharedAddress, type ShareView, share } from '../../../shared/api/share.ts'
import { en, type MessageKey } from '../../../shared/messages/en.ts'
import { formatMessage, type Locale, type MessageParams } from '../../../shared/messages/format.ts'
import { CA_PATH, MIN_PASSWORD_LENGTH } from '../../../shared/share/share-settings.ts'
import type { RequirePassword } from '../../accounts/own-password.ts'
import type { Clock } from '../../base/clock.ts'
import { refuse } from '../../base/errors.ts'
import { urlAt } from '../../base/network/own-urls.ts'
import type { Settings } from '../../settings/settings.ts'
import { CHECK_SECONDS, checkAddress } from '../../share/self-check.ts'
import type { Sharing, Standing } from '../../share/sharing.ts'
import { userStore } from '../../store/accounts/users.ts'
import type { Db } from '../../store/sqlite/database.ts'
import { type Served, serve } from '../serve.ts'

export type ShareApiDeps = Readonly<{
  db: Db
  settings: Pick<Settings, 'addressForOthers'>
  sharing: Sharing
  requirePassword: RequirePassword
  clock: Clock
}>

/** Sharing on the local network, only for root (docs/reference/share.md). */
export function shareApi({ db, settings, sharing, requirePassword, clock }: ShareApiDeps): Served[] {
  return serve(share, {
    look: async ({ caller }) => viewOf(sharing, await sharing.stand(), caller.locale),
    address: () => ({ url: settings.addressForOthers() ?? '' }),
    change: async ({ body: { password, ...change }, actor, caller }) => {
      if (password !== '') {
        const row = await userStore(db).byId(actor.id)
        if (!row) throw refuse('forbidden', 'auth.forbidden')
        // Records that the password was correct, and whether it is long enough.
        await requirePassword(row, password, caller)
        await caller.recheck()
      }
      await sharing.change(change, { ...actor, locale: caller.locale })
      return viewOf(sharing, await sharing.stand(), caller.locale)
    },
    check: async ({ body: { address }, caller }) => {
      const state = await sharing.stand()
      const all = addressesOf(sharing, state, caller.locale)
      const requested = address === '' ? all : all.filter((one) => one.address === address)
      if (requested.length === 0 && address !== '') throw refuse('missing', 'share.no_address', { address })
      return Promise.all(requested.map((one) => checked(sharing, state, one, { clock, locale: caller.locale })))
    },
    ca: async () => {
      const { authority } = await sharing.stand()
      if (!authority) throw refuse('missing', 'share.no_ca')
      return { ...caOf(authority), pem: authority.pem }
    },
  })
}

type Checking = Readonly<{ clock: Clock; locale: Locale }>

async function checked(
  sharing: Sharing,
  { settings, port, authority }: Standing,
  { address, url }: SharedAddress,
  { clock, locale }: Checking,
) {
  const target = { address, port, isEncrypted: settings.is_encrypted, caPem: authority?.pem ?? '' }
  const { verdict, reason, tookMs } = settings.on
    ? await checkAddress(target, { proofOf: sharing.pages.proofOf, clock })
    : { verdict: 'closed' as const, reason: '', tookMs: 0 }
  const message = formatMessage(locale, `share.check.${verdict}`, { seconds: CHECK_SECONDS, name: address, reason })
  return { address, url, verdict, message, took_ms: tookMs }
}

function viewOf(sharing: Sharing, state: Standing, locale: Locale): ShareView {
  const { settings, port, environment, refused, reason, message, machine, authority, certificate, announcement } = state
  const connections = sharing.connections()
  const params = {
    min: MIN_PASSWORD_LENGTH,
    host: environment?.host ?? '',
    port,
    address: settings.address,
    reason: message,
  }
  return {
    decided_by: environment ? 'environment' : 'settings',
    environment: environment ? { ...environment, is_beyond_loopback: true } : null,
    settings: { ...settings, allowed: [...settings.allowed] },
    state: stateOf(state),
    reason: reason ?? null,
    message: reason ? wordsOf(locale, reason, refused, params) : '',
    refused: refused ? { code: refused, message: formatMessage(locale, `share.${refused}`, params) } : null,
    port,
    addresses: addressesOf(sharing, state, locale),
    interfaces: [...machine],
    connections: [...connections.values()].reduce((sum, count) => sum + count, 0),
    devices: sharing.callers.devices().map((one) => ({ ...one, connections: connections.get(one.address) ?? 0 })),
    ca: authority ? caOf(authority) : null,
    certificate: certificate ? { names: [...certificate.names], not_after: certificate.notAfter } : null,
    announcement: announcement
      ? {
          name: announcement.name,
          state: announcement.state,
          message: formatMessage(locale, announced[announcement.state], {
            name: announcement.name,
            reason: announcement.message,
          }),
        }
      : null,
  }
}

const announced = {
  announced: 'share.announced',
  taken: 'share.taken',
  failed: 'share.announce_failed',
} as const satisfies Record<string, MessageKey>

function stateOf({ settings, environment, listeners }: Standing): ShareView['state'] {
  if (!settings.on || environment) return 'off'
  const open = listeners.filter(({ isOpen }) => isOpen).length
  if (open === 0) return 'closed'
  return open === listeners.length ? 'open' : 'partly'
}

function addressesOf(
  sharing: Sharing,
  { settings, port, listeners, wanted, announcement }: Standing,
  locale: Locale,
): SharedAddress[] {
  const urlOf = (host: string) => urlAt(host, port, settings.is_encrypted ? 'https' : 'http')
  const shown = wanted.map((own): SharedAddress => {
    const opened = listeners.find((one) => one.own.address === own.address)
    const params = { address: own.address, port, reason: opened?.message ?? '' }
    return {
      address: own.address,
      interface: own.name,
      kind: own.kind,
      url: urlOf(own.address),
      instead_of: settings.address === '' || settings.address === own.address ? '' : settings.address,
      is_open: opened?.isOpen ?? false,
      reason: opened?.reason ?? null,
      message: opened?.reason ? wordsOf(locale, opened.reason, undefined, params) : '',
      seen: sharing.callers.seenOn(own.address) ?? null,
    }
  })
  if (announcement?.state !== 'announced') return shown
  const { name } = announcement
  const isOpen = shown.some((one) => one.is_open)
  return [
    ...shown,
    {
      address: name,
      interface: '',
      kind: 'name',
      url: urlOf(name),
      instead_of: '',
      is_open: isOpen,
      reason: null,
      message: '',
      seen: null,
    },
  ]
}

function wordsOf(
  locale: Locale,
  reason: NonNullable<SharedAddress['reason']>,
  refused: Standing['refused'],
  params: MessageParams,
): string {
  const key = `share.closed.${reason}`
  if (Object.hasOwn(en, key)) return formatMessage(locale, key as MessageKey, params) // just checked
  return formatMessage(locale, `share.${refused ?? 'password_unknown'}`, params)
}

const caOf = ({ name, fingerprint, notAfter }: NonNullable<Standing['authority']>) => ({
  name,
  fingerprint,
  not_after: notAfter,
  path: CA_PATH,
})
