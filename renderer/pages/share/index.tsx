import { Button, Card, Classes } from '@blueprintjs/core'
import { Key } from '@blueprintjs/icons'
import { useState } from 'react'
import { FailedState } from '../../components/blank-state/failed-state.tsx'
import { later } from '../../components/later.tsx'
import { PageFrame } from '../../components/page-frame/page-frame.tsx'
import { StaleNote } from '../../components/stale-note/stale-note.tsx'
import { useTranslation } from '../../translation.ts'
import { useShare } from './use-share.ts'

/** Loaded separately, so that the first view does not include it. */
const Parts = later(async () => (await import('./parts.tsx')).Parts, Waiting)
const NewKeyDrawer = later(async () => (await import('./new-key-drawer.tsx')).NewKeyDrawer)

/**
 * Shares the gateway on the local network, and shows who connects (docs/reference/share.md,
 * docs/reference/share-people.md).
 */
export default function SharePage() {
  const { t } = useTranslation()
  const { data, error, refetch, dataUpdatedAt } = useShare()
  const [isMaking, setMaking] = useState(false)
  const action = (
    <Button
      intent="primary"
      icon={<Key />}
      text={t('sharing.newKey')}
      disabled={!data}
      onClick={() => setMaking(true)}
    />
  )
  return (
    <PageFrame title={t('sharing.title')} action={action}>
      <p className={Classes.TEXT_MUTED}>{t('sharing.intro')}</p>
      {error && !data && (
        <Card>
          <FailedState message={error.message} onRetry={() => void refetch()} />
        </Card>
      )}
      {!error && !data && <Waiting />}
      {data && <StaleNote loadedAt={dataUpdatedAt} error={error} onRetry={() => void refetch()} />}
      {data && <Parts view={data} />}
      {isMaking && data && <NewKeyDrawer view={data} onClose={() => setMaking(false)} />}
    </PageFrame>
  )
}

function Waiting() {
  const { t } = useTranslation()
  return (
    <Card role="status" aria-label={t('state.loading')}>
      {['a', 'b', 'c', 'd'].map((line) => (
        <p key={line} className={Classes.SKELETON}>
          …
        </p>
      ))}
    </Card>
  )
}
