import { useEffect, useState } from 'react'

/**
 * The topmost section in view, by name. At the end of the page, where the last sections cannot reach the top, the
 * focused section if it is in view, as after a jump to it, else the last section.
 */
export function useCurrentSection(names: readonly string[]): string | undefined {
  const [current, setCurrent] = useState(names[0])
  const listed = names.join()
  useEffect(() => {
    const look = () => setCurrent(currentOf(listed.split(',')))
    look()
    // The scroll container is inside the page; its scroll events do not bubble.
    addEventListener('scroll', look, { passive: true, capture: true })
    addEventListener('focusin', look)
    return () => {
      removeEventListener('scroll', look, { capture: true })
      removeEventListener('focusin', look)
    }
  }, [listed])
  return names.includes(current ?? '') ? current : names[0]
}

function currentOf(names: readonly string[]): string | undefined {
  // The scroll container is the parent of the content (shell/layout.css).
  const page = document.querySelector('main')?.parentElement
  const sections = names.flatMap((name) => sectionOf(name) ?? [])
  if (!page || sections.length === 0) return names[0]
  const { top, bottom } = page.getBoundingClientRect()
  if (page.scrollTop > 0 && page.scrollTop + page.clientHeight >= page.scrollHeight - 1) {
    const focused = document.activeElement?.closest<HTMLElement>('[data-section]')
    const isInSight =
      focused && focused.getBoundingClientRect().bottom > top && focused.getBoundingClientRect().top < bottom
    return isInSight ? focused.dataset.section : names.at(-1)
  }
  const edge = top + pixels(getComputedStyle(page).scrollPaddingTop)
  // A section that was jumped to is at the top, within a pixel of rounding.
  const isAbove = (section: HTMLElement) =>
    section.getBoundingClientRect().top <= edge + pixels(getComputedStyle(section).scrollMarginTop) + 1
  const above = sections.filter(isAbove)
  return (above.at(-1) ?? sections[0])?.dataset.section
}

const pixels = (length: string): number => Number.parseFloat(length) || 0

export const sectionOf = (name: string): HTMLElement | null =>
  document.querySelector<HTMLElement>(`[data-section="${CSS.escape(name)}"]`)
