import { Button } from '@blueprintjs/core'
import { Code, Duplicate, Edit, Refresh, Trash } from '@blueprintjs/icons'
import type { JSX } from 'react'
import { useCopy } from '../../components/copy-text/use-copy.tsx'
import { useTranslation } from '../../translation.ts'
import { isComing, type LaneActions, type Message } from './conversation.ts'

type MessageToolsProps = Readonly<{ message: Message; actions: LaneActions; onEdit: () => void }>

export function MessageTools({ message, actions, onEdit }: MessageToolsProps) {
  const { t } = useTranslation()
  const { copy, dialog } = useCopy()
  const { isBusy, regenerate, remove, viewCode } = actions
  if (isComing(message)) return null
  return (
    <span className="play-tools">
      {message.text && (
        <Tool
          icon={<Duplicate size={14} />}
          label={t('label.copy')}
          onClick={() => copy(message.text, t('play.message'))}
        />
      )}
      {message.role === 'user' ? (
        <Tool icon={<Edit size={14} />} label={t('label.edit')} isDisabled={isBusy} onClick={onEdit} />
      ) : (
        <Tool
          icon={<Refresh size={14} />}
          label={t('play.regenerate')}
          isDisabled={isBusy}
          onClick={() => regenerate(message)}
        />
      )}
      {message.asked && <Tool icon={<Code size={14} />} label={t('play.viewCode')} onClick={() => viewCode(message)} />}
      <Tool icon={<Trash size={14} />} label={t('label.delete')} isDisabled={isBusy} onClick={() => remove(message)} />
      {dialog}
    </span>
  )
}

type ToolProps = Readonly<{ icon: JSX.Element; label: string; isDisabled?: boolean; onClick: () => void }>

const Tool = ({ icon, label, isDisabled = false, onClick }: ToolProps) => (
  <Button
    size="small"
    variant="minimal"
    icon={icon}
    title={label}
    aria-label={label}
    disabled={isDisabled}
    onClick={onClick}
  />
)
