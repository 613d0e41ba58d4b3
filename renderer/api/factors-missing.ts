import { createSharedValue } from './shared-value.ts'

/** A user who must set up a second factor: whether it is still missing, and the page they came from. */
export type FactorsMissing = Readonly<{ userId: number; from: string; isMissing: boolean }>

/** The user notified in this window; the shell keeps them on their personal settings until the factor is set up. */
export const factorsMissing = createSharedValue<FactorsMissing | undefined>(undefined)
