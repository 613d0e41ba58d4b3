import { isIP } from 'node:net'
import type { ShareSettings } from '../../shared/share/share-settings.ts'
import { refuse } from '../base/errors.ts'
import { networkIn } from '../base/network/ip-address.ts'
import { normalAddress } from '../limits/client-address.ts'
import type { OwnAddress } from './interfaces.ts'

export type ShareSettingsChange = Readonly<{ [K in keyof ShareSettings]?: ShareSettings[K] | undefined }>

/**
 * The normalized settings after a change; throws if invalid. An address from before may be gone, but a new one must
 * exist.
 */
export function changedShareSettings(
  before: ShareSettings,
  change: ShareSettingsChange,
  machine: readonly OwnAddress[],
): ShareSettings {
  const changed = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
  const settings: ShareSettings = { ...before, ...changed }
  const address = settings.address.trim() === '' ? '' : normalAddress(settings.address.trim())
  const isKnown = address === before.address || machine.some((one) => one.address === address)
  if (settings.address.trim() !== '' && (isIP(address) === 0 || !isKnown))
    throw refuse('invalid', 'share.no_address', { address: settings.address.trim() })
  const [allowed, blocked] = [tidied(settings.allowed), tidied(settings.blocked)]
  const wrong = [...allowed, ...blocked].find((line) => networkIn(line) === undefined)
  if (wrong !== undefined) throw refuse('invalid', 'share.bad_range', { line: wrong })
  return { ...settings, address, allowed, blocked, name: settings.name.toLowerCase() }
}

const tidied = (lines: readonly string[]): string[] => [...new Set(lines.map((line) => line.trim()).filter(Boolean))]
