import './column-settings.css'
import { Button, Checkbox, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core'
import { useTranslation } from '../../translation.ts'

export type ColumnSettingsProps = Readonly<{
  columns: readonly Readonly<{ id: string; title: string }>[]
  visible: readonly string[]
  onShow: (ids: readonly string[]) => void
  onReset: () => void
}>

type ColumnsDialogProps = ColumnSettingsProps & Readonly<{ isOpen: boolean; onClose: () => void }>

export function ColumnsDialog({ columns, visible, onShow, onReset, isOpen, onClose }: ColumnsDialogProps) {
  const { t } = useTranslation()
  const all = columns.map(({ id }) => id)
  const hasAll = visible.length === all.length
  const toggle = (id: string) => onShow(visible.includes(id) ? visible.filter((one) => one !== id) : [...visible, id])
  return (
    <Dialog
      className="fits-window"
      title={t('label.columnSettings')}
      isCloseButtonShown={false}
      isOpen={isOpen}
      onClose={onClose}
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
            <Button intent="primary" text={t('label.close')} onClick={onClose} />
          </>
        }
      />
    </Dialog>
  )
}
