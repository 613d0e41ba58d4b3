import { Button, Menu, MenuDivider, MenuItem } from '@blueprintjs/core'
import { Chat, Disable, Duplicate, Edit, Eraser, EyeOpen, More, Refresh, Tick, Trash } from '@blueprintjs/icons'
import { useState } from 'react'
import { token as calls, type TokenView } from '../../../shared/api/token.ts'
import { tokenStatus } from '../../../shared/enums.ts'
import { useStatus } from '../../api/status.ts'
import { useSend } from '../../api/use-call.ts'
import { Confirm } from '../../components/confirm/confirm.tsx'
import { useCopy } from '../../components/copy-text/use-copy.tsx'
import { onceOpen } from '../../components/later.tsx'
import { Popover } from '../../components/popover/popover.tsx'
import { showSuccess } from '../../components/toasts.ts'
import { keyOf, maskedKey } from '../../components/token-key.ts'
import { useSwitchToast } from '../../components/use-switch-toast.ts'
import { useTranslation } from '../../translation.ts'

const ChatDialog = onceOpen(async () => (await import('./chat-dialog.tsx')).ChatDialog)
const KeyDialog = onceOpen(async () => (await import('./key-dialog.tsx')).KeyDialog)

/**
 * A token's actions: show and copy its key, chat, edit, enable or disable, clear its cached responses, replace its key,
 * delete.
 */
export function RowMenu({ token, onEdit }: { token: TokenView; onEdit: () => void }) {
  const { t } = useTranslation()
  const [isConfirming, setConfirming] = useState(false)
  const [isShown, setShown] = useState(false)
  const [isChatting, setChatting] = useState(false)
  const [isChanging, setChanging] = useState(false)
  const { copy, dialog } = useCopy()
  const toggle = useToggle(token)
  const clearCache = useClearCache(token)
  const { response_cache_enabled: isOffered } = useStatus()
  const isCached = token.response_cache && isOffered
  const content = (
    <Menu aria-label={t('token.actions', { name: token.name })}>
      <MenuItem icon={<EyeOpen />} text={t('label.view')} onClick={() => setShown(true)} />
      <MenuItem icon={<Duplicate />} text={t('token.copyKey')} onClick={() => copy(keyOf(token), maskedKey(token))} />
      <MenuItem icon={<Chat />} text={t('token.chat')} onClick={() => setChatting(true)} />
      <MenuItem icon={<Edit />} text={t('label.edit')} onClick={onEdit} />
      <MenuItem
        icon={toggle.isEnabled ? <Disable /> : <Tick />}
        text={toggle.isEnabled ? t('label.disable') : t('label.enable')}
        onClick={toggle.send}
      />
      <MenuDivider />
      {isCached && <MenuItem icon={<Eraser />} text={t('token.clearCache')} onClick={clearCache} />}
      <MenuItem icon={<Refresh />} text={t('token.newKey')} onClick={() => setChanging(true)} />
      <MenuItem icon={<Trash />} intent="danger" text={t('label.delete')} onClick={() => setConfirming(true)} />
    </Menu>
  )
  return (
    <>
      <Popover isMenu content={content}>
        <Button variant="minimal" icon={<More />} aria-label={t('token.actions', { name: token.name })} />
      </Popover>
      {dialog}
      <ChatDialog token={token} isOpen={isChatting} onClose={() => setChatting(false)} />
      <KeyDialog token={token} isOpen={isShown} onClose={() => setShown(false)} />
      <NewKey token={token} isOpen={isChanging} onClose={() => setChanging(false)} />
      <DeleteConfirmation token={token} isOpen={isConfirming} onClose={() => setConfirming(false)} />
    </>
  )
}

/** Users switch only between enabled and disabled; the gateway explains why an expired token cannot be enabled. */
function useToggle(token: TokenView): { isEnabled: boolean; send: () => void } {
  const { id, name, status: current } = token
  const { mutate } = useSend(calls.update)
  const report = useSwitchToast()
  const isEnabled = current === tokenStatus.enabled
  const turn = (isOn: boolean, undo?: () => void) => {
    const status = isOn ? tokenStatus.enabled : tokenStatus.disabled
    mutate({ query: { status_only: true }, body: { id, status } }, { onSuccess: () => report(name, isOn, undo) })
  }
  return { isEnabled, send: () => turn(!isEnabled, () => turn(isEnabled)) }
}

function useClearCache({ id }: TokenView): () => void {
  const { t } = useTranslation()
  const { mutate } = useSend(calls.clearCache)
  const done = (n: number) => showSuccess(t('log.cache_cleared', { n: n.toLocaleString('en') }))
  return () => mutate({ params: { id } }, { onSuccess: done })
}

type ConfirmationProps = Readonly<{ token: TokenView; isOpen: boolean; onClose: () => void }>

/** Asks first, because the old key becomes invalid; then shows the new one. */
function NewKey({ token, isOpen, onClose }: ConfirmationProps) {
  const { t } = useTranslation()
  const { mutate, isPending } = useSend(calls.rekey)
  const [changed, setChanged] = useState<TokenView>()
  return (
    <>
      <Confirm
        isOpen={isOpen}
        question={t('token.newKeyAsk', { name: token.name })}
        verb={t('token.newKeyVerb')}
        isBusy={isPending}
        onCancel={onClose}
        onConfirm={() => mutate({ params: { id: token.id } }, { onSuccess: setChanged, onSettled: onClose })}
      >
        {t('token.newKeyHint')}
      </Confirm>
      {changed && <KeyDialog token={changed} isNew isOpen onClose={() => setChanged(undefined)} />}
    </>
  )
}

/** Deletion is final, so the confirmation names the token. */
function DeleteConfirmation({ token, isOpen, onClose }: ConfirmationProps) {
  const { t } = useTranslation()
  const { mutate, isPending } = useSend(calls.remove)
  const done = () => showSuccess(t('token.deleted', { name: token.name }))
  return (
    <Confirm
      isOpen={isOpen}
      question={t('token.deleteAsk', { name: token.name })}
      verb={t('label.delete')}
      isBusy={isPending}
      onCancel={onClose}
      onConfirm={() => mutate({ params: { id: token.id } }, { onSuccess: done, onSettled: onClose })}
    >
      {t('token.deleteHint')}
    </Confirm>
  )
}
