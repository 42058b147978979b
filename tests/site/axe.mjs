// node axe.mjs axe.min.js PAGE.html ...: findings of axe-core on pages from disk, at 1280 and 390 px; 1 if any is serious.
// axe-core is not a Debian package: npm pack axe-core.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Browser } from '../viewer/browser.mjs';

const [library, ...pages] = process.argv.slice(2);
const axe = readFileSync(library, 'utf8');
const browser = await Browser.start(1280, 900);
let serious = 0;
try {
  for (const page of pages)
    for (const width of [1280, 390]) {
      await browser.send('Emulation.setDeviceMetricsOverride', { width, height: 900, deviceScaleFactor: 1, mobile: false });
      await browser.send('Page.navigate', { url: pathToFileURL(resolve(page)).href });
      await browser.until("document.readyState === 'complete' && location.href !== 'about:blank'");
      await browser.evaluate(axe + '; true');
      const findings = await browser.evaluate(
        "axe.run(document, { resultTypes: ['violations'] }).then((r) => r.violations.map((v) => ({ id: v.id, impact: v.impact, count: v.nodes.length, first: v.nodes[0].html.slice(0, 160), why: v.nodes[0].failureSummary.slice(0, 260) })))",
      );
      const wide = await browser.evaluate('document.documentElement.scrollWidth');
      console.log(`${page} ${width}: ${findings.length} findings${wide > width ? `, ${wide} px wide` : ''}`);
      for (const each of findings) {
        if (['serious', 'critical'].includes(each.impact)) serious++;
        console.log(`  ${each.impact} ${each.id} x ${each.count}: ${each.first}\n    ${each.why.replace(/\s+/g, ' ')}`);
      }
    }
} finally {
  await browser.stop();
}
process.exit(serious ? 1 : 0);
