import './share.css'
import type { ShareView } from '../../../shared/api/share.ts'
import { Addresses } from './addresses.tsx'
import { Devices } from './devices.tsx'
import { Firewall } from './firewall.tsx'
import { GuestKeys } from './guest-keys.tsx'
import { SettingsForm } from './settings-form.tsx'
import { StateCard } from './state-card.tsx'
import { Trust } from './trust.tsx'

/** What the environment decides cannot be changed here; who calls is of interest all the same. */
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
