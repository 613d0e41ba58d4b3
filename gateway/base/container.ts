import { existsSync } from 'node:fs'

/** Files that Docker and Podman create in each container. */
const MARKS = ['/.dockerenv', '/run/.containerenv']

/** Returns whether this process runs in a container, whose files are lost with it unless a folder is mounted. */
export const isInContainer = (isThere: (path: string) => boolean = existsSync): boolean => MARKS.some(isThere)
