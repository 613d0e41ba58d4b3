import './attachments.css'
import { Button, Classes } from '@blueprintjs/core'
import { Cross, Document } from '@blueprintjs/icons'
import { useTranslation } from '../../../translation.ts'
import { type Attachment, attachmentKind } from './attachment.ts'

type AttachmentListProps = Readonly<{
  attachments: readonly Attachment[]
  /** Removes a file by id; undefined if the files can no longer be removed. */
  onRemove?: (id: string) => void
}>

/** A message's files: images as previews, others by name. */
export function AttachmentList({ attachments, onRemove }: AttachmentListProps) {
  const { t } = useTranslation()
  if (attachments.length === 0) return null
  return (
    <ul className={`attachments ${Classes.LIST_UNSTYLED}`} aria-label={t('play.files')}>
      {attachments.map(({ id, name, type, size, data }) => (
        <li key={id} className="attachment">
          {attachmentKind(type) === 'image' ? <img src={data} alt={name} /> : <Document className="attachment-icon" />}
          <span className="attachment-name" title={name}>
            <span className={Classes.TEXT_OVERFLOW_ELLIPSIS}>{name}</span>
            <span className={`tabular ${Classes.TEXT_SMALL} ${Classes.TEXT_MUTED}`}>{sizeText(size)}</span>
          </span>
          {onRemove && (
            <Button
              size="small"
              variant="minimal"
              icon={<Cross />}
              aria-label={t('play.removeFile', { name })}
              title={t('play.removeFile', { name })}
              onClick={() => onRemove(id)}
            />
          )}
        </li>
      ))}
    </ul>
  )
}

const KIBI = 1024

const sizeText = (bytes: number): string =>
  bytes < KIBI * KIBI ? `${Math.max(1, Math.round(bytes / KIBI))} KB` : `${(bytes / KIBI / KIBI).toFixed(1)} MB`
