import './provider-row.css'
import { Button, Classes } from '@blueprintjs/core'
import { useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { ApiAnswer, CallInput } from '../../../shared/api/call.ts'
import { type LoginProvider, oauth, redirecting } from '../../../shared/api/oauth.ts'
import type { LoginAnswer } from '../../../shared/api/user.ts'
import { type SendOptions, send } from '../../api/client.ts'
import { isDesktop } from '../../api/desktop.ts'
import { nextPath } from '../../api/next-path.ts'
import { useTranslation } from '../../translation.ts'
import { inviteCode, invitedTo } from '../invite-code.ts'
import { later } from '../later.tsx'
import { clearToasts } from '../toasts.ts'
import { BrowserLogin } from './browser-login.tsx'
import { useOfferedProviders } from './offered-providers.ts'
import { TelegramField } from './telegram-field.tsx'
import { useProviderEnter } from './use-provider-enter.ts'
import { useProviderTexts } from './use-provider-texts.ts'
import { useRedirect } from './use-redirect.ts'
import '../vendor-mark/vendor-mark.css'

const WechatDialog = later(async () => (await import('./wechat-dialog.tsx')).WechatDialog)

/**
 * The login providers, if any; the desktop window offers the browser instead
 * (docs/reference/screens.md#login-providers).
 */
export function ProviderRow({ invitation = '' }: ProviderRowProps) {
  if (!isDesktop()) return <OfferedProviders invitation={invitation} />
  // The browser would not know the invite code.
  return invitation === '' ? <BrowserLogin /> : null
}

type ProviderRowProps = Readonly<{
  /** The invite code for a registration; empty without one. */
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
  const { nameOf, textOf } = useProviderTexts()
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
          aria-label={textOf('provider.logIn', provider)}
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
  const { textOf } = useProviderTexts()
  const enter = useEnterHome()
  const { mutate, isPending, error } = useProviderLogin(oauth.wechat, { quiet: true })
  return (
    <WechatDialog
      title={textOf('provider.logIn', 'wechat')}
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

/** After a WeChat or Telegram login: leads to the start page, or back to the page that required the login. */
function useEnterHome(): (answer: LoginAnswer) => void {
  const enter = useProviderEnter()
  const [query] = useSearchParams()
  const next = query.get('next')
  return (answer) => enter(answer, nextPath(next, location.origin))
}

type Login = typeof oauth.wechat | typeof oauth.telegram

/**
 * Logs in with WeChat or Telegram, after requesting a state that binds the login to this browser
 * (docs/reference/accounts.md#login-providers).
 */
function useProviderLogin<C extends Login>(login: C, manner: SendOptions = {}) {
  return useMutation<ApiAnswer<C>, Error, CallInput<C>>({
    mutationFn: async (input) => {
      await send(oauth.state, { query: { aff: '', invitation: '', redirect_uri: '', pkce: false } }, manner)
      return send(login, input, manner)
    },
    onMutate: clearToasts,
  })
}

/** A provider's icon in the text colour; hidden from screen readers, since the name is next to it. */
function ProviderMark({ provider, size = 16 }: Readonly<{ provider: LoginProvider; size?: number }>) {
  return (
    <svg className="vendor-mark" viewBox="0 0 24 24" width={size} height={size} aria-hidden>
      <path d={marks[provider]} />
    </svg>
  )
}

const marks: Readonly<Record<LoginProvider, string>> = {
  github:
    'M9.5 21v-4.4C6.5 16 4.5 13.8 4.5 10.3V4l3.8 2.2a13 13 0 0 1 7.4 0L19.5 4v6.3c0 3.5-2 5.7-5 6.3V21M9.5 19.3c-2.6.6-3.7-.8-4.8-2.3',
  oidc: 'M10 8.3C5.8 8.7 3 10.9 3 13.8s2.9 5.2 7 5.6M13.5 8.3c1.9.2 3.5.8 4.8 1.7l2.4-1.5v5.3l-5.3-1.3M10 21.5V4.7L13.5 3v16.8z',
  linuxdo: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M4 8.7h16M4 15.3h16',
  wechat:
    'M15.5 8.6C14.8 5.9 12.2 4 9 4c-3.9 0-7 2.7-7 6 0 1.9 1 3.6 2.7 4.7L4.2 17l2.5-1.2M22 14.8c0-2.7-2.7-4.9-6-4.9s-6 2.2-6 4.9 2.7 4.9 6 4.9c.7 0 1.4-.1 2-.3l2.3 1.1-.5-2c1.4-.9 2.2-2.2 2.2-3.7M6.8 8.8v.1M11.2 8.8v.1M14 13.7v.1M18 13.7v.1',
  telegram: 'M21.5 3.5 2.5 11l6 2.3 2 6.7 3.2-4 4.8 3.5zM8.5 13.3l9.5-7.3-7.5 8.5V20',
}
