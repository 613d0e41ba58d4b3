import { Button, Menu, MenuItem } from '@blueprintjs/core'
import { Disable, Edit, More, Tick } from '@blueprintjs/icons'
import { channel as calls } from '../../../../shared/api/channel.ts'
import { useSend } from '../../../api/use-call.ts'
import { showSuccess } from '../../../components/toasts.ts'
import { useTranslation } from '../../../translation.ts'
import './row-menu.css'
import { Popover } from '../../../components/popover/popover.tsx'

/**
 * What can be done with all channels of a tag: enable them, disable them, edit them
 * (docs/reference/screens.md#channels).
 */
export function TagMenu({ tag, onEdit }: { tag: string; onEdit: () => void }) {
  const { t } = useTranslation()
  const enable = useSend(calls.enableTag)
  const disable = useSend(calls.disableTag)
  const done = { onSuccess: () => showSuccess(t('op.ok')) }
  const label = t('channel.actions', { name: t('channel.tagName', { tag }) })
  const content = (
    <Menu aria-label={label}>
      <MenuItem icon={<Tick />} text={t('channel.enableAll')} onClick={() => enable.mutate({ body: { tag } }, done)} />
      <MenuItem
        icon={<Disable />}
        text={t('channel.disableAll')}
        onClick={() => disable.mutate({ body: { tag } }, done)}
      />
      <MenuItem icon={<Edit />} text={t('label.edit')} onClick={onEdit} />
    </Menu>
  )
  return (
    <div className="channel-actions">
      <Popover isMenu content={content}>
        <Button variant="minimal" icon={<More />} aria-label={label} />
      </Popover>
    </div>
  )
}
