import { type ComponentProps, lazy, Suspense } from 'react'
import { loadTexts } from '../../i18n.ts'

const HelpLinks = lazy(async () => {
  const [component] = await Promise.all([import('./help-links.tsx'), loadTexts(['help'])])
  return component
})

/** What the reader can do about a failed request: set a price in place, or follow links to the cause. */
export function ErrorHelp(request: ComponentProps<typeof HelpLinks>) {
  return (
    <Suspense>
      <HelpLinks {...request} />
    </Suspense>
  )
}
