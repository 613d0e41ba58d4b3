import { Button, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core'
import { useState } from 'react'
import { wallet } from '../../../shared/api/wallet.ts'
import { isWebLink } from '../../../shared/links.ts'
import { useStatus } from '../../api/status.ts'
import { useSend } from '../../api/use-call.ts'
import { useQuotaFormat } from '../../components/amount.ts'
import { Form } from '../../components/form/form.tsx'
import { TextField } from '../../components/text-field/text-field.tsx'
import { useTranslation } from '../../translation.ts'
import { WalletSection } from './wallet-section.tsx'

/** Redeems a code for quota (docs/reference/screens.md#wallet). */
export function Redeem() {
  const { t } = useTranslation()
  const [code, setCode] = useState('')
  const [problem, setProblem] = useState<string>()
  const [redeemed, setRedeemed] = useState<number>()
  const { mutate, isPending } = useSend(wallet.redeem)
  const submit = () => {
    const key = code.trim()
    if (key === '') return setProblem(t('redeem.empty'))
    const done = (quota: number) => {
      setCode('')
      setRedeemed(quota)
    }
    mutate({ body: { key } }, { onSuccess: done })
  }
  return (
    <WalletSection title={t('wallet.redeem')}>
      <Form isBusy={isPending} onSubmit={submit}>
        <TextField
          label={t('wallet.code')}
          name="code"
          autoComplete="off"
          spellCheck={false}
          value={code}
          onValue={(next) => {
            setCode(next)
            setProblem(undefined)
          }}
          error={problem}
        />
        <div className="topup-actions">
          <Button
            type="submit"
            intent="primary"
            text={t(isPending ? 'wallet.redeeming' : 'wallet.redeemVerb')}
            disabled={isPending}
          />
          <GetCode />
        </div>
      </Form>
      {redeemed !== undefined && <Redeemed quota={redeemed} onClose={() => setRedeemed(undefined)} />}
    </WalletSection>
  )
}

/** Opens the operator's shop, if there is one. */
function GetCode() {
  const { t } = useTranslation()
  const { top_up_link: link } = useStatus()
  if (!isWebLink(link)) return null
  const open = () => window.open(link, '_blank', 'noopener,noreferrer')
  return <Button variant="outlined" text={t('wallet.getCode')} onClick={open} />
}

function Redeemed({ quota, onClose }: { quota: number; onClose: () => void }) {
  const { t } = useTranslation()
  const format = useQuotaFormat()
  return (
    <Dialog className="fits-window" title={t('wallet.redeemed')} isOpen onClose={onClose} isCloseButtonShown={false}>
      <DialogBody>
        <p>{t('wallet.redeemedHint', { amount: format(quota) })}</p>
      </DialogBody>
      <DialogFooter actions={<Button autoFocus intent="primary" text={t('label.close')} onClick={onClose} />} />
    </Dialog>
  )
}
