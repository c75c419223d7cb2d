/**
 * Detects whether pages run without Chromium's sandbox. `app.enableSandbox()` does not help: Chromium decides
 * before our first script runs, and `--no-sandbox` overrides it. An AppImage's launcher adds that switch if
 * the system forbids user namespaces (such as Ubuntu 24.04 with AppArmor's restriction), and Electron adds it
 * if ELECTRON_DISABLE_SANDBOX is set.
 */
export interface SandboxSigns {
  hasSwitch(name: string): boolean;
  environment: Readonly<Record<string, string | undefined>>;
  platform: NodeJS.Platform;
  /** Text of a kernel file; null if it does not exist. */
  read(path: string): string | null;
}

/** Each of these gives a page's process the rights of the whole program. */
const off = ['no-sandbox', 'disable-seccomp-filter-sandbox', 'single-process'];

export function sandboxIsOff({ hasSwitch, environment, platform, read }: SandboxSigns): boolean {
  if (off.some(hasSwitch) || environment.ELECTRON_DISABLE_SANDBOX !== undefined) return true;
  if (platform !== 'linux') return false;
  // The sandbox needs one of two: a user namespace, or a helper owned by root.
  return hasSwitch('disable-setuid-sandbox') && (hasSwitch('disable-namespace-sandbox') || !mayMake(read));
}

/** Whether this program may create a user namespace. */
function mayMake(read: SandboxSigns['read']): boolean {
  const is = (path: string, value: string): boolean => read(path)?.trim() === value;
  if (is('/proc/sys/user/max_user_namespaces', '0')) return false;
  if (is('/proc/sys/kernel/unprivileged_userns_clone', '0')) return false;
  // AppArmor's restriction holds for programs without a profile; those are `unconfined`.
  return !(
    is('/proc/sys/kernel/apparmor_restrict_unprivileged_userns', '1') &&
    is('/proc/self/attr/current', 'unconfined')
  );
}
