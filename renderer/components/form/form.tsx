import './form.css'
import { type FormEvent, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useUnsaved } from '../../api/unsaved.ts'
import { useLatest } from '../use-latest.ts'
import { TypedTextContext } from './typed-text.ts'

type FormProps = Readonly<{
  className?: string
  isBusy?: boolean
  /** There is input that leaving the page would lose. */
  isDirty?: boolean
  /** Called with the pressed button, if any; the caller validates. */
  onSubmit: (button: HTMLElement | null) => void
  children: ReactNode
}>

/**
 * A form. Ctrl or Cmd with Enter submits it from any field, pending list input is added first, and the first invalid
 * field is focused (docs/reference/screens.md#forms).
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
    // React also bubbles submits of a dialog opened over the form; ignore them.
    event.stopPropagation()
    if (isBusy) return
    // Adds pending input one at a time, so that each addition sees the result of the previous one.
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

/**
 * Submits a form on Ctrl or Cmd with Enter. Ignores key presses in a dialog over the form, which React also bubbles
 * to it.
 */
function submitByKeys(event: KeyboardEvent<HTMLFormElement>): void {
  const { key, ctrlKey, metaKey, nativeEvent, target, currentTarget } = event
  if (key !== 'Enter' || !(ctrlKey || metaKey) || nativeEvent.isComposing) return
  if (!(target instanceof Node && currentTarget.contains(target))) return
  event.preventDefault()
  currentTarget.requestSubmit()
}
