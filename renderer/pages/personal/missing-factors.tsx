import { Callout } from '@blueprintjs/core'
import { useEffect } from 'react'
import { type FactorsMissing, factorsMissing } from '../../api/factors-missing.ts'
import { isHome, startPage } from '../../api/next-path.ts'
import { useUser } from '../../api/session.ts'
import { LinkButton } from '../../components/link-button.tsx'
import { useTranslation } from '../../translation.ts'

/** Whether the user was told to set up a second factor, and whether it is still missing. */
export function useMissingFactors(): FactorsMissing | undefined {
  const known = factorsMissing.use()
  const user = useUser()
  return known?.userId === user?.id ? known : undefined
}

/** Explains what must be done first; afterwards, links back to the previous page. */
export function MissingFactors({ missing: { isMissing, from } }: Readonly<{ missing: FactorsMissing }>) {
  const { t } = useTranslation()
  // Shown once: after leaving, the page is as usual.
  useEffect(
    () => () => {
      if (factorsMissing.get()?.isMissing === false) factorsMissing.set(undefined)
    },
    [],
  )
  if (isMissing)
    return (
      <Callout intent="warning" role="alert">
        <strong>{t('security.missingTitle')}</strong>
        <div>{t('security.missing')}</div>
      </Callout>
    )
  const url = URL.parse(from, window.location.origin)
  const to = !url || isHome(url) || url.pathname === '/personal' ? startPage : from
  return (
    <Callout intent="success" role="status">
      <div className="personal-told-on">
        <span>{t('security.missingDone')}</span>
        <LinkButton to={to} text={t('security.continue')} />
      </div>
    </Callout>
  )
}
