import type { FamilyName } from '../../../support/vendors/families.ts'

/** A fault that is known: who sends it where, and how it shows. */
export type KnownHole = Readonly<{ agent: string; family: FamilyName; fault: RegExp }>

/** Every known hole; a fix removes its line. */
export const knownHoles: readonly KnownHole[] = []
