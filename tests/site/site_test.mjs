// node site_test.mjs SITE: pages of the built site open from disk, and its search finds what readers ask for.
import { readdirSync, statSync, existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Browser, chromium } from '../viewer/browser.mjs';

if (!chromium()) {
  console.log('skipped: there is no Chromium here (Debian package chromium)');
  process.exit(77);
}
const site = resolve(process.argv[2]);
// what is asked, and a page that must be among the first three
const questions = [
  ['Craig-Bampton', /^(theory\/modal|how-to\/reduce|glossary)\.html/],
  ['FLEX', /^formats\/flex\.html/],
  ['DMIG', /^(paths\/from-sol103|formats\/fe-files|theory\/import)\.html/],
];
const failures = [];
const browser = await Browser.start(1280, 800);

async function visit(page) {
  browser.errors.length = 0;
  browser.requests.length = 0;
  await browser.send('Page.navigate', { url: page });
  await browser.until("document.readyState === 'complete' && location.href !== 'about:blank'");
  const outside = browser.requests.filter((url) => !url.startsWith('file:') && !url.startsWith('data:'));
  if (outside.length) failures.push(`${page}: asks for ${outside[0]}`);
  if (browser.errors.length) failures.push(`${page}: ${browser.errors[0]}`);
}

// every formula is seen whole: it goes on in the next line instead of behind an edge
async function formulas(page, width) {
  const cut = await browser.evaluate(`[...document.querySelectorAll('.formula .body')].filter((e) => e.scrollWidth > e.clientWidth + 1)
    .concat([...document.querySelectorAll('article :is(p, li, td) > math')].filter((e) => !e.closest('table') && e.getBoundingClientRect().right > innerWidth))
    .map((e) => e.textContent.slice(0, 60))`);
  for (const formula of cut) failures.push(`${page}: formula wider than a window of ${width}: ${formula}`);
}

// a table that is wider than a phone scrolls in its own frame, with a shadow at the edge behind which it goes on
async function tables(page) {
  const bare = await browser.evaluate(`[...document.querySelectorAll('article table.docutils')].filter((e) => e.scrollWidth > e.clientWidth + 1)
    .filter((e) => getComputedStyle(e).overflowX !== 'auto' || e.tabIndex !== 0 || !getComputedStyle(e).backgroundImage.includes('gradient'))
    .map((e) => e.innerText.slice(0, 60))`);
  for (const table of bare) failures.push(`${page}: table goes on behind an edge and shows it nowhere: ${table}`);
}

try {
  for (const [asked, wanted] of questions) {
    await visit(pathToFileURL(join(site, 'search.html')).href + '?q=' + encodeURIComponent(asked));
    await browser.until("document.querySelector('#search-results .search-summary')?.textContent.match(/found/)");
    const hits = await browser.evaluate("[...document.querySelectorAll('#search-results ul.search li > a')].slice(0, 3).map((a) => a.href)");
    const pages = hits.map((hit) => relative(site, decodeURIComponent(new URL(hit).pathname)));
    console.log(`${asked}: ${pages.join(', ')}`);
    if (!pages.some((page) => wanted.test(page))) failures.push(`${asked}: first three are ${pages.join(', ')}`);
  }
  const pages = ['', ...readdirSync(site).filter((name) => !name.startsWith('_') && statSync(join(site, name)).isDirectory() && !['gallery', 'cpp'].includes(name))]
    .flatMap((folder) => readdirSync(join(site, folder)).filter((name) => name.endsWith('.html')).map((name) => join(folder, name)));
  for (const page of pages) {
    await visit(pathToFileURL(join(site, page)).href);
    // on a desk no table or text goes on behind an edge
    const cut = await browser.evaluate("[...document.querySelectorAll('article table.docutils, article pre')].filter((e) => e.scrollWidth > e.clientWidth + 1).map((e) => e.innerText.slice(0, 60))");
    if (cut.length) failures.push(`${page}: wider than its column: ${cut[0]}`);
    await formulas(page, 1280);
    // nothing wider than the window on a phone
    await browser.send('Emulation.setDeviceMetricsOverride', { width: 390, height: 800, deviceScaleFactor: 1, mobile: false });
    const wide = await browser.evaluate('document.documentElement.scrollWidth');
    if (wide > 390) failures.push(`${page}: ${wide} px wide on a phone of 390`);
    await formulas(page, 390);
    await tables(page);
    await browser.send('Emulation.setDeviceMetricsOverride', { width: 1280, height: 800, deviceScaleFactor: 1, mobile: false });
  }
  console.log(`${pages.length} pages opened from disk`);
  if (existsSync(join(site, 'gallery'))) console.log(`${readdirSync(join(site, 'gallery')).filter((name) => name.endsWith('.html')).length} live pages in the gallery`);
} finally {
  await browser.stop();
}
for (const failure of failures) console.error(failure);
process.exit(failures.length ? 1 : 0);
