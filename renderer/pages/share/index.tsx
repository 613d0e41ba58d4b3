import './share.css'
import { Button, Card, Classes } from '@blueprintjs/core'
import { Key } from '@blueprintjs/icons'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ShareView } from '../../../shared/api/share.ts'
import { FailedState } from '../../components/blank-state/failed-state.tsx'
import { later } from '../../components/later.tsx'
import { PageFrame } from '../../components/page-frame/page-frame.tsx'
import { StaleNote } from '../../components/stale-note/stale-note.tsx'
import { Addresses } from './addresses.tsx'
import { Devices } from './devices.tsx'
import { Firewall } from './firewall.tsx'
import { GuestKeys } from './guest-keys.tsx'
import { SettingsForm } from './settings-form.tsx'
import { StateCard } from './state-card.tsx'
import { Trust } from './trust.tsx'
import { useShare } from './use-share.ts'

const NewKeyDrawer = later(async () => (await import('./new-key-drawer.tsx')).NewKeyDrawer)

/** Opens the gateway to the local network, and tells who comes (docs/reference/share.md, docs/reference/share-people.md). */
export default function SharePage() {
  const { t } = useTranslation()
  const { data, error, refetch, dataUpdatedAt } = useShare()
  const [isMaking, make] = useState(false)
  const action = (
    <Button intent="primary" icon={<Key />} text={t('sharing.newKey')} disabled={!data} onClick={() => make(true)} />
  )
  return (
    <PageFrame title={t('sharing.title')} action={action}>
      <p className={`share-intro ${Classes.TEXT_MUTED}`}>{t('sharing.intro')}</p>
      {error && !data && (
        <Card>
          <FailedState message={error.message} onRetry={() => void refetch()} />
        </Card>
      )}
      {!error && !data && <Waiting />}
      {data && <StaleNote loadedAt={dataUpdatedAt} error={error} onRetry={() => void refetch()} />}
      {data && <Parts view={data} />}
      {isMaking && data && <NewKeyDrawer view={data} onClose={() => make(false)} />}
    </PageFrame>
  )
}

/** What the environment decides cannot be changed here; who calls is of interest all the same. */
function Parts({ view }: { view: ShareView }) {
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

/** As tall as what comes. */
function Waiting() {
  const { t } = useTranslation()
  return (
    <Card className="share-waiting" role="status" aria-label={t('state.loading')}>
      {['a', 'b', 'c', 'd'].map((line) => (
        <div key={line} className={Classes.SKELETON} />
      ))}
    </Card>
  )
}
