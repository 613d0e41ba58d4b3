import { useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { oauth, type RedirectingProvider } from '../../../shared/api/oauth.ts'
import { send } from '../../api/client.ts'
import { nextPath } from '../../api/next-path.ts'
import { knownUser } from '../../api/session.ts'
import { takeLoginNext } from '../../components/providers/stored-next.ts'
import { useProviderEnter } from '../../components/providers/use-provider-enter.ts'
import { showSuccess } from '../../components/toasts.ts'
import { useLatest } from '../../components/use-latest.ts'
import { useTranslation } from '../../translation.ts'

/** The default page after a login; third parties rely on this path (docs/reference/screens.md#login-providers). */
const afterProvider = '/token'
/** Seconds for which a failure is shown before redirecting. */
const SECONDS_TO_READ = 1.5

/**
 * Exchanges a provider's response for a login or a binding, once: code and state are single-use, and are removed from
 * the history. A refusal is shown as a toast, which stays on the next page.
 */
export function useExchange(provider: RedirectingProvider) {
  const { t } = useTranslation()
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const enter = useProviderEnter()
  const [hasFailed, setFailed] = useState(false)
  const hasStarted = useRef(false)
  const exchange = async () => {
    void navigate(pathname, { replace: true })
    const next = takeLoginNext()
    try {
      const answer = await send(oauth[provider], { query: queryOf(search) })
      if (answer) return enter(answer, nextPath(next, location.origin, afterProvider))
      await navigate('/setting', { replace: true })
      showSuccess(t('bind.ok'))
    } catch {
      setFailed(true)
    }
  }
  const latest = useLatest(exchange)
  useEffect(() => {
    if (hasStarted.current) return
    hasStarted.current = true
    void latest.current()
  }, [latest])
  useEffect(() => {
    if (!hasFailed) return
    const leave = () => void navigate(knownUser() ? '/setting' : '/login', { replace: true })
    const timer = setTimeout(leave, SECONDS_TO_READ * 1000)
    return () => clearTimeout(timer)
  }, [hasFailed, navigate])
  return { hasFailed }
}

/** The provider's parameters; others are ignored. */
function queryOf(search: string) {
  const parameters = new URLSearchParams(search)
  const field = (name: string) => parameters.get(name) ?? ''
  return {
    code: field('code'),
    state: field('state'),
    error: field('error'),
    error_description: field('error_description'),
  }
}
