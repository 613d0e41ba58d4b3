import { Classes } from '@blueprintjs/core'
import { type KeyboardEvent, type MouseEvent, type RefObject, useEffect } from 'react'
import { useTranslation } from '../../translation.ts'
import { focusAfter } from '../focus-after.ts'

export const crossesIn = (box: RefObject<HTMLElement | null>): readonly HTMLElement[] => [
  ...(box.current?.querySelectorAll<HTMLElement>(`.${Classes.TAG_REMOVE}`) ?? []),
]

const crossOf = (target: EventTarget): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>(`.${Classes.TAG_REMOVE}`) : null

/** Labels each tag's remove button in the user's language; Blueprint's label is fixed. */
export function useNamedCrosses(box: RefObject<HTMLElement | null>, values: readonly string[]): void {
  const { t } = useTranslation()
  useEffect(() => {
    for (const [index, cross] of crossesIn(box).entries())
      cross.setAttribute('aria-label', t('tags.remove', { name: values[index] ?? '' }))
  }, [box, values, t])
}

/**
 * Capture handler for keys around tags: lets Enter and Space press a remove button, because Blueprint's tag would
 * handle both itself.
 */
export function pressCross(event: KeyboardEvent): void {
  const { key, ctrlKey, metaKey, target } = event
  const isPress = (key === 'Enter' || key === ' ') && !ctrlKey && !metaKey
  if (isPress && crossOf(target)) event.stopPropagation()
}

type Crosses = Readonly<{
  box: RefObject<HTMLElement | null>
  values: readonly string[]
  onRemove: (value: string) => void
}>

/**
 * Handles the remove buttons of Blueprint's tag input: after a key press the next button is focused, else the field.
 * A pointer press focuses the field.
 */
export function useCrosses({ box, values, onRemove }: Crosses) {
  useNamedCrosses(box, values)
  const click = (event: MouseEvent) => {
    const cross = crossOf(event.target)
    const index = cross ? crossesIn(box).indexOf(cross) : -1
    const value = values[index]
    if (event.detail > 0 || value === undefined) return
    event.stopPropagation()
    focusAfter(
      () => onRemove(value),
      () => crossesIn(box)[index],
      () => box.current?.querySelector('input'),
    )
  }
  return { onKeyDownCapture: pressCross, onKeyUpCapture: pressCross, onClickCapture: click }
}
