import './column-settings.css'
import { Button, Checkbox, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core'
import { ListColumns } from '@blueprintjs/icons'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FrameButton } from '../page-frame/frame-button.tsx'

type ColumnSettingsProps = Readonly<{
  columns: readonly Readonly<{ id: string; title: string }>[]
  /** The ids of those that are shown. */
  visible: readonly string[]
  onShow: (ids: readonly string[]) => void
  /** Back to the columns that are shown at first. */
  onReset: () => void
}>

/** The button with the dialog where columns are chosen; a choice shows at once, and one column always stays. */
export function ColumnSettings({ columns, visible, onShow, onReset }: ColumnSettingsProps) {
  const { t } = useTranslation()
  const [isOpen, open] = useState(false)
  const all = columns.map(({ id }) => id)
  const hasAll = visible.length === all.length
  const close = () => open(false)
  const toggle = (id: string) => onShow(visible.includes(id) ? visible.filter((one) => one !== id) : [...visible, id])
  return (
    <>
      <FrameButton icon={<ListColumns />} label={t('label.columnSettings')} onClick={() => open(true)} />
      <Dialog
        className="fits-window"
        title={t('label.columnSettings')}
        isCloseButtonShown={false}
        isOpen={isOpen}
        onClose={close}
      >
        <DialogBody>
          <Checkbox
            label={t('label.selectAll')}
            checked={hasAll}
            indeterminate={!hasAll}
            onChange={() => onShow(hasAll ? all.slice(0, 1) : all)}
          />
          <div className="column-settings">
            {columns.map(({ id, title }) => (
              <Checkbox
                key={id}
                label={title}
                checked={visible.includes(id)}
                disabled={visible.length === 1 && visible.includes(id)}
                onChange={() => toggle(id)}
              />
            ))}
          </div>
        </DialogBody>
        <DialogFooter
          actions={
            <>
              <Button text={t('label.reset')} onClick={onReset} />
              <Button intent="primary" text={t('label.close')} onClick={close} />
            </>
          }
        />
      </Dialog>
    </>
  )
}
