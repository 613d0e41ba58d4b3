import { Button, Menu, MenuDivider, MenuItem } from '@blueprintjs/core'
import {
  Disable,
  Dollar,
  Duplicate,
  Edit,
  Feed,
  History,
  Key,
  More,
  Reset,
  Route,
  Tick,
  Trash,
} from '@blueprintjs/icons'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { type ChannelView, channel as calls } from '../../../../shared/api/channel.ts'
import { explainPath } from '../../../components/explain-path.ts'
import { useTranslation } from '../../../translation.ts'
import { logPath } from '../addresses.ts'
import { TestButtons } from '../test/test-buttons.tsx'
import './row-menu.css'
import { channelStatus } from '../../../../shared/enums.ts'
import { CallFailure, failureTo } from '../../../api/call-failure.ts'
import { useSend } from '../../../api/use-call.ts'
import { later } from '../../../components/later.tsx'
import { Popover } from '../../../components/popover/popover.tsx'
import { showFailure, showSuccess } from '../../../components/toasts.ts'
import { useSwitchToast } from '../../../components/use-switch-toast.ts'
import { namesIn } from './row.ts'
import { hasBalance, useBalanceUpdate } from './use-balance.ts'
import { useClearCooldowns } from './use-clear-cooldowns.ts'
import { useCooldownsOf } from './use-cooldowns.ts'

const KeysDialog = later(async () => (await import('../keys/keys-dialog.tsx')).KeysDialog)
const UpstreamDialog = later(async () => (await import('../test/upstream-dialog.tsx')).UpstreamDialog)

type RowMenuProps = Readonly<{ channel: ChannelView; onEdit: () => void; onDelete: () => void }>

export function RowMenu({ channel, onEdit, onDelete }: RowMenuProps) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [opened, setOpened] = useState<'keys' | 'seen'>()
  // These hooks are not inside the menu, because it is unmounted before an outcome is shown.
  const actions = { toggle: useToggle(channel), copy: useCopyChannel(channel), clear: useClearCooldowns(channel).clear }
  const label = t('channel.actions', { name: channel.name })
  const close = () => setOpened(undefined)
  const content = (
    <Menu aria-label={label}>
      <MenuItem icon={<Edit />} text={t('label.edit')} onClick={onEdit} />
      <ActionItems channel={channel} {...actions} />
      <BalanceItem channel={channel} />
      <MenuItem icon={<Key />} text={t('keys.menu')} onClick={() => setOpened('keys')} />
      <MenuItem icon={<History />} text={t('label.usageLogs')} onClick={() => void navigate(logPath(channel))} />
      <ExplainItem channel={channel} />
      <MenuItem icon={<Feed />} text={t('channel.clientUsage')} onClick={() => setOpened('seen')} />
      <MenuDivider />
      <MenuItem icon={<Trash />} intent="danger" text={t('label.delete')} onClick={onDelete} />
    </Menu>
  )
  return (
    <div className="channel-actions">
      <TestButtons channel={channel} />
      <Popover isMenu content={content}>
        <Button variant="minimal" icon={<More />} aria-label={label} />
      </Popover>
      {opened === 'seen' && <UpstreamDialog channel={channel} onClose={close} />}
      {opened === 'keys' && <KeysDialog channel={channel} onClose={close} />}
    </div>
  )
}

type ActionItemsProps = Readonly<{
  channel: ChannelView
  toggle: ReturnType<typeof useToggle>
  copy: () => void
  clear: () => void
}>

/** Immediate actions; ending cooldowns is offered only if there are any. */
function ActionItems({ channel, toggle, copy, clear }: ActionItemsProps) {
  const { t } = useTranslation()
  const isCooling = useCooldownsOf([channel.id]).length > 0
  return (
    <>
      <MenuItem icon={<Duplicate />} text={t('label.copy')} onClick={copy} />
      <MenuItem
        icon={toggle.isEnabled ? <Disable /> : <Tick />}
        text={toggle.isEnabled ? t('label.disable') : t('label.enable')}
        onClick={toggle.send}
      />
      {isCooling && <MenuItem icon={<Reset />} text={t('cooldown.end')} onClick={clear} />}
    </>
  )
}

function ExplainItem({ channel }: { channel: ChannelView }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [model = ''] = namesIn(channel.models)
  const [group = ''] = namesIn(channel.group)
  const go = () => void navigate(explainPath({ model, group }))
  return <MenuItem icon={<Route />} text={t('page.explainRouting')} onClick={go} />
}

/** Refreshes a channel's balance; the row's cell shows the result. Hidden if the vendor has no balance API. */
function BalanceItem({ channel }: { channel: ChannelView }) {
  const { t } = useTranslation()
  const update = useBalanceUpdate(channel)
  return hasBalance(channel) && <MenuItem icon={<Dollar />} text={t('balance.update')} onClick={update} />
}

/** Enabling writes 1, disabling 2; only the system writes 3 (docs/reference/channels.md#fields). */
function useToggle({ id, name, status: current }: ChannelView): { isEnabled: boolean; send: () => void } {
  const { mutate } = useSend(calls.update)
  const report = useSwitchToast()
  const isEnabled = current === channelStatus.enabled
  const turn = (isOn: boolean, undo?: () => void) => {
    const status = isOn ? channelStatus.enabled : channelStatus.disabled
    mutate({ body: { id, status } }, { onSuccess: () => report(name, isOn, undo) })
  }
  // Only the system sets its own disabled state, so the user cannot go back to it.
  const undo = current === channelStatus.autoDisabled ? undefined : () => turn(isEnabled)
  return { isEnabled, send: () => turn(!isEnabled, undo) }
}

/** The gateway copies the key, which the console never has (docs/reference/channels.md#writing). */
function useCopyChannel({ id, name }: ChannelView): () => void {
  const { t } = useTranslation()
  const { mutate } = useSend(calls.create, { quiet: true })
  const copied = t('channel.copyName', { name })
  const fail = (error: Error) => {
    if (!(error instanceof CallFailure)) throw error
    showFailure(failureTo(t('channel.copy_fail'), error))
  }
  return () =>
    mutate(
      { body: { copy_from: id, name: copied } },
      { onSuccess: () => showSuccess(t('channel.copied', { name: copied })), onError: fail },
    )
}
