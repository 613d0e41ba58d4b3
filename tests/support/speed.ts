/** Whether this is the gate, which leaves out what takes long (CONTRIBUTING.md#two-speeds). */
export const isGate = process.env.TEST_SPEED === 'gate'

/** How often a property is tried: a quarter in the gate. */
export const runs = (all: number): number => (isGate ? Math.ceil(all / 4) : all)
