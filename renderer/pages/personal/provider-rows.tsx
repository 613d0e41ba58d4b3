import { Button } from '@blueprintjs/core'
import { useState } from 'react'
import { type LoginProvider, oauth, providers, redirecting } from '../../../shared/api/oauth.ts'
import type { UserView } from '../../../shared/api/user.ts'
import { isDesktop } from '../../api/desktop.ts'
import { useStatus } from '../../api/status.ts'
import { useSend } from '../../api/use-call.ts'
import { Confirm } from '../../components/confirm/confirm.tsx'
import { later } from '../../components/later.tsx'
import { useOfferedProviders } from '../../components/providers/offered-providers.ts'
import { useProviderTexts } from '../../components/providers/use-provider-texts.ts'
import { useRedirect } from '../../components/providers/use-redirect.ts'
import { showSuccess } from '../../components/toasts.ts'
import { useTranslation } from '../../translation.ts'
import { LinkedAccount } from './linked-account.tsx'

const BindWechat = later(async () => (await import('./bind-dialogs.tsx')).BindWechat)
const BindTelegram = later(async () => (await import('./bind-dialogs.tsx')).BindTelegram)

const fields = {
  github: 'github_id',
  oidc: 'oidc_id',
  linuxdo: 'linux_do_id',
  wechat: 'wechat_id',
  telegram: 'telegram_id',
} as const satisfies Record<LoginProvider, keyof UserView>

/**
 * Provider accounts, to bind and unbind (docs/reference/screens.md#login-providers); self-use mode shows only those
 * that are bound or can be.
 */
export function ProviderRows({ account }: { account: UserView }) {
  const { nameOf } = useProviderTexts()
  const { self_use_mode_enabled: isAlone } = useStatus()
  const offered = useOfferedProviders()
  const isShown = (provider: LoginProvider) =>
    !isAlone || account[fields[provider]] !== '' || offered.includes(provider)
  return providers.filter(isShown).map((provider) => (
    <LinkedAccount key={provider} name={nameOf(provider)} value={account[fields[provider]]}>
      {account[fields[provider]] !== '' ? (
        <UnbindButton provider={provider} />
      ) : (
        <BindButton provider={provider} isOffered={offered.includes(provider)} />
      )}
    </LinkedAccount>
  ))
}

type BindButtonProps = Readonly<{ provider: LoginProvider; isOffered: boolean }>

/**
 * Redirects to the provider or opens its dialog; in the desktop window, opens the browser, where providers return to.
 */
function BindButton({ provider, isOffered }: BindButtonProps) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const { leavingTo, start } = useRedirect()
  const { nameOf, textOf } = useProviderTexts()
  const leads = redirecting.find((one) => one === provider)
  const bind = () => {
    if (isDesktop()) window.desktop?.openPersonal()
    else if (leads) start(leads)
    else setOpen(true)
  }
  if (!isOffered)
    return (
      <Button
        size="small"
        disabled
        text={t('provider.notEnabled')}
        aria-label={`${nameOf(provider)}: ${t('provider.notEnabled')}`}
      />
    )
  return (
    <>
      <Button
        size="small"
        text={t('provider.bind')}
        aria-label={textOf('provider.bindTo', provider)}
        loading={leavingTo !== undefined}
        onClick={bind}
      />
      {isOpen && provider === 'wechat' && <BindWechat onClose={() => setOpen(false)} />}
      {isOpen && provider === 'telegram' && <BindTelegram onClose={() => setOpen(false)} />}
    </>
  )
}

/** Asks first; the gateway refuses to remove the last login method. */
function UnbindButton({ provider }: { provider: LoginProvider }) {
  const { t } = useTranslation()
  const [isConfirming, setConfirming] = useState(false)
  const { mutate, isPending } = useSend(oauth.unbind)
  const { textOf } = useProviderTexts()
  const unbind = () =>
    mutate(
      { params: { provider } },
      { onSuccess: () => showSuccess(textOf('provider.unbound', provider)), onSettled: () => setConfirming(false) },
    )
  return (
    <>
      <Button
        size="small"
        text={t('provider.unbind')}
        aria-label={textOf('provider.unbindFrom', provider)}
        onClick={() => setConfirming(true)}
      />
      <Confirm
        isOpen={isConfirming}
        question={textOf('provider.unbindQuestion', provider)}
        verb={t('provider.unbind')}
        isBusy={isPending}
        onConfirm={unbind}
        onCancel={() => setConfirming(false)}
      >
        {textOf('provider.unbindText', provider)}
      </Confirm>
    </>
  )
}
