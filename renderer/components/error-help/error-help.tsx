import { type ComponentProps, lazy, Suspense } from 'react'
import { loadTexts } from '../../i18n.ts'

const HelpPlaces = lazy(async () => {
  const [places] = await Promise.all([import('./help-places.tsx'), loadTexts(['help'])])
  return places
})

/** What the reader can do about a failed request: set a price in place, or follow links to the cause. */
export function ErrorHelp(request: ComponentProps<typeof HelpPlaces>) {
  return (
    <Suspense>
      <HelpPlaces {...request} />
    </Suspense>
  )
}
