import './wechat-dialog.css'
import { Button, Callout, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core'
import { useRef, useState } from 'react'
import { manageFocus } from '../../api/focus-management.ts'
import { useTranslation } from '../../translation.ts'
import { Form } from '../form/form.tsx'
import { TextField } from '../text-field/text-field.tsx'
import { useProviderStatus } from './offered-providers.ts'

manageFocus()

type WechatDialogProps = Readonly<{
  title: string
  verb: string
  isBusy: boolean
  failure: string | undefined
  onCode: (code: string) => void
  onClose: () => void
}>

/** The QR code of the operator's WeChat account, and a field for the code it replies with. Mount it to open it. */
export function WechatDialog({ title, verb, isBusy, failure, onCode, onClose }: WechatDialogProps) {
  const { t } = useTranslation()
  const [code, setCode] = useState('')
  const [isMissing, setMissing] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const submit = () => {
    const entered = code.trim()
    setMissing(entered === '')
    if (entered !== '') onCode(entered)
    field.current?.focus()
  }
  return (
    <Dialog
      className="wechat-dialog fits-window"
      title={title}
      isCloseButtonShown={false}
      isOpen
      onClose={() => !isBusy && onClose()}
    >
      <Form isBusy={isBusy} onSubmit={submit}>
        <DialogBody>
          <p>{t('provider.wechatHint')}</p>
          <WechatCode />
          <TextField
            label={t('login.code')}
            name="code"
            autoComplete="one-time-code"
            autoFocus
            inputRef={field}
            value={code}
            onValue={setCode}
            error={isMissing ? t('login.needCode') : undefined}
          />
          {failure && (
            <Callout compact intent="danger" role="alert">
              {failure}
            </Callout>
          )}
        </DialogBody>
        <DialogFooter
          actions={
            <>
              <Button text={t('label.cancel')} disabled={isBusy} onClick={onClose} />
              <Button type="submit" intent="primary" text={verb} loading={isBusy} />
            </>
          }
        />
      </Form>
    </Dialog>
  )
}

function WechatCode() {
  const { t } = useTranslation()
  const status = useProviderStatus()
  const [isFailed, setFailed] = useState(false)
  return (
    <div className="wechat-dialog-code">
      {isFailed ? (
        <Callout compact intent="warning">
          {t('provider.wechatNoCode')}
        </Callout>
      ) : (
        <img src={status?.wechat_qrcode} alt={t('provider.wechatCode')} onError={() => setFailed(true)} />
      )}
    </div>
  )
}
