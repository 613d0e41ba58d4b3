import './copy-value.css'
import { Classes } from '@blueprintjs/core'
import { Duplicate } from '@blueprintjs/icons'
import { useCopy } from './use-copy.tsx'

type CopyValueProps = Readonly<{
  value: string
  /** Displayed instead of a secret. */
  shown?: string
  label: string
}>

export function CopyValue({ value, shown = value, label }: CopyValueProps) {
  const { copy, dialog } = useCopy()
  return (
    <>
      <button type="button" className="copy-value" title={label} onClick={() => copy(value, shown)}>
        <span className={Classes.MONOSPACE_TEXT}>{shown}</span>
        <Duplicate size={12} title={label} />
      </button>
      {dialog}
    </>
  )
}
