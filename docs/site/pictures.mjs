// node pictures.mjs FOLDER PAGE.html ...: a picture of each view page, 640 x 400, beside it.
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Browser } from '../../tests/viewer/browser.mjs';

const [folder, ...pages] = process.argv.slice(2);
const browser = await Browser.start(960, 600);
try {
  for (const page of pages) {
    await browser.open(resolve(join(folder, page)));
    await browser.evaluate("femflex.play(false), femflex.setTheme('light'), femflex.setPlace(0.25)");
    await browser.settle();
    writeFileSync(join(folder, page.replace(/html$/, 'png')), await browser.screenshot());
  }
} finally {
  await browser.stop();
}
