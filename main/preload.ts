import { contextBridge } from 'electron'

/** All the console may know of the desktop around it: that there is one. It talks to the gateway over HTTP, as in any browser. */
contextBridge.exposeInMainWorld('desktop', Object.freeze({ platform: process.platform }))
