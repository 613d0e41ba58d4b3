import { type ComponentProps, lazy, Suspense } from 'react'
import { loadTexts } from '../../i18n.ts'

/** Seldom seen. */
const HelpPlaces = lazy(async () => {
  const [places] = await Promise.all([import('./help-places.tsx'), loadTexts(['help'])])
  return places
})

/** What the reader can do about a failed request: a price set in place, or links to where its reason is mended. */
export function ErrorHelp(request: ComponentProps<typeof HelpPlaces>) {
  return (
    <Suspense>
      <HelpPlaces {...request} />
    </Suspense>
  )
}
