/** Finds the call a result belongs to: the vendor's clients may leave ids out and match by name and order. */
export type CallNames = Readonly<{
  /** Notes a call and answers its id: the client's, or a new one. */
  called(name: string, id: string | undefined): string
  /** The id of the call that a result answers: the oldest open one of that name, unless the id is known. */
  answered(name: string, id: string | undefined): string
}>

/** The calls of one conversation. */
export function createCallNames(newCallId: () => string): CallNames {
  const open: { id: string; name: string }[] = []
  return {
    called(name, id) {
      const call = { id: id ?? newCallId(), name }
      open.push(call)
      return call.id
    },
    answered(name, id) {
      const byId = id === undefined ? -1 : open.findIndex((call) => call.id === id)
      const found = byId >= 0 ? byId : open.findIndex((call) => call.name === name)
      if (found < 0) return id ?? newCallId()
      const [call] = open.splice(found, 1)
      return call?.id ?? id ?? newCallId()
    },
  }
}
