/** The CPU time of this process, in milliseconds, that some work takes, independent of other load on the machine. */
export async function workOf(work: () => unknown): Promise<number> {
  const begun = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(begun)
  return (user + system) / 1000
}
