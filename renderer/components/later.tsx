import { type ComponentType, lazy, Suspense, useState } from 'react'

/**
 * A part of a page that is not there from the beginning, such as a dialog: its code comes when it is first shown, and before
 * that once the page has all it asked for (`fetchParts`). Until it is there, `Waiting` is shown, or nothing.
 */
export function later<P extends object>(
  load: () => Promise<ComponentType<P>>,
  Waiting?: ComponentType,
): ComponentType<P> {
  parts.add(load)
  const Part = lazy(async () => ({ default: await load() }))
  return (props: P) => (
    <Suspense fallback={Waiting && <Waiting />}>
      <Part {...props} />
    </Suspense>
  )
}

/** As `later`, for what is there all the time and seldom open: its code comes when it is first opened. */
export function onceOpen<P extends Readonly<{ isOpen: boolean }>>(
  load: () => Promise<ComponentType<P>>,
): ComponentType<P> {
  const Part = later(load)
  return (props: P) => {
    const [isWanted, setWanted] = useState(props.isOpen)
    if (props.isOpen && !isWanted) setWanted(true)
    return isWanted && <Part {...props} />
  }
}

/** Has code fetched once the page has all it asked for. */
export const fetchLater = (load: () => Promise<unknown>): void => void parts.add(load)

/** Fetches the parts of the pages that have come. What fails is told when it is shown. */
export function fetchParts(): void {
  for (const load of parts) load().then(ignored, ignored)
  parts.clear()
}

const parts = new Set<() => Promise<unknown>>()

const ignored = () => undefined
