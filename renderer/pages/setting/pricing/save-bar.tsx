import { Button, Classes } from '@blueprintjs/core'
import { focusAfter } from '../../../components/focus-after.ts'
import { useTranslation } from '../../../translation.ts'

type SaveBarProps = Readonly<{
  unsaved: number
  isBusy: boolean
  /** The save button's text; “Apply changes” by default. */
  verb?: string
  /** The save button's accessible name, if others have the same text. */
  name?: string
  onDiscard: () => void
  onApply: () => void
}>

export function SaveBar({ unsaved, isBusy, verb, name, onDiscard, onApply }: SaveBarProps) {
  const { t } = useTranslation()
  return (
    <div className="price-editor-line price-editor-save">
      <span className={Classes.TEXT_MUTED} role="status">
        {unsaved > 0 && t('priceEditor.unsavedMany', { n: unsaved })}
      </span>
      <Button
        text={t('drawer.discard')}
        disabled={unsaved === 0 || isBusy}
        onClick={({ currentTarget }) => focusAfter(onDiscard, () => currentTarget.nextElementSibling)}
      />
      <Button
        intent={unsaved > 0 ? 'primary' : 'none'}
        text={verb ?? t('priceEditor.apply')}
        aria-label={name}
        loading={isBusy}
        onClick={onApply}
      />
    </div>
  )
}
