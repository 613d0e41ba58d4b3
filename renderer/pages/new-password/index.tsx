import { Callout } from '@blueprintjs/core'
import { Link, useSearchParams } from 'react-router-dom'
import { registration } from '../../../shared/api/registration.ts'
import { useSend } from '../../api/use-call.ts'
import { EntryCard } from '../../components/entry-card/entry-card.tsx'
import { LoginLink } from '../../components/entry-card/entry-links.tsx'
import { useTranslation } from '../../translation.ts'
import { LinkForm } from './link-form.tsx'

/**
 * The target of a reset mail's link (docs/reference/screens.md#recovering-a-password): exchanges its token for a new
 * password. Reports an incomplete link.
 */
export default function NewPasswordPage() {
  const { t } = useTranslation()
  const [query] = useSearchParams()
  const email = query.get('email') ?? ''
  const token = query.get('token') ?? ''
  const exchange = useSend(registration.reset, { quiet: true })
  const links = (
    <>
      <LoginLink username={email} />
      {!exchange.isSuccess && <Link to="/reset">{t('reset.newLink')}</Link>}
    </>
  )
  return (
    <EntryCard title={t('reset.confirmTitle')} links={links}>
      {email && token ? (
        <LinkForm link={{ email, token }} exchange={exchange} />
      ) : (
        <Callout intent="warning">{t('reset.incomplete')}</Callout>
      )}
    </EntryCard>
  )
}
