import { type RefObject, useLayoutEffect, useRef } from 'react'

/** A value as it was last drawn, for what goes on after it was drawn again. */
export function useLatest<T>(value: T): Readonly<RefObject<T>> {
  const latest = useRef(value)
  useLayoutEffect(() => {
    latest.current = value
  })
  return latest
}
