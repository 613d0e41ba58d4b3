import { Button } from '@blueprintjs/core'
import { Link, useSearchParams } from 'react-router-dom'
import { withNext } from '../../api/next-place.ts'
import { canRegister, useStatus } from '../../api/status.ts'
import { useTranslation } from '../../translation.ts'

/** To the login, for who has an account after all; with the name to sign in by, where it is known. */
export function LoginWay({ username }: { username?: string }) {
  const { t } = useTranslation()
  return (
    <Link to={useWay('/login')} state={username === undefined ? null : { username }}>
      {t('label.logIn')}
    </Link>
  )
}

/** To the page that makes an account, where people may make their own. */
export function RegisterWay() {
  const { t } = useTranslation()
  const to = useWay('/register')
  if (!canRegister(useStatus())) return null
  return (
    <span>
      {t('login.noAccount')} <Link to={to}>{t('label.register')}</Link>
    </span>
  )
}

/** To a new password by mail; who has a gateway for themselves has no use for it. */
export function ResetWay() {
  const { t } = useTranslation()
  const to = useWay('/reset')
  if (useStatus().self_use_mode_enabled) return null
  return <Link to={to}>{t('login.forgot')}</Link>
}

/** To the ways back in that the desktop program has; a browser has none of them. */
export function LockedOutWay() {
  const { t } = useTranslation()
  const { desktop } = window
  if (!desktop) return null
  return <Button variant="minimal" size="small" text={t('login.lockedOut')} onClick={() => desktop.openLockedOut()} />
}

/** The place that one was led here from stays the one to be led back to. */
function useWay(path: string): string {
  const [query] = useSearchParams()
  return withNext(path, query.get('next'))
}
