import { type KeyboardEvent, useRef, useState } from 'react'
import { useTypedText } from '../form/typed-text.ts'
import { namesIn } from './names-in.ts'

type TypingProps = Readonly<{
  suggestions: readonly string[]
  allowsOthers: boolean
  /** Adds these names to the list. */
  onAdd: (names: readonly string[]) => void
  /** Chooses a suggestion, or takes it back. */
  onTurn: (name: string) => void
}>

/**
 * What is typed in the field, and the keys: Enter adds it, or chooses what the arrows have led to, and never submits the
 * form around. Blueprint would choose whatever comes first, and let the browser submit.
 */
export function useTyping({ suggestions, allowsOthers, onAdd, onTurn }: TypingProps) {
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
    // With Ctrl it submits the form, which adds what is typed.
    if (event.ctrlKey || event.metaKey) return
    event.stopPropagation()
    if (active === null) return addTyped()
    onTurn(active)
    write('')
  }
  return {
    query,
    write,
    /** The suggestion that the arrows have led to; null where Enter adds what is typed. */
    active,
    isTyped: (name: string) => active === null && name === query.trim(),
    add,
    /** Only arrows lead anywhere; Blueprint moves on by itself when the list changes. */
    lead: (name: string | null) => {
      if (isByArrow.current) setActive(name)
      isByArrow.current = false
    },
    keys: {
      onKeyDownCapture: press,
      // Blueprint chooses when the key is let go.
      onKeyUpCapture: (event: KeyboardEvent) => {
        if (isEnter(event)) event.stopPropagation()
      },
    },
  }
}

/** Enter in the field itself: on the cross of a name it is a click. */
const isEnter = ({ key, target }: KeyboardEvent): boolean => key === 'Enter' && target instanceof HTMLInputElement

/**
 * Blueprint takes the focus out of the field at Escape, and then no key would do anything. What is around the field has it:
 * the next Escape leaves the drawer or dialog, and Tab goes on from where one was.
 */
export function keepFocus({ key, type, currentTarget }: KeyboardEvent<HTMLElement>): void {
  if (key === 'Escape' && type === 'keydown') currentTarget.parentElement?.focus()
}
