import { Classes } from '@blueprintjs/core'
import { type KeyboardEvent, type MouseEvent, type RefObject, useEffect } from 'react'
import { useTranslation } from '../../translation.ts'
import { focusAfter } from '../focus-after.ts'

/** The crosses of the tags within a box, in their order. */
export const crossesIn = (box: RefObject<HTMLElement | null>): readonly HTMLElement[] => [
  ...(box.current?.querySelectorAll<HTMLElement>(`.${Classes.TAG_REMOVE}`) ?? []),
]

/** The cross that an event came from. */
export const crossOf = (target: EventTarget): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>(`.${Classes.TAG_REMOVE}`) : null

/** Says on each tag's cross, in the person's language, what it removes: Blueprint's own words are fixed. */
export function useNamedCrosses(box: RefObject<HTMLElement | null>, values: readonly string[]): void {
  const { t } = useTranslation()
  useEffect(() => {
    for (const [place, cross] of crossesIn(box).entries())
      cross.setAttribute('aria-label', t('tags.remove', { name: values[place] ?? '' }))
  }, [box, values, t])
}

/** For the capture of keys around tags: Enter and Space on a cross press it. Blueprint's tag would take both for itself. */
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
 * The presses of the crosses in Blueprint's field of tags: once one was pressed by key the next one has the focus, else the
 * field. A press by pointer leads to the field, as everywhere in it.
 */
export function useCrosses({ box, values, onRemove }: Crosses) {
  useNamedCrosses(box, values)
  const click = (event: MouseEvent) => {
    const cross = crossOf(event.target)
    const place = cross ? crossesIn(box).indexOf(cross) : -1
    const value = values[place]
    if (event.detail > 0 || value === undefined) return
    event.stopPropagation()
    focusAfter(
      () => onRemove(value),
      () => crossesIn(box)[place],
      () => box.current?.querySelector('input'),
    )
  }
  return { onKeyDownCapture: pressCross, onKeyUpCapture: pressCross, onClickCapture: click }
}
