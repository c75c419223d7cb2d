/**
 * Whether pages run without Chromium's sandbox. `app.enableSandbox()` can't help there: what starts processes
 * is chosen before any script of ours runs, and `--no-sandbox` wins over it. An AppImage's launcher adds that
 * switch by itself where the system lets no program make a user namespace (Ubuntu 24.04 with AppArmor's
 * restriction is such a system), and Electron adds it where ELECTRON_DISABLE_SANDBOX is set.
 */
export interface SandboxSigns {
  hasSwitch(name: string): boolean;
  environment: Readonly<Record<string, string | undefined>>;
  platform: NodeJS.Platform;
  /** Text of a file of the kernel's; null where there is none. */
  read(path: string): string | null;
}

/** Each of these leaves a page's process with the rights of the whole program. */
const off = ['no-sandbox', 'disable-seccomp-filter-sandbox', 'single-process'];

export function sandboxIsOff({ hasSwitch, environment, platform, read }: SandboxSigns): boolean {
  if (off.some(hasSwitch) || environment.ELECTRON_DISABLE_SANDBOX !== undefined) return true;
  if (platform !== 'linux') return false;
  // There are two ways into the sandbox: a namespace of the user's, and a helper that belongs to root.
  return hasSwitch('disable-setuid-sandbox') && (hasSwitch('disable-namespace-sandbox') || !mayMake(read));
}

/** Whether this program may make a user namespace. */
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
