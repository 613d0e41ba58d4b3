import './provider-row.css'
import { Button, Classes } from '@blueprintjs/core'
import { useId, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { type LoginProvider, oauth, redirecting } from '../../../shared/api/oauth.ts'
import type { LoginAnswer } from '../../../shared/api/user.ts'
import { isDesktop } from '../../api/desktop.ts'
import { nextPlace } from '../../api/next-place.ts'
import { useTranslation } from '../../translation.ts'
import { inviteCode, invitedTo } from '../invite-code.ts'
import { later } from '../later.tsx'
import { BrowserLogin } from './browser-login.tsx'
import { useOfferedProviders } from './offered-providers.ts'
import { ProviderMark } from './provider-mark.tsx'
import { TelegramField } from './telegram-field.tsx'
import { useProviderEnter } from './use-provider-enter.ts'
import { useProviderLogin } from './use-provider-login.ts'
import { useProviderWords } from './use-provider-words.ts'
import { useRedirect } from './use-redirect.ts'

const WechatDialog = later(async () => (await import('./wechat-dialog.tsx')).WechatDialog)

/** The ways to log in by others, where there are any; the desktop's window has the browser instead (docs/reference/screens.md#login-by-others). */
export function ProviderRow({ invitation = '' }: ProviderRowProps) {
  if (!isDesktop()) return <OfferedProviders invitation={invitation} />
  // The browser would know nothing of the link by which one came.
  return invitation === '' ? <BrowserLogin /> : null
}

type ProviderRowProps = Readonly<{
  /** The code of an open link of invitation by which one registers; empty without one. */
  invitation?: string
}>

function OfferedProviders({ invitation }: Required<ProviderRowProps>) {
  const { t } = useTranslation()
  const id = useId()
  const offered = useOfferedProviders()
  if (offered.length === 0) return null
  const pressed = offered.filter((provider) => provider !== 'telegram')
  return (
    <section className="provider-row" aria-labelledby={id}>
      <span id={id} className={`provider-row-title ${Classes.TEXT_MUTED}`}>
        {t('provider.or')}
      </span>
      {pressed.length > 0 && <ProviderButtons providers={pressed} invitation={invitation} />}
      {offered.includes('telegram') && <TelegramLogin />}
    </section>
  )
}

type ProviderButtonsProps = Required<ProviderRowProps> & Readonly<{ providers: readonly LoginProvider[] }>

function ProviderButtons({ providers, invitation }: ProviderButtonsProps) {
  const { nameOf, say } = useProviderWords()
  const [query] = useSearchParams()
  const { leavingTo, start } = useRedirect(query.get('next') ?? (invitation === '' ? null : invitedTo), invitation)
  const [isScanning, setScanning] = useState(false)
  const press = (provider: LoginProvider) => {
    const leads = redirecting.find((one) => one === provider)
    if (leads) start(leads)
    else setScanning(true)
  }
  return (
    <div className="provider-row-buttons">
      {providers.map((provider) => (
        <Button
          key={provider}
          variant="outlined"
          size="large"
          icon={<ProviderMark provider={provider} size={20} />}
          text={nameOf(provider)}
          aria-label={say('provider.logIn', provider)}
          loading={leavingTo === provider}
          disabled={leavingTo !== undefined && leavingTo !== provider}
          onClick={() => press(provider)}
        />
      ))}
      {isScanning && <WechatLogin invitation={invitation} onClose={() => setScanning(false)} />}
    </div>
  )
}

function WechatLogin({ invitation, onClose }: Required<ProviderRowProps> & Readonly<{ onClose: () => void }>) {
  const { t } = useTranslation()
  const { say } = useProviderWords()
  const enter = useEnterHome()
  const { mutate, isPending, error } = useProviderLogin(oauth.wechat, { quiet: true })
  return (
    <WechatDialog
      title={say('provider.logIn', 'wechat')}
      verb={t('label.logIn')}
      isBusy={isPending}
      failure={error?.message}
      onCode={(code) => mutate({ query: { code, aff: inviteCode(), invitation } }, { onSuccess: enter })}
      onClose={onClose}
    />
  )
}

function TelegramLogin() {
  const enter = useEnterHome()
  const { mutate } = useProviderLogin(oauth.telegram)
  return <TelegramField onUser={(query) => mutate({ query }, { onSuccess: enter })} />
}

/** What follows a login by WeChat or Telegram: the way home, unless one was led here from another place. */
function useEnterHome(): (answer: LoginAnswer) => void {
  const enter = useProviderEnter()
  const [query] = useSearchParams()
  const next = query.get('next')
  return (answer) => enter(answer, next === null ? '/' : nextPlace(next, location.origin))
}
