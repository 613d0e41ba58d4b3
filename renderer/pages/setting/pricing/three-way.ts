/** Values by name, such as the prices of each model. */
export type Entries<T> = ReadonlyMap<string, T>

/** An entry when editing began, and its new value; undefined if absent. */
export type Edit<T> = Readonly<{ base: T | undefined; mine: T | undefined }>

export type Edits<T> = ReadonlyMap<string, Edit<T>>

/** An entry that someone else has changed meanwhile, to another value. */
export type Conflict<T> = Edit<T> & Readonly<{ name: string; now: T | undefined }>

export function editsBetween<T>(base: Entries<T>, mine: Entries<T>): Edits<T> {
  const names = new Set([...base.keys(), ...mine.keys()])
  const edits = new Map<string, Edit<T>>()
  for (const name of names) {
    const edit = { base: base.get(name), mine: mine.get(name) }
    if (!isSame(edit.base, edit.mine)) edits.set(name, edit)
  }
  return edits
}

/** Edits whose entry is now neither its base nor the edited value. */
export const conflictsOf = <T>(edits: Edits<T>, now: Entries<T>): readonly Conflict<T>[] =>
  [...edits].flatMap(([name, edit]) => {
    const found = now.get(name)
    return isSame(found, edit.base) || isSame(found, edit.mine) ? [] : [{ name, ...edit, now: found }]
  })

/** Compares two entries; members are in the same order, since one function builds them. */
export const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)
