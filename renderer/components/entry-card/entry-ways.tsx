import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router-dom'
import { withNext } from '../../api/next-place.ts'
import { canRegister, useStatus } from '../../api/status.ts'

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

/** The place that one was led here from stays the one to be led back to. */
function useWay(path: string): string {
  const [query] = useSearchParams()
  return withNext(path, query.get('next'))
}
