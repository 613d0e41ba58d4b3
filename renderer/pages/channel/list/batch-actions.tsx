import { Button, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core'
import { Tag as TagIcon, Trash } from '@blueprintjs/icons'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { channel as calls } from '../../../../shared/api/channel.ts'
import { useSend } from '../../../api/use-call.ts'
import { Confirm } from '../../../components/confirm/confirm.tsx'
import { Form } from '../../../components/form/form.tsx'
import { TextField } from '../../../components/text-field/text-field.tsx'
import { showSuccess, showWarning } from '../../../components/toasts.tsx'
import { channelsOf, type Row } from './row.ts'
import type { ChannelSelection } from './selection.ts'

type BatchActionsProps = Readonly<{ rows: readonly Row[]; selection: ChannelSelection }>

/**
 * Deletes or tags the channels with a tick; without any both are quiet, and say what is missing
 * (docs/reference/screens.md#channels).
 */
export function BatchActions({ rows, selection }: BatchActionsProps) {
  const { t } = useTranslation()
  const [isDeleting, setDeleting] = useState(false)
  const [isTagging, setTagging] = useState(false)
  const { length } = selection.ids
  const isQuiet = length === 0
  const given = (then: () => void) => (length === 0 ? showWarning(t('channel.del_select')) : then())
  return (
    <>
      <span className="tabular" aria-live="polite">
        {isQuiet ? t('channel.noneSelected') : t('channel.selected', { n: length })}
      </span>
      <Button
        icon={<TagIcon />}
        variant={isQuiet ? 'minimal' : 'solid'}
        text={t('channel.setTag')}
        onClick={() => (length === 0 ? showWarning(t('channel.tagSelect')) : setTagging(true))}
      />
      <Button
        intent={isQuiet ? 'none' : 'danger'}
        variant={isQuiet ? 'minimal' : 'outlined'}
        icon={<Trash />}
        text={t('channel.deleteChosen')}
        onClick={() => given(() => setDeleting(true))}
      />
      {isDeleting && <DeleteConfirmation rows={rows} selection={selection} onClose={() => setDeleting(false)} />}
      {isTagging && <TagDialog selection={selection} onClose={() => setTagging(false)} />}
    </>
  )
}

/** Names what will be destroyed: the channels of this page by name, those of other pages by their number. */
function DeleteConfirmation({ rows, selection, onClose }: BatchActionsProps & Readonly<{ onClose: () => void }>) {
  const { t } = useTranslation()
  const { mutate, isPending } = useSend(calls.removeMany)
  const { ids, clear } = selection
  const names = rows.flatMap(channelsOf).flatMap(({ id, name }) => (ids.includes(id) ? [name] : []))
  const confirm = () => {
    const onSuccess = (n: number) => {
      clear()
      showSuccess(t('channel.deletedMany', { n }))
    }
    mutate({ body: { ids: [...ids] } }, { onSuccess, onSettled: onClose })
  }
  return (
    <Confirm
      isOpen
      question={t('channel.deleteManyAsk', { n: ids.length })}
      verb={t('label.delete')}
      isBusy={isPending}
      onConfirm={confirm}
      onCancel={onClose}
    >
      <p>
        {names.slice(0, named).join(', ')}
        {ids.length > Math.min(names.length, named) && ' …'}
      </p>
      {t('channel.deleteHint')}
    </Confirm>
  )
}

/** As many names as a question can hold. */
const named = 20

/** Gives the chosen channels one tag, which must have a name (docs/reference/screens.md#channels). */
function TagDialog({
  selection: { ids, clear },
  onClose,
}: Readonly<{ selection: ChannelSelection; onClose: () => void }>) {
  const { t } = useTranslation()
  const [tag, setTag] = useState('')
  const [isChecked, setChecked] = useState(false)
  const { mutate, isPending } = useSend(calls.tagMany)
  const submit = () => {
    setChecked(true)
    if (tag.trim() === '') return
    const onSuccess = (n: number) => {
      clear()
      onClose()
      showSuccess(t('channel.tagged', { n }))
    }
    mutate({ body: { ids: [...ids], tag: tag.trim() } }, { onSuccess })
  }
  const error = isChecked && tag.trim() === '' ? t('channel.tag_empty') : undefined
  return (
    <Dialog className="fits-window" title={t('channel.setTag')} isCloseButtonShown={false} isOpen onClose={onClose}>
      <Form isBusy={isPending} isDirty={tag !== ''} onSubmit={submit}>
        <DialogBody>
          <p>{t('channel.setTagHint', { n: ids.length })}</p>
          <TextField
            label={t('channel.tag')}
            name="tag"
            autoFocus
            autoComplete="off"
            value={tag}
            onValue={setTag}
            error={error}
          />
        </DialogBody>
        <DialogFooter
          actions={
            <>
              <Button text={t('label.cancel')} disabled={isPending} onClick={onClose} />
              <Button type="submit" intent="primary" text={t('label.save')} loading={isPending} />
            </>
          }
        />
      </Form>
    </Dialog>
  )
}
