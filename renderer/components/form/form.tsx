import './form.css'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useUnsaved } from '../../api/unsaved.ts'
import { useLatest } from '../use-latest.ts'
import { submitByKeys } from './submit-by-keys.ts'
import { TypedTextContext } from './typed-text.ts'

type FormProps = Readonly<{
  className?: string
  /** It is on its way and cannot be sent again. */
  isBusy?: boolean
  /** Something was entered that leaving the page would lose. */
  isDirty?: boolean
  /** Called with the button that was pressed, if one was; checking is the caller's. */
  onSubmit: (button: HTMLElement | null) => void
  children: ReactNode
}>

/**
 * A form: Ctrl or Cmd and Enter submit it from anywhere in it, what is typed in a list and not yet added counts, and the
 * first field that is wrong gets the focus (docs/reference/screens.md#forms).
 */
export function Form({ className = '', isBusy = false, isDirty = false, onSubmit, children }: FormProps) {
  const form = useRef<HTMLFormElement>(null)
  const [typed] = useState(() => new Set<() => void>())
  const [submissions, setSubmissions] = useState(0)
  const latest = useLatest(onSubmit)
  useEffect(() => {
    if (submissions > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [submissions])
  useUnsaved(isDirty)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    // A dialog over the form is within it for React; what is submitted there is not meant.
    event.stopPropagation()
    if (isBusy) return
    // One by one, each on the form as the one before has left it.
    for (const add of [...typed]) flushSync(add)
    latest.current(submitterOf(event))
    setSubmissions((before) => before + 1)
  }
  return (
    <TypedTextContext value={typed}>
      <form
        ref={form}
        className={`form ${className}`}
        tabIndex={-1}
        noValidate
        onSubmit={submit}
        onKeyDown={submitByKeys}
      >
        {children}
      </form>
    </TypedTextContext>
  )
}

const submitterOf = ({ nativeEvent }: FormEvent): HTMLElement | null =>
  nativeEvent instanceof SubmitEvent ? nativeEvent.submitter : null
