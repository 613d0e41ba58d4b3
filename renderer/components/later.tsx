import { type ComponentType, lazy, Suspense, useState } from 'react'

/**
 * A part of a page that is not shown initially, such as a dialog: its code is loaded when it is first shown, or
 * earlier once the page has loaded its data (`fetchParts`). Renders `Waiting`, or nothing, until then.
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

/** As `later`, for parts that are always mounted but rarely open: the code is loaded when first opened. */
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

/** Loads code once the page has loaded its data. */
export const fetchLater = (load: () => Promise<unknown>): void => void parts.add(load)

/** Loads the deferred parts of the pages loaded so far. Failures surface when a part is shown. */
export function fetchParts(): void {
  for (const load of parts) load().then(ignored, ignored)
  parts.clear()
}

const parts = new Set<() => Promise<unknown>>()

const ignored = () => undefined
