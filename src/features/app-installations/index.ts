export { findInstalledConnections } from './find.ts'
export { completeInstallation, requireInstallationState, startInstallation } from './install.ts'
export {
  completeTokenRefresh,
  disconnectExpired,
  type ExpiringToken,
  saveRefreshProblem,
  startTokenRefresh,
} from './refresh.ts'
export { deleteRemovedSecrets, listTokensToRevoke, type TokenToRevoke } from './revoke.ts'
