import { Button, Menu, MenuDivider, MenuItem } from '@blueprintjs/core'
import { Disable, Duplicate, Edit, EyeOpen, More, Tick, Trash } from '@blueprintjs/icons'
import { useState } from 'react'
import { redemption as calls, type RedemptionView } from '../../../shared/api/redemption.ts'
import { redemptionStatus } from '../../../shared/enums.ts'
import { useSend } from '../../api/use-call.ts'
import { Confirm } from '../../components/confirm/confirm.tsx'
import { useCopy } from '../../components/copy-text/use-copy.tsx'
import { onceOpen } from '../../components/later.tsx'
import { Popover } from '../../components/popover/popover.tsx'
import { showSuccess } from '../../components/toasts.ts'
import { useSwitchToast } from '../../components/use-switch-toast.ts'
import { useTranslation } from '../../translation.ts'
import { maskedCode } from './columns.tsx'

const CodeDialog = onceOpen(async () => (await import('./code-dialog.tsx')).CodeDialog)

/** A code's actions: show and copy; edit, enable or disable while unused; delete. */
export function RowMenu({ code, onEdit }: { code: RedemptionView; onEdit: () => void }) {
  const { t } = useTranslation()
  const [isConfirming, setConfirming] = useState(false)
  const [isShown, setShown] = useState(false)
  const { copy, dialog } = useCopy()
  const toggle = useToggle(code)
  const isUsed = code.status === redemptionStatus.used
  const label = t('redemption.actions', { name: code.name, id: code.id })
  const content = (
    <Menu aria-label={label}>
      <MenuItem icon={<EyeOpen />} text={t('label.view')} onClick={() => setShown(true)} />
      <MenuItem icon={<Duplicate />} text={t('redemption.copyOne')} onClick={() => copy(code.key, maskedCode(code))} />
      <MenuItem icon={<Edit />} text={t('label.edit')} disabled={isUsed} onClick={onEdit} />
      <MenuItem
        icon={toggle.isOpen ? <Disable /> : <Tick />}
        text={toggle.isOpen ? t('label.disable') : t('label.enable')}
        disabled={isUsed}
        onClick={toggle.send}
      />
      <MenuDivider />
      <MenuItem icon={<Trash />} intent="danger" text={t('label.delete')} onClick={() => setConfirming(true)} />
    </Menu>
  )
  return (
    <>
      <Popover isMenu content={content}>
        <Button variant="minimal" icon={<More />} aria-label={label} />
      </Popover>
      {dialog}
      <CodeDialog code={code} isOpen={isShown} onClose={() => setShown(false)} />
      <DeleteConfirmation code={code} isOpen={isConfirming} onClose={() => setConfirming(false)} />
    </>
  )
}

/** A used code can be neither enabled nor disabled. */
function useToggle({ id, name, status: before }: RedemptionView): { isOpen: boolean; send: () => void } {
  const { mutate } = useSend(calls.update)
  const report = useSwitchToast()
  const isOpen = before === redemptionStatus.unused
  const turn = (isOn: boolean, undo?: () => void) => {
    const status = isOn ? redemptionStatus.unused : redemptionStatus.disabled
    mutate({ query: { status_only: true }, body: { id, status } }, { onSuccess: () => report(name, isOn, undo) })
  }
  return { isOpen, send: () => turn(!isOpen, () => turn(isOpen)) }
}

type ConfirmationProps = Readonly<{ code: RedemptionView; isOpen: boolean; onClose: () => void }>

/** Deletion is final, so the confirmation names the code. */
function DeleteConfirmation({ code: { id, name }, isOpen, onClose }: ConfirmationProps) {
  const { t } = useTranslation()
  const { mutate, isPending } = useSend(calls.remove)
  const done = () => showSuccess(t('redemption.deleted', { name }))
  return (
    <Confirm
      isOpen={isOpen}
      question={t('redemption.deleteAsk', { name, id })}
      verb={t('label.delete')}
      isBusy={isPending}
      onCancel={onClose}
      onConfirm={() => mutate({ params: { id } }, { onSuccess: done, onSettled: onClose })}
    >
      {t('redemption.deleteHint')}
    </Confirm>
  )
}
