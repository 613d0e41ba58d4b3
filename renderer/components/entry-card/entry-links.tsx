import { Button } from '@blueprintjs/core'
import { Link, useSearchParams } from 'react-router-dom'
import { withNext } from '../../api/next-path.ts'
import { canRegister, useStatus } from '../../api/status.ts'
import { useTranslation } from '../../translation.ts'

export function LoginLink({ username }: { username?: string }) {
  const { t } = useTranslation()
  return (
    <Link to={usePathWithNext('/login')} state={username === undefined ? null : { username }}>
      {t('label.logIn')}
    </Link>
  )
}

export function RegisterLink() {
  const { t } = useTranslation()
  const to = usePathWithNext('/register')
  if (!canRegister(useStatus())) return null
  return (
    <span>
      {t('login.noAccount')} <Link to={to}>{t('label.register')}</Link>
    </span>
  )
}

/** Link to the password reset by mail; not in self-use mode. */
export function ResetLink() {
  const { t } = useTranslation()
  const to = usePathWithNext('/reset')
  if (useStatus().self_use_mode_enabled) return null
  return <Link to={to}>{t('login.forgot')}</Link>
}

/** Link to the account recovery of the desktop program; browsers have none. */
export function LockedOutLink() {
  const { t } = useTranslation()
  const { desktop } = window
  if (!desktop) return null
  return <Button variant="minimal" size="small" text={t('login.lockedOut')} onClick={() => desktop.openLockedOut()} />
}

/** Preserves the page to return to after login. */
function usePathWithNext(path: string): string {
  const [query] = useSearchParams()
  return withNext(path, query.get('next'))
}
