import { Button, Classes, FormGroup, TextArea } from '@blueprintjs/core'
import { useId, useRef, useState } from 'react'
import type { ChannelView } from '../../../../shared/api/channel.ts'
import { routing } from '../../../../shared/api/routing.ts'
import { channelTypeById } from '../../../../shared/channel-types.ts'
import { useSend } from '../../../api/use-call.ts'
import { Form } from '../../../components/form/form.tsx'
import { showSuccess, showWarning } from '../../../components/toasts.ts'
import { useTranslation } from '../../../translation.ts'

export function AddKeys({ channel: { id, type } }: { channel: ChannelView }) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  const { mutate, isPending } = useSend(routing.addKeys)
  const fieldId = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const hasLines = channelTypeById(type)?.keyFormat === 'service-account-json'
  const done = (n: number) => {
    setTyped('')
    if (n === 0) showWarning(t('keys.noneNew'))
    else showSuccess(t('keys.added', { n }))
  }
  const submit = () => {
    if (typed.trim() === '') return
    // The pressed button is disabled meanwhile, so the focus would leave the dialog.
    const onSettled = () => field.current?.focus()
    mutate({ params: { id }, body: { keys: typed } }, { onSuccess: done, onSettled })
  }
  return (
    <Form className="add-keys" isBusy={isPending} isDirty={typed !== ''} onSubmit={submit}>
      <FormGroup
        label={t('keys.add')}
        labelFor={fieldId}
        helperText={<span id={`${fieldId}-note`}>{t(hasLines ? 'keys.addAccounts' : 'keys.addHint')}</span>}
      >
        <TextArea
          id={fieldId}
          inputRef={field}
          fill
          autoFocus
          rows={3}
          className={Classes.MONOSPACE_TEXT}
          spellCheck={false}
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          aria-describedby={`${fieldId}-note`}
        />
      </FormGroup>
      <Button type="submit" text={t('keys.add')} loading={isPending} disabled={typed.trim() === ''} />
    </Form>
  )
}
