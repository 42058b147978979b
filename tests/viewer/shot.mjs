// node shot.mjs PAGE.html OUT.png [EXPRESSION]: a picture of a page after an expression was run in it.
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Browser } from './browser.mjs';

const [page, output, expression, width, height] = process.argv.slice(2);
const browser = await Browser.start(Number(width ?? 1200), Number(height ?? 760));
try {
  await browser.open(resolve(page));
  if (expression) await browser.evaluate(expression);
  await browser.settle();
  writeFileSync(output, await browser.screenshot());
  for (const error of browser.errors) console.error(error);
} finally {
  await browser.stop();
}
