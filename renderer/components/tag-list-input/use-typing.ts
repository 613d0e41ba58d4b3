import { type KeyboardEvent, useRef, useState } from 'react'
import { useTypedText } from '../form/typed-text.ts'
import { namesIn } from './names-in.ts'

type TagInputOptions = Readonly<{
  suggestions: readonly string[]
  allowsOthers: boolean
  onAdd: (names: readonly string[]) => void
  /** Adds or removes a suggestion. */
  onTurn: (name: string) => void
}>

/**
 * The field's input and keys: Enter adds the input, or selects the suggestion reached by arrow keys, but submits the
 * form only with Ctrl or Cmd. Blueprint would select the first suggestion and let the browser submit the form.
 */
export function useTyping({ suggestions, allowsOthers, onAdd, onTurn }: TagInputOptions) {
  const [query, setQuery] = useState('')
  const [active, setActive] = useState<string | null>(null)
  const isByArrow = useRef(false)
  const write = (text: string) => {
    setQuery(text)
    setActive(null)
  }
  const add = (names: readonly string[]) => {
    onAdd(allowsOthers ? names : names.filter((name) => suggestions.includes(name)))
    write('')
  }
  const addTyped = () => {
    const typed = query.trim()
    if (typed !== '') add(suggestions.includes(typed) ? [typed] : namesIn(typed))
  }
  useTypedText(query, addTyped)
  const press = (event: KeyboardEvent) => {
    isByArrow.current = event.key === 'ArrowUp' || event.key === 'ArrowDown'
    if (!isEnter(event) || event.nativeEvent.isComposing) return
    event.preventDefault()
    // Ctrl+Enter submits the form, which adds the input.
    if (event.ctrlKey || event.metaKey) return
    event.stopPropagation()
    if (active === null) return addTyped()
    onTurn(active)
    write('')
  }
  return {
    query,
    write,
    /** The suggestion reached by arrow keys; null if Enter adds the input. */
    active,
    isTyped: (name: string) => active === null && name === query.trim(),
    add,
    /** Only arrow keys move the selection; Blueprint also moves it when the list changes. */
    lead: (name: string | null) => {
      if (isByArrow.current) setActive(name)
      isByArrow.current = false
    },
    keys: {
      onKeyDownCapture: press,
      // Blueprint selects on key up.
      onKeyUpCapture: (event: KeyboardEvent) => {
        if (isEnter(event)) event.stopPropagation()
      },
    },
  }
}

/** Enter in the input itself; on a remove button it is a click. */
const isEnter = ({ key, target }: KeyboardEvent): boolean => key === 'Enter' && target instanceof HTMLInputElement

/**
 * Blueprint blurs the input on Escape, after which keys would do nothing. Focuses the surrounding element instead:
 * the next Escape closes the drawer or dialog, and Tab continues from there.
 */
export function keepFocus({ key, type, currentTarget }: KeyboardEvent<HTMLElement>): void {
  if (key === 'Escape' && type === 'keydown') currentTarget.parentElement?.focus()
}
