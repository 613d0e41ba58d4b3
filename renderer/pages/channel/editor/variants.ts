import type { Intent } from '@blueprintjs/core'
import type { FormVariant, OtherMeaning } from '../../../../shared/channel-types.ts'
import type { TextKey } from '../../../i18n.ts'

type FieldTexts = Readonly<{ label: TextKey; hint: TextKey }>

/**
 * Texts of the address field by form variant; the other variants use `plainAddress`
 * (docs/reference/screens.md#channel-editor, docs/reference/channel-types.md#types).
 */
export const addressTexts: Readonly<Partial<Record<FormVariant, FieldTexts>>> = {
  azure: { label: 'channel.endpoint', hint: 'channel.endpointHint' },
  'full-url': { label: 'channel.fullUrl', hint: 'channel.fullUrlHint' },
  'private-address': { label: 'channel.privateAddress', hint: 'channel.privateAddressHint' },
  suno: { label: 'channel.address', hint: 'channel.sunoHint' },
}

export const plainAddress: FieldTexts = { label: 'channel.address', hint: 'channel.addressHint' }

/** Texts of the field `other` by meaning; it is hidden for types without one. */
export const otherTexts: Readonly<Record<OtherMeaning, FieldTexts>> = {
  'api-version': { label: 'channel.apiVersion', hint: 'channel.apiVersionHint' },
  plugin: { label: 'channel.plugin', hint: 'channel.pluginHint' },
  version: { label: 'channel.version', hint: 'channel.versionHint' },
  'library-id': { label: 'channel.library', hint: 'channel.libraryHint' },
  'account-id': { label: 'channel.account', hint: 'channel.accountHint' },
  region: { label: 'channel.regionLabel', hint: 'channel.regionHint' },
  'bot-id': { label: 'channel.bot', hint: 'channel.botHint' },
}

/** A region per model; `default` is for all others (docs/reference/channel-types.md#vertex-ai). */
export const regionTemplate = '{"default":"us-central1","claude-3-5-sonnet-20240620":"europe-west1"}'

export const notices: Readonly<Partial<Record<FormVariant, Readonly<{ intent: Intent; text: TextKey }>>>> = {
  azure: { intent: 'primary', text: 'channel.notice.azure' },
  'full-url': { intent: 'warning', text: 'channel.notice.fullUrl' },
  'chat-app': { intent: 'warning', text: 'channel.notice.chatApp' },
  banner: { intent: 'primary', text: 'channel.notice.banner' },
  'endpoint-names': { intent: 'primary', text: 'channel.notice.endpointNames' },
  midjourney: { intent: 'primary', text: 'channel.notice.preset' },
  'midjourney-plus': { intent: 'primary', text: 'channel.notice.preset' },
  suno: { intent: 'primary', text: 'channel.notice.preset' },
}

/** Form variants of types whose models are prefilled (docs/reference/screens.md#channel-editor). */
export const presetForms: ReadonlySet<FormVariant> = new Set<FormVariant>(['midjourney', 'midjourney-plus', 'suno'])
