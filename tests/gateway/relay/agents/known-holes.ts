import type { FamilyName } from '../../../support/vendors/families.ts'

/** A fault that is known: who sends it where, how it shows and why it is there. */
export type KnownHole = Readonly<{ agents: readonly string[]; family: FamilyName; fault: RegExp; why: string }>

/** Every known hole, of which there is none; a fix removes its line, for the test fails where a hole is none. */
export const knownHoles: readonly KnownHole[] = []
