import { Button } from '@blueprintjs/core'
import { Duplicate, Edit, Refresh, Trash } from '@blueprintjs/icons'
import type { JSX } from 'react'
import { useTranslation } from 'react-i18next'
import { useCopy } from '../../components/copy-text/use-copy.tsx'
import type { Message } from './conversation.ts'
import type { Conversation } from './use-conversation.ts'

type MessageToolsProps = Readonly<{ message: Message; conversation: Conversation; onEdit: () => void }>

/** What can be done with a message: copy it, say it differently or have it answered anew, delete it. */
export function MessageTools({ message, conversation, onEdit }: MessageToolsProps) {
  const { t } = useTranslation()
  const { copy, dialog } = useCopy()
  const { isBusy, regenerate, remove } = conversation
  if (message.state === 'loading' || message.state === 'incomplete') return null
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
