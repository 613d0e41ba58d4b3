import { Button, TextArea } from '@blueprintjs/core'
import { useState } from 'react'
import { useTranslation } from '../../translation.ts'
import type { Attachment } from './attachments/attachment.ts'
import { AttachmentList } from './attachments/attachment-list.tsx'
import type { Message } from './conversation.ts'

type MessageEditorProps = Readonly<{
  message: Message
  onSave: (text: string, attachments: readonly Attachment[]) => void
  onCancel: () => void
}>

/** Edits a sent message and its files; Escape cancels. */
export function MessageEditor({ message, onSave, onCancel }: MessageEditorProps) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState(message.text)
  const [attachments, setAttachments] = useState(message.attachments ?? [])
  return (
    <div className="play-editor">
      <TextArea
        fill
        autoFocus
        autoResize
        rows={2}
        aria-label={t('play.editMessage')}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Escape' && onCancel()}
      />
      <AttachmentList
        attachments={attachments}
        onRemove={(id) => setAttachments((now) => now.filter((attachment) => attachment.id !== id))}
      />
      <div className="play-editor-buttons">
        <Button size="small" text={t('label.cancel')} onClick={onCancel} />
        <Button
          size="small"
          intent="primary"
          text={t('play.send')}
          disabled={typed.trim() === '' && attachments.length === 0}
          onClick={() => onSave(typed.trim(), attachments)}
        />
      </div>
    </div>
  )
}
