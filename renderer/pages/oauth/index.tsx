import { Callout, Spinner } from '@blueprintjs/core'
import { useState } from 'react'
import { useLocation } from 'react-router-dom'
import { callbackPath, type RedirectingProvider, redirecting } from '../../../shared/api/oauth.ts'
import { knownUser } from '../../api/session.ts'
import { EntryCard } from '../../components/entry-card/entry-card.tsx'
import { useProviderTexts } from '../../components/providers/use-provider-texts.ts'
import { useTranslation } from '../../translation.ts'
import { useExchange } from './use-exchange.ts'

/** OAuth return page (docs/reference/screens.md#login-providers): shows that the login continues, or has failed. */
export default function OauthPage() {
  const { pathname } = useLocation()
  const provider = redirecting.find((one) => callbackPath(one) === pathname)
  return provider && <ComingBack provider={provider} />
}

function ComingBack({ provider }: { provider: RedirectingProvider }) {
  const { t } = useTranslation()
  const { textOf } = useProviderTexts()
  const [isBinding] = useState(() => knownUser() !== undefined)
  const { hasFailed } = useExchange(provider)
  const title = textOf(isBinding ? 'provider.binding' : 'provider.loggingIn', provider)
  return (
    <EntryCard title={title}>
      {hasFailed ? (
        <Callout intent="danger" role="alert">
          {t('oauth.fail')}
        </Callout>
      ) : (
        <Spinner aria-label={title} />
      )}
    </EntryCard>
  )
}
