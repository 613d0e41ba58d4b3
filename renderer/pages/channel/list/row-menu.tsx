import { Button, Menu, MenuDivider, MenuItem, PopoverNext } from '@blueprintjs/core'
import { Disable, Duplicate, Edit, Feed, More, Tick, Trash } from '@blueprintjs/icons'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type ChannelView, channel as calls } from '../../../../shared/api/channel.ts'
import { channelStatus } from '../../../../shared/enums.ts'
import { CallFailure } from '../../../api/call-failure.ts'
import { useSend } from '../../../api/use-call.ts'
import { showFailure, showSuccess } from '../../../components/toasts.tsx'
import { TestButtons } from '../test/test-buttons.tsx'
import { UpstreamDialog } from '../test/upstream-dialog.tsx'
import './row-menu.css'

type RowMenuProps = Readonly<{ channel: ChannelView; onEdit: () => void; onDelete: () => void }>

/** What can be done with one channel: test it, and in its menu edit, copy, switch, look who used it, delete. */
export function RowMenu({ channel, onEdit, onDelete }: RowMenuProps) {
  const { t } = useTranslation()
  const [isSeen, see] = useState(false)
  const toggle = useToggle(channel)
  const copy = useCopyChannel(channel)
  const label = t('channel.actions', { name: channel.name })
  const content = (
    <Menu aria-label={label}>
      <MenuItem icon={<Edit />} text={t('label.edit')} onClick={onEdit} />
      <MenuItem icon={<Duplicate />} text={t('label.copy')} onClick={copy} />
      <MenuItem
        icon={toggle.isEnabled ? <Disable /> : <Tick />}
        text={toggle.isEnabled ? t('label.disable') : t('label.enable')}
        onClick={toggle.send}
      />
      <MenuItem icon={<Feed />} text={t('channel.seen')} onClick={() => see(true)} />
      <MenuDivider />
      <MenuItem icon={<Trash />} intent="danger" text={t('label.delete')} onClick={onDelete} />
    </Menu>
  )
  return (
    <div className="channel-actions">
      <TestButtons channel={channel} />
      <PopoverNext placement="bottom-end" content={content}>
        <Button variant="minimal" icon={<More />} aria-label={label} />
      </PopoverNext>
      {isSeen && <UpstreamDialog channel={channel} onClose={() => see(false)} />}
    </div>
  )
}

/** Enable writes 1, disable 2; only the system writes 3 (specification 3 §4). */
function useToggle({ id, status: current }: ChannelView): { isEnabled: boolean; send: () => void } {
  const { t } = useTranslation()
  const { mutate } = useSend(calls.update)
  const isEnabled = current === channelStatus.enabled
  const status = isEnabled ? channelStatus.disabled : channelStatus.enabled
  return {
    isEnabled,
    send: () => mutate({ body: { id, status } }, { onSuccess: () => showSuccess(t('op.ok')) }),
  }
}

/** The gateway copies the key, which the console never has (spec/console.md §4.4.3). */
function useCopyChannel({ id, name }: ChannelView): () => void {
  const { t } = useTranslation()
  const { mutate } = useSend(calls.create, { quiet: true })
  const copied = t('channel.copyName', { name })
  const fail = (error: Error) => {
    if (!(error instanceof CallFailure)) throw error
    const { kind, status, message } = error
    showFailure(new CallFailure(kind, status, `${t('channel.copy_fail')}: ${message}`, error))
  }
  return () =>
    mutate(
      { body: { copy_from: id, name: copied } },
      { onSuccess: () => showSuccess(t('channel.copied', { name: copied })), onError: fail },
    )
}
