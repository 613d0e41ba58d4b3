import { Button, Classes, DialogBody, DialogFooter } from '@blueprintjs/core'
import type { ApiAnswer } from '../../../../shared/api/call.ts'
import { security } from '../../../../shared/api/security.ts'
import { useSend } from '../../../api/use-call.ts'
import { CopyButton } from '../../../components/copy-text/copy-button.tsx'
import { Form } from '../../../components/form/form.tsx'
import { QrCode } from '../../../components/qr-code/qr-code.tsx'
import { TextField } from '../../../components/text-field/text-field.tsx'
import { useTranslation } from '../../../translation.ts'
import { useCodeForm } from './use-code-form.ts'

/** A secret that takes effect once a code generated from it is confirmed. */
export type FactorProposal = ApiAnswer<typeof security.propose>

type ScanStepProps = Readonly<{
  proposal: FactorProposal
  onCodes: (codes: readonly string[]) => void
  onCancel: () => void
}>

export function ScanStep({ proposal: { secret, qr_code_data: address }, onCodes, onCancel }: ScanStepProps) {
  const { t } = useTranslation()
  const { field, isBusy, submit } = useCodeForm(useSend(security.enable, { quiet: true }), ({ backup_codes: codes }) =>
    onCodes(codes),
  )
  return (
    <Form isBusy={isBusy} onSubmit={submit}>
      <DialogBody>
        <p>{t('security.scan')}</p>
        <QrCode text={address} label={t('security.qrCode')} />
        <div className="security-key">
          <div>
            <div>{t('security.key')}</div>
            <code className={Classes.MONOSPACE_TEXT}>{secret.match(/.{1,4}/g)?.join(' ')}</code>
          </div>
          <CopyButton text={secret} shown={t('security.key')} label={t('security.keyCopy')} />
        </div>
        <TextField {...field} hint={t('security.codeAppHint')} inputMode="numeric" />
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button text={t('label.cancel')} disabled={isBusy} onClick={onCancel} />
            <Button type="submit" intent="primary" text={t('security.turnOn')} loading={isBusy} />
          </>
        }
      />
    </Form>
  )
}
