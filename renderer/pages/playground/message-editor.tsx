import { Button, TextArea } from '@blueprintjs/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

type MessageEditorProps = Readonly<{ text: string; onSave: (text: string) => void; onCancel: () => void }>

/** A message being said anew; Escape leaves it as it was. */
export function MessageEditor({ text, onSave, onCancel }: MessageEditorProps) {
  const { t } = useTranslation()
  const [typed, type] = useState(text)
  return (
    <div className="play-editor">
      <TextArea
        fill
        autoFocus
        autoResize
        rows={2}
        aria-label={t('play.editMessage')}
        value={typed}
        onChange={(event) => type(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Escape' && onCancel()}
      />
      <div className="play-editor-buttons">
        <Button size="small" text={t('label.cancel')} onClick={onCancel} />
        <Button
          size="small"
          intent="primary"
          text={t('play.send')}
          disabled={typed.trim() === ''}
          onClick={() => onSave(typed.trim())}
        />
      </div>
    </div>
  )
}
