import { MantineProvider } from '@mantine/core';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { MountedModal } from '../../../renderer/ui/dialogs/MountedModal.tsx';

function Opener() {
  const [open, setOpen] = useState(false);
  return (
    <MantineProvider>
      <button type="button" onClick={() => setOpen(true)}>
        Open
      </button>
      {open && (
        <MountedModal onClose={() => setOpen(false)} title="A dialog">
          <input aria-label="Within" />
        </MountedModal>
      )}
    </MantineProvider>
  );
}

test('a dialog that is taken away gives the focus back to what opened it', async () => {
  await render(<Opener />);
  const button = page.getByRole('button', { name: 'Open' });
  await button.click();
  await page.getByRole('textbox', { name: 'Within' }).click();
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  await expect.element(button).toHaveFocus();
});
