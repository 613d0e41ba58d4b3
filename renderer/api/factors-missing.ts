import { createSharedValue } from './shared-value.ts'

/** Somebody who must have a second factor: whether they still have none, and where they were when they were told. */
export type FactorsMissing = Readonly<{ userId: number; from: string; isMissing: boolean }>

/** Who was told so in this window, up to the page that follows; the shell keeps them on their personal settings meanwhile. */
export const factorsMissing = createSharedValue<FactorsMissing | undefined>(undefined)
