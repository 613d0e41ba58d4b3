/** What is kept by name, such as the prices of each model. */
export type Entries<T> = ReadonlyMap<string, T>

/** How an entry was when somebody began to change it, and what it is to be; undefined where there is none. */
export type Edit<T> = Readonly<{ base: T | undefined; mine: T | undefined }>

/** The entries that somebody has changed, by name. */
export type Edits<T> = ReadonlyMap<string, Edit<T>>

/** An entry that somebody else has changed meanwhile, to something else. */
export type Conflict<T> = Edit<T> & Readonly<{ name: string; now: T | undefined }>

/** What was changed between two sets of entries. */
export function editsBetween<T>(base: Entries<T>, mine: Entries<T>): Edits<T> {
  const names = new Set([...base.keys(), ...mine.keys()])
  const edits = new Map<string, Edit<T>>()
  for (const name of names) {
    const edit = { base: base.get(name), mine: mine.get(name) }
    if (!isSame(edit.base, edit.mine)) edits.set(name, edit)
  }
  return edits
}

/** The edits whose entry is neither what it was when the edit began nor what the edit makes of it. */
export const conflictsOf = <T>(edits: Edits<T>, now: Entries<T>): readonly Conflict<T>[] =>
  [...edits].flatMap(([name, edit]) => {
    const found = now.get(name)
    return isSame(found, edit.base) || isSame(found, edit.mine) ? [] : [{ name, ...edit, now: found }]
  })

/** Whether two entries say the same. Their members stand in the same order, since one function makes them. */
export const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)
