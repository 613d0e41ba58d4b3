import './copy-value.css'
import { Classes } from '@blueprintjs/core'
import { Duplicate } from '@blueprintjs/icons'
import { useCopy } from './use-copy.tsx'

type CopyValueProps = Readonly<{
  /** What lands on the clipboard. */
  value: string
  /** What is seen in place of a secret. */
  shown?: string
  /** What a click does, for the title and for screen readers. */
  label: string
}>

/** An id, key or address in monospace that is copied by a click on it. */
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
