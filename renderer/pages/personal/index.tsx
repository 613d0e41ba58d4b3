import './personal.css'
import { Card, Classes } from '@blueprintjs/core'
import { useEffect, useState } from 'react'
import { user as calls, type UserView } from '../../../shared/api/user.ts'
import { updateUser } from '../../api/session.ts'
import { useStatus } from '../../api/status.ts'
import { useCall } from '../../api/use-call.ts'
import { FailedState } from '../../components/blank-state/failed-state.tsx'
import { LeavingGuard } from '../../components/leaving-guard/leaving-guard.tsx'
import { PageFrame } from '../../components/page-frame/page-frame.tsx'
import { StaleNote } from '../../components/stale-note/stale-note.tsx'
import { useTranslation } from '../../translation.ts'
import { Balance } from './balance.tsx'
import { Info } from './info.tsx'
import { Invitations } from './invitations.tsx'
import { MissingFactors, useMissingFactors } from './missing-factors.tsx'
import { Models } from './models.tsx'
import { Preferences } from './preferences.tsx'
import { Security, Sessions } from './security.tsx'

/** The user's own account (docs/reference/screens.md#personal). */
export default function PersonalPage() {
  const { t } = useTranslation()
  const { data, error, refetch, dataUpdatedAt } = useCall(calls.self, {}, { quiet: true })
  useEffect(() => {
    if (data) updateUser(data)
  }, [data])
  const title = t('label.personalSettings')
  return (
    <PageFrame title={title}>
      {error && !data && (
        <Card className="personal-blank">
          <FailedState message={error.message} onRetry={() => void refetch()} />
        </Card>
      )}
      {!error && !data && <Waiting />}
      {data && <StaleNote loadedAt={dataUpdatedAt} error={error} onRetry={() => void refetch()} />}
      {data && <Sections account={data} />}
      <LeavingGuard title={title} />
    </PageFrame>
  )
}

/**
 * No invitations in self-use mode. A user who must set up a second factor first sees only two-factor authentication
 * and the sessions; both stay mounted afterwards, for an open dialog.
 */
function Sections({ account }: { account: UserView }) {
  const { self_use_mode_enabled: isAlone } = useStatus()
  const missingFactors = useMissingFactors()
  const [staysUnfolded, setStaysUnfolded] = useState(false)
  const isUnfolded = !isAlone || staysUnfolded
  const isOpen = missingFactors?.isMissing !== true
  if (missingFactors && !staysUnfolded) setStaysUnfolded(true)
  return (
    <>
      {missingFactors && <MissingFactors missing={missingFactors} />}
      {isOpen && <Balance account={account} />}
      <div className="personal-columns">
        {isOpen && <Models isAlone={isAlone} />}
        {isOpen && !isAlone && <Invitations account={account} />}
        {isOpen && <Info account={account} />}
        <Security account={account} isUnfolded={isUnfolded} isOpen={isOpen} />
        {isUnfolded && <Sessions />}
      </div>
      {isOpen && <Preferences account={account} />}
    </>
  )
}

function Waiting() {
  const { t } = useTranslation()
  return (
    <div className="personal-waiting" role="status" aria-label={t('state.loading')}>
      <div className={Classes.SKELETON} />
      <div className={Classes.SKELETON} />
    </div>
  )
}
