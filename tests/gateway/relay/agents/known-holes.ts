import type { FamilyName } from '../../../support/vendors/families.ts'

/** A known fault: the agents and the family concerned, its symptom and its cause. */
export type KnownHole = Readonly<{ agents: readonly string[]; family: FamilyName; fault: RegExp; why: string }>

/**
 * All known holes, currently none. Fixing one requires removing its line: the test fails for holes that no longer
 * exist.
 */
export const knownHoles: readonly KnownHole[] = []
