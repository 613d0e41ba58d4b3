/** The processor time of this process, in milliseconds, that some work takes; whatever else the machine does. */
export async function workOf(work: () => unknown): Promise<number> {
  const begun = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(begun)
  return (user + system) / 1000
}
