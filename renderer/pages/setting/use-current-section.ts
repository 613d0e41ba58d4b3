import { useEffect, useState } from 'react'

/** The section of a tab that stands at the top of the window, by its name; the last one that did while none does. */
export function useCurrentSection(names: readonly string[]): string | undefined {
  const [current, setCurrent] = useState(names[0])
  const listed = names.join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the sections of another tab are other elements
  useEffect(() => {
    const seen = new Set<string>()
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          const name = (target instanceof HTMLElement && target.dataset.section) || ''
          if (isIntersecting) seen.add(name)
          else seen.delete(name)
        }
        setCurrent((before) => names.find((name) => seen.has(name)) ?? before)
      },
      // A line below the head of the window.
      { rootMargin: '-96px 0px -75% 0px' },
    )
    for (const section of document.querySelectorAll('[data-section]')) observer.observe(section)
    return () => observer.disconnect()
  }, [listed])
  return current
}
