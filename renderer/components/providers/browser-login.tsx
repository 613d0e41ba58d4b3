import { Button, Callout, Classes } from '@blueprintjs/core'
import { Share } from '@blueprintjs/icons'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { SignedIn } from '../../../shared/api/user.ts'
import type { DesktopHandover } from '../../../shared/desktop.ts'
import { nextPath } from '../../api/next-path.ts'
import { useEnter } from '../../api/use-enter.ts'
import { useTranslation } from '../../translation.ts'
import { useLatest } from '../use-latest.ts'
import { dropHandover, takeHandover } from './take-handover.ts'

/**
 * Replaces the providers in the desktop window: they return to the browser, so the login is done there
 * (docs/reference/screens.md#login-providers).
 */
export function BrowserLogin() {
  const { t } = useTranslation()
  const [query] = useSearchParams()
  const enter = useEnter()
  const login = useHandover((signedIn) => enter(signedIn, nextPath(query.get('next'), location.origin)))
  if (login.isWaiting)
    return (
      <section className="provider-row" aria-label={t('browser.logIn')}>
        <p role="status">{t('browser.waiting')}</p>
        <Button autoFocus text={t('label.cancel')} onClick={login.cancel} />
      </section>
    )
  return (
    <section className="provider-row" aria-label={t('browser.logIn')}>
      {login.problem && (
        <Callout compact intent="danger" role="alert">
          {login.problem}
        </Callout>
      )}
      <Button variant="outlined" size="large" icon={<Share />} text={t('browser.logIn')} onClick={login.begin} />
      <p className={Classes.TEXT_MUTED}>{t('browser.hint')}</p>
    </section>
  )
}

/** Waits for a login in the browser until it completes, is cancelled, or the page is left. */
function useHandover(onEnter: (signedIn: SignedIn) => void) {
  const [pending, setPending] = useState<DesktopHandover>()
  const [problem, setProblem] = useState<string>()
  const entered = useLatest(onEnter)
  useEffect(() => {
    if (!pending) return
    const leaving = new AbortController()
    const end = (why?: string) => {
      if (leaving.signal.aborted) return
      setProblem(why)
      setPending(undefined)
    }
    takeHandover(pending, leaving.signal).then(
      (signedIn) => signedIn && entered.current(signedIn),
      (error: Error) => end(error.message),
    )
    return () => {
      leaving.abort()
      dropHandover(pending)
    }
  }, [pending, entered])
  const begin = async () => {
    setProblem(undefined)
    setPending((await window.desktop?.handover()) ?? undefined)
  }
  return { isWaiting: pending !== undefined, problem, begin: () => void begin(), cancel: () => setPending(undefined) }
}
