import { Button, Classes, H3 } from '@blueprintjs/core'
import { type ReactNode, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { UserView } from '../../../shared/api/user.ts'
import { useStatus } from '../../api/status.ts'
import { later } from '../../components/later.tsx'
import { PersonalSection } from './personal-section.tsx'
import { ProfileForm } from './profile-form.tsx'

const EmailDialog = later(async () => (await import('./email-dialog.tsx')).EmailDialog)

/** The names of the account, and what it is linked with. */
export function Info({ account }: { account: UserView }) {
  const { t } = useTranslation()
  const id = useId()
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
        <Providers account={account} />
      </ul>
    </PersonalSection>
  )
}

/** Accounts at other places; who is alone with the gateway reads only of those that are linked. */
function Providers({ account }: { account: UserView }) {
  const { t } = useTranslation()
  const { self_use_mode_enabled: isAlone } = useStatus()
  const providers = [
    { name: t('personal.wechat'), value: account.wechat_id },
    { name: t('personal.github'), value: account.github_id },
    { name: t('personal.oidc'), value: account.oidc_id },
    { name: t('personal.telegram'), value: account.telegram_id },
    { name: t('personal.linuxdo'), value: account.linux_do_id },
  ]
  return providers
    .filter(({ value }) => !isAlone || value !== '')
    .map(({ name, value }) => <LinkedAccount key={name} name={name} value={value} />)
}

/** What is linked at one place, and what can be done about it. */
function LinkedAccount({ name, value, children }: Readonly<{ name: string; value: string; children?: ReactNode }>) {
  const { t } = useTranslation()
  return (
    <li className="personal-row">
      <span className="personal-row-name">{name}</span>
      <span className={value === '' ? `personal-row-value ${Classes.TEXT_MUTED}` : 'personal-row-value'}>
        {value === '' ? t('personal.notBound') : <Address value={value} />}
      </span>
      {children}
    </li>
  )
}

/** A long mail address breaks behind its sign. */
function Address({ value }: { value: string }) {
  const at = value.indexOf('@') + 1
  return (
    <>
      {value.slice(0, at)}
      <wbr />
      {value.slice(at)}
    </>
  )
}

function EmailButton({ email }: { email: string }) {
  const { t } = useTranslation()
  const [isOpen, open] = useState(false)
  const isBound = email !== ''
  return (
    <>
      <Button
        size="small"
        text={t(isBound ? 'personal.change' : 'personal.bind')}
        aria-label={t(isBound ? 'personal.changeEmail' : 'personal.bindEmail')}
        onClick={() => open(true)}
      />
      {isOpen && <EmailDialog isChange={isBound} onClose={() => open(false)} />}
    </>
  )
}
