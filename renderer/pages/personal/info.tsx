import { Button, Classes, H3 } from '@blueprintjs/core'
import { useId, useState } from 'react'
import type { UserView } from '../../../shared/api/user.ts'
import { isDesktop } from '../../api/desktop.ts'
import { later } from '../../components/later.tsx'
import { useOfferedProviders } from '../../components/providers/offered-providers.ts'
import { useTranslation } from '../../translation.ts'
import { LinkedAccount } from './linked-account.tsx'
import { PersonalSection } from './personal-section.tsx'
import { ProfileForm } from './profile-form.tsx'
import { ProviderRows } from './provider-rows.tsx'

const EmailDialog = later(async () => (await import('./email-dialog.tsx')).EmailDialog)

export function Info({ account }: { account: UserView }) {
  const { t } = useTranslation()
  const id = useId()
  const offered = useOfferedProviders()
  return (
    <PersonalSection title={t('personal.info')}>
      <ProfileForm account={account} />
      <H3 id={id} className="personal-subheading">
        {t('personal.linked')}
      </H3>
      <ul className="personal-rows" aria-labelledby={id}>
        <LinkedAccount name={t('personal.email')} value={account.email}>
          <EmailButton email={account.email} />
        </LinkedAccount>
        <ProviderRows account={account} />
      </ul>
      {isDesktop() && offered.length > 0 && <p className={Classes.TEXT_MUTED}>{t('provider.bindInBrowser')}</p>}
    </PersonalSection>
  )
}

function EmailButton({ email }: { email: string }) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const isBound = email !== ''
  return (
    <>
      <Button
        size="small"
        text={t(isBound ? 'personal.change' : 'personal.bind')}
        aria-label={t(isBound ? 'personal.changeEmail' : 'personal.bindEmail')}
        onClick={() => setOpen(true)}
      />
      {isOpen && <EmailDialog isChange={isBound} onClose={() => setOpen(false)} />}
    </>
  )
}
