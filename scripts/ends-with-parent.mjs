// Loaded into the children of children.mjs: when their parent process is gone, even by kill -9, they stop as on
// SIGTERM. (`node --watch` does not load it into the watcher itself: a killed `npm run dev` leaves that one behind.)
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
process.channel?.unref()
