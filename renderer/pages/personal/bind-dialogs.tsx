import { Button, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core'
import { useQueryClient } from '@tanstack/react-query'
import { oauth } from '../../../shared/api/oauth.ts'
import { user } from '../../../shared/api/user.ts'
import { manageFocus } from '../../api/focus-management.ts'
import { areaOf, useSend } from '../../api/use-call.ts'
import { TelegramField } from '../../components/providers/telegram-field.tsx'
import { useProviderTexts } from '../../components/providers/use-provider-texts.ts'
import { WechatDialog } from '../../components/providers/wechat-dialog.tsx'
import { showSuccess } from '../../components/toasts.ts'
import { useTranslation } from '../../translation.ts'

manageFocus()

type BindDialogProps = Readonly<{ onClose: () => void }>

/** Binds the account to WeChat with the code it replies with. Mount it to open it. */
export function BindWechat({ onClose }: BindDialogProps) {
  const { t } = useTranslation()
  const { textOf } = useProviderTexts()
  const finish = useFinish(onClose)
  const { mutate, isPending, error } = useSend(oauth.bindWechat, { quiet: true })
  return (
    <WechatDialog
      title={textOf('provider.bindTo', 'wechat')}
      verb={t('provider.bind')}
      isBusy={isPending}
      failure={error?.message}
      onCode={(code) => mutate({ query: { code } }, { onSuccess: () => finish(t('wechat.bound')) })}
      onClose={onClose}
    />
  )
}

/** Binds the account by Telegram's login button. Mount it to open it. */
export function BindTelegram({ onClose }: BindDialogProps) {
  const { t } = useTranslation()
  const { textOf } = useProviderTexts()
  const finish = useFinish(onClose)
  const { mutate, isPending } = useSend(oauth.bindTelegram)
  return (
    <Dialog
      className="fits-window"
      title={textOf('provider.bindTo', 'telegram')}
      isCloseButtonShown={false}
      isOpen
      onClose={() => !isPending && onClose()}
    >
      <DialogBody>
        <p>{t('provider.telegramHint')}</p>
        <TelegramField onUser={(query) => mutate({ query }, { onSuccess: () => finish(t('bind.ok')) })} />
      </DialogBody>
      <DialogFooter actions={<Button text={t('label.cancel')} disabled={isPending} onClick={onClose} />} />
    </Dialog>
  )
}

function useFinish(onClose: () => void): (message: string) => void {
  const queries = useQueryClient()
  return (message) => {
    void queries.invalidateQueries({ queryKey: [areaOf(user.self)] })
    showSuccess(message)
    onClose()
  }
}
