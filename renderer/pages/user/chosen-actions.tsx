import { Button, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core'
import { Disable, People, Plus, Tick, Trash } from '@blueprintjs/icons'
import { useState } from 'react'
import { type ChangedUsers, type ManagedUser, type UsersChange, userAdmin } from '../../../shared/api/user-admin.ts'
import { randomId } from '../../api/random-id.ts'
import { useSend } from '../../api/use-call.ts'
import { Confirm } from '../../components/confirm/confirm.tsx'
import { Form } from '../../components/form/form.tsx'
import type { IdSelection } from '../../components/page-table/use-selection.ts'
import { showSuccess, showUndoable, showWarning } from '../../components/toasts.ts'
import { type Translate, useTranslation } from '../../translation.ts'
import { AddQuotaDialog } from './add-quota-dialog.tsx'
import { GroupField } from './group-field.tsx'

type ChosenProps = Readonly<{ rows: readonly ManagedUser[]; selection: IdSelection }>
type OpenDialog = 'quota' | 'group' | 'disable' | 'delete'

/** Actions on the selected accounts (docs/reference/screens.md#users); those that end access need confirmation. */
export function ChosenActions({ rows, selection }: ChosenProps) {
  const { t } = useTranslation()
  const [opened, setOpened] = useState<OpenDialog>()
  const { change, isPending } = useChangeMany(selection)
  const n = selection.ids.length
  const close = () => setOpened(undefined)
  const names = rows.flatMap(({ id, username }) => (selection.ids.includes(id) ? [username] : []))
  return (
    <>
      <span className="tabular" aria-live="polite">
        {t('list.selected', { n })}
      </span>
      <Button icon={<Plus />} text={t('user.addQuota')} onClick={() => setOpened('quota')} />
      <Button icon={<People />} text={t('user.setGroup')} onClick={() => setOpened('group')} />
      <Button
        icon={<Tick />}
        text={t('label.enable')}
        loading={isPending && !opened}
        onClick={() => change({ action: 'enable' })}
      />
      <Button icon={<Disable />} text={t('label.disable')} onClick={() => setOpened('disable')} />
      <Button
        intent="danger"
        variant="outlined"
        icon={<Trash />}
        text={t('label.delete')}
        onClick={() => setOpened('delete')}
      />
      {opened === 'quota' && (
        <AddQuotaDialog title={t('user.addQuotaMany', { n })} onAdd={(amount) => change({ amount })} onClose={close} />
      )}
      {opened === 'group' && (
        <GroupDialog n={n} isBusy={isPending} onGroup={(group) => change({ group }, close)} onClose={close} />
      )}
      {(opened === 'disable' || opened === 'delete') && (
        <Confirm
          isOpen
          question={t(`user.${opened}ManyAsk`, { n })}
          verb={t(`label.${opened}`)}
          isBusy={isPending}
          onConfirm={() => change({ action: opened }, close)}
          onCancel={close}
        >
          <p>{shortened(names, n)}</p>
          {t(`user.${opened}ManyHint`)}
        </Confirm>
      )}
    </>
  )
}

type Change = Omit<UsersChange, 'ids' | 'idempotency_key'>

/**
 * Changes all selected accounts and reports how many changed, and which did not and why. The selection stays, except
 * after a deletion. Added quota can be taken back from the toast, unless an account was refused.
 */
function useChangeMany({ ids, clear }: IdSelection) {
  const { t } = useTranslation()
  const { mutate, isPending } = useSend(userAdmin.changeMany)
  const send = (some: readonly number[], change: Change, onSettled?: () => void) => {
    const report = (answer: ChangedUsers) => {
      if (change.action === 'delete') clear()
      if (answer.refused.length > 0) return showWarning(refusedText(t, answer))
      const changed = t('user.changedMany', { n: answer.changed })
      const { amount } = change
      if (amount === undefined) return showSuccess(changed)
      return showUndoable(changed, () => send(some, { amount: -amount }))
    }
    const body = { ids: [...some], ...change, idempotency_key: randomId() }
    mutate({ body }, { onSuccess: report, ...(onSettled ? { onSettled } : {}) })
  }
  return { change: (change: Change, onSettled?: () => void) => send(ids, change, onSettled), isPending }
}

const refusedText = (t: Translate, { changed, refused }: ChangedUsers): string => {
  const reasons = refused.map(({ id, username, message }) => `${username || `#${id}`} (${message})`)
  return t('user.changedSome', { n: changed, names: shortened(reasons, reasons.length) })
}

/** The first names; an ellipsis replaces the rest. */
const shortened = (names: readonly string[], count: number): string =>
  names.slice(0, MAX_NAMES).join(', ') + (count > Math.min(names.length, MAX_NAMES) ? ' …' : '')

const MAX_NAMES = 20

type GroupDialogProps = Readonly<{
  n: number
  isBusy: boolean
  onGroup: (group: string) => void
  onClose: () => void
}>

function GroupDialog({ n, isBusy, onGroup, onClose }: GroupDialogProps) {
  const { t } = useTranslation()
  const [group, setGroup] = useState('default')
  return (
    <Dialog className="fits-window" title={t('user.setGroup')} isCloseButtonShown={false} isOpen onClose={onClose}>
      <Form isBusy={isBusy} isDirty={group !== 'default'} onSubmit={() => onGroup(group)}>
        <DialogBody>
          <p>{t('user.setGroupHint', { n })}</p>
          <GroupField value={group} onValue={setGroup} />
        </DialogBody>
        <DialogFooter
          actions={
            <>
              <Button text={t('label.cancel')} disabled={isBusy} onClick={onClose} />
              <Button type="submit" intent="primary" text={t('label.save')} loading={isBusy} />
            </>
          }
        />
      </Form>
    </Dialog>
  )
}
