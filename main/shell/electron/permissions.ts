import type { Session } from 'electron';
import { originOf, pageOrigin } from './page_scheme.ts';

/**
 * Grants the microphone to the top frame of our own page, and nothing else. Chromium asks twice, by a check
 * (synchronous, also for `navigator.permissions` and device names) and by a request. Both need a handler,
 * because a missing one grants everything.
 */
export function grantMicrophoneOnly(session: Session): void {
  session.setPermissionRequestHandler((_contents, permission, answer, details) => {
    const kinds = 'mediaTypes' in details ? (details.mediaTypes ?? []) : [];
    answer(
      permission === 'media' &&
        details.isMainFrame &&
        kinds.length > 0 &&
        kinds.every((kind) => kind === 'audio') &&
        originOf(details.requestingUrl) === pageOrigin,
    );
  });
  session.setPermissionCheckHandler(
    (contents, permission, requestingOrigin, details) =>
      contents !== null &&
      permission === 'media' &&
      details.mediaType === 'audio' &&
      details.isMainFrame &&
      originOf(requestingOrigin) === pageOrigin,
  );
  // HID, serial and USB devices have a separate handler that grants by default once a device was chosen.
  session.setDevicePermissionHandler(() => false);
  session.setDisplayMediaRequestHandler((_request, answer) => answer(null));
}
