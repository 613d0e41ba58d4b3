import { Button, Classes } from '@blueprintjs/core'
import { useRef, useState } from 'react'
import { type SessionView, security } from '../../../../shared/api/security.ts'
import { useCall } from '../../../api/use-call.ts'
import { FailedState } from '../../../components/blank-state/failed-state.tsx'
import { useDeviceName } from '../../../components/device-name/use-device-name.ts'
import { focusAfter } from '../../../components/focus-after.ts'
import { later } from '../../../components/later.tsx'
import { StatusTag } from '../../../components/status-tag/status-tag.tsx'
import { TimeText } from '../../../components/time-text/time-text.tsx'
import { useTranslation } from '../../../translation.ts'
import { SessionEnding } from './session-ending.tsx'

const HistoryDialog = later(async () => (await import('./history-dialog.tsx')).HistoryDialog)

/** The account's sessions, which can be ended, and a link to the login history (docs/reference/screens.md#personal). */
export function SessionList() {
  const { data, error, refetch } = useCall(security.sessions, {}, { quiet: true })
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      {!data && error && <FailedState scope="section" message={error.message} onRetry={() => void refetch()} />}
      {!data && !error && <div className={`security-sessions-waiting ${Classes.SKELETON}`} />}
      {data && <Sessions sessions={data} onHistory={() => setOpen(true)} />}
      {isOpen && <HistoryDialog onClose={() => setOpen(false)} />}
    </>
  )
}

const FOLDED = 5

type SessionsProps = Readonly<{ sessions: readonly SessionView[]; onHistory: () => void }>

/** The current session is first. */
function Sessions({ sessions, onHistory }: SessionsProps) {
  const { t } = useTranslation()
  const list = useRef<HTMLUListElement>(null)
  const [isExpanded, setExpanded] = useState(false)
  const [ending, setEnding] = useState<SessionView | 'others'>()
  const sorted = sessions.toSorted((one, other) => Number(other.is_current) - Number(one.is_current))
  const shown = isExpanded ? sorted : sorted.slice(0, FOLDED)
  const unfold = () =>
    focusAfter(
      () => setExpanded(true),
      () => list.current?.children[FOLDED]?.querySelector('button'),
    )
  return (
    <>
      <ul ref={list} className="security-places" aria-label={t('security.sessions')} tabIndex={-1}>
        {shown.map((session) => (
          <SessionItem key={session.id} session={session} onEnd={() => setEnding(session)} />
        ))}
      </ul>
      <div className="security-buttons">
        {sorted.length > shown.length && (
          <Button
            variant="outlined"
            text={t('security.sessionsMore', { n: sorted.length - FOLDED })}
            onClick={unfold}
          />
        )}
        {sessions.some(({ is_current: isCurrent }) => !isCurrent) && (
          <Button variant="outlined" text={t('security.endOthers')} onClick={() => setEnding('others')} />
        )}
        <Button variant="outlined" text={t('security.history')} onClick={onHistory} />
      </div>
      <SessionEnding ending={ending} onClose={() => setEnding(undefined)} onEnded={() => list.current?.focus()} />
    </>
  )
}

/** The current session is ended by logging out. */
function SessionItem({ session, onEnd }: Readonly<{ session: SessionView; onEnd: () => void }>) {
  const { t } = useTranslation()
  const device = useDeviceName()(session.user_agent)
  return (
    <li className="security-place">
      <div>
        <div className="security-place-name" title={session.user_agent}>
          {device}
          {session.is_current && <StatusTag intent="none" text={t('security.sessionThis')} />}
        </div>
        <div className={`security-facts ${Classes.TEXT_MUTED}`}>
          <span className="tabular">{session.ip}</span>
          <span>
            {t('security.sessionBegan')} <TimeText at={session.created_at} isShort />
          </span>
          <span>
            {t('security.sessionUsed')} <TimeText at={session.last_seen_at} isShort />
          </span>
        </div>
      </div>
      {!session.is_current && (
        <Button
          size="small"
          text={t('security.end')}
          aria-label={t('security.endLong', { device, address: session.ip })}
          onClick={onEnd}
        />
      )}
    </li>
  )
}
