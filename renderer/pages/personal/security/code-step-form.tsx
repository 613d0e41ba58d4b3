import { Button, DialogBody, DialogFooter, type Intent } from '@blueprintjs/core'
import { Form } from '../../../components/form/form.tsx'
import { TextField } from '../../../components/text-field/text-field.tsx'
import { useTranslation } from '../../../translation.ts'
import type { CodeForm } from './use-code-form.ts'

type CodeStepFormProps = Readonly<{
  form: CodeForm
  /** Describes the consequence. */
  text: string
  verb: string
  intent: Intent
  onCancel: () => void
}>

/** Requires a TOTP or recovery code before an action, within a dialog. */
export function CodeStepForm({ form: { field, isBusy, submit }, text, verb, intent, onCancel }: CodeStepFormProps) {
  const { t } = useTranslation()
  return (
    <Form isBusy={isBusy} onSubmit={submit}>
      <DialogBody>
        <p>{text}</p>
        <TextField {...field} hint={t('login.codeHint')} />
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button text={t('label.cancel')} disabled={isBusy} onClick={onCancel} />
            <Button type="submit" intent={intent} text={verb} loading={isBusy} />
          </>
        }
      />
    </Form>
  )
}
