import { Button, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core'
import { Disable, Percentage, SortAsc, Tag as TagIcon, Tick, Trash } from '@blueprintjs/icons'
import { useState } from 'react'
import { channel as calls } from '../../../../shared/api/channel.ts'
import { channelStatus } from '../../../../shared/enums.ts'
import { useSend } from '../../../api/use-call.ts'
import { Confirm } from '../../../components/confirm/confirm.tsx'
import { Form } from '../../../components/form/form.tsx'
import type { IdSelection } from '../../../components/page-table/use-selection.ts'
import { TextField } from '../../../components/text-field/text-field.tsx'
import { showSuccess, showWarning } from '../../../components/toasts.ts'
import type { TextKey } from '../../../i18n.ts'
import { useTranslation } from '../../../translation.ts'
import { DisableConfirmation, OrderDialog, type OrderField, useChangeMany } from './batch-change.tsx'
import { ChosenNames } from './chosen-names.tsx'
import type { Row } from './row.ts'

type BatchActionsProps = Readonly<{ rows: readonly Row[]; selection: IdSelection }>

type OpenDialog = 'disable' | 'tag' | 'delete' | OrderField

/**
 * Actions on the selected channels; destructive ones ask first. Without a selection the buttons are inactive and
 * explain why (docs/reference/screens.md#channels).
 */
export function BatchActions({ rows, selection }: BatchActionsProps) {
  const { t } = useTranslation()
  const [opened, setOpened] = useState<OpenDialog>()
  const { change, isPending } = useChangeMany(selection)
  const { length } = selection.ids
  const isQuiet = length === 0
  const variant = isQuiet ? 'minimal' : 'solid'
  const given = (missing: TextKey, then: () => void) => () => (isQuiet ? showWarning(t(missing)) : then())
  const opens = (what: OpenDialog) => given(missingFor[what], () => setOpened(what))
  const close = () => setOpened(undefined)
  return (
    <>
      <span className="tabular" aria-live="polite">
        {isQuiet ? t('channel.noneSelected') : t('list.selected', { n: length })}
      </span>
      <Button
        icon={<Tick />}
        variant={variant}
        text={t('label.enable')}
        loading={isPending}
        onClick={given('channel.selectFirst', () => change({ status: channelStatus.enabled }))}
      />
      <Button icon={<Disable />} variant={variant} text={t('label.disable')} onClick={opens('disable')} />
      <Button icon={<SortAsc />} variant={variant} text={t('channel.set.priority')} onClick={opens('priority')} />
      <Button icon={<Percentage />} variant={variant} text={t('channel.set.weight')} onClick={opens('weight')} />
      <Button icon={<TagIcon />} variant={variant} text={t('channel.setTag')} onClick={opens('tag')} />
      <Button
        intent={isQuiet ? 'none' : 'danger'}
        variant={isQuiet ? 'minimal' : 'outlined'}
        icon={<Trash />}
        text={t('channel.deleteChosen')}
        onClick={opens('delete')}
      />
      {opened && <Question opened={opened} rows={rows} selection={selection} onClose={close} />}
    </>
  )
}

const missingFor = {
  disable: 'channel.selectFirst',
  priority: 'channel.selectFirst',
  weight: 'channel.selectFirst',
  tag: 'channel.tagSelect',
  delete: 'channel.del_select',
} as const satisfies Record<OpenDialog, TextKey>

type QuestionProps = BatchActionsProps & Readonly<{ opened: OpenDialog; onClose: () => void }>

function Question({ opened, ...about }: QuestionProps) {
  if (opened === 'delete') return <DeleteConfirmation {...about} />
  if (opened === 'tag') return <TagDialog {...about} />
  if (opened === 'disable') return <DisableConfirmation {...about} />
  return <OrderDialog {...about} field={opened} />
}

/** Asks before deleting the selected channels: lists the names of those on this page, and the number of all. */
function DeleteConfirmation({ rows, selection, onClose }: BatchActionsProps & Readonly<{ onClose: () => void }>) {
  const { t } = useTranslation()
  const { mutate, isPending } = useSend(calls.removeMany)
  const { ids, clear } = selection
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
      <ChosenNames rows={rows} ids={ids} />
      {t('channel.deleteHint')}
    </Confirm>
  )
}

/** Gives the selected channels one tag, which is required (docs/reference/screens.md#channels). */
function TagDialog({ selection: { ids, clear }, onClose }: Readonly<{ selection: IdSelection; onClose: () => void }>) {
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
