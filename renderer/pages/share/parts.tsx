import './share.css'
import type { ShareView } from '../../../shared/api/share.ts'
import { Addresses } from './addresses.tsx'
import { Devices } from './devices.tsx'
import { Firewall } from './firewall.tsx'
import { GuestKeys } from './guest-keys.tsx'
import { SettingsForm } from './settings-form.tsx'
import { StateCard } from './state-card.tsx'
import { Trust } from './trust.tsx'

/** Sharing decided by the environment cannot be changed here; the callers are still shown. */
export function Parts({ view }: { view: ShareView }) {
  const isOurs = view.decided_by === 'settings'
  return (
    <>
      <StateCard view={view} />
      {isOurs && <Addresses view={view} />}
      <GuestKeys />
      <Devices view={view} />
      {isOurs && <SettingsForm view={view} />}
      <Firewall view={view} />
      {isOurs && <Trust view={view} />}
    </>
  )
}
