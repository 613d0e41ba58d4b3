import { channelTypeById } from '../../../../shared/channel-types.ts'
import { type Draft, settingOf } from './draft.ts'
import { objectIn } from './json-rules.ts'

/** Whether the calls would go to another scheme, host or port, the type's own where there is no address. */
export const isMoved = (draft: Draft, stored: Draft): boolean => originOf(draft) !== originOf(stored)

/** Whether a proxy could read the calls that could not before: on the way to an address that is not encrypted. */
export function isOverheard(draft: Draft, stored: Draft): boolean {
  const listener = listenerOf(draft)
  return listener !== undefined && listener !== listenerOf(stored)
}

const addressOf = ({ type, baseUrl }: Draft): string => baseUrl.trim() || channelTypeById(type)?.baseUrl || ''

const originOf = (draft: Draft): string => URL.parse(addressOf(draft))?.origin ?? `type ${draft.type}`

function listenerOf(draft: Draft): string | undefined {
  const proxy = objectIn(settingOf(draft))?.proxy
  if (typeof proxy !== 'string' || proxy.trim() === '' || !/^http:/i.test(addressOf(draft))) return undefined
  return URL.parse(proxy.trim())?.host ?? proxy.trim()
}
