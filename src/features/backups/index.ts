export { BackupError, type Header, readHeader } from './format.ts'
export { loadBackup, requireEmpty, requireUnusedDatabase } from './restore.ts'
export { decryptSecret } from './secret.ts'
export { writeBackup } from './write.ts'
